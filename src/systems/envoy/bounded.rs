//! Envoy's bounded loads, `hash_balance_factor` f in percent, over either table. Envoy 1.40.0.
//!
//! total = ceil((requests in flight + 1)·f / 100) in integers, slots of a host = max(ceil(total · weight), 1). A host
//! is overloaded if its requests in flight exceed its slots; it may thus hold one more than its slots. The request of
//! an overloaded host does not walk on along the ring as in Mirrokni et al. 2016: a Fisher-Yates shuffle of all hosts,
//! seeded with the low 32 bits of the request's hash, gives the order in which they are tried; if all are overloaded,
//! the least overloaded takes it. O(n) for a request whose host is overloaded, else the table's look-up.

use super::{HashTable, Hosts};
use crate::systems::SystemError;
use crate::systems::hash::mt19937::Mt19937;

/// A table whose hosts take a limited number of requests at a time.
#[derive(Debug, Clone)]
pub struct Bounded<T> {
    table: T,
    weights: Vec<f64>,
    factor: u32,
    in_flight: Vec<u64>,
    total: u64,
}

impl<T: HashTable> Bounded<T> {
    /// `table` must be that of `hosts`; `factor` is in percent of the average.
    ///
    /// # Errors
    /// [`SystemError::Setting`] for a factor below 100, which Envoy refuses.
    pub fn new(table: T, hosts: &Hosts, factor: u32) -> Result<Self, SystemError> {
        if factor < 100 {
            let allowed = "100 (percent) or more";
            return Err(SystemError::Setting { setting: "hash balance factor", value: factor.to_string(), allowed });
        }
        let weights: Vec<f64> = hosts.hosts.iter().map(|&(_, weight)| weight).collect();
        let in_flight = vec![0; weights.len()];
        Ok(Self { table, weights, factor, in_flight, total: 0 })
    }

    /// Sends a request: the index of the host that takes it, which has one more in flight from now on.
    pub fn begin(&mut self, hash: u64) -> usize {
        let host = self.choose(hash);
        self.in_flight[host] += 1;
        self.total += 1;
        host
    }

    /// A request of this host ended. Without any in flight nothing changes.
    pub fn end(&mut self, host: usize) {
        if let Some(requests @ 1..) = self.in_flight.get_mut(host) {
            *requests -= 1;
            self.total -= 1;
        }
    }

    /// Requests in flight, by host.
    #[must_use]
    pub fn in_flight(&self) -> &[u64] {
        &self.in_flight
    }

    fn choose(&self, hash: u64) -> usize {
        let owner = self.table.owner(hash);
        let mut least = (self.load(owner), owner);
        if least.0 <= 1.0 {
            return owner;
        }
        let mut random = Mt19937::new(hash as u32);
        // Hosts of weight 0 are not in Envoy's list either.
        let mut hosts: Vec<usize> = (0..self.weights.len()).filter(|&host| self.weights[host] > 0.0).collect();
        for i in 0..hosts.len() {
            let j = below(&mut random, (hosts.len() - i) as u32) as usize;
            hosts.swap(i, i + j);
            let load = self.load(hosts[i]);
            if load <= 1.0 {
                return hosts[i];
            }
            if load < least.0 {
                least = (load, hosts[i]);
            }
        }
        least.1
    }

    /// Requests in flight by slot.
    fn load(&self, host: usize) -> f64 {
        // 128 bits, where Envoy's 32 overflow from 2^32 / f requests on.
        let total = ((u128::from(self.total) + 1) * u128::from(self.factor)).div_ceil(100);
        let slots = (total as f64 * self.weights[host]).ceil().max(1.0);
        self.in_flight[host] as f64 / slots
    }
}

/// Uniform below `k` >= 1, as Envoy draws it.
fn below(random: &mut Mt19937, k: u32) -> u32 {
    let width = (1_u64 << 32) / u64::from(k);
    loop {
        let x = u64::from(random.draw()) / width;
        // Only the remainder of 2^32 / k is drawn again, at most half of the values.
        if x < u64::from(k) {
            return x as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::Node;
    use crate::systems::envoy::Maglev;

    fn bounded(weights: &[u32], factor: u32) -> Result<Bounded<Maglev>, SystemError> {
        let nodes: Vec<Node> = (0..).zip(weights).map(|(i, &weight)| Node::new(format!("n{i}"), weight)).collect();
        let hosts = Hosts::new(&nodes)?;
        Bounded::new(Maglev::of_hosts(&hosts, 1021)?, &hosts, factor)
    }

    #[test]
    fn a_factor_below_the_average_is_named() {
        for factor in [0, 99] {
            let error = bounded(&[1, 1], factor).unwrap_err();
            assert!(matches!(error, SystemError::Setting { setting: "hash balance factor", .. }), "{error}");
        }
        assert_eq!(bounded(&[1], u32::MAX).expect("valid").begin(7), 0);
    }

    #[test]
    fn one_key_spreads_to_one_above_the_slots() {
        let mut hosts = bounded(&[1; 5], 150).expect("valid");
        (0..1000).for_each(|_| _ = hosts.begin(42));
        // The real average is 200: slots are ceil(1.5·200.x), and a host takes one more than that.
        assert!(hosts.in_flight().iter().all(|&requests| requests <= 302), "{:?}", hosts.in_flight());
        assert_eq!(hosts.in_flight().iter().sum::<u64>(), 1000);
        assert!(hosts.in_flight().iter().filter(|&&requests| requests > 0).count() >= 4);
    }

    #[test]
    fn ends_give_room_again_and_never_underflow() {
        let mut hosts = bounded(&[1; 3], 100).expect("valid");
        let first = hosts.begin(42);
        (0..10).for_each(|_| _ = hosts.begin(42));
        for host in [0, 1, 2, 3, usize::MAX] {
            (0..20).for_each(|_| hosts.end(host));
        }
        assert_eq!(hosts.in_flight(), [0; 3]);
        assert_eq!(hosts.begin(42), first);
    }
}
