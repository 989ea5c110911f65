//! Systems whose buckets come and go: the `steps` of a case.

use anyhow::{Result, bail, ensure};
use consistent_hash_lab::algorithms::{Remove, Resize};

use crate::fields::Fields;

/// A system whose buckets come and go.
pub trait Engine {
    fn add(&mut self) -> Result<u32>;
    fn remove(&mut self, bucket: u32) -> Result<()>;
    fn bucket(&self, key: u64) -> Result<u32>;
}

/// An engine from which only the last bucket can go.
pub struct Growing<P>(pub P);

impl<P: Resize> Engine for Growing<P> {
    fn add(&mut self) -> Result<u32> {
        Ok(self.0.grow()?)
    }

    fn remove(&mut self, bucket: u32) -> Result<()> {
        let gone = self.0.shrink()?;
        ensure!(gone == bucket, "bucket {bucket} cannot go, only {gone} can");
        Ok(())
    }

    fn bucket(&self, key: u64) -> Result<u32> {
        Ok(self.0.bucket(key))
    }
}

/// An engine from which any bucket can go.
pub struct Failing<P>(pub P);

impl<P: Resize + Remove> Engine for Failing<P> {
    fn add(&mut self) -> Result<u32> {
        Ok(self.0.grow()?)
    }

    fn remove(&mut self, bucket: u32) -> Result<()> {
        Ok(self.0.remove(bucket)?)
    }

    fn bucket(&self, key: u64) -> Result<u32> {
        Ok(self.0.bucket(key))
    }
}

/// Runs the `steps` of a case; `removed` is what the system returns on the removal of a bucket.
pub fn run(engine: &mut impl Engine, case: &mut Fields, keys: &[u64], removed: fn(u32) -> u32) -> Result<usize> {
    let compared = case.objects("steps", |step| {
        let returned = match step.get("op")? {
            "get_all_keys" => {
                let buckets: Vec<u32> = keys.iter().map(|&key| engine.bucket(key)).collect::<Result<_>>()?;
                return step.compare("result", buckets);
            }
            "add" => engine.add()?,
            "rm" | "remove" => {
                let bucket = step.get("bucket")?;
                engine.remove(bucket)?;
                removed(bucket)
            }
            other => bail!("operation {other:?} maps to nothing here"),
        };
        step.compare_number_if_given("returned", returned as usize)
    })?;
    Ok(compared.iter().sum())
}
