//! What a lead knows of the messages to its sender.

use uuid::Uuid;

use super::{Lead, LeadEvent, unless};
use crate::correspondence::{LetterKind, LetterText, Posted};
use crate::moment::Moment;
use crate::sealed::Sealed;

impl Lead {
    /// Takes a message in.
    pub(super) fn know(&mut self, posted: Posted) {
        self.letters.insert((posted.letter, posted.about));
    }

    /// Whether this message went out, or was refused for good.
    pub fn knows(&self, letter: LetterKind, about: Option<Uuid>) -> bool {
        self.letters.contains(&(letter, about))
    }

    /// Once for each fact; what was written is sealed for the lead's person.
    pub(super) fn note_letter(
        &self,
        posted: Posted,
        text: Option<Box<LetterText>>,
        at: Moment,
    ) -> Vec<LeadEvent> {
        let Some(person_id) = self.sealed_by() else {
            return vec![];
        };
        let known = self.knows(posted.letter, posted.about);
        let text = Sealed(text.map(|text| *text));
        let event = LeadEvent::LetterPosted {
            posted,
            person_id,
            at,
            text,
        };
        unless(known, event)
    }
}
