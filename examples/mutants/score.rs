//! What a run found: the record, and the table of it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use consistent_hash_lab::text::table::Table;
use serde::{Deserialize, Serialize};

use crate::FOLDERS;
use crate::operators::Mutant;
use crate::trial::Fate;

/// A line of the record.
#[derive(Debug, Serialize, Deserialize)]
pub struct Tried {
    pub mutant: Mutant,
    pub fate: Fate,
}

/// A mutant that answers as the right code does, by `reason`.
#[derive(Debug, Deserialize)]
pub struct Equivalent {
    file: String,
    text: String,
    before: String,
    reason: String,
}

/// What was tried before; nothing if there is no record.
pub fn read(path: &Path) -> anyhow::Result<Vec<Tried>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.with_context(|| path.display().to_string())?,
    };
    let parsed =
        text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("{}: {line}", path.display())));
    parsed.collect()
}

/// Those that no test can catch, listed beside this program.
pub fn equivalents(root: &Path) -> anyhow::Result<Vec<Equivalent>> {
    let path = root.join("examples/mutants/equivalent.json");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

/// A mutant in one line.
pub fn line(mutant: &Mutant) -> String {
    let Mutant { file, line, text, before, after, .. } = mutant;
    let after = if after.is_empty() { "nothing" } else { after };
    format!("{file}:{line}: {before} -> {after} in {text}")
}

fn reason<'a>(mutant: &Mutant, equivalents: &'a [Equivalent]) -> Option<&'a str> {
    let same = |one: &&Equivalent| (&one.file, &one.text, &one.before) == (&mutant.file, &mutant.text, &mutant.before);
    equivalents.iter().find(same).map(|one| one.reason.as_str())
}

/// The scores by folder and of all, and the survivors.
pub fn markdown(tried: &[Tried], seed: u64, equivalents: &[Equivalent]) -> String {
    let mut table = Table::new([
        "code",
        "tried",
        "do not compile",
        "equivalent",
        "caught by `chlab verify`",
        "by the tests",
        "survive",
        "caught",
        "by `chlab verify` alone",
    ]);
    // Of measures and statistics `chlab verify` says nothing.
    let verified = ["src/algorithms", "src/systems"];
    let scopes = FOLDERS.map(|folder| (folder, vec![folder]));
    let scopes = scopes.into_iter().chain([("what `chlab verify` checks", verified.into()), ("all", FOLDERS.into())]);
    for (name, folders) in scopes {
        let inside = |tried: &&Tried| folders.iter().any(|folder| tried.mutant.file.starts_with(folder));
        let all: Vec<&Tried> = tried.iter().filter(inside).collect();
        let count = |fate| all.iter().filter(|one| one.fate == fate).count();
        let same =
            all.iter().filter(|one| one.fate == Fate::Survived && reason(&one.mutant, equivalents).is_some()).count();
        let [not_viable, verify, tests, survived] =
            [Fate::NotViable, Fate::CaughtByVerify, Fate::CaughtByTests, Fate::Survived].map(count);
        let survived = survived - same;
        let viable = verify + tests + survived;
        let percent = |part: usize| {
            if viable == 0 { "-".to_owned() } else { format!("{:.0}%", 100.0 * part as f64 / viable as f64) }
        };
        let alone = if name == "all" || !verified.iter().any(|one| folders.contains(one)) {
            "-".into()
        } else {
            percent(verify)
        };
        let counts = [all.len(), not_viable, same, verify, tests, survived].map(|count| count.to_string());
        table.row(std::iter::once(name.to_owned()).chain(counts).chain([percent(verify + tests), alone]));
    }
    let mut text = format!("Sampled with seed {seed}.\n\n{}", table.markdown());
    for Tried { mutant, .. } in tried.iter().filter(|one| one.fate == Fate::Survived) {
        let why = reason(mutant, equivalents).map_or("not caught".to_owned(), |reason| format!("equivalent: {reason}"));
        let Mutant { file, line, text: code, before, after, .. } = mutant;
        let _ = write!(text, "\n* {file}:{line}: `{before}` becomes `{after}` in `{code}`: {why}");
    }
    text.push('\n');
    text
}
