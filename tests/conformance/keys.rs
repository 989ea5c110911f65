//! The keys of a case: `keys_spec`, a list of segments.

use anyhow::{Context, Result, bail, ensure};

use crate::fields::Fields;

/// The keys, expanded.
pub fn keys(case: &mut Fields) -> Result<Vec<String>> {
    // What stands in keys_spec, in words.
    case.maybe::<&str>("keys")?;
    let segments = case.objects("keys_spec", segment)?;
    if let Some(extra) = case.maybe::<Vec<String>>("extra_keys")? {
        ensure!(segments.last() == Some(&extra), "extra_keys are not the last of keys_spec");
    }
    Ok(segments.concat())
}

/// {list}, {prefix, start, count}, {prefix, modulo, count} or {template, start, count}.
fn segment(segment: &mut Fields) -> Result<Vec<String>> {
    if segment.has("list") {
        return segment.get("list");
    }
    let count: u64 = segment.get("count")?;
    if segment.has("modulo") {
        let (prefix, modulo): (&str, u64) = (segment.get("prefix")?, segment.get("modulo")?);
        ensure!(modulo > 0, "keys modulo 0");
        return Ok((0..count).map(|i| format!("{prefix}{}", i % modulo)).collect());
    }
    let start: u64 = segment.get("start")?;
    let numbers = start..start.checked_add(count).context("keys are counted beyond 2^64")?;
    if segment.has("template") {
        let template = segment.get("template")?;
        return numbers.map(|i| fill(template, i)).collect();
    }
    let prefix: &str = segment.get("prefix")?;
    Ok(numbers.map(|i| format!("{prefix}{i}")).collect())
}

/// A template with {i} and {i%NUMBER} replaced.
fn fill(template: &str, i: u64) -> Result<String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}').with_context(|| format!("the template {template:?}"))?;
        let number = match place.strip_prefix("i%").map(str::parse::<u64>) {
            None if place == "i" => i,
            Some(Ok(modulo)) if modulo > 0 => i % modulo,
            _ => bail!("the template {template:?}"),
        };
        filled += &format!("{before}{number}");
        rest = after;
    }
    Ok(filled + rest)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn expanded(case: &Value) -> Result<Vec<String>> {
        Fields::read(case, keys)
    }

    #[test]
    fn segments() {
        let case = json!({"keys": "in words", "extra_keys": ["", "é"], "keys_spec": [
            {"prefix": "k", "start": 9, "count": 2},
            {"prefix": "m", "modulo": 2, "count": 3},
            {"template": "{i}/{i%2}.", "start": 1, "count": 2},
            {"list": ["", "é"]}
        ]});
        assert_eq!(expanded(&case).expect("valid"), ["k9", "k10", "m0", "m1", "m0", "1/1.", "2/0.", "", "é"]);
    }

    #[test]
    fn what_nobody_reads_fails() {
        for segment in [
            json!({"list": [], "reverse": true}),
            json!({"list": [1]}),
            json!({"prefix": "k", "start": 0}),
            json!({"prefix": "k", "start": 0, "count": -1}),
            json!({"prefix": "k", "start": 0, "count": 1, "step": 2}),
            json!({"prefix": "k", "modulo": 0, "count": 1}),
            json!({"template": "{j}", "start": 0, "count": 1}),
            json!([]),
        ] {
            assert!(expanded(&json!({"keys_spec": [segment.clone()]})).is_err(), "{segment}");
        }
        assert!(expanded(&json!({"keys_spec": [{"list": ["a"]}], "extra_keys": ["b"]})).is_err());
    }
}
