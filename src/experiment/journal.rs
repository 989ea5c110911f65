//! Runs that are done, kept beside the record until their cells are: a cell's runs are spread over the whole of an experiment,
//! and one that is stopped goes on where it stopped.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::cell::Findings;

/// What one run of a cell found, or why it found nothing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    /// The cell's key.
    pub cell: String,
    /// Number of the run.
    pub run: u64,
    /// What it found.
    pub found: Result<Findings, String>,
}

/// A line for each run, after a line that says of which measurement they are.
pub struct Journal {
    path: PathBuf,
    file: File,
    entries: Vec<Entry>,
}

impl Journal {
    /// Opens the journal of a measurement. Entries of another are dropped: they are parts of a record that will not be completed;
    /// so is a last line that was not written to its end.
    ///
    /// # Errors
    /// It could not be written.
    pub fn open(path: &Path, measurement: &str) -> io::Result<Self> {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines();
        let same = lines.next() == Some(measurement);
        let entries = lines.map_while(|line| serde_json::from_str(line).ok()).take_while(|_| same);
        // What failed is tried again: memory may have been freed.
        let entries = entries.filter(|entry: &Entry| entry.found.is_ok()).collect();
        let temporary = path.with_extension("tmp");
        let mut file = File::create(&temporary)?;
        writeln!(file, "{measurement}")?;
        let mut journal = Self { path: path.to_owned(), file, entries };
        for entry in &journal.entries {
            write(&mut journal.file, entry)?;
        }
        fs::rename(&temporary, path)?;
        Ok(journal)
    }

    /// Adds what a run found.
    ///
    /// # Errors
    /// It could not be written.
    pub fn add(&mut self, entry: Entry) -> io::Result<()> {
        write(&mut self.file, &entry)?;
        self.entries.push(entry);
        Ok(())
    }

    /// What the runs of a cell found, in their order.
    pub fn of<'a>(&'a self, cell: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| entry.cell == cell)
    }

    /// Removes it: all cells are in the record.
    ///
    /// # Errors
    /// It could not be removed.
    pub fn finish(self) -> io::Result<()> {
        fs::remove_file(self.path)
    }
}

fn write(file: &mut File, entry: &Entry) -> io::Result<()> {
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    file.write_all(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_found_again() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(".test.runs");
        let entry = |cell: &str, run| Entry { cell: cell.into(), run, found: Ok(Findings::default()) };
        let runs = |journal: &Journal| journal.of("a").map(|entry| entry.run).collect::<Vec<_>>();
        let mut journal = Journal::open(&path, "this")?;
        for entry in [entry("a", 0), entry("b", 0), entry("a", 1)] {
            journal.add(entry)?;
        }
        assert_eq!(runs(&journal), [0, 1]);
        // Killed while it wrote a line.
        let text = fs::read_to_string(&path)?;
        fs::write(&path, &text[..text.len() - 5])?;
        let mut journal = Journal::open(&path, "this")?;
        assert_eq!(runs(&journal), [0]);
        journal.add(entry("a", 1))?;
        assert_eq!(runs(&Journal::open(&path, "this")?), [0, 1]);
        // Of another measurement.
        assert_eq!(runs(&Journal::open(&path, "another")?), [0_u64; 0]);
        Journal::open(&path, "another")?.finish()?;
        assert!(!path.exists());
        Ok(())
    }
}
