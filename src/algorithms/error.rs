//! What can be wrong with a request to build or change a partitioner.

/// Every message names the value and says what would be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Zero or a negative number of buckets.
    #[error("{asked} buckets: a partitioner needs at least 1")]
    NoBuckets { asked: i64 },
    /// More buckets than the algorithm is defined for.
    #[error("{asked} buckets: this algorithm is defined for at most {most}")]
    TooManyBuckets { asked: u64, most: u32 },
    /// A ring whose buckets have no points.
    #[error("0 points per bucket: a ring needs at least 1 point for each bucket")]
    NoPoints,
    /// A ring whose number of points overflows.
    #[error("{buckets} buckets x {points} points: more points than memory can address; use fewer of one")]
    TooManyPoints { buckets: u32, points: u32 },
    /// A bucket that is not there.
    #[error("bucket {bucket}: not among the buckets that this operation accepts; choose {choices}")]
    UnknownBucket { bucket: u32, choices: &'static str },
    /// The only working bucket cannot go.
    #[error("bucket {bucket} is the last one that works: removing it would leave keys without an owner")]
    LastBucket { bucket: u32 },
    /// A ring of named nodes without any.
    #[error("no node: a key has no owner on an empty ring; add at least one node")]
    NoNodes,
    /// Two nodes of one name.
    #[error("node {name:?} appears twice: names must be unique, because points and ties are decided by name")]
    DuplicateName { name: String },
    /// A node that owns no token could never own a key.
    #[error("node {name:?} has no token: give it at least 1 point")]
    NoTokens { name: String },
    /// A node that is not there.
    #[error("node {name:?}: no such node")]
    UnknownNode { name: String },
}
