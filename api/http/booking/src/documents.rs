//! Documents sent with a form (D93): looked at rather than believed, sealed under the person's key beside the log, given
//! back by a link that runs out.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::booking_form::definition::FieldKind;
use domain::booking_form::{BookingForm, BookingFormCommand, Document};
use domain::contact::{FaultCode, shown_name};
use domain::id::UserId;
use domain::lead::Lead;
use eventlog::{CommitError, EventLog, commit};
use http_kit::caller::Caller;
use http_kit::capability::Capability;
use http_kit::contract::words::DocumentAudienceWord;
use http_kit::endpoints::{Endpoints, UtoipaMethodRouterExt as _, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_error;
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext};
use http_kit::said::say;
use platform::clock;
use processes::document_store::{DocumentError, DocumentStore};
use records::Records;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use utoipa::ToSchema;
use uuid::Uuid;

use self::bounds::Fault;
use crate::Services;
use crate::booking_forms::{open, refusal};

mod active;
mod bounds;
mod heic;
mod kind;
mod metadata;

const BY_FORM: Access = Access::Capability(Capability::FormUuid);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(
            BY_FORM,
            routes!(add_document).layer(DefaultBodyLimit::max(BYTES_MAX)),
        )
        .endpoint(
            Access::Capability(Capability::DocumentLink),
            routes!(show_document),
        )
        .endpoint(BY_FORM, routes!(remove_document))
}

/// D93: ten megabytes.
pub const BYTES_MAX: usize = 10 * 1024 * 1024;
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
    /// Colleagues who opened it too, oldest first.
    opened: Vec<DocumentOpening>,
}

/// One look of support or the provider at a document.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DocumentOpening {
    #[schema(value_type = DocumentAudienceWord)]
    by: &'static str,
    at: String,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct LinkQuery {
    expires: i64,
    signature: String,
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
    State(records): State<Records>,
    kept: (State<DocumentStore>, State<Limits>),
    context: RequestContext,
    caller: Caller,
    Path(form_uuid): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<(StatusCode, Success<DocumentAnswer>)> {
    let (State(documents), State(limits)) = kept;
    let bytes = read_body(body)?;
    let (form_id, lead) = open(&records, &caller, &form_uuid).await?;
    limits.count_save(form_id).await?;
    let form = records.log.load::<BookingForm>(form_id).await?.state;
    let Some(start) = form.start.as_deref() else {
        return Err(ApiError::not_found(say("refusal.no_form")));
    };
    if !takes_documents(&form, &lead) {
        let message = say("refusal.no_document_asked");
        return Err(ApiError::conflict("no_document_asked", message));
    }
    let Checked { bytes, media_type } = checked(bytes).await?;
    let document = Document {
        document_id: clock::new_id(),
        media_type: media_type.to_owned(),
        size_bytes: bytes.len() as u64,
        digest: hex::encode(Sha256::digest(&bytes)),
    };
    let sealed = records
        .log
        .seal_file(start.person_id, document.document_id, bytes)
        .await?
        .ok_or_else(|| ApiError::not_found(say("refusal.no_form")))?;
    documents
        .keep(document.document_id, sealed)
        .await
        .map_err(unkept)?;
    let command = BookingFormCommand::AddDocument {
        document: document.clone(),
        name: named(&headers, &document.media_type),
        at: clock::now(),
    };
    let asked = context.command(caller.actor(), &document.digest);
    let added = commit::<BookingForm>(&records.log, form_id, command, &asked).await;
    // Whether it was taken in is not known after a failure of the log: then the file stays.
    let is_of_the_form = match &added {
        Ok(added) => added.state.documents.contains_key(&document.document_id),
        Err(error) => matches!(error, CommitError::Log(_)),
    };
    if !is_of_the_form {
        documents.dropped(document.document_id).await;
    }
    let added = added.map_err(refusal)?;
    records.answers_for(added.position);
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
    let answer = answer_of(&records.log, &form_uuid, &added.state, kept);
    Ok((StatusCode::CREATED, Success::at(answer, added.position)))
}

/// An upload that was looked at: its bytes without what they tell beside the picture, and what they are.
pub(crate) struct Checked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) media_type: &'static str,
}

/// The body of an upload.
///
/// # Errors
/// 413 beyond ten megabytes.
pub(crate) fn read_body(body: Result<Bytes, BytesRejection>) -> ApiResult<Bytes> {
    body.map_err(|rejection| unreadable(&rejection))
}

/// Looks at an upload rather than believing it.
///
/// # Errors
/// 422 for any other kind of file than is taken, and for a damaged one.
pub(crate) async fn checked(bytes: Bytes) -> ApiResult<Checked> {
    let taken = kind::of(bytes).await?.map_err(|fault| bad(code_of(fault)))?;
    Ok(Checked {
        bytes: taken.bytes,
        media_type: taken.media_type,
    })
}

/// The name that an upload is kept under.
pub(crate) fn named(headers: &HeaderMap, media_type: &str) -> String {
    with_ending(name_of(headers), media_type)
}

/// The document itself, while its link is good; always as a file to keep, never shown by the browser (T27).
///
/// # Errors
/// 404 for a link that is not ours or ran out.
#[utoipa::path(get, path = "/api/v0/booking_forms/{form_uuid}/documents/{id}",
    params(("form_uuid" = String, Path), ("id" = String, Path), LinkQuery),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 404)))]
pub async fn show_document(
    State(records): State<Records>,
    State(documents): State<DocumentStore>,
    _context: RequestContext,
    caller: Caller,
    Path((form_uuid, id)): Path<(String, String)>,
    Query(link): Query<LinkQuery>,
) -> ApiResult<Response> {
    let absent = || ApiError::not_found(say("refusal.no_document"));
    let document_id: Uuid = id.parse().map_err(|_| absent())?;
    let expected = signature(&records.log, &form_uuid, document_id, link.expires);
    let genuine: bool = expected.as_bytes().ct_eq(link.signature.as_bytes()).into();
    if !genuine || link.expires <= clock::now().timestamp() {
        return Err(absent());
    }
    let (form_id, _) = open(&records, &caller, &form_uuid).await?;
    let form = records.log.load::<BookingForm>(form_id).await?.state;
    let (Some(start), Some(document)) = (form.start.as_deref(), form.documents.get(&document_id)) else {
        return Err(absent());
    };
    let person = start.person_id;
    let file = file_of(&records, &documents, (person, document_id)).await?;
    Ok(as_file(&form, document, file.ok_or_else(absent)?))
}

/// The plain bytes of a document; `None` once its person was forgotten.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn file_of(
    records: &Records,
    documents: &DocumentStore,
    (person, document_id): (UserId, Uuid),
) -> ApiResult<Option<Vec<u8>>> {
    let sealed = documents.kept(document_id).await.map_err(unread)?;
    Ok(records.log.open_file(person, document_id, sealed).await?)
}

/// A document as a file to keep, under the name that it was sent with.
pub(crate) fn as_file(form: &BookingForm, document: &Document, bytes: Vec<u8>) -> Response {
    let name = form.document_names.get(&document.document_id).cloned().flatten();
    kept_file(&name.unwrap_or_default(), &document.media_type, bytes)
}

/// A file to keep under this name, never shown by the browser (T27).
pub fn kept_file(name: &str, media_type: &str, bytes: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename*=UTF-8''{}", encoded(name));
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(media_type) {
        headers.insert(header::CONTENT_TYPE, value);
    }
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// Takes a document back: the form does not name it any more, its bytes are deleted.
///
/// # Errors
/// 404 where the form or the document is absent.
#[utoipa::path(delete, path = "/api/v0/booking_forms/{form_uuid}/documents/{id}",
    params(("form_uuid" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = Success<TakenBack>), (status = 404)))]
pub async fn remove_document(
    State(records): State<Records>,
    State(documents): State<DocumentStore>,
    context: RequestContext,
    caller: Caller,
    Path((form_uuid, id)): Path<(String, String)>,
) -> ApiResult<Success<TakenBack>> {
    let absent = || ApiError::not_found(say("refusal.no_document"));
    let document_id: Uuid = id.parse().map_err(|_| absent())?;
    let (form_id, _) = open(&records, &caller, &form_uuid).await?;
    let command = BookingFormCommand::RemoveDocument {
        document_id,
        at: clock::now(),
    };
    let asked = context.command(caller.actor(), &document_id);
    let removed = commit::<BookingForm>(&records.log, form_id, command, &asked)
        .await
        .map_err(refusal)?;
    records.answers_for(removed.position);
    // The log has let go of it: bytes that a kill leaves here are sealed, and no link opens them.
    documents.dropped(document_id).await;
    Ok(Success::at(TakenBack { document_id }, removed.position))
}

/// The document that was taken back.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DocumentTakenBack)]
pub struct TakenBack {
    document_id: Uuid,
}

/// The documents of a form in the order they were sent.
pub fn answers(log: &EventLog, form_uuid: &str, form: &BookingForm) -> Vec<DocumentAnswer> {
    form.documents
        .values()
        .map(|document| answer_of(log, form_uuid, form, document))
        .collect()
}

fn answer_of(log: &EventLog, form_uuid: &str, form: &BookingForm, document: &Document) -> DocumentAnswer {
    let id = document.document_id;
    let expires = clock::now().timestamp() + LINK_S;
    let signature = signature(log, form_uuid, id, expires);
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
        opened: form
            .openings(id)
            .into_iter()
            .map(|(audience, at)| DocumentOpening {
                by: audience.key(),
                at: at.to_rfc3339(),
            })
            .collect(),
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

const fn code_of(fault: Fault) -> FaultCode {
    match fault {
        Fault::Kind => FaultCode::DocumentKind,
        Fault::Damaged => FaultCode::DocumentDamaged,
        Fault::Pixels => FaultCode::DocumentPixels,
        Fault::Metadata => FaultCode::DocumentMetadata,
        Fault::Active => FaultCode::DocumentActive,
    }
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

/// Reads the name of a file from the header `x-file-name`: its last part, without what no name needs.
pub fn name_of(headers: &HeaderMap) -> String {
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

/// The name with an ending of the kind that the bytes are: what is opened by its name opens as what it is (T27).
fn with_ending(name: String, media_type: &str) -> String {
    let endings: &[&str] = match media_type {
        "image/jpeg" => &["jpg", "jpeg"],
        "image/png" => &["png"],
        "image/heic" => &["heic", "heif"],
        "application/pdf" => &["pdf"],
        _ => &[],
    };
    let Some(usual) = endings.first() else { return name };
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let fits = endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
    match (stem, fits) {
        ("", _) => format!("document.{usual}"),
        (_, true) => name,
        (_, false) => format!("{name}.{usual}"),
    }
}

fn encoded(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

fn signature(log: &EventLog, form_uuid: &str, document_id: Uuid, expires: i64) -> String {
    let place = format!("{form_uuid}:{document_id}:{expires}");
    hex::encode(log.handles().hash("document_link", &place))
}

pub(crate) fn unkept(error: DocumentError) -> ApiError {
    match error {
        DocumentError::Database(error) => error.into(),
        DocumentError::File(error) => error.into(),
    }
}

/// A file that the log speaks of and that is not there is a fault of ours.
pub(crate) fn unread(error: DocumentError) -> ApiError {
    match error {
        DocumentError::Database(error) => error.into(),
        DocumentError::File(error) => ApiError::broken(error),
    }
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

    #[test]
    fn a_name_ends_as_its_bytes_are() {
        for (given, media_type, kept) in [
            ("pass.JPEG", "image/jpeg", "pass.JPEG"),
            ("pass.exe", "image/jpeg", "pass.exe.jpg"),
            ("a.html", "application/pdf", "a.html.pdf"),
            ("pass", "image/png", "pass.png"),
            (".jpg", "image/jpeg", "document.jpg"),
            ("", "application/pdf", "document.pdf"),
        ] {
            assert_eq!(with_ending(given.to_owned(), media_type), kept, "{given}");
        }
    }
}
