//! Objects of a vector file, of which every field must be read.

use std::collections::BTreeSet;
use std::fmt::Debug;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};

/// An object, and its fields that nobody has read yet.
pub struct Fields<'a> {
    fields: &'a Map<String, Value>,
    unread: BTreeSet<&'a str>,
}

impl<'a> Fields<'a> {
    /// Reads an object by a function; a field that this leaves is an error.
    pub fn read<T>(object: &'a Value, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let fields = object.as_object().with_context(|| format!("{object} is no object"))?;
        let mut fields = Self { fields, unread: fields.keys().map(String::as_str).collect() };
        let value = read(&mut fields)?;
        ensure!(fields.unread.is_empty(), "nobody reads the fields {:?}", fields.unread);
        Ok(value)
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    /// A field that may be absent; null is the same.
    pub fn maybe<T: Deserialize<'a>>(&mut self, name: &str) -> Result<Option<T>> {
        let value = self.value(name).map(T::deserialize).transpose();
        value.with_context(|| format!("field {name:?}"))
    }

    pub fn get<T: Deserialize<'a>>(&mut self, name: &str) -> Result<T> {
        self.maybe(name)?.with_context(|| format!("field {name:?} is missing"))
    }

    /// A field that is an object, by a function that reads it.
    pub fn object<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let value = self.value(name).with_context(|| format!("field {name:?} is missing"))?;
        Fields::read(value, read).with_context(|| format!("field {name:?}"))
    }

    /// A field that is a list of objects, by a function that reads one.
    pub fn objects<T>(&mut self, name: &str, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let each = |(number, object): (usize, &'a Value)| {
            Fields::read(object, &mut read).with_context(|| format!("{name} {number}"))
        };
        self.list(name)?.iter().enumerate().map(each).collect()
    }

    pub fn list(&mut self, name: &str) -> Result<&'a [Value]> {
        let list = self.value(name).and_then(Value::as_array);
        list.map(Vec::as_slice).with_context(|| format!("field {name:?} is no list"))
    }

    fn value(&mut self, name: &str) -> Option<&'a Value> {
        self.unread.remove(name);
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// Compares a list of answers with those that were found.
    pub fn compare<T>(&mut self, name: &str, found: impl IntoIterator<Item = T>) -> Result<usize>
    where
        T: Deserialize<'a> + PartialEq + Debug,
    {
        let expected: Vec<T> = self.get(name)?;
        compare(&expected, found).with_context(|| format!("field {name:?}"))
    }

    /// Compares a list of answers that only some cases have.
    pub fn compare_if_given<T>(&mut self, name: &str, found: impl IntoIterator<Item = T>) -> Result<usize>
    where
        T: Deserialize<'a> + PartialEq + Debug,
    {
        let given: Option<Vec<T>> = self.maybe(name)?;
        given.map_or(Ok(0), |expected| compare(&expected, found)).with_context(|| format!("field {name:?}"))
    }

    /// Compares a number that only some cases have.
    pub fn compare_number_if_given(&mut self, name: &str, found: usize) -> Result<usize> {
        let given: Option<usize> = self.maybe(name)?;
        given.map_or(Ok(0), |expected| compare(&[expected], [found])).with_context(|| format!("field {name:?}"))
    }
}

/// Compares two lists; says how many values differ, and the first that does.
fn compare<T: PartialEq + Debug>(expected: &[T], found: impl IntoIterator<Item = T>) -> Result<usize> {
    let found: Vec<T> = found.into_iter().collect();
    ensure!(found.len() == expected.len(), "{} values, but {} in the file", found.len(), expected.len());
    let differing: Vec<usize> = (0..expected.len()).filter(|&i| expected[i] != found[i]).collect();
    match *differing.as_slice() {
        [] => Ok(expected.len()),
        [i, ..] => bail!(
            "{} of {} differ: number {i} is {:?}, and {:?} in the file",
            differing.len(),
            expected.len(),
            found[i],
            expected[i]
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_or_is_left_over_fails() {
        let compare = |case: Value| {
            Fields::read(&case, |case| Ok(case.compare("result", [3_u32, 5])? + case.compare_number_if_given("n", 2)?))
                .map_err(|error| format!("{error:#}"))
        };
        assert_eq!(compare(json!({"result": [3, 5]})), Ok(2));
        assert_eq!(compare(json!({"result": [3, 5], "n": 2})), Ok(3));
        for (case, message) in [
            (json!({"result": [3, 4]}), "\"result\": 1 of 2 differ: number 1 is 5, and 4 in the file"),
            (json!({"result": [3]}), "\"result\": 2 values, but 1 in the file"),
            (json!({"result": [3, 5], "n": 3}), "\"n\": 1 of 1 differ"),
            (json!({"result": [3.0, 5]}), "\"result\": invalid type: floating point"),
            (json!({"result": [3, -5]}), "\"result\": invalid value"),
            (json!({"result": [3, 5], "replicas": 2}), "nobody reads the fields {\"replicas\"}"),
            (json!({"n": 2}), "\"result\" is missing"),
            (json!([3, 5]), "is no object"),
        ] {
            let error = compare(case.clone()).expect_err("a difference");
            assert!(error.contains(message), "{case}: {error}");
        }
    }
}
