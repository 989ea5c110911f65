//! What is written is read; what is damaged is named and kept.

use super::*;

fn record() -> Record {
    Record {
        schema_version: SCHEMA_VERSION,
        experiment: "test".into(),
        command: "test --scale smoke".into(),
        scale: "smoke".into(),
        seed: u64::MAX,
        only: vec!["jump".into()],
        workload_fingerprint: "0".into(),
        source: Source::of_this_program(),
        environment: Environment::now(),
        data: vec![Row::new("jump", "iterations", u64::MAX).with("buckets", 10), Row::missing("ring", "x_ns", "why")],
        timing: Vec::new(),
        verdicts: Vec::new(),
    }
}

#[test]
fn what_is_written_is_read() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("test.json");
    record().write(&path)?;
    let read = Record::read(&path)?;
    // A field that the writer forgot would not be read.
    assert_eq!(serde_json::to_value(&read)?, serde_json::to_value(record())?);
    assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file stays");
    Ok(())
}

#[test]
fn damage_and_other_versions_are_named_and_kept() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("test.json");
    for text in ["", "{", "[]", "{\"schema_version\": 1}", "{\"schema_version\": 0, \"data\": 7}"] {
        fs::write(&path, text)?;
        let error = Record::read(&path).expect_err(text);
        assert!(error.to_string().contains("test.json"), "{error}");
        assert_eq!(matches!(error, RecordError::Schema { found: 0, .. }), text.contains(": 0"));
        assert_eq!(fs::read_to_string(&path)?, text);
    }
    Ok(())
}

/// Records of earlier versions name some of the outcomes only; they stay readable.
#[test]
fn outcomes_of_old_records_are_read() -> Result<(), serde_json::Error> {
    for name in
        ["reproduced", "reproduced_in_part", "differs", "formula", "followed", "not_measured", "not_reproducible"]
    {
        let outcome: Outcome = serde_json::from_value(name.into())?;
        assert_eq!(serde_json::to_value(outcome)?, name);
        assert!(Outcome::ALL.contains(&outcome));
    }
    Ok(())
}
