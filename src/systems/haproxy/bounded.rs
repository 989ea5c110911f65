//! HAProxy's `hash-balance-factor`: consistent hashing with bounded loads.
//!
//! With r requests in flight, the new one counted, there are ceil(r x factor / 100) slots, shared out in proportion to
//! weights, at least one for each server. A key whose server has no free slot goes to the next point clockwise whose
//! server has one, beginning from the point that is nearest to the key.

use super::{Consistent, KeyHash, Server};
use crate::systems::SystemError;

/// A backend with its requests in flight.
#[derive(Debug, Clone)]
pub struct Bounded {
    ring: Consistent,
    /// In percent of the average load.
    factor: u64,
    servers: Vec<Load>,
    total_weight: u64,
    in_flight: u64,
}

#[derive(Debug, Clone)]
struct Load {
    weight: u64,
    /// The sum of the weights before this server.
    before: u64,
    in_flight: u64,
}

impl Bounded {
    /// A backend without requests; `factor` is in percent of the average load.
    ///
    /// # Errors
    /// As [`Consistent::new`], and [`SystemError::Setting`] for a factor that is not in 101..=65535.
    pub fn new(servers: &[Server], hash: KeyHash, factor: u32) -> Result<Self, SystemError> {
        if !(101..=65_535).contains(&factor) {
            let value = factor.to_string();
            return Err(SystemError::Setting { setting: "hash-balance-factor", value, allowed: "101 to 65535" });
        }
        let ring = Consistent::new(servers, hash)?;
        let mut total_weight = 0;
        let load = |server: &Server| {
            let weight = u64::from(server.usable_weight());
            let before = total_weight;
            total_weight += weight;
            Load { weight, before, in_flight: 0 }
        };
        let servers = servers.iter().map(load).collect();
        Ok(Self { ring, factor: factor.into(), servers, total_weight, in_flight: 0 })
    }

    /// Sends a request: the index of its server, on which it stays in flight until [`Self::end`].
    pub fn begin(&mut self, key: &[u8]) -> usize {
        let Consistent { ring, hash } = &self.ring;
        let nearest = self.ring.nearest(hash.of(key));
        let mut servers = ring.clockwise(nearest).map(|server| server as usize);
        // There are more slots than requests, so that the lap finds one; HAProxy too would end it where it began.
        let found = servers.find(|&server| self.has_slot(server));
        let chosen = found.unwrap_or(ring.points()[nearest].1 as usize);
        self.servers[chosen].in_flight += 1;
        self.in_flight += 1;
        chosen
    }

    /// Ends a request on a server. Without effect if none is in flight there.
    pub fn end(&mut self, server: usize) {
        if let Some(load) = self.servers.get_mut(server).filter(|load| load.in_flight > 0) {
            load.in_flight -= 1;
            self.in_flight -= 1;
        }
    }

    fn has_slot(&self, server: usize) -> bool {
        let Load { weight, before, in_flight } = self.servers[server];
        let slots = ((self.in_flight + 1) * self.factor).div_ceil(100);
        let (whole, rest) = (slots / self.total_weight, slots % self.total_weight);
        // Rounding the ends of the server's interval hands out exactly the rest.
        let share_of_rest = (before + weight) * rest / self.total_weight - before * rest / self.total_weight;
        in_flight < (weight * whole + share_of_rest).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::Node;

    fn servers(weights: &[u32]) -> Vec<Server> {
        let nodes: Vec<Node> = (0..).zip(weights).map(|(i, &weight)| Node::new(format!("s{i}"), weight)).collect();
        Server::numbered(&nodes)
    }

    #[test]
    fn one_hot_key_is_spread_to_the_bound() {
        let mut backend = Bounded::new(&servers(&[1; 5]), KeyHash::CONSISTENT, 125).expect("valid");
        let mut loads = [0_usize; 5];
        for _ in 0..1000 {
            loads[backend.begin(b"hot")] += 1;
        }
        assert_eq!(loads.iter().sum::<usize>(), 1000);
        assert!(loads.iter().all(|&load| load <= 250), "{loads:?}");
    }

    #[test]
    fn ended_requests_free_their_slots() {
        let mut backend = Bounded::new(&servers(&[1, 2, 3]), KeyHash::CONSISTENT, 150).expect("valid");
        let first: Vec<usize> = (0..50_u32).map(|key| backend.begin(&key.to_le_bytes())).collect();
        first.iter().for_each(|&server| backend.end(server));
        backend.end(0);
        backend.end(99);
        let second: Vec<usize> = (0..50_u32).map(|key| backend.begin(&key.to_le_bytes())).collect();
        assert_eq!(first, second);
    }

    #[test]
    fn a_factor_of_100_or_less_is_refused() {
        for factor in [0, 100, 65_536] {
            let error = Bounded::new(&servers(&[1]), KeyHash::CONSISTENT, factor).unwrap_err();
            assert!(matches!(error, SystemError::Setting { value, .. } if value == factor.to_string()));
        }
    }

    #[test]
    fn a_server_without_weight_gets_nothing() {
        let mut backend = Bounded::new(&servers(&[0, 1]), KeyHash::CONSISTENT, 101).expect("valid");
        assert!((0..500_u32).all(|key| backend.begin(&key.to_le_bytes()) == 1));
    }
}
