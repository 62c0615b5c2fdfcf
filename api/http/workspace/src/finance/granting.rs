//! Money that goes back for what a colleague asked: the refund and the answer to the request are one append.

use domain::aggregate::Decide as _;
use domain::id::{LeadId, PaymentId, RefundId, UserId};
use domain::lead::desk::{Acting, Deed};
use domain::lead::{Lead, LeadCommand, LeadRejection};
use domain::payment::{BookingChoice, GrantedAsk, Payment, PaymentCommand, RefundCommand, RequestedBy};
use eventlog::{Append, CodecError, CommitError, EventLog};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use uuid::Uuid;

/// A refund by staff, with the request that it grants where it grants one.
pub(super) struct Granting<'g> {
    pub payment_id: PaymentId,
    pub refund_id: RefundId,
    pub amount_minor: u64,
    pub booking: BookingChoice,
    /// Why, in words of who gives the money back.
    pub reason: &'g str,
    pub by: UserId,
    pub ask_id: Option<Uuid>,
    pub limit_minor: Option<u64>,
}

impl Granting<'_> {
    /// Adds the refund, and the answer to the request, to the append.
    ///
    /// # Errors
    /// Where the payment refuses the refund; where the request is not open, or is for another payment.
    pub(super) async fn add_to(
        &self,
        log: &EventLog,
        append: Append,
    ) -> Result<Append, CommitError<ApiError>> {
        let at = append.context.at;
        let payment = log.load::<Payment>(self.payment_id).await?;
        let (mut ask, mut append) = (None, append);
        if let (Some(ask_id), Some(terms)) = (self.ask_id, &payment.state.terms) {
            let acting = Acting {
                act_id: self.refund_id.0,
                by: self.by,
                deed: Deed::GrantRefund {
                    ask: ask_id,
                    payment_id: self.payment_id,
                    amount_minor: self.amount_minor,
                    ends_booking: self.booking == BookingChoice::Cancel,
                },
                why: self.reason.to_owned(),
                at,
            };
            (ask, append) = add_answer(log, append, terms.lead_id, (ask_id, acting)).await?;
        }
        let command = PaymentCommand::Refund(RefundCommand::Request {
            refund_id: self.refund_id,
            amount_minor: self.amount_minor,
            note: self.reason.to_owned(),
            by: RequestedBy::Staff(self.by),
            booking: Some(self.booking),
            ask,
            limit_minor: self.limit_minor,
            at,
        });
        let refund = payment.state.decide(command);
        let refund = refund.map_err(|error| CommitError::Rejected(error.into()))?;
        append
            .decision(self.payment_id, &payment, &refund)
            .map_err(refuse_codec)
    }
}

/// The answer to a request for cancellation, under the act that answers it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskAnswer {
    pub ask_id: Uuid,
    pub act_id: Uuid,
}

/// The end of a booking by staff, with the request that it grants where it grants one.
pub(super) struct Cancelling<'g> {
    pub payment_id: PaymentId,
    /// Why, in words of who ends the booking.
    pub reason: &'g str,
    pub by: UserId,
    pub ask: Option<AskAnswer>,
}

impl Cancelling<'_> {
    /// Adds the end of the booking, and the answer to the request, to the append.
    ///
    /// # Errors
    /// Refusals of the payment; and a request that is not open, is not for a cancellation, or is for another payment.
    pub(super) async fn add_to(
        &self,
        log: &EventLog,
        append: Append,
    ) -> Result<Append, CommitError<ApiError>> {
        let at = append.context.at;
        let payment = log.load::<Payment>(self.payment_id).await?;
        let (mut ask, mut append) = (None, append);
        if let (Some(answer), Some(terms)) = (self.ask, &payment.state.terms) {
            let acting = Acting {
                act_id: answer.act_id,
                by: self.by,
                deed: Deed::GrantCancellation {
                    ask: answer.ask_id,
                    payment_id: self.payment_id,
                },
                why: self.reason.to_owned(),
                at,
            };
            (ask, append) = add_answer(log, append, terms.lead_id, (answer.ask_id, acting)).await?;
        }
        let command = PaymentCommand::CancelBooking {
            note: self.reason.to_owned(),
            by: self.by,
            ask,
            at,
        };
        let ended = payment.state.decide(command);
        let ended = ended.map_err(|error| CommitError::Rejected(error.into()))?;
        append
            .decision(self.payment_id, &payment, &ended)
            .map_err(refuse_codec)
    }
}

/// Adds the answer to a request to the append, and finds whose request it is.
async fn add_answer(
    log: &EventLog,
    append: Append,
    lead_id: LeadId,
    (ask_id, acting): (Uuid, Acting),
) -> Result<(Option<GrantedAsk>, Append), CommitError<ApiError>> {
    let lead = log.load::<Lead>(lead_id).await?;
    let asked = lead.state.desk().asks.get(&ask_id);
    let ask = asked.map(|asked| GrantedAsk { ask_id, by: asked.by });
    let answer = lead.state.decide(LeadCommand::Act(Box::new(acting)));
    let answer = answer.map_err(|error| CommitError::Rejected(refuse_ask(&error)))?;
    let append = append.decision(lead_id, &lead, &answer).map_err(refuse_codec)?;
    Ok((ask, append))
}

fn refuse_codec(error: CodecError) -> CommitError<ApiError> {
    CommitError::Log(error.into())
}

/// Finds the open request that a refund of this payment names, where it names one.
///
/// # Errors
/// 422 naming `ask_id` where it is not open, or is for another payment.
pub(super) async fn find_ask(
    log: &EventLog,
    (payment_id, payment): (PaymentId, &Payment),
    ask_id: Option<Uuid>,
) -> ApiResult<Option<GrantedAsk>> {
    let (Some(ask_id), Some(terms)) = (ask_id, &payment.terms) else {
        return Ok(None);
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    match lead.desk().asks.get(&ask_id) {
        Some(asked) if asked.payment_id == payment_id => Ok(Some(GrantedAsk { ask_id, by: asked.by })),
        Some(_) => Err(refuse_ask(&LeadRejection::RefundOfAnotherPayment)),
        None => Err(refuse_ask(&LeadRejection::NoRefundAsked)),
    }
}

fn refuse_ask(rejection: &LeadRejection) -> ApiError {
    let (code, says) = match rejection {
        LeadRejection::RefundOfAnotherPayment => (
            "refund_of_another_payment",
            say("refusal.refund_of_another_payment"),
        ),
        _ => ("no_refund_asked", say("refusal.no_refund_asked")),
    };
    ApiError::invalid_field("ask_id", code, says)
}
