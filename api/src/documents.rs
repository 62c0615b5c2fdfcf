//! Documents sent with a form (D93): looked at rather than believed, sealed under the person's key beside the log, given
//! back by a link that runs out.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path as FolderPath, PathBuf};

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::booking_form::definition::FieldKind;
use domain::booking_form::{BookingForm, BookingFormCommand, Document};
use domain::contact::{FaultCode, shown_name};
use domain::lead::Lead;
use eventlog::{CommitError, commit};
use platform::clock;
use platform::desk::Desk;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::booking_forms::{open, refusal};
use crate::caller::Caller;
use crate::envelope::Success;
use crate::error::{ApiError, ApiResult};
use crate::field_errors::field_error;
use crate::request::{Path, Query, RequestContext};
use crate::said::say;

mod kind;

/// D93: ten megabytes.
const BYTES_MAX: usize = 10 * 1024 * 1024;
/// How long a link to a document opens it.
const LINK_S: i64 = 600;
/// Longer names are cut.
const NAME_MAX: usize = 120;

/// A document of a form, with the link that opens it for a while.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SentDocument)]
pub struct DocumentAnswer {
    id: String,
    name: String,
    media_type: String,
    size_bytes: u64,
    href: String,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct LinkQuery {
    expires: i64,
    signature: String,
}

/// The routes with a larger body than all others.
pub fn routes() -> OpenApiRouter<App> {
    let sending = OpenApiRouter::new().routes(routes!(add_document));
    OpenApiRouter::new()
        .merge(sending.layer(DefaultBodyLimit::max(BYTES_MAX)))
        .routes(routes!(show_document))
}

/// Sends a document: the file itself is the body, its name stands percent-encoded in the header `x-file-name`.
///
/// # Errors
/// 404, 409 where the form asks for none now, 413 beyond ten megabytes, 422 for any other kind of file.
#[utoipa::path(post, path = "/api/v0/booking_forms/{form_uuid}/documents", params(("form_uuid" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Success<DocumentAnswer>), (status = 404), (status = 409), (status = 413),
    (status = 422)))]
pub async fn add_document(
    State(app): State<App>,
    context: RequestContext,
    caller: Caller,
    Path(form_uuid): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<(StatusCode, Success<DocumentAnswer>)> {
    let bytes = body.map_err(|rejection| unreadable(&rejection))?;
    let (form_id, lead) = open(&app, &caller, &form_uuid).await?;
    let form = app.log.load::<BookingForm>(form_id).await?.state;
    let Some(start) = form.start.as_deref() else {
        return Err(ApiError::not_found(say("refusal.no_form")));
    };
    if !takes_documents(&form, &lead) {
        let message = say("refusal.no_document_asked");
        return Err(ApiError::conflict("no_document_asked", message));
    }
    let media_type = kind::of(bytes.clone()).await?;
    let media_type = media_type.ok_or_else(|| bad(FaultCode::DocumentKind))?;
    let document = Document {
        document_id: clock::new_id(),
        media_type: media_type.to_owned(),
        size_bytes: bytes.len() as u64,
        digest: hex::encode(Sha256::digest(&bytes)),
    };
    let sealed = app
        .log
        .seal_file(start.person_id, document.document_id, bytes.to_vec())
        .await?
        .ok_or_else(|| ApiError::not_found(say("refusal.no_form")))?;
    keep(&app, document.document_id, sealed).await?;
    let command = BookingFormCommand::AddDocument {
        document: document.clone(),
        name: name_of(&headers),
        at: clock::now(),
    };
    let asked = context.command(caller.actor(), &document.digest);
    let added = commit::<BookingForm>(&app.log, form_id, command, &asked).await;
    // Whether it was taken in is not known after a failure of the log: then the file stays.
    let is_of_the_form = match &added {
        Ok(added) => added.state.documents.contains_key(&document.document_id),
        Err(error) => matches!(error, CommitError::Log(_)),
    };
    if !is_of_the_form {
        dropped(&app, document.document_id).await;
    }
    let added = added.map_err(refusal)?;
    app.answers_for(added.position);
    // A repeat under the same key added nothing: the document with these bytes is the one that counts.
    let kept = added
        .state
        .documents
        .values()
        .find(|kept| kept.document_id == document.document_id)
        .or_else(|| {
            added
                .state
                .documents
                .values()
                .find(|kept| kept.digest == document.digest)
        })
        .unwrap_or(&document);
    let answer = answer_of(&app, &form_uuid, &added.state, kept);
    Ok((StatusCode::CREATED, Success::at(answer, added.position)))
}

/// The document itself, while its link is good; always as a file to keep, never shown by the browser (T27).
///
/// # Errors
/// 404 for a link that is not ours or ran out.
#[utoipa::path(get, path = "/api/v0/booking_forms/{form_uuid}/documents/{id}",
    params(("form_uuid" = String, Path), ("id" = String, Path), LinkQuery),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 404)))]
pub async fn show_document(
    State(app): State<App>,
    _context: RequestContext,
    caller: Caller,
    Path((form_uuid, id)): Path<(String, String)>,
    Query(link): Query<LinkQuery>,
) -> ApiResult<Response> {
    let absent = || ApiError::not_found(say("refusal.no_document"));
    let document_id: Uuid = id.parse().map_err(|_| absent())?;
    let expected = signature(&app, &form_uuid, document_id, link.expires);
    let genuine: bool = expected.as_bytes().ct_eq(link.signature.as_bytes()).into();
    if !genuine || link.expires <= clock::now().timestamp() {
        return Err(absent());
    }
    let (form_id, _) = open(&app, &caller, &form_uuid).await?;
    let form = app.log.load::<BookingForm>(form_id).await?.state;
    let (Some(start), Some(document)) = (form.start.as_deref(), form.documents.get(&document_id)) else {
        return Err(absent());
    };
    let sealed = kept(&app, document_id).await?;
    let bytes = app
        .log
        .open_file(start.person_id, document_id, sealed)
        .await?
        .ok_or_else(absent)?;
    let name = form.document_names.get(&document_id).cloned().flatten();
    let disposition = format!(
        "attachment; filename*=UTF-8''{}",
        encoded(&name.unwrap_or_default())
    );
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&document.media_type) {
        headers.insert(header::CONTENT_TYPE, value);
    }
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// The documents of a form in the order they were sent.
pub fn answers(app: &App, form_uuid: &str, form: &BookingForm) -> Vec<DocumentAnswer> {
    form.documents
        .values()
        .map(|document| answer_of(app, form_uuid, form, document))
        .collect()
}

fn answer_of(app: &App, form_uuid: &str, form: &BookingForm, document: &Document) -> DocumentAnswer {
    let id = document.document_id;
    let expires = clock::now().timestamp() + LINK_S;
    let signature = signature(app, form_uuid, id, expires);
    DocumentAnswer {
        id: id.to_string(),
        name: form
            .document_names
            .get(&id)
            .cloned()
            .flatten()
            .unwrap_or_default(),
        media_type: document.media_type.clone(),
        size_bytes: document.size_bytes,
        href: format!(
            "/api/v0/booking_forms/{form_uuid}/documents/{id}?expires={expires}&signature={signature}"
        ),
    }
}

/// Whether a section that can be filled in now has a field for a file; what comes after the payment waits for it.
fn takes_documents(form: &BookingForm, lead: &Lead) -> bool {
    form.start.as_deref().is_some_and(|start| {
        let open = start
            .definition
            .sections
            .iter()
            .filter(|section| !section.hidden && (!section.after_payment || lead.booked_by.is_some()));
        open.flat_map(|section| &section.fields)
            .any(|field| field.kind == FieldKind::File)
    })
}

fn bad(code: FaultCode) -> ApiError {
    ApiError::invalid(vec![field_error("file", code)])
}

fn unreadable(rejection: &BytesRejection) -> ApiError {
    if rejection.status() != StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::malformed(say("refusal.unreadable"));
    }
    let mut error = bad(FaultCode::DocumentSize);
    error.status = StatusCode::PAYLOAD_TOO_LARGE;
    error.code = "too_large";
    error
}

/// The last part of the name, without what no name needs.
fn name_of(headers: &HeaderMap) -> String {
    let given = headers
        .get("x-file-name")
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let plus_kept = given.replace('+', "%2B");
    let decoded = form_urlencoded::parse(format!("n={plus_kept}").as_bytes())
        .next()
        .map(|(_, name)| name.into_owned())
        .unwrap_or_default();
    let last = decoded.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .filter(|c| !c.is_control() && !"\"<>|:*?".contains(*c))
        .collect();
    shown_name(&plain, NAME_MAX)
}

fn encoded(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

fn signature(app: &App, form_uuid: &str, document_id: Uuid, expires: i64) -> String {
    let place = format!("{form_uuid}:{document_id}:{expires}");
    hex::encode(app.log.handles().hash("document_link", &place))
}

fn folder(app: &App) -> PathBuf {
    app.settings.data_dir.join("documents")
}

fn path_of(app: &App, document_id: Uuid) -> PathBuf {
    folder(app).join(document_id.to_string())
}

/// Durable before the log speaks of it: a kill in between leaves noise, never a document that is not there.
async fn keep(app: &App, document_id: Uuid, sealed: Vec<u8>) -> ApiResult<()> {
    if app.desk.is_shared() {
        return Ok(app.desk.keep_document(document_id, &sealed).await?);
    }
    let (folder, path) = (folder(app), path_of(app, document_id));
    let written = tokio::task::spawn_blocking(move || write(&folder, &path, &sealed)).await;
    Ok(written.map_err(ApiError::broken)??)
}

/// All of it or nothing. Written here and not by a runtime's file, which says that it took what it has still to write, and
/// of a disk that then had no room says nothing when it is synced.
fn write(folder: &FolderPath, path: &FolderPath, sealed: &[u8]) -> io::Result<()> {
    if !folder.exists() {
        fs::create_dir_all(folder)?;
        folder.parent().map_or(Ok(()), synced)?;
    }
    let mut file = File::create_new(path)?;
    let written = file.write_all(sealed).and_then(|()| file.sync_all());
    let written = written.and_then(|()| synced(folder));
    if written.is_err() {
        drop(fs::remove_file(path));
    }
    written
}

/// A name in a folder is there after a power cut once the folder is synced.
fn synced(folder: &FolderPath) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Takes away what was kept for a document that the log did not take in. What cannot be taken away is noise that nobody finds.
async fn dropped(app: &App, document_id: Uuid) {
    let gone = if app.desk.is_shared() {
        app.desk
            .erase_document(document_id)
            .await
            .map(drop)
            .map_err(|error| error.to_string())
    } else {
        let gone = tokio::fs::remove_file(path_of(app, document_id)).await;
        gone.map_err(|error| error.to_string())
    };
    if let Err(error) = gone {
        tracing::warn!(%error, "a document that no form has could not be deleted");
    }
}

async fn kept(app: &App, document_id: Uuid) -> ApiResult<Vec<u8>> {
    if app.desk.is_shared() {
        return Ok(app.desk.document(document_id).await?);
    }
    let read = tokio::fs::read(path_of(app, document_id)).await;
    read.map_err(ApiError::broken)
}

/// Deletes uploads of somebody who was forgotten; says how many there were.
///
/// # Errors
/// When one cannot be deleted.
pub async fn erase(data_dir: &FolderPath, desk: &Desk, documents: &BTreeSet<Uuid>) -> Result<u64, String> {
    let mut erased = 0;
    for document in documents {
        if desk.is_shared() {
            let gone = desk.erase_document(*document).await;
            erased += gone.map_err(|error| error.to_string())?;
            continue;
        }
        match std::fs::remove_file(data_dir.join("documents").join(document.to_string())) {
            Ok(()) => erased += 1,
            // An earlier run was here.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(erased)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_only_a_name() {
        let named = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert("x-file-name", HeaderValue::from_static(value));
            name_of(&headers)
        };
        assert_eq!(named("..%2F..%2Fetc%2Fpasswd"), "passwd");
        assert_eq!(named("%E6%8A%A4%E7%85%A7+1.pdf"), "护照+1.pdf");
    }
}
