//! What was found in crates, in a user's words, and what of it their documentation says.
//!
//! A check compares an adapter with a promise; what it prints is no accusation yet. An accusation names the crate's function,
//! was read against the crate's own documentation, and has a [program](super::programs) that shows it without any code of
//! ours. One cause is one finding: it lists the checks that fail because of it. What a crate's documentation states is shown
//! with the words and their place, and is not held against it. What fails and has no finding is not printed as one.

mod accusations;
mod documented;

pub use accusations::ACCUSATIONS;
pub use documented::DOCUMENTED;

/// How a program has to be compiled to show what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// As for use: `cargo run --release`.
    Release,
    /// With the assertions and overflow checks of `cargo run`.
    Debug,
}

/// What weight a finding has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Keys go where they must not, or to nobody; nodes that are there get none; a call panics or never returns.
    Fault,
    /// The same in a debug build only.
    DebugFault,
    /// Consistent with itself, but not what the paper's own code answers.
    Differs,
}

impl Kind {
    /// For a record.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Fault => "fault",
            Self::DebugFault => "fault in a debug build",
            Self::Differs => "differs from the paper's code",
        }
    }

    /// How its program has to be compiled.
    #[must_use]
    pub fn profile(self) -> Profile {
        match self {
            Self::Fault | Self::Differs => Profile::Release,
            Self::DebugFault => Profile::Debug,
        }
    }
}

/// A crate's fault, as its program shows it.
pub struct Accusation {
    /// The crate's name in the registry.
    pub package: &'static str,
    /// Its weight.
    pub kind: Kind,
    /// The name of its program.
    pub program: &'static str,
    /// Crates that the program needs beside it.
    pub also: &'static [&'static str],
    /// The entries and the checks that fail because of it.
    pub explains: &'static [(&'static str, &'static [&'static str])],
}

/// What a check fails for that the crate's documentation states, or that this survey allows.
pub struct Documented {
    /// The crate's name in the registry.
    pub package: &'static str,
    /// What it does, with the function's name.
    pub says: &'static str,
    /// A sentence of its documentation.
    pub quotation: &'static str,
    /// Where that stands in the crate.
    pub place: &'static str,
    /// The entries and the checks that fail because of it.
    pub explains: &'static [(&'static str, &'static [&'static str])],
}

/// The accusations of a crate, the worst one first.
pub fn accusations(package: &str) -> impl Iterator<Item = &'static Accusation> {
    ACCUSATIONS.iter().filter(move |accusation| accusation.package == package)
}

/// What a crate documents.
pub fn documented(package: &str) -> impl Iterator<Item = &'static Documented> {
    DOCUMENTED.iter().filter(move |documented| documented.package == package)
}

/// The crate of an entry.
#[must_use]
pub fn package(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

/// Whether a failed check of an entry is the consequence of a known finding.
#[must_use]
pub fn explained(id: &str, check: &str) -> bool {
    let lists =
        |explains: &[(&str, &[&str])]| explains.iter().any(|(entry, checks)| *entry == id && checks.contains(&check));
    ACCUSATIONS.iter().any(|it| lists(it.explains)) || DOCUMENTED.iter().any(|it| lists(it.explains))
}

/// The line of a manifest that asks for a crate at the version that was surveyed.
#[must_use]
pub fn dependency(package: &str) -> Option<String> {
    let manifest = include_str!("../../../Cargo.toml");
    let line = manifest.lines().find(|line| line.strip_prefix(package).is_some_and(|rest| rest.starts_with(" = {")))?;
    Some(line.replace(", optional = true", ""))
}

impl Accusation {
    /// The dependencies of its program.
    #[must_use]
    pub fn dependencies(&self) -> Vec<String> {
        std::iter::once(&self.package).chain(self.also).filter_map(|package| dependency(package)).collect()
    }
}
