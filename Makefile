# Thin on purpose: one line each. `make` turns any failure into status 2; call the binaries where the status matters.
EXPERIMENTS := $(filter-out peers,$(sort $(basename $(notdir $(wildcard experiments/*.rs)))))
# Asks cargo where its programs lie, which CARGO_TARGET_DIR and its configuration may change.
RUN := cargo run --release --locked --quiet --bin

.PHONY: build reproduce paper smoke peers test check bench report coverage false-alarms mutants

build:          ; cargo build --release --locked --bins
reproduce: build ; @for e in $(EXPERIMENTS); do $(RUN) $$e -- --scale quick || exit; done && $(RUN) chlab -- report --scale quick
paper: build    ; @for e in $(EXPERIMENTS); do $(RUN) $$e -- --scale paper || exit; done && $(RUN) chlab -- report --readme README.md
smoke: build    ; @for e in $(EXPERIMENTS); do $(RUN) $$e -- --scale smoke || exit; done && $(RUN) chlab -- report --scale smoke
peers:          ; cargo build --profile checked --locked --features peers --bin peers && cargo run --release --locked --features peers --bin peers -- --scale paper
test:           ; cargo test --release --locked
check:          ; .ci/run
bench:          ; cargo bench --locked
report: build   ; $(RUN) chlab -- report --readme README.md
coverage: build ; $(RUN) chlab -- coverage --scale quick
false-alarms: build ; $(RUN) chlab -- verify --seeds 100 && $(RUN) chlab -- report --readme README.md
mutants:        ; cargo run --release --locked --example mutants -- --readme README.md
