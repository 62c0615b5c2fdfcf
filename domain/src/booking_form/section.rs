//! What a save of one section, or a document taken back, changes.

use uuid::Uuid;

use super::definition::{self, SectionKey};
use super::{Answer, Answers, BookingForm, BookingFormEvent, BookingFormRejection, Start, is_filled};
use crate::moment::Moment;
use crate::sealed::Sealed;

impl BookingForm {
    /// What a section's answers change; the medical one is sealed apart.
    pub(super) fn section_saved(
        &self,
        start: &Start,
        key: SectionKey,
        mut answers: Answers,
        complete: bool,
        at: Moment,
    ) -> Vec<BookingFormEvent> {
        let medical = match answers.remove(definition::MEDICAL_CONDITION) {
            Some(Answer::Text(text)) => text.trim().to_owned(),
            Some(Answer::Flag(_)) | None => String::new(),
        };
        let mut events = Vec::new();
        let stored = self.sections.get(&key);
        let is_new = stored.is_some_and(|stored| *stored != answers)
            || (stored.is_none() && (complete || !answers.is_empty()));
        if is_new || self.completed.contains(&key) != complete {
            events.push(BookingFormEvent::SectionSaved {
                section: key,
                complete,
                filled: answers
                    .iter()
                    .filter(|(_, answer)| is_filled(answer))
                    .map(|(name, _)| name.clone())
                    .collect(),
                person_id: start.person_id,
                at,
                answers: Sealed::new(answers),
            });
        }
        let is_personal = key == SectionKey::PersonalForm;
        if is_personal && self.medical_condition.as_deref().unwrap_or_default() != medical {
            let medical_subject = start.medical_subject;
            events.push(BookingFormEvent::MedicalConditionSaved {
                medical_subject,
                at,
                condition: Sealed::new(medical),
            });
        }
        events
    }

    /// A document that a complete section names is needed there until another one takes its place.
    pub(super) fn remove_document(
        &self,
        start: &Start,
        document_id: Uuid,
        at: Moment,
    ) -> Result<Vec<BookingFormEvent>, BookingFormRejection> {
        if !self.documents.contains_key(&document_id) {
            return Err(BookingFormRejection::NoSuchDocument);
        }
        let name = document_id.to_string();
        // What was sent stands: a section asked before the payment cannot lose its document afterwards.
        let is_sent = |key: &SectionKey| {
            let asked = start.definition.section(*key);
            self.submitted && asked.is_some_and(|section| !section.after_payment)
        };
        let holds = |answers: &Answers| {
            answers
                .values()
                .any(|answer| *answer == Answer::Text(name.clone()))
        };
        if self
            .sections
            .iter()
            .any(|(key, answers)| is_sent(key) && holds(answers))
        {
            return Err(BookingFormRejection::AlreadySubmitted);
        }
        let mut events = vec![BookingFormEvent::DocumentRemoved { document_id, at }];
        for (key, stored) in &self.sections {
            let mut answers = stored.clone();
            answers.retain(|_, answer| *answer != Answer::Text(name.clone()));
            if answers.len() < stored.len() {
                let medical = self
                    .medical_condition
                    .clone()
                    .filter(|_| *key == SectionKey::PersonalForm);
                answers.extend(
                    medical.map(|text| (definition::MEDICAL_CONDITION.to_owned(), Answer::Text(text))),
                );
                events.extend(self.section_saved(start, *key, answers, false, at));
            }
        }
        Ok(events)
    }
}
