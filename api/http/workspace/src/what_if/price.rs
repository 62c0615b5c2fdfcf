//! What the stay of a lead costs before the acts of a branch and after them, at the prices of its home now or at those of an earlier
//! moment (row N3).

use domain::aggregate::Decide as _;
use domain::booking_form::BookingForm;
use domain::id::{InventoryId, LeadId};
use domain::inventory::Inventory;
use domain::inventory::asked_price::asked_minor;
use domain::lead::Lead;
use domain::moment::Moment;
use eventlog::{EventLog, StreamId};
use http_kit::contract::words::PeriodWord;
use http_kit::error::{ApiError, ApiResult};
use http_kit::price_lock::price_lock;
use serde::Serialize;
use utoipa::ToSchema;

use super::conditions::no_price;
use super::shown::read_from;

/// The price of a stay that is not booked, per period of its home; null where it is booked or its home lets no such room.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BranchStayPrice)]
pub struct StayPrice {
    pub before_minor: Option<u64>,
    pub after_minor: Option<u64>,
    pub currency: &'static str,
    pub symbol: &'static str,
    pub decimals: u32,
    #[schema(value_type = PeriodWord)]
    pub duration: &'static str,
}

/// Prices the stay in the log before the acts and in the branch's, each as judged at its moment. With `prices_of`, the stay costs after
/// the acts what the home asked at that moment.
///
/// # Errors
/// 422 where the home had no price at that moment, or one in another currency or for another period than now.
pub(super) async fn of_stay(
    lead_id: LeadId,
    before: (&EventLog, Moment),
    after: (&EventLog, Moment),
    prices_of: Option<Moment>,
) -> ApiResult<Option<StayPrice>> {
    let (was, is) = (
        Wished::of(before.0, lead_id).await?,
        Wished::of(after.0, lead_id).await?,
    );
    let Some(home_id) = is.home_id else {
        return prices_of.map_or(Ok(None), |_| Err(no_price()));
    };
    let home = before.0.load::<Inventory>(home_id).await?.state;
    let then = match prices_of {
        Some(at) => Some(home_at(before.0, home_id, at).await?),
        None => None,
    };
    let Some(property) = home.property.as_deref() else {
        return Ok(None);
    };
    let before_minor = was.counting(before, &home).await?;
    let is_same_money = |then: &Inventory| {
        let then = then.property.as_deref();
        then.is_some_and(|then| then.has_money_of(property))
    };
    let after_minor = match &then {
        Some(then) if is_same_money(then) => is.asked(then),
        // A price in another currency, or for another period, is none beside those of today.
        Some(_) => return Err(no_price()),
        None => is.counting(after, &home).await?,
    };
    let currency = property.currency;
    let is_priced = before_minor.or(after_minor).is_some();
    Ok(is_priced.then(|| StayPrice {
        before_minor,
        after_minor,
        currency: currency.code(),
        symbol: currency.symbol(),
        decimals: currency.decimals(),
        duration: property.period.key(),
    }))
}

/// What decides the price of a lead's stay.
struct Wished {
    lead: Lead,
    home_id: Option<InventoryId>,
    room: Option<InventoryId>,
}

impl Wished {
    /// The room is the one of the form, else the one that was asked for.
    async fn of(log: &EventLog, lead_id: LeadId) -> ApiResult<Self> {
        let lead = log.load::<Lead>(lead_id).await?.state;
        let chosen = match lead.form {
            Some((form_id, _)) => {
                let form = log.load::<BookingForm>(form_id).await?.state;
                form.start.map(|start| start.inventory_id)
            }
            None => None,
        };
        let sent = lead.submission.as_deref();
        let home_id = sent.and_then(|sent| sent.inventory_root_id);
        let asked_for = chosen.or_else(|| sent.and_then(|sent| sent.inventory_id));
        Ok(Self {
            room: asked_for.filter(|room| Some(*room) != home_id),
            home_id,
            lead,
        })
    }

    /// What a home asks for the stay.
    fn asked(&self, home: &Inventory) -> Option<u64> {
        let is_open = self.lead.booked_by.is_none();
        asked_minor(home, self.room, &self.lead.wish).filter(|_| is_open)
    }

    /// The same, or the price that the enquiry froze, whichever counts at the moment.
    async fn counting(&self, (log, at): (&EventLog, Moment), home: &Inventory) -> ApiResult<Option<u64>> {
        let kept = match self.room {
            Some(room) => price_lock(log, &self.lead, (room, None), at).await?,
            None => None,
        };
        Ok(kept.map(|kept| kept.counts_minor).or_else(|| self.asked(home)))
    }
}

/// The home as its stream tells it up to a moment.
async fn home_at(log: &EventLog, home_id: InventoryId, at: Moment) -> ApiResult<Inventory> {
    let mut home = Inventory::default();
    for event in read_from(log, StreamId::of::<Inventory>(home_id), 0).await? {
        if event.recorded_at > at {
            break;
        }
        home.evolve(&event.decode_sealed::<Inventory>().map_err(ApiError::broken)?);
    }
    if home.property.is_some() {
        Ok(home)
    } else {
        Err(no_price())
    }
}
