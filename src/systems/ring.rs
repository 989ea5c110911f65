//! The circle of points that a system searches, and how large it may be.

use super::SystemError;
pub(super) use crate::algorithms::{Circle, Keep};

/// The most points that a ring is built with, unless the system itself has another limit: 128 MiB of 32-bit points with
/// their owners, 512 MiB of 128-bit points, and half as much again while it is built.
pub const MAX_POINTS: u64 = 1 << 24;

/// Checks a predicted number of points, before memory is asked for.
pub(super) fn check_points(points: u64) -> Result<(), SystemError> {
    if points > MAX_POINTS {
        return Err(SystemError::TooManyPoints { points, most: MAX_POINTS });
    }
    Ok(())
}

/// The circle of these points, each with the index of its node.
///
/// # Errors
/// [`SystemError::NoUsableNode`] without a point, however many nodes there are.
pub(super) fn circle<P: Copy + Ord>(points: Vec<(P, u32)>, nodes: usize) -> Result<Circle<P>, SystemError> {
    if points.is_empty() {
        return Err(SystemError::NoUsableNode { nodes });
    }
    Ok(Circle::new(points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_point_no_ring() {
        assert_eq!(circle::<u32>(Vec::new(), 3).unwrap_err(), SystemError::NoUsableNode { nodes: 3 });
    }

    #[test]
    fn the_limit_is_checked_before_memory_is_asked_for() {
        assert!(check_points(MAX_POINTS).is_ok());
        assert_eq!(
            check_points(u64::MAX).unwrap_err(),
            SystemError::TooManyPoints { points: u64::MAX, most: MAX_POINTS }
        );
    }
}
