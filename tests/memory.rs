//! The counting allocator, in a program that declares it: bytes are exact.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::{Arc, Barrier};

use consistent_hash_lab::algorithms::hash::mix64;
use consistent_hash_lab::algorithms::{Error, Partitioner};
use consistent_hash_lab::can;
use consistent_hash_lab::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};
use consistent_hash_lab::measure::memory::{CountingAllocator, Heap, MemoryError, measure};
use consistent_hash_lab::verify::{CHECKS, Outcome};

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

/// Right look-ups that say they take no memory, and take 400 bytes a bucket.
struct Undeclared(Vec<[u64; 50]>);

impl Partitioner for Undeclared {
    fn bucket(&self, key: u64) -> u32 {
        (mix64(key) % self.0.len() as u64) as u32
    }

    fn bucket_count(&self) -> u32 {
        self.0.len() as u32
    }
}

#[test]
fn what_would_take_more_than_it_declares_is_not_built() {
    let undeclared = Implementation {
        id: "undeclared",
        name: "undeclared",
        algorithm: Algorithm::Other("undeclared"),
        source: Source::Control,
        paper: "none",
        limits: Limits::NONE,
        promises: Promises::NOT_MONOTONE,
        costs: Costs::new("O(1)", 0),
        shares: Shares::EQUAL,
        can: can!(b => Ok::<_, Error>(Undeclared(vec![[0; 50]; b.buckets as usize]))),
        shown: Shown::on_request(0),
    };
    let check = CHECKS.iter().find(|check| check.name == "large").expect("a check");
    let outcome = check.outcome(&undeclared);
    let Outcome::Failed(reason) = outcome else { panic!("{outcome:?}") };
    assert!(reason.contains("0 bytes are declared, but by its builds"), "{reason}");
}
