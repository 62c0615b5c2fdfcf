//! States that are kept while trust in their kind ends.

use std::collections::HashMap;

use shuttle::thread;
use threads::schedules::tell;

use super::*;
use crate::account::Account;

/// A store in memory.
#[derive(Default)]
struct Stored(HashMap<StreamId, Kept>);

impl SnapshotStore for Stored {
    fn find(&mut self, stream: StreamId) -> Result<Option<Kept>, LogError> {
        Ok(self.0.get(&stream).cloned())
    }

    fn keep(&mut self, stream: StreamId, kept: &Kept) -> Result<(), LogError> {
        self.0.insert(stream, kept.clone());
        Ok(())
    }

    fn drop_one(&mut self, stream: StreamId) -> Result<(), LogError> {
        self.0.remove(&stream);
        Ok(())
    }

    fn drop_kind(&mut self, kind: &str) -> Result<(), LogError> {
        self.0.retain(|stream, _| stream.kind != kind);
        Ok(())
    }

    fn forget(&mut self, subject: UserId) -> Result<(), LogError> {
        self.0.retain(|_, kept| kept.subject != Some(subject));
        Ok(())
    }
}

#[test]
fn of_a_kind_that_is_trusted_no_more_nothing_is_left() {
    tell(Slip::TrustAskedEarly, || {
        let stream = StreamId {
            kind: "account",
            id: Uuid::from_u128(1),
        };
        let snapshots = Snapshots::kept_in(Box::<Stored>::default(), Keyring::memory());
        let shelf = snapshots.0.clone().unwrap();
        let kept = Kept {
            revision: 1,
            last_event: Uuid::nil(),
            subject: None,
            state: Vec::new(),
        };
        let keeper = thread::spawn({
            let shelf = shelf.clone();
            move || shelf.keep(stream, kept).unwrap()
        });
        let loaded = |balance| Loaded {
            state: Account { balance, entries: 1 },
            revision: 1,
            last_event: None,
        };
        snapshots.compare(stream, &loaded(1), &loaded(2));
        keeper.join().unwrap();
        assert!(shelf.file.lock().find(stream).unwrap().is_none());
    });
}
