//! Complete programs, each of which shows one thing that was found in a crate: a `main.rs` that needs the crate from the
//! registry and nothing else. Each prints one line that begins with [`FOUND`] and ends well; where the crate does what it
//! promises the program fails. The survey runs them as parts of itself, a test as a reader would, and `chlab peers` prints
//! them.

/// What the line begins with that says what was found.
pub const FOUND: &str = "found: ";

/// A program.
pub struct Program {
    /// The name of its file.
    pub name: &'static str,
    /// Its text.
    pub source: &'static str,
    /// The same, compiled.
    pub main: fn(),
}

/// The program of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Program> {
    PROGRAMS.iter().find(|program| program.name == name)
}

macro_rules! programs {
    ($($name:ident),+ $(,)?) => {
        $(mod $name;)+

        /// All programs.
        pub static PROGRAMS: &[Program] = &[$(Program {
            name: stringify!($name),
            source: include_str!(concat!(stringify!($name), ".rs")),
            main: $name::main,
        }),+];
    };
}

programs!(
    anchorhash_uneven,
    chash_capacity,
    chash_is_empty,
    chash_removed_node,
    conshash_look_alike,
    conshash_no_owner,
    consistent_hash_ring_addresses,
    consistent_hasher_delete_node,
    consistent_hashing_rs_bounded,
    consistent_hashing_rs_look_alike,
    consistent_rs_get_one,
    consistent_rs_remove,
    consistent_rs_uneven,
    hash_ring_added_twice,
    hash_rings_empty_maglev,
    hash_rings_no_replicas,
    hash_rings_rounding,
    hashring_replicas,
    jmphash_no_buckets,
    jmphash_rounding,
    jump_back_hash_debug,
    jump_consistent_hash_debug,
    jump_consistent_hash_no_buckets,
    jumpconsistenthash_rounding,
    lfchring_clone,
    lfchring_drop,
    lfchring_keys,
    maglev_hash_top_none,
    maglev_rs_no_backends,
    maglev_rs_removal,
    mpchash_primary,
    mpchash_uneven,
    power_consistent_hash_debug,
    power_consistent_hash_range,
    ringhash_added_twice,
    ringhash_collision,
    ringhash_get_none,
    ringhash_look_alike,
    rsbalancer_look_alike,
    rsbalancer_weight_none,
    simplehash_fnv1a,
    tagged_rendezvous_order,
    tagged_rendezvous_seeds,
);
