//! Envoy's `RING_HASH` and `MAGLEV`, with and without bounded loads, and the numbers in Envoy's own tests.

use anyhow::{Context, Result, bail, ensure};
use consistent_hash_lab::systems::Node;
use consistent_hash_lab::systems::envoy::{
    Bounded, HashFunction, HashTable, Hosts, Maglev, RingHash, RingHashOptions, combined, request_hash,
};

use crate::servers::weight;
use crate::vectors::{Fields, each_case, each_fact, keys};

pub fn check(file: &mut Fields) -> Result<usize> {
    let cases = each_case(file, compare_case)?;
    let facts = if file.has("own_test_facts") { each_fact(file, compare_fact)? } else { 0 };
    Ok(cases + facts)
}

enum Policy {
    RingHash(RingHashOptions),
    Maglev { table_size: u64 },
}

struct Params {
    policy: Policy,
    /// Hosts are hashed by their host name.
    hostname: bool,
    /// A second policy hashes the reversed key.
    two: bool,
    /// Weights of localities, of one host each.
    localities: Option<Vec<u32>>,
    /// Hash balance factor; every earlier request is still in flight.
    balance_factor: Option<u32>,
}

fn params(params: &mut Fields) -> Result<Params> {
    let policy = match params.get("policy")? {
        "RING_HASH" => {
            let defaults = RingHashOptions::default();
            Policy::RingHash(RingHashOptions {
                minimum: params.maybe("min")?.unwrap_or(defaults.minimum),
                maximum: params.maybe("max")?.unwrap_or(defaults.maximum),
                function: match params.maybe("fn")? {
                    None => defaults.function,
                    Some("XX_HASH") => HashFunction::XxHash,
                    Some("MURMUR_HASH_2") => HashFunction::MurmurHash2,
                    Some(other) => bail!("function {other:?} maps to nothing here"),
                },
            })
        }
        "MAGLEV" => Policy::Maglev { table_size: params.maybe("table_size")?.unwrap_or(Maglev::DEFAULT_TABLE_SIZE) },
        other => bail!("policy {other:?} maps to nothing here"),
    };
    Ok(Params {
        policy,
        hostname: params.maybe("hostname")?.unwrap_or(false),
        two: params.maybe("two")?.unwrap_or(false),
        localities: params.maybe("loc")?,
        balance_factor: params.maybe("hb")?,
    })
}

fn compare_case(case: &mut Fields) -> Result<usize> {
    let params = case.object("params", params)?;
    let nodes = case.objects("nodes", |host| node(host, params.hostname))?;
    let hosts = match &params.localities {
        None => Hosts::new(&nodes)?,
        Some(weights) => {
            ensure!(weights.len() == nodes.len(), "{} localities for {} hosts", weights.len(), nodes.len());
            let localities: Vec<(u32, &[Node])> = weights.iter().copied().zip(nodes.chunks(1)).collect();
            Hosts::in_localities(&localities)?
        }
    };
    let hashes: Vec<u64> = keys(case)?.iter().map(|key| hash(key, params.two)).collect();
    match params.policy {
        Policy::RingHash(options) => {
            let ring = RingHash::of_hosts(&hosts, options)?;
            Ok(case.compare_number_if_given("entries", ring.ring().len())?
                + case.compare_if_given("ring", ring.ring().iter().copied())?
                + compare_owners(case, ring, &hosts, params.balance_factor, &hashes)?)
        }
        Policy::Maglev { table_size } => {
            let maglev = Maglev::of_hosts(&hosts, table_size)?;
            Ok(case.compare_number_if_given("entries", maglev.table().len())?
                + case.compare_if_given("table", maglev.table().iter().copied())?
                + compare_owners(case, maglev, &hosts, params.balance_factor, &hashes)?)
        }
    }
}

fn compare_owners<T: HashTable>(
    case: &mut Fields,
    table: T,
    hosts: &Hosts,
    balance_factor: Option<u32>,
    hashes: &[u64],
) -> Result<usize> {
    let Some(factor) = balance_factor else {
        return case.compare("result", hashes.iter().map(|&hash| table.owner(hash)));
    };
    let mut bounded = Bounded::new(table, hosts, factor)?;
    case.compare("result", hashes.iter().map(|&hash| bounded.begin(hash)))
}

/// A host by what it is hashed by.
fn node(host: &mut Fields, by_hostname: bool) -> Result<Node> {
    let (address, hostname, hash_key): (&str, Option<&str>, Option<&str>) =
        (host.get("address")?, host.maybe("hostname")?, host.maybe("hash_key")?);
    let name = match hash_key {
        Some(key) => key,
        None if by_hostname => hostname.with_context(|| format!("host {address} has no hostname"))?,
        None => address,
    };
    Ok(Node::new(name, weight(host)?))
}

fn hash(key: &str, two_policies: bool) -> u64 {
    let hash = request_hash(key.as_bytes());
    if !two_policies {
        return hash;
    }
    let reversed: String = key.chars().rev().collect();
    combined(hash, request_hash(reversed.as_bytes()))
}

/// A number in Envoy's own tests. What it was built from stands only in the test's name: each has its line here.
fn compare_fact(fact: &mut Fields) -> Result<usize> {
    let twelve = RingHashOptions { minimum: 12, ..RingHashOptions::default() };
    let murmur = RingHashOptions { function: HashFunction::MurmurHash2, ..twelve };
    let large = RingHashOptions { minimum: 6144, ..RingHashOptions::default() };
    match fact.get("test")? {
        "RingHashLoadBalancerTest.Basic min_ring=12 hosts 127.0.0.1:90..95" => ring(fact, &ports(90, &[1; 6]), twelve),
        "BasicWithMurmur2 min_ring=12 hosts 127.0.0.1:80..85" => ring(fact, &ports(80, &[1; 6]), murmur),
        "BasicWithHostname hostnames \"90\"..\"95\"" => ring(fact, &names(), twelve),
        "HostWeightedLargeRing min 6144 weights 1,2,3 ports 90..92: \
         counts of h=i*(2^64-1)/6000 (integer division), i<6000" => ring(fact, &ports(90, &[1, 2, 3]), large),
        "MaglevLoadBalancerTest.Basic table 7 hosts 127.0.0.1:90..95" => table(fact, &[(1, &ports(90, &[1; 6]))], 7),
        "BasicWithHostName table 7 hostnames \"90\"..\"95\"" => table(fact, &[(1, &names())], 7),
        "Weighted table 17 127.0.0.1:90 w1, :91 w2" => table(fact, &[(1, &ports(90, &[1, 2]))], 17),
        "LocalityWeightedSame table 17 :90,:91 locality weights 1,1 (host weights 1,2 irrelevant)" => {
            table(fact, &[(1, &ports(90, &[1])), (1, &ports(91, &[2]))], 17)
        }
        "LocalityWeightedDifferent table 17: 127.0.0.1:90 locality weight 8, :91 locality weight 2, \
         :92 locality weight 0" => {
            table(fact, &[(8, &ports(90, &[1])), (2, &ports(91, &[2])), (0, &ports(92, &[3]))], 17)
        }
        _ => bail!("it is not known what this was built from: add a line to compare_fact"),
    }
}

fn ports(first: u16, weights: &[u32]) -> Vec<Node> {
    (first..).zip(weights).map(|(port, &weight)| Node::new(format!("127.0.0.1:{port}"), weight)).collect()
}

fn names() -> Vec<Node> {
    (90..96).map(|name| Node::new(name.to_string(), 1)).collect()
}

fn ring(fact: &mut Fields, nodes: &[Node], options: RingHashOptions) -> Result<usize> {
    let ring = RingHash::new(nodes, options)?;
    let (hashes, hosts): (Vec<u64>, Vec<u32>) = ring.ring().iter().copied().unzip();
    let mut counts = vec![0_usize; nodes.len()];
    (0..6000).for_each(|i| counts[ring.owner((i * u128::from(u64::MAX) / 6000) as u64)] += 1);
    Ok(fact.compare_if_given("hash", hashes)?
        + fact.compare_if_given("host_index", hosts)?
        + fact.compare_if_given("counts", counts)?)
}

fn table(fact: &mut Fields, localities: &[(u32, &[Node])], size: u64) -> Result<usize> {
    let maglev = Maglev::of_hosts(&Hosts::in_localities(localities)?, size)?;
    fact.compare("table", maglev.table().iter().copied())
}
