//! What was published: the values, where they stand and how sure we are, and the rules by which ours are held against them.

mod rules;

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

pub use rules::{
    CAUSE_NOT_KNOWN, Comparison, Parts, as_printed, chance, digits, exact, followed, in_band, not_measured,
    not_reproducible, rounding, shape, statistical, within, written,
};

/// One published value.
#[derive(Debug, Clone, Deserialize)]
pub struct Published {
    /// Unique id, `paper.figure.what`.
    pub id: String,
    /// What was published, in words.
    pub what: String,
    /// The document.
    pub paper: String,
    /// Where in it.
    pub location: String,
    /// Where it can be read: an address, or what is known of the document where none is.
    pub source: String,
    /// What it was measured at; what the document does not state is labelled so.
    pub parameters: Value,
    /// The value as printed.
    pub value: Value,
    /// How it was printed, where that is not the value as JSON has it: 1/6.
    #[serde(rename = "printed")]
    pub as_text: Option<String>,
    /// Its unit.
    pub unit: String,
    /// How sure we are that it was printed so: `quoted`, `author_code`, `author_data`, `abstract`, `read_from_figure`,
    /// `second_hand` or `derived`.
    pub confidence: String,
    /// Whether another machine would find another value.
    pub machine_dependent: bool,
    /// How it can be tested; null for setups and definitions.
    pub testable: Option<String>,
    /// The same value with more digits, where it could be recomputed from what the document states.
    pub recomputed: Option<Value>,
    /// Whatever else a reader must know.
    pub note: Option<String>,
}

impl Published {
    /// The value as it was printed.
    #[must_use]
    pub fn printed(&self) -> String {
        self.as_text.clone().unwrap_or_else(|| written(&self.value))
    }

    /// The value with its unit, unless it is a statement.
    #[must_use]
    pub fn with_unit(&self) -> String {
        if self.value.is_string() { self.printed() } else { format!("{} ({})", self.printed(), self.unit) }
    }

    /// Where it stands, as Markdown, and how sure we are that it was printed so.
    #[must_use]
    pub fn reference(&self) -> String {
        let confidence = match self.confidence.as_str() {
            "author_code" => "code of the authors",
            "author_data" => "data of the authors",
            "abstract" => "from the abstract",
            "read_from_figure" => "read from a figure",
            "second_hand" => "second hand",
            "derived" => "our own",
            other => other,
        };
        // An address alone can be opened; whatever else is known of a document is text.
        if self.source.starts_with("https://") && !self.source.contains(' ') {
            format!("[{}]({}), {}; {confidence}", self.paper, self.source, self.location)
        } else {
            format!("{}, {}; {confidence}", self.source, self.location)
        }
    }

    /// Whether it is a number of this project, which nobody has published.
    #[must_use]
    pub fn is_our_own(&self) -> bool {
        self.confidence == "derived"
    }
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

/// The published number with this id.
#[must_use]
pub fn number(id: &str) -> Option<f64> {
    find(id)?.value.as_f64()
}

/// The two ends of the published interval with this id.
#[must_use]
pub fn ends(id: &str) -> Option<(f64, f64)> {
    match find(id)?.value.as_array()?.as_slice() {
        [low, high] => Some((low.as_f64()?, high.as_f64()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without serde_json's `float_roundtrip` the last digit is lost, and a record that is continued is not the same.
    #[test]
    fn numbers_are_read_to_the_last_digit() {
        let value = find("derived.jump.exact_share").map(|published| &published.value["100"]);
        assert_eq!(value.and_then(Value::as_f64), Some(2.567_199_516_569_995e-8));
    }

    /// A reader can open what a value is from, or is told what is known of it.
    #[test]
    fn each_value_says_what_it_is_and_where_it_stands() {
        let mut descriptions = std::collections::BTreeSet::new();
        for value in published() {
            assert!(descriptions.insert(&value.what), "{} is described as another one is", value.id);
            assert!(!value.what.is_empty() && !value.source.is_empty() && !value.unit.is_empty(), "{}", value.id);
            let known =
                ["https://", "DOI ", "not known", "not recorded", "SPAA", "this project", "preprint", "github.com"];
            assert!(known.iter().any(|known| value.source.contains(known)), "{}: {}", value.id, value.source);
            assert!(value.printed().len() < 18 || !value.value.is_number(), "{}: {}", value.id, value.printed());
        }
    }

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<&str> = published().iter().map(|published| published.id.as_str()).collect();
        assert_eq!(ids.len(), 167);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 167);
    }
}
