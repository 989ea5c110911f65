//! What a check found, as it is written down: by one process, to be read by another.

use serde::{Deserialize, Serialize};

use super::Outcome;
use super::checks::ANOTHER_INSTANCE;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The check's name.
    pub check: String,
    /// What came of it, in a word.
    pub outcome: String,
    /// An input, the answer and the right answer; or why nothing was found.
    pub reason: Option<String>,
}

impl Finding {
    pub(super) fn new(check: &str, outcome: &Outcome) -> Self {
        Self { check: check.to_owned(), outcome: outcome.word().to_owned(), reason: outcome.reason().map(in_one_line) }
    }

    /// Whether two instances that were built alike disagree: then nothing is said of one by another.
    #[must_use]
    pub fn at_odds(&self) -> bool {
        self.failed() && self.reason.as_ref().is_some_and(|reason| reason.contains(ANOTHER_INSTANCE))
    }

    /// Whether a promise was kept.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.outcome == Outcome::Passed.word()
    }

    /// Whether a promise was broken.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.outcome == FAILED
    }

    /// Whether the check did not end within our limit, which says nothing about the promise.
    #[must_use]
    pub fn slow(&self) -> bool {
        self.outcome == SLOW
    }

    /// Whether the process ended in the check.
    pub(super) fn died(&self) -> bool {
        self.failed() && self.reason.as_ref().is_some_and(|reason| reason.starts_with(DIED))
    }

    /// Whether the implementation does not make the promise.
    pub(super) fn not_promised(&self) -> bool {
        self.outcome == Outcome::NotPromised("").word()
    }
}

/// A panic's message may be a page.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) const FAILED: &str = "FAILED";
pub(super) const SLOW: &str = "slow";
/// What the reason of a check begins with in which the process ended.
pub(super) const DIED: &str = "the process died";
