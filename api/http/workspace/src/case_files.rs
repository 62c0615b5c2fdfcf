//! Files that staff send in a conversation, and read there (rows G4 and I4).

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use booking::attachments::{self, Incoming};
use booking::documents;
use domain::case::Side;
use domain::id::CaseId;
use http_kit::caller::{Sessions, Staff};
use http_kit::endpoints::{Endpoints, UtoipaMethodRouterExt as _, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::history_reads::Reading;
use http_kit::permissions::SUPPORT;
use http_kit::request::{Path, RequestContext};
use platform::config::Settings;
use processes::document_store::DocumentStore;
use records::Records;

use crate::Services;
use crate::cases::{CaseView, known, view};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(
            SUPPORT,
            routes!(attach_as_staff).layer(DefaultBodyLimit::max(documents::BYTES_MAX)),
        )
        .endpoint(SUPPORT, routes!(case_attachment))
}

/// Sends a file to the person of a case: the file itself is the body, its name stands percent-encoded in the header `x-file-name`.
///
/// # Errors
/// 404 for an unknown case, 409 once its person is forgotten or for one file too many, 413 beyond ten megabytes, 422 for any other kind
/// of file.
#[utoipa::path(post, path = "/api/v0/workspace/cases/{id}/attachments", tag = "support", params(("id" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Success<CaseView>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 413, body = Failure), (status = 422, body = Failure)))]
pub async fn attach_as_staff(
    State(records): State<Records>,
    kept: (State<DocumentStore>, State<Arc<Settings>>),
    context: RequestContext,
    staff: Staff,
    Path(id): Path<CaseId>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<Response> {
    let (State(documents), State(settings)) = kept;
    let incoming = Incoming {
        side: Side::Staff,
        actor: staff.actor(),
        headers: &headers,
        body,
    };
    let added = attachments::attach((&records, &documents), &context, id, incoming).await?;
    let shown = view(&records, &settings, id, &added.state).await?;
    Ok((StatusCode::CREATED, Success::at(shown, added.position)).into_response())
}

/// A file of a case, to keep.
///
/// # Errors
/// 404 for an unknown case or file.
#[utoipa::path(get, path = "/api/v0/workspace/cases/{id}/attachments/{attachment}", tag = "support",
    params(("id" = String, Path), ("attachment" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 404, body = Failure)))]
pub async fn case_attachment(
    State(records): State<Records>,
    State(documents): State<DocumentStore>,
    State(sessions): State<Sessions>,
    context: RequestContext,
    staff: Staff,
    Path((id, attachment)): Path<(CaseId, String)>,
) -> ApiResult<Response> {
    let case = known(&records, id).await?;
    Reading::by(&sessions, &context, &staff).case(&case).await?;
    attachments::attachment((&records, &documents), &case, &attachment).await
}
