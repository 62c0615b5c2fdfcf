//! What may be done to a case beside answering it (row I4): each act is an event with its member of staff.

use std::sync::Arc;

use axum::extract::State;
use chrono::DateTime;
use domain::case::{Case, CaseCommand};
use domain::id::CaseId;
use eventlog::{commit, done_before_on};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::CaseActWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use http_kit::said::{say, unknown_value};
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::acts::written;
use crate::cases::{CaseView, known, view};
use crate::colleagues::mentioned;
use crate::leads::{owner_of, works_on_leads};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(act_on_case))
}

/// Act on a case.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "act": "assign", "owner": "me" }))]
pub struct CaseAct {
    #[schema(value_type = CaseActWord)]
    act: String,
    /// For `assign`: a member of staff's id, or `me`; left out for no owner.
    owner: Option<String>,
    /// For `due`: by when it is to be answered, RFC 3339; left out for no time.
    at: Option<String>,
    /// For `note`: for colleagues alone; those called by `@name` or `@address` are sent a mail.
    note: Option<String>,
    /// For `team`: left out for none.
    team: Option<String>,
}

/// Assigns, dates, notes, gives to a team, closes or reopens a case; asked twice it is done once.
///
/// # Errors
/// 404 for an unknown case, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/cases/{id}/acts", tag = "support", params(("id" = String, Path)),
    request_body = CaseAct,
    responses((status = 200, body = Success<CaseView>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn act_on_case(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<CaseId>,
    Body(body): Body<CaseAct>,
) -> ApiResult<Success<CaseView>> {
    known(&records, id).await?;
    let asked = context.command(staff.actor(), &body);
    let at = asked.at;
    // Colleagues of a repeated request may have lost their role since.
    let is_new = done_before_on::<Case>(&records.log, id, &asked).await?.is_none();
    let command = match body.act.as_str() {
        "assign" => {
            let owner = owner_of(&staff, body.owner.as_deref())?;
            if let Some(owner) = owner
                && is_new
            {
                works_on_leads(&records.log, &settings, owner).await?;
            }
            CaseCommand::Assign { owner, at }
        }
        "due" => CaseCommand::SetDue {
            due: body.at.as_deref().map(due_of).transpose()?,
            at,
        },
        "note" => {
            let note = written(body.note.as_deref().unwrap_or_default(), "note", 2_000)?;
            let mentions = if is_new {
                mentioned(&records, &settings, &note).await?
            } else {
                vec![]
            };
            CaseCommand::Note {
                note_id: context.command_id.unwrap_or_else(clock::new_id),
                by: staff.person.user_id,
                mentions,
                note,
                at,
            }
        }
        "team" => CaseCommand::SetTeam {
            team: team_of(&settings, body.team.clone())?,
            at,
        },
        "close" => CaseCommand::Close { at },
        "reopen" => CaseCommand::Reopen { at },
        word => {
            return Err(ApiError::invalid_field(
                "act",
                "choice",
                unknown_value("act", word),
            ));
        }
    };
    let done = commit::<Case>(&records.log, id, command, &asked).await?;
    records.answers_for(done.position);
    let shown = view(&records, &settings, id, &done.state).await?;
    Ok(Success::at(shown, done.position))
}

fn due_of(text: &str) -> ApiResult<domain::moment::Moment> {
    let moment = DateTime::parse_from_rfc3339(text);
    let moment = moment.map_err(|_| ApiError::invalid_field("at", "format", say("refusal.case_due")))?;
    Ok(moment.to_utc())
}

/// One of the teams of the settings, or none.
fn team_of(settings: &Settings, team: Option<String>) -> ApiResult<Option<String>> {
    let team = team.filter(|team| !team.is_empty());
    match &team {
        Some(name) if !settings.team_names().contains(name) => {
            Err(ApiError::invalid_field("team", "choice", say("refusal.team")))
        }
        _ => Ok(team),
    }
}
