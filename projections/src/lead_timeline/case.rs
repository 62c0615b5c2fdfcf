//! A conversation's events in sentences. Its words are not told: they are read where it is answered.

use domain::case::{CaseEvent, Side};
use domain::correspondence::LetterOutcome;

use super::told::Told;

/// Tells one event of a case about a lead.
pub(super) fn tell(event: &CaseEvent) -> Told {
    match event {
        CaseEvent::Opened { topic, .. } => Told::new(format!("case_opened.{}", topic.key())),
        CaseEvent::MessageWritten { written, .. } => match written.side {
            Side::Person => Told::new("case_asked"),
            Side::Staff => Told::new("case_answered"),
        },
        CaseEvent::MessagePosted { outcome, .. } => match outcome {
            LetterOutcome::Delivered => Told::new("case_delivered"),
            LetterOutcome::Refused { .. } => Told::new("case_refused").failed(),
        },
        CaseEvent::Assigned {
            owner: Some(owner), ..
        } => Told::new("case_assigned").set("case_owner", owner.to_string()),
        CaseEvent::Assigned { owner: None, .. } => Told::new("case_unassigned").set_some("case_owner", None),
        CaseEvent::DueSet { .. } => Told::new("case_due_set"),
        CaseEvent::AttachmentAdded { attachment, .. } => Told::new(match attachment.side {
            Side::Person => "case_file_sent",
            Side::Staff => "case_file_answered",
        }),
        CaseEvent::NoteAdded { .. } => Told::new("case_note_added"),
        CaseEvent::TeamSet { team, .. } => Told::new(if team.is_some() {
            "case_team_set"
        } else {
            "case_team_unset"
        })
        .set_some("case_team", team.clone()),
        CaseEvent::Closed { .. } => Told::new("case_closed"),
        CaseEvent::Reopened { .. } => Told::new("case_reopened"),
    }
}
