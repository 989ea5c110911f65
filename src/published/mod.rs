//! What was published: the values, where they stand and how sure we are, and the rules by which ours are held against them.

mod rules;

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

pub use rules::{
    Parts, exact, followed, formula, not_measured, not_reproducible, ratio, rounding, shape, statistical, written,
};

/// One published value.
#[derive(Debug, Clone, Deserialize)]
pub struct Published {
    /// Unique id, `paper.figure.what`.
    pub id: String,
    /// The document.
    pub paper: String,
    /// Where in it.
    pub location: String,
    /// What it was measured at; what the document does not state is labelled so.
    pub parameters: Value,
    /// The value as printed.
    pub value: Value,
    /// Its unit.
    pub unit: String,
    /// How sure we are that it was printed so: `quoted`, `author_code`, `author_data`, `abstract`, `read_from_figure`,
    /// `second_hand` or `derived`.
    pub confidence: String,
    /// Whether another machine would find another value.
    pub machine_dependent: bool,
    /// How it can be tested; null for setups and definitions.
    pub testable: Option<String>,
    /// The same value computed anew from the parameters, to all digits, where a document prints it rounded.
    #[serde(default)]
    pub recomputed: Option<Value>,
    /// Whatever else a reader must know.
    pub note: Option<String>,
}

/// All published values, in the order of `published.json`.
#[must_use]
pub fn published() -> &'static [Published] {
    static ALL: LazyLock<Vec<Published>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("published.json"))
            .expect("published.json is part of the source and is tested")
    });
    &ALL
}

/// The published value with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Published> {
    published().iter().find(|published| published.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<&str> = published().iter().map(|published| published.id.as_str()).collect();
        assert_eq!(ids.len(), 167);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 167);
    }
}
