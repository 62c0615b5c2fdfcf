//! What people are written about their enquiries.

use domain::id::{InventoryId, LeadId};
use domain::inventory::Inventory;
use domain::inventory::picture_path::mail_picture_path;
use domain::inventory::property::PropertyDetails;
use domain::language::Language;
use domain::lead::{Lead, LeadVariant};
use eventlog::EventLog;
use messages::Channel;
use messages::mail_page::MailPicture;
use platform::texts::text;
use platform::{clock, days};

use super::ReactorError;
use super::messenger::Letter;
use crate::enquiry_link;
use crate::message_language::find_lead_language;

/// The name of the letter that tells of a lead.
pub(super) fn arrived(lead_id: LeadId) -> String {
    format!("arrived:{lead_id}")
}

/// Tells the sender that their lead arrived; `None` when they were forgotten.
pub(super) async fn about_lead(
    log: &EventLog,
    public_url: &str,
    (lead_id, lead): (LeadId, &Lead),
) -> Result<Option<Letter>, ReactorError> {
    let (Some(submission), Some(person)) = (&lead.submission, &lead.personal) else {
        return Ok(None);
    };
    let language = find_lead_language(log, lead, None).await?;
    let home = property(log, submission.inventory_root_id).await?;
    let picture = home
        .as_deref()
        .and_then(|home| picture_of(public_url, home, language));
    let property = home.map(|home| home.name);
    let waits = submission.variant == LeadVariant::JoinWaitlist || !submission.available;
    let kind = match (&property, &lead.viewing) {
        (None, _) if submission.variant == LeadVariant::GetHelp => "lead_help",
        (None, _) => "lead_anywhere",
        (Some(_), Some(_)) => "lead_viewing",
        (Some(_), None) if waits => "lead_waitlisted",
        (Some(_), None) => kind_of(submission.variant),
    };
    let viewing = lead.viewing.as_ref();
    let values = vec![
        ("greeting", greeting(lead, language)),
        ("reference", submission.reference.clone()),
        ("property", property.unwrap_or_default()),
        (
            "date",
            viewing
                .map(|viewing| days::stored_day(language, &viewing.date))
                .unwrap_or_default(),
        ),
        (
            "slot",
            viewing.map(|viewing| viewing.slot.clone()).unwrap_or_default(),
        ),
        (
            "booking_url",
            enquiry_link::write_address(public_url, log.handles(), (lead_id, lead), clock::now()),
        ),
    ];
    Ok(Some(Letter {
        kind,
        language,
        recipient: person.email.as_str().to_owned(),
        values,
        picture,
        unproved: !lead.is_verified(),
        channel: Channel::Email,
        unsubscribe: None,
    }))
}

/// The letter that says of a home what its sender asked for.
const fn kind_of(variant: LeadVariant) -> &'static str {
    match variant {
        LeadVariant::BookNow | LeadVariant::ApplyNow => "lead_booking",
        LeadVariant::AskQuestionFaqCta => "lead_question",
        LeadVariant::VirtualTourEnquiry => "lead_tour",
        LeadVariant::GetHelp
        | LeadVariant::Enquire
        | LeadVariant::ReferredByEnquiry
        | LeadVariant::PartnerEnquire
        | LeadVariant::ContactUs
        | LeadVariant::JoinWaitlist
        | LeadVariant::EditDetails
        | LeadVariant::GenericForm => "lead_enquired",
    }
}

/// Anybody may type anybody's address, and any name: what is not proved is neither repeated nor sent again and again (T42).
pub(super) fn greeting(lead: &Lead, language: Language) -> String {
    match &lead.personal {
        Some(person) if lead.is_verified() => {
            text(language, "mail.greeting_name", &[("name", person.name.as_str())])
        }
        Some(_) | None => text(language, "mail.greeting", &[]),
    }
}

pub(super) async fn property(
    log: &EventLog,
    home: Option<InventoryId>,
) -> Result<Option<Box<PropertyDetails>>, ReactorError> {
    let Some(home) = home else { return Ok(None) };
    Ok(log.load::<Inventory>(home).await?.state.property)
}

/// The home's first picture. It is drawn, and says so to those who do not see it too.
pub(super) fn picture_of(
    public_url: &str,
    home: &PropertyDetails,
    language: Language,
) -> Option<MailPicture> {
    home.pictures.first().map(|picture| {
        let shown = text(language, &format!("picture.{}", picture.kind.key()), &[]);
        MailPicture {
            url: format!("{public_url}{}", mail_picture_path(picture)),
            alt: format!("{}: {shown}", home.name),
        }
    })
}
