//! Cassandra's tokens, composite keys and replicas. A case is of one of three forms, told apart by its fields.

use anyhow::{Context, Result, ensure};
use consistent_hash_lab::systems::cassandra::{Cassandra, routing_key, token};

use crate::vectors::{Fields, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        if case.has("keys_hex") {
            tokens(case)
        } else if case.has("items") {
            Ok(case.objects("items", routing_key_and_token)?.iter().sum())
        } else {
            replicas(case)
        }
    })
}

fn tokens(case: &mut Fields) -> Result<usize> {
    let keys: Vec<Vec<u8>> = case.get::<Vec<&str>>("keys_hex")?.into_iter().map(bytes).collect::<Result<_>>()?;
    case.compare("result", keys.iter().map(|key| token(key)))
}

fn replicas(case: &mut Fields) -> Result<usize> {
    let replication: &str = case.get("replication")?;
    let factor = replication.strip_prefix("SimpleStrategy rf=").context("replication is not SimpleStrategy")?;
    let factor: usize = factor.parse()?;
    let mut tokens = vec![Vec::new(); case.get::<Vec<String>>("nodes")?.len()];
    for (token, node) in case.get::<Vec<(i64, u32)>>("ring")? {
        tokens.get_mut(node as usize).context("ring: no such node")?.push(token);
    }
    let cassandra = Cassandra::new(&tokens)?;
    let queries: Vec<i64> = case.get("query_tokens")?;
    Ok(case.compare("ring", cassandra.ring().iter().copied())?
        + case.compare("result", queries.iter().map(|&token| cassandra.replicas(token, factor)))?)
}

fn routing_key_and_token(item: &mut Fields) -> Result<usize> {
    let parts: Vec<Vec<u8>> = item.get::<Vec<&str>>("parts_hex")?.into_iter().map(bytes).collect::<Result<_>>()?;
    let key = routing_key(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    let expected: (Vec<u8>, i64) = (bytes(item.get("routing_key_hex")?)?, item.get("token")?);
    let found = (key.clone(), token(&key));
    ensure!(found == expected, "routing key and token {found:02x?}, and {expected:02x?} in the file");
    Ok(2)
}

fn bytes(hex: &str) -> Result<Vec<u8>> {
    let byte = |at| {
        let byte = hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        byte.with_context(|| format!("not hexadecimal: {hex}"))
    };
    (0..hex.len()).step_by(2).map(byte).collect()
}
