//! A lead's history as a file, for a reason that is recorded before the file is made (row I6). Personal values are masked; contact
//! data stands in it only for a member of staff who has revealed it and whose quarter of an hour is not over.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::{Datelike as _, Timelike as _};
use domain::language::Language;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::user::{Look, User, UserCommand};
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::ExportFormatWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use pdf::{Block, Made, Paper};
use platform::clock;
use platform::config::Settings;
use platform::texts::text;
use projections::lead_timeline::pages::{page, positions};
use projections::looks;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::acts::written;
use crate::history::{ActorRef, Reader, Sentence, TimelineEvent, all_told};
use crate::leads::{LeadRow, board_row, lead_row};
use crate::staff_names::name_of;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(SUPPORT, routes!(export_history))
}

/// Events read at once.
const PIECE: usize = 1_000;
/// Events of a paper: a longer history is exported as JSON.
const PAPER_MAX: usize = 5_000;

/// Why, and as what.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "reason": "The student asked for a copy", "format": "pdf" }))]
pub struct ExportRequest {
    reason: String,
    #[schema(value_type = ExportFormatWord)]
    format: String,
}

/// Contents of the file.
#[derive(Debug, Serialize)]
struct ExportedHistory {
    format: &'static str,
    exported_at: String,
    exported_by: String,
    reason: String,
    lead: LeadRow,
    /// Absent unless the exporter had revealed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<Contact>,
    events: Vec<TimelineEvent>,
}

#[derive(Debug, Serialize)]
struct Contact {
    name: String,
    email: String,
    phone: String,
}

/// A lead's history as JSON or PDF. Who exported it, when and why becomes an event on that person's stream.
///
/// # Errors
/// 404 for an unknown lead or one whose person was forgotten; 422 without a reason, for another format, or where a history is too long
/// for a paper.
#[utoipa::path(post, path = "/api/v0/workspace/leads/{id}/export", params(("id" = String, Path)),
    request_body = ExportRequest,
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>, description = "The file, as JSON or PDF"),
        (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn export_history(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<String>,
    Body(request): Body<ExportRequest>,
) -> ApiResult<Response> {
    let reason = written(&request.reason, "reason", 300)?;
    let is_paper = match request.format.as_str() {
        "json" => false,
        "pdf" => true,
        _ => {
            return Err(ApiError::invalid_field(
                "format",
                "choice",
                say("refusal.export_format"),
            ));
        }
    };
    let (lead_id, row) = board_row(&records, &id).await?;
    let person_id = row
        .person()
        .ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
    let pool = records.read.readers();
    let positions = positions(pool, lead_id).await?;
    if is_paper && positions.len() > PAPER_MAX {
        return Err(ApiError::invalid_field(
            "format",
            "too_long",
            say("refusal.export_too_long").with("most", PAPER_MAX),
        ));
    }
    let at = clock::now();
    let shows_contact = looks::is_revealed(pool, lead_id, staff.person.user_id, at).await?;
    let command = UserCommand::Reveal {
        lead_id: Some(lead_id),
        by: staff.person.user_id,
        what: Look::Export,
        reason: reason.clone(),
        until: at,
        at,
    };
    let asked = context.command(staff.actor(), &request);
    // Recorded first: a file that cannot be recorded is not made.
    let recorded = commit::<User>(&records.log, person_id, command, &asked).await?;
    records.answers_for(recorded.position);
    let mut names = HashMap::new();
    let reader = Reader::new(&records, &settings, &staff.person);
    let mut events = Vec::with_capacity(positions.len());
    for first in (1..=positions.len()).step_by(PIECE) {
        let placed = page(pool, lead_id, &positions, (first, PIECE)).await?;
        events.extend(all_told(&reader, placed, &mut names).await?);
    }
    let contact = if shows_contact {
        let personal = records.log.load::<Lead>(lead_id).await?.state.personal;
        personal.map(|own| Contact {
            name: own.name.as_str().to_owned(),
            email: own.email.as_str().to_owned(),
            phone: own.phone.e164().to_owned(),
        })
    } else {
        None
    };
    let history = ExportedHistory {
        format: "latchkey-lead-history-1",
        exported_at: at.to_rfc3339(),
        exported_by: name_of(&staff.person.user),
        reason,
        lead: lead_row(&records, &settings, row, context.lang, &mut names).await?,
        contact,
        events,
    };
    file(history, is_paper, settings.brand_name_now(), context.lang, at).await
}

async fn file(
    history: ExportedHistory,
    is_paper: bool,
    brand: String,
    lang: Language,
    at: Moment,
) -> ApiResult<Response> {
    let reference = history.lead.reference().to_owned();
    let (kind, ending) = if is_paper {
        ("application/pdf", "pdf")
    } else {
        ("application/json", "json")
    };
    let made = tokio::task::spawn_blocking(move || {
        if is_paper {
            pdf::write(&paper(&history, &brand, lang, at)).map_err(ApiError::broken)
        } else {
            serde_json::to_vec_pretty(&history).map_err(ApiError::broken)
        }
    });
    let bytes = made.await.map_err(ApiError::broken)??;
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{reference}-history.{ending}\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

fn paper(history: &ExportedHistory, brand: &str, lang: Language, at: Moment) -> Paper {
    let said = |key: &str, values: &[(&str, &str)]| text(lang, &format!("export.{key}"), values);
    let lead = &history.lead;
    let (name, email, phone) = history
        .contact
        .as_ref()
        .map_or_else(|| lead.masked(), |own| (&own.name, &own.email, &own.phone));
    let facts = [
        ("reference", lead.reference()),
        ("name", name),
        ("email", email),
        ("phone", phone),
        ("by", &history.exported_by),
        ("at", &history.exported_at),
        ("reason", &history.reason),
    ];
    let facts = facts
        .into_iter()
        .map(|(key, value)| (said(key, &[]), value.to_owned()));
    let mut rows = vec![["n", "when", "who", "what"].map(|head| said(head, &[])).to_vec()];
    rows.extend(history.events.iter().map(|event| {
        vec![
            event.n.to_string(),
            event
                .recorded_at
                .chars()
                .take(19)
                .collect::<String>()
                .replace('T', " "),
            event.actor.named(lang),
            event.sentence.written(lang, &event.event_type),
        ]
    }));
    let masked = if history.contact.is_some() {
        "open"
    } else {
        "masked"
    };
    Paper {
        title: said("title", &[("reference", lead.reference())]),
        author: brand.to_owned(),
        language: lang.code().to_owned(),
        made: Made {
            year: u16::try_from(at.year()).unwrap_or_default(),
            month: u8::try_from(at.month()).unwrap_or_default(),
            day: u8::try_from(at.day()).unwrap_or_default(),
            hour: u8::try_from(at.hour()).unwrap_or_default(),
            minute: u8::try_from(at.minute()).unwrap_or_default(),
            second: u8::try_from(at.second()).unwrap_or_default(),
        },
        blocks: vec![
            Block::Title(said("title", &[("reference", lead.reference())])),
            Block::Facts(facts.collect()),
            Block::Note(said(masked, &[])),
            Block::Table {
                widths: vec![6, 22, 18, 54],
                rows,
            },
        ],
        footer: lead.reference().to_owned(),
        attachments: Vec::new(),
    }
}

impl ActorRef {
    /// Who it was, on paper.
    fn named(&self, lang: Language) -> String {
        let kind = text(lang, &format!("export.actor_{}", self.kind), &[]);
        if self.label.is_empty() {
            kind
        } else {
            format!("{kind}: {}", self.label)
        }
    }
}

impl Sentence {
    /// The sentence on paper; one without words is named by its event.
    fn written(&self, lang: Language, event_type: &str) -> String {
        let values: Vec<(&str, String)> = self.params.as_object().map_or_else(Vec::new, |params| {
            let told = params.iter().map(|(name, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                (name.as_str(), value)
            });
            told.collect()
        });
        let values: Vec<(&str, &str)> = values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let written = text(lang, &self.key, &values);
        if written == self.key {
            event_type.to_owned()
        } else {
            written
        }
    }
}
