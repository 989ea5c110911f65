//! One mutant at a time: written into a copy of the source, built, verified, tested.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

use crate::operators::Mutant;

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It does not compile.
    NotViable,
    /// `chlab verify` fails, or does not end.
    CaughtByVerify,
    /// It passes `chlab verify`, and the library's tests fail, do not compile or do not end.
    CaughtByTests,
    /// Nothing notices.
    Survived,
}

/// A copy of the source with a folder of builds of its own, so that only what a mutant changes is built anew.
pub struct Bench {
    root: PathBuf,
    tree: PathBuf,
    build: PathBuf,
    log: PathBuf,
    /// How long `chlab verify` and the tests may take.
    limits: [Duration; 2],
}

/// No build of the library takes as long.
const LONGEST_BUILD: Duration = Duration::from_secs(1800);
/// A mutant that asks for more memory than this is stopped, in KiB: right code takes a tenth of it.
const MOST_MEMORY: u64 = 4 << 20;

impl Bench {
    /// Copies the source, builds it without a change and demands that it passes, which tells how long that takes.
    pub fn new(root: &Path) -> anyhow::Result<Self> {
        let folder = root.join("target/mutants");
        let mut bench = Self {
            root: root.to_owned(),
            tree: folder.join("tree"),
            build: folder.join("build"),
            log: folder.join("log"),
            limits: [LONGEST_BUILD; 2],
        };
        bench.copy()?;
        ensure!(bench.builds()?, "the source does not build without a mutant: see {}", bench.log.display());
        for (limit, what) in [(0, "`chlab verify`"), (1, "the tests")] {
            let start = Instant::now();
            let passes = if limit == 0 { bench.verifies()? } else { bench.passes_tests()? };
            ensure!(passes, "{what} fails without a mutant: see {}", bench.log.display());
            // Other work on the same cores, and the build of the tests, come on top.
            bench.limits[limit] = start.elapsed() * 5 + Duration::from_secs(60);
        }
        Ok(bench)
    }

    /// What becomes of a mutant. The copy is as it was afterwards.
    pub fn fate(&self, mutant: &Mutant) -> anyhow::Result<Fate> {
        let (path, source) = (self.tree.join(&mutant.file), fs::read_to_string(self.root.join(&mutant.file))?);
        fs::write(&path, mutant.applied(&source)).with_context(|| path.display().to_string())?;
        let fate = self.judged();
        fs::write(&path, source).with_context(|| path.display().to_string())?;
        fate
    }

    fn judged(&self) -> anyhow::Result<Fate> {
        Ok(match () {
            () if !self.builds()? => Fate::NotViable,
            () if !self.verifies()? => Fate::CaughtByVerify,
            () if !self.passes_tests()? => Fate::CaughtByTests,
            () => Fate::Survived,
        })
    }

    /// All files under version control; those that are equal keep their times, so that nothing is built for them.
    fn copy(&self) -> anyhow::Result<()> {
        let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(&self.root).output().context("git")?;
        ensure!(listed.status.success(), "`git ls-files` fails in {}", self.root.display());
        for file in String::from_utf8(listed.stdout)?.split_terminator('\0') {
            let (from, to) = (self.root.join(file), self.tree.join(file));
            let Ok(content) = fs::read(&from) else { continue };
            if fs::read(&to).ok().as_ref() != Some(&content) {
                fs::create_dir_all(to.parent().unwrap_or(&self.tree))?;
                fs::write(&to, content).with_context(|| to.display().to_string())?;
            }
        }
        Ok(())
    }

    fn builds(&self) -> anyhow::Result<bool> {
        let arguments = ["build", "--release", "--locked", "--quiet", "--bin", "chlab"];
        self.ends_well(Command::new("cargo").args(arguments), LONGEST_BUILD)
    }

    fn verifies(&self) -> anyhow::Result<bool> {
        let program = self.build.join("release/chlab");
        let mut limited = Command::new("sh");
        limited.args(["-c", &format!("ulimit -v {MOST_MEMORY}; exec \"$0\" verify")]).arg(program);
        self.ends_well(&mut limited, self.limits[0])
    }

    fn passes_tests(&self) -> anyhow::Result<bool> {
        let mut tests = Command::new("cargo");
        tests.args(["test", "--release", "--locked", "--quiet", "--lib"]);
        self.ends_well(&mut tests, self.limits[1])
    }

    /// Whether a program ends in time and without an error. It is the head of a group of processes, all of which are
    /// ended if it does not.
    fn ends_well(&self, command: &mut Command, most: Duration) -> anyhow::Result<bool> {
        let log = File::create(&self.log).with_context(|| self.log.display().to_string())?;
        let mut child = command
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.build)
            .env("CARGO_INCREMENTAL", "1")
            // Quick to build rather than quick to run.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .with_context(|| format!("{command:?}"))?;
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.success());
            }
            if start.elapsed() > most {
                ended(child.id())?;
                child.wait()?;
                return Ok(false);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

fn ended(group: u32) -> io::Result<ExitStatus> {
    Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status()
}
