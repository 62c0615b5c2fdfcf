use std::sync::atomic::{AtomicUsize, Ordering};

use domain::id::{LeadId, RefundId};
use domain::money::Money;
use tokio::sync::watch;
use uuid::Uuid;

use std::time::Duration;

use super::*;
use crate::charging::Challenge;

async fn sandbox() -> (Sandbox, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Folder(folder.path().to_owned());
    (Sandbox::open(&place, "test").await.unwrap(), folder)
}

fn request(amount_minor: u64) -> IntentRequest {
    IntentRequest {
        payment_id: PaymentId(Uuid::from_u128(1)),
        lead_id: LeadId(Uuid::from_u128(3)),
        subject: UserId(Uuid::from_u128(2)),
        amount: Money::new(amount_minor, Currency::Gbp),
        reference: "P-00000001".to_owned(),
    }
}

fn refund(intent_id: &str, n: u128, amount_minor: u64) -> RefundRequest {
    let IntentRequest {
        payment_id, subject, ..
    } = request(0);
    let (refund_id, intent_id) = (RefundId(Uuid::from_u128(n)), intent_id.to_owned());
    RefundRequest {
        payment_id,
        subject,
        refund_id,
        intent_id,
        amount_minor,
        currency: Some(Currency::Gbp),
    }
}

#[tokio::test]
async fn the_same_key_is_the_same_intent_and_another_body_is_refused() {
    let (sandbox, _folder) = sandbox().await;
    let first = sandbox.create_intent("key", &request(25_907)).await.unwrap();
    let again = sandbox.create_intent("key", &request(25_907)).await.unwrap();
    assert_eq!(first, again);
    let other = sandbox.create_intent("key", &request(1)).await;
    assert_eq!(other, Err(GatewayError::KeyReused));
    assert_eq!(sandbox.memory.intents(10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_provider_outlives_a_restart() {
    let (sandbox, folder) = sandbox().await;
    let intent = sandbox.create_intent("key", &request(25_907)).await.unwrap();
    sandbox
        .confirm(&intent.id, "4242424242424242", "/", 0)
        .await
        .unwrap();
    let again = Sandbox::open(&Place::Folder(folder.path().to_owned()), "test")
        .await
        .unwrap();
    assert_eq!(
        again.intent(&intent.id).await.unwrap().status,
        IntentStatus::Succeeded
    );
    assert_eq!(again.webhook_secret(), sandbox.webhook_secret());
}

/// A declined card can be followed by a good one on the same intent.
#[tokio::test]
async fn sandbox_intent_takes_a_good_card_after_a_declined_one() {
    let (sandbox, _folder) = sandbox().await;
    let intent = sandbox.create_intent("key", &request(25_907)).await.unwrap();
    let declined = sandbox
        .confirm(&intent.id, "4000000000009995", "/", 0)
        .await
        .unwrap();
    assert_eq!(declined.declined.unwrap().1, "insufficient_funds");
    let paid = sandbox
        .confirm(&intent.id, "4242424242424242", "/", 1)
        .await
        .unwrap();
    assert_eq!(paid.captured.unwrap().amount_minor, 25_907);
    let twice = sandbox
        .confirm(&intent.id, "4242424242424242", "/", 0)
        .await
        .unwrap();
    assert_eq!(sandbox.memory.intents(1).await.unwrap()[0].attempts, 2);
    assert_eq!(twice.status, IntentStatus::Succeeded);
}

#[tokio::test]
async fn a_challenge_is_passed_or_failed_once() {
    let (sandbox, _folder) = sandbox().await;
    let intent = sandbox.create_intent("key", &request(25_907)).await.unwrap();
    let asked = sandbox
        .confirm(&intent.id, "4000002500003155", "/back", 0)
        .await
        .unwrap();
    assert!(asked.action_url.is_some());
    let (failed, back) = sandbox
        .answer_challenge(&intent.id, Challenge::Fail)
        .await
        .unwrap();
    assert_eq!(
        (failed.status, back.as_deref()),
        (IntentStatus::RequiresPaymentMethod, Some("/back"))
    );
    let (late, _) = sandbox
        .answer_challenge(&intent.id, Challenge::Pass)
        .await
        .unwrap();
    assert_eq!(late.captured, None);
}

#[tokio::test]
async fn refunds_together_never_exceed_the_charge() {
    let (sandbox, _folder) = sandbox().await;
    let intent = sandbox.create_intent("key", &request(10_000)).await.unwrap();
    assert!(sandbox.refund("early", &refund(&intent.id, 9, 1)).await.is_err());
    sandbox
        .confirm(&intent.id, "4242424242424242", "/", 0)
        .await
        .unwrap();
    let part = refund(&intent.id, 1, 6_000);
    let first = sandbox.refund("r1", &part).await.unwrap();
    assert_eq!(sandbox.refund("r1", &part).await.unwrap().id, first.id);
    let too_much = sandbox.refund("r2", &refund(&intent.id, 2, 4_001)).await;
    assert!(matches!(too_much, Err(GatewayError::Refused(_))));
    sandbox.refund("r3", &refund(&intent.id, 3, 4_000)).await.unwrap();
}

/// A paid intent cannot be cancelled and an outage answers nothing.
#[tokio::test]
async fn sandbox_refuses_cancelling_a_paid_intent_and_fails_in_outage() {
    let (sandbox, _folder) = sandbox().await;
    let intent = sandbox.create_intent("key", &request(10_000)).await.unwrap();
    sandbox
        .confirm(&intent.id, "4242424242424242", "/", 0)
        .await
        .unwrap();
    assert!(matches!(
        sandbox.cancel_intent("c", &intent.id).await,
        Err(GatewayError::Refused(_))
    ));
    sandbox
        .set_plan(&FaultPlan {
            outage: true,
            ..FaultPlan::default()
        })
        .await
        .unwrap();
    assert_eq!(sandbox.intent(&intent.id).await, Err(GatewayError::Unreachable));
}

/// A notice is delivered until it is answered and a dropped one never.
#[tokio::test]
async fn sandbox_repeats_a_notice_until_answered_and_drops_on_request() {
    let (sandbox, _folder) = sandbox().await;
    let tries = Arc::new(AtomicUsize::new(0));
    let heard = tries.clone();
    let secret = sandbox.webhook_secret().to_owned();
    let receiver: gateway::Receiver = Box::new(move |header, body| {
        let signed = gateway::signature::verify(&[&secret], platform::clock::now(), &header, body.as_bytes());
        assert_eq!(signed, Ok(()));
        let first = heard.fetch_add(1, Ordering::SeqCst) == 0;
        Box::pin(async move { !first })
    });
    sandbox.create_intent("key", &request(10_000)).await.unwrap();
    sandbox
        .set_plan(&FaultPlan {
            drop_percent: 100,
            ..FaultPlan::default()
        })
        .await
        .unwrap();
    sandbox.create_intent("other", &request(10_000)).await.unwrap();
    let stop = watch::Sender::new(false);
    let leave = watch::Sender::new(false);
    let keeping = sandbox.duty().keep(leave.subscribe());
    let courier = tokio::spawn(sandbox.clone().deliver(receiver, stop.subscribe()));
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while sandbox
        .memory
        .notices(10)
        .await
        .unwrap()
        .iter()
        .any(|notice| notice.remaining > 0)
    {
        assert!(
            tokio::time::Instant::now() < deadline,
            "the notice was never answered"
        );
        tokio::task::yield_now().await;
    }
    stop.send_replace(true);
    courier.await.unwrap();
    leave.send_replace(true);
    keeping.await.unwrap();
    assert_eq!(tries.load(Ordering::SeqCst), 2);
    let dropped = sandbox.memory.notices(10).await.unwrap();
    assert_eq!(
        dropped
            .iter()
            .filter(|notice| notice.dropped.is_set() && notice.delivered == 0)
            .count(),
        1
    );
}

/// Each notice tells all that the reader asks for: a payment of ours, and with each amount the currency of the intent.
#[tokio::test]
async fn notices_name_their_payment_and_their_currency() {
    let (sandbox, _folder) = sandbox().await;
    for (n, card) in [
        "4242424242424242",
        "4242424242424242",
        "4000000000009995",
        "4000002500003155",
        "4000000000000259",
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("intent {n}");
        let intent = sandbox.create_intent(&key, &request(10_000)).await.unwrap();
        sandbox.confirm(&intent.id, card, "/", 0).await.unwrap();
        for (part, refunds_fail) in [(1, false), (2, true)] {
            let plan = FaultPlan {
                refunds_fail,
                refund_after_ms: 0,
                ..FaultPlan::default()
            };
            sandbox.set_plan(&plan).await.unwrap();
            let key = format!("refund {n} {part}");
            // A card that was declined, or a disputed charge, gives nothing back.
            let _refused = sandbox.refund(&key, &refund(&intent.id, part, 1_000)).await;
            sandbox.settle(platform::clock::now()).await.unwrap();
        }
        let outcome = if n == 0 {
            DisputeStatus::Won
        } else {
            DisputeStatus::Lost
        };
        for status in [DisputeStatus::NeedsResponse, outcome] {
            let _refused = sandbox.dispute(&intent.id, status).await;
        }
    }
    let mut kinds = std::collections::HashSet::new();
    for notice in sandbox.memory.notices(1_000).await.unwrap() {
        let told = gateway::notice::read(&notice.body).unwrap();
        kinds.insert(std::mem::discriminant(&told.notice.fact));
        assert_eq!(
            told.notice.payment_id,
            Some(request(0).payment_id),
            "{}",
            notice.body
        );
        assert_eq!(told.notice.subject, request(0).subject, "{}", notice.body);
        assert!(told.intent_id.is_some(), "{}", notice.body);
        assert_eq!(told.currency.as_deref(), Some("gbp"), "{}", notice.body);
        let object = serde_json::from_str::<serde_json::Value>(&notice.body).unwrap();
        assert!(object["data"]["object"]["amount"].is_u64(), "{}", notice.body);
    }
    // Success, decline, challenge, refund, failed refund, dispute, its end, and what says nothing.
    assert_eq!(kinds.len(), 8);
}

/// Evidence about a forgotten person is gone from what is kept, answered and told; that it was sent stays.
#[tokio::test]
async fn evidence_about_a_forgotten_person_is_deleted() {
    let (sandbox, _folder) = sandbox().await;
    let intent = sandbox.create_intent("key", &request(25_907)).await.unwrap();
    sandbox
        .confirm(&intent.id, "4242424242424242", "/", 0)
        .await
        .unwrap();
    let disputed = sandbox.dispute(&intent.id, DisputeStatus::NeedsResponse).await;
    let dispute = disputed.unwrap().charge.unwrap().dispute.unwrap();
    let laid = EvidenceRequest {
        dispute_id: dispute.id,
        intent_id: intent.id,
        fields: gateway::evidence::StripeEvidence {
            customer_name: Some("Zoe Quokka".to_owned()),
            ..Default::default()
        },
        pdf: vec![],
        digest: String::new(),
        submit: true,
    };
    sandbox.lay_evidence("laid", &laid).await.unwrap();
    let is_named = async || {
        let notices = sandbox.memory.notices(100).await.unwrap();
        let kept = serde_json::to_string(&sandbox.memory.intents(10).await.unwrap()).unwrap();
        kept.contains("Quokka") || notices.iter().any(|notice| notice.body.contains("Quokka"))
    };
    sandbox.forget(UserId(Uuid::from_u128(9))).await.unwrap();
    assert!(is_named().await, "another person was forgotten");
    sandbox.forget(request(0).subject).await.unwrap();
    assert!(!is_named().await);
    let again = sandbox.lay_evidence("laid", &laid).await.unwrap();
    assert_eq!(again.submissions, 1);
    assert!(!is_named().await);
}
