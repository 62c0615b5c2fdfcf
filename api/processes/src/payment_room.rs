//! The room a payment is for, as the catalogue knows it now.

use chrono::NaiveDate;
use domain::id::{InventoryId, LeadId, PaymentId};
use domain::inventory::let_room::{LeaseOption, LetRoom};
use domain::inventory::on_offer::OnOffer;
use domain::inventory::property::PropertyDetails;
use domain::inventory::state::HomeState;
use domain::inventory::{Inventory, Status};
use domain::lead::{Lead, LeadWish};
use domain::lease::Stay;
use domain::moment::Moment;
use domain::payment::terms::Terms;
use domain::payment::{Payment, PaymentStatus, SoldOutReason};
use domain::region::Region;
use domain::room_stock::{RoomNow, RoomStock};
use eventlog::{EventLog, LogError, Revision};
use platform::{clock, country_zone};

/// A property with the room that is paid for.
pub struct Room {
    pub home: Inventory,
    /// Where the property's stream stood: a guard for whoever relies on what is said here.
    pub revision: Revision,
    pub property: Box<PropertyDetails>,
    pub room: LetRoom,
    /// Holds, sales and waitlist of the room.
    pub stock: RoomStock,
    /// Of its city; empty where it names none.
    time_zone: String,
}

/// Finds a room in its property; `None` where either is unknown.
///
/// # Errors
/// When the log cannot be read.
pub async fn find(
    log: &EventLog,
    home_id: InventoryId,
    room_id: InventoryId,
) -> Result<Option<Room>, LogError> {
    let home = log.load::<Inventory>(home_id).await?;
    let (revision, home) = (home.revision, home.state);
    let room = home.rooms.iter().find(|room| room.details.id == room_id).cloned();
    let property = home.property.clone();
    let Some((room, property)) = room.zip(property) else {
        return Ok(None);
    };
    let stock = log.load::<RoomStock>(room_id).await?.state;
    let city = log.load::<Region>(property.region).await?.state.details;
    Ok(Some(Room {
        home,
        revision,
        property,
        room,
        stock,
        time_zone: city.map(|city| city.time_zone).unwrap_or_default(),
    }))
}

impl Room {
    /// Spec §4: bookable when available, and booking is not switched off (D41).
    pub fn bookable(&self) -> bool {
        self.home.available() && self.property.terms.booking_allowed && !self.room.withdrawn
    }

    /// The day that it is at a moment where the home stands: last days to book are days there.
    pub fn day_at(&self, at: Moment) -> NaiveDate {
        country_zone::day_at(&self.time_zone, self.property.country, at)
    }

    /// Its rooms, with the stays that share them; nothing when it cannot be booked.
    pub fn on_offer(&self) -> OnOffer {
        if self.bookable() {
            self.room.on_offer_on(self.day_at(clock::now()))
        } else {
            OnOffer::default()
        }
    }

    /// The same as an enquiry has it. While the home is paused, the stay that is kept for its place in the waitlist is let to it alone:
    /// what was promised before may be taken (U5).
    pub fn on_offer_to(&self, lead_id: Option<LeadId>) -> OnOffer {
        if self.bookable() {
            return self.on_offer();
        }
        let mut offer = self.room.on_offer();
        let kept = lead_id.and_then(|lead_id| self.kept_while_paused(lead_id));
        offer.stays.retain(|stay, _| Some(*stay) == kept);
        offer
    }

    /// Whether an enquiry may open a payment for it.
    pub fn is_let_to(&self, lead_id: LeadId) -> bool {
        self.is_let() || self.kept_while_paused(lead_id).is_some()
    }

    fn kept_while_paused(&self, lead_id: LeadId) -> Option<Stay> {
        let is_paused = matches!(self.home.state, HomeState::Paused { .. });
        let can_be_taken = is_paused && self.property.terms.booking_allowed && !self.room.withdrawn;
        let mut places = self.stock.waitlist.alive();
        let kept = places.find(|place| place.lead_id == lead_id && place.offered_until().is_some());
        kept.map(|place| place.stay).filter(|_| can_be_taken)
    }

    /// Whether a payment for it may be opened: what is sold out has a waitlist, what is not let at all has none.
    fn is_let(&self) -> bool {
        self.home.status() == Status::Active && self.property.terms.booking_allowed && !self.room.withdrawn
    }

    /// The lease that a payment is for: one that is offered, else exactly the one that was wished for, though it is sold out.
    pub fn wanted_lease(&self, lead: &Lead) -> Option<&LeaseOption> {
        let wish = &lead.wish;
        let mut sold_out = self.room.leases.iter().filter(|_| wish.names_stay());
        self.lease(lead, wish)
            .or_else(|| sold_out.find(|lease| wish.fits(lease.stay())))
    }

    /// The lease that a lead wishes for, among those that are offered. A wish that leaves a choice gets the first with a room that
    /// the lead can have now, else the first, whose waitlist it finds.
    pub fn lease(&self, lead: &Lead, wish: &LeadWish) -> Option<&LeaseOption> {
        let fitting = || self.offered().filter(|lease| wish.fits(lease.stay()));
        self.free_leases(lead)
            .find(|lease| wish.fits(lease.stay()))
            .or_else(|| fitting().next())
    }

    /// The offered leases with a room that is neither sold nor held by others nor promised to the waitlist: those that this lead can
    /// pay for now.
    pub fn free_leases(&self, lead: &Lead) -> impl Iterator<Item = &LeaseOption> {
        let (own, now, offer) = (lead.payment, clock::now(), self.on_offer());
        let is_free = move |lease: &&LeaseOption| self.stock.is_free_to(own, lease.stay(), &offer, now);
        self.offered().filter(is_free)
    }

    fn offered(&self) -> impl Iterator<Item = &LeaseOption> {
        self.room.leases.iter().filter(|lease| lease.rooms_available > 0)
    }
}

/// The terms that a lead's payment agreed on, where its room is booked with them, money is under way, or it would be paid with them now.
///
/// # Errors
/// When the log cannot be read.
pub async fn agreed_terms(log: &EventLog, lead: &Lead) -> Result<Option<Terms>, LogError> {
    let Some(payment_id) = lead.booked_by.or(lead.payment) else {
        return Ok(None);
    };
    let payment = log.load::<Payment>(payment_id).await?.state;
    let counts = match payment.status {
        PaymentStatus::Success => lead.booked_by == Some(payment_id),
        // The money is under way: nothing takes its place.
        PaymentStatus::Processing | PaymentStatus::Pending | PaymentStatus::InitLoading => true,
        PaymentStatus::SoldOut => false,
        PaymentStatus::Init
        | PaymentStatus::InitFailure
        | PaymentStatus::Initiated
        | PaymentStatus::Failed => {
            let fits = |terms: &Terms| lead.wish.fits(terms.stay());
            payment.cancelled_at.is_none() && payment.terms.as_ref().is_some_and(fits)
        }
    };
    Ok(payment.terms.filter(|_| counts))
}

/// The payment of a lead whose card form is open for another stay or room than the lead wishes now. Paid, it would book what nobody
/// asks for any more.
///
/// # Errors
/// When the log cannot be read.
pub async fn outdated_payment(
    log: &EventLog,
    lead: &Lead,
    room: Option<InventoryId>,
) -> Result<Option<PaymentId>, LogError> {
    let Some(payment_id) = lead.payment else {
        return Ok(None);
    };
    let payment = log.load::<Payment>(payment_id).await?.state;
    let is_open = matches!(
        payment.status,
        PaymentStatus::Init | PaymentStatus::InitFailure | PaymentStatus::Initiated | PaymentStatus::Failed
    ) && payment.cancelled_at.is_none();
    // A form that names the home alone leaves the room open.
    let names_other = |room: Option<InventoryId>, terms: &Terms| {
        room.is_some_and(|room| room != terms.room_id && room != terms.inventory_root_id)
    };
    let is_outdated =
        |terms: &Terms| terms.link.is_none() && (!lead.wish.fits(terms.stay()) || names_other(room, terms));
    let outdated = is_open && payment.terms.as_ref().is_some_and(is_outdated);
    Ok(outdated.then_some(payment_id))
}

/// Asks the catalogue for this payment's room, as it is offered at this moment.
///
/// # Errors
/// When the log cannot be read.
pub async fn on_offer(log: &EventLog, payment: &Payment) -> Result<OnOffer, LogError> {
    let Some(terms) = &payment.terms else {
        return Ok(OnOffer::default());
    };
    let room = find(log, terms.inventory_root_id, terms.room_id).await?;
    Ok(room.map_or_else(OnOffer::default, |room| room.on_offer_to(Some(terms.lead_id))))
}

/// Counts the rooms that it offers for this payment's stay.
///
/// # Errors
/// When the log cannot be read.
pub async fn capacity(log: &EventLog, payment: &Payment) -> Result<u32, LogError> {
    let offer = on_offer(log, payment).await?;
    let stay = payment.terms.as_ref().map(Terms::stay);
    Ok(stay.map_or(0, |stay| offer.capacity(stay)))
}

/// Standing of the room of a payment that found none, or lost its hold; `None` for every other payment.
///
/// # Errors
/// When the log cannot be read.
pub async fn room_now(log: &EventLog, payment: &Payment) -> Result<Option<RoomNow>, LogError> {
    let (Some(terms), Some(SoldOutReason::NoRoom | SoldOutReason::HoldLost)) =
        (&payment.terms, payment.sold_out)
    else {
        return Ok(None);
    };
    if payment.status != PaymentStatus::SoldOut || !payment.captures.is_empty() {
        return Ok(None);
    }
    let offer = on_offer(log, payment).await?;
    let stock = log.load::<RoomStock>(terms.room_id).await?.state;
    Ok(Some(stock.room_now(terms.stay(), &offer, clock::now())))
}
