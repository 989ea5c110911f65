//! What crates do that their documentation does not say, each with its program; of one crate the worst first.

use super::Accusation;
use super::Kind::{self, DebugFault, Differs, Fault};

type Explains = &'static [(&'static str, &'static [&'static str])];

const fn accused(package: &'static str, kind: Kind, program: &'static str, explains: Explains) -> Accusation {
    Accusation { package, kind, program, also: &[], explains }
}

/// All of them, by crate.
pub static ACCUSATIONS: &[Accusation] = &[
    accused("anchorhash", Fault, "anchorhash_uneven", &[("anchorhash/hasher", &["balance", "names"])]),
    accused(
        "chash",
        Fault,
        "chash_removed_node",
        &[
            ("chash", &["growth", "shrinking", "removal", "members", "history", "twice", "limits"]),
            ("chash/hasher", &["growth", "shrinking", "removal", "members", "history", "twice", "limits"]),
        ],
    ),
    accused(
        "chash",
        Fault,
        "chash_capacity",
        &[
            ("chash", &["totality", "balance", "names", "many nodes"]),
            ("chash/hasher", &["totality", "determinism", "balance", "names", "many nodes"]),
        ],
    ),
    accused("chash", Fault, "chash_is_empty", &[("chash", &["lengths"]), ("chash/hasher", &["lengths"])]),
    accused(
        "conshash",
        Fault,
        "conshash_no_owner",
        &[(
            "conshash",
            &[
                "totality",
                "limits",
                "balance",
                "shapes",
                "shrinking",
                "removal",
                "nearly all",
                "names",
                "default",
                "twice",
                "many nodes",
            ],
        )],
    ),
    accused("conshash", Fault, "conshash_look_alike", &[("conshash", &["look-alikes", "history"])]),
    accused("consistent_hash_ring", Fault, "consistent_hash_ring_addresses", &[("consistent_hash_ring", &["shapes"])]),
    accused(
        "consistent_hasher",
        Fault,
        "consistent_hasher_delete_node",
        &[("consistent_hasher", &["shrinking", "removal", "members", "history", "nearly all", "twice"])],
    ),
    accused(
        "consistent-hashing-rs",
        Fault,
        "consistent_hashing_rs_bounded",
        &[("consistent-hashing-rs", &["bounded loads"])],
    ),
    accused(
        "consistent-hashing-rs",
        Fault,
        "consistent_hashing_rs_look_alike",
        &[("consistent-hashing-rs", &["look-alikes"])],
    ),
    accused("consistent-rs", Fault, "consistent_rs_get_one", &[("consistent-rs", &["replicas"])]),
    accused(
        "consistent-rs",
        Fault,
        "consistent_rs_remove",
        &[("consistent-rs", &["shrinking", "removal", "members", "history", "nearly all", "twice", "look-alikes"])],
    ),
    accused("consistent-rs", Fault, "consistent_rs_uneven", &[("consistent-rs", &["balance", "names", "many nodes"])]),
    accused("hash_ring", Fault, "hash_ring_added_twice", &[("hash_ring", &["twice"])]),
    accused("hash-rings", Fault, "hash_rings_no_replicas", &[("hash-rings/rendezvous", &["weights"])]),
    accused(
        "hash-rings",
        Fault,
        "hash_rings_empty_maglev",
        &[("hash-rings/maglev", &["limits", "shrinking", "members"])],
    ),
    accused("hash-rings", Differs, "hash_rings_rounding", &[("hash-rings/jump-of-hash", &["reference"])]),
    accused("hashring", Fault, "hashring_replicas", &[("hashring", &["replicas"])]),
    accused("jmphash", Fault, "jmphash_no_buckets", &[("jmphash", &["limits", "shrinking"])]),
    accused("jmphash", Differs, "jmphash_rounding", &[("jmphash", &["reference"])]),
    Accusation {
        also: &["rand_core"],
        ..accused(
            "jump-back-hash",
            DebugFault,
            "jump_back_hash_debug",
            &[("jump-back-hash", &["reference", "large", "huge"])],
        )
    },
    accused(
        "jump-consistent-hash",
        Fault,
        "jump_consistent_hash_no_buckets",
        &[("jump-consistent-hash", &["limits", "shrinking"])],
    ),
    accused(
        "jump-consistent-hash",
        DebugFault,
        "jump_consistent_hash_debug",
        &[("jump-consistent-hash", &["totality", "determinism", "reference", "large", "growth", "shrinking"])],
    ),
    accused("jumpconsistenthash", Differs, "jumpconsistenthash_rounding", &[("jumpconsistenthash", &["reference"])]),
    accused("lfchring", Fault, "lfchring_keys", &[("lfchring", &[])]),
    accused("lfchring", Fault, "lfchring_clone", &[("lfchring", &[])]),
    accused("lfchring", Fault, "lfchring_drop", &[("lfchring", &[])]),
    accused("maglev-hash", Fault, "maglev_hash_top_none", &[("maglev-hash", &["replicas"])]),
    accused(
        "maglev_rs",
        Fault,
        "maglev_rs_removal",
        &[("maglev_rs", &["removal", "members", "history", "twice", "default"])],
    ),
    accused("maglev_rs", Fault, "maglev_rs_no_backends", &[("maglev_rs", &["limits", "shrinking"])]),
    accused("mpchash", Fault, "mpchash_primary", &[("mpchash", &["replicas"])]),
    accused("mpchash", Fault, "mpchash_uneven", &[("mpchash", &["balance", "shapes", "names"])]),
    accused("power-consistent-hash", Fault, "power_consistent_hash_range", &[("power-consistent-hash", &["huge"])]),
    accused(
        "power-consistent-hash",
        DebugFault,
        "power_consistent_hash_debug",
        &[("power-consistent-hash", &["large"])],
    ),
    accused("ringhash", Fault, "ringhash_added_twice", &[("ringhash", &["twice", "lengths"])]),
    accused("ringhash", Fault, "ringhash_collision", &[("ringhash", &["shrinking", "removal", "history", "growth"])]),
    accused("ringhash", Fault, "ringhash_look_alike", &[("ringhash", &["look-alikes"])]),
    accused("ringhash", Fault, "ringhash_get_none", &[("ringhash", &["replicas"])]),
    accused("rsbalancer", Fault, "rsbalancer_look_alike", &[("rsbalancer", &["look-alikes"])]),
    accused("rsbalancer", Fault, "rsbalancer_weight_none", &[("rsbalancer", &["weights"])]),
    accused(
        "simplehash",
        Fault,
        "simplehash_fnv1a",
        &[
            ("simplehash/fnv1a-64", &["balance", "shapes", "names", "default"]),
            ("simplehash/fnv1a-32", &["balance", "shapes", "names", "default"]),
        ],
    ),
    accused(
        "tagged-rendezvous",
        Fault,
        "tagged_rendezvous_order",
        &[
            ("tagged-rendezvous", &["replicas"]),
            ("tagged-rendezvous/seeded", &["replicas"]),
            ("tagged-rendezvous/bits", &["replicas"]),
        ],
    ),
    accused("tagged-rendezvous", Fault, "tagged_rendezvous_seeds", &[("tagged-rendezvous", &["determinism"])]),
];
