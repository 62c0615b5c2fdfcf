//! What a supervisor asks: does the process live, and are its read models worth reading.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use eventlog::{Condition, EventLog, LogError, Position, RecordedEvent, clock};
use platform::config::Settings;
use platform::disk;
use records::Records;
use serde::Serialize;
use tables::Place;
use tokio::sync::Mutex;

use crate::background::Background;
use crate::files_watch::{FilesWatch, GoneFile};
use crate::integrity::{Break, ChainCheck};

/// Events a read model may be behind and still be worth reading.
const BEHIND: Position = 10_000;
/// How long an event may be missing before the read model is said to stand still, in seconds. It is still worth reading.
const STANDS_STILL_S: f64 = 10.0;
/// How long the log may take to say where it ends: whoever asks whether this node is ready does not wait for long.
const PATIENCE: Duration = Duration::from_secs(3);
/// Held by the one question to the keys that is under way: a server that keeps silent does not gather questions.
static KEYS_ASKED: LazyLock<Arc<Mutex<()>>> = LazyLock::new(Arc::default);
/// Events counted at most where positions do not count them.
const COUNTED: usize = 10_001;

#[derive(Debug, Serialize)]
struct Readiness {
    /// `ready`, `degraded` (some streams are left out of a read model, one stands still, the disk is full, or a file was taken away), `not_ready` (a
    /// read model does not follow, the keys do not answer, background work ended badly, or history was changed), or `read_only` (the log's disk failed: nothing is written until a restart).
    status: &'static str,
    /// `taken`, `keys_away` (the keys of personal data do not answer), `disk_full` or `stopped`.
    writes: &'static str,
    /// What to do about it, where writes are not taken or history was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
    /// The server is a rehearsal on a copy: nothing that happens in it goes to the outside.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rehearsal: bool,
    head: Position,
    read_models: Vec<ReadModel>,
    /// Events that are not what they were, until a backup is restored or an operator accepts them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken_history: Vec<Break>,
    /// Those that an operator has accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accepted_breaks: Vec<Break>,
    /// Files that were taken away under the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone_files: Vec<GoneFile>,
    /// Background work that ended badly and comes back with the next start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ended: Vec<&'static str>,
}

/// How far everything has come.
pub struct Standing {
    /// The log's last event.
    pub head: Position,
    pub read_models: Vec<ReadModel>,
}

#[derive(Debug, Serialize)]
pub struct ReadModel {
    pub name: &'static str,
    /// Of its tables' meaning.
    pub version: u32,
    pub position: Position,
    /// Events it is behind.
    pub lag: Position,
    /// For how long the first event that it does not hold has been in the log.
    pub lag_seconds: f64,
    /// Streams of which it leaves something out; the workspace or `latchkey rebuild` takes them in once the cause is gone.
    pub parked: usize,
    pub error: Option<String>,
}

/// Looks where the log and each read model stand, in the order of names.
///
/// # Errors
/// When the log cannot be read.
pub async fn standing(records: &Records) -> Result<Standing, LogError> {
    let head = records.log.head().await?;
    let mut read_models = Vec::new();
    for progress in records.applied.progress() {
        let (lag, missing) = behind(&records.log, progress.position, head).await?;
        // By the clock that recorded it, which the developers' tools do not put forward.
        let age = missing.map(|event| clock::now() - event.recorded_at);
        read_models.push(ReadModel {
            name: progress.name,
            version: progress.version,
            position: progress.position,
            lag,
            lag_seconds: age.map_or(0.0, |age| age.as_seconds_f64().max(0.0)),
            parked: progress.parked,
            error: progress.error,
        });
    }
    read_models.sort_by_key(|model| model.name);
    Ok(Standing { head, read_models })
}

/// How many events lie after a position, and the first of them. Where positions do not count events, those are counted, up to
/// one more than is still worth reading.
///
/// # Errors
/// When the log cannot be read.
pub async fn behind(
    log: &EventLog,
    position: Position,
    head: Position,
) -> Result<(Position, Option<RecordedEvent>), LogError> {
    if head <= position {
        return Ok((0, None));
    }
    if log.capabilities().dense_positions {
        let first = log.read_all(position, 1).await?.into_iter().next();
        return Ok((head - position, first));
    }
    let mut missing = log.read_all(position, COUNTED).await?.into_iter();
    let lag = missing.len() as Position;
    Ok((lag, missing.next()))
}

/// Whether the keys of personal data answer in time.
async fn check_keys(log: &EventLog) -> bool {
    let log = log.clone();
    let asked = async {
        let turn = KEYS_ASKED.clone().lock_owned().await;
        // It goes on when its request is over, so that one question at a time is open.
        let question = tokio::spawn(async move {
            let answer = log.keys_answer().await;
            drop(turn);
            answer
        });
        question.await
    };
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(Ok(()))) => true,
        Ok(Ok(Err(error))) => {
            tracing::error!(%error, "the keys of personal data do not answer");
            false
        }
        Ok(Err(_)) | Err(_) => {
            tracing::error!("the keys of personal data do not answer");
            false
        }
    }
}

/// Whether the log takes writes, and what to do where it does not.
fn describe_writes(
    log: &EventLog,
    settings: &Settings,
    keys_answer: bool,
) -> (&'static str, Option<&'static str>) {
    let full = (
        "disk_full",
        Some("make room on the disk: writes then go on by themselves"),
    );
    match log.condition() {
        Condition::Full => full,
        // The log may not have noticed yet: what is written before it is refused first.
        Condition::Well if disk::is_full(&settings.data_dir) => full,
        Condition::Well if !keys_answer => (
            "keys_away",
            Some("the keys of personal data do not answer: bring the server of their database back"),
        ),
        Condition::Well => ("taken", None),
        Condition::Stopped(_) => (
            "stopped",
            Some(
                "the disk failed, or the log's file is gone: look at the disk and into the log output, then start the server again",
            ),
        ),
    }
}

/// `GET /healthz`: the process answers.
pub async fn lives() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: 200 when every read model follows the log, 503 when one does not, each with its lag, or when the keys do not
/// answer, background work ended badly, the log's disk failed and nothing is written, or the log does not answer in time.
pub async fn readiness(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(chain): State<Arc<ChainCheck>>,
    State(files): State<Arc<FilesWatch>>,
    State(background): State<Background>,
) -> Response {
    let Standing { head, read_models } = match tokio::time::timeout(PATIENCE, standing(&records)).await {
        Ok(Ok(standing)) => standing,
        Err(_late) => {
            tracing::error!("the log does not answer");
            return (StatusCode::SERVICE_UNAVAILABLE, "the log does not answer\n").into_response();
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "the log does not say where it ends");
            return (StatusCode::SERVICE_UNAVAILABLE, "the log cannot be read\n").into_response();
        }
    };
    let follows = |model: &ReadModel| model.error.is_none() && model.lag <= BEHIND;
    let lacks = |model: &ReadModel| model.parked > 0 || model.lag_seconds >= STANDS_STILL_S;
    // In files the log's own writer looks after them.
    let keys_answer = matches!(settings.place(), Place::Folder(_)) || check_keys(&records.log).await;
    let (writes, advice) = describe_writes(&records.log, &settings, keys_answer);
    let ended = background.ended();
    let (accepted_breaks, broken_history) = chain.known();
    let gone_files = files.gone();
    let advice = gone_files.first().map(|gone| gone.advice).or(advice);
    let advice = advice.or((!broken_history.is_empty()).then_some(
        "history was changed, so what is shown may be wrong: restore the last backup, or go on knowingly with `latchkey accept-break`",
    ));
    let (status, code) = if writes == "stopped" {
        ("read_only", StatusCode::SERVICE_UNAVAILABLE)
    } else if !keys_answer
        || !ended.is_empty()
        || !broken_history.is_empty()
        || !read_models.iter().all(follows)
    {
        ("not_ready", StatusCode::SERVICE_UNAVAILABLE)
    } else if writes == "disk_full" || !gone_files.is_empty() || read_models.iter().any(lacks) {
        ("degraded", StatusCode::OK)
    } else {
        ("ready", StatusCode::OK)
    };
    let answer = Readiness {
        status,
        writes,
        advice,
        rehearsal: settings.rehearsal,
        head,
        read_models,
        broken_history,
        accepted_breaks,
        gone_files,
        ended,
    };
    (code, axum::Json(answer)).into_response()
}
