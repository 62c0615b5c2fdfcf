//! The price that an enquiry froze, as its pages show it and as payments count it (decision 0025).

use domain::aggregate::Decide as _;
use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::let_room::LetRoom;
use domain::inventory::price_lock::QuoteLock;
use domain::inventory::stay_price::stay_price_minor;
use domain::lead::Lead;
use domain::lease::Stay;
use domain::moment::Moment;
use eventlog::{EventLog, StreamId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::contract::words::{PeriodWord, PriceLockStateWord};
use crate::error::{ApiError, ApiResult};

/// A frozen price beside today's.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PriceLock)]
pub struct PriceLockView {
    #[schema(value_type = PriceLockStateWord)]
    pub state: &'static str,
    pub until: String,
    /// The price of the stay when it was asked for.
    pub frozen_minor: u64,
    pub now_minor: u64,
    /// Price that counts: the lower one before the deadline, today's after it.
    pub counts_minor: u64,
    pub currency: &'static str,
    pub symbol: &'static str,
    pub decimals: u32,
    #[schema(value_type = PeriodWord)]
    pub duration: &'static str,
}

/// The home as it stood when the enquiry froze its terms.
///
/// # Errors
/// When the log cannot be read.
pub async fn frozen_home(log: &EventLog, lock: &QuoteLock) -> ApiResult<Inventory> {
    let stream = StreamId::of::<Inventory>(lock.home_id);
    let limit = usize::try_from(lock.revision).unwrap_or(usize::MAX);
    let mut home = Inventory::default();
    for event in log.read_stream(&stream, 0, limit).await? {
        home.evolve(&event.decode_sealed::<Inventory>().map_err(ApiError::broken)?);
    }
    Ok(home)
}

/// The frozen price of an enquiry for a room; `None` where nothing was frozen, the room was not there yet, it is booked, or
/// the home asks in another currency or for another period by now.
///
/// # Errors
/// When the log cannot be read.
pub async fn price_lock(
    log: &EventLog,
    lead: &Lead,
    (room_id, stay): (InventoryId, Option<Stay>),
    at: Moment,
) -> ApiResult<Option<PriceLockView>> {
    let lock = lead.submission.as_ref().and_then(|sent| sent.quote);
    let Some(lock) = lock.filter(|_| lead.booked_by.is_none()) else {
        return Ok(None);
    };
    let now = log.load::<Inventory>(lock.home_id).await?.state;
    let then = frozen_home(log, &lock).await?;
    let price = |home: &Inventory| {
        let room = home.rooms.iter().find(|room| room.details.id == room_id)?;
        price_of(room, stay, lead)
    };
    let (Some(frozen_minor), Some(now_minor), Some(property)) = (price(&then), price(&now), &now.property)
    else {
        return Ok(None);
    };
    // An amount of another currency or period is not compared.
    let is_same = then
        .property
        .as_ref()
        .is_some_and(|then| then.has_money_of(property));
    let currency = property.currency;
    Ok(is_same.then(|| PriceLockView {
        state: lock.state(frozen_minor, now_minor, at).name(),
        until: lock.until.to_rfc3339(),
        frozen_minor,
        now_minor,
        counts_minor: lock.counts(frozen_minor, now_minor, at),
        currency: currency.code(),
        symbol: currency.symbol(),
        decimals: currency.decimals(),
        duration: property.period.key(),
    }))
}

/// Who said nothing of dates is told of the first lease.
fn price_of(room: &LetRoom, stay: Option<Stay>, lead: &Lead) -> Option<u64> {
    let named = stay_price_minor(room, stay, &lead.wish);
    named.or_else(|| room.leases.first().map(|lease| lease.price_minor))
}
