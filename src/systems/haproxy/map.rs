//! The table of HAProxy's `hash-type map-based`.

use crate::systems::SystemError;

/// Each entry looks at every usable server: so many looks take a second or two.
const MOST_STEPS: u64 = 1 << 28;

/// A table in which each server has as many entries as its weight divided by the greatest common divisor of all. The
/// weights are not all zero.
///
/// Smooth weighted turns: at each entry every score grows by the server's weight, the highest score wins, the first
/// server in case of a tie, and pays the total. Scores are compared in whole totals, so that ties are frequent.
///
/// # Errors
/// [`SystemError::TableSize`] if entries x servers are above the limit.
pub(super) fn build(weights: &[u32]) -> Result<Vec<u32>, SystemError> {
    let divisor = weights.iter().copied().fold(0, greatest_common_divisor);
    let mut turns: Vec<Turn> = (0_u32..)
        .zip(weights)
        .filter(|&(_, &weight)| weight > 0)
        .map(|(server, &weight)| Turn { server, weight: i64::from(weight / divisor), score: 0 })
        .collect();
    let total: i64 = turns.iter().map(|turn| turn.weight).sum();
    if total.unsigned_abs().saturating_mul(turns.len() as u64) > MOST_STEPS {
        let allowed = "weights with a greater common divisor or fewer servers: entries x servers up to 2^28";
        return Err(SystemError::TableSize { size: total.unsigned_abs(), allowed });
    }
    Ok((0..total).map(|_| next(&mut turns, total)).collect())
}

struct Turn {
    server: u32,
    weight: i64,
    score: i64,
}

fn next(turns: &mut [Turn], total: i64) -> u32 {
    let (mut best, mut most) = (0, i64::MIN);
    for (i, turn) in turns.iter_mut().enumerate() {
        turn.score += turn.weight;
        let whole = (turn.score + total) / total;
        if whole > most {
            (best, most) = (i, whole);
        }
    }
    turns[best].score -= total;
    turns[best].server
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_take_turns() {
        assert_eq!(build(&[7, 7, 7]), Ok(vec![0, 1, 2]));
        assert_eq!(build(&[0, 5, 0]), Ok(vec![1]));
    }

    #[test]
    fn entries_are_in_proportion() {
        let weights = [1, 2, 3, 5, 10, 0, 256];
        let map = build(&weights).expect("small");
        for (server, &weight) in (0..).zip(&weights) {
            assert_eq!(map.iter().filter(|&&entry| entry == server).count(), weight as usize);
        }
    }

    #[test]
    fn the_work_is_predicted() {
        let weights: Vec<u32> = (0..10_000).map(|i| i % 256 + 1).collect();
        assert!(matches!(build(&weights), Err(SystemError::TableSize { .. })));
        assert_eq!(build(&[256; 2000]).map(|map| map.len()), Ok(2000));
    }
}
