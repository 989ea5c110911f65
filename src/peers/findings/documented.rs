//! What a check does not expect and the crate's documentation states. The words are the crate's, as its package has them.

use super::Documented;

/// All of them, by crate.
pub static DOCUMENTED: &[Documented] = &[
    Documented {
        package: "anchorhash",
        says: "`Builder::default()` draws the keys of its hash: two instances disagree",
        quotation: "The hashing algorithm used by default is the same as the one used by Rust's [`HashMap`]",
        place: "src/anchor_hash.rs, `AnchorHash`, Hashing Algorithm",
        explains: &[("anchorhash", &["determinism"])],
    },
    Documented {
        package: "anchorhash",
        says: "no more than 65,535 resources",
        quotation: "This limits the total number\nof addressable resources to 65,535.",
        place: "README.md, Optimisations",
        explains: &[],
    },
    Documented {
        package: "chash",
        says: "`HashRing::default()` draws the keys of its hash: two instances disagree",
        quotation: "HashRingConfig::new(23, 20, 1.25, RandomState::new())",
        place: "src/lib.rs, Examples (the same hasher)",
        explains: &[("chash", &["determinism"])],
    },
    Documented {
        package: "hash-rings",
        says: "`maglev::Ring::new` has another capacity for another number of nodes: most keys move",
        quotation: "If nodes are removed and the ring is regenerated, the",
        place: "src/maglev.rs, `Ring::capacity` (\"... should be rebuilt with the same capacity\")",
        explains: &[("hash-rings/maglev", &["default"])],
    },
    Documented {
        package: "hrw",
        says: "`Rendezvous::from_nodes` draws the keys of its hash: two instances disagree",
        quotation: "Default: uses `RandomState` (SipHash-like) for decent DoS-resistance.",
        place: "src/lib.rs, `Rendezvous::new`",
        explains: &[("hrw", &["determinism"])],
    },
    Documented {
        package: "jump-back-hash",
        says: "`bucket(rng, 0)` is bucket 0",
        quotation: "`num_buckets == 0` or\n`num_buckets == 1` both return `0`.",
        place: "README.md, Usage",
        explains: &[("jump-back-hash", &["limits", "shrinking"])],
    },
    Documented {
        package: "jumphash",
        says: "`JumpHasher::new()` draws the keys of its hash: two instances disagree",
        quotation: "Returns a non-deterministic `JumpHasher` structure.",
        place: "src/lib.rs, `JumpHasher::new`",
        explains: &[("jumphash", &["determinism"])],
    },
    Documented {
        package: "maglev",
        says: "`Maglev::new` has another capacity for another number of nodes: most keys move",
        quotation: "When the node list changed, ensure to use same `capacity` to rebuild",
        place: "README.md, Usage",
        explains: &[("maglev/crate", &["default"])],
    },
    Documented {
        package: "maglev-hash",
        says: "`MaglevTable::new` has another capacity for another number of nodes: most keys move",
        quotation: "disruption), use the same capacity for both to ensure keys hash",
        place: "src/lib.rs, `MaglevTable::with_capacity`",
        explains: &[("maglev-hash", &["default"])],
    },
    Documented {
        package: "simplehash",
        says: "with `RandomState` two instances disagree, as the caller asks",
        quotation: "let std_hasher = RendezvousHasher::<_, RandomState>::new(RandomState::new());",
        place: "README.md, Using Rendezvous Hashing",
        explains: &[("simplehash/random", &["determinism"])],
    },
    Documented {
        package: "simplehash",
        says: "FNV-1 is uneven in `RendezvousHasher::select`",
        quotation: "The FNV-1a variant is generally preferred",
        place: "src/lib.rs, Choosing a Hash Function; README.md praises FNV-1a and MurmurHash3 only",
        explains: &[
            ("simplehash/fnv1-64", &["balance", "shapes", "names", "default"]),
            ("simplehash/fnv1-32", &["balance", "shapes", "names", "default"]),
        ],
    },
];
