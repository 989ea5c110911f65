//! The memory of a ring, as Lamping & Veach 2014 published it: 48 and 8 bytes a point, 46 and 7.6 MB, and none for jump.

use consistent_hash_lab::catalog::{self, Build, BuildError};
use consistent_hash_lab::measure::memory::{CountingAllocator, Heap};
use consistent_hash_lab::published;
use consistent_hash_lab::references::{self, CppError};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// `None` only for C++ in a program without it.
fn heap(id: &str, buckets: u32, points: u32) -> Option<Heap> {
    let entry = catalog::find(id).expect("an id of the catalogue");
    match (entry.heap)(Build::new(buckets, points, 2014)) {
        Ok(heap) => Some(heap),
        Err(BuildError::Cpp(CppError::NoCompiler)) if references::COMPILER.is_none() => None,
        Err(error) => panic!("{id}: {error}"),
    }
}

fn rounds_to(bytes: u64, id: &str) -> bool {
    let (low, high) = published::rounding(published::number(id).expect("a published number"));
    (low..high).contains(&(bytes as f64 / 1_048_576.0))
}

#[test]
fn a_map_takes_48_bytes_a_point() {
    // Another C++ library may have nodes of another size.
    if references::uses_libstdcxx() != Ok(true) || cfg!(not(target_pointer_width = "64")) {
        return;
    }
    let Some(map) = heap("ring-map-cpp", 1000, 1000) else { return };
    assert_eq!(map, Heap { live_bytes: 48_000_000, peak_bytes: 48_000_000 });
    assert!(rounds_to(map.live_bytes, "jump.memory.A.1000"));
    assert!(!rounds_to(map.live_bytes * 64 / 48, "jump.memory.A.1000"), "what malloc takes is not what was published");
}

#[test]
fn a_sorted_vector_takes_8_bytes_a_point() {
    let Some(vector) = heap("ring-sorted-cpp", 1000, 1000) else { return };
    assert_eq!(vector, Heap { live_bytes: 8_000_000, peak_bytes: 8_000_000 });
    assert!(rounds_to(vector.live_bytes, "jump.memory.B.1000"));
}

/// Which buckets work takes nothing as long as none was removed.
#[test]
fn ours_takes_8_bytes_a_point_and_nothing_else() {
    let ours = heap("ring-sorted32", 1000, 1000).expect("ours is always there");
    assert_eq!(ours, Heap { live_bytes: 8_000_000, peak_bytes: 8_000_000 });
    assert!(rounds_to(ours.live_bytes, "jump.memory.B.1000"));
}

#[test]
fn jump_takes_none() {
    for id in ["jump", "jump-linear", "modulo"] {
        assert_eq!(heap(id, 1_000_000, 1000), Some(Heap { live_bytes: 0, peak_bytes: 0 }), "{id}");
    }
}

#[test]
fn predictions_are_upper_bounds() {
    let mut exceeded = Vec::new();
    for entry in catalog::catalog() {
        for (buckets, points) in [(1000, 1), (1000, 10), (1000, 100), (100, 1000)] {
            let build = Build::new(buckets, points, 1);
            if let Some(heap) = heap(entry.id, buckets, points) {
                // Rings also have the set of their working buckets.
                let predicted = entry.claimed_bytes(build) + 16 * u64::from(buckets);
                if heap.peak_bytes > predicted {
                    exceeded.push(format!("{} {buckets} x {points}: {heap:?}, predicted {predicted}", entry.id));
                }
            }
        }
    }
    assert!(exceeded.is_empty(), "{}", exceeded.join("\n"));
}
