//! Conformance: what each implementation answers, against what the real system answered, for every key of every case of
//! every file in `tests/vectors`.
//!
//! A file holds the outputs of one system, and [`FILES`] says which function compares it. Files are data: a case that
//! is added to one is compared without a change here; a file, a case or a field that nobody reads is a failure by its
//! name.

mod anchorhash_cpp;
mod buraksezer;
mod cassandra;
mod engine;
mod envoy;
mod fields;
mod fliphash;
mod go;
mod go_maglev;
mod go_mpchash;
mod go_rendezvous;
mod haproxy;
mod hash4j;
mod jump;
mod keys;
mod kkdai_maglev;
mod lafikl;
mod libketama;
mod libmemcached;
mod maglev_paper;
mod nginx;
mod npm_hashring;
mod pymemcache_rendezvous;
mod servers;
mod supsi;
mod twemproxy;
mod uhashring;
mod vectors;
mod where_command;

use std::collections::BTreeSet;

use anyhow::Result;
use consistent_hash_lab::systems::{buraksezer::Release as Buraksezer, kkdai_maglev::Release as Kkdai};
use fields::Fields;
use rayon::prelude::*;
use serde_json::{Value, json};

/// Compares everything in a file and says how many values that were.
type Check = fn(&mut Fields) -> Result<usize>;

const FILES: &[(&str, Check)] = &[
    ("anchorhash_cpp.json", anchorhash_cpp::check),
    ("cassandra.json", cassandra::check),
    ("envoy.json", envoy::check),
    ("envoy_bounded.json", envoy::check),
    ("fliphash.json", fliphash::check),
    ("go_buraksezer.json", |file| buraksezer::check(file, Buraksezer::V1_0)),
    ("go_buraksezer_v0.10.json", |file| buraksezer::check(file, Buraksezer::V0_10)),
    ("go_dgryski_maglev.json", go_maglev::check),
    ("go_kkdai_maglev.json", |file| kkdai_maglev::check(file, Kkdai::XxHash)),
    ("go_kkdai_maglev_siphash.json", |file| kkdai_maglev::check(file, Kkdai::SipHash)),
    ("go_lafikl.json", lafikl::check),
    ("go_mpchash.json", go_mpchash::check),
    ("go_rendezvous.json", go_rendezvous::check),
    ("haproxy.json", haproxy::check),
    ("hash4j.json", hash4j::check),
    ("jump.json", jump::check),
    ("libketama.json", libketama::check),
    ("libmemcached.json", libmemcached::check),
    ("maglev_paper.json", maglev_paper::check),
    ("nginx.json", nginx::check),
    ("npm_hashring.json", npm_hashring::check),
    ("pymemcache_rendezvous.json", pymemcache_rendezvous::check),
    ("supsi.json", supsi::check),
    ("twemproxy.json", twemproxy::check),
    ("uhashring.json", uhashring::check),
];

#[test]
fn every_key_of_every_case() {
    let failures: Vec<String> = FILES
        .par_iter()
        .filter_map(|&(name, check)| match vectors::load(name).and_then(|file| vectors::compare_file(&file, check)) {
            Ok(values) => {
                println!("{name}: {values} values match");
                None
            }
            Err(error) => Some(format!("{name}: {error:#}")),
        })
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_file_has_a_function() {
    let listed: BTreeSet<String> = FILES.iter().map(|&(name, _)| name.to_owned()).collect();
    assert_eq!(vectors::names().expect("the folder is part of the source"), listed);
}

/// The comparison compares: with one answer altered, anywhere in a case, or with a field that nobody knows, it fails.
#[test]
fn an_altered_answer_is_noticed() {
    FILES.par_iter().for_each(|&(name, check)| {
        let file = vectors::load(name).expect("a readable file");
        for (list, case) in vectors::cases(&file) {
            let compare = |case: Value| vectors::compare_file(&vectors::with_one_case(&file, list, case), check);
            assert!(compare(case.clone()).is_ok(), "{name}, {}: alone", vectors::title(case));
            for place in vectors::answers(case) {
                let mut altered = case.clone();
                let answer = altered.pointer_mut(&place).expect("it was found there");
                *answer = match (answer.as_u64(), answer.as_i64()) {
                    (Some(number), _) => json!(number ^ 1),
                    (_, Some(number)) => json!(number ^ 1),
                    _ => panic!("{name}, {}: {place} is no integer", vectors::title(case)),
                };
                assert!(compare(altered).is_err(), "{name}, {}: {place} was altered", vectors::title(case));
            }
            let mut extended = case.clone();
            extended["unheard_of"] = json!(1);
            let error = format!("{:#}", compare(extended).expect_err("an unknown field"));
            assert!(error.contains("unheard_of"), "{name}, {}: {error}", vectors::title(case));
        }
    });
}
