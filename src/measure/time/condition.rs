//! What else the core did while a sample was taken.

/// What was seen beside a sample, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// Nothing.
    Alone,
    /// Another hardware thread used the core: work with much side by side took longer, a chain did not.
    Shared,
    /// A chain of dependent steps took another time than usual: another clock rate, or it was interrupted.
    Slowed,
    /// The thread waited for the core while another had it.
    Waited,
}

impl Condition {
    /// Those under which a sample does not count.
    pub const DISTURBED: [Self; 3] = [Self::Shared, Self::Slowed, Self::Waited];

    /// In a record: `a`, `s`, `c`, `w`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Alone => 'a',
            Self::Shared => 's',
            Self::Slowed => 'c',
            Self::Waited => 'w',
        }
    }

    /// In a sentence, after a count of samples, with what showed it.
    #[must_use]
    pub fn cause(self) -> &'static str {
        match self {
            Self::Alone => "with the core alone",
            Self::Shared => "beside a neighbour on the core (parallel kernel)",
            Self::Slowed => "at another clock rate or interrupted (chain kernel)",
            Self::Waited => "waiting for the core (scheduler)",
        }
    }
}
