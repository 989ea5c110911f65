//! Which mutants there are: single changes of tokens, in code that is not a test.

use serde::{Deserialize, Serialize};

/// One change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Path from the root of the repository.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The line as it is, without its indentation.
    pub text: String,
    /// What is replaced, and by what.
    pub before: String,
    pub after: String,
    /// Where in the file, in bytes.
    pub offset: usize,
}

/// What is replaced where a space stands on both sides, as rustfmt writes operators between two operands: types and
/// references have none.
const SPACED: &[(&str, &str)] = &[
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("+", "-"),
    ("-", "+"),
    ("*", "/"),
    ("/", "*"),
    ("%", "/"),
    ("&&", "||"),
    ("||", "&&"),
    ("<<", ">>"),
    (">>", "<<"),
    ("&", "|"),
    ("^", "&"),
    ("+=", "-="),
    ("-=", "+="),
];

/// What is replaced wherever it stands.
const ANYWHERE: &[(&str, &str)] = &[
    ("..=", ".."),
    (".min(", ".max("),
    (".max(", ".min("),
    (".rev()", ""),
    ("wrapping_add", "wrapping_sub"),
    ("wrapping_sub", "wrapping_add"),
    ("true", "false"),
    ("false", "true"),
];

/// All mutants of a file, in the order of their places.
pub fn mutants(file: &str, source: &str) -> Vec<Mutant> {
    let code = code(source);
    let mut found: Vec<(usize, String, String)> = Vec::new();
    for line in lines(&code) {
        let text = &code[line.clone()];
        // Bounds of types are joined by signs that are no arithmetic.
        if !["impl", "dyn ", "trait ", "where ", "fn "].iter().any(|word| text.contains(word)) {
            for &(before, after) in SPACED {
                let spaced = format!(" {before} ");
                let places = text.match_indices(&spaced).map(|(at, _)| at);
                let after_operand =
                    |at: &usize| text[..*at].ends_with(|c: char| c.is_alphanumeric() || ")]?_".contains(c));
                found.extend(places.filter(after_operand).map(|at| (line.start + at + 1, before.into(), after.into())));
            }
            found.extend(constants(text).map(|(at, before, after)| (line.start + at, before, after)));
        }
        for &(before, after) in ANYWHERE {
            let word = |at: &usize| {
                let next = text[at + before.len()..].chars().next();
                let last = text[..*at].chars().next_back();
                let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !before.ends_with(char::is_alphabetic) || !is_part(next) && !is_part(last)
            };
            let places = text.match_indices(before).map(|(at, _)| at).filter(word);
            found.extend(places.map(|at| (line.start + at, before.into(), after.into())));
        }
        found.extend(statement(text).map(|(at, before)| (line.start + at, before, String::new())));
    }
    found.sort();
    found
        .into_iter()
        .map(|(offset, before, after)| {
            let line = source[..offset].matches('\n').count() + 1;
            let text = source.lines().nth(line - 1).unwrap_or("").trim().to_owned();
            Mutant { file: file.to_owned(), line, text, before, after, offset }
        })
        .collect()
}

impl Mutant {
    /// The file with the change.
    pub fn applied(&self, source: &str) -> String {
        [&source[..self.offset], &self.after, &source[self.offset + self.before.len()..]].concat()
    }
}

fn lines(code: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut start = 0;
    code.split_inclusive('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end;
        range
    })
}

/// Decimal integers up to 9999, one more of each; no fields of tuples and no parts of names or fractions.
fn constants(text: &str) -> impl Iterator<Item = (usize, String, String)> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|&c| c.is_ascii_alphanumeric() || c == b'_');
    let begins = (0..bytes.len()).filter(move |&at| {
        let last = at.checked_sub(1).map(|last| bytes[last]);
        let is_range = text.get(..at).is_some_and(|before| before.ends_with(".."));
        bytes[at].is_ascii_digit() && (at == 0 || !is_word(at - 1)) && (last != Some(b'.') || is_range)
    });
    begins.filter_map(move |at| {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let end = at + digits;
        let fraction = text[end..].starts_with('.')
            && !text[end..].starts_with("..")
            && text.as_bytes().get(end + 1).is_some_and(u8::is_ascii_digit);
        let number: u32 = text[at..end].parse().ok().filter(|&number| number <= 9999)?;
        (!is_word(end) && !fraction).then(|| (at, text[at..end].to_owned(), (number + 1).to_string()))
    })
}

/// A statement on a line of its own that changes something: an assignment, or a call whose result is not used.
fn statement(text: &str) -> Option<(usize, String)> {
    let body = text.trim();
    let begins_with_word = |words: &[&str]| words.iter().any(|word| body.starts_with(word));
    let is_item = begins_with_word(&[
        "let ", "const ", "static ", "use ", "return", "type ", "pub ", "mod ", "break", "continue",
    ]);
    let starts = body.starts_with(|c: char| c.is_alphabetic() || "*(".contains(c));
    let balanced =
        "([{".chars().zip(")]}".chars()).all(|(open, close)| body.matches(open).count() == body.matches(close).count());
    let changes = [" = ", " += ", " -= ", "^= "].iter().any(|sign| body.contains(sign))
        || body.ends_with(");") && !body.starts_with(char::is_uppercase)
        || body.ends_with(")?;");
    (body.ends_with(';') && !is_item && starts && balanced && changes)
        .then(|| (text.len() - text.trim_start().len(), body.to_owned()))
}

/// The source with blanks, byte for byte, in place of comments, texts, characters, attributes and tests.
fn code(source: &str) -> String {
    let mut out = source.as_bytes().to_vec();
    let bytes = source.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if ["#[cfg(test)]", "#[cfg(all(test"].iter().any(|test| rest.starts_with(test)) {
            item(rest)
        } else if rest.starts_with("#[") || rest.starts_with("#![") {
            closed(rest, '[', ']')
        } else if let Some(raw) = raw_text(rest) {
            raw
        } else if rest.starts_with('"') {
            text(rest)
        } else if let Some(character) = character(rest) {
            character
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        out[at..at + end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += end.max(1);
    }
    // Texts have no other characters left than those of code.
    String::from_utf8(out).unwrap_or_default()
}

fn text(rest: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        if byte == b'"' && !escaped {
            return at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    rest.len()
}

fn raw_text(rest: &str) -> Option<usize> {
    let hashes = rest.strip_prefix('r')?.bytes().take_while(|&byte| byte == b'#').count();
    let inner = rest[1 + hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    inner.find(&close).map(|end| 2 + hashes + end + close.len())
}

/// A character, not a lifetime.
fn character(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('\'')?;
    if let Some(escape) = inner.strip_prefix('\\') {
        return escape.get(1..)?.find('\'').map(|end| end + 4);
    }
    let length = inner.chars().next()?.len_utf8();
    inner[length..].starts_with('\'').then_some(length + 2)
}

/// Up to the bracket that closes the first one.
fn closed(rest: &str, open: char, close: char) -> usize {
    let mut depth = 0_u32;
    for (at, c) in rest.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    rest.len()
}

/// An item behind its attribute: to its semicolon, or to the brace that closes it.
fn item(rest: &str) -> usize {
    match rest.find(['{', ';']) {
        Some(at) if rest[at..].starts_with('{') => at + closed(&rest[at..], '{', '}'),
        Some(at) => at + 1,
        None => rest.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<(String, String)> {
        mutants("a.rs", source).into_iter().map(|mutant| (mutant.before, mutant.after)).collect()
    }

    #[test]
    fn operators_and_constants() {
        let found = of("if a < b && c.0 == 3 {\n    n += 1;\n}\n");
        let right = [("<", "<="), ("&&", "||"), ("==", "!="), ("3", "4"), ("n += 1;", ""), ("+=", "-="), ("1", "2")];
        assert_eq!(found, right.map(|(before, after)| (before.to_owned(), after.to_owned())));
    }

    #[test]
    fn no_types_comments_texts_and_tests() {
        let source = "// a < b\nlet x: Vec<u8> = f(\"1 + 1\", '1', r#\"\"1\"\"#);\n#[derive(A)]\n#[cfg(test)]\nmod tests {\n    a < 1;\n}\n";
        assert_eq!(of(source), []);
        assert_eq!(of("let f = || x;\nlet t = a.1;\nlet h = 1.5;\nlet k = 0x10;\n"), []);
        assert_eq!(of("for i in 0..5 {\n").len(), 2);
    }

    #[test]
    fn a_mutant_is_applied_where_it_was_found() {
        let source = "let é = \"é\"; a < b;\na < b;\n";
        let all = mutants("a.rs", source);
        let last = all.last().expect("two at least");
        assert_eq!((last.line, last.applied(source)), (2, "let é = \"é\"; a < b;\na <= b;\n".to_owned()));
    }
}
