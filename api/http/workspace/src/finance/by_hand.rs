//! Who moved money by hand, who approved it, and why: read from the event itself, and from the request that a second person approved.

use std::collections::HashMap;
use std::sync::Arc;

use domain::approval::{Approval, Decision};
use domain::id::{ApprovalId, PaymentId};
use domain::payment::{GrantedAsk, Payment, PaymentEvent, RequestedBy};
use http_kit::error::{ApiError, ApiResult};
use platform::config::Settings;
use projections::payment_audit::AuditRow as StoredRow;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked_words::Told;
use super::{AuditRow, Details};
use crate::staff_names::staff_name;

/// Kinds of rows that may be an act of a member of staff.
const ACTS: [&str; 3] = ["refund_requested", "refund_paid_elsewhere", "booking_cancelled"];

/// An act of staff, with its second person where it needed one.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ByHand {
    /// Member of staff who asked.
    pub asked_by: String,
    /// Why, in words of the asker; null where nothing was recorded, and once its person is forgotten.
    pub reason: Option<String>,
    /// Approver of it, or of a colleague's request; both names where a second person had to. Null where it needed no approval.
    pub approved_by: Option<String>,
    /// Why it was approved; null where nothing was recorded, and once its person is forgotten.
    pub approval_reason: Option<String>,
}

/// Reads acts of staff, each name once.
pub(super) struct Acts {
    records: Records,
    settings: Arc<Settings>,
    names: HashMap<String, String>,
}

impl Acts {
    pub(super) fn new(records: &Records, settings: &Arc<Settings>) -> Self {
        Self {
            records: records.clone(),
            settings: settings.clone(),
            names: HashMap::new(),
        }
    }

    /// Shows rows, those of acts with who and why.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) async fn show(
        &mut self,
        details: &Details,
        rows: impl IntoIterator<Item = StoredRow>,
    ) -> ApiResult<Vec<AuditRow>> {
        let mut shown = Vec::new();
        for row in rows {
            let by_hand = self.find(&row).await?;
            shown.push(AuditRow {
                by_hand,
                ..details.row(row)
            });
        }
        Ok(shown)
    }

    async fn find(&mut self, row: &StoredRow) -> ApiResult<Option<ByHand>> {
        if !ACTS.contains(&row.kind.as_str()) {
            return Ok(None);
        }
        let position = row.position.cast_unsigned();
        let events = self.records.log.span(position, position).await?;
        let Some(event) = events.first() else {
            return Ok(None);
        };
        let (by, note, refund_id, ask) = match event.decode::<Payment>().map_err(ApiError::broken)? {
            PaymentEvent::RefundRequested {
                by: RequestedBy::Staff(by),
                note,
                refund_id,
                ask,
                ..
            } => (by, note, Some(refund_id), ask),
            PaymentEvent::PaymentBookingCancelled { by, note, ask, .. } => (by, note, None, ask),
            PaymentEvent::RefundPaidElsewhere { by, note, .. } => (by, note, None, None),
            _ => return Ok(None),
        };
        let mut act = ByHand {
            asked_by: self.name(&by.to_string()).await?,
            reason: note.0.map(|words| words.0).filter(|words| !words.is_empty()),
            approved_by: None,
            approval_reason: None,
        };
        if let Some(ask) = ask {
            act = self.name_asker(PaymentId(event.stream.id), ask, act).await?;
        }
        let Some(refund_id) = refund_id else {
            return Ok(Some(act));
        };
        // A refund that was approved has the id of its request.
        let approval = self.records.log.load::<Approval>(ApprovalId(refund_id.0)).await?;
        if let Some((Decision::Approved, by, _)) = approval.state.decided {
            let second = self.name(&by.to_string()).await?;
            act.approved_by = Some(join_words(act.approved_by, second));
            act.approval_reason = match approval.state.because {
                Some(because) => Some(join_words(act.approval_reason, because)),
                None => act.approval_reason,
            };
        }
        Ok(Some(act))
    }

    /// A refund that grants a colleague's request: the colleague asked, and who gave the money back approved.
    async fn name_asker(
        &mut self,
        payment_id: PaymentId,
        ask: GrantedAsk,
        given: ByHand,
    ) -> ApiResult<ByHand> {
        let payment = self.records.log.load::<Payment>(payment_id).await?.state;
        let reason = match payment.terms {
            Some(terms) => {
                Told::read_answer(&self.records.log, terms.lead_id, ask.ask_id)
                    .await?
                    .reason
            }
            None => None,
        };
        Ok(ByHand {
            asked_by: self.name(&ask.by.to_string()).await?,
            reason,
            approved_by: Some(given.asked_by),
            approval_reason: given.reason,
        })
    }

    async fn name(&mut self, id: &str) -> ApiResult<String> {
        staff_name(&self.records.log, &self.settings, id, &mut self.names).await
    }
}

/// Joins the words of two people as one text, the first one's first.
fn join_words(first: Option<String>, second: String) -> String {
    match first {
        Some(first) => format!("{first}; {second}"),
        None => second,
    }
}
