//! The check of a receipt's proof for anyone who has its file.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::SecondsFormat;
use http_kit::contract::words::ReceiptFaultWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::say;
use receipts::proof::{ReceiptProof, Unproved};
use serde::Serialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use super::ReceiptOffice;
use super::view::FactsView;
use crate::Services;
use crate::payments::private;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Open, routes!(verify_receipt))
}

/// Receipts checked at a time: their pages are made anew.
static CHECKING: Semaphore = Semaphore::const_new(2);

/// Result of a check.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptVerdict)]
pub struct Verdict {
    pub valid: bool,
    /// Fault; null where there is none.
    #[schema(value_type = Option<ReceiptFaultWord>)]
    pub fault: Option<&'static str>,
    /// The same in technical words.
    pub detail: Option<String>,
    /// Facts of the signed events; only where everything fits.
    pub receipt: Option<FactsView>,
    /// When the head of the log was signed that vouches for the events.
    pub signed_at: Option<String>,
    /// The name of the key that signed it.
    pub key: Option<String>,
}

/// `POST /api/v0/receipts/verify`: the body is a receipt's PDF or its proof. A file that proves nothing is an answer, no error.
///
/// # Errors
/// 413 for a body that no receipt is as large as, 409 where the log keeps no signed heads.
#[utoipa::path(post, path = "/api/v0/receipts/verify", tag = "payments",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Success<Verdict>), (status = 409, body = Failure), (status = 413, body = Failure)))]
pub async fn verify_receipt(
    State(office): State<ReceiptOffice>,
    _context: RequestContext,
    body: Result<Bytes, BytesRejection>,
) -> ApiResult<Response> {
    let bytes = body.map_err(|rejection| too_large(&rejection))?;
    if !office.log().capabilities().chain {
        return Err(ApiError::conflict("no_chain", say("refusal.no_chain")));
    }
    let keys = office.notary.outside().keys().map_err(ApiError::broken)?;
    // Hashes and pages are made anew: off the threads that answer.
    let turn = CHECKING.acquire().await.map_err(ApiError::broken)?;
    let checked = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let proof = ReceiptProof::read(&bytes)?;
        let key = proof.key()?;
        // A key that signs no heads of this log vouches for nothing here.
        if !proof.heads().all(|head| {
            keys.iter()
                .any(|trusted| trusted.key == key && trusted.has_signed(head))
        }) {
            proof.check(&key)?;
            return Err(Unproved::Key);
        }
        proof.check(&key)?;
        let all: Vec<_> = keys.iter().map(|trusted| trusted.key).collect();
        proof.check_pages(&bytes, &all)?;
        Ok((proof, key))
    });
    let verdict = match checked.await.map_err(ApiError::broken)? {
        Ok((proof, key)) => {
            let standing = office.chain.look(false).await?;
            match standing.broken.first() {
                Some(broken) if broken.position <= proof.position() => {
                    refused("log", format!("the log was changed at event {}", broken.position))
                }
                _ => proved(&proof, key.id().to_string()),
            }
        }
        Err(unproved) => refused(unproved.code(), unproved.to_string()),
    };
    Ok(private(Success::new(verdict)))
}

fn proved(proof: &ReceiptProof, key: String) -> Verdict {
    let signed = proof.heads().map(eventlog::SignedHead::signed_at).max();
    Verdict {
        valid: true,
        fault: None,
        detail: None,
        receipt: Some(FactsView::of(proof.receipt())),
        signed_at: signed.map(|at| at.to_rfc3339_opts(SecondsFormat::Micros, true)),
        key: Some(key),
    }
}

fn refused(fault: &'static str, detail: String) -> Verdict {
    Verdict {
        valid: false,
        fault: Some(fault),
        detail: Some(detail),
        receipt: None,
        signed_at: None,
        key: None,
    }
}

fn too_large(rejection: &BytesRejection) -> ApiError {
    let mut error = ApiError::malformed(say("refusal.unreadable"));
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        error.status = StatusCode::PAYLOAD_TOO_LARGE;
        error.code = "too_large";
    }
    error
}
