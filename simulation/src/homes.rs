//! The homes of a small town, and the people who look for one: made from the samples that the domain keeps of its events.

use chrono::Days;
use domain::id::{InventoryId, LeadId, PaymentId, UserId};
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::property::PropertyDetails;
use domain::inventory::{Inventory, InventoryCommand};
use domain::lead::submission::Submission;
use domain::lead::{LeadCommand, LeadPersonal};
use domain::lease::{Lease, Stay};
use domain::moment::Moment;
use domain::payment::PaymentCommand;
use domain::payment::terms::Terms;
use eventlog::{Actor, Context, EventLog, commit};
use serde_json::Value;
use uuid::Uuid;

use crate::fate;

const PROPERTY: &str = include_str!("../../domain/events/inventory/PropertyListed.v1.json");
const ROOM: &str = include_str!("../../domain/events/inventory/RoomListed.v1.json");
const LEASES: &str = include_str!("../../domain/events/inventory/RoomPriced.v1.json");
const LEAD: &str = include_str!("../../domain/events/lead/LeadCreated.v1.json");
const PAYMENT: &str = include_str!("../../domain/events/payment/PaymentOpened.v1.json");

/// Days by which a feed moves every lease.
pub(crate) const LATER: u64 = 4;

/// A room that can be booked, in its home.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) home: InventoryId,
    pub(crate) id: InventoryId,
    /// How many of it there are.
    pub(crate) beds: u32,
    number: u64,
}

/// A person with an enquiry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Person {
    pub(crate) user: UserId,
    pub(crate) lead: LeadId,
    number: u64,
}

fn numbered(kind: u128, number: u64) -> Uuid {
    Uuid::from_u128((kind << 64) | u128::from(number))
}

fn sample(text: &str, event: &str, field: &str) -> Value {
    let sample: Value = serde_json::from_str(text).expect("a sample is JSON");
    sample["payload"][event][field].clone()
}

impl Room {
    /// Its leases: a year, a longer one, and the second half of it, which share nights; all of them so many days later where the
    /// provider's next feed says so.
    pub(crate) fn leases(self, later: u64) -> Vec<LeaseOption> {
        let kept: Vec<LeaseOption> =
            serde_json::from_value(sample(LEASES, "RoomPriced", "leases")).expect("leases");
        let lease = |(days, weeks)| LeaseOption {
            move_in: kept[0].move_in + Days::new(days + later),
            length: Lease::weeks(weeks),
            rooms_available: self.beds,
            ..kept[0].clone()
        };
        [(0, 44), (0, 51), (119, 26)].map(lease).to_vec()
    }

    /// One of the stays that it was ever let for.
    pub(crate) fn some_stay(self) -> Stay {
        let leases = self.leases(LATER * fate::below(2));
        let place = usize::try_from(fate::below(leases.len() as u64)).unwrap_or_default();
        leases[place].stay()
    }

    /// Lists a home with one kind of room, and opens it for booking.
    pub(crate) async fn list(log: &EventLog, number: u64, beds: u32, at: Moment) -> Self {
        let listed = Self {
            home: InventoryId(numbered(1, number)),
            id: InventoryId(numbered(2, number)),
            beds,
            number,
        };
        let property: PropertyDetails =
            serde_json::from_value(sample(PROPERTY, "PropertyListed", "property")).expect("a property");
        let mut room: RoomDetails =
            serde_json::from_value(sample(ROOM, "RoomListed", "room")).expect("a room");
        room.id = listed.id;
        let adopt = InventoryCommand::Adopt {
            property: Box::new(property),
            rooms: vec![(room, listed.leases(0).into())],
        };
        let context = Context::new(at, Actor::SYSTEM);
        for command in [
            adopt,
            InventoryCommand::SubmitForReview,
            InventoryCommand::Activate,
        ] {
            commit::<Inventory>(log, listed.home, command, &context)
                .await
                .expect("nothing fails yet");
        }
        listed
    }
}

impl Person {
    pub(crate) fn new(number: u64) -> Self {
        Self {
            user: UserId(numbered(3, number)),
            lead: LeadId(numbered(4, number)),
            number,
        }
    }

    /// Their enquiry about a home.
    pub(crate) fn enquiry(self, room: Room, at: Moment) -> LeadCommand {
        let mut submission: Submission =
            serde_json::from_value(sample(LEAD, "Created", "submission")).expect("a submission");
        submission.lead_id = self.lead;
        submission.person_id = self.user;
        submission.inventory_id = Some(room.home);
        submission.inventory_root_id = Some(room.home);
        let sample: Value = serde_json::from_str(LEAD).expect("a sample is JSON");
        let personal: LeadPersonal = serde_json::from_value(sample["personal"].clone()).expect("a person");
        LeadCommand::Submit {
            submission: Box::new(submission),
            personal,
            viewing: None,
            at,
        }
    }

    /// The payment they open for a room: the same one whenever they ask.
    pub(crate) fn payment(self, room: Room, attempt: u64) -> PaymentId {
        PaymentId(numbered(5, self.number << 24 | room.number << 8 | attempt))
    }

    pub(crate) fn opening(self, room: Room, stay: Stay, at: Moment) -> PaymentCommand {
        let mut terms: Terms =
            serde_json::from_value(sample(PAYMENT, "PaymentOpened", "terms")).expect("terms");
        terms.lead_id = self.lead;
        terms.subject = self.user;
        terms.inventory_root_id = room.home;
        terms.room_id = room.id;
        terms.move_in_date = stay.move_in;
        terms.lease = stay.length;
        terms.opened_at = at;
        terms.expires_at = at + chrono::TimeDelta::days(14);
        PaymentCommand::Open {
            terms: Box::new(terms),
            token: format!("token of {}", self.user.0),
        }
    }
}
