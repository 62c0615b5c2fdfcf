//! The rules of a payment: which command is allowed in which step (X8), and what then happened.

use crate::id::{HoldId, RefundId, UserId};
use crate::moment::Moment;
use crate::money::Money;
use crate::payment::decline::{DeclineCode, read_cancelled};
use crate::payment::dispute;
use crate::payment::event::{Captured, GrantedAsk, PaymentEvent as E, RefundReason, Secret, SoldOutReason};
use crate::payment::refund;
use crate::payment::terms::Terms;
use crate::payment::{
    HeldRoom, Intent, Payment, PaymentCommand as C, PaymentRejection, PaymentStatus as S, RoomOutcome,
};
use crate::sealed::Sealed;

type Decision = Result<Vec<E>, PaymentRejection>;

pub(super) fn decide(payment: &Payment, command: C) -> Decision {
    let Some(terms) = &payment.terms else {
        return open(command);
    };
    match command {
        // Two tabs that open the same payment get the one that is there (E8).
        C::Open { .. } | C::OpenLink { .. } => Ok(vec![]),
        C::Begin {
            at,
            capacity,
            proved_by,
            device,
        } => begin(payment, terms, at).map(|()| {
            vec![E::PaymentBegun {
                at,
                capacity,
                proved_by,
                subject: device.map(|_| terms.seal()),
                device,
            }]
        }),
        C::Retry {
            at,
            capacity,
            proved_by,
        } => retry(payment, terms, at).map(|()| {
            vec![E::PaymentRetried {
                at,
                capacity,
                proved_by,
            }]
        }),
        C::Confirm { at } => confirm(payment, at),
        C::NotePress { at } => Ok(note_press(payment, terms.seal(), at)),
        C::Cancel { .. } if terms.link.is_some() => Err(PaymentRejection::NotYours),
        C::Withdraw { .. } if terms.link.is_none() => Err(PaymentRejection::NoLink),
        C::Cancel { at } | C::Withdraw { at } => cancel(payment, at),
        C::NoteHold { hold_id, expires_at } => Ok(note_hold(payment, hold_id, expires_at)),
        C::ReadyIntent {
            intent_id,
            client_secret,
        } => ready_intent(payment, terms.seal(), intent_id, client_secret),
        C::FailIntent { reason } => fail_intent(payment, reason),
        C::SellOut { hold_id, reason } => Ok(sell_out(payment, hold_id, reason)),
        C::RequireAction { intent_id, url } => Ok(require_action(payment, &intent_id, url)),
        C::Succeed {
            capture,
            room,
            refund_id,
            at,
        } => Ok(succeed(payment, terms.seal(), capture, room, (refund_id, at))),
        C::Decline { attempt_id, code, at } => Ok(decline(payment, terms.seal(), (attempt_id, code), at)),
        C::Delay => Ok(when(payment.status == S::Processing, E::PaymentDelayed {})),
        C::Refund(command) => refund::decide(payment, terms, command),
        C::Dispute(command) => dispute::decide(payment, command),
        C::CancelBooking { note, by, ask, at } => cancel_booking(payment, terms, note, (by, ask, at)),
        C::NoteRoomBack { vacated, at } => Ok(when(
            !payment.room_given_back,
            E::PaymentRoomGivenBack { vacated, at },
        )),
        C::NoteRefundTold { .. } | C::NoteMessage { .. } | C::NoteRefusal { .. } => {
            Ok(told(payment, &command))
        }
    }
}

/// The first events of a payment.
fn open(command: C) -> Decision {
    let opened = |terms, token| E::PaymentOpened {
        terms,
        token: Sealed::new(Secret(token)),
    };
    match command {
        C::Open { terms, token } => Ok(vec![opened(terms, token)]),
        C::OpenLink {
            terms,
            token,
            words,
            at,
        } => {
            let made = E::PaymentLinkMade {
                subject: terms.seal(),
                at,
                words: Sealed::new(words),
            };
            Ok(vec![opened(terms, token), made])
        }
        _ => Err(PaymentRejection::Unknown),
    }
}

/// What became of a message, once.
fn told(payment: &Payment, command: &C) -> Vec<E> {
    let refund_untold = |refund_id| payment.refunds.get(&refund_id).is_some_and(|refund| !refund.told);
    match *command {
        C::NoteRefundTold { refund_id } => when(refund_untold(refund_id), E::RefundMessageSent { refund_id }),
        C::NoteMessage { kind } => when(!payment.messages.contains(&kind), E::PaymentMessageSent { kind }),
        C::NoteRefusal {
            kind,
            refund_id,
            code,
        } => when(
            refund_id.map_or_else(|| !payment.messages.contains(&kind), refund_untold),
            E::PaymentMessageRefused {
                kind,
                refund_id,
                code,
            },
        ),
        _ => vec![],
    }
}

pub(super) fn when(news: bool, event: E) -> Vec<E> {
    if news { vec![event] } else { vec![] }
}

/// Records an attempt that was turned down, along X8's steps. In the gateway's own form Pay is pressed unseen: a decline is then the
/// first word of the press, and both are recorded at once, also where its notice comes after another try was begun. The form takes the
/// next card before this server has heard of the one before: its decline finds the payment failed already, and replaces the reason.
fn decline(
    payment: &Payment,
    subject: UserId,
    (attempt_id, code): (String, DeclineCode),
    at: Moment,
) -> Vec<E> {
    if payment.declined_attempts.contains(&attempt_id)
        || read_cancelled(&attempt_id).is_some_and(|intent_id| !is_open_intent(payment, intent_id))
    {
        return vec![];
    }
    let declined = E::PaymentDeclined { attempt_id, code };
    let is_open = payment.cancelled_at.is_none();
    match payment.status {
        S::Processing | S::Pending => vec![declined],
        S::Failed if is_open => vec![declined],
        S::Initiated | S::InitLoading | S::InitFailure if is_open => {
            let pressed = unseen_press(payment, subject, at);
            pressed.map_or_else(Vec::new, |steps| steps.into_iter().chain([declined]).collect())
        }
        S::Initiated | S::Failed | S::Init | S::InitLoading | S::InitFailure | S::SoldOut | S::Success => {
            vec![]
        }
    }
}

/// Whether an intent is the one that a card is asked for with, or is charged: one that another try has replaced, or is being replaced by,
/// ends nothing.
fn is_open_intent(payment: &Payment, intent_id: &str) -> bool {
    let is_replaced = matches!(payment.status, S::InitLoading | S::InitFailure);
    let known = payment.intent.as_ref();
    !is_replaced && known.is_some_and(|intent| intent.id == intent_id)
}

/// Records a press in the gateway's own form, where its card was asked for.
fn note_press(payment: &Payment, subject: UserId, at: Moment) -> Vec<E> {
    let is_asked = matches!(payment.status, S::Initiated | S::Failed);
    if !is_asked || payment.cancelled_at.is_some() {
        return vec![];
    }
    unseen_press(payment, subject, at).unwrap_or_default()
}

/// Walks X8's steps up to a press that only the gateway saw. It was made with the intent that is there: nothing is asked of the catalogue
/// for it, and its hold goes on. `None` without an intent, with which no card can have been tried.
fn unseen_press(payment: &Payment, subject: UserId, at: Moment) -> Option<Vec<E>> {
    let retried = E::PaymentRetried {
        at,
        capacity: 0,
        proved_by: None,
    };
    let ready = |intent: &Intent| E::IntentReady {
        subject,
        intent_id: intent.id.clone(),
        client_secret: Sealed(intent.client_secret.clone().map(Secret)),
    };
    let confirmed = E::PaymentConfirmed { at };
    match (payment.status, &payment.intent) {
        (S::Initiated, _) => Some(vec![confirmed]),
        (S::InitLoading, Some(intent)) => Some(vec![ready(intent), confirmed]),
        (S::InitFailure | S::Failed, Some(intent)) => Some(vec![retried, ready(intent), confirmed]),
        _ => None,
    }
}

/// Whether the link may still start something.
fn still_open(payment: &Payment, terms: &Terms, at: Moment) -> Result<(), PaymentRejection> {
    let is_link = terms.link.is_some();
    match (payment.cancelled_at, at >= terms.expires_at) {
        (Some(_), true | false) if is_link => Err(PaymentRejection::Withdrawn),
        (Some(_), true | false) => Err(PaymentRejection::Cancelled),
        (None, true) if is_link => Err(PaymentRejection::LinkExpired),
        (None, true) => Err(PaymentRejection::Expired),
        (None, false) => Ok(()),
    }
}

fn refuse(payment: &Payment, asked: &'static str) -> Decision {
    Err(not_allowed(payment, asked))
}

const fn not_allowed(payment: &Payment, asked: &'static str) -> PaymentRejection {
    PaymentRejection::NotAllowed {
        status: payment.status,
        asked,
    }
}

fn begin(payment: &Payment, terms: &Terms, at: Moment) -> Result<(), PaymentRejection> {
    if payment.status != S::Init {
        return Err(not_allowed(payment, "begin"));
    }
    still_open(payment, terms, at)
}

fn retry(payment: &Payment, terms: &Terms, at: Moment) -> Result<(), PaymentRejection> {
    if !matches!(payment.status, S::InitFailure | S::Failed) {
        return Err(not_allowed(payment, "be tried again"));
    }
    still_open(payment, terms, at)
}

/// An expired link still lets a payer finish what they began: the hold is what runs out.
fn confirm(payment: &Payment, at: Moment) -> Decision {
    if payment.cancelled_at.is_some() {
        let is_link = payment.terms.as_ref().is_some_and(|terms| terms.link.is_some());
        return Err(if is_link {
            PaymentRejection::Withdrawn
        } else {
            PaymentRejection::Cancelled
        });
    }
    if payment.status != S::Initiated {
        return refuse(payment, "be confirmed");
    }
    Ok(vec![E::PaymentConfirmed { at }])
}

fn cancel(payment: &Payment, at: Moment) -> Decision {
    if !matches!(
        payment.status,
        S::Init | S::InitFailure | S::Initiated | S::Failed
    ) {
        return refuse(payment, "be cancelled");
    }
    Ok(when(payment.cancelled_at.is_none(), E::PaymentCancelled { at }))
}

/// What a refund cannot cancel any more, because nothing is left to give back (decision 0024).
fn cancel_booking(
    payment: &Payment,
    terms: &Terms,
    note: String,
    (by, ask, at): (UserId, Option<GrantedAsk>, Moment),
) -> Decision {
    // A link pays for a booking that another payment made.
    if payment.status != S::Success || payment.room_given_back || terms.link.is_some() {
        return Err(PaymentRejection::NoBooking);
    }
    if payment.refundable_minor() > 0 {
        let refundable = Money::new(payment.refundable_minor(), terms.quote.currency);
        return Err(PaymentRejection::MoneyLeft { refundable });
    }
    // The bank holds the money: it comes back here when the dispute is won.
    if payment.has_open_dispute() {
        return Err(PaymentRejection::DisputeOpen);
    }
    Ok(when(
        !payment.booking_cancelled,
        E::PaymentBookingCancelled {
            subject: terms.seal(),
            by,
            ask,
            at,
            note: Sealed::new(Secret(note)),
        },
    ))
}

fn note_hold(payment: &Payment, hold_id: HoldId, expires_at: Option<Moment>) -> Vec<E> {
    let over = matches!(payment.status, S::SoldOut | S::Success) || payment.cancelled_at.is_some();
    let known = payment.hold == Some(HeldRoom { hold_id, expires_at });
    when(!over && !known, E::PaymentHoldNoted { hold_id, expires_at })
}

fn ready_intent(payment: &Payment, subject: UserId, intent_id: String, client_secret: String) -> Decision {
    let known = payment
        .intent
        .as_ref()
        .is_some_and(|intent| intent.id == intent_id);
    if payment.status == S::InitLoading {
        let client_secret = Sealed::new(Secret(client_secret));
        return Ok(vec![E::IntentReady {
            subject,
            intent_id,
            client_secret,
        }]);
    }
    if known {
        Ok(vec![])
    } else {
        refuse(payment, "take an intent")
    }
}

fn fail_intent(payment: &Payment, reason: String) -> Decision {
    match payment.status {
        S::InitLoading => Ok(vec![E::IntentFailed { reason }]),
        S::InitFailure => Ok(vec![]),
        S::Init | S::SoldOut | S::Initiated | S::Processing | S::Success | S::Failed | S::Pending => {
            refuse(payment, "lose its intent")
        }
    }
}

fn sell_out(payment: &Payment, hold_id: Option<HoldId>, reason: SoldOutReason) -> Vec<E> {
    let concerns_it = hold_id.is_none_or(|lost| payment.hold.is_some_and(|held| held.hold_id == lost));
    let in_need = matches!(payment.status, S::InitLoading | S::Initiated | S::Processing);
    when(concerns_it && in_need, E::PaymentSoldOut { reason })
}

fn require_action(payment: &Payment, intent_id: &str, url: String) -> Vec<E> {
    let own = payment
        .intent
        .as_ref()
        .is_some_and(|intent| intent.id == intent_id);
    let news = payment.next_action.as_deref() != Some(url.as_str());
    when(
        own && news && payment.status == S::Processing,
        E::PaymentActionRequired { url },
    )
}

/// X8: a success is heard in every step; without a room, or when it is the second, its money goes straight back.
fn succeed(
    payment: &Payment,
    subject: UserId,
    capture: Captured,
    room: RoomOutcome,
    (refund_id, at): (RefundId, Moment),
) -> Vec<E> {
    if payment.captures.contains_key(&capture.charge_id) {
        return vec![];
    }
    let refund = |reason| refund::automatic(payment, subject, &capture, reason, (refund_id, at));
    match (payment.status, room) {
        (S::Success, RoomOutcome::Sold | RoomOutcome::Lost | RoomOutcome::OtherRoomBooked) => {
            let refund = refund(RefundReason::PaidTwice);
            [E::PaymentCapturedAgain { capture, at }]
                .into_iter()
                .chain(refund)
                .collect()
        }
        (S::SoldOut, RoomOutcome::Sold) | (_, RoomOutcome::Lost) => {
            let refund = refund(RefundReason::SoldOut);
            [E::PaymentCapturedWithoutRoom { capture, at }]
                .into_iter()
                .chain(refund)
                .collect()
        }
        (status, RoomOutcome::OtherRoomBooked) => {
            let reason = SoldOutReason::OtherRoomBooked;
            let refund = refund(RefundReason::OtherRoomBooked);
            when(status != S::SoldOut, E::PaymentSoldOut { reason })
                .into_iter()
                .chain([E::PaymentCapturedWithoutRoom { capture, at }])
                .chain(refund)
                .collect()
        }
        (_, RoomOutcome::Sold) => vec![E::PaymentSucceeded { capture, at }],
    }
}
