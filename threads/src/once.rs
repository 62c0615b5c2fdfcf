//! Work that many ask for at once and that is done once.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::OnceCell;

use crate::{Mutex, Slip};

type UnderWay<T> = Mutex<HashMap<String, Arc<OnceCell<T>>>>;

/// What is being made now, by name.
#[derive(Debug)]
pub struct Once<T> {
    under_way: UnderWay<T>,
}

/// Takes work off the list once everybody who waited for it has gone, also when nobody saw it end.
struct Leaving<'o, T> {
    under_way: &'o UnderWay<T>,
    name: &'o str,
    cell: Option<Arc<OnceCell<T>>>,
}

impl<T> Drop for Leaving<'_, T> {
    fn drop(&mut self) {
        let mut under_way = self.under_way.lock();
        self.cell = None;
        // The list's own is the last: nobody makes it or waits for it.
        let is_over = |cell: &Arc<OnceCell<T>>| Arc::strong_count(cell) == 1;
        if Slip::WorkLeftByOne.is_made() || under_way.get(self.name).is_some_and(is_over) {
            under_way.remove(self.name);
        }
    }
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self {
            under_way: Mutex::default(),
        }
    }
}

impl<T: Clone> Once<T> {
    /// What `work` makes, for all who ask for that name while it is made. Work that fails, or whose maker leaves, is done by the
    /// next who waits.
    ///
    /// # Errors
    /// What `work` says.
    pub async fn made<E, W>(&self, name: &str, work: impl FnOnce() -> W) -> Result<T, E>
    where
        W: Future<Output = Result<T, E>>,
    {
        let listed = Arc::clone(self.under_way.lock().entry(name.to_owned()).or_default());
        // Dropped after `cell`, whether or not anybody stays to see the end.
        let _leaving = Leaving {
            under_way: &self.under_way,
            name,
            cell: Some(Arc::clone(&listed)),
        };
        let cell = listed;
        cell.get_or_try_init(work).await.cloned()
    }

    /// Whether nothing is being made.
    pub fn is_idle(&self) -> bool {
        self.under_way.lock().is_empty()
    }
}

#[cfg(all(test, feature = "schedules"))]
mod schedules {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use shuttle::future::{spawn, yield_now};

    use super::*;
    use crate::schedules::tell;

    /// Somebody at work, also when they are torn away from it.
    struct Busy<'w>(&'w AtomicUsize);

    impl<'w> Busy<'w> {
        fn at(work: &'w AtomicUsize) -> Self {
            assert_eq!(work.fetch_add(1, SeqCst), 0, "two are at work");
            Self(work)
        }
    }

    impl Drop for Busy<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, SeqCst);
        }
    }

    /// Nobody makes what another one is making, also when one of those who wait gives up.
    #[test]
    fn work_that_many_ask_for_is_never_done_by_two_at_once() {
        tell(Slip::WorkLeftByOne, || {
            shuttle::future::block_on(async {
                let once = Arc::new(Once::<usize>::default());
                let (at_work, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
                let askers: Vec<_> = (0..4)
                    .map(|_| {
                        let (once, at_work, done) = (once.clone(), at_work.clone(), done.clone());
                        spawn(async move {
                            let work = async {
                                let _busy = Busy::at(&at_work);
                                yield_now().await;
                                Ok::<_, ()>(done.fetch_add(1, SeqCst))
                            };
                            once.made("picture", || work).await
                        })
                    })
                    .collect();
                // The last one gives up, at whatever it was.
                let gave_up = askers.last().unwrap();
                gave_up.abort();
                for asker in askers {
                    drop(asker.await);
                }
                assert!(once.is_idle());
            });
        });
    }
}
