//! Room in memory for as much as a caller asks for: a request that cannot be met is an error, not the end of the program.
//!
//! What the system promises is believed: one that promises more than it has may still end the program later.

use super::Error;

/// A vector with room for exactly `count` elements.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(|_| refused::<T>(count))?;
    Ok(all)
}

/// The elements of an iterator that has `count` of them.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn collected<T>(count: usize, elements: impl IntoIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut all = room(count)?;
    all.extend(elements);
    Ok(all)
}

/// Makes room for `more` elements after those that are there.
///
/// # Errors
/// [`Error::OutOfMemory`]; the vector is unchanged.
pub(crate) fn reserve<T>(all: &mut Vec<T>, more: usize) -> Result<(), Error> {
    all.try_reserve(more).map_err(|_| refused::<T>(all.len().saturating_add(more)))
}

/// Checks that there would be room for `count` elements, for collections that allocate piece by piece and cannot fail.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn check<T>(count: usize) -> Result<(), Error> {
    // Used, or the compiler may leave out the allocation and with it the answer.
    room::<T>(count).map(|room| drop(std::hint::black_box(room)))
}

fn refused<T>(count: usize) -> Error {
    Error::OutOfMemory { bytes: count.saturating_mul(size_of::<T>()) }
}

#[cfg(test)]
mod tests;
