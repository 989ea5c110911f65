//! Names of nodes, and numbers of names.
//!
//! Where a crate takes any type as a node, it is given a [`Node`], which brings its number along, so that an answer costs
//! no search for it; where it takes text only, [`Numbers`] finds the number of an answer. Names are of several kinds,
//! because some crates place some of them badly.

use std::any::{Any, TypeId};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::{self, Debug, Display};
use std::hash::{Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{LazyLock, Mutex, PoisonError};

use super::NOBODY;
pub(super) use super::name;

/// What crates want of the name of a node, and threads.
pub(super) trait Name: Hash + Ord + Clone + Debug + Send + Sync + 'static {}
impl<N: Hash + Ord + Clone + Debug + Send + Sync + 'static> Name for N {}

/// A node whose name is all that a crate sees of it; its number comes back with it.
#[derive(Clone)]
pub(super) struct Node<N> {
    pub(super) number: u32,
    pub(super) name: N,
}

impl<N> Node<N> {
    pub(super) fn new(number: u32, name: fn(u32) -> N) -> Self {
        Self { number, name: name(number) }
    }
}

impl<N: Hash> Hash for Node<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl<N: PartialEq> PartialEq for Node<N> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<N: Eq> Eq for Node<N> {}

impl<N: Ord> PartialOrd for Node<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N: Ord> Ord for Node<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(&other.name)
    }
}

impl<N: Debug> Debug for Node<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl<N: Display> Display for Node<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// The node of this number for as long as the program runs, for crates that borrow their nodes. Each is made once.
pub(super) fn kept<N: Name>(number: u32, name: fn(u32) -> N) -> &'static Node<N> {
    type Kept<N> = HashMap<(u32, N), &'static Node<N>>;
    static KEPT: LazyLock<Mutex<HashMap<TypeId, Box<dyn Any + Send>>>> = LazyLock::new(Mutex::default);
    // A panic elsewhere leaves the maps whole.
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = all.entry(TypeId::of::<N>()).or_insert_with(|| Box::new(Kept::<N>::new()));
    let kept = kept.downcast_mut::<Kept<N>>().expect("the type is the key");
    kept.entry((number, name(number))).or_insert_with(|| Box::leak(Box::new(Node::new(number, name))))
}

/// Numbers of names, for crates that answer with a name. That they are looked up is part of the time of a look-up.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) name: fn(u32) -> String,
    numbers: HashMap<String, u32>,
}

impl Numbers {
    pub(super) fn new(name: fn(u32) -> String) -> Self {
        Self { name, numbers: HashMap::new() }
    }

    /// The name of a node that is added. It stays known: a crate that still answers with it after it left is seen to.
    pub(super) fn name(&mut self, number: u32) -> String {
        let name = (self.name)(number);
        self.numbers.insert(name.clone(), number);
        name
    }

    /// The number of an answer.
    pub(super) fn of(&self, name: Option<impl AsRef<str>>) -> u32 {
        name.and_then(|name| self.numbers.get(name.as_ref()).copied()).unwrap_or(NOBODY)
    }
}

/// "10.0.0.1:8080", ...
pub(super) fn host_port(number: u32) -> String {
    address(number).to_string()
}

/// "a0", "a1", ...
pub(super) fn short(number: u32) -> String {
    format!("a{number}")
}

/// "0", "1", ...
pub(super) fn digits(number: u32) -> String {
    number.to_string()
}

/// The number itself.
pub(super) fn number(number: u32) -> u32 {
    number
}

/// 10.0.0.0, 10.0.0.1, ...
pub(super) fn ip(number: u32) -> IpAddr {
    Ipv4Addr::from_bits(Ipv4Addr::new(10, 0, 0, 0).to_bits().wrapping_add(number)).into()
}

/// 10.0.0.0:8080, 10.0.0.1:8080, ...
pub(super) fn address(number: u32) -> SocketAddr {
    SocketAddr::new(ip(number), 8080)
}

/// The number of an [`address`].
pub(super) fn of_address(address: SocketAddr) -> u32 {
    match address.ip() {
        IpAddr::V4(ip) => ip.to_bits().wrapping_sub(Ipv4Addr::new(10, 0, 0, 0).to_bits()),
        IpAddr::V6(_) => NOBODY,
    }
}

/// [`names`](crate::catalog::Capabilities::names) of an entry whose constructor has the function that names its nodes
/// as a parameter: `names!(Ring::new => host_port, short)`.
macro_rules! names {
    ($new:path => $($kind:ident),+) => {
        &[$(($crate::peers::names::names!(@ $kind), |b| {
            Ok(Box::new($new(b, $crate::peers::names::$kind)?))
        })),+]
    };
    (@ name) => { "node-0, node-1" };
    (@ host_port) => { "host:port" };
    (@ short) => { "a0, a1, a2" };
    (@ digits) => { "decimal numbers" };
    (@ number) => { "u32" };
    (@ address) => { "socket addresses" };
}
pub(super) use names;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_node_is_its_name() {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        let node = Node::new(5, name);
        assert_eq!(hash.hash_one(&node), hash.hash_one("node-5"));
        assert_eq!((format!("{node}"), format!("{node:?}")), ("node-5".into(), "\"node-5\"".into()));
        assert!(node > Node::new(10, name), "in the order of the names");
    }

    #[test]
    fn kept_nodes_are_made_once() {
        assert!(std::ptr::eq(kept(5, short), kept(5, short)));
        assert_eq!((kept(5, short).name.as_str(), kept(5, digits).name.as_str(), kept(5, number).name), ("a5", "5", 5));
    }

    #[test]
    fn names_are_unique() {
        for name in [host_port, short, digits, name] {
            assert_eq!((0..70_000).map(name).collect::<BTreeSet<_>>().len(), 70_000);
        }
        assert_eq!([host_port(257), short(12), digits(12)], ["10.0.1.1:8080", "a12", "12"]);
        assert!([0, 1, 1 << 24, u32::MAX].iter().all(|&number| of_address(address(number)) == number));
    }
}
