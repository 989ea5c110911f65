//! A panic in what is checked is an answer, not the end of the program.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs something that may panic; the panic's message if it does. Nothing is printed then, while panics of other threads and
/// at other times are reported as ever.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !EXPECTED.get() {
                report(panic);
            }
        }));
    });
    let outer = EXPECTED.replace(true);
    // What was built is dropped, so that no broken state is seen afterwards.
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    EXPECTED.set(outer);
    result.map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_kept() {
        assert_eq!(caught(|| 5), Ok(5));
        let (list, beyond) = (vec![1, 2], std::hint::black_box(7));
        let message = caught(|| list[beyond]).expect_err("a panic");
        assert!(message.contains("index is 7"), "{message}");
        assert_eq!(caught(|| panic!("plain")), Err::<(), _>("plain".into()));
        assert!(!EXPECTED.get(), "later panics are reported");
    }
}
