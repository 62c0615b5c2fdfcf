//! The wiring: everything a handler may reach, made once at start.

use std::sync::Arc;

use eventlog::EventLog;
use projections::catalogue::{Catalogue, CatalogueFollower};
use projections::run::{Applied, Projector};
use projections::store::ReadStore;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Settings;
use crate::gateway::PaymentGateway;
use crate::gateway::sandbox::Sandbox;
use crate::reactor::Reactor;
use crate::views::Views;
use crate::{clock, first_start, webhooks};

/// How long a command's answer waits for the read models; the client's next read waits again by position.
const WRITE_PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// Cheap to clone; handed to every handler.
#[derive(Clone)]
pub struct App {
    pub settings: Arc<Settings>,
    pub log: EventLog,
    pub read: ReadStore,
    pub applied: Applied,
    pub catalogue: Arc<Catalogue>,
    /// One-time codes and the outbox.
    pub desk: crate::desk::Desk,
    pub limits: Arc<crate::limits::Limits>,
    pub proofs: Arc<crate::proof_of_work::Proofs>,
    pub views: Views,
    pub pictures: Arc<crate::pictures::Pictures>,
    pub site: Arc<crate::site::Site>,
    pub gateway: Arc<dyn PaymentGateway>,
    /// The test gateway's own pages and card form; `None` with a real gateway.
    pub sandbox: Option<Sandbox>,
    /// Unknown payment links asked for, per address (T14).
    pub guesses: Arc<Guesses>,
    pub chain: Arc<crate::finance::chain::ChainCheck>,
}

/// Counts what an address guesses.
pub type Guesses = governor::DefaultKeyedRateLimiter<std::net::IpAddr>;

/// Unknown payment links an address may ask for within a minute.
const GUESSES: std::num::NonZeroU32 = std::num::NonZeroU32::MIN.saturating_add(59);

/// The running background work; dropped only after [`Running::stop`].
pub struct Running {
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    read: ReadStore,
}

impl App {
    /// Opens the log and the read models in the data folder, folds what is new, and starts the followers.
    ///
    /// # Errors
    /// One sentence that names what could not be opened.
    pub async fn start(settings: Settings) -> Result<(Self, Running), String> {
        std::fs::create_dir_all(&settings.data_dir).map_err(|error| {
            format!(
                "the folder `{}` of the setting `data_dir` cannot be made: {error}",
                settings.data_dir.display()
            )
        })?;
        let log = EventLog::open_sqlite(&settings.data_dir)
            .await
            .map_err(|error| format!("the event log cannot be opened: {error}"))?;
        if settings.demo_catalogue {
            let loaded = first_start::load_demo_catalogue(&log, &settings.data_dir, clock::now()).await?;
            tracing::info!(?loaded, "the demo catalogue is there");
        }
        let read = ReadStore::open(&settings.data_dir)
            .await
            .map_err(|error| format!("the read models cannot be opened: {error}"))?;
        let desk = crate::desk::Desk::open(&settings.data_dir)
            .await
            .map_err(|error| format!("the desk's database cannot be opened: {error}"))?;
        let mut projector = Projector::new(log.clone(), read.clone(), projections::all(log.handles()));
        projector
            .catch_up()
            .await
            .map_err(|error| format!("the read models cannot catch up: {error}"))?;
        let applied = projector.applied();
        let mut follower = CatalogueFollower::new(log.clone());
        follower
            .catch_up()
            .await
            .map_err(|error| format!("the search index cannot catch up: {error}"))?;
        let catalogue = follower.catalogue();
        let views = Views::open(&settings.data_dir)
            .await
            .map_err(|error| format!("the counter of looks cannot be opened: {error}"))?;
        let site = crate::site::Site::new();
        let limits = crate::limits::Limits::new(settings.dev_tools());
        let sandbox = Sandbox::open(&settings.data_dir)
            .await
            .map_err(|error| format!("the test gateway cannot be opened: {error}"))?;
        let pictures = crate::pictures::Pictures::start(&settings.data_dir, settings.variant)?;
        let app = Self {
            limits: Arc::new(limits),
            proofs: Arc::default(),
            settings: Arc::new(settings),
            log,
            read: read.clone(),
            applied,
            catalogue,
            desk,
            views,
            pictures: Arc::new(pictures),
            site: Arc::new(site),
            gateway: Arc::new(sandbox.clone()),
            sandbox: Some(sandbox.clone()),
            chain: Arc::default(),
            guesses: Arc::new(Guesses::keyed(governor::Quota::per_minute(GUESSES))),
        };
        let stop = watch::Sender::new(false);
        let mut tasks = vec![
            tokio::spawn(projector.follow(stop.subscribe())),
            tokio::spawn(follower.follow(stop.subscribe())),
            tokio::spawn(sandbox.deliver(webhooks::receiver(app.clone()), stop.subscribe())),
        ];
        let reactor = Reactor::open(&app)
            .await
            .map_err(|error| format!("the reactor's agenda cannot be opened: {error}"))?;
        tasks.extend(reactor.start(&stop));
        Ok((app, Running { stop, tasks, read }))
    }

    /// Lets the read models see what was just written, so that the answer's reader finds it (X9); gives up after a while.
    pub async fn wait_for(&self, position: eventlog::Position) {
        self.applied.wait_for(position, WRITE_PATIENCE).await;
    }
}

impl Running {
    /// Lets the followers finish what they hold and closes the files.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        for task in self.tasks {
            if let Err(error) = task.await {
                tracing::error!(%error, "a background task ended badly");
            }
        }
        self.read.close().await;
    }
}
