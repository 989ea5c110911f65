//! Rows on whether counts fit shares.

use super::record::Row;
use crate::statistics::{Error, chi_squared, g_test};

/// Both tests of counts against exact shares: a row each, `fit_p`, two-sided.
///
/// # Errors
/// Counts and shares that no test can compare.
pub fn fit_rows(implementation: &str, counts: &[u64], shares: &[f64]) -> Result<[Row; 2], Error> {
    let tests = [("chi-squared", chi_squared(counts, shares)?), ("G", g_test(counts, shares)?)];
    Ok(tests.map(|(name, test)| {
        let ratio = test.statistic / test.degrees_of_freedom as f64;
        Row::new(implementation, "fit_p", test.p_two_sided)
            .with("keys", counts.iter().sum::<u64>())
            .with("test", name)
            .with("statistic_per_degree", ratio)
    }))
}
