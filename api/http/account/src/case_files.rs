//! Files that a person sends in a conversation, and reads there (row G4).

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use booking::attachments::{self, Incoming};
use booking::documents;
use domain::case::Side;
use domain::id::CaseId;
use eventlog::Actor;
use http_kit::caller::Person;
use http_kit::endpoints::{Endpoints, UtoipaMethodRouterExt as _, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use processes::document_store::DocumentStore;
use records::Records;

use crate::Services;
use crate::cases::{OwnCaseThread, own, thread};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(
            Access::LoggedIn,
            routes!(attach_to_case).layer(DefaultBodyLimit::max(documents::BYTES_MAX)),
        )
        .endpoint(Access::LoggedIn, routes!(own_attachment))
}

/// Sends a file in one of the caller's cases: the file itself is the body, its name stands percent-encoded in the header `x-file-name`.
///
/// # Errors
/// 401 without a login, 404 for a case that is not the caller's, 409 for one file too many, 413 beyond ten megabytes, 422 for any other
/// kind of file, 429 for too many in an hour.
#[utoipa::path(post, path = "/api/v0/support/cases/{id}/attachments", tag = "support", params(("id" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Success<OwnCaseThread>), (status = 401, body = Failure), (status = 404, body = Failure),
    (status = 409, body = Failure), (status = 413, body = Failure), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn attach_to_case(
    State(records): State<Records>,
    kept: (State<DocumentStore>, State<Limits>),
    context: RequestContext,
    person: Person,
    Path(id): Path<CaseId>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<Response> {
    let (State(documents), State(limits)) = kept;
    own(&records, &person, id).await?;
    limits.count_case_message(person.user_id).await?;
    let incoming = Incoming {
        side: Side::Person,
        actor: Actor::student(person.user_id.0),
        headers: &headers,
        body,
    };
    let added = attachments::attach((&records, &documents), &context, id, incoming).await?;
    let shown = thread(id, &added.state);
    Ok((StatusCode::CREATED, Success::at(shown, added.position)).into_response())
}

/// A file of one of the caller's cases, to keep.
///
/// # Errors
/// 401 without a login, 404 for a case or a file that is not the caller's.
#[utoipa::path(get, path = "/api/v0/support/cases/{id}/attachments/{attachment}", tag = "support",
    params(("id" = String, Path), ("attachment" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 401, body = Failure), (status = 404, body = Failure)))]
pub async fn own_attachment(
    State(records): State<Records>,
    State(documents): State<DocumentStore>,
    _context: RequestContext,
    person: Person,
    Path((id, attachment)): Path<(CaseId, String)>,
) -> ApiResult<Response> {
    let case = own(&records, &person, id).await?;
    attachments::attachment((&records, &documents), &case, &attachment).await
}
