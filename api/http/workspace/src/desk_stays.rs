//! The stays that the home of a lead lets, with what each costs this student. Support picks from them, and nothing else is sent: a stay that is
//! not let could not be paid.

use booking::payments::view::PriceView;
use domain::booking_form::BookingForm;
use domain::id::InventoryId;
use domain::inventory::Inventory;
use domain::inventory::let_room::LeaseOption;
use domain::language::Language;
use domain::lead::desk::{PricedStay, StayChange};
use domain::lead::{Lead, LeadWish};
use domain::payment::terms::Terms;
use eventlog::EventLog;
use http_kit::contract::price::Price;
use http_kit::error::{ApiError, ApiResult};
use http_kit::price_lock::price_lock;
use http_kit::said::say;
use platform::clock;
use processes::payment_room::{self, Room};
use serde::Serialize;
use utoipa::ToSchema;

/// A stay in a room, and what it costs this student.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct DeskStay {
    pub inventory_id: Option<String>,
    /// The room's name.
    pub room: Option<String>,
    pub move_in_date: Option<String>,
    pub lease_duration: Option<String>,
    /// The rent for each week or month; null where the room is not let for these dates.
    #[schema(value_type = Option<Price>)]
    pub rent: Option<PriceView>,
}

/// A lead's home as its stays are picked from it.
pub(crate) struct LetHome {
    home: Inventory,
    rooms: Vec<Room>,
    /// The lead's own room.
    pub(crate) room: Option<InventoryId>,
    /// The stay that its payment agreed on.
    agreed: Option<PricedStay>,
}

impl LetHome {
    /// Reads the home of a lead; `None` where the enquiry names none.
    pub(crate) async fn find(log: &EventLog, lead: &Lead) -> ApiResult<Option<Self>> {
        let sent = lead.submission.as_deref();
        let Some(home_id) = sent.and_then(|sent| sent.inventory_root_id) else {
            return Ok(None);
        };
        let of_form = match lead.form {
            Some((form_id, _)) => log.load::<BookingForm>(form_id).await?.state.start,
            None => None,
        };
        let room = of_form.map(|start| start.inventory_id);
        let home = log.load::<Inventory>(home_id).await?.state;
        let mut rooms = Vec::new();
        for room in home.let_rooms() {
            rooms.extend(payment_room::find(log, home_id, room.details.id).await?);
        }
        let agreed = payment_room::agreed_terms(log, lead)
            .await?
            .and_then(|terms| agreed_stay(&terms));
        // A booked room is the one that was paid for, whatever the form was begun with.
        let booked = agreed
            .filter(|_| lead.booked_by.is_some())
            .map(|stay| stay.room_id);
        let own = booked
            .or(room)
            .or_else(|| sent.and_then(|sent| sent.inventory_id));
        let is_let = |id: &InventoryId| rooms.iter().any(|room| room.room.details.id == *id);
        let room = booked.or(own.filter(is_let));
        Ok(Some(Self {
            home,
            rooms,
            room,
            agreed,
        }))
    }

    pub(crate) fn named_rooms(&self, lang: Language) -> Vec<(InventoryId, String)> {
        let named = |room: &Room| (room.room.details.id, name_of(room, lang));
        self.rooms.iter().map(named).collect()
    }

    /// Rooms whose stays can be picked: all where the form can change its room or none is chosen, else the lead's own.
    fn open_rooms(&self, lead: &Lead) -> impl Iterator<Item = &Room> {
        let only = self.room.filter(|_| lead.form.is_none());
        let open =
            move |room: &&Room| room.bookable() && only.is_none_or(|only| room.room.details.id == only);
        self.rooms.iter().filter(open)
    }

    fn own_room(&self) -> Option<&Room> {
        let own = self.room?;
        self.rooms.iter().find(|room| room.room.details.id == own)
    }

    /// Every stay that can be picked and paid, with its price.
    pub(crate) async fn list_offers(
        &self,
        log: &EventLog,
        lead: &Lead,
        lang: Language,
    ) -> ApiResult<Vec<DeskStay>> {
        let mut offers = Vec::new();
        for room in self.open_rooms(lead) {
            for lease in room.free_leases(lead) {
                let priced = price_stay(log, lead, (room, lease)).await?;
                offers.push(show_stay(&priced, name_of(room, lang)));
            }
        }
        Ok(offers)
    }

    /// The lead's stay as it is now, with its price; `None` where none was named, or the named one is not let.
    pub(crate) async fn find_current(&self, log: &EventLog, lead: &Lead) -> ApiResult<Option<PricedStay>> {
        if let Some(agreed) = self.agreed.filter(|stay| self.room == Some(stay.room_id)) {
            return Ok(Some(agreed));
        }
        let is_said = lead.wish.move_in_date.is_some() || lead.wish.lease_duration.is_some();
        let Some((room, lease)) = self
            .own_room()
            .filter(|_| is_said)
            .and_then(|room| Some((room, room.lease(lead, &lead.wish)?)))
        else {
            return Ok(None);
        };
        Ok(Some(price_stay(log, lead, (room, lease)).await?))
    }

    /// What changes where a lead wishes for this, in this room or its own.
    ///
    /// # Errors
    /// 422 for `field` where the home or the room does not let it, or has no room left for it.
    pub(crate) async fn find_change(
        &self,
        log: &EventLog,
        lead: &Lead,
        (wish, wanted): (&LeadWish, Option<InventoryId>),
        field: &'static str,
    ) -> ApiResult<StayChange> {
        let is_known = |id: InventoryId| self.rooms.iter().any(|room| room.room.details.id == id);
        if wanted.is_some_and(|id| !is_known(id)) {
            let unknown = say("validation.choice");
            return Err(ApiError::invalid_field("inventory_id", "choice", unknown));
        }
        let room_id = wanted.or(self.room);
        let mut rooms = self
            .open_rooms(lead)
            .filter(|room| room_id.is_none_or(|id| room.room.details.id == id));
        let found = rooms.find_map(|room| Some((room, room.lease(lead, wish)?)));
        let (room, lease) = found.ok_or_else(|| self.explain_not_let(lead, (wish, room_id), field))?;
        if !room.free_leases(lead).any(|free| free.stay() == lease.stay()) {
            return Err(sold_out(field));
        }
        let after = price_stay(log, lead, (room, lease)).await?;
        let lock = lead.submission.as_ref().and_then(|sent| sent.quote);
        Ok(StayChange {
            before: self.find_current(log, lead).await?,
            after,
            price_until: lock.map(|lock| lock.until).filter(|until| *until > clock::now()),
        })
    }

    /// Says why a wish is for nothing that can be booked: it is let and all of it is taken, other rooms of the home are let for it, or no
    /// room is.
    fn explain_not_let(
        &self,
        lead: &Lead,
        (wish, room_id): (&LeadWish, Option<InventoryId>),
        field: &'static str,
    ) -> ApiError {
        let lets = |room: &Room| room.room.leases.iter().any(|lease| wish.fits(lease.stay()));
        let is_meant = |room: &Room| room_id.is_none_or(|id| room.room.details.id == id);
        if self.open_rooms(lead).any(|room| is_meant(room) && lets(room)) {
            return sold_out(field);
        }
        let mut bookable = self.rooms.iter().filter(|room| room.bookable()).peekable();
        if bookable.peek().is_none() {
            return ApiError::invalid_field(field, "not_bookable", say("refusal.not_bookable"));
        }
        if bookable.any(lets) {
            return ApiError::invalid_field(field, "room_not_let", say("refusal.room_not_let"));
        }
        ApiError::invalid_field(field, "not_let", say("refusal.stay_not_let"))
    }

    /// A stay as the desk shows it.
    pub(crate) fn show(&self, stay: &PricedStay, lang: Language) -> DeskStay {
        let room = self
            .home
            .rooms
            .iter()
            .find(|room| room.details.id == stay.room_id);
        let name = room.map(|room| room.details.name.in_language(lang.code()).to_owned());
        show_stay(stay, name.unwrap_or_default())
    }
}

fn sold_out(field: &'static str) -> ApiError {
    ApiError::invalid_field(field, "sold_out", say("refusal.stay_sold_out"))
}

/// Whether a change leaves a stay that the lead names in full as it is, in its room: another spelling of it is no change.
pub(crate) fn is_same_stay(lead: &Lead, change: &StayChange) -> bool {
    let after = &change.after;
    let is_kept = |before: &PricedStay| before.room_id == after.room_id && before.stay == after.stay;
    change.before.as_ref().is_some_and(is_kept) && lead.wish.names(after.stay)
}

fn name_of(room: &Room, lang: Language) -> String {
    room.room.details.name.in_language(lang.code()).to_owned()
}

/// The stay of a payment; `None` for one that was opened before rents were kept.
fn agreed_stay(terms: &Terms) -> Option<PricedStay> {
    let rent = terms.rent.as_ref()?;
    Some(PricedStay {
        room_id: terms.room_id,
        stay: terms.stay(),
        rent_minor: rent.amount_minor,
        currency: terms.quote.currency,
        period: rent.period,
    })
}

async fn price_stay(
    log: &EventLog,
    lead: &Lead,
    (room, lease): (&Room, &LeaseOption),
) -> ApiResult<PricedStay> {
    let room_id = room.room.details.id;
    let kept = price_lock(log, lead, (room_id, Some(lease.stay())), clock::now()).await?;
    Ok(PricedStay {
        room_id,
        stay: lease.stay(),
        rent_minor: kept.map_or(lease.price_minor, |kept| kept.counts_minor),
        currency: room.property.currency,
        period: room.property.period,
    })
}

fn show_stay(stay: &PricedStay, room: String) -> DeskStay {
    DeskStay {
        inventory_id: Some(stay.room_id.to_string()),
        room: Some(room),
        move_in_date: Some(stay.stay.move_in.to_string()),
        lease_duration: Some(stay.stay.length.to_string()),
        rent: Some(PriceView {
            amount_minor: stay.rent_minor,
            currency: stay.currency.code(),
            symbol: stay.currency.symbol(),
            decimals: stay.currency.decimals(),
            duration: stay.period.key(),
        }),
    }
}
