//! What goes wrong, as the envelope of X4 with the true status. A handler never answers 500 to bad input.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use eventlog::{CommitError, LogError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::request::Lang;
use crate::texts::text;

pub type ApiResult<T> = Result<T, ApiError>;

/// One field that cannot be used, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    pub field: String,
    pub code: &'static str,
    pub message: String,
}

impl FieldError {
    pub fn new(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            code,
            message: message.into(),
        }
    }
}

/// Anything but success.
#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
    pub errors: Vec<FieldError>,
    /// Seconds, for 429 and 503.
    pub retry_after: Option<u64>,
    /// For the log only; never shown.
    cause: Option<String>,
}

/// The body of every error answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    pub message: FailureMessage,
    pub errors: Vec<FieldError>,
    pub request_id: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FailureMessage {
    pub user_friendly_message: String,
    pub code: &'static str,
}

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            errors: Vec::new(),
            retry_after: None,
            cause: None,
        }
    }

    /// 400: the request cannot be read.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    /// 401: nobody is logged in.
    pub fn not_logged_in() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "not_logged_in", "Log in to go on")
    }

    /// 403: logged in, and not allowed.
    pub fn not_allowed() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "not_allowed",
            "Your account may not do this",
        )
    }

    /// 404: absent, or not to be known to exist.
    pub fn not_found(what: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("{what} was not found"),
        )
    }

    /// 409: somebody was faster, or the rules of the state say no.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// 422 with every bad field.
    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let message = errors
            .first()
            .map_or_else(|| "Check the fields".to_owned(), |first| first.message.clone());
        Self {
            errors,
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields", message)
        }
    }

    /// 422 with one bad field.
    pub fn invalid_field(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError::new(field, code, message)])
    }

    /// 429.
    pub fn too_many(message: impl Into<String>, retry_after: u64) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message)
        }
    }

    /// 429 that need not be waited for: work done for a challenge opens the way (T20).
    pub fn proof_required(lang: Lang, retry_after: u64) -> Self {
        Self {
            code: "proof_of_work_required",
            ..Self::too_many(text(lang, "validation.proof_of_work", &[]), retry_after)
        }
    }

    /// 503: try again soon.
    pub fn busy() -> Self {
        Self {
            retry_after: Some(1),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "Many people are here right now. Try again in a second",
            )
        }
    }

    /// 500: logged with its cause, shown without it.
    pub fn broken(cause: impl std::fmt::Display) -> Self {
        Self {
            cause: Some(cause.to_string()),
            ..Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "server_error",
                "Something went wrong.",
            )
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let request_id = crate::request::current_request_id();
        if let Some(cause) = &self.cause {
            tracing::error!(%request_id, %cause, "a request failed");
        }
        let body = Failure {
            message: FailureMessage {
                user_friendly_message: self.message,
                code: self.code,
            },
            errors: self.errors,
            request_id,
        };
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::PAYLOAD_TOO_LARGE {
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
        Self::broken(error)
    }
}

impl From<LogError> for ApiError {
    fn from(error: LogError) -> Self {
        Self::broken(error)
    }
}

impl From<eventlog::CodecError> for ApiError {
    fn from(error: eventlog::CodecError) -> Self {
        Self::broken(error)
    }
}

/// How a rejection of the domain reads over HTTP: each aggregate's resource file says it once.
pub trait Rejected: std::fmt::Display {
    /// Stable snake_case code.
    fn code(&self) -> &'static str;

    /// 409 unless the rejection is about a field.
    fn status(&self) -> StatusCode {
        StatusCode::CONFLICT
    }
}

impl<R: Rejected> From<CommitError<R>> for ApiError {
    fn from(error: CommitError<R>) -> Self {
        match error {
            CommitError::Rejected(rejection) => {
                Self::new(rejection.status(), rejection.code(), rejection.to_string())
            }
            CommitError::Conflict { current } => Self {
                errors: vec![FieldError::new(
                    "version",
                    "stale",
                    format!("The current version is {current}"),
                )],
                ..Self::conflict(
                    "changed_meanwhile",
                    "This was changed meanwhile. Load it again and repeat your change",
                )
            },
            CommitError::CommandReused => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "idempotency_key_reused",
                "This Idempotency-Key was used for another request. Use a new key",
            ),
            CommitError::Busy => Self::busy(),
            CommitError::Log(error) => Self::broken(error),
        }
    }
}
