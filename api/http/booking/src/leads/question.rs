//! What somebody asks with an enquiry is the first message of its conversation, which waits for staff (row I4).

use chrono::TimeDelta;
use domain::aggregate::Decide as _;
use domain::case::{Case, CaseCommand, CaseTopic, NewMessage, Opening, Side};
use domain::correspondence::MessageChannel;
use domain::id::{CaseId, LeadId, UserId};
use domain::language::Language;
use domain::moment::Moment;
use eventlog::{Append, CommitError, Loaded};
use http_kit::error::ApiError;
use platform::config::Settings;
use platform::texts::text;
use processes::lead_history::add;

/// An enquiry as its conversation begins.
pub(super) struct Asked {
    pub lead_id: LeadId,
    pub person: UserId,
    /// Whose key seals the words: that of the enquiry.
    pub sealed_by: UserId,
    pub language: Language,
    /// The name of the home.
    pub home: Option<String>,
    /// None: nothing was asked.
    pub words: Option<String>,
    pub at: Moment,
}

/// Opens the conversation of an enquiry that asks something, in the append that makes the enquiry. It has the enquiry's id, so that
/// there is one.
pub(super) fn open_conversation(
    append: Append,
    asked: &Asked,
    settings: &Settings,
) -> Result<Append, CommitError<ApiError>> {
    let Some(words) = asked.words.clone() else {
        return Ok(append);
    };
    let home = asked.home.as_deref();
    let subject = match home {
        Some(home) => text(asked.language, "desk.question_about", &[("home", home)]),
        None => text(asked.language, "desk.question", &[]),
    };
    let opening = Opening {
        person: asked.person,
        sealed_by: asked.sealed_by,
        lead_id: Some(asked.lead_id),
        topic: CaseTopic::Booking,
        language: asked.language,
        subject,
        site: None,
        first: NewMessage {
            message_id: asked.lead_id.0,
            side: Side::Person,
            channel: MessageChannel::Email,
            words,
            due: Some(asked.at + TimeDelta::hours(settings.hours_for_reply())),
        },
    };
    let command = CaseCommand::Open {
        opening: Box::new(opening),
        at: asked.at,
    };
    let beginning = Loaded::<Case>::beginning();
    let events = beginning
        .state
        .decide(command)
        .map_err(|rejection| CommitError::Rejected(rejection.into()))?;
    add(append, CaseId(asked.lead_id.0), &beginning, &events)
}
