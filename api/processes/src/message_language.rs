//! In which language a person is written to: the one they chose, else that of what the message is about (D137).

use domain::case::Case;
use domain::contact::Email;
use domain::language::Language;
use domain::lead::Lead;
use domain::user::{Reach, User};
use eventlog::{EventLog, LogError};

use crate::handles::find_handle;

/// The language of messages about a lead: the one its owner chose, else `page`, that of the page which caused the message, else the
/// enquiry's.
///
/// A choice counts for what is its owner's, not for what anybody sent in their name.
///
/// # Errors
/// When the log fails or an event cannot be read.
pub async fn find_lead_language(
    log: &EventLog,
    lead: &Lead,
    page: Option<Language>,
) -> Result<Language, LogError> {
    let chosen = match lead.person().filter(|_| lead.is_verified()) {
        Some(owner) => log.load::<User>(owner).await?.state.messages.language,
        None => None,
    };
    Ok(chosen.or(page).or(enquiry_language(lead)).unwrap_or_default())
}

/// The language of messages of a conversation: the one its person chose, else the one in which it was opened.
///
/// # Errors
/// When the log fails or an event cannot be read.
pub async fn find_case_language(log: &EventLog, case: &Case) -> Result<Language, LogError> {
    if let Some(lead_id) = case.lead_id {
        let lead = log.load::<Lead>(lead_id).await?.state;
        return find_lead_language(log, &lead, case.language).await;
    }
    let chosen = match case.person {
        Some(person) => log.load::<User>(person).await?.state.messages.language,
        None => None,
    };
    Ok(chosen.or(case.language).unwrap_or_default())
}

/// The language of a mail to an address of the settings: the one that the owner of its account chose, else the site's default. An address
/// that many read has no account, or one whose choice they share.
///
/// # Errors
/// When the log fails or an event cannot be read.
pub async fn find_address_language(log: &EventLog, address: &str) -> Result<Language, LogError> {
    let Ok(email) = Email::parse(address) else {
        return Ok(Language::default());
    };
    let (_, handle) = find_handle(log, &Reach::Email(email)).await?;
    match handle.state.owner {
        Some(owner) => Ok(log.load::<User>(owner).await?.state.messages.staff_language()),
        None => Ok(Language::default()),
    }
}

/// The language of the page from which the enquiry was sent.
pub fn enquiry_language(lead: &Lead) -> Option<Language> {
    lead.submission
        .as_ref()
        .and_then(|submission| submission.language)
}
