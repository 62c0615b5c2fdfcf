//! A state that many read and few change: readers never wait, and every change is made of the one before it.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::{Mutex, Slip};

/// The state that readers see, and what its writers need beside it.
#[derive(Debug, Default)]
pub struct Published<S, W> {
    now: ArcSwap<S>,
    writer: Mutex<W>,
}

impl<S, W> Published<S, W> {
    /// The newest state. Hold it for one answer, not longer.
    pub fn now(&self) -> Arc<S> {
        self.now.load_full()
    }

    /// What writers keep beside it, for one of them at a time.
    pub fn with_writer<T>(&self, work: impl FnOnce(&mut W) -> T) -> T {
        work(&mut self.writer.lock())
    }

    /// Makes the next state of the last one and lets readers see it.
    pub fn change(&self, next: impl FnOnce(&mut W, &S) -> S) {
        let early = Slip::IndexReadEarly.is_made().then(|| self.now());
        let mut writer = self.writer.lock();
        let last = early.unwrap_or_else(|| self.now());
        let next = next(&mut writer, &last);
        self.now.store(Arc::new(next));
    }
}

#[cfg(all(test, feature = "schedules"))]
mod schedules {
    use super::*;
    use crate::schedules::tell;

    #[test]
    fn no_change_is_made_of_a_state_that_another_has_replaced() {
        tell(Slip::IndexReadEarly, || {
            let published = Arc::new(Published::<Vec<u64>, u64>::default());
            let writers: Vec<_> = (0..3)
                .map(|_| {
                    let published = published.clone();
                    crate::thread::spawn(move || {
                        published.change(|count, before| {
                            *count += 1;
                            [before.as_slice(), &[*count]].concat()
                        });
                    })
                })
                .collect();
            let mut seen = 0;
            for _ in 0..3 {
                let now = published.now();
                assert!(now.len() >= seen, "a reader saw less than before");
                assert!(now.iter().copied().eq(1..=now.len() as u64), "{now:?}");
                seen = now.len();
                crate::thread::yield_now();
            }
            for writer in writers {
                writer.join().unwrap();
            }
            assert_eq!(*published.now(), [1, 2, 3]);
            assert_eq!(published.with_writer(|count| *count), 3);
        });
    }
}
