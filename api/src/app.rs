//! The wiring: everything a handler may reach, made once at start.

use std::ops::Deref;
use std::sync::Arc;

use account::mirror::room::Mirrors;
use account::otp::Codes;
use booking::payments::Payments;
use booking::receipts::ReceiptOffice;
use booking::sandbox_pages::TestGateway;
use booking::webhooks;
use eventlog::EventLog;
use gateway_sandbox::Sandbox;
use health::background::Background;
use health::files_watch::FilesWatch;
use health::integrity::ChainCheck;
use health::measure::Measured;
use health::notary::Notary;
use http_kit::caller::Sessions;
use http_kit::limits::Limits;
use http_kit::recaptcha::Recaptcha;
use http_kit::stopping::Stopping;
use http_kit::streams::Streams;
use intake::commands::IntakeDesk;
use intake::scheduled::ScheduleDesk;
use messages::mail_server::MailServer;
use messages::sms_provider::SmsProvider;
use messages::{Carrier, Carriers, Outbox, delivery};
use pages::pages::sources::PageSources;
use pages::site::PagePrinter;
use photos::store::PhotoStore;
use pictures::Pictures;
use platform::clock;
use platform::config::Settings;
use platform::config::recaptcha::RecaptchaKeys;
use platform::desk::Desk;
use platform::sites::Sites;
use processes::brands;
use processes::document_store::DocumentStore;
use processes::erasure::Erasure;
use processes::evidence::EvidenceOffice;
use processes::provider_account;
use processes::reactor::Reactor;
use processes::reactor::agenda::StoredAgenda;
use processes::site_settings;
use projections::run::Projector;
use projections::store::ReadStore;
use records::Records;
use records::past::Past;
use search_index::IndexFollower;
use shop::views::Views;
use storage::shapes::open_readable;
use tables::Place;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use workspace::presence::Presence;

use crate::on_duty::{start_on_duty, work_on_uploads};
use crate::opening::{caught_up, desk_of, serve_alone, write_first_facts};
use crate::payment_provider::PaymentProvider;

/// How long followers may take to finish what they hold when the server stops.
const LAST_WORK: std::time::Duration = std::time::Duration::from_secs(5);

/// Every service of the process, made once at start. Only the router and the start name it; a handler asks for the
/// services it uses.
#[derive(Clone)]
pub struct App {
    parts: Arc<Parts>,
    /// What readers of the past read instead of today's records.
    pub(crate) earlier: Option<Records>,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// What an [`App`] consists of.
pub struct Parts {
    pub settings: Arc<Settings>,
    pub sites: Sites,
    pub records: Records,
    /// The records as they stood before.
    pub past: Past,
    pub sessions: Sessions,
    pub codes: Codes,
    /// Messages to people.
    pub outbox: Outbox,
    pub documents: DocumentStore,
    pub limits: Limits,
    pub recaptcha: Recaptcha,
    /// Streams of events that clients hold open here.
    pub streams: Streams,
    pub views: Views,
    pub photos: PhotoStore,
    /// Uploads of feeds.
    pub intake: IntakeDesk,
    /// Feeds on a schedule, as staff see and set them.
    pub feed_schedule: ScheduleDesk,
    pub pictures: Arc<Pictures>,
    pub payments: Payments,
    pub pages: PageSources,
    pub printer: Arc<PagePrinter>,
    /// The test gateway's own pages and card form.
    pub test_gateway: TestGateway,
    pub sandbox: Option<Sandbox>,
    pub chain: Arc<ChainCheck>,
    pub notary: Notary,
    /// Receipts, their papers and their proofs.
    pub receipts: ReceiptOffice,
    /// Files beside the log that must stay where they are.
    pub files: Arc<FilesWatch>,
    /// What goes on beside the answers, and has ended badly.
    pub background: Background,
    pub stopping: Stopping,
    /// Who has a lead's page open.
    pub presence: Presence,
    /// Whose steps support sees.
    pub mirrors: Mirrors,
    /// Closed after the log, which misses the desk's files while it lives.
    pub(crate) desk: Desk,
}

impl From<Parts> for App {
    fn from(parts: Parts) -> Self {
        Self {
            parts: Arc::new(parts),
            earlier: None,
        }
    }
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
        operations::rehearsal::admit_start(&settings).await?;
        let feeds = fetching::feeds_file::read_feeds(&settings)?;
        eventlog::clock::start();
        let log = log_of(&settings).await?;
        clock::begin(&log).await?;
        let node = clock::new_id().to_string();
        let tables = Tables::open(&settings, &log, &node).await?;
        let (read, provider) = (tables.read.clone(), tables.provider.clone());
        operations::fit::check(&settings, &log, &read).await?;
        write_first_facts(&settings, &log, &tables.desk).await?;
        let agenda = agenda_of(&settings, &node).await?;
        let (projector, follower) = caught_up(&log, &read, &settings.data_dir).await?;
        let records = Records::new(
            log,
            (read, projector.applied()),
            follower.search_index(),
            tables.desk.is_shared(),
            &settings.data_dir,
        );
        let (stop, streams) = (watch::Sender::new(false), watch::Sender::new(false));
        let app = Self::of(settings, records, tables, &streams)?;
        app.chain.look_at_start().await;
        site_settings::take_over(&app.records.log, &app.settings).await?;
        let served = brands::take_over(app.records.read.readers(), &app.settings).await;
        served.map_err(|error| format!("published brands cannot be read: {error}"))?;
        let erasure = Erasure {
            settings: app.settings.clone(),
            log: app.records.log.clone(),
            desk: app.codes.desk.clone(),
            gateway: app.payments.gateway.clone(),
        };
        let (reactor, duty) = Reactor::on(
            agenda,
            (&app.settings, &app.sites),
            app.records.log.clone(),
            app.payments.gateway.clone(),
            app.outbox.clone(),
            Arc::new(erasure),
        );
        let reactor = reactor.answering_disputes(EvidenceOffice::new(&app.records, &app.settings));
        app.files.begin(&app.settings, &app.records.log);
        let reacting = reactor.start(&stop).into_iter().map(|work| ("reactor", work));
        let mut to_the_outside = Vec::new();
        if !app.settings.rehearsal {
            to_the_outside.extend(reaching_outside(&app, &provider, &stop));
            to_the_outside.extend(start_on_duty(&app, &duty, &stop, feeds));
        }
        let tasks = beside_answers(&app, projector, follower, &stop)
            .into_iter()
            .chain(to_the_outside)
            .chain(reacting)
            .map(|(name, work)| app.background.watch(name, work))
            .collect();
        let leave = watch::Sender::new(false);
        let duties = [duty, provider.duty()];
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

    /// The services, each made of those it needs.
    fn of(
        settings: Settings,
        records: Records,
        tables: Tables,
        streams: &watch::Sender<bool>,
    ) -> Result<Self, String> {
        let Tables {
            desk,
            views,
            limits,
            provider,
            ..
        } = tables;
        let countries = demo::countries()?;
        let pictures = Arc::new(Pictures::start(&settings.data_dir, settings.variant, countries)?);
        let notary = Notary::open(&settings)?;
        let settings = Arc::new(settings);
        let log = records.log.clone();
        let sessions = Sessions {
            records: records.clone(),
            settings: settings.clone(),
        };
        let payments = Payments {
            records: records.clone(),
            limits: limits.clone(),
            gateway: provider.gateway(&settings),
        };
        let with_stripe = payments.gateway.publishable_key().is_some();
        let sites = Sites::of_settings(&settings);
        let outbox = outbox((&settings, &sites), &desk, &log, streams.subscribe())?;
        let recaptcha = Recaptcha::of_settings(&settings, &limits)?;
        let pages = PageSources::new(&sessions, &payments, &views, &sites);
        let (outside, data_dir) = (notary.outside().clone(), settings.data_dir.clone());
        let chain = Arc::new(ChainCheck::new(log.clone(), outside, data_dir));
        let receipts = ReceiptOffice::new(&payments, (&settings, &sites), &notary, &chain);
        let parts = Parts {
            past: Past::new(records.clone()),
            records,
            sessions,
            codes: open_codes(&log, &desk, &limits, &settings),
            outbox,
            documents: DocumentStore::new(desk.clone(), &settings.data_dir),
            limits,
            recaptcha,
            streams: Streams::default(),
            views,
            photos: PhotoStore::open(&settings)?,
            intake: IntakeDesk::new(desk.clone(), &settings.data_dir),
            feed_schedule: ScheduleDesk::open(&desk, &settings)?,
            pictures,
            payments,
            pages,
            printer: Arc::new(PagePrinter::new(
                with_stripe,
                RecaptchaKeys::of_settings(&settings)?,
            )),
            test_gateway: TestGateway::new(provider.sandbox(&settings), settings.dev_tools()),
            sandbox: provider.sandbox(&settings),
            chain,
            notary,
            receipts,
            files: Arc::default(),
            sites,
            background: Background::default(),
            stopping: Stopping::new(streams.subscribe()),
            settings,
            presence: Presence::at(desk.clone()),
            mirrors: Mirrors::at(log, desk.clone()),
            desk,
        };
        Ok(parts.into())
    }

    /// The same services over the records of an earlier time, for reads alone.
    #[must_use]
    pub fn reading(&self, past: Records) -> Self {
        Self {
            parts: self.parts.clone(),
            earlier: Some(past),
        }
    }

    /// What the figures of the process are taken from.
    pub fn measured(&self) -> Measured {
        Measured {
            records: self.records.clone(),
            settings: self.settings.clone(),
            chain: self.chain.clone(),
            files: self.files.clone(),
        }
    }
}

/// The one-time codes of logins.
fn open_codes(log: &EventLog, desk: &Desk, limits: &Limits, settings: &Arc<Settings>) -> Codes {
    Codes {
        log: log.clone(),
        desk: desk.clone(),
        limits: limits.clone(),
        settings: Arc::clone(settings),
    }
}

/// What every node does beside its answers, by name.
fn beside_answers(
    app: &App,
    projector: Projector,
    follower: IndexFollower,
    stop: &watch::Sender<bool>,
) -> [(&'static str, JoinHandle<()>); 12] {
    let log = &app.records.log;
    let signing = app.notary.clone().watch(log.clone(), stop.subscribe());
    let verifying = health::integrity::keep_verified(app.chain.clone(), stop.subscribe());
    let watching = health::files_watch::keep_watching(app.files.clone(), stop.subscribe());
    let telling = http_kit::streams::keep_telling(app.records.clone(), app.streams.clone(), stop.subscribe());
    let counting = app.limits.clone().keep(stop.subscribe());
    let setting = site_settings::keep_following(log.clone(), app.settings.clone(), stop.subscribe());
    let readers = app.records.read.readers().clone();
    let branding = brands::keep_following(readers, app.settings.clone(), stop.subscribe());
    let mirroring = app.mirrors.clone().keep_ending(stop.subscribe());
    [
        ("read_models", tokio::spawn(projector.follow(stop.subscribe()))),
        ("search_index", tokio::spawn(follower.follow(stop.subscribe()))),
        ("signed_heads", tokio::spawn(signing)),
        ("history", tokio::spawn(verifying)),
        ("streams", tokio::spawn(telling)),
        ("files", tokio::spawn(watching)),
        ("limits", tokio::spawn(counting)),
        ("mirrors", tokio::spawn(mirroring)),
        ("settings", tokio::spawn(setting)),
        ("brands", tokio::spawn(branding)),
        ("uploads of feeds", work_on_uploads(app, stop)),
        ("clock", tokio::spawn(clock::keep_true(stop.subscribe()))),
    ]
}

/// Tasks that speak to the provider, the mail server and the webhook, by name; none in a rehearsal.
fn reaching_outside(
    app: &App,
    provider: &PaymentProvider,
    stop: &watch::Sender<bool>,
) -> [(&'static str, JoinHandle<()>); 4] {
    let carrying = provider.clone().bring_notices(
        webhooks::receiver(app.records.log.clone(), app.payments.gateway.clone()),
        stop.subscribe(),
    );
    let accounting = provider_account::keep_reading(
        app.records.log.clone(),
        app.payments.gateway.clone(),
        app.records.read.readers().clone(),
        provider.duty(),
        stop.subscribe(),
    );
    let alerting = app.alerts().keep_watching(provider.duty(), stop.subscribe());
    let mailing = delivery::keep_delivering(app.outbox.clone(), stop.subscribe());
    [
        ("notices", tokio::spawn(carrying)),
        ("mail", tokio::spawn(mailing)),
        ("provider_account", tokio::spawn(accounting)),
        ("alerts", tokio::spawn(alerting)),
    ]
}

/// The reactor's agenda. Opened before the fold: on a full disk a file is opened with the room that its own last opening took, and
/// the fold would take that.
async fn agenda_of(settings: &Settings, node: &str) -> Result<StoredAgenda, String> {
    StoredAgenda::open(&settings.place(), node)
        .await
        .map_err(|error| format!("the reactor's agenda cannot be opened: {error}"))
}

/// The log with this node's folded states of long streams beside it (decision 0009); in files they lie there already.
async fn log_of(settings: &Settings) -> Result<EventLog, String> {
    let log = open_readable(settings).await?;
    Ok(match settings.place() {
        Place::Folder(_) => log,
        Place::Postgres(_) => storage::sqlite::with_snapshots(log, &settings.data_dir),
    })
}

/// Everything that is kept beside the log.
struct Tables {
    read: ReadStore,
    desk: Desk,
    views: Views,
    limits: Limits,
    provider: PaymentProvider,
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
            provider: PaymentProvider::open(settings, node).await?,
        })
    }
}

/// The outbox of messages, with the mail server and the provider of text messages of the settings.
fn outbox(
    (settings, sites): (&Arc<Settings>, &Sites),
    desk: &Desk,
    log: &EventLog,
    stopping: watch::Receiver<bool>,
) -> Result<Outbox, String> {
    let server = MailServer::of_settings(settings)?;
    let provider = SmsProvider::of_settings(settings)?;
    let carriers = Carriers {
        mail: server.map(|server| Arc::new(server) as Arc<dyn Carrier>),
        texts: provider.map(|provider| Arc::new(provider) as Arc<dyn Carrier>),
    };
    let handles = log.handles().clone();
    Ok(Outbox::new(
        desk.clone(),
        handles,
        (settings.clone(), sites.clone()),
        carriers,
        stopping,
    ))
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
            self.app.notary.sign(&self.app.records.log).await;
            self.app.records.read.close().await;
        };
        tokio::time::timeout(LAST_WORK, ending).await.map_err(|_late| {
            "background work was still under way when the time to stop was over: the next start goes on with it".to_owned()
        })
    }
}
