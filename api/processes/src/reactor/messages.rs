//! What people are written about their enquiries.

use domain::id::{InventoryId, LeadId, PhotoId};
use domain::inventory::Inventory;
use domain::inventory::media::order_for_card;
use domain::inventory::picture_path::mail_picture_path;
use domain::inventory::property::PropertyDetails;
use domain::language::Language;
use domain::lead::{Lead, LeadVariant};
use domain::photo::Photo;
use domain::photo::sizes::list_widths;
use eventlog::EventLog;
use messages::Channel;
use messages::mail_page::MailPicture;
use platform::sites::Sites;
use platform::texts::text;
use platform::{clock, days};

use super::ReactorError;
use super::messenger::Letter;
use crate::enquiry_link;
use crate::message_language::find_lead_language;

/// Photos of a home that are looked at for a mail; the first ones may not be there yet.
const PHOTOS_TRIED: usize = 5;
/// The widest picture in a mail.
const MAIL_WIDTH: u32 = 720;

/// The name of the letter that tells of a lead.
pub(super) fn arrived(lead_id: LeadId) -> String {
    format!("arrived:{lead_id}")
}

/// Tells the sender that their lead arrived; `None` when they were forgotten.
pub(super) async fn about_lead(
    log: &EventLog,
    sites: &Sites,
    (lead_id, lead): (LeadId, &Lead),
) -> Result<Option<Letter>, ReactorError> {
    let (Some(submission), Some(person)) = (&lead.submission, &lead.personal) else {
        return Ok(None);
    };
    let language = find_lead_language(log, lead, None).await?;
    let public_url = sites.find_kept(lead.site()).origin.as_str();
    let home = property(log, submission.inventory_root_id).await?;
    let picture = find_picture(log, public_url, home.as_deref(), language).await?;
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
        site: lead.site().map(str::to_owned),
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

/// The picture of a home in a mail: its first photo that is there, a room before what is around it, else a drawing of the demo.
pub(super) async fn find_picture(
    log: &EventLog,
    public_url: &str,
    home: Option<&PropertyDetails>,
    language: Language,
) -> Result<Option<MailPicture>, ReactorError> {
    let Some(home) = home else { return Ok(None) };
    for said in order_for_card(&home.media, []).into_iter().take(PHOTOS_TRIED) {
        let photo = log.load::<Photo>(PhotoId::of_place(&said.place)).await?.state;
        let taken = photo.taken.filter(|_| !photo.is_taken_down);
        let size = taken.as_ref().and_then(|taken| {
            list_widths(taken.width, taken.height)
                .into_iter()
                .rfind(|size| size.width <= MAIL_WIDTH)
        });
        if let (Some(taken), Some(size)) = (taken, size) {
            return Ok(Some(MailPicture {
                url: format!("{public_url}{}", size.path(taken.content, "jpg")),
                alt: home.name.clone(),
            }));
        }
    }
    Ok(draw_picture(public_url, home, language))
}

/// A drawing says that it is one to those who do not see it too.
fn draw_picture(public_url: &str, home: &PropertyDetails, language: Language) -> Option<MailPicture> {
    home.pictures.first().map(|picture| {
        let shown = text(language, &format!("picture.{}", picture.kind.key()), &[]);
        MailPicture {
            url: format!("{public_url}{}", mail_picture_path(picture)),
            alt: format!("{}: {shown}", home.name),
        }
    })
}
