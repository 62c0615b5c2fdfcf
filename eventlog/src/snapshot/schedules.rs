//! States that are kept while trust in their kind ends.

use shuttle::thread;
use threads::schedules::tell;

use super::*;
use crate::conformance::Account;

fn shelf() -> Shelf {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(TABLES).unwrap();
    Shelf {
        path: PathBuf::new(),
        file: Mutex::new(connection),
        keys: Keyring::memory(),
        found: AtomicU64::default(),
        distrusted: Mutex::default(),
    }
}

#[test]
fn of_a_kind_that_is_trusted_no_more_nothing_is_left() {
    tell(Slip::TrustAskedEarly, || {
        let stream = StreamId {
            kind: "account",
            id: Uuid::from_u128(1),
        };
        let shelf = Arc::new(shelf());
        let kept = Kept {
            revision: 1,
            last_event: Uuid::nil(),
            subject: None,
            state: Vec::new(),
        };
        let keeper = thread::spawn({
            let shelf = shelf.clone();
            move || shelf.keep(stream, &kept).unwrap()
        });
        let loaded = |balance| Loaded {
            state: Account { balance, entries: 1 },
            revision: 1,
            last_event: None,
        };
        Snapshots(Some(shelf.clone())).compare(stream, &loaded(1), &loaded(2));
        keeper.join().unwrap();
        assert!(shelf.look_up(stream).unwrap().is_none());
    });
}
