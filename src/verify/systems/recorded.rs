//! What every system answered when it met all outputs of its original (`tests/conformance`), as a number: a change of any answer
//! is noticed where the recorded outputs are not at hand.

use xxhash_rust::xxh64::Xxh64;

use crate::systems::{Entry, Node, SystemError};
use crate::verify::Outcome;

/// By system, the [`fingerprint`] of its answers.
const FINGERPRINTS: [(&str, u64); 26] = [
    ("buraksezer", 0xeceaf301c578c5f6),
    ("buraksezer-v0.10", 0x4cec4602841f157b),
    ("cassandra", 0x57c3dd10ea44039d),
    ("envoy-maglev", 0xa646072384bdc7b3),
    ("envoy-ring-hash", 0x627bd02245f91bf3),
    ("envoy-ring-hash-murmur2", 0x638cc899e6fc4108),
    ("go-maglev", 0x1fad7827259e97e3),
    ("go-mpchash", 0x5b03eec9c5ff2e69),
    ("go-rendezvous", 0x135003a57c67effb),
    ("haproxy-consistent", 0x3cff6634d46adc17),
    ("haproxy-map", 0xd72d381ddb34f1b2),
    ("kkdai-maglev", 0xb12ed2254f3790fb),
    ("kkdai-maglev-siphash", 0x37209f534d495e3d),
    ("lafikl", 0x824d3bc3d4a78810),
    ("libketama", 0x821f6a7d1cf0407a),
    ("libmemcached-ketama", 0x7aba0bb0410035c0),
    ("libmemcached-ketama-weighted", 0x865aab84c0ee6703),
    ("libmemcached-modula", 0x58f48ddad080c503),
    ("nginx", 0x752d711775398b1a),
    ("nginx-consistent", 0x96988b15bd283e6d),
    ("npm-hashring", 0x821f6a7d1cf0407a),
    ("pymemcache-rendezvous", 0x6e1d72acccba7ce6),
    ("twemproxy", 0x3f0c5d7a39fc1717),
    ("twemproxy-modula", 0xb5b79852d974d34b),
    ("uhashring", 0xd525e0b8b0630cbf),
    ("uhashring-ketama", 0x821f6a7d1cf0407a),
];

/// A hash of the owners of all keys in all lists.
fn fingerprint(entry: &Entry, lists: &[Vec<Node>], keys: &[Vec<u8>]) -> Result<u64, SystemError> {
    let mut hash = Xxh64::new(0);
    for nodes in lists {
        let system = (entry.build)(nodes)?;
        for key in keys {
            hash.update(&(system.node(key) as u64).to_le_bytes());
        }
    }
    Ok(hash.digest())
}

/// Holds a system against what is recorded of it; a control is held against the system that it imitates.
pub(super) fn outcome(
    entry: &Entry,
    imitated: &str,
    lists: &[Vec<Node>],
    keys: &[Vec<u8>],
) -> Result<Outcome, SystemError> {
    let Some((_, recorded)) = FINGERPRINTS.iter().find(|(id, _)| *id == imitated) else {
        return Ok(Outcome::NotPromised("it has no original"));
    };
    let found = fingerprint(entry, lists, keys)?;
    Ok(if found == *recorded {
        Outcome::Passed
    } else {
        Outcome::Failed(format!(
            "answers are not those that were held against the original: {found:#018x} instead of {recorded:#018x}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::systems;
    use crate::verify::systems::checks::recorded_work;

    /// What this prints when it fails may be put into the table only if `tests/conformance` passes.
    #[test]
    fn every_system_is_recorded() {
        let of = |entry: &Entry| {
            let (lists, keys) = recorded_work(entry);
            (entry.id, fingerprint(entry, &lists, &keys).expect("lists that it takes"))
        };
        let found: Vec<(&str, u64)> = systems().iter().map(of).collect();
        let table: String = found.iter().map(|(id, hash)| format!("    (\"{id}\", {hash:#018x}),\n")).collect();
        assert_eq!(found, FINGERPRINTS, "\n{table}");
    }
}
