//! Several nodes on one database: one folds, all follow, and another takes over.

use std::time::Instant;

use tests::postgres::Cluster;
use tokio::runtime::Runtime;

use super::*;
use crate::trial;

/// The engine issue's bound for a node that is killed.
const TAKEN_OVER: Duration = Duration::from_secs(5);
/// The engine issue's bound for what every node shows.
const SHOWN: Duration = Duration::from_secs(1);

/// A node with threads of its own, so that it can die with all it does.
struct Node {
    runtime: Option<Runtime>,
    applied: Applied,
    store: ReadStore,
    stop: watch::Sender<bool>,
}

impl Node {
    fn start(place: &Place, log: &EventLog) -> Self {
        let runtime = Runtime::new().unwrap();
        let (store, projector) = runtime.block_on(async {
            let store = ReadStore::open(place).await.unwrap();
            let mut projector = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
            projector.catch_up().await.unwrap();
            (store, projector)
        });
        let applied = projector.applied();
        let stop = watch::Sender::new(false);
        runtime.spawn(projector.follow(stop.subscribe()));
        Self {
            runtime: Some(runtime),
            applied,
            store,
            stop,
        }
    }

    fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.as_ref().unwrap().block_on(work)
    }

    fn killed(mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }

    fn folder(&self) -> Option<String> {
        self.run(
            sqlx::query_scalar("select owner from lease where name = 'projections'")
                .fetch_optional(self.store.readers()),
        )
        .unwrap()
    }

    /// How long it took until what was kept is to be seen here.
    fn shows(&self, log: &EventLog, person: u128, patience: Duration) -> Duration {
        let began = Instant::now();
        self.run(async {
            keep_two(log, person).await;
            let head = log.head().await.unwrap();
            assert!(
                self.applied.wait_for(head, patience).await,
                "not shown within {patience:?}"
            );
            assert!(people(&self.store).await.contains(&id(person)));
        });
        began.elapsed()
    }
}

/// Nodes that do not fold show what was written and one takes over when the other is killed or stops.
#[test]
fn followers_show_new_rows_and_take_over_projection() {
    let (place, log) = (trial::shared(), EventLog::memory());
    let a = Node::start(&place, &log);
    let b = Node::start(&place, &log);
    let first = a.folder();
    a.shows(&log, 1, SHOWN);
    b.shows(&log, 2, SHOWN);
    assert_eq!(b.folder(), first, "the node that came later folds");
    a.killed();
    let took = b.shows(&log, 3, TAKEN_OVER);
    assert_ne!(b.folder(), first);
    assert!(took < TAKEN_OVER, "taken over after {took:?}");

    // The other way round, in order: at once.
    let c = Node::start(&place, &log);
    c.shows(&log, 4, SHOWN);
    b.stop.send_replace(true);
    c.shows(&log, 5, SHOWN);
    assert_eq!(c.run(people(&c.store)).len(), 5);
}

#[test]
fn a_node_that_lost_the_work_writes_nothing() {
    let (place, log) = (trial::shared(), EventLog::memory());
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let store = ReadStore::open(&place).await.unwrap();
        keep_two(&log, 1).await;
        let mut late = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        late.catch_up().await.unwrap();
        late.leave().await.unwrap();
        let mut other = Projector::new(log.clone(), store.clone(), Keepers::of_version(1));
        other.catch_up().await.unwrap();
        keep_two(&log, 2).await;
        let events = log.read_all(2, BATCH).await.unwrap();
        assert!(late.apply_batch((&events, 2, 4), &[]).await.unwrap().is_none());
        assert_eq!(people(&store).await, [id(1)]);
        assert_eq!(late.standing().await.unwrap()[0].position, 2);
    });
}

/// Whoever takes over folds what is new and the next start tries again what was left out.
#[tokio::test]
async fn new_leader_folds_new_events_and_retries_parked_at_restart() {
    let (place, log) = (trial::shared(), EventLog::memory());
    let store = ReadStore::open(&place).await.unwrap();
    let confused = Arc::new(AtomicBool::new(true));
    let projector = || confused_by_two((&log, &store), &confused, false);
    keep_two(&log, 2).await;
    let mut first = projector();
    first.catch_up().await.unwrap();
    let mut second = projector();
    second.catch_up().await.unwrap();
    confused.store(false, Relaxed);
    keep_two(&log, 3).await;
    first.leave().await.unwrap();
    let (applied, stop) = (second.applied(), watch::Sender::new(false));
    let following = tokio::spawn(second.follow(stop.subscribe()));
    assert!(applied.wait_for(log.head().await.unwrap(), SOON).await);
    assert_eq!(people(&store).await, [id(3)]);
    stop.send_replace(true);
    following.await.unwrap();
    projector().catch_up().await.unwrap();
    assert_eq!(people(&store).await, [id(2), id(3)]);
}

/// A process that lives on says how far the read models have come by what it saw committed: whoever asks for something that is
/// not there is told so on that word.
#[tokio::test]
async fn folded_rows_survive_a_database_crash() {
    // A commit that does not wait for the disk would reach it long after the crash.
    let cluster = Cluster::with(&["wal_writer_delay=10000"]);
    let place = Place::Postgres(cluster.database());
    let log = EventLog::memory();
    keep_two(&log, 1).await;
    let store = ReadStore::open(&place).await.unwrap();
    let mut folding = Projector::new(log.clone(), store, Keepers::of_version(1));
    assert_eq!(folding.catch_up().await.unwrap(), 2);
    cluster.crash();
    let stored = cluster.run("database_0", "select position from latchkey_read.projection");
    assert_eq!(stored.trim(), "2");
}

/// Takes so long over many events that the database ends its connection.
struct Slow(Box<dyn Projection>);

const MANY: usize = 150;

impl Projection for Slow {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn tables(&self) -> &'static [&'static str] {
        self.0.tables()
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.0.kinds()
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            if events.len() > MANY {
                sqlx::query("select pg_terminate_backend(pg_backend_pid())::text")
                    .execute(&mut *connection)
                    .await?;
            }
            self.0.apply(connection, events).await
        })
    }
}

#[tokio::test]
async fn a_start_for_which_a_batch_is_too_large_tries_smaller_ones() {
    let store = ReadStore::open(&trial::shared()).await.unwrap();
    let log = EventLog::memory();
    for person in 1..=200 {
        keep_two(&log, person).await;
    }
    let slow: Vec<Box<dyn Projection>> = Keepers::of_version(1)
        .into_iter()
        .map(|keepers| Box::new(Slow(keepers)) as Box<dyn Projection>)
        .collect();
    let mut started = Projector::new(log, store.clone(), slow);
    assert_eq!(started.catch_up().await.unwrap(), 400);
    assert_eq!(people(&store).await.len(), 200);
}
