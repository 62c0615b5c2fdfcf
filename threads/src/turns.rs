//! Work that names things: what names the same thing is done one after the other, in the order in which it came; all else side
//! by side.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use tokio::sync::watch;

use crate::atomic::{AtomicU64, Ordering::Relaxed};
use crate::{Mutex, Slip};

/// Who came last for each name.
#[derive(Debug)]
pub struct Turns<K> {
    last: Mutex<HashMap<K, Ticket>>,
    numbers: AtomicU64,
}

#[derive(Debug)]
struct Ticket {
    number: u64,
    /// Closed once its holder is done.
    done: watch::Receiver<()>,
}

/// A place in line for some names; dropping it lets the next one go.
#[derive(Debug)]
pub struct Turn<K: Eq + Hash> {
    turns: Arc<Turns<K>>,
    names: Vec<K>,
    number: u64,
    before: Vec<watch::Receiver<()>>,
    /// Dropped last: whoever waits goes on then.
    _done: watch::Sender<()>,
}

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self {
            last: Mutex::default(),
            numbers: AtomicU64::new(0),
        }
    }
}

impl<K: Eq + Hash + Clone> Turns<K> {
    /// Gets in line for all these names at once, each given once; the order of these calls is the order of the turns.
    pub fn take(self: &Arc<Self>, names: Vec<K>) -> Turn<K> {
        let number = self.numbers.fetch_add(1, Relaxed);
        let (done, mine) = watch::channel(());
        let mut before = Vec::new();
        let mut last = self.last.lock();
        for name in &names {
            if Slip::TicketTakenLate.is_made() {
                drop(last);
                last = self.last.lock();
            }
            let ticket = Ticket {
                number,
                done: mine.clone(),
            };
            let earlier = last.insert(name.clone(), ticket);
            before.extend(earlier.map(|ticket| ticket.done));
        }
        drop(last);
        Turn {
            turns: Arc::clone(self),
            names,
            number,
            before,
            _done: done,
        }
    }

    /// Whether nobody is in line.
    pub fn is_empty(&self) -> bool {
        self.last.lock().is_empty()
    }
}

impl<K: Eq + Hash> Turn<K> {
    /// Waits for all who came before.
    pub async fn comes(&mut self) {
        for mut earlier in self.before.drain(..) {
            // An error means that its holder is done.
            while earlier.changed().await.is_ok() {}
        }
    }
}

impl<K: Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        let mut last = self.turns.last.lock();
        for name in &self.names {
            if last.get(name).is_some_and(|ticket| ticket.number == self.number) {
                last.remove(name);
            }
        }
    }
}

#[cfg(all(test, feature = "schedules"))]
mod schedules {
    use super::*;
    use crate::schedules::tell;

    /// One after the other for each name, and nobody waits for somebody who waits for them.
    #[test]
    fn whoever_names_the_same_thing_goes_alone_and_everybody_goes() {
        tell(Slip::TicketTakenLate, || {
            shuttle::future::block_on(async {
                let turns = Arc::new(Turns::default());
                let at_work = Arc::new(Mutex::new(Vec::new()));
                let names = [vec!["a", "b"], vec!["b", "a"], vec!["a", "c"], vec!["c", "b"]];
                let hands = names.map(|names| {
                    let (turns, at_work) = (turns.clone(), at_work.clone());
                    shuttle::future::spawn(async move {
                        let mut turn = turns.take(names.clone());
                        turn.comes().await;
                        let before = at_work.lock().clone();
                        assert!(!before.iter().any(|name| names.contains(name)), "{before:?}");
                        at_work.lock().extend(&names);
                        shuttle::future::yield_now().await;
                        at_work.lock().retain(|name| !names.contains(name));
                        drop(turn);
                    })
                });
                for hand in hands {
                    hand.await.unwrap();
                }
                assert!(turns.is_empty());
            });
        });
    }
}
