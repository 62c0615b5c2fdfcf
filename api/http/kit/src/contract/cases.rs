//! How a message of a case travels, to its person and to staff alike, and which words a case takes.

use domain::case::{Case, CaseMessage, MESSAGE_MAX, SUBJECT_MAX};
use domain::contact::is_blank;
use domain::correspondence::LetterOutcome;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::words::{CaseSideWord, MessageWayWord};
use crate::error::{ApiError, ApiResult};
use crate::said::say;

/// One message of a case.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CaseMessage)]
pub struct MessageShown {
    pub message_id: String,
    #[schema(value_type = CaseSideWord)]
    pub side: &'static str,
    /// The way on which staff's words went.
    #[schema(value_type = MessageWayWord)]
    pub channel: &'static str,
    pub at: String,
    /// Null once its person was forgotten.
    pub words: Option<String>,
    /// `sent`, `refused`, or null while it is under way and for a person's own words.
    pub outcome: Option<&'static str>,
}

impl MessageShown {
    fn of(id: Uuid, message: &CaseMessage) -> Self {
        Self {
            message_id: id.to_string(),
            side: message.side.key(),
            channel: message.channel.key(),
            at: message.at.to_rfc3339(),
            words: message.words.clone(),
            outcome: message.outcome.map(|outcome| match outcome {
                LetterOutcome::Delivered => "sent",
                LetterOutcome::Refused { .. } => "refused",
            }),
        }
    }

    /// The messages of a case, oldest first.
    pub fn thread(case: &Case) -> Vec<Self> {
        case.thread().map(|(id, message)| Self::of(id, message)).collect()
    }
}

/// A file of a case.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CaseAttachment)]
pub struct AttachmentShown {
    pub attachment_id: String,
    #[schema(value_type = CaseSideWord)]
    pub side: &'static str,
    /// Null once its person was forgotten.
    pub name: Option<String>,
    pub media_type: String,
    pub size_bytes: u64,
    pub at: String,
}

impl AttachmentShown {
    /// The files of a case, oldest first.
    pub fn all(case: &Case) -> Vec<Self> {
        let shown = case.attachments.iter().map(|kept| Self {
            attachment_id: kept.file.attachment_id.to_string(),
            side: kept.file.side.key(),
            name: kept.name.clone(),
            media_type: kept.file.media_type.clone(),
            size_bytes: kept.file.size_bytes,
            at: kept.at.to_rfc3339(),
        });
        shown.collect()
    }
}

/// The words of a message as they are kept.
///
/// # Errors
/// 422 for an empty or an overlong one.
pub fn message_words(text: &str) -> ApiResult<String> {
    kept(text, "words", MESSAGE_MAX, true)
}

/// A subject: one line.
///
/// # Errors
/// 422 for an empty or an overlong one.
pub fn subject(text: &str) -> ApiResult<String> {
    kept(text, "subject", SUBJECT_MAX, false)
}

fn kept(text: &str, field: &'static str, most: usize, lines: bool) -> ApiResult<String> {
    let is_kept = |c: &char| !c.is_control() || (lines && *c == '\n');
    let text = if lines {
        text.to_owned()
    } else {
        text.replace(['\r', '\n', '\t'], " ")
    };
    let kept: String = text.trim().chars().filter(is_kept).collect();
    match kept.chars().count() {
        _ if is_blank(&kept) => Err(ApiError::invalid_field(
            field,
            "required",
            say("validation.required"),
        )),
        length if length > most => {
            let says = say("refusal.case_too_long").with("max", most);
            Err(ApiError::invalid_field(field, "too_long", says))
        }
        _ => Ok(kept),
    }
}
