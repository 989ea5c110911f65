//! What the descendants of ketama share: labels, MD5 points in groups of four, and libmemcached's number of groups.

use super::hash::md5;
use super::promises::named;
use super::ring::{Circle, check_points, circle};
use super::{Promise, Promises, SystemError, Weights, equal};

/// The port that memcached listens on, which libmemcached and twemproxy leave out of labels.
const DEFAULT_PORT: &str = ":11211";

/// Points of one MD5 digest.
pub(super) const POINTS_PER_GROUP: usize = 4;

/// What rings of MD5 groups promise when their numbers of groups change as `groups` says.
pub(super) const fn promises(groups: Promise) -> Promises {
    Promises {
        order: Promise::Mostly {
            why: "of points at one position the place in the list decides who owns the keys",
            example: || named(&["n81", "n975", "n1"]),
        },
        removal: groups,
        growth: groups,
        weights: Weights::Points(160),
    }
}

/// The groups of [`groups_f32`].
pub(super) const GROUPS_F32: Promise = Promise::Mostly {
    why: "a share is a whole number of groups: unequal weights change all, and 25 or 100 equal servers have 39 each",
    example: || equal(25),
};

/// What libmemcached and twemproxy know a server by: its address without memcached's own port.
pub(super) fn without_default_port(name: &str) -> &str {
    name.strip_suffix(DEFAULT_PORT).unwrap_or(name)
}

/// The address with memcached's own port if it has none.
pub(super) fn with_default_port(name: &str) -> String {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
    match name.rsplit_once(':') {
        Some((_, port)) if is_port(port) => name.to_owned(),
        _ => format!("{name}{DEFAULT_PORT}"),
    }
}

/// The label of a server's point or group number `index`. Its last hyphen is always the one before the number, so that
/// no two servers share a label.
pub(super) fn label(name: &str, index: u64) -> String {
    format!("{name}-{index}")
}

/// Groups of every node as libmemcached counts them: share x 40 x nodes, in f32 at each step.
///
/// With 25 equal nodes the product falls just below 40, and all have 39 groups; a share that is too small has none.
pub(super) fn groups_f32(weights: impl ExactSizeIterator<Item = u32> + Clone) -> Vec<u64> {
    let count = weights.len() as f32;
    let total = weights.clone().map(u64::from).sum::<u64>() as f32;
    weights.map(|weight| (weight as f32 / total * 160.0 / 4.0 * count + 1e-10_f32).floor() as u64).collect()
}

/// The ring on which node i has `groups[i]` groups, each of the first `per_group` little-endian words of the MD5 of its
/// label.
///
/// # Errors
/// [`SystemError::TooManyPoints`], [`SystemError::NoUsableNode`] if no node has a group.
pub(super) fn md5_ring<N: AsRef<str>>(
    names: &[N],
    groups: &[u64],
    per_group: usize,
) -> Result<Circle<u32>, SystemError> {
    let count = groups.iter().map(|&groups| groups.saturating_mul(per_group as u64)).fold(0, u64::saturating_add);
    check_points(count)?;
    let mut points = Vec::with_capacity(count as usize);
    for (owner, (name, &groups)) in (0_u32..).zip(names.iter().zip(groups)) {
        for group in 0..groups {
            let words = md5::words(label(name.as_ref(), group).as_bytes());
            points.extend(words.into_iter().take(per_group).map(|point| (point, owner)));
        }
    }
    circle(points, names.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_collide() {
        let names = ["member", "member1", "member-1", "member-", "1", ""];
        let mut labels: Vec<String> =
            names.iter().flat_map(|name| (0..200).map(move |index| label(name, index))).collect();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), names.len() * 200);
    }

    #[test]
    fn ports() {
        assert_eq!(without_default_port("a:11211"), "a");
        assert_eq!(without_default_port("a:11212"), "a:11212");
        let with = ["a", "a:11211", "a:1", "[::1]", "[::1]:5", "a:", ""].map(with_default_port);
        assert_eq!(with, ["a:11211", "a:11211", "a:1", "[::1]:11211", "[::1]:5", "a::11211", ":11211"]);
    }

    #[test]
    fn rounding_in_f32() {
        let equal = |count| groups_f32(std::iter::repeat_n(1, count));
        assert_eq!(equal(5), [40; 5]);
        assert_eq!(equal(25), [39; 25]);
        let uneven = groups_f32([1, 1_000_000].into_iter());
        assert_eq!(uneven, [0, 79], "a tiny weight has no point");
    }
}
