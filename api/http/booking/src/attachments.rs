//! Files in conversations, of students and staff: the same checks as documents of forms, sealed under the key of the case's person
//! (row G4).

use std::io::ErrorKind;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::case::{Attachment, Case, CaseCommand, CaseRejection, Side};
use domain::id::CaseId;
use eventlog::{Actor, CommitError, Committed, commit};
use http_kit::error::{ApiError, ApiResult};
use http_kit::request::RequestContext;
use http_kit::said::say;
use platform::clock;
use processes::document_store::{DocumentError, DocumentStore};
use records::Records;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::documents::{checked, kept_file, named, read_body, unkept, unread};

/// A file as it came in.
pub struct Incoming<'r> {
    pub side: Side,
    pub actor: Actor,
    pub headers: &'r HeaderMap,
    pub body: Result<Bytes, BytesRejection>,
}

/// Keeps a file with a case; the same bytes of one side are kept once.
///
/// # Errors
/// 404 for an unknown case, 409 once its person is forgotten or for one file too many, 413 beyond ten megabytes, 422 for any other kind
/// of file.
pub async fn attach(
    (records, documents): (&Records, &DocumentStore),
    context: &RequestContext,
    id: CaseId,
    incoming: Incoming<'_>,
) -> ApiResult<Committed<Case>> {
    let bytes = read_body(incoming.body)?;
    let case = records.log.load::<Case>(id).await?.state;
    let sealed_by = case.sealed_by.ok_or_else(no_case)?;
    let file = checked(bytes).await?;
    let attachment = Attachment {
        attachment_id: clock::new_id(),
        side: incoming.side,
        media_type: file.media_type.to_owned(),
        size_bytes: file.bytes.len() as u64,
        digest: hex::encode(Sha256::digest(&file.bytes)),
    };
    let attachment_id = attachment.attachment_id;
    let sealed = records
        .log
        .seal_file(sealed_by, attachment_id, file.bytes)
        .await?;
    let forgotten = || ApiError::conflict("forgotten", say("refusal.case_forgotten"));
    documents
        .keep(attachment_id, sealed.ok_or_else(forgotten)?)
        .await
        .map_err(unkept)?;
    let asked = context.command(incoming.actor, &attachment.digest);
    let name = named(incoming.headers, &attachment.media_type);
    let command = CaseCommand::Attach {
        attachment,
        name,
        at: asked.at,
    };
    let added = commit::<Case>(&records.log, id, command, &asked).await;
    // Whether it was taken in is not known after a failure of the log: then the file stays.
    let is_kept = match &added {
        Ok(added) => has(&added.state, attachment_id),
        Err(error) => matches!(error, CommitError::Log(_)),
    };
    if !is_kept {
        documents.dropped(attachment_id).await;
    }
    let added = added.map_err(|error| error.map(refused))?;
    records.answers_for(added.position);
    Ok(added)
}

fn has(case: &Case, attachment_id: Uuid) -> bool {
    case.attachments
        .iter()
        .any(|kept| kept.file.attachment_id == attachment_id)
}

/// A file of a case, to keep.
///
/// # Errors
/// 404 for a file that the case does not have, or whose person was forgotten.
pub async fn attachment(
    (records, documents): (&Records, &DocumentStore),
    case: &Case,
    id: &str,
) -> ApiResult<Response> {
    let absent = || ApiError::not_found(say("refusal.no_document"));
    let id: Uuid = id.parse().map_err(|_| absent())?;
    let kept = case.attachments.iter().find(|kept| kept.file.attachment_id == id);
    let (kept, sealed_by) = kept.zip(case.sealed_by).ok_or_else(absent)?;
    let name = kept.name.as_deref().ok_or_else(absent)?;
    // While a person is forgotten, the file goes before this node has read that event.
    let sealed = match documents.kept(id).await {
        Err(DocumentError::File(error)) if error.kind() == ErrorKind::NotFound => return Err(absent()),
        kept => kept.map_err(unread)?,
    };
    let bytes = records.log.open_file(sealed_by, id, sealed).await?;
    Ok(kept_file(name, &kept.file.media_type, bytes.ok_or_else(absent)?))
}

fn no_case() -> ApiError {
    ApiError::not_found(say("refusal.no_case"))
}

fn refused(rejection: CaseRejection) -> ApiError {
    match rejection {
        CaseRejection::Unknown => no_case(),
        other => other.into(),
    }
}
