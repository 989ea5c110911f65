//! What can be wrong with a request to build a system.

use crate::algorithms;

/// Every message names the value and says what would be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// An empty list of nodes.
    #[error("no node: a key has no owner; give at least one node")]
    NoNodes,
    /// Nodes, but none that could own a key.
    #[error("none of {nodes} nodes can own a key: every one is down or has no weight; bring at least one up")]
    NoUsableNode { nodes: usize },
    /// Two nodes that the system cannot tell apart.
    #[error("node {name:?} appears twice: the system places nodes by name; give each its own")]
    DuplicateName { name: String },
    /// A weight that the system refuses.
    #[error("node {name:?}: weight {weight} is not accepted; use {allowed}")]
    Weight { name: String, weight: u32, allowed: &'static str },
    /// A ring that would need more memory than the limit.
    #[error("{points} points on the ring: at most {most} are built; use smaller weights or fewer nodes")]
    TooManyPoints { points: u64, most: u64 },
    /// A table that cannot be built.
    #[error("table of {size} entries is not accepted; use {allowed}")]
    TableSize { size: u64, allowed: &'static str },
    /// An option of the system outside its range; its value as text.
    #[error("{setting} {value} is not accepted; use {allowed}")]
    Setting { setting: &'static str, value: String, allowed: &'static str },
    /// More partitions than the nodes may take together.
    #[error("{partitions} partitions, but the nodes take at most {capacity} together; raise the load factor")]
    NoRoom { partitions: u64, capacity: u64 },
    /// Two nodes that own one token.
    #[error("token {token} has two owners; give every token exactly one")]
    DuplicateToken { token: i64 },
    /// What the algorithm behind the system does not accept.
    #[error(transparent)]
    Algorithm(algorithms::Error),
}

/// What systems have errors of their own for becomes one of these.
impl From<algorithms::Error> for SystemError {
    fn from(error: algorithms::Error) -> Self {
        match error {
            algorithms::Error::NoNodes => Self::NoNodes,
            algorithms::Error::NoneWorks { buckets } => Self::NoUsableNode { nodes: buckets },
            algorithms::Error::DuplicateName { name } => Self::DuplicateName { name },
            other => Self::Algorithm(other),
        }
    }
}
