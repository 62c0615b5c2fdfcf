//! Statements of the bank that were given in: listed, read again, downloaded, and their lines matched by hand.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use booking::documents::kept_file;
use domain::bank_statements::{
    BANK_STATEMENTS, BankStatements, BankStatementsCommand, BankStatementsRejection, Decision, KeptStatement,
    LineReason,
};
use eventlog::{CommitError, Committed, Context, commit};
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::LineReasonWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::FINANCE;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::config::Settings;
use platform::desk::Desk;
use platform::sheet::{Cell, Sheet};
use processes::bank_statements::{StatementError, StatementStore, StoredStatement, load};
use processes::document_store::DocumentError;
use records::Records;
use serde::{Deserialize, Serialize};
use statements::compare::{ByHand, Verdict};
use utoipa::ToSchema;
use uuid::Uuid;

use super::statement::{FileCompared, compare_stored, load_known};
use super::statement_views::{LineDecisionView, Names, StatementView};
use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(FINANCE, routes!(list_statements))
        .endpoint(FINANCE, routes!(show_statement))
        .endpoint(FINANCE, routes!(download_statement))
        .endpoint(FINANCE, routes!(decide_line))
        .endpoint(FINANCE, routes!(reopen_line))
}

/// Statements in the list, the newest.
const LISTED: usize = 500;
/// Characters of a note.
const NOTE_MAX: usize = 400;

/// Lists decisions by hand, as a comparison takes them.
pub(super) fn list_by_hand(all: &BankStatements, kept: Option<&KeptStatement>) -> ByHand {
    let lines = kept.into_iter().flat_map(|kept| &kept.lines);
    let lines = lines.map(|(place, line)| {
        let payout = match &line.decision {
            Decision::Payout(payout_id) => Some(payout_id.clone()),
            Decision::Explained(_) => None,
        };
        (*place as usize, payout)
    });
    ByHand {
        lines: lines.collect(),
        payouts: all.matched_payouts().map(str::to_owned).collect(),
    }
}

/// Where the statements are.
pub(super) fn find_store<'s>(
    records: &'s Records,
    desk: &'s Desk,
    settings: &'s Settings,
) -> StatementStore<'s> {
    StatementStore {
        log: &records.log,
        desk,
        data_dir: &settings.data_dir,
    }
}

pub(super) fn not_kept(error: StatementError) -> ApiError {
    match error {
        gone if gone.is_gone() => no_statement(),
        StatementError::Log(error) => error.into(),
        StatementError::Document(DocumentError::Database(error)) => error.into(),
        StatementError::Document(DocumentError::File(error)) => error.into(),
        StatementError::Sealed(error) => error.into(),
        StatementError::Rejected(rejection) => rejected(rejection, ""),
        other @ (StatementError::Keyless | StatementError::Form(_) | StatementError::Refused(_)) => {
            ApiError::broken(other)
        }
    }
}

/// `name`: who decided before.
fn rejected(rejection: BankStatementsRejection, name: &str) -> ApiError {
    match rejection {
        BankStatementsRejection::Unknown => no_statement(),
        BankStatementsRejection::LineDecided { .. } => {
            ApiError::conflict("line_decided", say("refusal.line_decided").with("name", name))
        }
        BankStatementsRejection::PayoutMatched { .. } => {
            ApiError::conflict("payout_matched", say("refusal.payout_matched").with("name", name))
        }
        BankStatementsRejection::ReadOtherwise => {
            ApiError::conflict("file_read_otherwise", say("refusal.file_read_otherwise"))
        }
    }
}

fn no_statement() -> ApiError {
    ApiError::not_found(say("refusal.no_statement"))
}

/// `GET /api/v0/workspace/reconciliation/statements`: those that are kept, newest first.
///
/// # Errors
/// 503 while the log cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/reconciliation/statements", tag = "finance",
    responses((status = 200, body = Success<Vec<StatementView>>)))]
pub async fn list_statements(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
) -> ApiResult<Success<Vec<StatementView>>> {
    let all = load(&records.log).await?;
    let mut kept: Vec<&KeptStatement> = all.kept.values().collect();
    kept.sort_by_key(|one| std::cmp::Reverse(one.at));
    let mut names = Names::new(&records, &settings);
    let mut shown = Vec::new();
    for one in kept.into_iter().take(LISTED) {
        shown.push(names.show(one).await?);
    }
    Ok(Success::new(shown))
}

/// `GET /api/v0/workspace/reconciliation/statements/{id}`: its lines against what is known of the provider now.
///
/// # Errors
/// 404 for one that is not kept.
#[utoipa::path(get, path = "/api/v0/workspace/reconciliation/statements/{id}", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, body = Success<FileCompared>), (status = 404, body = Failure)))]
pub async fn show_statement(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    _context: RequestContext,
    Path(id): Path<Uuid>,
) -> ApiResult<Success<FileCompared>> {
    let all = load(&records.log).await?;
    let kept = all.kept.get(&id).ok_or_else(no_statement)?;
    let store = find_store(&records, &desk, &settings);
    let stored = store.open(kept.file.document_id).await.map_err(not_kept)?;
    let known = load_known(&records).await?;
    let by_hand = list_by_hand(&all, Some(kept));
    let mut compared = compare_stored(stored, known, by_hand).await?;
    compared
        .explain(kept, store, &mut Names::new(&records, &settings))
        .await?;
    compared.was_known = true;
    Ok(Success::new(compared))
}

/// `GET /api/v0/workspace/reconciliation/statements/{id}/file`: the file as the bank made it; each download is recorded. Once it named
/// someone who was forgotten, its lines as CSV without those words.
///
/// # Errors
/// 404 for one that is not kept.
#[utoipa::path(get, path = "/api/v0/workspace/reconciliation/statements/{id}/file", tag = "finance", params(("id" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 404, body = Failure)))]
pub async fn download_statement(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(desk): State<Desk>,
    context: RequestContext,
    staff: Staff,
    Path(id): Path<Uuid>,
) -> ApiResult<Response> {
    let all = load(&records.log).await?;
    let kept = all.kept.get(&id).ok_or_else(no_statement)?;
    let store = find_store(&records, &desk, &settings);
    let stored = store.open(kept.file.document_id).await.map_err(not_kept)?;
    let asked = context.command(staff.actor(), &id);
    let command = BankStatementsCommand::Open {
        statement_id: id,
        by: staff.person.user_id,
        at: asked.at,
    };
    let mut names = Names::new(&records, &settings);
    let opened = commit_statement(&records, command, &asked, &mut names).await?;
    records.answers_for(opened.position);
    let name = format!("statement-{}", kept.at.format("%Y-%m-%d"));
    let (ending, media_type, bytes) = match (stored.read_file(), kept.file.form.as_str()) {
        (Some(file), "camt") => ("xml", "application/xml", file),
        (Some(file), "mt940") => ("sta", "text/plain", file),
        (Some(file), _) => ("csv", "text/csv", file),
        (None, _) => ("csv", "text/csv; charset=utf-8", write_lines(&stored)?),
    };
    Ok(kept_file(&format!("{name}.{ending}"), media_type, bytes))
}

/// Writes a statement's lines as CSV, with what is left of their words.
fn write_lines(stored: &StoredStatement) -> std::io::Result<Vec<u8>> {
    let mut sheet = Sheet::begin(Vec::new(), &["line", "day", "amount", "currency", "text"])?;
    for entry in &stored.statement.entries {
        sheet.row([
            Cell::Number(entry.line.to_string()),
            Cell::Text(entry.day.to_string()),
            Cell::Number(write_decimal(entry.amount_minor, entry.unit.decimals)),
            Cell::Text(entry.unit.code.to_owned()),
            Cell::Text(entry.reference.clone()),
        ])?;
    }
    sheet.end()
}

/// Minor units as a decimal number with a point.
fn write_decimal(minor: i64, decimals: u32) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let (size, unit) = (minor.unsigned_abs(), 10_u64.pow(decimals));
    if decimals == 0 {
        return format!("{sign}{size}");
    }
    let width = decimals as usize;
    format!("{sign}{}.{:0width$}", size / unit, size % unit)
}

/// A payout, or what the line is instead: one of both.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "payout": "po_1a2b3c" }))]
pub struct DecideLine {
    /// The provider's id of the payout.
    #[serde(default)]
    pub payout: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<LineReasonWord>)]
    pub reason: Option<LineReason>,
    /// Words about it, at most 400 characters.
    #[serde(default)]
    pub note: Option<String>,
}

/// A line after a decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecidedLine {
    pub place: u32,
    /// Null once it is open again.
    pub decided: Option<LineDecisionView>,
}

/// `POST /api/v0/workspace/reconciliation/statements/{id}/lines/{place}/decision`: matches a line to a payout, which then counts as arrived,
/// or says what it is instead.
///
/// # Errors
/// 404 for no such statement or line, 409 where a colleague decided it, the payout belongs to another line or the line was matched by what
/// it names, 422 for a payout that is not known.
#[utoipa::path(post, path = "/api/v0/workspace/reconciliation/statements/{id}/lines/{place}/decision", tag = "finance",
    request_body = DecideLine, params(("id" = String, Path), ("place" = u32, Path)),
    responses((status = 200, body = Success<DecidedLine>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn decide_line(
    State(records): State<Records>,
    services: (State<Arc<Settings>>, State<Desk>),
    context: RequestContext,
    staff: Staff,
    Path((id, place)): Path<(Uuid, u32)>,
    Body(body): Body<DecideLine>,
) -> ApiResult<Success<DecidedLine>> {
    let (State(settings), State(desk)) = services;
    let (decision, words) = (read_decision(&body)?, read_note(&body)?);
    let asked = context.command(staff.actor(), &(id, place, &body));
    let all = load(&records.log).await?;
    let kept = all.kept.get(&id).ok_or_else(no_statement)?;
    let store = find_store(&records, &desk, &settings);
    must_be_open(&records, store, (&all, kept), (place, &decision)).await?;
    let note_id = match words {
        Some(words) => Some(store.keep_note(words).await.map_err(not_kept)?),
        None => None,
    };
    let command = BankStatementsCommand::Decide {
        statement_id: id,
        line: place,
        decision,
        note_id,
        by: staff.person.user_id,
        at: asked.at,
    };
    let mut names = Names::new(&records, &settings);
    let committed = commit_statement(&records, command, &asked, &mut names).await;
    // A note that no decision took up is of nothing: the line was decided before.
    if let Some(note_id) = note_id
        && must_go(note_id, &committed)
    {
        store.destroy(note_id).await.map_err(not_kept)?;
    }
    answer_line((&records, store), (id, place), &committed?, &mut names).await
}

/// Whether no statement has a note. Whether a decision was made is not known after a failure of the log: then the note stays.
fn must_go(note_id: Uuid, committed: &ApiResult<Committed<BankStatements>>) -> bool {
    match committed {
        Ok(committed) => {
            let mut notes = committed.state.kept.values().flat_map(KeptStatement::list_notes);
            notes.all(|(_, taken)| taken != note_id)
        }
        Err(refused) => refused.status.is_client_error(),
    }
}

/// `POST /api/v0/workspace/reconciliation/statements/{id}/lines/{place}/reopen`: takes a decision back.
///
/// # Errors
/// 404 for no such statement.
#[utoipa::path(post, path = "/api/v0/workspace/reconciliation/statements/{id}/lines/{place}/reopen", tag = "finance",
    params(("id" = String, Path), ("place" = u32, Path)),
    responses((status = 200, body = Success<DecidedLine>), (status = 404, body = Failure)))]
pub async fn reopen_line(
    State(records): State<Records>,
    services: (State<Arc<Settings>>, State<Desk>),
    context: RequestContext,
    staff: Staff,
    Path((id, place)): Path<(Uuid, u32)>,
) -> ApiResult<Success<DecidedLine>> {
    let (State(settings), State(desk)) = services;
    let store = find_store(&records, &desk, &settings);
    let asked = context.command(staff.actor(), &(id, place));
    let all = load(&records.log).await?;
    let note_id = all.kept.get(&id).and_then(|kept| kept.lines.get(&place)?.note_id);
    let command = BankStatementsCommand::Reopen {
        statement_id: id,
        line: place,
        by: staff.person.user_id,
        at: asked.at,
    };
    let mut names = Names::new(&records, &settings);
    let committed = commit_statement(&records, command, &asked, &mut names).await?;
    // One of a later decision stays: the same call may be sent again.
    let kept = committed.state.kept.get(&id);
    if let Some(note_id) = note_id.filter(|note| kept.is_some_and(|kept| kept.replaced.contains(note))) {
        store.destroy(note_id).await.map_err(not_kept)?;
    }
    answer_line((&records, store), (id, place), &committed, &mut names).await
}

fn read_decision(body: &DecideLine) -> ApiResult<Decision> {
    let payout = body.payout.as_deref().map(str::trim).filter(|id| !id.is_empty());
    match (payout, body.reason) {
        (Some(payout_id), None) => Ok(Decision::Payout(payout_id.to_owned())),
        (None, Some(reason)) => Ok(Decision::Explained(reason)),
        _ => Err(ApiError::invalid_field(
            "payout",
            "choice",
            say("refusal.line_choice"),
        )),
    }
}

/// The note of a decision; `None` where there is none.
fn read_note(body: &DecideLine) -> ApiResult<Option<&str>> {
    let words = body
        .note
        .as_deref()
        .map(str::trim)
        .filter(|words| !words.is_empty());
    match words {
        Some(words) if words.chars().count() > NOTE_MAX => Err(ApiError::invalid_field(
            "note",
            "too_long",
            say("validation.too_long"),
        )),
        words => Ok(words),
    }
}

/// Whether a person may decide a line: what it names did not match it, and the payout is known and no other line's.
async fn must_be_open(
    records: &Records,
    store: StatementStore<'_>,
    (all, kept): (&BankStatements, &KeptStatement),
    (place, decision): (u32, &Decision),
) -> ApiResult<()> {
    let known = load_known(records).await?;
    let payout = match decision {
        Decision::Payout(payout_id) => Some(payout_id),
        Decision::Explained(_) => None,
    };
    if let Some(payout_id) = payout
        && !known.iter().any(|one| one.is_payout && one.id == *payout_id)
    {
        let unknown = say("refusal.no_such_payout");
        return Err(ApiError::invalid_field("payout", "unknown", unknown));
    }
    let stored = store.open(kept.file.document_id).await.map_err(not_kept)?;
    let by_hand = list_by_hand(all, Some(kept));
    let compared = compare_stored(stored, known, by_hand).await?;
    let is_matched = |verdict: &str| verdict == Verdict::Matched.name();
    let mut lines = compared.lines.iter().filter(|line| is_matched(line.verdict));
    let taken = lines.find(|line| {
        line.place == Some(place as usize) || payout.is_some() && line.source.as_ref() == payout
    });
    match taken {
        Some(line) if line.place == Some(place as usize) => {
            Err(ApiError::conflict("line_matched", say("refusal.line_matched")))
        }
        Some(line) => Err(ApiError::conflict(
            "payout_in_statement",
            say("refusal.payout_in_statement").with("line", line.line.unwrap_or_default()),
        )),
        None => Ok(()),
    }
}

async fn commit_statement(
    records: &Records,
    command: BankStatementsCommand,
    asked: &Context,
    names: &mut Names<'_>,
) -> ApiResult<Committed<BankStatements>> {
    match commit::<BankStatements>(&records.log, BANK_STATEMENTS, command, asked).await {
        Ok(committed) => Ok(committed),
        Err(CommitError::Rejected(rejection)) => {
            let name = match rejection {
                BankStatementsRejection::LineDecided { by }
                | BankStatementsRejection::PayoutMatched { by } => names.find(by).await?,
                BankStatementsRejection::Unknown | BankStatementsRejection::ReadOtherwise => String::new(),
            };
            Err(rejected(rejection, &name))
        }
        Err(other) => Err(other.map(|rejection| rejected(rejection, "")).into()),
    }
}

async fn answer_line(
    (records, store): (&Records, StatementStore<'_>),
    (id, place): (Uuid, u32),
    committed: &Committed<BankStatements>,
    names: &mut Names<'_>,
) -> ApiResult<Success<DecidedLine>> {
    records.answers_for(committed.position);
    let kept = committed.state.kept.get(&id);
    let decided = match kept.and_then(|kept| kept.lines.get(&place)) {
        Some(line) => {
            let note = match line.note_id {
                Some(note_id) => store.open_note(note_id).await.map_err(not_kept)?,
                None => None,
            };
            Some(names.show_decision(line, note).await?)
        }
        None => None,
    };
    Ok(Success::at(DecidedLine { place, decided }, committed.position))
}
