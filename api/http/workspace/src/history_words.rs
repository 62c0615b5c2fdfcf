//! Words of a history that its read model does not keep: they are read from the log.

use domain::approval::Approval;
use domain::id::ApprovalId;
use domain::lead::{Lead, LeadEvent};
use domain::payment::{Payment, PaymentEvent};
use eventlog::EventLog;
use http_kit::error::ApiResult;

/// The sentence of a refund that a second person approved.
pub(crate) const APPROVED_REFUND: &str = "timeline.refund_requested.approved";

/// Why a refund was approved, from the request that its approver decided. Empty where nothing was written, and once the person is
/// forgotten.
pub(crate) async fn approver_words(log: &EventLog, position: i64) -> ApiResult<String> {
    let at = position.unsigned_abs();
    let record = log.span(at, at).await?.into_iter().next();
    let Some(Ok(PaymentEvent::RefundRequested { refund_id, .. })) =
        record.map(|record| record.decode_sealed::<Payment>())
    else {
        return Ok(String::new());
    };
    // A refund that was approved has the id of its request.
    let approval = log.load::<Approval>(ApprovalId(refund_id.0)).await?.state;
    Ok(approval.because.unwrap_or_default())
}

/// The event of a note.
pub(crate) const NOTE: &str = "LeadNoteAdded";

/// Reads the words of a note from the log: the read model keeps no words about a person. Empty once the person is forgotten.
pub(crate) async fn note_words(log: &EventLog, position: i64) -> ApiResult<String> {
    let at = position.unsigned_abs();
    let record = log.span(at, at).await?.into_iter().next();
    match record.map(|record| record.decode::<Lead>()) {
        Some(Ok(LeadEvent::NoteAdded { note, .. })) => Ok(note.get().cloned().unwrap_or_default()),
        _ => Ok(String::new()),
    }
}
