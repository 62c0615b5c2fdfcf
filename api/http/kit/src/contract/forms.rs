//! The shapes of booking forms and of what a lead says, whose structs live in the domain, which knows no document.
#![expect(dead_code, reason = "only the shape is read, by the document")]

use std::collections::BTreeMap;

use utoipa::ToSchema;

use super::words::SectionKeyWord;

/// Questions of a booking or application form.
#[derive(ToSchema)]
pub struct CustomForm {
    sections: Vec<FormSection>,
}

/// One page of questions.
#[derive(ToSchema)]
pub struct FormSection {
    key: SectionKeyWord,
    hidden: bool,
    /// Printed step number: from 2 before payment, from 1 after it (D92).
    step: u8,
    last: bool,
    after_payment: bool,
    fields: Vec<FormField>,
}

/// One question.
#[derive(ToSchema)]
pub struct FormField {
    key: String,
    #[schema(rename = "type")]
    kind: FormFieldKind,
    required: bool,
    options: Vec<String>,
    visible_if: Option<VisibleIf>,
}

/// How a question is answered.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum FormFieldKind {
    Text,
    Email,
    Phone,
    Date,
    Select,
    Textarea,
    Checkbox,
    Country,
    File,
}

/// Shows a question only while another one has a value.
#[derive(ToSchema)]
pub struct VisibleIf {
    field: String,
    equals: String,
}

/// Answers per section; a section saved but not valid yet is kept too.
#[derive(ToSchema)]
pub struct FormSections {
    personal_form: SectionAnswers,
    emergency_form: SectionAnswers,
    guarantor_form: SectionAnswers,
    confirmation_documents: SectionAnswers,
}

/// Answers by question; a checkbox is true or false.
#[derive(ToSchema)]
#[schema(example = json!({ "first_name": "Mei", "last_name": "Lin" }))]
pub struct SectionAnswers(BTreeMap<String, SectionAnswer>);

/// One answer.
#[derive(serde::Serialize, ToSchema)]
#[serde(untagged)]
pub enum SectionAnswer {
    Words(String),
    Ticked(bool),
}

/// A viewing that was asked for.
#[derive(ToSchema)]
pub struct ViewingRequested {
    date: String,
    slot: String,
    timezone: String,
    mode: String,
}

/// Where the visitor came from: tracked parameters, click ids, referrers.
#[derive(ToSchema)]
pub struct SourceDetails {
    final_url: Option<String>,
    referrer: Option<String>,
    initial_referrer: Option<String>,
    referring_domain: Option<String>,
    initial_referring_domain: Option<String>,
    utm_source: Option<String>,
    utm_medium: Option<String>,
    utm_campaign: Option<String>,
    utm_content: Option<String>,
    utm_term: Option<String>,
    utm_group: Option<String>,
    gclid: Option<String>,
    fbclid: Option<String>,
    msclkid: Option<String>,
    keyword: Option<String>,
    wbraid: Option<String>,
    gbraid: Option<String>,
    referral_code: Option<String>,
}

/// Words of a partner's counsellor about themselves.
#[derive(ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names are the contract's")]
pub struct CounsellorDetails {
    councellor_name: Option<String>,
    councellor_email: Option<String>,
    councellor_country: Option<String>,
    councellor_office: Option<String>,
}

/// Changes of one event: all changes up to an event give the state at it. Personal values are masked.
#[derive(ToSchema)]
pub struct TimelineChange {
    field: String,
    from: Option<String>,
    to: Option<String>,
    masked: bool,
}

/// Values that fill the gaps of a sentence.
#[derive(ToSchema)]
pub struct SentenceParams(BTreeMap<String, SentenceParam>);

/// One gap's filling.
#[derive(serde::Serialize, ToSchema)]
#[serde(untagged)]
pub enum SentenceParam {
    Words(String),
    Number(f64),
}
