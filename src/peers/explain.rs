//! One crate's findings for a reader, each with a program that shows it.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::findings::{self, Profile};
use super::{peers, programs};
use crate::text::nearest::nearest;

/// The crates that were surveyed, in their order.
#[must_use]
pub fn packages() -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    peers().map(|peer| findings::package(peer.id)).filter(|package| seen.insert(*package)).collect()
}

/// No crate of this name was surveyed.
#[derive(Debug, thiserror::Error)]
#[error("{asked:?} is no crate of the survey{nearest}; `chlab peers` lists them")]
pub struct UnknownCrate {
    asked: String,
    nearest: String,
}

/// All crates, with the number of their findings.
#[must_use]
pub fn list() -> String {
    packages().into_iter().fold(String::new(), |mut text, package| {
        let accused = findings::accusations(package).count();
        let documented = findings::documented(package).count();
        let _ = writeln!(text, "{package}: {accused} found, {documented} documented");
        text
    })
}

/// What was found in one crate.
///
/// # Errors
/// There is no such crate.
pub fn explain(package: &str) -> Result<String, UnknownCrate> {
    let known = packages();
    let Some(package) = known.iter().copied().find(|known| *known == findings::package(package)) else {
        return Err(UnknownCrate { asked: package.to_owned(), nearest: nearest(package, known) });
    };
    let version = peers().find(|peer| findings::package(peer.id) == package).map(|peer| peer.source.to_string());
    let mut text = format!("{package}, {}\n", version.unwrap_or_default());
    // Writing to a string cannot fail.
    for (at, accusation) in (1..).zip(findings::accusations(package)) {
        let Some(program) = programs::find(accusation.program) else { continue };
        let (how, run) = match accusation.kind.profile() {
            Profile::Release => ("", "cargo run --release"),
            Profile::Debug => (" (as debug builds are compiled)", "cargo run"),
        };
        let dependencies = accusation.dependencies().join("\n");
        let _ = write!(
            text,
            "\n{at}. {}{how}: {}\n\nCargo.toml:\n\n[dependencies]\n{dependencies}\n\nsrc/main.rs, for `{run}`:\n\n{}",
            accusation.kind.word(),
            about(program.source),
            program.source.replace("pub fn main()", "fn main()"),
        );
    }
    for documented in findings::documented(package) {
        let quotation = documented.quotation.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = write!(text, "\nDocumented: {}.\n  \"{quotation}\" ({})\n", documented.says, documented.place);
    }
    if findings::accusations(package).next().is_none() {
        text.push_str("\nNothing was found that its documentation does not state; that is no proof.\n");
    }
    Ok(text)
}

/// The first sentence of a program's heading.
fn about(source: &str) -> String {
    let heading = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    heading.collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_has_its_programs_whole() {
        let text = explain("chash").expect("it was surveyed");
        assert!(text.contains("\nchash = { version = \"=0.1.0\" }\n") && text.contains("\nfn main() {\n"), "{text}");
        assert!(text.contains("Documented: "), "{text}");
        assert_eq!(explain("chash/hasher").ok(), Some(text), "an entry's id names its crate");
        assert!(
            explain("jump-back-hash").is_ok_and(|text| text.contains("`cargo run`") && text.contains("\nrand_core = "))
        );
        assert!(explain("jumpch").is_ok_and(|text| text.contains("no proof")));
    }

    #[test]
    fn a_crate_that_is_not_there_is_named() {
        let error = explain("jumphsh").expect_err("there is none").to_string();
        assert!(error.contains("\"jumphsh\"") && error.contains("nearest: jumphash"), "{error}");
    }
}
