//! Systems by the name that a user types.

use super::{Entry, systems};
use crate::text::nearest::nearest;

/// Why a name stands for no system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownSystem {
    /// The beginning of several ids.
    #[error("system {asked:?} is one of several: use {}", choices.join(" or "))]
    Ambiguous { asked: String, choices: Vec<&'static str> },
    /// No id, and the beginning of none.
    #[error("no system {asked:?}{nearest}; `chlab where --list` shows all")]
    Unknown { asked: String, nearest: String },
}

/// The system of an id, or of the first words of an id where only one begins with them: `npm` is `npm-hashring`.
///
/// # Errors
/// [`UnknownSystem`], with the ids that may have been meant.
pub fn find(asked: &str) -> Result<&'static Entry, UnknownSystem> {
    if let Some(entry) = systems().iter().find(|entry| entry.id == asked) {
        return Ok(entry);
    }
    let begins = |entry: &&Entry| entry.id.strip_prefix(asked).is_some_and(|rest| rest.starts_with('-'));
    let family: Vec<&'static Entry> = systems().iter().filter(begins).collect();
    match family.as_slice() {
        [] => {
            let nearest = nearest(asked, systems().iter().map(|entry| entry.id));
            Err(UnknownSystem::Unknown { asked: asked.to_owned(), nearest })
        }
        [entry] => Ok(entry),
        several => {
            let choices = several.iter().map(|entry| entry.id).collect();
            Err(UnknownSystem::Ambiguous { asked: asked.to_owned(), choices })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(asked: &str) -> Result<&'static str, UnknownSystem> {
        find(asked).map(|entry| entry.id)
    }

    #[test]
    fn every_id_finds_itself() {
        for entry in systems() {
            assert_eq!(found(entry.id), Ok(entry.id));
        }
    }

    #[test]
    fn a_family_of_one_is_enough() {
        assert_eq!(found("npm"), Ok("npm-hashring"));
        assert_eq!(found("nginx"), Ok("nginx"), "an id before a family");
    }

    #[test]
    fn a_family_of_several_names_them() {
        let choices = vec!["haproxy-consistent", "haproxy-map"];
        assert_eq!(found("haproxy"), Err(UnknownSystem::Ambiguous { asked: "haproxy".into(), choices }));
    }

    #[test]
    fn what_is_unknown_names_what_is_near() {
        let message = |asked| found(asked).expect_err("no system").to_string();
        assert!(message("ngnix").contains("(nearest: nginx)"), "{}", message("ngnix"));
        assert!(message("").contains("no system \"\""), "{}", message(""));
        assert!(!message("elephant").contains("nearest"));
    }
}
