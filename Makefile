# Thin on purpose: one line each. `make` turns any failure into status 2; call the binaries where the status matters.
EXPERIMENTS := $(filter-out peers,$(sort $(basename $(notdir $(wildcard experiments/*.rs)))))
BIN := target/release

.PHONY: build reproduce paper smoke peers test check bench report false-alarms mutants

build:          ; cargo build --release --locked --bins
reproduce: build ; @for e in $(EXPERIMENTS); do $(BIN)/$$e --scale quick || exit; done && $(BIN)/chlab report --scale quick
paper: build    ; @for e in $(EXPERIMENTS); do $(BIN)/$$e --scale paper || exit; done && $(BIN)/chlab report --readme README.md
smoke: build    ; @for e in $(EXPERIMENTS); do $(BIN)/$$e --scale smoke || exit; done && $(BIN)/chlab report --scale smoke
peers:          ; cargo build --profile checked --locked --features peers --bin peers && cargo run --release --locked --features peers --bin peers -- --scale paper
test:           ; cargo test --release --locked
check:          ; .ci/run
bench:          ; cargo bench --locked
report: build   ; $(BIN)/chlab report --readme README.md
false-alarms: build ; $(BIN)/chlab verify --seeds 100 && $(BIN)/chlab report --readme README.md
mutants:        ; cargo run --release --locked --example mutants -- --readme README.md
