//! The desk's report: answer times, the way to a booking and declined cards, by week and by source.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::{Days, NaiveDate, NaiveTime};
use domain::calendar;
use http_kit::caller::Staff;
use http_kit::contract::words::{LeadStepWord, ReportGroupingWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Query, RequestContext};
use http_kit::said::{say, unknown_value};
use platform::clock;
use platform::sheet::{Cell, Sheet};
use projections::lead_steps::report::{self, Group, Grouping, STEPS};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(read_report))
        .endpoint(SUPPORT, routes!(export_report))
}

/// Days of a report that names none.
const DAYS: u64 = 84;
/// Days that one report may span.
const DAYS_MAX: i64 = 732;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ReportQuery {
    /// Days of UTC such as 2026-11-26; both ends count. Left out: the last twelve weeks.
    from: Option<String>,
    to: Option<String>,
    /// Grouping of the leads; weeks when left out.
    #[param(value_type = Option<ReportGroupingWord>)]
    by: Option<String>,
}

/// The figures of a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskReport {
    from: String,
    to: String,
    #[schema(value_type = ReportGroupingWord)]
    by: &'static str,
    whole: ReportGroup,
    groups: Vec<ReportGroup>,
    declines: Vec<DeclineCount>,
}

/// Leads that came in one week or from one source.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportGroup {
    /// A Monday, or a source; empty where none is known.
    name: String,
    leads: u64,
    answered: u64,
    /// From the enquiry to its first answer.
    median_seconds: Option<i64>,
    /// Nine of ten answers took no longer.
    p90_seconds: Option<i64>,
    /// How many of the leads reached each step, in the order of the way.
    steps: Vec<StepCount>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportStep)]
pub struct StepCount {
    #[schema(value_type = LeadStepWord)]
    step: &'static str,
    count: u64,
}

/// Declined attempts to pay.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeclineCount {
    code: String,
    /// The country of the home.
    country: String,
    count: u64,
}

impl From<Group> for ReportGroup {
    fn from(group: Group) -> Self {
        let steps = STEPS.iter().zip(group.reached);
        Self {
            name: group.name,
            leads: group.leads,
            answered: group.answered,
            median_seconds: group.median_seconds,
            p90_seconds: group.p90_seconds,
            steps: steps
                .map(|(step, count)| StepCount {
                    step: step.key(),
                    count,
                })
                .collect(),
        }
    }
}

struct Asked {
    from: NaiveDate,
    to: NaiveDate,
    grouping: Grouping,
}

fn day(text: Option<&str>, field: &'static str) -> ApiResult<Option<NaiveDate>> {
    text.filter(|text| !text.is_empty())
        .map(|text| {
            let wrong = || ApiError::invalid_field(field, "invalid", say("validation.date_format"));
            calendar::read_day(text).ok_or_else(wrong)
        })
        .transpose()
}

impl ReportQuery {
    fn read(&self) -> ApiResult<Asked> {
        let to = day(self.to.as_deref(), "to")?.unwrap_or_else(|| clock::now().date_naive());
        let usual = to.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(to);
        let from = day(self.from.as_deref(), "from")?.unwrap_or(usual);
        if from > to {
            return Err(ApiError::malformed(say("refusal.period_order")));
        }
        if (to - from).num_days() > DAYS_MAX {
            let message = say("refusal.report_days").with("max", DAYS_MAX.to_string());
            return Err(ApiError::invalid_field("from", "too_long", message));
        }
        let grouping = match self.by.as_deref().filter(|by| !by.is_empty()) {
            None | Some("week") => Grouping::Week,
            Some("source") => Grouping::Source,
            Some(by) => return Err(ApiError::invalid_field("by", "choice", unknown_value("by", by))),
        };
        Ok(Asked { from, to, grouping })
    }
}

async fn figures(records: &Records, asked: &Asked) -> ApiResult<DeskReport> {
    let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
    let end = asked.to.checked_add_days(Days::new(1)).unwrap_or(asked.to);
    let period = (midnight(asked.from), midnight(end));
    let told = report::report(records.heard().await?, period, asked.grouping).await?;
    Ok(DeskReport {
        from: asked.from.to_string(),
        to: asked.to.to_string(),
        by: match asked.grouping {
            Grouping::Week => "week",
            Grouping::Source => "source",
        },
        whole: told.whole.into(),
        groups: told.groups.into_iter().map(ReportGroup::from).collect(),
        declines: told
            .declines
            .into_iter()
            .map(|declines| DeclineCount {
                code: declines.code,
                country: declines.country,
                count: declines.count,
            })
            .collect(),
    })
}

/// The figures of the leads that came in a period, and of the cards declined in it.
///
/// # Errors
/// 422 for days or a grouping that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/leads/report", operation_id = "desk_report", tag = "support", params(ReportQuery),
    responses((status = 200, body = Success<DeskReport>), (status = 422, body = Failure)))]
pub async fn read_report(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Query(query): Query<ReportQuery>,
) -> ApiResult<Success<DeskReport>> {
    Ok(Success::new(figures(&records, &query.read()?).await?))
}

/// The same as CSV: a row for each group, then one for each code and country.
///
/// # Errors
/// 422 for days or a grouping that cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/leads/report.csv", operation_id = "desk_report_csv", tag = "support", params(ReportQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = 422, body = Failure)))]
pub async fn export_report(
    State(records): State<Records>,
    _context: RequestContext,
    _staff: Staff,
    Query(query): Query<ReportQuery>,
) -> ApiResult<Response> {
    let told = figures(&records, &query.read()?).await?;
    let sheet = written(&told).map_err(ApiError::broken)?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"desk-report.csv\"",
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, sheet).into_response())
}

fn written(told: &DeskReport) -> std::io::Result<Vec<u8>> {
    let steps = STEPS.iter().map(|step| step.key());
    let columns: Vec<&str> = [
        "figure",
        "name",
        "country",
        "count",
        "median_seconds",
        "p90_seconds",
    ]
    .into_iter()
    .chain(steps)
    .collect();
    let mut sheet = Sheet::begin(Vec::new(), &columns)?;
    let number = |value: Option<i64>| Cell::Number(value.map(|value| value.to_string()).unwrap_or_default());
    let of = |figure: &str, group: &ReportGroup| {
        let mut row = vec![
            Cell::Text(figure.to_owned()),
            Cell::Text(group.name.clone()),
            Cell::Text(String::new()),
            Cell::Number(group.leads.to_string()),
            number(group.median_seconds),
            number(group.p90_seconds),
        ];
        row.extend(
            group
                .steps
                .iter()
                .map(|step| Cell::Number(step.count.to_string())),
        );
        row
    };
    sheet.row(of("all", &told.whole))?;
    for group in &told.groups {
        sheet.row(of(told.by, group))?;
    }
    for declined in &told.declines {
        let mut row = vec![
            Cell::Text("declined".to_owned()),
            Cell::Text(declined.code.clone()),
            Cell::Text(declined.country.clone()),
            Cell::Number(declined.count.to_string()),
        ];
        row.extend((0..2 + STEPS.len()).map(|_| Cell::Number(String::new())));
        sheet.row(row)?;
    }
    sheet.end()
}
