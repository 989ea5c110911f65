//! Look-ups with criterion: one group an algorithm, for working on one implementation. Comparisons between algorithms are
//! made by the `lookup_speed` experiment, which interleaves them.

use std::hint::black_box;

use consistent_hash_lab::catalog::{Build, catalog};
use consistent_hash_lab::workload::random_keys;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const KEYS: usize = 4096;

fn lookup(criterion: &mut Criterion) {
    for entry in catalog() {
        let mut group = criterion.benchmark_group(entry.algorithm.name());
        group.throughput(Throughput::Elements(KEYS as u64));
        for buckets in [10, 1000] {
            let build = Build::new(buckets, 100, 1);
            let subject = match (entry.build)(build) {
                Ok(subject) => subject,
                Err(error) => {
                    eprintln!("{}: {error}", entry.id);
                    continue;
                }
            };
            let mut stream = Xoshiro256PlusPlus::seed_from_u64(2014);
            group.bench_function(BenchmarkId::new(entry.id, buckets), |bencher| {
                // Fresh keys each time: the same ones again would find their part of the ring in the cache.
                let keys = || random_keys(KEYS, &mut stream);
                bencher.iter_batched(keys, |keys| black_box(subject.throughput(&keys)), BatchSize::SmallInput);
            });
        }
        group.finish();
    }
}

criterion_group!(benches, lookup);
criterion_main!(benches);
