//! The exact published values on balance, through the library alone: the worked article to the key, and jump's shares.

use consistent_hash_lab::measure::share::{Balance, jump_shares, token_ring_counts, token_ring_shares};
use consistent_hash_lab::published;
use consistent_hash_lab::statistics::{Moments, chi_squared};
use consistent_hash_lab::workload::article;

#[test]
fn the_article_to_the_key() {
    for virtual_nodes in [1, 10, 100, 1000] {
        let id = format!("article.skew.v{virtual_nodes}");
        let expected = published::find(&id).and_then(|value| value.recomputed.as_ref()).expect("a recomputed value");
        let ring = article::ring(10, virtual_nodes).expect("a ring");
        let counts = token_ring_counts(&ring, &article::keys());
        assert_eq!(counts.iter().sum::<u64>(), 100_000);
        assert_eq!(counts.iter().min().copied(), expected["min"].as_u64(), "{id}");
        assert_eq!(counts.iter().max().copied(), expected["max"].as_u64(), "{id}");
        let moments = Moments::of(&counts.iter().map(|&count| count as f64).collect::<Vec<_>>()).expect("ten nodes");
        let (cv, published) = (moments.coefficient_of_variation().expect("keys"), expected["cv"].as_f64().expect("cv"));
        assert!((cv / published - 1.0).abs() < 1e-15, "{id}: {cv}");
    }
}

#[test]
fn the_article_keys_fit_the_arcs_of_its_ring() {
    let ring = article::ring(10, 100).expect("a ring");
    let counts = token_ring_counts(&ring, &article::keys());
    let fit = |shares: &[f64]| chi_squared(&counts, shares).expect("shares").p_two_sided;
    assert!(fit(&token_ring_shares(&ring).expect("its points")) > 1e-3);
    // Equal shares they do not fit: the test can tell.
    assert!(fit(&[0.1; 10]) < 1e-9);
}

#[test]
fn jump_shares_are_the_derived_ones() {
    let derived =
        published::find("derived.jump.exact_share").and_then(|value| value.value.as_object()).expect("values");
    assert_eq!(derived.len(), 4);
    for (buckets, cv) in derived {
        let shares = jump_shares(buckets.parse().expect("a number of buckets"));
        let found = Balance::of_shares(&shares).expect("shares").cv;
        // A share in f64 is within 2^-53 of itself.
        assert!((found - cv.as_f64().expect("a number")).abs() < 2_f64.powi(-53), "{buckets} buckets: {found}");
    }
}

/// No model is needed for bucket 0: it keeps the draws below 2^31/1000, and lies outside the published 99% interval.
#[test]
fn bucket_0_is_outside_the_published_interval() {
    let (low, high) = published::ends("jump.balance.jump.ci99").expect("an interval");
    let size = jump_shares(1000)[0] * 1000.0;
    assert_eq!(size, 2_147_483.0 * 1000.0 / 2_147_483_648.0);
    assert!(size < low && high > 1.0, "{size}");
}
