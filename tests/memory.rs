//! The counting allocator, in a program that declares it: bytes are exact.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::{Arc, Barrier};

use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::algorithms::{JUMP_MAX_BUCKETS, Maglev, Partitioner, RingSorted64, checked_buckets};
use consistent_hash_lab::can;
use consistent_hash_lab::catalog::{
    Algorithm, Build, Capabilities, Costs, Implementation, Limits, Promises, Shares, Shown, Source, catalog,
};
use consistent_hash_lab::measure::memory::{CountingAllocator, Heap, MemoryError, measure};
use consistent_hash_lab::verify::CHECKS;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn heap<T>(build: impl FnOnce() -> T) -> Heap {
    let (value, heap) = measure(build).expect("the allocator is installed");
    black_box(value);
    heap
}

const fn bytes(live_bytes: u64, peak_bytes: u64) -> Heap {
    Heap { live_bytes, peak_bytes }
}

#[test]
fn a_vector_holds_its_capacity() {
    assert_eq!(heap(|| Vec::<u64>::with_capacity(1000)), bytes(8000, 8000));
    assert_eq!(heap(|| vec![0_u32; 1000]), bytes(4000, 4000), "zeroed memory counts too");
    assert_eq!(heap(|| 7), bytes(0, 0));
}

#[test]
fn what_is_dropped_is_in_the_peak_only() {
    let two = || {
        drop(black_box(vec![1_u8; 5000]));
        drop(black_box(vec![1_u8; 3000]));
        vec![1_u8; 100]
    };
    assert_eq!(heap(two), bytes(100, 5000));
}

#[test]
fn growth_and_shrinking_replace_the_old_size() {
    let grown = || {
        let mut numbers = Vec::<u8>::with_capacity(10);
        black_box(&mut numbers).reserve_exact(1000);
        numbers
    };
    assert_eq!(heap(grown), bytes(1000, 1000));
    let shrunk = || {
        let mut numbers = Vec::<u8>::with_capacity(1000);
        black_box(&mut numbers).push(1);
        numbers.shrink_to_fit();
        numbers
    };
    assert_eq!(heap(shrunk), bytes(1, 1000));
}

#[test]
fn a_request_that_fails_changes_nothing() {
    // Both an allocation and a reallocation of more than any address space has.
    let refused = || {
        let mut numbers = Vec::<u8>::with_capacity(10);
        assert!(black_box(&mut numbers).try_reserve_exact(isize::MAX as usize - 10).is_err());
        assert!(black_box(&mut Vec::<u8>::new()).try_reserve_exact(isize::MAX as usize).is_err());
        numbers
    };
    assert_eq!(heap(refused), bytes(10, 10));
}

#[test]
fn a_tree_is_freed_to_zero() {
    let tree = || (0..10_000_u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15), i)).collect::<BTreeMap<_, _>>();
    let held = heap(tree);
    assert!(held.live_bytes >= 160_000, "{held:?}");
    let freed = heap(|| drop(black_box(tree())));
    assert_eq!(freed, bytes(0, held.peak_bytes));
}

#[test]
fn other_threads_are_not_counted() {
    let barrier = Arc::new(Barrier::new(2));
    let other = std::thread::spawn({
        let barrier = Arc::clone(&barrier);
        move || {
            barrier.wait();
            let block = black_box(vec![1_u8; 1 << 20]);
            barrier.wait();
            block
        }
    });
    let meanwhile = heap(|| {
        barrier.wait();
        barrier.wait();
    });
    assert_eq!(meanwhile, bytes(0, 0));
    assert_eq!(other.join().expect("no panic").len(), 1 << 20);
}

#[test]
fn measurements_nest() {
    let outer = heap(|| {
        drop(black_box(vec![1_u8; 700]));
        let held = vec![1_u8; 100];
        let (inner, heap) = measure(|| {
            drop(black_box(vec![1_u8; 300]));
            vec![1_u8; 20]
        })
        .expect("the allocator is installed");
        assert_eq!(heap, bytes(20, 300));
        (held, inner)
    });
    assert_eq!(outer, bytes(120, 700));
}

#[test]
fn a_panic_inside_leaves_the_outer_peak() {
    let outer = heap(|| {
        drop(black_box(vec![1_u8; 1 << 20]));
        let caught = std::panic::catch_unwind(|| measure(|| -> u8 { std::panic::resume_unwind(Box::new(())) }));
        assert!(caught.is_err());
    });
    assert_eq!(outer.peak_bytes, 1 << 20);
}

#[test]
fn freeing_what_was_there_before_is_an_error() {
    let before = black_box(vec![1_u8; 4096]);
    assert_eq!(measure(move || drop(before)).unwrap_err(), MemoryError::FreedMore { bytes: 4096 });
}

/// An entry that says that it takes no memory.
fn modest(limits: Limits, can: Capabilities) -> Implementation {
    Implementation {
        id: "modest",
        name: "modest",
        algorithm: Algorithm::Other("modest"),
        source: Source::Ours,
        paper: "none",
        limits,
        promises: Promises::NOT_MONOTONE,
        costs: Costs::new("O(1)", 0),
        shares: Shares::EQUAL,
        can,
        shown: Shown::on_request(0),
    }
}

#[test]
fn a_wrong_claim_is_replaced_by_what_small_builds_take() {
    let ring = modest(Limits::NONE.with_points(), can!(b => RingSorted64::new(b.buckets, b.points, Mix::new(b.seed))));
    let build = Build::new(5_000, 20, 1);
    assert_eq!(ring.claimed_bytes(build), 0);
    let (predicted, taken) = (ring.predicted_bytes(build), (ring.can.heap)(build).expect("it is counted").peak_bytes);
    assert!((taken / 2..taken * 2).contains(&predicted), "{predicted} predicted, {taken} taken");
    // A table that does not grow is no more for more buckets.
    let table = modest(Limits::NONE, can!(b => Maglev::new(b.buckets.min(16), 65_537, Mix::new(b.seed))));
    let (predicted, taken) = (table.predicted_bytes(build), (table.can.heap)(build).expect("counted").peak_bytes);
    assert!((taken / 2..taken * 2).contains(&predicted), "{predicted} predicted, {taken} taken");
}

#[test]
fn right_claims_stay() {
    for entry in catalog() {
        let build = Build::new(1_000.min(entry.limits.most_buckets), 10, 1);
        assert_eq!(entry.predicted_bytes(build), entry.claimed_bytes(build), "{}", entry.id);
    }
}

/// Four bytes for each bucket, of which the entry says nothing.
struct Hoard(Vec<u32>);

impl Partitioner for Hoard {
    fn bucket(&self, key: u64) -> u32 {
        self.0[(key % self.0.len() as u64) as usize]
    }

    fn bucket_count(&self) -> u32 {
        self.0.len() as u32
    }
}

#[test]
fn the_checks_do_not_believe_a_wrong_claim() {
    let entry = modest(
        Limits::up_to(JUMP_MAX_BUCKETS),
        can!(b => checked_buckets(b.buckets.into(), JUMP_MAX_BUCKETS)
            .map(|buckets| Hoard((0..buckets).collect()))),
    );
    for check in CHECKS {
        let (_, heap) = measure(|| check.outcome(&entry)).expect("it is counted");
        assert!(heap.peak_bytes < 100 << 20, "{}: {} bytes", check.name, heap.peak_bytes);
    }
}
