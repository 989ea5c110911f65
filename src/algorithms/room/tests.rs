//! Every algorithm under a limit of the address space: what it cannot hold is refused, and what it holds stays usable.

use super::*;
use crate::algorithms::hash::Mix;
use crate::algorithms::maglev::MAX_TABLE_SIZE;
use crate::algorithms::{
    Anchor, BoundedLoads, CompactAnchor, Dx, Maglev, MultiProbe, PartitionTable, Partitioner, Removals, Rendezvous,
    Resize, RingBTree, RingNearest, RingSorted32, RingSorted64, State,
};

#[test]
fn what_cannot_be_had_is_named() {
    const WORDS: usize = isize::MAX as usize / 8;
    let refused = Err(Error::OutOfMemory { bytes: WORDS * 8 });
    assert_eq!(room::<u64>(WORDS), refused.clone().map(|()| Vec::new()));
    assert_eq!(check::<u64>(WORDS), refused);
    assert_eq!(check::<u64>(usize::MAX), Err(Error::OutOfMemory { bytes: usize::MAX }));
    let mut one = vec![7_u64];
    assert_eq!(reserve(&mut one, WORDS - 1), refused);
    assert_eq!(one, [7]);
    assert_eq!(collected(3, 0..3), Ok(vec![0, 1, 2]));
}

/// Set in the process that has the limit.
const LIMITED: &str = "CONSISTENT_HASH_LAB_LIMITED";

#[test]
#[cfg(target_os = "linux")]
fn no_size_ends_the_program() {
    let program = std::env::current_exe().expect("this program");
    // 2 GiB, in KiB: more than the tests below hold, less than they ask for.
    let script = "ulimit -v 2097152 && exec \"$0\" --exact --test-threads=1 algorithms::room::tests::under_a_limit";
    let done = std::process::Command::new("bash").args(["-c", script]).arg(program).env(LIMITED, "1").output();
    let done = done.expect("started");
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains("1 passed"), "{}: {said}", done.status);
}

/// Nothing without the limit, which it is not to set for the other tests.
#[test]
fn under_a_limit() {
    if std::env::var_os(LIMITED).is_none() {
        return;
    }
    const ALL: u32 = u32::MAX;
    const MILLION: u32 = 1 << 20;
    let hash = Mix::new(1);
    let saved = Removals { slots: ALL, removed: Vec::new() };
    for (name, error) in [
        ("RingBTree", RingBTree::new(MILLION, MILLION, hash).err()),
        ("RingSorted32", RingSorted32::new(MILLION, MILLION, hash).err()),
        ("RingSorted64", RingSorted64::new(MILLION, MILLION, hash).err()),
        ("RingNearest", RingNearest::new(MILLION, MILLION, hash).err()),
        ("MultiProbe", MultiProbe::new(ALL, 3, hash).err()),
        ("BoundedLoads", BoundedLoads::new(MILLION, MILLION, 1.25, hash).err()),
        ("BoundedLoads without points", BoundedLoads::new(1 << 26, 1, 1.25, hash).err()),
        ("PartitionTable", PartitionTable::new(MILLION, MILLION, 7, 1.25, hash).err()),
        ("Rendezvous", Rendezvous::new(ALL, hash).err()),
        ("Anchor", Anchor::new(1, ALL, hash).err()),
        ("Anchor, saved", Anchor::load(&saved, hash).err()),
        ("CompactAnchor, saved", CompactAnchor::load(&saved, hash).err()),
        // Its permutations alone, one for each of 2^26 backends, are more.
        ("Maglev", Maglev::new(1 << 26, MAX_TABLE_SIZE, hash).err()),
    ] {
        assert!(matches!(error, Some(Error::OutOfMemory { bytes }) if bytes > 1 << 27), "{name}: {error:?}");
    }
    // 512 MiB of bitmap.
    drop(Dx::new(ALL, ALL, hash).expect("room"));

    // A bucket whose points find no room is not a member either: 2^26 points each, of 8 bytes.
    let mut ring = RingSorted32::new(1, 1 << 26, hash).expect("room for one");
    let refused = (0..4).map(|_| ring.grow()).find(Result::is_err);
    assert!(matches!(refused, Some(Err(Error::OutOfMemory { .. }))), "{refused:?}");
    let (buckets, points) = (ring.bucket_count(), ring.ring().count());
    assert_eq!(points, buckets as usize * (1 << 26));
    assert!((0..100).all(|key| ring.bucket(key) < buckets));
}
