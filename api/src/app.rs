//! The wiring: everything a handler may reach, made once at start.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use eventlog::{EventLog, Position};
use projections::catalogue::{Catalogue, CatalogueFollower};
use projections::database::Place;
use projections::run::{Applied, Projector, Sought};
use projections::store::ReadStore;
use sqlx::AnyPool;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::background::Background;
use crate::config::Settings;
use crate::desk::Desk;
use crate::error::{ApiError, ApiResult};
use crate::files_watch::FilesWatch;
use crate::gateway::PaymentGateway;
use crate::gateway::sandbox::Sandbox;
use crate::limits::Limits;
use crate::messenger::delivery;
use crate::messenger::mail_server::MailServer;
use crate::reactor::Reactor;
use crate::shapes::open_readable;
use crate::streams::Streams;
use crate::views::Views;
use crate::{clock, disk, first_start, storage, webhooks};

/// How long a question waits for what was answered for; then it is told what there is.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);
/// How long what is not found is waited for.
const NEWS: std::time::Duration = std::time::Duration::from_secs(2);
/// How long somebody waits for read models while there is no room to write them in: until there is, they stand still.
const NO_ROOM: std::time::Duration = std::time::Duration::from_millis(100);
/// How long followers may take to finish what they hold when the server stops.
const LAST_WORK: std::time::Duration = std::time::Duration::from_secs(5);

/// Cheap to clone; handed to every handler.
#[derive(Clone)]
pub struct App(Arc<Parts>);

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// What an [`App`] consists of.
pub struct Parts {
    pub settings: Arc<Settings>,
    /// What this process calls itself among the nodes of one database.
    pub node: Arc<str>,
    pub log: EventLog,
    pub read: ReadStore,
    pub applied: Applied,
    /// The last position that this server has answered a command with.
    answered: Arc<AtomicU64>,
    pub catalogue: Arc<Catalogue>,
    /// One-time codes and the outbox.
    pub desk: Desk,
    /// `None`: messages stay in the outbox.
    pub mail: Option<Arc<MailServer>>,
    /// Between those who send them and those who wait for it.
    pub mail_bells: Arc<delivery::Bells>,
    pub limits: Limits,
    /// Streams of events that clients hold open here.
    pub streams: Streams,
    pub views: Views,
    pub pictures: Arc<crate::pictures::Pictures>,
    pub site: Arc<crate::site::Site>,
    pub gateway: Arc<dyn PaymentGateway>,
    /// The test gateway's own pages and card form; `None` with a real gateway.
    pub sandbox: Option<Sandbox>,
    pub chain: Arc<crate::integrity::ChainCheck>,
    pub notary: crate::notary::Notary,
    /// Files beside the log that must stay where they are.
    pub files: FilesWatch,
    /// What goes on beside the answers, and has ended badly.
    pub background: Background,
    stopping: watch::Receiver<bool>,
}

/// The running background work; dropped only after [`Running::stop`].
pub struct Running {
    stop: watch::Sender<bool>,
    streams: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    /// Set when the work is done: leases are given back.
    leave: watch::Sender<bool>,
    leases: Vec<JoinHandle<()>>,
    app: App,
    /// Held as long as this process serves the folder.
    _folder: std::fs::File,
}

impl App {
    /// Opens the log and the read models in the data folder, folds what is new, and starts the followers.
    ///
    /// # Errors
    /// One sentence that names what could not be opened.
    pub async fn start(settings: Settings) -> Result<(Self, Running), String> {
        let folder = serve_alone(&settings.data_dir)?;
        eventlog::clock::start();
        let log = log_of(&settings).await?;
        clock::begin(&log).await?;
        let node = clock::new_id().to_string();
        let tables = Tables::open(&settings, &log, &node).await?;
        let (read, desk, sandbox) = (tables.read, tables.desk, tables.sandbox);
        crate::fit::check(&settings, &log, &read).await?;
        if settings.wants_demo_homes() {
            let loaded = first_start::load_demo_catalogue(&log, &desk, &settings, clock::now()).await?;
            tracing::info!(?loaded, "the demo catalogue is there");
        }
        let (projector, follower) = caught_up(&log, &read, &settings.data_dir).await?;
        let (applied, catalogue) = (projector.applied(), follower.catalogue());
        let pictures = crate::pictures::Pictures::start(&settings.data_dir, settings.variant)?;
        let notary = crate::notary::Notary::open(&settings)?;
        let (stop, streams) = (watch::Sender::new(false), watch::Sender::new(false));
        let mail = settings.mail_server()?.map(Arc::new);
        let app = Self(Arc::new(Parts {
            mail,
            mail_bells: Arc::default(),
            limits: tables.limits,
            streams: Streams::default(),
            settings: Arc::new(settings),
            node: node.as_str().into(),
            log,
            read: read.clone(),
            applied,
            answered: Arc::default(),
            catalogue,
            desk,
            views: tables.views,
            pictures: Arc::new(pictures),
            site: Arc::new(crate::site::Site::new()),
            gateway: Arc::new(sandbox.clone()),
            sandbox: Some(sandbox.clone()),
            chain: Arc::default(),
            notary,
            files: FilesWatch::default(),
            background: Background::default(),
            stopping: streams.subscribe(),
        }));
        app.chain.look_at_start(&app).await;
        let (reactor, duty) = Reactor::open(&app)
            .await
            .map_err(|error| format!("the reactor's agenda cannot be opened: {error}"))?;
        app.files.begin(&app.settings, &app.log);
        let tidying = crate::messenger::keep_tidy(app.clone(), duty.clone(), stop.subscribe());
        let reacting = reactor.start(&stop).into_iter().map(|work| ("reactor", work));
        let tasks = beside_answers(&app, projector, follower, &sandbox, &stop)
            .into_iter()
            .chain([("tidying", tokio::spawn(tidying))])
            .chain(reacting)
            .map(|(name, work)| app.background.watch(name, work))
            .collect();
        let leave = watch::Sender::new(false);
        let duties = [duty, sandbox.duty()];
        let leases = duties.iter().map(|duty| duty.keep(leave.subscribe())).collect();
        let running = Running {
            stop,
            streams,
            tasks,
            leave,
            leases,
            app: app.clone(),
            _folder: folder,
        };
        Ok((app, running))
    }

    /// Comes when the server is asked to stop: answers that would never end, end then.
    pub fn stopping(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stopping = self.stopping.clone();
        async move {
            // Without anybody left to tell, it is over too.
            drop(stopping.wait_for(|stopped| *stopped).await);
        }
    }

    /// What a search of the read models finds, also when it was written a moment ago, on this node or another.
    ///
    /// # Errors
    /// 503 when it is not found and the read models take too long to hear all: then nobody is told that it is not there.
    pub async fn sought<T, S: Future<Output = Result<Option<T>, sqlx::Error>>>(
        &self,
        search: impl Fn() -> S,
    ) -> ApiResult<Option<T>> {
        let head = async { Ok(self.log.head().await?) };
        let search = || async { Ok::<_, ApiError>(search().await?) };
        match self.applied.sought(search, head, self.patience(NEWS)).await? {
            Sought::Found(found) => Ok(Some(found)),
            Sought::Absent => Ok(None),
            Sought::Unheard => Err(self.unheard()),
        }
    }

    /// Waits until the read models have heard all that is known by now, so that looking again tells.
    ///
    /// # Errors
    /// 503 when that takes too long.
    pub async fn hear_all(&self) -> ApiResult<()> {
        let head = self.log.head().await?;
        if self.applied.wait_for(head, self.patience(NEWS)).await {
            Ok(())
        } else {
            Err(self.unheard())
        }
    }

    /// The read models have not heard of everything in time.
    fn unheard(&self) -> ApiError {
        if self.has_room() {
            ApiError::busy()
        } else {
            ApiError::not_shown()
        }
    }

    /// Whether the read models can be written; in a database of its own, it is asked.
    fn has_room(&self) -> bool {
        self.desk.is_shared() || !disk::is_full(&self.settings.data_dir)
    }

    /// How long to wait for read models that are usually waited for as long as that.
    pub fn patience(&self, usual: std::time::Duration) -> std::time::Duration {
        if self.has_room() {
            usual
        } else {
            usual.min(NO_ROOM)
        }
    }

    /// A command was done and is about to be answered: whoever asks from now on hears of it (X9).
    pub fn answers_for(&self, position: Position) {
        self.answered.fetch_max(position, Ordering::AcqRel);
    }

    /// The read models, with all that somebody was given an answer to; after a while, with what there is (decision 0019).
    ///
    /// # Errors
    /// When the log cannot be asked where it ends.
    pub async fn heard(&self) -> ApiResult<&AnyPool> {
        let answered = if self.desk.is_shared() {
            // Another node may have answered.
            self.log.head().await?
        } else {
            self.answered.load(Ordering::Acquire)
        };
        self.wait_for(answered).await;
        Ok(self.read.readers())
    }

    /// Waits until the read models have come to `position`; gives up after a while.
    pub async fn wait_for(&self, position: Position) {
        self.applied.wait_for(position, self.patience(PATIENCE)).await;
    }
}

/// What every node does beside its answers, by name.
fn beside_answers(
    app: &App,
    projector: Projector,
    follower: CatalogueFollower,
    sandbox: &Sandbox,
    stop: &watch::Sender<bool>,
) -> [(&'static str, JoinHandle<()>); 10] {
    let signing = app.notary.clone().watch(app.log.clone(), stop.subscribe());
    let verifying = crate::integrity::keep_verified(app.clone(), stop.subscribe());
    let watching = crate::files_watch::keep_watching(app.clone(), stop.subscribe());
    let telling = crate::streams::keep_telling(app.clone(), stop.subscribe());
    let counting = app.limits.clone().keep(stop.subscribe());
    let carrying = sandbox
        .clone()
        .deliver(webhooks::receiver(app.clone()), stop.subscribe());
    let mailing = delivery::keep_delivering(app.clone(), stop.subscribe());
    [
        ("read_models", tokio::spawn(projector.follow(stop.subscribe()))),
        ("search_index", tokio::spawn(follower.follow(stop.subscribe()))),
        ("signed_heads", tokio::spawn(signing)),
        ("history", tokio::spawn(verifying)),
        ("streams", tokio::spawn(telling)),
        ("files", tokio::spawn(watching)),
        ("limits", tokio::spawn(counting)),
        ("notices", tokio::spawn(carrying)),
        ("mail", tokio::spawn(mailing)),
        ("clock", tokio::spawn(clock::keep_true(stop.subscribe()))),
    ]
}

/// The log with this node's folded states of long streams beside it (decision 0009); in files they lie there already.
async fn log_of(settings: &Settings) -> Result<EventLog, String> {
    let log = open_readable(settings).await?;
    Ok(match settings.place() {
        Place::Folder(_) => log,
        Place::Postgres(_) => log.with_snapshots(&settings.data_dir),
    })
}

/// Everything that is kept beside the log.
struct Tables {
    read: ReadStore,
    desk: Desk,
    views: Views,
    limits: Limits,
    sandbox: Sandbox,
}

impl Tables {
    async fn open(settings: &Settings, log: &EventLog, node: &str) -> Result<Self, String> {
        let place = settings.place();
        let failed =
            |what: &'static str| move |error: sqlx::Error| format!("{what} cannot be opened: {error}");
        Ok(Self {
            read: ReadStore::open(&place).await.map_err(failed("the read models"))?,
            desk: desk_of(&place).await.map_err(failed("the desk's database"))?,
            views: Views::open(&place)
                .await
                .map_err(failed("the counter of looks"))?,
            limits: Limits::open(&place, log.handles(), settings.dev_tools())
                .await
                .map_err(failed("the counter of limits"))?,
            sandbox: Sandbox::open(&place, node)
                .await
                .map_err(failed("the test gateway"))?,
        })
    }
}

/// The desk, with the mails that an earlier process was sending due again.
async fn desk_of(place: &Place) -> Result<Desk, sqlx::Error> {
    let desk = Desk::open(place).await?;
    if let Err(error) = delivery::take_up(&desk).await {
        tracing::error!(%error, "mails that were under way wait until their claims are over");
    }
    Ok(desk)
}

/// The followers of the log, each of which has folded all it holds; side by side, because a first start has much to fold.
async fn caught_up(
    log: &EventLog,
    read: &ReadStore,
    data_dir: &Path,
) -> Result<(Projector, CatalogueFollower), String> {
    let mut follower = CatalogueFollower::new(log.clone());
    let indexing = tokio::spawn(async move { follower.catch_up().await.map(|_position| follower) });
    let mut projector = Projector::new(log.clone(), read.clone(), projections::all(log.handles()));
    match projector.catch_up().await {
        Ok(_reached) => {}
        // What is there can be read all the same, and the rest is folded once there is room (decision 0012).
        Err(error) if crate::disk::is_full(data_dir) => {
            tracing::error!(%error, "the disk is full: the server only reads until there is room");
        }
        Err(error) => return Err(format!("the read models cannot catch up: {error}")),
    }
    let follower = indexing.await.map_err(|error| error.to_string())?;
    let follower = follower.map_err(|error| format!("the search index cannot catch up: {error}"))?;
    Ok((projector, follower))
}

/// One server a folder: a second one would send messages and end holds twice over. The lock goes with the process.
fn serve_alone(data_dir: &Path) -> Result<std::fs::File, String> {
    storage::make_folder(data_dir)?;
    let path = data_dir.join("serve.lock");
    let file = std::fs::File::create(&path)
        .map_err(|error| format!("the file `{}` cannot be made: {error}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(format!(
            "another server works on `{}`: stop it, or set `data_dir` to another folder",
            data_dir.display()
        )),
        Err(std::fs::TryLockError::Error(error)) => {
            Err(format!("the file `{}` cannot be locked: {error}", path.display()))
        }
    }
}

impl Running {
    /// Told `true`, ends the answers that would never end; everything else goes on until [`Running::stop`].
    pub fn streams(&self) -> watch::Sender<bool> {
        self.streams.clone()
    }

    /// Lets the followers finish what they hold and closes the files, as far as there is time for it.
    ///
    /// # Errors
    /// One sentence when the time was over first.
    pub async fn stop(self) -> Result<(), String> {
        self.stop.send_replace(true);
        let ending = async {
            let ended = async |tasks: Vec<JoinHandle<()>>| {
                for task in tasks {
                    if let Err(error) = task.await {
                        tracing::error!(%error, "a background task ended badly");
                    }
                }
            };
            ended(self.tasks).await;
            self.leave.send_replace(true);
            ended(self.leases).await;
            // Nobody writes any more: what was written last is signed too.
            self.app.notary.sign(&self.app.log).await;
            self.app.read.close().await;
        };
        tokio::time::timeout(LAST_WORK, ending).await.map_err(|_late| {
            "background work was still under way when the time to stop was over: the next start goes on with it".to_owned()
        })
    }
}
