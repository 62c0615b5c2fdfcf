//! One small town with its server, its people and its payment provider, and everything that goes wrong there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use booking::webhooks;
use domain::id::PaymentId;
use domain::payment::Payment;
use eventlog::EventLog;
use eventlog::simulated::{Hand, Kept, Step};
use futures::future::BoxFuture;
use parking_lot::Mutex;
use platform::clock;
use platform::config::Settings;
use platform::sites::Sites;
use processes::reactor::Reactor;
use processes::reactor::messenger::{Letter, Messenger, Posted};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle};
use uuid::Uuid;

use crate::agenda::{Notes, Pad};
use crate::check::{Broken, Held};
use crate::fate;
use crate::gateway::{self, Provider};
use crate::homes::{Person, Room};
use crate::planted::Planted;
use crate::students;
use crate::watch::Watch;

/// How long a room waits for its payer.
const HOLD: chrono::TimeDelta = chrono::TimeDelta::seconds(600);

/// A handle on everything.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) provider: Provider,
    pub(crate) planted: Option<Planted>,
    pub(crate) kept: Arc<Kept>,
    pub(crate) pad: Pad,
    pub(crate) post: Post,
    rooms: Arc<Vec<Room>>,
    server: Arc<Mutex<Option<Server>>>,
    promises: Arc<Mutex<BTreeMap<Uuid, BTreeSet<Uuid>>>>,
    trouble: Arc<Mutex<Trouble>>,
    rests: Arc<AtomicBool>,
    notes: Arc<AtomicU64>,
    watch: Arc<Mutex<Watch>>,
    /// The first promise that was broken.
    broken: Arc<Mutex<Held>>,
}

/// What the storage does to whoever writes.
#[derive(Debug, Clone, Copy, Default)]
struct Trouble {
    /// Of a hundred steps, so many fail.
    storage: u64,
}

/// A running process.
struct Server {
    log: EventLog,
    killed: watch::Sender<bool>,
    tasks: Vec<AbortHandle>,
}

/// The letters that went out, by their keys. A letter may be handed over twice; it is the same one then.
#[derive(Clone, Default)]
pub(crate) struct Post(Arc<Mutex<BTreeMap<String, &'static str>>>);

impl Post {
    pub(crate) fn sent(&self) -> BTreeMap<String, &'static str> {
        self.0.lock().clone()
    }
}

impl Messenger for Post {
    fn send<'a>(
        &'a self,
        _effect: &'a str,
        key: &'a str,
        letter: Letter,
    ) -> BoxFuture<'a, Result<Posted, String>> {
        Box::pin(async move {
            fate::dawdle(50).await;
            if fate::percent(10) {
                return Err("the mail server says no".to_owned());
            }
            self.0.lock().insert(key.to_owned(), letter.kind);
            fate::dawdle(50).await;
            if fate::percent(5) {
                return Err("its answer was lost".to_owned());
            }
            Ok(Posted::Sent)
        })
    }
}

impl World {
    /// A town in which nothing has failed yet.
    pub(crate) async fn new(planted: Option<Planted>) -> Self {
        let kept = Arc::new(Kept::default());
        let provider = Provider::default();
        provider.books(|books| books.planted = planted);
        let mut world = Self {
            provider,
            planted,
            kept,
            pad: Pad::new(planted),
            post: Post::default(),
            rooms: Arc::default(),
            server: Arc::default(),
            promises: Arc::default(),
            trouble: Arc::default(),
            rests: Arc::default(),
            notes: Arc::default(),
            watch: Arc::default(),
            broken: Arc::new(Mutex::new(Ok(()))),
        };
        let (log, hand) = world.open_log();
        let turning = tokio::spawn(world.clone().turn(hand));
        let mut rooms = Vec::new();
        for number in 0..=fate::below(3) {
            let beds = 1 + u32::try_from(fate::below(3)).unwrap_or_default();
            rooms.push(Room::list(&log, number + 1, beds, clock::now()).await);
        }
        turning.abort();
        world.rooms = Arc::new(rooms);
        world
    }

    pub(crate) fn rooms(&self) -> &[Room] {
        &self.rooms
    }

    pub(crate) fn some_room(&self) -> Room {
        let place = usize::try_from(fate::below(self.rooms.len() as u64)).unwrap_or_default();
        self.rooms[place]
    }

    /// The server, if it is up, and how to hear that it is not any more.
    pub(crate) fn server(&self) -> Option<(EventLog, watch::Receiver<bool>)> {
        let server = self.server.lock();
        server
            .as_ref()
            .map(|server| (server.log.clone(), server.killed.subscribe()))
    }

    /// What the payment page shows.
    pub(crate) async fn payment(&self, payment: PaymentId) -> Option<Payment> {
        let (log, _) = self.server()?;
        log.load::<Payment>(payment).await.ok().map(|loaded| loaded.state)
    }

    /// An answer was given: these events must never be missing, and this command must never be done twice.
    pub(crate) fn promise(&self, command: Uuid, events: &[Uuid]) {
        self.promises
            .lock()
            .entry(command)
            .or_default()
            .extend(events.iter().copied());
    }

    /// Somebody wrote a note, once, however often it is sent.
    pub(crate) fn noted(&self) {
        self.notes.fetch_add(1, Relaxed);
    }

    pub(crate) fn notes(&self) -> u64 {
        self.notes.load(Relaxed)
    }

    pub(crate) fn promised(&self) -> BTreeMap<Uuid, BTreeSet<Uuid>> {
        self.promises.lock().clone()
    }

    fn open_log(&self) -> (EventLog, Hand) {
        let trouble = self.trouble.clone();
        let too_early = self.planted == Some(Planted::AnsweredTooEarly);
        self.kept.open(move |step| {
            let strikes = fate::percent(trouble.lock().storage);
            match step {
                Step::Forgotten => too_early && strikes,
                Step::Disk => strikes && fate::percent(10),
                Step::Begin | Step::BeforeCommit | Step::AfterCommit => strikes,
            }
        })
    }

    /// Starts the server on what is there.
    pub(crate) fn start(&self) {
        let (log, hand) = self.open_log();
        let killed = watch::Sender::new(false);
        let reactor = Reactor::new(
            log.clone(),
            Arc::new(Notes::open(&self.pad)),
            (Arc::new(self.provider.clone()), Arc::new(self.post.clone())),
            Sites::of_settings(&Settings {
                public_url: Some("https://rooms.example".to_owned()),
                ..Settings::default()
            }),
            HOLD,
        );
        let mut tasks: Vec<JoinHandle<()>> = reactor.start(&killed);
        tasks.push(tokio::spawn(self.clone().turn(hand)));
        *self.server.lock() = Some(Server {
            log,
            killed,
            tasks: tasks.iter().map(JoinHandle::abort_handle).collect(),
        });
    }

    /// Ends the server between two instructions: nothing of it runs any more.
    pub(crate) fn kill(&self) {
        if let Some(server) = self.server.lock().take() {
            for task in &server.tasks {
                task.abort();
            }
            server.killed.send_replace(true);
        }
    }

    /// The provider's courier and its slow banks.
    async fn deliver(self) {
        loop {
            fate::dawdle(400).await;
            self.provider.settle();
            for (place, body) in self.provider.books(gateway::Books::due) {
                let answered = self.hand_over(&body).await;
                self.provider.books(|books| books.delivered(place, answered));
            }
        }
    }

    async fn hand_over(&self, body: &str) -> bool {
        let Some((log, mut killed)) = self.server() else {
            return false;
        };
        if self.planted == Some(Planted::NoticesDropped) && fate::percent(10) {
            return true;
        }
        let header = ::gateway::signature::sign(gateway::SECRET, clock::now(), body.as_bytes());
        tokio::select! {
            biased;
            _ = killed.wait_for(|killed| *killed) => false,
            taken = webhooks::take_in(&log, &self.provider, &header, body.as_bytes()) => taken.is_ok(),
        }
    }

    /// Lets everything happen that this seed has in store, then lets the town come to rest.
    ///
    /// # Errors
    /// The first promise that was broken on the way.
    pub(crate) async fn run(&self) -> Result<(), Broken> {
        self.start();
        let courier = tokio::spawn(self.clone().deliver());
        let people: Vec<JoinHandle<()>> = (0..3 + fate::below(8))
            .map(|number| tokio::spawn(students::live(self.clone(), Person::new(number + 1))))
            .collect();
        for _ in 0..10 + fate::below(30) {
            fate::dawdle(20_000).await;
            self.misfortune().await;
            self.held()?;
        }
        self.mend();
        for person in people {
            if let Err(error) = person.await {
                assert!(!error.is_panic(), "a person came to grief: {error}");
            }
        }
        self.rest().await;
        courier.abort();
        self.held()
    }

    async fn misfortune(&self) {
        match fate::below(9) {
            0..=2 => {
                self.kill();
                fate::dawdle(10_000).await;
                self.start();
            }
            3 => self.trouble.lock().storage = fate::below(40),
            4 => self.trouble.lock().storage = 0,
            5 => self.provider.books(|books| books.is_out = fate::percent(50)),
            6 => self.provider.books(|books| books.lost_answers = fate::below(40)),
            // An hour back, or forty days on (R18); rarely, because payments then run out.
            7 if fate::percent(20) => fate::jump(if fate::percent(50) {
                -3_600_000
            } else {
                3_456_000_000
            }),
            _ => {}
        }
    }

    /// Nothing fails any more.
    fn mend(&self) {
        fate::set_right();
        *self.trouble.lock() = Trouble::default();
        self.provider.books(|books| {
            books.is_out = false;
            books.lost_answers = 0;
        });
        // Whose disk failed writes no more until it is started again.
        self.kill();
        self.start();
    }

    /// As long as it takes until nothing is under way any more, and an hour and a half at most.
    async fn rest(&self) {
        self.rests.store(true, Relaxed);
        let mut quiet = 0;
        for _ in 0..180 {
            tokio::time::sleep(std::time::Duration::from_secs(30)).await;
            let is_quiet = self.pad.is_clear() && self.provider.books(|books| books.is_clear());
            quiet = if is_quiet { quiet + 1 } else { 0 };
            if quiet == 3 {
                break;
            }
        }
        self.kill();
    }

    /// The log's writer, moved whenever some time has passed: what waits then is one batch. A town at rest has a slow disk.
    async fn turn(self, hand: Hand) {
        let mut end = 0;
        loop {
            fate::dawdle(if self.rests.load(Relaxed) { 500 } else { 20 }).await;
            hand.turn();
            let now = self.kept.end();
            if now > end {
                end = now;
                self.look();
            }
        }
    }

    /// Looks whether all is as it must be; what is not stays broken.
    fn look(&self) {
        let mut broken = self.broken.lock();
        if broken.is_ok() {
            *broken = self.watch.lock().look(self);
        }
    }

    fn held(&self) -> Held {
        self.look();
        self.broken.lock().clone()
    }
}
