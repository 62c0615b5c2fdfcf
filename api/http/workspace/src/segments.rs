//! Searches of sequences over all histories (M12), and the story of one lead in a paragraph.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use chrono::{DateTime, TimeDelta};
use domain::language::Language;
use http_kit::caller::{Sessions, Staff};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::headers::named_language;
use http_kit::history_reads::Reading;
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, Query, RequestContext, limit_of};
use platform::config::Settings;
use platform::texts::text;
use projections::lead_steps::sequence::{self, StepRow};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::lead_filters::LeadFilters;
use crate::leads::{LeadListPage, board_row, page_of};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(search_segment))
        .endpoint(SUPPORT, routes!(read_story))
}

/// Leads of one page, and the most that may be asked for.
const LIMIT: u64 = 20;
const LIMIT_MAX: u64 = 200;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SegmentQuery {
    /// Steps that happened one after another, between commas: `declined,declined,paid<60` (within sixty minutes of the step before),
    /// `enquired,!answered<120` (not answered within two hours), `declined:expired_card` (with that code).
    steps: String,
    p: Option<u64>,
    limit: Option<u64>,
}

/// One lead's history as a paragraph.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadStory {
    /// In the reader's language.
    story: String,
}

/// The leads to which these steps happened in this order.
///
/// # Errors
/// 422 for steps that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/segments", operation_id = "lead_segment", tag = "support", params(SegmentQuery),
    responses((status = 200, body = Success<LeadListPage>), (status = 422, body = Failure)))]
pub async fn search_segment(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Query(asked): Query<SegmentQuery>,
) -> ApiResult<Success<LeadListPage>> {
    let paged = (
        asked.p.unwrap_or(1).max(1),
        limit_of(asked.limit, LIMIT, LIMIT_MAX)?,
    );
    let filters = LeadFilters {
        steps: Some(asked.steps),
        ..LeadFilters::default()
    };
    let found = page_of((&records, &settings), &staff, &filters, paged, context.lang).await?;
    Ok(Success::new(found))
}

/// The lead's history as a paragraph, made of templates: the same history tells the same story. `lang` may name any of the five languages.
///
/// # Errors
/// 404 for an unknown lead.
#[utoipa::path(get, path = "/api/v0/workspace/leads/{id}/story", operation_id = "lead_story", tag = "support",
    params(("id" = String, Path)), responses((status = 200, body = Success<LeadStory>), (status = 404, body = Failure)))]
pub async fn read_story(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    context: RequestContext,
    staff: Staff,
    RawQuery(query): RawQuery,
    Path(id): Path<String>,
) -> ApiResult<Success<LeadStory>> {
    let (lead_id, row) = board_row(&records, &id).await?;
    Reading::by(&sessions, &context, &staff).lead(lead_id).await?;
    let steps = sequence::of_lead(records.read.readers(), &row.lead_id).await?;
    let place = row.property.unwrap_or_default();
    let lang = named_language(query.as_deref()).unwrap_or(context.lang);
    let story = told(&steps, &place, lang);
    Ok(Success::new(LeadStory { story }))
}

/// A sentence for each step; the same step several times in a row is one sentence.
fn told(steps: &[StepRow], place: &str, lang: Language) -> String {
    let mut sentences = Vec::new();
    let mut before: Option<&StepRow> = None;
    let runs = steps.chunk_by(|one, next| one.kind == next.kind && one.code == next.code);
    for run in runs {
        let Some(first) = run.first() else { continue };
        let when = match before {
            None => DateTime::from_timestamp_millis(first.at)
                .map(|at| at.date_naive().to_string())
                .unwrap_or_default(),
            Some(before) => span(first.at - before.at, lang),
        };
        let times = run.len().to_string();
        let many = if run.len() > 1 { "_times" } else { "" };
        let homed = if first.kind == "enquired" && !place.is_empty() {
            "_home"
        } else {
            ""
        };
        let key = format!("story.{}{homed}{many}", first.kind);
        sentences.push(text(
            lang,
            &key,
            &[("when", &when), ("n", &times), ("home", place)],
        ));
        before = run.last();
    }
    lang.join_sentences(&sentences)
}

/// `3 hours later`, in the largest unit that fits.
fn span(milliseconds: i64, lang: Language) -> String {
    let span = TimeDelta::milliseconds(milliseconds);
    let (unit, count) = if span < TimeDelta::minutes(1) {
        ("at_once", 0)
    } else if span < TimeDelta::hours(1) {
        ("minutes", span.num_minutes())
    } else if span < TimeDelta::days(2) {
        ("hours", span.num_hours())
    } else {
        ("days", span.num_days())
    };
    text(lang, &format!("story.{unit}"), &[("n", &count.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(kind: &str, minutes: i64) -> StepRow {
        StepRow {
            lead_id: String::new(),
            kind: kind.to_owned(),
            code: None,
            country: None,
            at: 1_764_000_000_000 + minutes * 60_000,
        }
    }

    #[test]
    fn story_tells_runs_of_steps_in_one_sentence() {
        let steps = [
            step("enquired", 0),
            step("answered", 180),
            step("declined", 200),
            step("declined", 201),
            step("paid", 260),
        ];
        let story = told(&steps, "Aspen Quarter, Leeds", Language::En);
        assert_eq!(
            story,
            "Enquired about Aspen Quarter, Leeds on 2025-11-24. Got a reply from staff 3 hours later. Payment declined 2 times, the first 20 minutes later. \
             Paid 59 minutes later."
        );
        let german = told(&steps, "Aspen Quarter, Leeds", Language::De);
        assert_eq!(
            german,
            "Anfrage zu Aspen Quarter, Leeds, 2025-11-24. Vom Personal beantwortet, 3 Stunden danach. Zahlung abgelehnt, 2 Mal, zuerst \
             20 Minuten danach. Bezahlt, 59 Minuten danach."
        );
        let english = told(&steps, "", Language::En);
        for other in [Language::Es, Language::Fr, Language::De, Language::Zh] {
            let story = told(&steps, "", other);
            assert!(story != english && !story.contains("story."), "{story}");
        }
        let soon = told(&[step("enquired", 0), step("answered", 60)], "", Language::En);
        assert_eq!(
            soon,
            "Enquired on 2025-11-24. Got a reply from staff 1 hour later."
        );
    }
}
