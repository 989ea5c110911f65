//! What is measured of an algorithm: the shares of the buckets, and the keys that a change of membership moves. Exact
//! values come before sampled ones wherever the algorithm admits them, and no measurement knows which algorithm it
//! looks at.

pub mod movement;
pub mod share;
