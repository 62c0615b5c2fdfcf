//! The product's lead with the contents of the workloads.

use clap::ValueEnum;
use domain::attribution::SourceDetails;
use domain::contact::{Email, PersonName, Phone};
use domain::id::{LeadId, RegionId, UserId};
use domain::lead::{LeadCommand, LeadPersonal, LeadVariant, LeadWish, Submission, reference};
use domain::moment::Moment;
use domain::money::Currency;
use eventlog::{Actor, Context};
use measure::enquiry::submitted;
use uuid::Uuid;

/// What of an event is personal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Personal {
    /// The product's lead, each by a person nobody knew: a key of their own is made durable before the lead is.
    Fresh,
    /// The product's lead, by one of a thousand people whose keys are there.
    Known,
    /// An enquiry with the rivals' bytes, nothing sealed.
    Nothing,
}

/// So many people have keys before the measurement begins.
pub const KNOWN: u64 = 1_000;

/// The person behind the lead with this number.
pub fn person(personal: Personal, number: u64) -> UserId {
    match personal {
        Personal::Fresh => UserId(Uuid::now_v7()),
        Personal::Known | Personal::Nothing => UserId(Uuid::from_u64_pair(7, number % KNOWN)),
    }
}

/// Now, as the product takes it.
pub fn now() -> Moment {
    Moment::from(std::time::SystemTime::now())
}

/// A command's context, with an id and a digest of what was asked, as every request of the product has.
pub fn asked(number: u64) -> Context {
    Context::new(now(), Actor::VISITOR).command(Uuid::now_v7(), &number.to_le_bytes())
}

/// Who sends all the leads: read once, because reading a form is no part of the log's work.
#[derive(Debug, Clone)]
pub struct Sender {
    name: PersonName,
    phone: Phone,
}

impl Sender {
    pub fn read() -> Self {
        Self {
            name: PersonName::parse("Ada Lovelace").expect("a name"),
            phone: Phone::parse("+447700900123").expect("a number"),
        }
    }
}

/// The command that makes a lead: two events; of the first one's 1,190 bytes 269 are sealed (name, address, number and
/// question).
pub fn submit(sender: &Sender, lead_id: LeadId, person_id: UserId, number: u64) -> LeadCommand {
    let said = submitted(number);
    let wish = LeadWish {
        budget: Some(275),
        budget_currency: Some(Currency::Gbp),
        intake: Some(said.intake),
        university: Some(said.university),
        lease_duration: Some(said.lease_duration.to_string()),
        move_in_date: Some(said.move_in_date),
        ..LeadWish::default()
    };
    let source = SourceDetails {
        final_url: Some(said.source.final_url),
        referrer: Some(said.source.referrer),
        utm_source: Some(said.source.utm_source),
        utm_medium: Some(said.source.utm_medium),
        utm_campaign: Some(said.source.utm_campaign),
        gclid: Some(said.source.gclid),
        ..SourceDetails::default()
    };
    LeadCommand::Submit {
        submission: Box::new(submission(lead_id, person_id, number, wish, source)),
        personal: personal(sender, number),
        viewing: None,
        at: now(),
    }
}

fn submission(
    lead_id: LeadId,
    person_id: UserId,
    number: u64,
    wish: LeadWish,
    source: SourceDetails,
) -> Submission {
    Submission {
        lead_id,
        person_id,
        subject: None,
        reference: reference(lead_id),
        inventory_id: None,
        inventory_root_id: None,
        region_id: Some(RegionId(Uuid::from_u64_pair(3, number % 1_500))),
        location_place_name: None,
        location_place_id: None,
        location_coordinates: None,
        wish,
        variant: LeadVariant::Enquire,
        lead_source: Some("property_page_book_now".to_owned()),
        payment_before_bookform: false,
        source,
        user_notification: true,
        referral_code: None,
        device: None,
        repeat_of: None,
        repeat_shown: false,
        repeats_wish: false,
        verified: false,
        unclaimed: true,
        available: true,
        request_digest: format!("{number:064x}"),
        idempotency_key_digest: None,
        language: None,
        quote: None,
        site: None,
    }
}

fn personal(sender: &Sender, number: u64) -> LeadPersonal {
    let email = format!("student.{number}@example-university.example");
    LeadPersonal {
        lead_uuid: Uuid::new_v4(),
        name: sender.name.clone(),
        email: Email::parse(&email).expect("an address"),
        phone: sender.phone.clone(),
        user_query: Some(format!("Is there a desk in the room? ({number})")),
        idp_form_data: None,
        referrer_name: None,
        data_email: None,
    }
}

/// A step that is always news: one event.
pub fn assign() -> LeadCommand {
    LeadCommand::Assign {
        owner: Some(UserId(Uuid::new_v4())),
        why: None,
        at: now(),
    }
}
