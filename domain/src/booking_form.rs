//! The booking or application form of one lead: saved section by section, valid or not, and submitted once complete
//! (row D2, D3; D88-D93).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::aggregate::Decide;
use crate::contact::{FieldFault, is_blank};
use crate::country::Flow;
use crate::id::{BookingFormId, InventoryId, LeadId, UserId};
use crate::moment::Moment;
use crate::sealed::{Sealable, Sealed, json_of, read_json};

mod check;
pub mod definition;
pub mod document_link;
mod merge;
mod openings;
mod postcode;
mod revise;
mod section;

pub use definition::{FormDefinition, SectionKey};
pub use document_link::Document;
use document_link::{DocumentLink, LinkCommand};

/// A form with more is no form any more.
const DOCUMENTS_MAX: usize = 20;

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    Flag(bool),
    Text(String),
}

/// The answers of one section by field.
pub type Answers = BTreeMap<String, Answer>;

/// The names that stored answers have and no definition asks for any more, by section.
pub type Former = BTreeMap<SectionKey, BTreeSet<String>>;

/// Some fields of one section, as one device typed them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    pub section: SectionKey,
    /// Only what was typed: every other field stays as it is.
    pub answers: Answers,
    /// Asks for the whole section to be accepted as final.
    pub complete: bool,
    /// The field that was last focused, by its name: where another device goes on.
    pub focused: Option<String>,
    pub at: Moment,
}

/// What a caller may ask of a form.
#[derive(Debug, Clone)]
pub enum BookingFormCommand {
    Start {
        start: Box<Start>,
        at: Moment,
    },
    /// All answers of a section as they stand; `complete` asks for them to be accepted as final.
    SaveSection {
        section: SectionKey,
        answers: Answers,
        complete: bool,
        at: Moment,
    },
    /// Some fields of a section: all others stay as they are.
    Merge(Fields),
    /// The command under the listing's definition of now.
    Under {
        definition: Box<FormDefinition>,
        then: Box<BookingFormCommand>,
        at: Moment,
    },
    /// The student took a document back.
    RemoveDocument {
        document_id: Uuid,
        at: Moment,
    },
    /// A file that lies sealed beside the log.
    AddDocument {
        document: Document,
        name: String,
        at: Moment,
    },
    /// Makes or uses a link by which staff or the provider open a document.
    Link(LinkCommand),
    /// Another room of the same property.
    ChangeRoom {
        inventory_id: InventoryId,
        at: Moment,
    },
    Submit {
        at: Moment,
    },
}

/// Where the student stopped: the section, and the field that had the focus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub section: SectionKey,
    pub field: Option<String>,
}

/// What a form is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    pub form_id: BookingFormId,
    pub lead_id: LeadId,
    /// Whose key seals the answers and documents: that of the lead, which is its person's own in older leads (decision 0015).
    pub person_id: UserId,
    /// Whose key seals the medical answer: not the person's own, so that it can be opened or destroyed alone (D91).
    pub medical_subject: UserId,
    /// The room, or the property where no room was chosen.
    pub inventory_id: InventoryId,
    pub flow: Flow,
    pub definition: FormDefinition,
    /// Where the link to the form came from (Spec §2 `bookform_source`): sealed, as it may be a name. A form's state has none.
    #[serde(default, skip_serializing)]
    pub source: Option<String>,
}

/// What happened to a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BookingFormEvent {
    Started {
        start: Box<Start>,
        at: Moment,
    },
    SectionSaved {
        section: SectionKey,
        complete: bool,
        /// The names of the fields that have an answer; the answers themselves are sealed.
        filled: Vec<String>,
        person_id: UserId,
        at: Moment,
        #[serde(skip)]
        answers: Sealed<Answers>,
    },
    MedicalConditionSaved {
        medical_subject: UserId,
        at: Moment,
        #[serde(skip)]
        condition: Sealed<String>,
    },
    DocumentAdded {
        document: Document,
        person_id: UserId,
        at: Moment,
        /// Files carry their owners' names.
        #[serde(skip)]
        name: Sealed<String>,
    },
    RoomChanged {
        inventory_id: InventoryId,
        at: Moment,
    },
    Submitted {
        flow: Flow,
        at: Moment,
    },
    /// Where the form goes on, on whichever device.
    PlaceKept {
        place: Place,
        at: Moment,
    },
    /// The provider asks otherwise than before; `reopened` were complete and lack an answer now.
    DefinitionChanged {
        definition: FormDefinition,
        reopened: Vec<SectionKey>,
        at: Moment,
    },
    DocumentRemoved {
        document_id: Uuid,
        at: Moment,
    },
    /// Staff made a link that opens one document once.
    DocumentLinkMade {
        link: DocumentLink,
        at: Moment,
    },
    /// A document was opened by its link, which ended with that.
    DocumentOpened {
        link: DocumentLink,
        at: Moment,
    },
}

crate::event_names!(BookingFormEvent {
    Started => "BookingFormStarted" 3,
    SectionSaved => "BookingFormSectionSaved" 1,
    MedicalConditionSaved => "BookingFormMedicalConditionSaved" 1,
    DocumentAdded => "BookingFormDocumentAdded" 1,
    RoomChanged => "BookingFormRoomChanged" 1,
    Submitted => "BookingFormSubmitted" 1,
    PlaceKept => "BookingFormPlaceKept" 1,
    DefinitionChanged => "BookingFormDefinitionChanged" 1,
    DocumentRemoved => "BookingFormDocumentRemoved" 1,
    DocumentLinkMade => "BookingFormDocumentLinkMade" 1,
    DocumentOpened => "BookingFormDocumentOpened" 1,
} upcasts {
    "BookingFormStarted" 1 => "BookingFormStarted" 2: crate::shape::as_it_is,
    "BookingFormStarted" 2 => "BookingFormStarted" 3: crate::shape::as_it_is,
});

impl Sealable for BookingFormEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::SectionSaved { person_id, .. } | Self::DocumentAdded { person_id, .. } => Some(*person_id),
            Self::MedicalConditionSaved { medical_subject, .. } => Some(*medical_subject),
            Self::Started { start, .. } => start.source.as_ref().map(|_| start.person_id),
            Self::RoomChanged { .. }
            | Self::Submitted { .. }
            | Self::PlaceKept { .. }
            | Self::DefinitionChanged { .. }
            | Self::DocumentRemoved { .. }
            | Self::DocumentLinkMade { .. }
            | Self::DocumentOpened { .. } => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::SectionSaved { answers, .. } => answers.to_json(),
            Self::MedicalConditionSaved { condition, .. } => condition.to_json(),
            Self::DocumentAdded { name, .. } => name.to_json(),
            Self::Started { start, .. } => start.source.as_ref().and_then(json_of),
            Self::RoomChanged { .. }
            | Self::Submitted { .. }
            | Self::PlaceKept { .. }
            | Self::DefinitionChanged { .. }
            | Self::DocumentRemoved { .. }
            | Self::DocumentLinkMade { .. }
            | Self::DocumentOpened { .. } => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        match self {
            Self::SectionSaved { answers, .. } => answers.reveal(plain),
            Self::MedicalConditionSaved { condition, .. } => condition.reveal(plain),
            Self::DocumentAdded { name, .. } => name.reveal(plain),
            // What older payloads have is not shown: it would outlive its person.
            Self::Started { start, .. } => start.source = plain.and_then(read_json),
            Self::RoomChanged { .. }
            | Self::Submitted { .. }
            | Self::PlaceKept { .. }
            | Self::DefinitionChanged { .. }
            | Self::DocumentRemoved { .. }
            | Self::DocumentLinkMade { .. }
            | Self::DocumentOpened { .. } => {}
        }
    }
}

/// Why a form turned a command down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BookingFormRejection {
    #[error("there is no such form")]
    Unknown,
    #[error("this form has no section of that name")]
    NoSuchSection,
    #[error("some answers cannot be used")]
    Invalid(Vec<FieldFault>),
    #[error("this form has as many documents as it can hold")]
    TooManyDocuments,
    #[error("the form has no such document")]
    NoSuchDocument,
    #[error("this link was used")]
    LinkUsed,
    #[error("this link has expired")]
    LinkOver,
    #[error("the form was sent already")]
    AlreadySubmitted,
    #[error("these sections are not complete yet: {}", .0.iter().map(|key| key.key()).collect::<Vec<_>>().join(", "))]
    Incomplete(Vec<SectionKey>),
}

/// A form as its events tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingForm {
    pub start: Option<Box<Start>>,
    pub sections: BTreeMap<SectionKey, Answers>,
    pub medical_condition: Option<String>,
    pub completed: BTreeSet<SectionKey>,
    pub submitted: bool,
    pub documents: BTreeMap<Uuid, Document>,
    /// `None` once the person was forgotten.
    pub document_names: BTreeMap<Uuid, Option<String>>,
    #[serde(default)]
    pub place: Option<Place>,
    /// Fields that were asked once and are not any more; their answers stay (D89).
    #[serde(default)]
    pub former: Former,
    /// Links that staff made, with the moment of their use.
    #[serde(default)]
    pub document_links: BTreeMap<Uuid, (DocumentLink, Option<Moment>)>,
}

impl Decide for BookingForm {
    const KIND: &'static str = "booking_form";
    type Command = BookingFormCommand;
    type Event = BookingFormEvent;
    type Rejection = BookingFormRejection;

    fn decide(&self, command: BookingFormCommand) -> Result<Vec<BookingFormEvent>, BookingFormRejection> {
        use BookingFormCommand as C;
        match (self.start.as_deref(), command) {
            (None, C::Start { start, at }) => Ok(vec![BookingFormEvent::Started { start, at }]),
            (None, _) => Err(BookingFormRejection::Unknown),
            (Some(_), C::Under { definition, then, at }) => self.decide_under(*definition, at, *then),
            (Some(start), C::Merge(fields)) => self.merge(start, fields),
            (Some(start), C::RemoveDocument { document_id, at }) => {
                self.remove_document(start, document_id, at)
            }
            (Some(_), C::Link(command)) => self.link(command),
            (Some(_), C::AddDocument { .. }) if self.documents.len() >= DOCUMENTS_MAX => {
                Err(BookingFormRejection::TooManyDocuments)
            }
            (Some(start), C::AddDocument { document, name, at }) => {
                Ok(vec![BookingFormEvent::DocumentAdded {
                    document,
                    person_id: start.person_id,
                    at,
                    name: Sealed::new(name),
                }])
            }
            // Opening the form on another device finds the one that is there.
            (Some(_), C::Start { .. }) => Ok(vec![]),
            (
                Some(start),
                C::SaveSection {
                    section,
                    answers,
                    complete,
                    at,
                },
            ) => self.save(start, section, answers, complete, at),
            (Some(start), C::ChangeRoom { inventory_id, at }) => Ok(if start.inventory_id == inventory_id {
                vec![]
            } else {
                vec![BookingFormEvent::RoomChanged { inventory_id, at }]
            }),
            (Some(_), C::Submit { .. }) if self.submitted => Ok(vec![]),
            (Some(start), C::Submit { at }) => {
                let open = self.open_sections(start);
                if open.is_empty() {
                    Ok(vec![BookingFormEvent::Submitted { flow: start.flow, at }])
                } else {
                    Err(BookingFormRejection::Incomplete(open))
                }
            }
        }
    }

    fn evolve(&mut self, event: &BookingFormEvent) {
        match event {
            BookingFormEvent::Started { start, .. } => {
                let source = None;
                self.start = Some(Box::new(Start {
                    source,
                    ..*start.clone()
                }));
            }
            BookingFormEvent::SectionSaved {
                section,
                complete,
                answers,
                ..
            } => {
                self.sections
                    .insert(*section, answers.get().cloned().unwrap_or_default());
                if *complete {
                    self.completed.insert(*section);
                } else {
                    self.completed.remove(section);
                }
            }
            BookingFormEvent::MedicalConditionSaved { condition, .. } => {
                self.medical_condition = condition.get().filter(|text| !text.is_empty()).cloned();
            }
            BookingFormEvent::DocumentAdded { document, name, .. } => {
                self.document_names
                    .insert(document.document_id, name.get().cloned());
                self.documents.insert(document.document_id, document.clone());
            }
            BookingFormEvent::RoomChanged { inventory_id, .. } => {
                if let Some(start) = &mut self.start {
                    start.inventory_id = *inventory_id;
                }
            }
            BookingFormEvent::Submitted { .. } => self.submitted = true,
            BookingFormEvent::PlaceKept { place, .. } => self.place = Some(place.clone()),
            BookingFormEvent::DefinitionChanged {
                definition, reopened, ..
            } => self.take_definition(definition, reopened),
            BookingFormEvent::DocumentRemoved { document_id, .. } => {
                self.documents.remove(document_id);
                self.document_names.remove(document_id);
            }
            BookingFormEvent::DocumentLinkMade { link, .. } => {
                self.document_links.insert(link.link_id, (*link, None));
            }
            BookingFormEvent::DocumentOpened { link, at } => {
                self.document_links.insert(link.link_id, (*link, Some(*at)));
            }
        }
    }
}

impl BookingForm {
    /// The answers of every section with the medical one put back in its place: for the person themselves.
    pub fn own_answers(&self) -> BTreeMap<SectionKey, Answers> {
        let mut sections = self.sections.clone();
        if let Some(condition) = &self.medical_condition {
            let personal = sections.entry(SectionKey::PersonalForm).or_default();
            personal.insert(
                definition::MEDICAL_CONDITION.to_owned(),
                Answer::Text(condition.clone()),
            );
        }
        sections
    }

    /// The sections asked after the payment that are not complete yet.
    pub fn open_after_payment(&self) -> Vec<SectionKey> {
        self.start
            .as_deref()
            .map(|start| self.not_complete(start, true))
            .unwrap_or_default()
    }

    fn open_sections(&self, start: &Start) -> Vec<SectionKey> {
        self.not_complete(start, false)
    }

    fn not_complete(&self, start: &Start, after_payment: bool) -> Vec<SectionKey> {
        start
            .definition
            .visible(after_payment)
            .map(|section| section.key)
            .filter(|key| !self.completed.contains(key))
            .collect()
    }

    fn save(
        &self,
        start: &Start,
        key: SectionKey,
        mut answers: Answers,
        complete: bool,
        at: Moment,
    ) -> Result<Vec<BookingFormEvent>, BookingFormRejection> {
        let section = start
            .definition
            .section(key)
            .ok_or(BookingFormRejection::NoSuchSection)?;
        if self.submitted && !section.after_payment {
            return Err(BookingFormRejection::AlreadySubmitted);
        }
        let former = self.former_of(key);
        let faults = if complete {
            check::check_complete(section, &answers, former, &self.documents, at)
        } else {
            check::check_draft(section, &answers, former)
        };
        if !faults.is_empty() {
            return Err(BookingFormRejection::Invalid(faults));
        }
        // What no field asks for any more is not taken away by a save of the fields that are asked.
        let stored = self.sections.get(&key).into_iter().flatten();
        for (field, answer) in stored.filter(|(field, _)| former.contains(*field)) {
            answers.entry(field.clone()).or_insert_with(|| answer.clone());
        }
        Ok(self.section_saved(start, key, answers, complete, at))
    }
}

fn is_filled(answer: &Answer) -> bool {
    match answer {
        Answer::Flag(flag) => *flag,
        Answer::Text(text) => !is_blank(text),
    }
}

crate::aggregate!(BookingForm);

#[cfg(test)]
mod tests;
