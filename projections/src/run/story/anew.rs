//! Built anew beside the rows that serve: whoever reads sees the old rows or the new ones, and never half of them.

use domain::user::User;

use super::*;
use crate::lead_timeline::tests::store as store_samples;

async fn rows(store: &ReadStore) -> i64 {
    sqlx::query_scalar("select count(*) from inventory_name")
        .fetch_one(store.readers())
        .await
        .unwrap()
}

/// Somebody changes a row behind the projector's back.
async fn spoil(store: &ReadStore) {
    sqlx::query("update inventory_name set root = 'spoilt' where name = '2'")
        .execute(store.writer().pool())
        .await
        .unwrap();
}

async fn spoilt(store: &ReadStore) -> i64 {
    sqlx::query_scalar("select count(*) from inventory_name where root = 'spoilt'")
        .fetch_one(store.readers())
        .await
        .unwrap()
}

/// Whoever reads during a rebuild finds every row and the server follows on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rebuild_keeps_every_row_readable_and_the_projector_follows() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        for person in 1..=300 {
            keep_two(&log, person).await;
        }
        let mut running = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        running.catch_up().await.unwrap();
        let applied = running.applied();
        let stop = watch::Sender::new(false);
        let following = tokio::spawn(running.follow(stop.subscribe()));
        let built = Arc::new(AtomicBool::new(false));
        let reading = tokio::spawn({
            let (store, built) = (store.clone(), built.clone());
            async move {
                let (mut least, mut looks) = (600, 0);
                while !built.load(Relaxed) {
                    let now = rows(&store).await;
                    assert!(now >= least, "{now} rows after {least}");
                    (least, looks) = (now, looks + 1);
                }
                looks
            }
        });
        let other = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        for round in 0..3 {
            keep_two(&log, 1_000 + round).await;
            let rebuilt = other.rebuild(None, Ways::Switch).await.unwrap();
            assert!(rebuilt[0].compared_at.is_some_and(|position| position >= 600));
            assert!(rebuilt[0].differences.is_empty(), "{rebuilt:?}");
        }
        keep_two(&log, 2_000).await;
        assert!(applied.wait_for(log.head().await.unwrap(), SOON).await);
        assert_eq!(rows(&store).await, 608);
        built.store(true, Relaxed);
        assert!(reading.await.unwrap() > 10, "nobody read meanwhile");
        stop.send_replace(true);
        following.await.unwrap();
    }
}

/// A row that is not what the log says is named repaired and comes back with a rollback.
#[tokio::test]
async fn rebuild_names_and_repairs_wrong_rows_and_rolls_back() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        keep_two(&log, 1).await;
        let mut running = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        running.catch_up().await.unwrap();
        let name = "keepers_of_a_test";
        assert!(matches!(
            running.roll_back(name).await,
            Err(ProjectionError::NothingKept(_))
        ));
        assert_eq!(running.kept().await.unwrap().get(name), None);
        spoil(&store).await;
        let found = Difference {
            table: "inventory_name",
            rows: 2,
            keys: vec!["name 2".to_owned()],
        };
        let compared = running.rebuild(Some(name), Ways::Compare).await.unwrap();
        assert_eq!(compared[0].differences, std::slice::from_ref(&found));
        assert_eq!(spoilt(&store).await, 1, "a comparison changes nothing");
        let rebuilt = running.rebuild(Some(name), Ways::Switch).await.unwrap();
        assert_eq!(rebuilt[0].differences, [found]);
        assert_eq!(spoilt(&store).await, 0);
        assert_eq!(running.kept().await.unwrap().get(name), Some(&2));
        keep_two(&log, 2).await;
        running.catch_up().await.unwrap();

        let back = running.roll_back(name).await.unwrap();
        assert_eq!(back, RolledBack { serves: 2, kept: 4 });
        assert_eq!(running.kept().await.unwrap().get(name), Some(&4));
        assert_eq!(spoilt(&store).await, 1);
        assert_eq!(running.catch_up().await.unwrap(), 4);
        assert_eq!(
            people(&store).await,
            [id(1), id(2)],
            "it follows on from where it was kept"
        );
        running.roll_back(name).await.unwrap();
        assert_eq!((spoilt(&store).await, rows(&store).await), (0, 4));
    }
}

/// A new version is built beside the old one which can come back.
#[tokio::test]
async fn new_version_is_built_beside_the_old_which_can_return() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        keep_two(&log, 1).await;
        let mut old = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        old.catch_up().await.unwrap();
        old.leave().await.unwrap();
        spoil(&store).await;
        let mut new = Projector::new(log.clone(), store.clone(), Keepers::of_version(2));
        new.catch_up().await.unwrap();
        assert_eq!((spoilt(&store).await, rows(&store).await), (0, 2));
        let behind = old.standing().await.unwrap();
        assert!(behind[0].error.is_some(), "the old program says that it rests");
        assert!(matches!(
            new.roll_back("keepers_of_a_test").await,
            Err(ProjectionError::KeptByAnother(_))
        ));
        old.roll_back("keepers_of_a_test").await.unwrap();
        assert_eq!(spoilt(&store).await, 1);
        assert!(old.standing().await.unwrap()[0].error.is_none());
    }
}

#[tokio::test]
async fn what_is_kept_for_a_rollback_goes_when_somebody_is_forgotten() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        keep_two(&log, 1).await;
        let mut running = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        running.catch_up().await.unwrap();
        let name = "keepers_of_a_test";
        running.rebuild(Some(name), Ways::Switch).await.unwrap();
        running.roll_back(name).await.unwrap();
        // Every sample of an account's events, the last farewell among them.
        store_samples::<User>(&log, UserId(Uuid::from_u128(2)), "UserRegistered").await;
        running.catch_up().await.unwrap();
        assert!(matches!(
            running.roll_back(name).await,
            Err(ProjectionError::NothingKept(_))
        ));
    }
}

/// A read model during whose every fold somebody is forgotten.
struct Forgetful {
    store: ReadStore,
}

impl Projection for Forgetful {
    fn name(&self) -> &'static str {
        "forgetful"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["inventory_name"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["shortlist"]
    }

    fn apply<'a>(
        &'a self,
        _connection: &'a mut AnyConnection,
        _events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move { Ok(self.store.forget_kept().await?) })
    }
}

/// A read model that takes nothing in, and not because of an event.
struct Unable;

impl Projection for Unable {
    fn name(&self) -> &'static str {
        "unable"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["inventory_name"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["shortlist"]
    }

    fn apply<'a>(
        &'a self,
        _connection: &'a mut AnyConnection,
        _events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async { Err(ProjectionError::KeptByAnother("somebody".to_owned())) })
    }
}

/// A read model is built to its end though somebody is forgotten meanwhile.
#[tokio::test]
async fn rebuild_finishes_while_a_person_is_forgotten() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        keep_two(&log, 1).await;
        let forgetful: Box<dyn Projection> = Box::new(Forgetful { store: store.clone() });
        let mut running = Projector::new(log.clone(), store.clone(), vec![forgetful]);
        running.catch_up().await.unwrap();
        for _twice in 0..2 {
            let rebuilt = running.rebuild(None, Ways::Switch).await.unwrap();
            assert_eq!(rebuilt[0].compared_at, Some(2));
        }
    }
}

/// Leaves what a process leaves that is killed while it builds, once the database or the system has noticed that it is gone.
async fn begin_to_build(place: &Place, store: &ReadStore) {
    let mut beside = store.beside().await.unwrap().unwrap();
    beside.make(&["inventory_name"], &[]).await.unwrap();
    drop(beside);
    if let Place::Folder(folder) = place {
        // A process that was started meanwhile may hold the lock too, until it has become its program.
        return std::fs::File::open(folder.join("rebuild.lock"))
            .unwrap()
            .lock()
            .unwrap();
    }
    let mut transaction = store.writer().begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(5113300211)")
        .execute(&mut *transaction)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

async fn is_begun(place: &Place, store: &ReadStore) -> bool {
    if let Place::Folder(folder) = place {
        return folder.join("read-next.db").exists();
    }
    let schemas = "select count(*) from pg_namespace where nspname = 'latchkey_read_next'";
    let schemas: i64 = sqlx::query_scalar(schemas)
        .fetch_one(store.readers())
        .await
        .unwrap();
    schemas > 0
}

/// What could not be built or rolled back is thrown away at once.
#[tokio::test]
async fn failed_rebuild_or_rollback_is_discarded_at_once() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        keep_two(&log, 1).await;
        let unable: Box<dyn Projection> = Box::new(Unable);
        let running = Projector::new(log.clone(), store.clone(), vec![unable]);
        assert!(matches!(
            running.rebuild(None, Ways::Switch).await,
            Err(ProjectionError::KeptByAnother(_))
        ));
        assert!(!is_begun(&place, &store).await);
        assert!(matches!(
            running.roll_back("unable").await,
            Err(ProjectionError::NothingKept(_))
        ));
        assert!(!is_begun(&place, &store).await);
    }
}

/// What a killed process was building goes when somebody is forgotten and with the next start.
#[tokio::test]
async fn killed_rebuild_is_discarded_at_erasure_and_at_restart() {
    for (place, _folder) in places() {
        let store = ReadStore::open(&place).await.unwrap();
        let log = EventLog::memory();
        keep_two(&log, 1).await;
        let mut running = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        running.catch_up().await.unwrap();
        begin_to_build(&place, &store).await;
        assert!(is_begun(&place, &store).await);
        store_samples::<User>(&log, UserId(Uuid::from_u128(2)), "UserRegistered").await;
        running.catch_up().await.unwrap();
        assert!(!is_begun(&place, &store).await);

        begin_to_build(&place, &store).await;
        running.leave().await.unwrap();
        let mut started = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        started.catch_up().await.unwrap();
        assert!(!is_begun(&place, &store).await);
    }
}
