//! Whether a section's answers are complete and can be used (D90). One check for saving and for submitting.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike as _, NaiveDate};
use uuid::Uuid;

use super::definition::{FULL_NAME, Field, FieldKind, Section};
use super::postcode::{COUNTRY, POSTCODE, has_postcodes};
use super::{Answer, Answers, Document};
use crate::calendar;
use crate::contact::{Email, FaultCode, FieldFault, PersonName, Phone, is_blank, is_unseen};
use crate::moment::Moment;

/// Longer answers are not answers.
const TEXT_MAX: usize = 2_000;
/// D90: who books must be at least this old, and at most …
const AGE_MIN: i32 = 16;
const AGE_MAX: i32 = 99;

/// Answers that may be stored although incomplete: fields that are asked or were (`former`), sensible sizes.
pub(super) fn check_draft(
    section: &Section,
    answers: &Answers,
    former: &BTreeSet<String>,
) -> Vec<FieldFault> {
    answers
        .iter()
        .filter_map(|(key, answer)| {
            let path = format!("{}/{key}", section.key.key());
            let field = section.fields.iter().find(|field| field.key == *key);
            let kind = match field {
                Some(field) => field.kind,
                None if former.contains(key) && matches!(answer, Answer::Flag(_)) => return None,
                None if former.contains(key) => FieldKind::Text,
                None => return Some(FieldFault::new(path, FaultCode::UnknownField)),
            };
            match (kind, answer) {
                (FieldKind::Checkbox, Answer::Flag(_)) => None,
                (FieldKind::Checkbox, Answer::Text(_)) | (_, Answer::Flag(_)) => {
                    Some(FieldFault::new(path, FaultCode::Format))
                }
                (_, Answer::Text(text)) if text.chars().count() > TEXT_MAX => {
                    Some(FieldFault::new(path, FaultCode::TooLong))
                }
                (_, Answer::Text(text))
                    if text
                        .chars()
                        .any(|c| (c.is_control() && c != '\n') || is_unseen(c)) =>
                {
                    Some(FieldFault::new(path, FaultCode::Format))
                }
                (_, Answer::Text(_)) => None,
            }
        })
        .collect()
}

/// Everything that stands between the answers and a complete section.
pub(super) fn check_complete(
    section: &Section,
    answers: &Answers,
    former: &BTreeSet<String>,
    documents: &BTreeMap<Uuid, Document>,
    at: Moment,
) -> Vec<FieldFault> {
    let mut faults = check_draft(section, answers, former);
    for field in section.fields.iter().filter(|field| is_asked(field, answers)) {
        let answer = answers.get(&field.key);
        let outcome = match (field.kind, answer) {
            (FieldKind::Checkbox, Some(Answer::Flag(true))) => Ok(()),
            (FieldKind::Checkbox, _) if field.required => Err(FaultCode::MustAccept),
            (FieldKind::Checkbox, _) => Ok(()),
            (FieldKind::File, Some(Answer::Text(text))) if !text.is_empty() => text
                .parse()
                .ok()
                .filter(|id| documents.contains_key(id))
                .map(|_| ())
                .ok_or(FaultCode::Document),
            (_, Some(Answer::Text(text))) if !is_blank(text) => check_text(field, text, at),
            (_, _) if field.required => Err(FaultCode::Required),
            (_, _) => Ok(()),
        };
        if let Err(code) = outcome {
            faults.push(FieldFault::new(
                format!("{}/{}", section.key.key(), field.key),
                code,
            ));
        }
    }
    faults.dedup();
    faults
}

fn is_asked(field: &Field, answers: &Answers) -> bool {
    if field.key == POSTCODE
        && let Some(Answer::Text(country)) = answers.get(COUNTRY)
        && !has_postcodes(country)
    {
        return false;
    }
    field.visible_if.as_ref().is_none_or(|condition| {
        let value = match answers.get(&condition.field) {
            Some(Answer::Flag(flag)) => flag.to_string(),
            Some(Answer::Text(text)) => text.clone(),
            // A checkbox nobody touched is not ticked.
            None => "false".to_owned(),
        };
        value == condition.equals
    })
}

fn check_text(field: &Field, text: &str, at: Moment) -> Result<(), FaultCode> {
    match field.kind {
        FieldKind::Email => Email::parse(text).map(|_| ()),
        FieldKind::Phone => Phone::parse(text).map(|_| ()),
        FieldKind::Date if field.key == "dob" => check_birth(text, at),
        FieldKind::Date => check_day(text, at),
        FieldKind::Select if !field.options.iter().any(|option| option == text) => Err(FaultCode::Choice),
        FieldKind::Country if !is_country(text) => Err(FaultCode::Choice),
        FieldKind::Text if field.key == FULL_NAME => PersonName::parse(text).map(|_| ()),
        FieldKind::Select
        | FieldKind::Text
        | FieldKind::Textarea
        | FieldKind::Checkbox
        | FieldKind::File
        | FieldKind::Country => Ok(()),
    }
}

/// Territories that have a code of their own (ISO 3166) and no plan of telephone numbers.
const WITHOUT_NUMBERS: [&str; 4] = ["GS", "PN", "TF", "UM"];

/// A code of ISO 3166, as the form's list sends it.
fn is_country(text: &str) -> bool {
    WITHOUT_NUMBERS.contains(&text) || text.parse::<phonenumber::country::Id>().is_ok()
}

fn read_date(text: &str) -> Result<NaiveDate, FaultCode> {
    calendar::read_day(text.trim()).ok_or(FaultCode::DateFormat)
}

/// A day of a life: no form means one further away.
fn check_day(text: &str, at: Moment) -> Result<(), FaultCode> {
    let away = read_date(text)?.year().saturating_sub(at.year()).abs();
    if away <= AGE_MAX {
        Ok(())
    } else {
        Err(FaultCode::DateBeyond)
    }
}

fn check_birth(text: &str, at: Moment) -> Result<(), FaultCode> {
    let (born, today) = (read_date(text)?, at.date_naive());
    let had_birthday = (today.month(), today.day()) >= (born.month(), born.day());
    let age = today.year() - born.year() - i32::from(!had_birthday);
    if (AGE_MIN..=AGE_MAX).contains(&age) {
        Ok(())
    } else {
        Err(FaultCode::AgeRange)
    }
}
