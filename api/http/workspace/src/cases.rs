//! Cases as staff work on them: the queue, one conversation, and what may be done to it (rows G4 and I4). Each act is an event with its
//! member of staff; words of notes are sealed as messages are.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use chrono::DateTime;
use domain::case::{Case, CaseCommand, CaseStatus, CaseTopic, NewMessage, Opening, Side};
use domain::correspondence::MessageChannel;
use domain::id::{CaseId, LeadId};
use domain::lead::Lead;
use domain::user::User;
use eventlog::commit;
use http_kit::body::Body;
use http_kit::caller::{Sessions, Staff};
use http_kit::contract::cases::{AttachmentShown, MessageShown, message_words, subject};
use http_kit::contract::words::{CaseSideWord, CaseStatusWord, CaseTopicWord, LanguageWord, MessageWayWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{Meta, Success};
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::history_reads::Reading;
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, Query, RequestContext, limit_of};
use http_kit::said::{say, unknown_value};
use platform::clock;
use platform::config::Settings;
use processes::message_language::find_case_language;
use projections::case_board::{self, CaseFilter, CaseRow};
use projections::lead_board::query;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::colleagues::{self, Colleague};
use crate::lead_filters::{MY_TEAMS, teams_of};
use crate::leads::{board_row, mentions_of, owner_of};
use crate::staff_names::staff_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(SUPPORT, routes!(list_cases, write_first))
        .endpoint(SUPPORT, routes!(read_case))
        .endpoint(SUPPORT, routes!(write_case))
}

/// Cases of one page, and the most that may be asked for.
const LIMIT: u64 = 20;
const LIMIT_MAX: u64 = 200;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct CasesQuery {
    #[param(value_type = Option<CaseStatusWord>)]
    status: Option<String>,
    #[param(value_type = Option<CaseTopicWord>)]
    topic: Option<String>,
    /// A member of staff's id, `me`, or `none` for cases without one.
    owner: Option<String>,
    /// Only cases whose answer is overdue.
    late: Option<bool>,
    /// Only cases about this lead.
    lead_id: Option<String>,
    /// Only cases of this team, or `mine`: of the caller's teams.
    team: Option<String>,
    /// `me`: only cases with a note that mentions the caller.
    mentions: Option<String>,
    p: Option<u64>,
    limit: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CaseListPage {
    meta: Meta,
    result: Vec<CaseItem>,
    counts: CaseCounts,
}

/// How many cases stand in each view, whatever is asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaseCounts {
    waits_for_staff: u64,
    mine: u64,
    my_team: u64,
    mentions: u64,
    late: u64,
    waits_for_person: u64,
    closed: u64,
}

/// One case in the queue, without a word that was written: who opens the case is recorded as its reader, who sees a list is not.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaseItem {
    case_id: String,
    #[schema(value_type = CaseTopicWord)]
    topic: &'static str,
    /// True once its person was forgotten.
    is_erased: bool,
    message_count: usize,
    #[schema(value_type = CaseStatusWord)]
    status: &'static str,
    #[schema(value_type = CaseSideWord)]
    last_side: String,
    name_masked: String,
    lead_id: Option<String>,
    /// The lead's.
    reference: Option<String>,
    owner: Option<String>,
    owner_name: Option<String>,
    team: Option<String>,
    due_at: Option<String>,
    opened_at: String,
    last_at: String,
}

/// A case with its conversation.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaseView {
    case: CaseItem,
    /// Null once its person was forgotten.
    subject: Option<String>,
    /// The one in which messages to its person are written: what a template is chosen by.
    #[schema(value_type = LanguageWord)]
    language: &'static str,
    /// Ways on which its person can be reached.
    #[schema(value_type = Vec<MessageWayWord>)]
    channels: Vec<&'static str>,
    messages: Vec<MessageShown>,
    attachments: Vec<AttachmentShown>,
    /// Of colleagues, oldest first.
    notes: Vec<CaseNoteShown>,
    /// Whom a note can mention.
    colleagues: Vec<Colleague>,
    /// Every team of the deployment.
    teams: Vec<String>,
}

/// A note of a colleague.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaseNoteShown {
    /// Empty for older notes, which do not say.
    by: String,
    at: String,
    /// Null once its person was forgotten.
    words: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StaffCase, example = json!({ "lead_id": "01923456-789a-7bcd-8ef0-123456789abc", "topic": "booking",
    "subject": "Your move-in day", "words": "The keys are at the desk from eight.", "channel": "email" }))]
pub struct StaffCase {
    lead_id: String,
    #[schema(value_type = CaseTopicWord)]
    topic: String,
    subject: String,
    words: String,
    #[schema(value_type = MessageWayWord)]
    channel: String,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StaffMessage, example = json!({ "words": "The keys are at the desk from eight.", "channel": "email" }))]
pub struct StaffMessage {
    words: String,
    #[schema(value_type = MessageWayWord)]
    channel: String,
}

/// The queue: what waits for staff first, the most urgent first.
///
/// # Errors
/// 422 for a word that does not exist.
#[utoipa::path(get, path = "/api/v0/workspace/cases", tag = "support", params(CasesQuery),
    responses((status = 200, body = Success<CaseListPage>), (status = 422, body = Failure)))]
pub async fn list_cases(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    staff: Staff,
    Query(asked): Query<CasesQuery>,
) -> ApiResult<Success<CaseListPage>> {
    let now = clock::now().timestamp_millis();
    let filter = filter_of(&staff, &settings, &asked, now)?;
    let (page, limit) = (
        asked.p.unwrap_or(1).max(1),
        limit_of(asked.limit, LIMIT, LIMIT_MAX)?,
    );
    let pool = records.heard().await?;
    let offset = (page - 1).saturating_mul(limit);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let rows = case_board::list(pool, &filter, small(limit), small(offset)).await?;
    let total = case_board::count(pool, &filter).await?;
    let of = |status| CaseFilter {
        status: Some(status),
        ..CaseFilter::default()
    };
    let waiting = of(CaseStatus::WaitsForStaff);
    let mine = CaseFilter {
        owner: Some(staff.person.user_id),
        ..waiting.clone()
    };
    let my_team = CaseFilter {
        teams: Some(teams_of(&staff, &settings, MY_TEAMS.to_owned())),
        ..waiting.clone()
    };
    let mentions = CaseFilter {
        mentions: Some(staff.person.user_id),
        ..CaseFilter::default()
    };
    let late = CaseFilter {
        due_before: Some(now),
        ..waiting.clone()
    };
    let counts = CaseCounts {
        waits_for_staff: case_board::count(pool, &waiting).await?,
        mine: case_board::count(pool, &mine).await?,
        my_team: case_board::count(pool, &my_team).await?,
        mentions: case_board::count(pool, &mentions).await?,
        late: case_board::count(pool, &late).await?,
        waits_for_person: case_board::count(pool, &of(CaseStatus::WaitsForPerson)).await?,
        closed: case_board::count(pool, &of(CaseStatus::Closed)).await?,
    };
    let mut names = HashMap::new();
    let mut result = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(id) = row.id() else { continue };
        let case = records.log.load::<Case>(id).await?.state;
        result.push(item(&records, &settings, (row, &case), &mut names).await?);
    }
    Ok(Success::new(CaseListPage {
        meta: Meta::new(total, limit, page),
        result,
        counts,
    }))
}

fn filter_of(staff: &Staff, settings: &Settings, asked: &CasesQuery, now: i64) -> ApiResult<CaseFilter> {
    let named = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let status = named(&asked.status).map(|word| {
        CaseStatus::from_key(&word)
            .ok_or_else(|| ApiError::invalid_field("status", "choice", unknown_value("status", &word)))
    });
    let lead_id = named(&asked.lead_id).map(|id| {
        id.parse::<LeadId>()
            .map_err(|_| ApiError::invalid_field("lead_id", "format", unknown_value("lead_id", &id)))
    });
    let unowned = asked.owner.as_deref() == Some("none");
    let owner = asked.owner.as_deref().filter(|_| !unowned);
    let late = asked.late.unwrap_or_default();
    let status = status.transpose()?;
    Ok(CaseFilter {
        status: if late {
            Some(CaseStatus::WaitsForStaff)
        } else {
            status
        },
        topic: named(&asked.topic).map(|word| topic_of(&word)).transpose()?,
        owner: owner_of(staff, owner)?,
        unowned,
        due_before: late.then_some(now),
        lead_id: lead_id.transpose()?,
        teams: named(&asked.team).map(|team| teams_of(staff, settings, team)),
        mentions: mentions_of(staff, asked.mentions.as_deref())?,
    })
}

fn topic_of(word: &str) -> ApiResult<CaseTopic> {
    CaseTopic::from_key(word)
        .ok_or_else(|| ApiError::invalid_field("topic", "choice", unknown_value("topic", word)))
}

fn channel_of(word: &str, settings: &Settings) -> ApiResult<MessageChannel> {
    MessageChannel::from_key(word)
        .filter(|channel| *channel == MessageChannel::Email || settings.texts_arrive())
        .ok_or_else(|| ApiError::invalid_field("channel", "channel", say("refusal.message_channel")))
}

/// One conversation.
///
/// # Errors
/// 404 for an unknown case.
#[utoipa::path(get, path = "/api/v0/workspace/cases/{id}", tag = "support", params(("id" = String, Path)),
    responses((status = 200, body = Success<CaseView>), (status = 404, body = Failure)))]
pub async fn read_case(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<CaseId>,
) -> ApiResult<Success<CaseView>> {
    let case = known(&records, id).await?;
    Reading::by(&sessions, &context, &staff).case(&case).await?;
    Ok(Success::new(view(&records, &settings, id, &case).await?))
}

/// Opens a case about a lead with what staff write to its person, once for each Idempotency-Key.
///
/// # Errors
/// 404 for an unknown lead, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/cases", tag = "support", request_body = StaffCase,
    responses((status = 201, body = Success<CaseView>), (status = 404, body = Failure), (status = 422, body = Failure)))]
pub async fn write_first(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<StaffCase>,
) -> ApiResult<Response> {
    let (lead_id, _) = board_row(&records, &body.lead_id).await?;
    let lead = records.log.load::<Lead>(lead_id).await?.state;
    let (Some(person), Some(sealed_by)) = (lead.person(), lead.sealed_by()) else {
        return Err(ApiError::not_found(say("refusal.no_lead")));
    };
    if lead.is_forgotten() {
        return Err(ApiError::conflict("forgotten", say("refusal.case_forgotten")));
    }
    let asked = context.command(staff.actor(), &body);
    let id = context.command_id.unwrap_or_else(clock::new_id);
    let language = lead.submission.as_ref().and_then(|sent| sent.language);
    let opening = Opening {
        person,
        sealed_by,
        lead_id: Some(lead_id),
        topic: topic_of(&body.topic)?,
        language: language.unwrap_or_default(),
        subject: subject(&body.subject)?,
        site: None,
        first: of_staff(id, &body.words, channel_of(&body.channel, &settings)?)?,
    };
    let command = CaseCommand::Open {
        opening: Box::new(opening),
        at: asked.at,
    };
    let opened = commit::<Case>(&records.log, CaseId(id), command, &asked).await?;
    records.answers_for(opened.position);
    let shown = view(&records, &settings, CaseId(id), &opened.state).await?;
    Ok((StatusCode::CREATED, Success::at(shown, opened.position)).into_response())
}

/// Writes to the person of a case, once for each Idempotency-Key.
///
/// # Errors
/// 404 for an unknown case, 409 once its person is forgotten, 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/cases/{id}/messages", tag = "support", params(("id" = String, Path)),
    request_body = StaffMessage,
    responses((status = 200, body = Success<CaseView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn write_case(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<CaseId>,
    Body(body): Body<StaffMessage>,
) -> ApiResult<Success<CaseView>> {
    let case = known(&records, id).await?;
    if case.subject.is_none() {
        return Err(ApiError::conflict("forgotten", say("refusal.case_forgotten")));
    }
    let asked = context.command(staff.actor(), &body);
    let message_id = context.command_id.unwrap_or_else(clock::new_id);
    let message = of_staff(message_id, &body.words, channel_of(&body.channel, &settings)?)?;
    let command = CaseCommand::Write {
        message: Box::new(message),
        at: asked.at,
    };
    let written = commit::<Case>(&records.log, id, command, &asked).await?;
    records.answers_for(written.position);
    let shown = view(&records, &settings, id, &written.state).await?;
    Ok(Success::at(shown, written.position))
}

fn of_staff(message_id: uuid::Uuid, words: &str, channel: MessageChannel) -> ApiResult<NewMessage> {
    Ok(NewMessage {
        message_id,
        side: Side::Staff,
        channel,
        words: message_words(words)?,
        due: None,
    })
}

pub(crate) async fn known(records: &Records, id: CaseId) -> ApiResult<Case> {
    let case = records.log.load::<Case>(id).await?.state;
    if case.is_there() {
        Ok(case)
    } else {
        Err(ApiError::not_found(say("refusal.no_case")))
    }
}

pub(crate) async fn view(
    records: &Records,
    settings: &Settings,
    id: CaseId,
    case: &Case,
) -> ApiResult<CaseView> {
    let row = CaseRow::of(id, case);
    let mut channels = vec![MessageChannel::Email.key()];
    if settings.texts_arrive() {
        channels.push(MessageChannel::Sms.key());
    }
    let mut names = HashMap::new();
    let mut notes = Vec::new();
    for note in &case.notes {
        notes.push(CaseNoteShown {
            by: match note.by {
                Some(by) => staff_name(&records.log, settings, &by.to_string(), &mut names).await?,
                None => String::new(),
            },
            at: note.at.to_rfc3339(),
            words: note.words.clone(),
        });
    }
    Ok(CaseView {
        notes,
        colleagues: colleagues::all(records, settings).await?,
        teams: settings.team_names(),
        case: item(records, settings, (row, case), &mut names).await?,
        subject: case.subject.clone(),
        language: find_case_language(&records.log, case).await?.code(),
        channels,
        messages: MessageShown::thread(case),
        attachments: AttachmentShown::all(case),
    })
}

async fn item(
    records: &Records,
    settings: &Settings,
    (row, case): (CaseRow, &Case),
    names: &mut HashMap<String, String>,
) -> ApiResult<CaseItem> {
    let lead = match case.lead_id {
        Some(lead_id) => query::row(records.read.readers(), lead_id).await?,
        None => None,
    };
    let name_masked = match (&lead, case.person) {
        (Some(lead), _) => lead.name_masked.clone(),
        (None, Some(person)) => {
            let user = records.log.load::<User>(person).await?.state;
            let email = user.email.as_ref().map(domain::contact::Email::masked);
            user.name
                .as_ref()
                .map(domain::contact::PersonName::masked)
                .or(email)
                .unwrap_or_default()
        }
        (None, None) => String::new(),
    };
    let owner_name = match &row.owner {
        Some(owner) => Some(staff_name(&records.log, settings, owner, names).await?),
        None => None,
    };
    let moment = |ms| {
        DateTime::from_timestamp_millis(ms)
            .unwrap_or_default()
            .to_rfc3339()
    };
    Ok(CaseItem {
        topic: row.topic().key(),
        is_erased: case.subject.is_none(),
        message_count: case.thread().count(),
        status: row.status().key(),
        last_side: row.last_side,
        name_masked,
        reference: lead.map(|lead| lead.reference),
        lead_id: row.lead_id,
        owner: row.owner,
        owner_name,
        team: row.team,
        due_at: row.due_at.map(moment),
        opened_at: moment(row.opened_at),
        last_at: moment(row.last_at),
        case_id: row.case_id,
    })
}
