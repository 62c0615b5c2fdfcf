//! What goes wrong, as the envelope of X4 with the true status. A handler never answers 500 to bad input.

use std::io::ErrorKind;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use eventlog::{CodecError, CommitError, LogError};
use records::error::RecordsError;
use serde::Serialize;
use serde_json::Value;
use sqlx::error::DatabaseError;
use utoipa::ToSchema;

use crate::answering;
use crate::said::{Said, say};

/// Seconds after which there may be room on a full disk.
const ROOM_AFTER: u64 = 15;
/// Seconds after which somebody may have looked after a disk.
const HELP_AFTER: u64 = 60;
/// SQLite's word for a full disk.
const SQLITE_FULL: u32 = 13;
/// PostgreSQL's.
const POSTGRES_FULL: &str = "53100";
/// SQLite's word for a disk that does not do what it is told.
const SQLITE_IOERR: u32 = 10;

/// The system's word for the same.
const EIO: i32 = 5;

pub type ApiResult<T> = Result<T, ApiError>;

/// One field that cannot be used, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    pub field: String,
    pub code: &'static str,
    #[schema(value_type = String)]
    pub message: Said,
}

impl FieldError {
    pub fn new(field: impl Into<String>, code: &'static str, message: Said) -> Self {
        Self {
            field: field.into(),
            code,
            message,
        }
    }
}

/// Anything but success.
#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: Box<Said>,
    pub errors: Vec<FieldError>,
    /// Seconds, for 429 and 503.
    pub retry_after: Option<u64>,
    /// What stands there now, where a change came too late (D82).
    current: Option<Box<Value>>,
    /// For the log only; never shown.
    cause: Option<String>,
}

/// The body of every error answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    pub message: FailureMessage,
    pub errors: Vec<FieldError>,
    pub request_id: String,
    /// Present value with its version: a change that came too late loses nothing, its sender chooses (D79, D82).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object)]
    pub current: Option<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FailureMessage {
    #[schema(value_type = String)]
    pub user_friendly_message: Said,
    pub code: &'static str,
}

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, message: Said) -> Self {
        Self {
            status,
            code,
            message: Box::new(message),
            errors: Vec::new(),
            retry_after: None,
            current: None,
            cause: None,
        }
    }

    /// 400: the request cannot be read.
    pub fn malformed(message: Said) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    /// 401: nobody is logged in.
    pub fn not_logged_in() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "not_logged_in",
            say("refusal.not_logged_in"),
        )
    }

    /// 403: logged in, and not allowed.
    pub fn not_allowed() -> Self {
        Self::new(StatusCode::FORBIDDEN, "not_allowed", say("refusal.not_allowed"))
    }

    /// 404: absent, or not to be known to exist. `message` says what.
    pub fn not_found(message: Said) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// 409: somebody was faster, or the rules of the state say no.
    pub fn conflict(code: &'static str, message: Said) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// The same, showing what stands there now.
    #[must_use]
    pub fn with_current(self, current: &impl Serialize) -> Self {
        Self {
            current: serde_json::to_value(current).ok().map(Box::new),
            ..self
        }
    }

    /// 422 with every bad field.
    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let message = errors
            .first()
            .map_or_else(|| say("refusal.invalid_fields"), |first| first.message.clone());
        Self {
            errors,
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields", message)
        }
    }

    /// 422 with one bad field.
    pub fn invalid_field(field: impl Into<String>, code: &'static str, message: Said) -> Self {
        Self::invalid(vec![FieldError::new(field, code, message)])
    }

    /// 429.
    pub fn too_many(message: Said, retry_after: u64) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message)
        }
    }

    /// 429 that need not be waited for: work done for a challenge opens the way (T20).
    pub fn proof_required(retry_after: u64) -> Self {
        Self {
            code: "proof_of_work_required",
            ..Self::too_many(say("validation.proof_of_work"), retry_after)
        }
    }

    /// 503: writes are refused while the house works on the site; reads go on.
    pub fn in_maintenance(retry_after: u64) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "maintenance",
                say("refusal.maintenance"),
            )
        }
    }

    /// 503: try again soon.
    pub fn busy() -> Self {
        Self {
            retry_after: Some(1),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", say("refusal.busy"))
        }
    }

    /// 503: the records of an earlier moment are still being read; asked again, they are there.
    fn past_unfinished() -> Self {
        Self {
            retry_after: Some(2),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "past_unfinished",
                say("refusal.past_unfinished"),
            )
        }
    }

    /// 503: a database is away for a moment, or a table of it; logged with its cause, shown without it.
    fn waiting(cause: impl std::fmt::Display) -> Self {
        Self::busy().because(cause)
    }

    /// 503: there is no room to write; what only reads goes on.
    pub fn full() -> Self {
        Self {
            retry_after: Some(ROOM_AFTER),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "storage_full",
                say("refusal.storage_full"),
            )
        }
    }

    /// 503: there is no room to take in what was saved last, so it cannot be read yet.
    pub fn not_shown() -> Self {
        Self {
            retry_after: Some(ROOM_AFTER),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "storage_full",
                say("refusal.not_shown"),
            )
        }
    }

    /// 503: nothing can be written until somebody has looked after the disk; what only reads goes on.
    pub fn not_written() -> Self {
        Self {
            retry_after: Some(HELP_AFTER),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "storage_unavailable",
                say("refusal.storage_unavailable"),
            )
        }
    }

    /// 500: logged with its cause, shown without it.
    pub fn broken(cause: impl std::fmt::Display) -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::new(status, "server_error", say("refusal.server_error")).because(cause)
    }

    /// The body of the answer to the request of this id.
    pub fn body(self, request_id: String) -> Failure {
        Failure {
            message: FailureMessage {
                user_friendly_message: *self.message,
                code: self.code,
            },
            errors: self.errors,
            request_id,
            current: self.current.map(|current| *current),
        }
    }

    /// With a cause for the log.
    fn because(self, cause: impl std::fmt::Display) -> Self {
        Self {
            cause: Some(cause.to_string()),
            ..self
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let request_id = answering::request_id().map_or_else(String::new, |id| id.to_string());
        if let Some(cause) = &self.cause {
            tracing::error!(request.id = %request_id, %cause, "a request failed");
        }
        let (status, retry_after) = (self.status, self.retry_after);
        let mut response = (status, Json(self.body(request_id))).into_response();
        if let Some(seconds) = retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::PAYLOAD_TOO_LARGE {
            // The rest of the body stays unread, so nothing more can be asked on this connection.
            response
                .headers_mut()
                .insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(DatabaseError::code);
        match code.as_deref().map(sqlite_code) {
            Some(Ok(SQLITE_FULL) | Err(POSTGRES_FULL)) => Self::full(),
            Some(Ok(SQLITE_IOERR)) => Self::not_written().because(error),
            _ if platform::outage::is_away(&error) || platform::outage::is_without_its_table(&error) => {
                Self::waiting(error)
            }
            _ => Self::broken(error),
        }
    }
}

/// Kind of error that SQLite reported, or PostgreSQL's code of five characters.
fn sqlite_code(code: &str) -> Result<u32, &str> {
    let number: u32 = code.parse().map_err(|_| code)?;
    // The other bits say more exactly what happened.
    if code.len() < 5 {
        Ok(number & 0xff)
    } else {
        Err(code)
    }
}

impl From<RecordsError> for ApiError {
    fn from(error: RecordsError) -> Self {
        match error {
            RecordsError::Log(error) => error.into(),
            RecordsError::ReadModels(error) => error.into(),
            RecordsError::Behind => Self::busy(),
            RecordsError::NoRoom => Self::not_shown(),
            RecordsError::PastUnfinished => Self::past_unfinished(),
            RecordsError::ListingWithoutId | RecordsError::Past(_) => Self::broken(error),
        }
    }
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::full(),
            _ if error.raw_os_error() == Some(EIO) => Self::not_written().because(error),
            _ => Self::broken(error),
        }
    }
}

impl From<LogError> for ApiError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Full(_) => Self::full(),
            // The log has said so once, and what to do.
            LogError::Stopped(_) => Self::not_written(),
            // A server that would forget what it was told is refused until somebody has set it right.
            LogError::DiskFailed(_) | LogError::Closed | LogError::Refused(_) => {
                Self::not_written().because(error)
            }
            LogError::Unavailable(_)
            | LogError::Unknown(_)
            | LogError::Unreadable {
                source: CodecError::Keys,
                ..
            } => Self::waiting(error),
            LogError::Storage(_) | LogError::Unreadable { .. } | LogError::Unstorable(_) => {
                Self::broken(error)
            }
        }
    }
}

impl From<CodecError> for ApiError {
    fn from(error: CodecError) -> Self {
        match error {
            CodecError::Keys => Self::waiting(error),
            error => Self::broken(error),
        }
    }
}

/// How a rejection of the domain reads over HTTP: each aggregate's resource file says it once.
pub trait Rejected {
    /// Stable snake_case code.
    fn code(&self) -> &'static str;

    /// 409 unless the rejection is about a field.
    fn status(&self) -> StatusCode {
        StatusCode::CONFLICT
    }

    /// The sentence of the code, unless there is more to say.
    fn said(&self) -> Said {
        Said::of_code(self.code())
    }

    /// The field of the request that it is about.
    fn field(&self) -> Option<&'static str> {
        None
    }
}

impl<R: Rejected> From<R> for ApiError {
    fn from(rejection: R) -> Self {
        let (code, said) = (rejection.code(), rejection.said());
        let field = rejection.field();
        Self {
            errors: field
                .map(|field| FieldError::new(field, code, said.clone()))
                .into_iter()
                .collect(),
            ..Self::new(rejection.status(), code, said)
        }
    }
}

impl<R: Rejected> From<CommitError<R>> for ApiError {
    fn from(error: CommitError<R>) -> Self {
        error.map(Self::from).into()
    }
}

/// What several aggregates decide together is refused in the answer's own words.
impl From<CommitError<Self>> for ApiError {
    fn from(error: CommitError<Self>) -> Self {
        match error {
            CommitError::Rejected(refusal) => refusal,
            CommitError::Conflict { current } => Self {
                errors: vec![FieldError::new(
                    "version",
                    "stale",
                    say("refusal.current_version").with("version", current),
                )],
                ..Self::conflict("changed_meanwhile", say("refusal.changed_meanwhile"))
            },
            CommitError::CommandReused => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "idempotency_key_reused",
                say("refusal.idempotency_key_reused"),
            ),
            CommitError::Busy => Self::busy(),
            CommitError::Log(error) => error.into(),
        }
    }
}
