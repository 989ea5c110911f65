use super::*;

fn servers(weights: &[u32]) -> Vec<Server> {
    let nodes: Vec<Node> = (1..).zip(weights).map(|(i, &weight)| Node::new(format!("s{i}"), weight)).collect();
    Server::numbered(&nodes)
}

fn consistent(servers: &[Server]) -> Consistent {
    Consistent::new(servers, KeyHash::CONSISTENT).expect("valid")
}

#[test]
fn the_nearer_point_wins_and_a_tie_goes_to_the_one_before() {
    let ring = Circle::new(vec![(100, 0), (110, 1), (u32::MAX - 9, 2)]);
    let backend = Consistent { ring, hash: KeyHash::CONSISTENT };
    let hashes = [0, 44, 45, 46, 100, 104, 105, 106, 110, 111, u32::MAX];
    let owners = hashes.map(|hash| backend.ring.points()[backend.nearest(hash)].1);
    // From 2^32 - 10 to 100 it is 110: the middle is 45.
    assert_eq!(owners, [2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 2]);
}

#[test]
fn a_single_point_owns_the_circle() {
    let backend = Consistent { ring: Circle::new(vec![(7, 0)]), hash: KeyHash::CONSISTENT };
    assert!([0, 6, 7, 8, u32::MAX].iter().all(|&hash| backend.nearest(hash) == 0));
}

#[test]
fn points_never_collide_below_two_to_the_twenty_ids() {
    let all = consistent(&servers(&[256; 20]));
    let positions: std::collections::HashSet<u32> = all.points().map(|(position, _)| position).collect();
    assert_eq!(positions.len(), 20 * 4096);
}

#[test]
fn ids_that_wrap_share_points_and_both_servers_keep_theirs() {
    let mut pair = servers(&[1, 1]);
    pair[1].id = pair[0].id + (1 << 20);
    let backend = consistent(&pair);
    let points: Vec<(u32, u32)> = backend.points().collect();
    assert_eq!(points.len(), 32);
    let (position, _) = points[10];
    let owner = |hash| backend.ring.points()[backend.nearest(hash)].1;
    assert_eq!([owner(position - 1), owner(position), owner(position + 1)], [0, 0, 1]);
}

#[test]
fn sixteen_ids_at_multiples_of_two_to_the_28() {
    let mut wide = servers(&[1; 16]);
    for (id, server) in (0..).zip(&mut wide) {
        server.id = id << 28;
    }
    assert_eq!(consistent(&wide).points().len(), 256);
}

#[test]
fn points_follow_ids_not_names_or_order() {
    let mut given = servers(&[1, 2, 3]);
    let one = consistent(&given);
    given.reverse();
    let other = consistent(&given);
    assert!((0..1000_u32).all(|key| one.node(&key.to_le_bytes()) + other.node(&key.to_le_bytes()) == 2));

    let renumbered: Vec<Node> = given.iter().map(|server| server.node.clone()).collect();
    let third = consistent(&Server::numbered(&renumbered));
    assert!((0..1000_u32).any(|key| other.node(&key.to_le_bytes()) != third.node(&key.to_le_bytes())));
}

#[test]
fn bad_servers_are_named() {
    let heavy = Consistent::new(&servers(&[1, 257]), KeyHash::CONSISTENT).unwrap_err();
    assert_eq!(heavy, SystemError::Weight { name: "s2".into(), weight: 257, allowed: "0 to 256" });
    let mut twins = servers(&[1, 1]);
    twins[1].id = 1;
    let twice = MapBased::new(&twins, KeyHash::MAP_BASED).unwrap_err();
    assert!(matches!(twice, SystemError::Setting { setting: "id", ref value, .. } if value == "1"));
}

#[test]
fn every_server_disabled_or_without_weight() {
    let mut down = servers(&[0, 5]);
    down[1].disabled = true;
    let none = SystemError::NoUsableNode { nodes: 2 };
    assert_eq!(Consistent::new(&down, KeyHash::CONSISTENT).unwrap_err(), none);
    assert_eq!(MapBased::new(&down, KeyHash::MAP_BASED).unwrap_err(), none);
}

#[test]
fn a_question_mark_ends_a_path_only() {
    let path = KeyHash { path_only: true, ..KeyHash::CONSISTENT };
    assert_eq!(path.of(b"/a?b"), path.of(b"/a"));
    assert_ne!(KeyHash::CONSISTENT.of(b"/a?b"), KeyHash::CONSISTENT.of(b"/a"));
}
