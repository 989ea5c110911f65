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
    /// More memory at once than the system gives.
    #[error("{bytes} bytes of memory are needed at once and cannot be had; use fewer buckets, points or slots")]
    OutOfMemory { bytes: usize },
    /// A ring that weights or tokens would make too large.
    #[error("{points} points on the ring: at most {most} are allowed; use fewer per bucket or a larger unit of weight")]
    RingTooLarge { points: u64, most: u32 },
    /// A parameter outside the values that the algorithm is defined for; kept as text, so that NaN equals itself.
    #[error("{what} of {value}: choose {accepted}")]
    OutOfRange { what: &'static str, value: String, accepted: &'static str },
    /// A weight that the algorithm cannot honour; kept as text, so that NaN equals itself.
    #[error("bucket {bucket}: a weight of {weight}; choose {accepted}")]
    Weight { bucket: u32, weight: String, accepted: &'static str },
    /// A look-up table whose size is not prime.
    #[error("table size {size} is not prime, and a permutation of its slots needs a prime; the next is {next}")]
    TableNotPrime { size: u64, next: u64 },
    /// A look-up table with fewer slots than buckets.
    #[error("table size {size}: {buckets} working buckets need at least a slot each; choose a prime of at least that")]
    TableTooSmall { size: u64, buckets: usize },
    /// A bucket that is not there.
    #[error("bucket {bucket}: not among the buckets that this operation accepts; choose {choices}")]
    UnknownBucket { bucket: u32, choices: &'static str },
    /// The only working bucket cannot go.
    #[error("bucket {bucket} is the last one that works: removing it would leave keys without an owner")]
    LastBucket { bucket: u32 },
    /// Buckets, none of which works.
    #[error("none of {buckets} buckets works: a key has no owner; give at least one a weight")]
    NoneWorks { buckets: usize },
    /// More distinct buckets asked for than are working.
    #[error("{asked} replicas on distinct buckets, but {working} are working: ask for at most that many")]
    TooFewBuckets { asked: u32, working: u32 },
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
