use domain::id::PaymentId;
use serde_json::json;

use super::*;

/// Shapes that Stripe publishes, with the licence line of their source.
const FIXTURES: &str = include_str!("../../tests/stripe-fixtures.json");

/// A published object with some of its fields set as the case wants them.
fn stripes(name: &str, set: &Value) -> Value {
    let fixtures: Value = serde_json::from_str(FIXTURES).unwrap();
    let mut object = fixtures["resources"][name].clone();
    assert!(object.is_object(), "{name}");
    for (field, value) in set.as_object().unwrap() {
        object[field] = value.clone();
    }
    object
}

/// A published event about that object.
fn event(kind: &str, object: &Value) -> String {
    let fixtures: Value = serde_json::from_str(FIXTURES).unwrap();
    let mut event = fixtures["resources"]["event"].clone();
    event["type"] = json!(kind);
    event["data"] = json!({ "object": object });
    event.to_string()
}

fn ours() -> Value {
    json!({
        "payment_id": Uuid::from_u128(7), "lead_id": Uuid::from_u128(8), "subject": Uuid::from_u128(9),
        "refund_id": Uuid::from_u128(10),
    })
}

#[test]
fn a_success_names_its_payment_charge_and_amount() {
    let id = Uuid::from_u128(7);
    let body = format!(
        r#"{{"id":"evt_1","type":"payment_intent.succeeded","data":{{"object":{{"id":"pi_1","amount":25907,
        "amount_received":25907,"latest_charge":{{"id":"ch_1"}},"metadata":{{"payment_id":"{id}"}}}}}}}}"#
    );
    let notice = read(&body).unwrap().notice;
    assert_eq!(notice.payment_id, Some(PaymentId(id)));
    assert!(matches!(
        notice.fact,
        GatewayFact::Succeeded(Captured {
            amount_minor: 25_907,
            ..
        })
    ));
}

#[test]
fn what_is_not_known_is_kept_and_changes_nothing() {
    let known = |told: Result<Told, NoticeError>| {
        told.map(|told| (told.notice.payment_id, told.notice.fact))
            .unwrap()
    };
    let unknown = r#"{"id":"evt_2","type":"balance.available","data":{"object":{"id":"ba_1"}}}"#;
    assert_eq!(known(read(unknown)), (None, GatewayFact::Noted));
    // As Stripe's own example: a plan, whose fields mean other things there.
    let fixtures: Value = serde_json::from_str(FIXTURES).unwrap();
    let published = fixtures["resources"]["event"].to_string();
    assert_eq!(known(read(&published)), (None, GatewayFact::Noted));
    let odd = json!({ "amount": -5, "status": {}, "metadata": [], "reason": 3 });
    assert_eq!(
        known(read(&event("payout.paid", &odd))),
        (None, GatewayFact::Noted)
    );
    assert!(read("[]").is_err());
    assert!(read("{}").is_err());
}

#[test]
fn stripe_success_has_its_charge_as_a_string() {
    let set = json!({ "status": "succeeded", "amount_received": 1099, "latest_charge": "ch_1", "metadata": ours(),
        "last_payment_error": null, "next_action": null });
    let told = read(&event(
        "payment_intent.succeeded",
        &stripes("payment_intent", &set),
    ))
    .unwrap();
    assert_eq!(told.notice.payment_id, Some(PaymentId(Uuid::from_u128(7))));
    assert_eq!(told.notice.subject, UserId(Uuid::from_u128(9)));
    assert_eq!(
        told.notice.fact,
        GatewayFact::Succeeded(Captured {
            intent_id: told.notice.object_id.clone(),
            charge_id: "ch_1".to_owned(),
            amount_minor: 1_099,
            card: None,
        })
    );
    assert_eq!(told.lacks_owner(), None);
}

#[test]
fn stripe_charge_that_was_asked_for_names_its_card() {
    let charge = stripes("charge", &json!({ "id": "ch_1" }));
    let set = json!({ "latest_charge": charge, "amount_received": 100 });
    let told = read(&event(
        "payment_intent.succeeded",
        &stripes("payment_intent", &set),
    ))
    .unwrap();
    let GatewayFact::Succeeded(captured) = told.notice.fact else {
        panic!("no success");
    };
    let card = captured.card.unwrap();
    assert_eq!((card.brand.as_str(), card.last4.as_str()), ("visa", "4242"));
}

#[test]
fn stripe_decline_names_the_bank_s_code_and_its_attempt() {
    let declined = |error: Value| {
        let set = json!({ "last_payment_error": error, "metadata": ours() });
        let body = event("payment_intent.payment_failed", &stripes("payment_intent", &set));
        match read(&body).unwrap().notice.fact {
            GatewayFact::Declined { attempt_id, code } => (attempt_id, code),
            other => panic!("{other:?}"),
        }
    };
    let by_bank = json!({ "type": "card_error", "code": "card_declined", "decline_code": "insufficient_funds",
        "charge": "ch_2" });
    assert_eq!(
        declined(by_bank),
        ("ch_2".to_owned(), DeclineCode::InsufficientFunds)
    );
    let by_stripe = json!({ "type": "card_error", "code": "incorrect_number", "charge": "ch_3" });
    assert_eq!(
        declined(by_stripe),
        ("ch_3".to_owned(), DeclineCode::IncorrectNumber)
    );
    // After a failed 3-D Secure there is no charge.
    let unproved = json!({ "type": "invalid_request_error", "code": "payment_intent_authentication_failure",
        "payment_method": { "id": "pm_1", "object": "payment_method" } });
    assert_eq!(
        declined(unproved),
        (
            "pm_1:payment_intent_authentication_failure".to_owned(),
            DeclineCode::Other
        )
    );
}

#[test]
fn stripe_next_action_is_followed_where_it_is_an_address() {
    let asked = |action: Value| {
        let set = json!({ "status": "requires_action", "next_action": action });
        let body = event("payment_intent.requires_action", &stripes("payment_intent", &set));
        read(&body).unwrap().notice.fact
    };
    let redirect = json!({ "type": "redirect_to_url",
        "redirect_to_url": { "url": "https://hooks.stripe.com/3ds", "return_url": "https://rooms.example" } });
    assert!(
        matches!(asked(redirect), GatewayFact::ActionRequired { url, .. } if url == "https://hooks.stripe.com/3ds")
    );
    let by_script = json!({ "type": "use_stripe_sdk", "use_stripe_sdk": {} });
    assert_eq!(asked(by_script), GatewayFact::Noted);
}

#[test]
fn stripe_refund_is_ours_by_metadata_or_named_after_its_id() {
    let told = |kind: &str, set: &Value| read(&event(kind, &stripes("refund", set))).unwrap();
    let own = told(
        "refund.updated",
        &json!({ "metadata": ours(), "payment_intent": "pi_1" }),
    );
    assert!(matches!(
        own.notice.fact,
        GatewayFact::RefundAcknowledged { refund_id, amount_minor: 100, .. } if refund_id == RefundId(Uuid::from_u128(10))
    ));
    assert_eq!(own.lacks_owner(), None);
    // Given back in Stripe's dashboard.
    let foreign = told("refund.created", &json!({ "payment_intent": "pi_1" }));
    assert_eq!(foreign.lacks_owner(), Some("pi_1"));
    let again = told(
        "charge.refund.updated",
        &json!({ "payment_intent": { "id": "pi_1" } }),
    );
    assert_eq!(again.notice.fact, foreign.notice.fact);
    for status in ["failed", "canceled"] {
        let failed = told("refund.failed", &json!({ "status": status, "metadata": ours() }));
        assert!(matches!(failed.notice.fact, GatewayFact::RefundFailed { .. }));
    }
    let pending = told("refund.created", &json!({ "status": "pending" }));
    assert_eq!(pending.notice.fact, GatewayFact::Noted);
}

/// Two of the largest numbers overflowed, and one stopped every read model.
#[test]
fn absurd_dispute_fees_are_not_believed() {
    for fees in [vec![i64::MAX], vec![i64::MAX, i64::MAX], vec![10_000_001]] {
        let moved: Vec<_> = fees
            .iter()
            .map(|fee| json!({ "amount": -1000, "fee": fee, "currency": "usd" }))
            .collect();
        let set =
            json!({ "status": "needs_response", "payment_intent": "pi_1", "balance_transactions": moved });
        let told = read(&event("charge.dispute.created", &stripes("dispute", &set))).unwrap();
        assert!(matches!(
            told.notice.fact,
            GatewayFact::DisputeOpened { fee_minor: None, .. }
        ));
    }
}

/// Fifteen dollars are millions of the smallest units of some currencies.
#[test]
fn dispute_fees_are_believed_in_any_currency() {
    for (currency, fee, is_believed) in [
        ("vnd", 375_000, true),
        ("idr", 24_000_000, true),
        ("isk", 200_000, true),
        ("kwd", 4_500, true),
        ("gbp", 10_000_001, false),
        ("idr", i64::MAX, false),
    ] {
        let moved = json!([{ "amount": -1000, "fee": fee, "currency": currency }]);
        let set = json!({ "status": "needs_response", "currency": currency, "payment_intent": "pi_1",
            "balance_transactions": moved });
        let told = read(&event("charge.dispute.created", &stripes("dispute", &set))).unwrap();
        let GatewayFact::DisputeOpened { fee_minor, .. } = told.notice.fact else {
            panic!("no dispute");
        };
        assert_eq!(fee_minor.is_some(), is_believed, "{currency} {fee}");
    }
}

/// Where the provider counts otherwise, amount and fee are counted back; what is no whole number fits no payment.
#[test]
fn amounts_are_counted_back_and_parts_lose_their_currency() {
    let counted = |amount: u64, fee: u64| {
        let moved = json!([{ "amount": -1000, "fee": fee, "currency": "isk" }]);
        let set = json!({ "status": "needs_response", "amount": amount, "currency": "isk", "payment_intent": "pi_1",
            "balance_transactions": moved });
        let told = read(&event("charge.dispute.created", &stripes("dispute", &set))).unwrap();
        let told = told.counted(|currency, told| {
            assert_eq!(currency, "isk");
            (told % 100 == 0).then_some(told / 100)
        });
        let GatewayFact::DisputeOpened {
            amount_minor,
            fee_minor,
            ..
        } = told.notice.fact
        else {
            panic!("no dispute");
        };
        (amount_minor, fee_minor, told.currency)
    };
    assert_eq!(
        counted(500_000, 200_000),
        (5_000, Some(2_000), Some("isk".to_owned()))
    );
    assert_eq!(counted(500_000, 150), (5_000, None, Some("isk".to_owned())));
    assert_eq!(counted(500_050, 100), (500_050, Some(1), None));
}

#[test]
fn stripe_dispute_is_found_by_its_intent() {
    let told = |kind: &str, status: &str| {
        let moved = json!([{ "amount": -1000, "fee": 1500, "currency": "usd" }]);
        let set = json!({ "status": status, "payment_intent": "pi_1", "balance_transactions": moved });
        read(&event(kind, &stripes("dispute", &set))).unwrap()
    };
    assert_eq!(
        told("charge.dispute.created", "warning_needs_response")
            .notice
            .fact,
        GatewayFact::Noted
    );
    for kind in ["charge.dispute.created", "charge.dispute.funds_withdrawn"] {
        let opened = told(kind, "needs_response");
        assert_eq!(opened.lacks_owner(), Some("pi_1"));
        assert!(matches!(
            opened.notice.fact,
            GatewayFact::DisputeOpened {
                amount_minor: 1_000,
                fee_minor: Some(1_500),
                ..
            }
        ));
    }
    let owner = Owner {
        payment_id: PaymentId(Uuid::from_u128(7)),
        subject: UserId(Uuid::from_u128(9)),
    };
    let closed = told("charge.dispute.closed", "lost").owned(Some(owner));
    assert_eq!(
        (closed.notice.payment_id, closed.notice.subject),
        (Some(owner.payment_id), owner.subject)
    );
    assert!(matches!(
        closed.notice.fact,
        GatewayFact::DisputeClosed {
            outcome: DisputeOutcome::Lost,
            ..
        }
    ));
    let withdrawn = told("charge.dispute.closed", "warning_closed");
    assert_eq!(withdrawn.notice.fact, GatewayFact::Noted);
}

#[test]
fn stripe_charge_event_is_kept_and_changes_nothing() {
    let charge = stripes("charge", &json!({ "refunded": true, "payment_intent": "pi_1" }));
    let told = read(&event("charge.refunded", &charge)).unwrap();
    assert_eq!(told.notice.fact, GatewayFact::Noted);
    assert_eq!(
        (told.lacks_owner(), told.intent_id.as_deref()),
        (None, Some("pi_1"))
    );
}

/// Other programs on the same account write what they like there.
#[test]
fn metadata_of_others_is_no_error() {
    let set = json!({ "metadata": { "payment_id": "4711", "subject": "Ann", "order": "x" }, "latest_charge": "ch_1" });
    let told = read(&event(
        "payment_intent.succeeded",
        &stripes("payment_intent", &set),
    ))
    .unwrap();
    assert_eq!(told.notice.payment_id, None);
}

/// Its id names the stream that keeps it.
#[test]
fn event_without_an_id_is_none() {
    for id in ["", " "] {
        let body = json!({ "id": id, "type": "customer.created", "data": { "object": { "id": "cus_1" } } });
        assert!(read(&body.to_string()).is_err(), "{id:?}");
    }
}
