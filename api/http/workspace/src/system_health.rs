//! What the server's parts do now, for staff (row K9): read models, outbox, mails, the payment provider, history, disk and files. Counts
//! and names of parts only, nothing of a person.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use chrono::{NaiveTime, TimeDelta};
use domain::user::Role;
use eventlog::{Condition, EventLog};
use gateway::{GatewayError, PaymentGateway};
use health::alerts;
use health::background::Background;
use health::files_watch::FilesWatch;
use health::integrity::ChainCheck;
use health::last_backup;
use health::readiness::{self, ReadModel, Standing};
use http_kit::caller::Staff;
use http_kit::contract::words::{GatewayStateWord, LogWritesWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::ANY_STAFF;
use http_kit::request::RequestContext;
use platform::clock;
use platform::config::Settings;
use platform::disk;
use projections::listing_name;
use projections::payment_audit::{instant, reference};
use projections::photo::naming::count_dead;
use records::Records;
use records::past::position_at;
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::Services;
use crate::feed_health::FeedHealth;
use crate::finance::alerts::AlertView;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(ANY_STAFF, routes!(read_health))
}

/// How long one part may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long an answer of the payment provider counts.
const PROBED_FOR: Duration = Duration::from_secs(30);
/// A refund that no provider has: asking for it moves nothing.
const NO_REFUND: &str = "latchkey-health";

/// The last answer of the payment provider, shared by all who look.
static PROBE: Mutex<Option<(Instant, &'static str)>> = Mutex::const_new(None);

/// State of the server's parts.
#[derive(Debug, Serialize, ToSchema)]
pub struct SystemHealth {
    /// RFC 3339.
    checked_at: String,
    /// The log's last event.
    head: u64,
    #[schema(value_type = LogWritesWord)]
    writes: &'static str,
    maintenance: bool,
    read_models: Vec<ModelHealth>,
    /// Events that the search in memory is behind.
    search_lag: u64,
    /// Null where it could not be asked in time; the same below.
    outbox: Option<QueueHealth>,
    mails: Option<QueueHealth>,
    /// Feeds that are fetched on a schedule.
    feeds: Option<Vec<FeedHealth>>,
    /// Photos that homes name and whose addresses give none.
    dead_photos: u64,
    payment_provider: ProviderHealth,
    /// Events that are not what they were.
    broken_events: u64,
    accepted_breaks: u64,
    /// Names of files that were taken away under the server.
    gone_files: Vec<String>,
    /// Background work that ended badly.
    ended: Vec<String>,
    /// Room types with more bookings for some night to come than rooms: they are closed until a person sees to it.
    oversold_rooms: Vec<OversoldRoom>,
    disk_free_bytes: Option<u64>,
    /// How far this machine's clock is off, in seconds.
    clock_off_seconds: f64,
    /// Matter that needs finance; empty for staff without rights to payments.
    alerts: Vec<AlertView>,
    /// RFC 3339; null: `latchkey backup` never copied this data folder.
    last_backup_at: Option<String>,
    /// Events since the last backup; null without one, or where positions do not count events.
    events_since_backup: Option<u64>,
    /// Events since midnight UTC; null where positions do not count events.
    events_today: Option<u64>,
}

/// A room type with more bookings than rooms.
#[derive(Debug, Serialize, ToSchema)]
pub struct OversoldRoom {
    room_id: String,
    /// Names of the home and of the room type.
    home: String,
    room: String,
    /// How many rooms there are.
    rooms: u32,
    /// References of the bookings.
    bookings: Vec<String>,
}

/// How far one read model has come.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelHealth {
    name: String,
    version: u32,
    position: u64,
    lag: u64,
    lag_seconds: f64,
    /// Streams of which it leaves something out.
    parked: u64,
    rests: bool,
}

/// Work that waits, and what does not work.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueHealth {
    waiting: u64,
    failing: u64,
}

/// State of the payment provider.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderHealth {
    /// `sandbox` or `stripe`.
    kind: String,
    #[schema(value_type = GatewayStateWord)]
    state: &'static str,
}

/// `GET /api/v0/workspace/health`.
///
/// # Errors
/// 503 while the log or the read models cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/health", responses((status = 200, body = Success<SystemHealth>)))]
#[expect(
    clippy::too_many_arguments,
    reason = "each is a part of the server that is looked at"
)]
pub async fn read_health(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(chain): State<Arc<ChainCheck>>,
    State(files): State<Arc<FilesWatch>>,
    State(background): State<Background>,
    State(gateway): State<Arc<dyn PaymentGateway>>,
    _context: RequestContext,
    staff: Staff,
) -> ApiResult<Success<SystemHealth>> {
    let Standing { head, read_models } = readiness::standing(&records).await?;
    let (search_lag, _) = readiness::behind(&records.log, records.catalogue.position(), head).await?;
    let place = settings.place();
    let (outbox, mails, feeds, state) = tokio::join!(
        in_time(processes::reactor::outbox(&place)),
        in_time(messages::delivery::counts(&place)),
        in_time(fetching::state::list_feeds(&place)),
        provider_state(&*gateway),
    );
    let (accepted, broken) = chain.known();
    let may_pay = staff
        .roles
        .iter()
        .any(|role| matches!(role, Role::Finance | Role::Admin));
    let alerts = if may_pay {
        let found = alerts::standing(&records, &settings, &chain, clock::now()).await;
        found.unwrap_or_default()
    } else {
        Vec::new()
    };
    let off = eventlog::clock::off().num_milliseconds();
    #[expect(clippy::cast_precision_loss, reason = "seconds are shown")]
    let clock_off_seconds = off as f64 / 1_000.0;
    let backup = last_backup::read(&settings.data_dir);
    let is_counted = records.log.capabilities().dense_positions;
    let count = i64::unsigned_abs;
    Ok(Success::new(SystemHealth {
        checked_at: instant(clock::now()),
        head,
        writes: writes(&records, &settings),
        maintenance: settings.in_maintenance(),
        read_models: read_models.into_iter().map(ModelHealth::from).collect(),
        search_lag,
        outbox: outbox.map(|outbox| QueueHealth {
            waiting: count(outbox.waiting),
            failing: count(outbox.failing),
        }),
        mails: mails.map(|(waiting, refused)| QueueHealth {
            waiting: count(waiting),
            failing: count(refused),
        }),
        feeds: feeds.map(|feeds| feeds.into_iter().map(FeedHealth::from).collect()),
        dead_photos: count_dead(records.read.readers()).await?,
        payment_provider: ProviderHealth {
            kind: gateway.kind().to_owned(),
            state,
        },
        broken_events: broken.len() as u64,
        accepted_breaks: accepted.len() as u64,
        gone_files: files.gone().iter().map(|gone| gone.file.to_owned()).collect(),
        ended: background.ended().into_iter().map(str::to_owned).collect(),
        oversold_rooms: name_oversold(&records).await?,
        disk_free_bytes: disk::free_bytes(&settings.data_dir).ok(),
        clock_off_seconds,
        alerts: alerts.into_iter().map(AlertView::from).collect(),
        last_backup_at: backup.as_ref().map(|backup| instant(backup.taken_at)),
        events_since_backup: backup
            .filter(|_| is_counted)
            .map(|backup| head.saturating_sub(backup.position)),
        events_today: events_today(&records.log, head).await?,
    }))
}

/// The room types that are oversold, by their names.
async fn name_oversold(records: &Records) -> ApiResult<Vec<OversoldRoom>> {
    let mut named = Vec::new();
    for oversold in records.catalogue.oversold() {
        let name = listing_name::find(records.read.readers(), &oversold.room.to_string()).await?;
        let (home, room) = name.map_or_else(Default::default, |name| (name.property, name.room));
        named.push(OversoldRoom {
            room_id: oversold.room.to_string(),
            home,
            room: room.unwrap_or_default(),
            rooms: oversold.rooms,
            bookings: oversold.bookings.into_iter().map(reference).collect(),
        });
    }
    Ok(named)
}

impl From<ReadModel> for ModelHealth {
    fn from(model: ReadModel) -> Self {
        Self {
            name: model.name.to_owned(),
            version: model.version,
            position: model.position,
            lag: model.lag,
            lag_seconds: model.lag_seconds,
            parked: model.parked as u64,
            rests: model.error.is_some(),
        }
    }
}

fn writes(records: &Records, settings: &Settings) -> &'static str {
    match records.log.condition() {
        Condition::Stopped(_) => "stopped",
        Condition::Full => "disk_full",
        Condition::Well if disk::is_full(&settings.data_dir) => "disk_full",
        Condition::Well => "taken",
    }
}

/// Events since midnight UTC, where positions count events.
async fn events_today(log: &EventLog, head: u64) -> ApiResult<Option<u64>> {
    if !log.capabilities().dense_positions {
        return Ok(None);
    }
    let midnight = clock::now().date_naive().and_time(NaiveTime::MIN).and_utc();
    // What was recorded at midnight itself belongs to the day that begins.
    let before = position_at(log, midnight - TimeDelta::microseconds(1)).await?;
    Ok(Some(head.saturating_sub(before)))
}

async fn in_time<T>(asked: impl Future<Output = Result<T, sqlx::Error>>) -> Option<T> {
    tokio::time::timeout(PATIENCE, asked).await.ok()?.ok()
}

/// Asked at most every half minute, however many pages look. What the provider refuses, it has answered.
async fn provider_state(gateway: &dyn PaymentGateway) -> &'static str {
    let mut last = PROBE.lock().await;
    if let Some((at, state)) = *last
        && at.elapsed() < PROBED_FOR
    {
        return state;
    }
    let state = match tokio::time::timeout(PATIENCE, gateway.find_refund(NO_REFUND)).await {
        Err(_late) => "away",
        Ok(Err(GatewayError::Unreachable)) => "away",
        Ok(Ok(_) | Err(GatewayError::Refused(_) | GatewayError::KeyReused)) => "reachable",
    };
    *last = Some((Instant::now(), state));
    state
}
