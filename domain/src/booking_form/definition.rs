//! What a booking or application form asks: sections, fields, numbering (Spec §3 "Custom form sections", §4 "Custom
//! form steps", D88-D92).

use serde::{Deserialize, Serialize};

use crate::country::{Country, Flow, guarantor_is_asked};

/// The sections a form can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKey {
    PersonalForm,
    EmergencyForm,
    GuarantorForm,
    ConfirmationDocuments,
}

impl SectionKey {
    pub const ALL: [Self; 4] = [
        Self::PersonalForm,
        Self::EmergencyForm,
        Self::GuarantorForm,
        Self::ConfirmationDocuments,
    ];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::PersonalForm => "personal_form",
            Self::EmergencyForm => "emergency_form",
            Self::GuarantorForm => "guarantor_form",
            Self::ConfirmationDocuments => "confirmation_documents",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.key() == key)
    }
}

/// How a field is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    Text,
    Email,
    Phone,
    Date,
    Select,
    Textarea,
    Checkbox,
    Country,
    /// A document that was sent; its answer is the document's id (D93).
    File,
}

/// Shows a field only while another one has a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisibleIf {
    pub field: String,
    pub equals: String,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub key: String,
    #[serde(rename = "type")]
    pub kind: FieldKind,
    pub required: bool,
    #[serde(default)]
    pub options: Vec<String>,
    #[serde(default)]
    pub visible_if: Option<VisibleIf>,
}

/// One page of questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub key: SectionKey,
    pub hidden: bool,
    /// Printed number: from 2 before payment, from 1 after it (D92).
    pub step: u8,
    pub last: bool,
    pub after_payment: bool,
    pub fields: Vec<Field>,
}

/// All that one form asks; kept with the form, so that a later change of the listing does not move the ground.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormDefinition {
    pub sections: Vec<Section>,
}

impl FormDefinition {
    /// The form of a property: its own one, or the default where it has none or hides everything (Spec §5).
    pub fn of(own: Option<Self>, country: Option<Country>, guarantor_required: Option<&str>) -> Self {
        let mut form = own
            .filter(|form| form.sections.iter().any(|section| !section.hidden))
            .unwrap_or_else(Self::full);
        if !guarantor_is_asked(country, guarantor_required) {
            for section in &mut form.sections {
                section.hidden |= section.key == SectionKey::GuarantorForm;
            }
        }
        form.number(country.is_some_and(|country| country.flow() == Flow::Apply));
        form
    }

    /// The sections that are shown, before or after payment.
    pub fn visible(&self, after_payment: bool) -> impl Iterator<Item = &Section> {
        self.sections
            .iter()
            .filter(move |section| !section.hidden && section.after_payment == after_payment)
    }

    /// One shown section.
    pub fn section(&self, key: SectionKey) -> Option<&Section> {
        self.sections
            .iter()
            .find(|section| section.key == key && !section.hidden)
    }

    /// D88, D90: everything the specification lists, shown.
    fn full() -> Self {
        Self {
            sections: vec![
                section(SectionKey::PersonalForm, personal_fields()),
                section(SectionKey::EmergencyForm, contact_fields(None)),
                section(SectionKey::GuarantorForm, guarantor_fields()),
                Section {
                    after_payment: true,
                    ..section(SectionKey::ConfirmationDocuments, document_fields())
                },
            ],
        }
    }

    /// D92: step 1 is the lead itself, so sections count from 2 before payment and from 1 after it. Where the lease is
    /// an application, nothing before payment is the last step while sections follow after payment.
    fn number(&mut self, goes_on_after_payment: bool) {
        for (after_payment, first) in [(false, 2), (true, 1)] {
            let mut step = first;
            let follows = !after_payment && goes_on_after_payment && self.visible(true).next().is_some();
            let shown = self.visible(after_payment).count();
            let mut seen = 0;
            for section in &mut self.sections {
                if section.hidden || section.after_payment != after_payment {
                    continue;
                }
                seen += 1;
                section.step = step;
                section.last = seen == shown && !follows;
                step += 1;
            }
        }
    }
}

fn section(key: SectionKey, fields: Vec<Field>) -> Section {
    Section {
        key,
        hidden: false,
        step: 0,
        last: false,
        after_payment: false,
        fields,
    }
}

fn field(key: &str, kind: FieldKind, required: bool) -> Field {
    Field {
        key: key.to_owned(),
        kind,
        required,
        options: vec![],
        visible_if: None,
    }
}

fn choice(key: &str, required: bool, options: &[&str]) -> Field {
    Field {
        options: options.iter().map(|&option| option.to_owned()).collect(),
        ..field(key, FieldKind::Select, required)
    }
}

fn personal_fields() -> Vec<Field> {
    use FieldKind as K;
    vec![
        choice("title", false, &["mr", "ms", "mx", "dr"]),
        field(FULL_NAME, K::Text, true),
        field("dob", K::Date, true),
        field("gender", K::Text, false),
        field("phone", K::Phone, true),
        field("email", K::Email, true),
        field("alternate_email", K::Email, false),
        field("nationality", K::Country, true),
        field("address_line_1", K::Text, true),
        field("address_line_2", K::Text, false),
        field("city", K::Text, true),
        field("state", K::Text, false),
        field("postcode", K::Text, true),
        field("country", K::Country, true),
        field("university", K::Text, true),
        field("course", K::Text, false),
        choice(
            "enrolment_status",
            true,
            &["enrolled", "offer_accepted", "offer_received", "applied"],
        ),
        // D91: of a special kind, sealed under a key of its own.
        field(MEDICAL_CONDITION, K::Textarea, false),
    ]
}

/// The field that holds a person's whole name, in every section.
pub const FULL_NAME: &str = "full_name";
/// The field that is kept apart from all others (D91).
pub const MEDICAL_CONDITION: &str = "medical_condition";
/// The guarantor is the emergency contact: nothing more to fill in (Spec §3).
pub const SAME_AS_EMERGENCY: &str = "same_as_emergency";

fn contact_fields(visible_if: Option<&VisibleIf>) -> Vec<Field> {
    use FieldKind as K;
    [
        (FULL_NAME, K::Text),
        ("relation", K::Text),
        ("phone", K::Phone),
        ("email", K::Email),
    ]
    .into_iter()
    .map(|(key, kind)| Field {
        visible_if: visible_if.cloned(),
        ..field(key, kind, true)
    })
    .collect()
}

fn guarantor_fields() -> Vec<Field> {
    let other_person = VisibleIf {
        field: SAME_AS_EMERGENCY.to_owned(),
        equals: "false".to_owned(),
    };
    let mut fields = vec![field(SAME_AS_EMERGENCY, FieldKind::Checkbox, false)];
    fields.extend(contact_fields(Some(&other_person)));
    fields
}

fn document_fields() -> Vec<Field> {
    vec![
        choice("identity_document", true, &["passport", "national_id"]),
        field("identity_number", FieldKind::Text, true),
        field("identity_file", FieldKind::File, true),
        field("enrolment_letter", FieldKind::File, false),
        field("documents_are_genuine", FieldKind::Checkbox, true),
    ]
}
