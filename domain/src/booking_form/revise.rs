//! A definition that the provider changed while a form is being filled in: nothing typed is lost, and what is newly required
//! is asked for (D89).

use std::collections::BTreeSet;

use super::check::check_complete;
use super::definition::{FormDefinition, Section, SectionKey};
use super::{BookingForm, BookingFormCommand, BookingFormEvent, BookingFormRejection, Start};
use crate::aggregate::Decide;
use crate::moment::Moment;

impl BookingForm {
    /// The form under the listing's definition of now: what a reader is shown before the next save records the change.
    #[must_use]
    pub fn under(mut self, definition: FormDefinition, at: Moment) -> Self {
        for event in self.revised(definition, at) {
            self.evolve(&event);
        }
        self
    }

    /// The former answers of a section: those that no field asks for any more.
    pub fn former_of(&self, section: SectionKey) -> &BTreeSet<String> {
        static NONE: BTreeSet<String> = BTreeSet::new();
        self.former.get(&section).unwrap_or(&NONE)
    }

    /// Carries a command out under the definition of now, which is recorded with it.
    pub(super) fn decide_under(
        &self,
        definition: FormDefinition,
        at: Moment,
        then: BookingFormCommand,
    ) -> Result<Vec<BookingFormEvent>, BookingFormRejection> {
        let mut events = self.revised(definition, at);
        let mut revised = self.clone();
        for event in &events {
            revised.evolve(event);
        }
        events.extend(revised.decide(then)?);
        Ok(events)
    }

    /// A form that was sent stands as it was sent.
    fn revised(&self, definition: FormDefinition, at: Moment) -> Vec<BookingFormEvent> {
        let Some(start) = self.start.as_deref().filter(|_| !self.submitted) else {
            return vec![];
        };
        if start.definition == definition {
            return vec![];
        }
        let answers = self.own_answers();
        let reopened = self.completed.iter().copied().filter(|key| {
            let known = answers.get(key).cloned().unwrap_or_default();
            let mut former = self.former_of(*key).clone();
            former.extend(known.keys().cloned());
            definition.section(*key).is_some_and(|section| {
                !check_complete(section, &known, &former, &self.documents, at).is_empty()
            })
        });
        let reopened = reopened.collect();
        vec![BookingFormEvent::DefinitionChanged {
            definition,
            reopened,
            at,
        }]
    }

    pub(super) fn take_definition(&mut self, definition: &FormDefinition, reopened: &[SectionKey]) {
        let Some(start) = &mut self.start else { return };
        let before = Start::clone(start).definition;
        start.definition = definition.clone();
        for section in &before.sections {
            let asked = definition.section(section.key);
            let gone = section.fields.iter().map(|field| &field.key);
            let gone = gone.filter(|key| !asks(asked, key)).cloned();
            let gone: Vec<String> = gone.collect();
            if !gone.is_empty() {
                self.former.entry(section.key).or_default().extend(gone);
            }
        }
        for section in &definition.sections {
            if let Some(former) = self.former.get_mut(&section.key) {
                let shown = Some(section).filter(|section| !section.hidden);
                former.retain(|key| !asks(shown, key));
            }
        }
        self.former.retain(|_, former| !former.is_empty());
        for key in reopened {
            self.completed.remove(key);
        }
    }
}

fn asks(section: Option<&Section>, key: &String) -> bool {
    section.is_some_and(|section| section.fields.iter().any(|field| field.key == *key))
}
