//! Table 1 of the paper is compared in `tests/conformance`.

use super::*;

fn backends(n: u32) -> Vec<Backend> {
    let mix = Mix::new(1);
    (0..n).map(|bucket| Backend::new(mix.point(bucket, 0), mix.point(bucket, 1))).collect()
}

fn counts(table: &[u32], n: usize) -> Vec<usize> {
    let mut counts = vec![0; n];
    table.iter().for_each(|&backend| counts[backend as usize] += 1);
    counts
}

#[test]
fn the_paper_s_example() {
    // Offsets 3, 0, 3 and skips 4, 2, 1; a skip is one more than its hash value.
    let three = [Backend::new(3, 3), Backend::new(0, 1), Backend::new(3, 0)];
    assert_eq!(populate(7, &three).expect("valid"), [1, 0, 1, 0, 2, 2, 0]);
    let dead = [three[0], Backend { weight: 0.0, ..three[1] }, three[2]];
    assert_eq!(populate(7, &dead).expect("valid"), [0, 0, 0, 0, 2, 2, 2]);
}

#[test]
fn every_permutation_is_one() {
    for size in [2, 3, 7, 65_699] {
        for (offset, skip) in [(0, 0), (u64::MAX, u64::MAX), (size - 1, size - 2)] {
            let mut slots: Vec<u32> = Backend::new(offset, skip).permutation(size).expect("prime").collect();
            slots.sort_unstable();
            assert!(slots.iter().copied().eq(0..size as u32), "{size} {offset} {skip}");
        }
    }
}

#[test]
fn products_pass_32_bits() {
    // At M = 65,699 and j = skip = M - 1 the product is 4.3e9 > 2^32; 46 backends all get their share.
    let size = 65_699;
    let last = Backend::new(1, size - 2).permutation(size).expect("prime").last().expect("not empty");
    assert!((size - 1) * (size - 1) > u64::from(u32::MAX));
    assert_eq!(u64::from(last), (1 + (size - 1) * (size - 1)) % size);
    let table = populate(size, &backends(46)).expect("valid");
    assert!(counts(&table, 46).iter().all(|&slots| slots == 1428 || slots == 1429));
}

#[test]
fn shares_differ_by_one_slot() {
    for (n, size) in [(1, 2), (2, 2), (7, 7), (6, 7), (100, 1021)] {
        let table = populate(size, &backends(n)).expect("valid");
        let least = size as usize / n as usize;
        assert!(counts(&table, n as usize).iter().all(|&slots| slots == least || slots == least + 1), "{n} {size}");
    }
}

#[test]
fn weights_are_shares() {
    let weighted: Vec<Backend> =
        backends(3).into_iter().zip([1.0, 2.0, 3.0]).map(|(backend, weight)| Backend { weight, ..backend }).collect();
    let counts = counts(&populate(65_537, &weighted).expect("valid"), 3);
    for (slots, sixths) in counts.iter().zip(1..) {
        assert!(slots.abs_diff(65_537 * sixths / 6) <= 2, "{counts:?}");
    }
    // A weight a million times smaller neither vanishes nor takes a million tables of time.
    let uneven = [Backend { weight: 1e6, ..weighted[0] }, Backend { weight: 1.0, ..weighted[1] }];
    assert_eq!(populate(65_537, &uneven).expect("valid").iter().filter(|&&owner| owner == 1).count(), 1);
}

#[test]
fn bad_input_is_named() {
    let two = backends(2);
    assert_eq!(populate(7, &[]).unwrap_err(), Error::NoNodes);
    for (size, next) in
        [(0, 2), (1, 2), (4, 5), (65_536, 65_537), (65_535, 65_537), (MAX_TABLE_SIZE - 1, MAX_TABLE_SIZE)]
    {
        assert_eq!(populate(size, &two).unwrap_err(), Error::TableNotPrime { size, next });
        assert_eq!(Maglev::new(2, size, Mix::new(1)).unwrap_err(), Error::TableNotPrime { size, next });
    }
    assert_eq!(populate(2, &backends(3)).unwrap_err(), Error::TableTooSmall { size: 2, buckets: 3 });
    for size in [MAX_TABLE_SIZE + 1, u64::MAX] {
        let error = populate(size, &two).unwrap_err();
        assert!(
            matches!(error, Error::OutOfRange { what: "a table size", ref value, .. } if *value == size.to_string())
        );
    }
    let dead = two.clone().into_iter().map(|backend| Backend { weight: 0.0, ..backend }).collect::<Vec<_>>();
    assert_eq!(populate(7, &dead).unwrap_err(), Error::NoneWorks { buckets: 2 });
    for weight in [-1.0, f64::NAN, f64::INFINITY] {
        let wrong = [two[0], Backend { weight, ..two[1] }];
        let error = populate(7, &wrong).unwrap_err();
        assert!(matches!(error, Error::Weight { bucket: 1, weight: ref text, .. } if *text == weight.to_string()));
    }
    assert_eq!(Maglev::new(0, 7, Mix::new(1)).unwrap_err(), Error::NoBuckets { asked: 0 });
    assert_eq!(
        Maglev::new(u32::MAX, 7, Mix::new(1)).unwrap_err(),
        Error::TableTooSmall { size: 7, buckets: u32::MAX as usize }
    );
    let twice = [("a", two[0]), ("b", two[1]), ("a", two[1])];
    assert_eq!(populate_by_name(7, &twice).unwrap_err(), Error::DuplicateName { name: "a".into() });
}

#[test]
fn by_name_the_order_given_has_no_influence() {
    let names = ["e", "a", "d", "b", "c"];
    let named: Vec<(&str, Backend)> = names.into_iter().zip(backends(5)).collect();
    let owners = |list: &[(&'static str, Backend)]| -> Vec<&str> {
        let table = populate_by_name(1021, list).expect("valid");
        table.into_iter().map(|index| list[index as usize].0).collect()
    };
    let reversed: Vec<(&str, Backend)> = named.iter().rev().copied().collect();
    assert_eq!(owners(&named), owners(&reversed));
    // While turns in the order given show in the table.
    let bare = |list: &[(&str, Backend)]| populate(1021, &list.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let mirrored: Vec<u32> = bare(&reversed).expect("valid").into_iter().map(|index| 4 - index).collect();
    assert_ne!(bare(&named).expect("valid"), mirrored);
}

#[test]
fn membership() {
    let mut maglev = Maglev::new(5, 7, Mix::new(3)).expect("valid");
    let before = maglev.table().to_vec();
    maglev.remove(2).expect("it works");
    assert!(!maglev.table().contains(&2));
    assert_eq!(maglev.remove(2).unwrap_err(), Error::UnknownBucket { bucket: 2, choices: "a bucket that is working" });
    maglev.remove(0).expect("it works");
    maglev.restore(2).expect("it was removed");
    maglev.restore(0).expect("it was removed");
    assert_eq!(maglev.table(), before, "whatever order buckets fail and come back in");
    assert_eq!((maglev.grow(), maglev.grow()), (Ok(5), Ok(6)));
    let full = maglev.table().to_vec();
    assert_eq!(maglev.grow().unwrap_err(), Error::TableTooSmall { size: 7, buckets: 8 });
    assert_eq!((maglev.table(), maglev.bucket_count()), (&full[..], 7), "unchanged");
    assert_eq!(maglev.shrink(), Ok(6));
    assert!((0..1000).all(|key| maglev.bucket(key) < 6));
}
