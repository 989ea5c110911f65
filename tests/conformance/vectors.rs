//! Reading `tests/vectors`, and what the comparisons of several files share.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use consistent_hash_lab::systems::System;
use serde_json::{Map, Value};

pub use crate::fields::Fields;
pub use crate::keys::keys;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// The names of all files.
pub fn names() -> Result<BTreeSet<String>> {
    std::fs::read_dir(folder())?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

pub fn load(name: &str) -> Result<Value> {
    let text = std::fs::read_to_string(folder().join(name)).with_context(|| format!("reading {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("parsing {name}"))
}

/// Compares a file by a function that reads all that it holds besides where its outputs come from.
pub fn compare_file(file: &Value, check: fn(&mut Fields) -> Result<usize>) -> Result<usize> {
    Fields::read(file, |file| {
        for about in ["system", "version", "how_obtained", "exact_rule"] {
            file.get::<&str>(about)?;
        }
        file.maybe::<&str>("notes")?;
        check(file)
    })
}

/// Compares every case; fails with all that differ, by their names. A case in which nothing is compared fails.
pub fn each_case<'a>(file: &mut Fields<'a>, check: impl FnMut(&mut Fields<'a>) -> Result<usize>) -> Result<usize> {
    each_of("cases", file, check)
}

/// As [`each_case`], of the numbers from the system's own tests.
pub fn each_fact<'a>(file: &mut Fields<'a>, check: impl FnMut(&mut Fields<'a>) -> Result<usize>) -> Result<usize> {
    each_of("own_test_facts", file, check)
}

fn each_of<'a>(
    list: &str,
    file: &mut Fields<'a>,
    mut check: impl FnMut(&mut Fields<'a>) -> Result<usize>,
) -> Result<usize> {
    let cases = file.list(list)?;
    ensure!(!cases.is_empty(), "{list} is empty");
    let mut total = 0;
    let mut failures = Vec::new();
    for case in cases {
        let compared = Fields::read(case, |fields| {
            fields.maybe::<&str>("name")?;
            fields.maybe::<&str>("desc")?;
            check(fields)
        });
        match compared {
            Ok(0) => failures.push(format!("{}: nothing was compared", title(case))),
            Ok(compared) => total += compared,
            Err(error) => failures.push(format!("{}: {error:#}", title(case))),
        }
    }
    match failures.len() {
        0 => Ok(total),
        count => bail!("{count} of {} {list} fail:\n  {}", cases.len(), failures.join("\n  ")),
    }
}

/// What to call a case in a message.
pub fn title(case: &Value) -> String {
    let parts = ["algorithm", "name", "desc", "test", "hash"].into_iter().filter_map(|field| case.get(field)?.as_str());
    parts.collect::<Vec<_>>().join(", ")
}

/// The common length of two lists.
pub fn paired<A, B>(a: &[A], b: &[B]) -> Result<usize> {
    ensure!(a.len() == b.len(), "lists of {} and of {} belong together", a.len(), b.len());
    Ok(a.len())
}

/// Compares the owner of every key of a case.
pub fn compare_owners(case: &mut Fields, system: &impl System) -> Result<usize> {
    let keys = keys(case)?;
    case.compare("result", keys.iter().map(|key| system.node(key.as_bytes())))
}

/// Compares how many points each of `nodes` nodes has, if the case tells.
pub fn compare_points_per_server(
    case: &mut Fields,
    nodes: usize,
    points: impl Iterator<Item = (u32, u32)>,
) -> Result<usize> {
    let mut found = vec![0_usize; nodes];
    points.for_each(|(_, node)| found[node as usize] += 1);
    case.compare_if_given("points_per_server", found)
}

/// All cases of a file, each with the name of its list.
pub fn cases(file: &Value) -> impl Iterator<Item = (&'static str, &Value)> {
    let of = |list: &'static str| file[list].as_array().into_iter().flatten().map(move |case| (list, case));
    of("cases").chain(of("own_test_facts"))
}

/// The file with one case only.
pub fn with_one_case(file: &Value, list: &str, case: Value) -> Value {
    let fields = file.as_object().into_iter().flatten();
    let mut one: Map<String, Value> = fields
        .map(|(name, value)| match (name.as_str(), value) {
            ("cases" | "own_test_facts", Value::Array(cases)) => (name.clone(), cases[..1].to_vec().into()),
            _ => (name.clone(), value.clone()),
        })
        .collect();
    one.insert(list.to_owned(), vec![case].into());
    one.into()
}

/// Places (JSON pointers) of answers in a case: of every number that is not among the inputs, of lists the last.
pub fn answers(value: &Value) -> Vec<String> {
    const INPUTS: [&str; 21] = [
        "M",
        "anchor_size",
        "bucket",
        "dead",
        "extra_keys",
        "hash_balance_factor",
        "hash_type",
        "keys",
        "keys_hex",
        "keys_spec",
        "n",
        "nodes",
        "offsets",
        "options",
        "params",
        "query_tokens",
        "range_end_inclusive",
        "seed",
        "skips",
        "vnodes",
        "working",
    ];
    let below = |place: String, value| answers(value).into_iter().map(move |rest| format!("/{place}{rest}"));
    match value {
        Value::Number(_) => vec![String::new()],
        Value::Array(list) => match list.as_slice() {
            [.., last] if !last.is_object() => below((list.len() - 1).to_string(), last).collect(),
            list => list.iter().enumerate().flat_map(|(index, value)| below(index.to_string(), value)).collect(),
        },
        Value::Object(fields) => {
            let outputs = fields.iter().filter(|(name, _)| !INPUTS.contains(&name.as_str()));
            outputs.flat_map(|(name, value)| below(name.clone(), value)).collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn outcome(cases: Value) -> Result<usize, String> {
        let check = |file: &mut Fields| each_case(file, |case| case.compare_if_given("result", [1_u32, 2]));
        let file = json!({"system": "", "version": "", "how_obtained": "", "exact_rule": "", "cases": cases});
        compare_file(&file, check).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn all_cases_that_fail_are_named() {
        assert_eq!(outcome(json!([{"name": "a", "result": [1, 2]}, {"name": "b", "result": [1, 2]}])), Ok(4));
        let wrong = json!([
            {"name": "a", "result": [1, 7]}, {"name": "b", "result": [1]}, {"name": "c"}, {"name": "d", "x": 1}
        ]);
        let error = outcome(wrong).expect_err("all are wrong");
        for message in
            ["4 of 4", "a: field \"result\": 1 of 2", "b: field", "c: nothing was compared", "d: nobody reads"]
        {
            assert!(error.contains(message), "{message}: {error}");
        }
        assert!(outcome(json!([])).is_err_and(|error| error.contains("cases is empty")));
    }

    #[test]
    fn answers_are_all_but_the_inputs() {
        let steps = json!([{"result": [4, 5]}, {"returned": 6}]);
        let case = json!({"name": "a", "n": [1], "total": 5, "result": [1, [2, 3]], "steps": steps});
        assert_eq!(answers(&case), ["/result/1/1", "/steps/0/result/1", "/steps/1/returned", "/total"]);
    }
}
