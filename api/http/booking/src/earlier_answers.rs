//! What a person answered in earlier booking forms, to fill in the next one: a returning student confirms instead of typing.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::booking_form::definition::FieldKind;
use domain::booking_form::{Answers, BookingForm, SectionKey};
use http_kit::caller::Person;
use http_kit::contract::forms::FormSections;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use projections::lead_board::query::{self, BoardRow, Which};
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::LoggedIn, routes!(earlier_answers))
}

/// How many of the newest enquiries are looked through.
const ENQUIRIES_MAX: u64 = 10;

/// The sections that are about the person and not about one booking: documents are sent anew each time.
const KEPT: [SectionKey; 3] = [
    SectionKey::PersonalForm,
    SectionKey::EmergencyForm,
    SectionKey::GuarantorForm,
];

/// The newest complete answers of each section.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct EarlierAnswers {
    #[schema(value_type = FormSections)]
    sections: BTreeMap<SectionKey, Answers>,
}

/// The caller's own answers to earlier forms: no documents, no identity numbers, no medical condition.
///
/// # Errors
/// 401 for a visitor.
#[utoipa::path(get, path = "/api/v0/users/earlier_answers",
    responses((status = 200, body = Success<EarlierAnswers>), (status = 401)))]
pub async fn earlier_answers(
    State(records): State<Records>,
    _context: RequestContext,
    person: Person,
) -> ApiResult<Success<EarlierAnswers>> {
    let mut earlier = EarlierAnswers::default();
    for row in newest_enquiries(&records, &person).await? {
        let Some(form_id) = row.form() else { continue };
        let form = records.log.load::<BookingForm>(form_id).await?.state;
        for key in KEPT {
            if !earlier.sections.contains_key(&key)
                && let Some(answers) = complete_answers(&form, key)
            {
                earlier.sections.insert(key, answers);
            }
        }
        if earlier.sections.len() == KEPT.len() {
            break;
        }
    }
    Ok(Success::new(earlier))
}

async fn newest_enquiries(records: &Records, person: &Person) -> ApiResult<Vec<BoardRow>> {
    let owner = person.ownership(&records.log);
    let pool = records.heard().await?;
    let mut rows = query::owned(pool, &owner, Which::Booked, 1, ENQUIRIES_MAX)
        .await?
        .rows;
    rows.extend(
        query::owned(pool, &owner, Which::Enquired, 1, ENQUIRIES_MAX)
            .await?
            .rows,
    );
    rows.sort_by(|one, other| other.created_at.cmp(&one.created_at));
    Ok(rows)
}

/// The answers of a section that was accepted as complete; `None` where it was not, or where its person was forgotten.
fn complete_answers(form: &BookingForm, key: SectionKey) -> Option<Answers> {
    let section = form.start.as_deref()?.definition.section(key)?;
    let mut answers = form
        .sections
        .get(&key)
        .filter(|_| form.completed.contains(&key))?
        .clone();
    answers.retain(|name, _| {
        let asked = section.fields.iter().find(|field| field.key == *name);
        asked.is_some_and(|field| field.kind != FieldKind::File)
    });
    Some(answers).filter(|answers| !answers.is_empty())
}
