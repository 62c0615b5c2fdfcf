//! Answers merged field by field: two devices that write at once both keep what they typed (D79, D82).

use super::check::{check_complete, check_draft};
use super::definition::{Section, SectionKey};
use super::{Answer, Answers, BookingForm, BookingFormEvent, BookingFormRejection, Fields, Place, Start};

impl BookingForm {
    /// The stored answers that these replace although their writer had not seen them: of every field the newer words hold,
    /// and the writer is told of the older ones. `seen` has the value that each field had on the writer's screen.
    pub fn overwritten(&self, section: SectionKey, answers: &Answers, seen: &Answers) -> Answers {
        let stored = self.own_answers().remove(&section).unwrap_or_default();
        let replaced = answers.iter().filter_map(|(field, answer)| {
            let there = stored.get(field)?;
            let is_news = !is_same(Some(there), seen.get(field)) && !is_same(Some(there), Some(answer));
            is_news.then(|| (field.clone(), there.clone()))
        });
        replaced.collect()
    }

    /// A section with these fields put over what is stored. A section that was complete stays so while its answers can be used.
    pub(super) fn merge(
        &self,
        start: &Start,
        fields: Fields,
    ) -> Result<Vec<BookingFormEvent>, BookingFormRejection> {
        let key = fields.section;
        let shown = start.definition.section(key);
        let is_shown = shown.is_some();
        let former = Section::former(key);
        let section = match shown {
            Some(section) => section,
            None if self.former.contains_key(&key) => &former,
            None => return Err(BookingFormRejection::NoSuchSection),
        };
        if self.submitted && !section.after_payment && !fields.answers.is_empty() {
            return Err(BookingFormRejection::AlreadySubmitted);
        }
        let faults = check_draft(section, &fields.answers, self.former_of(key));
        if !faults.is_empty() {
            return Err(BookingFormRejection::Invalid(faults));
        }
        let mut answers = self.own_answers().remove(&key).unwrap_or_default();
        answers.extend(fields.answers);
        let faults = check_complete(section, &answers, self.former_of(key), &self.documents, fields.at);
        if fields.complete && is_shown && !faults.is_empty() {
            return Err(BookingFormRejection::Invalid(faults));
        }
        let complete = is_shown && faults.is_empty() && (fields.complete || self.completed.contains(&key));
        let mut events = self.section_saved(start, key, answers, complete, fields.at);
        let next = if fields.complete {
            self.next_open(start, section)
        } else {
            None
        };
        let place = match next {
            Some(next) => Place {
                section: next,
                field: None,
            },
            None => Place {
                section: key,
                field: fields.focused,
            },
        };
        if is_shown && (next.is_some() || place.is_of(section)) && self.place.as_ref() != Some(&place) {
            events.push(BookingFormEvent::PlaceKept { place, at: fields.at });
        }
        Ok(events)
    }

    /// The section to go on with once this one is complete.
    fn next_open(&self, start: &Start, section: &Section) -> Option<SectionKey> {
        let asked = start
            .definition
            .visible(section.after_payment)
            .map(|asked| asked.key);
        let mut behind = asked.skip_while(|key| *key != section.key).skip(1);
        behind.find(|key| !self.completed.contains(key))
    }
}

impl Section {
    /// A section that the provider took out of the form: it asks nothing, and what was typed into it stays.
    const fn former(key: SectionKey) -> Self {
        Self {
            key,
            hidden: true,
            step: 0,
            last: false,
            after_payment: matches!(key, SectionKey::ConfirmationDocuments),
            fields: Vec::new(),
        }
    }
}

impl Place {
    /// A field that the section does not ask is no place to go on at.
    fn is_of(&self, section: &Section) -> bool {
        let asks = |name: &String| section.fields.iter().any(|field| field.key == *name);
        self.field.as_ref().is_none_or(asks)
    }
}

/// Nothing typed, an empty text and a box that is not ticked are the same answer.
fn is_same(one: Option<&Answer>, other: Option<&Answer>) -> bool {
    let filled = |answer: Option<&Answer>| answer.filter(|answer| super::is_filled(answer)).cloned();
    filled(one) == filled(other)
}
