//! Whether a planned message, refund or answer to a bank is still wanted when its turn comes.

use super::messages::{id, noon, payment_id, standing, taken};
use super::*;
use crate::payment::evidence::EvidenceStep;
use crate::payment::refund::RefundStatus;
use crate::sealed::Sealed;

fn refund_id() -> RefundId {
    RefundId(id(9))
}

fn asked_back() -> PaymentEvent {
    PaymentEvent::RefundRequested {
        refund_id: refund_id(),
        subject: UserId(id(2)),
        amount_minor: 5_000,
        reason: crate::payment::RefundReason::SoldOut,
        by: crate::payment::RequestedBy::Rule,
        booking: None,
        ask: None,
        at: noon(),
        note: Sealed::default(),
    }
}

fn acknowledged() -> PaymentEvent {
    PaymentEvent::RefundAcknowledged {
        refund_id: refund_id(),
        gateway_refund_id: "re_1".to_owned(),
        amount_minor: 5_000,
        at: noon(),
    }
}

fn returned() -> PaymentEvent {
    PaymentEvent::RefundFailed {
        refund_id: refund_id(),
        amount_minor: 5_000,
        reason: "account_closed".to_owned(),
        at: noon(),
    }
}

/// A refund goes to the gateway once, is announced when it is back, and taken back where it came home.
#[test]
fn each_word_of_a_refund_is_wanted_in_its_own_step_only() {
    let (payment_id, refund_id) = (payment_id(), refund_id());
    let wanted = |events: &[PaymentEvent]| {
        let payment = standing(events);
        [
            Effect::SendRefund {
                payment_id,
                refund_id,
            },
            Effect::SendRefundMessage {
                payment_id,
                refund_id,
            },
            Effect::SendRefundReturned {
                payment_id,
                refund_id,
            },
        ]
        .map(|effect| still_wanted(&effect, &payment))
    };
    let told = PaymentEvent::RefundMessageSent { refund_id };
    assert_eq!(wanted(&[taken()]), [false; 3]);
    assert_eq!(wanted(&[taken(), asked_back()]), [true, false, false]);
    assert_eq!(
        wanted(&[taken(), asked_back(), acknowledged()]),
        [false, true, false]
    );
    assert_eq!(wanted(&[taken(), asked_back(), acknowledged(), told]), [false; 3]);
    assert_eq!(wanted(&[taken(), asked_back(), returned()]), [false, false, true]);
    assert_eq!(
        standing(&[taken(), asked_back()]).refunds[&refund_id].status,
        RefundStatus::Requested
    );
}

#[test]
fn an_intent_is_made_while_it_is_asked_for_and_cancelled_unpaid() {
    let payment_id = payment_id();
    let begun = PaymentEvent::PaymentBegun {
        at: noon(),
        capacity: 1,
        proved_by: None,
        subject: None,
        device: None,
    };
    let ready = PaymentEvent::IntentReady {
        subject: UserId(id(2)),
        intent_id: "pi_1".to_owned(),
        client_secret: Sealed::default(),
    };
    let wanted = |events: &[PaymentEvent]| {
        let payment = standing(events);
        [
            Effect::EnsureIntent { payment_id },
            Effect::CancelIntent { payment_id },
        ]
        .map(|effect| still_wanted(&effect, &payment))
    };
    assert_eq!(wanted(&[]), [false, false]);
    assert_eq!(wanted(std::slice::from_ref(&begun)), [true, false]);
    assert_eq!(wanted(&[begun.clone(), ready.clone()]), [false, true]);
    assert_eq!(wanted(&[begun, ready, taken()]), [false, false]);
}

/// A link that cannot be paid any more is not announced, and one that was never announced is not taken back.
#[test]
fn a_payer_gets_each_message_once() {
    let payment_id = payment_id();
    let sent = |kind| PaymentEvent::PaymentMessageSent { kind };
    let wanted = |kind, events: &[PaymentEvent]| {
        still_wanted(&Effect::SendMessage { payment_id, kind }, &standing(events))
    };
    let cancelled = || PaymentEvent::PaymentCancelled { at: noon() };
    let (link, withdrawn) = (MessageKind::PaymentLink, MessageKind::LinkWithdrawn);
    assert!(wanted(MessageKind::Receipt, &[]));
    assert!(!wanted(MessageKind::Receipt, &[sent(MessageKind::Receipt)]));
    assert!(wanted(link, &[]));
    assert!(!wanted(link, &[sent(link)]));
    assert!(!wanted(link, &[cancelled()]));
    assert!(!wanted(withdrawn, &[cancelled()]));
    assert!(wanted(withdrawn, &[sent(link), cancelled()]));
    assert!(!wanted(withdrawn, &[sent(link), cancelled(), sent(withdrawn)]));
}

/// Finance is told of a dispute as it stands; the evidence is laid once and goes to the bank when finance has sent it.
#[test]
fn a_dispute_is_told_and_answered_as_it_stands() {
    let payment_id = payment_id();
    let dispute_id = "dp_1".to_owned();
    let opened = PaymentEvent::DisputeOpened {
        dispute_id: dispute_id.clone(),
        amount_minor: 25_907,
        fee_minor: None,
        reason: "fraudulent".to_owned(),
    };
    let closed = PaymentEvent::DisputeClosed {
        dispute_id: dispute_id.clone(),
        outcome: DisputeOutcome::Lost,
        fee_minor: None,
        at: noon(),
    };
    let noted = |step| PaymentEvent::DisputeEvidenceNoted {
        dispute_id: dispute_id.clone(),
        step,
        at: noon(),
    };
    let laid = noted(EvidenceStep::Laid {
        due_by: None,
        digest: "d".repeat(64),
    });
    let asked = noted(EvidenceStep::Asked {
        by: UserId(id(7)),
        struck: vec![],
        last_seen: None,
    });
    let wanted = |events: &[PaymentEvent]| {
        let payment = standing(events);
        let alert = |outcome| Effect::SendDisputeAlert {
            payment_id,
            dispute_id: dispute_id.clone(),
            outcome,
        };
        let evidence = |submit| Effect::LayEvidence {
            payment_id,
            dispute_id: dispute_id.clone(),
            submit,
        };
        [
            alert(None),
            alert(Some(DisputeOutcome::Lost)),
            evidence(false),
            evidence(true),
        ]
        .map(|effect| still_wanted(&effect, &payment))
    };
    assert_eq!(wanted(&[taken()]), [false; 4]);
    assert_eq!(wanted(&[taken(), opened.clone()]), [true, false, true, false]);
    assert_eq!(
        wanted(&[taken(), opened.clone(), laid.clone()]),
        [true, false, false, false]
    );
    assert_eq!(
        wanted(&[taken(), opened.clone(), laid.clone(), asked.clone()]),
        [true, false, false, true]
    );
    assert_eq!(
        wanted(&[taken(), opened, laid, asked, closed]),
        [false, true, false, false]
    );
}
