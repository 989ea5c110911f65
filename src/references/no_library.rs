//! The C++ side of a program that was built without a C++ compiler: nothing of it can exist.

use std::marker::PhantomData;

use super::{CppError, SortedVector, StdMap};

#[derive(Debug, Clone)]
pub enum Library {}

impl Library {
    pub const fn linked() -> Result<Self, CppError> {
        Err(CppError::NoCompiler)
    }

    pub fn jump(&self, _key: u64, _buckets: u32) -> u32 {
        match *self {}
    }

    pub fn figure_1(&self, _key: u64, _num_buckets: i32) -> i32 {
        match *self {}
    }

    pub fn uses_libstdcxx(&self) -> bool {
        match *self {}
    }

    pub fn jump_many(&self, _buckets: u32, _keys: &[u64], _out: &mut [u32]) {
        match *self {}
    }
}

pub trait Functions {}

impl Functions for StdMap {}

impl Functions for SortedVector {}

#[derive(Debug)]
pub struct Handle<S> {
    never: Library,
    storage: PhantomData<fn() -> S>,
}

impl<S> Handle<S> {
    pub fn build(library: &Library, _buckets: u32, _points: u32, _seed: u64) -> Option<Self> {
        match *library {}
    }

    pub fn lookup_one(&self, _key: u64) -> u32 {
        match self.never {}
    }

    pub fn lookup_many(&self, _keys: &[u64], _out: &mut [u32]) {
        match self.never {}
    }

    pub fn live_bytes(&self) -> u64 {
        match self.never {}
    }

    pub fn peak_bytes(&self) -> u64 {
        match self.never {}
    }
}
