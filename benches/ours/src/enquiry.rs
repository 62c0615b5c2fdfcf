//! An aggregate with the rivals' events, for the figures without personal data: the same bytes as theirs.

use domain::aggregate::Decide;
use domain::sealed::Sealable;
use measure::enquiry::{Advanced, Submitted};
use serde::{Deserialize, Serialize};

/// An enquiry that knows whether it was sent, and how far it has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enquiry {
    submitted: bool,
    steps: u64,
    total_minor: i64,
}

#[derive(Debug, Clone)]
pub enum EnquiryCommand {
    Submit(Box<Submitted>),
    Advance(Advanced),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EnquiryEvent {
    Submitted(Box<Submitted>),
    Advanced(Advanced),
}

domain::event_names!(EnquiryEvent {
    Submitted => "EnquirySubmitted" 1,
    Advanced => "EnquiryAdvanced" 1,
});

impl Sealable for EnquiryEvent {}

/// Why an enquiry turns a command down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnquiryRejection {
    SubmittedBefore,
    NotSubmitted,
}

impl std::fmt::Display for EnquiryRejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::SubmittedBefore => "the enquiry was submitted before",
            Self::NotSubmitted => "there is no such enquiry",
        })
    }
}

impl std::error::Error for EnquiryRejection {}

impl Decide for Enquiry {
    const KIND: &'static str = "enquiry";
    type Command = EnquiryCommand;
    type Event = EnquiryEvent;
    type Rejection = EnquiryRejection;

    fn decide(&self, command: EnquiryCommand) -> Result<Vec<EnquiryEvent>, EnquiryRejection> {
        match command {
            EnquiryCommand::Submit(_) if self.submitted => Err(EnquiryRejection::SubmittedBefore),
            EnquiryCommand::Submit(submitted) => Ok(vec![
                EnquiryEvent::Submitted(submitted),
                EnquiryEvent::Advanced(measure::enquiry::advanced(0)),
            ]),
            EnquiryCommand::Advance(_) if !self.submitted => Err(EnquiryRejection::NotSubmitted),
            EnquiryCommand::Advance(step) => Ok(vec![EnquiryEvent::Advanced(step)]),
        }
    }

    fn evolve(&mut self, event: &EnquiryEvent) {
        match event {
            EnquiryEvent::Submitted(_) => self.submitted = true,
            EnquiryEvent::Advanced(step) => {
                self.steps += 1;
                self.total_minor += step.amount_minor;
            }
        }
    }
}
