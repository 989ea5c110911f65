//! Lists of nodes as people keep them in files: lines, or JSON.
//!
//! Lines: `name [weight]`, the weight 1 if it is left out; blank lines do not count, nor does what follows a `#` at the
//! start of a line or after a space. JSON: an array of names, of `{"name": .., "weight": ..}`, or of both. A text whose
//! first character, after spaces, is `[` is JSON, unless an IPv6 address in brackets stands there, as in `[::1]:80`.

use std::collections::HashMap;
use std::fmt;
use std::net::Ipv6Addr;

use serde_json::Value;

use super::Node;

/// Where in a list something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// An element of the JSON array, from 1.
    Element(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(f, "line {number}"),
            Self::Element(number) => write!(f, "element {number}"),
        }
    }
}

/// Why a text is no list of nodes.
#[derive(Debug, thiserror::Error)]
pub enum NodeListError {
    /// Nothing in it.
    #[error("no node; write one `name [weight]` a line, or a JSON array")]
    Empty,
    /// Bytes that are no text.
    #[error("line {line} is not UTF-8; save the list as UTF-8")]
    NotUtf8 { line: usize },
    /// It begins as JSON and is none.
    #[error("invalid JSON: {0}; write an array of names or of {{\"name\": .., \"weight\": ..}}")]
    Json(#[source] serde_json::Error),
    /// An element of the array that is neither a name nor an object with one.
    #[error("{place}: {value} is no node; write a name or {{\"name\": .., \"weight\": ..}}")]
    NotANode { place: Place, value: String },
    /// More than a name and a weight.
    #[error("{place}: {value:?} follows the weight; write `name [weight]`")]
    TooManyWords { place: Place, value: String },
    /// A name that would not stay one word in an output.
    #[error("{place}: name {value:?} is empty or has a space or a control character; use a name without")]
    Name { place: Place, value: String },
    /// A weight that is no whole number above zero, or too large.
    #[error("{place}: weight {value} is not accepted; use a whole number from 1 to {}", u32::MAX)]
    Weight { place: Place, value: String },
    /// A name that was given before.
    #[error("{place}: node {name:?} stands at {first} already; give each node its own name")]
    Duplicate { place: Place, name: String, first: Place },
}

/// Reads a list of nodes.
///
/// # Errors
/// [`NodeListError`], with the place and the value.
pub fn parse(bytes: &[u8]) -> Result<Vec<Node>, NodeListError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        NodeListError::NotUtf8 { line: 1 + before.iter().filter(|&&byte| byte == b'\n').count() }
    })?;
    // The mark that some editors put before UTF-8.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let placed = if is_json(text) { elements(text)? } else { lines(text)? };
    if placed.is_empty() {
        return Err(NodeListError::Empty);
    }
    let mut first: HashMap<&str, Place> = HashMap::with_capacity(placed.len());
    for (place, node) in &placed {
        if let Some(first) = first.insert(&node.name, *place) {
            return Err(NodeListError::Duplicate { place: *place, name: node.name.clone(), first });
        }
    }
    Ok(placed.into_iter().map(|(_, node)| node).collect())
}

fn is_json(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix('[') else { return false };
    // No JSON array can be taken for an address: addresses have two colons at least.
    let address = rest.split_once(']').map_or("", |(inside, _)| inside);
    // What follows a `%` is the zone, RFC 4007 section 11.
    let address = address.split_once('%').map_or(address, |(address, _)| address);
    address.parse::<Ipv6Addr>().is_err()
}

type Placed = Vec<(Place, Node)>;

fn lines(text: &str) -> Result<Placed, NodeListError> {
    let mut nodes = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let place = Place::Line(number);
        let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
        let Some(name) = words.next() else {
            continue;
        };
        let node = node(place, name, words.next())?;
        if let Some(word) = words.next() {
            return Err(NodeListError::TooManyWords { place, value: word.to_owned() });
        }
        nodes.push((place, node));
    }
    Ok(nodes)
}

fn elements(text: &str) -> Result<Placed, NodeListError> {
    let elements: Vec<Value> = serde_json::from_str(text).map_err(NodeListError::Json)?;
    elements.iter().zip(1..).map(|(value, number)| element(Place::Element(number), value)).collect()
}

fn element(place: Place, value: &Value) -> Result<(Place, Node), NodeListError> {
    let wrong = || NodeListError::NotANode { place, value: value.to_string() };
    let node = match value {
        Value::String(name) => node(place, name, None),
        Value::Object(fields) if fields.keys().all(|field| field == "name" || field == "weight") => {
            let name = fields.get("name").and_then(Value::as_str).ok_or_else(wrong)?;
            // As text, so that both forms accept the same weights; of JSON's values only whole numbers pass.
            node(place, name, fields.get("weight").map(Value::to_string).as_deref())
        }
        _ => Err(wrong()),
    };
    Ok((place, node?))
}

fn node(place: Place, name: &str, weight: Option<&str>) -> Result<Node, NodeListError> {
    if name.is_empty() || name.chars().any(|character| character.is_whitespace() || character.is_control()) {
        return Err(NodeListError::Name { place, value: name.to_owned() });
    }
    let weight = match weight {
        None => 1,
        Some(text) => text
            .parse()
            .ok()
            .filter(|&weight| weight > 0)
            .ok_or_else(|| NodeListError::Weight { place, value: text.to_owned() })?,
    };
    Ok(Node::new(name, weight))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(text: &str) -> String {
        parse(text.as_bytes()).expect_err("no list").to_string()
    }

    #[test]
    fn both_forms() {
        let expected = vec![Node::new("a:80", 1), Node::new("b#1", 2), Node::new("é", u32::MAX)];
        for text in [
            "a:80\nb#1 2\né 4294967295\n",
            "# nodes\r\n\r\n  a:80  # the first\r\nb#1\t2 #\r\né 4294967295",
            "\u{feff}a:80 1\nb#1 2\né 4294967295",
            " \n[\"a:80\", {\"name\": \"b#1\", \"weight\": 2}, {\"name\": \"é\", \"weight\": 4294967295}]",
        ] {
            assert_eq!(parse(text.as_bytes()).expect(text), expected);
        }
    }

    #[test]
    fn addresses_in_brackets_are_names() {
        for first in ["[::1]:80", "[::1]", "[2001:db8::7]:8080", "[fe80::1%eth0]:80", "  [::ffff:10.0.0.1]:80"] {
            let nodes = parse(format!("{first} 3\n[::2]:80\n").as_bytes()).expect(first);
            assert_eq!(nodes, [Node::new(first.trim(), 3), Node::new("[::2]:80", 1)]);
        }
        let json = parse(b"[\"[::1]:80\", {\"name\": \"[::2]:80\"}]").expect("JSON");
        assert_eq!(json, [Node::new("[::1]:80", 1), Node::new("[::2]:80", 1)]);
        assert!(message("[node]:80").contains("invalid JSON"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, said) in [
            ("", "no node"),
            ("# nothing\n\n", "no node"),
            ("[]", "no node"),
            ("a\nb 0\n", "line 2: weight 0 "),
            ("a -1", "line 1: weight -1 "),
            ("a 1.5", "weight 1.5 "),
            ("a many", "weight many "),
            ("a 4294967296", "use a whole number from 1 to 4294967295"),
            ("a 1 2", "line 1: \"2\" follows"),
            ("a\n\nb\na 2", "line 4: node \"a\" stands at line 1"),
            ("a\0b", "line 1: name"),
            ("[\"a\"", "invalid JSON"),
            ("[\"a\"] b", "invalid JSON"),
            ("[\"a\", 1]", "element 2: 1 is no node"),
            ("[{\"weight\": 1}]", "element 1: {\"weight\":1} is no node"),
            ("[{\"name\": \"a\", \"wieght\": 2}]", "is no node"),
            ("[{\"name\": \"a\", \"weight\": 0}]", "element 1: weight 0 "),
            ("[{\"name\": \"a\", \"weight\": \"2\"}]", "weight \"2\" "),
            ("[{\"name\": \"a\", \"weight\": null}]", "weight null "),
            ("[\"a b\"]", "element 1: name \"a b\""),
            ("[\"\"]", "element 1: name \"\""),
            ("[\"a\", {\"name\": \"a\"}]", "element 2: node \"a\" stands at element 1"),
        ] {
            assert!(message(text).contains(said), "{text:?}: {}", message(text));
        }
        let not_text = parse(b"a\nb\n\xff").expect_err("no text").to_string();
        assert!(not_text.contains("line 3 is not UTF-8"), "{not_text}");
    }

    proptest! {
        /// Whatever a file holds, it is a list of distinct nodes or an error.
        #[test]
        fn no_bytes_panic(bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..200),
            "\\[?[\\[\\]{}\",:#a-c0-9 \n\r\t\u{e9}-]{0,60}".prop_map(String::into_bytes),
        ]) {
            match parse(&bytes) {
                Ok(nodes) => {
                    prop_assert!(!nodes.is_empty());
                    prop_assert!(nodes.iter().all(|node| node.weight > 0 && !node.name.contains(char::is_whitespace)));
                    let names: std::collections::HashSet<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
                    prop_assert_eq!(names.len(), nodes.len());
                }
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}
