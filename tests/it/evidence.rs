//! What finance sends to a bank that disputes a payment.

use reqwest::StatusCode;

use crate::desk::Officer;
use crate::market::{Market, until};
use crate::receipts::{get, text_of};

const GOOD: &str = "4242424242424242";

/// A dispute's evidence names the event of each line, under Stripe's names and as a PDF, for finance alone.
#[tokio::test]
async fn dispute_evidence_names_the_event_of_each_line() {
    let market = Market::open(&[3], &[]).await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let payment = buyer.pay(&token, "4000000000000259").await;
    let reference = payment["reference"].as_str().unwrap();
    let id = until(|| async {
        let found = officer
            .events(&format!("&kind=dispute_opened&q={reference}"))
            .await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let path = format!("/api/v0/workspace/payments/{id}/evidence");
    let evidence = officer.get(&path).await["data"].clone();
    assert_eq!(evidence["disputes"][0]["outcome"], "open", "{evidence}");
    let lines = evidence["lines"].as_array().unwrap();
    for kind in [
        "LeadCreated",
        "PaymentOpened",
        "PaymentSucceeded",
        "DisputeOpened",
    ] {
        let line = lines.iter().find(|line| line["type"] == kind);
        let event = line.unwrap_or_else(|| panic!("{kind}: {evidence}"))["event_id"]
            .as_str()
            .unwrap();
        assert_eq!(event.len(), 36);
    }
    let fields = &evidence["evidence"];
    assert!(
        fields["access_activity_log"]
            .as_str()
            .unwrap()
            .contains("[event "),
        "{fields}"
    );
    assert_eq!(fields["service_date"], "2027-09-11");
    assert!(
        !evidence.to_string().contains(&buyer.email),
        "addresses stay masked"
    );
    let pdf = officer
        .client
        .get(market.server.url(&format!("{path}.pdf")))
        .send()
        .await
        .unwrap();
    assert_eq!(pdf.status(), StatusCode::OK);
    let text = text_of(&pdf.bytes().await.unwrap());
    for part in ["Evidence", reference, lines[0]["event_id"].as_str().unwrap()] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, _) = get(&market, &path).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

/// Without a dispute there is nothing to answer.
#[tokio::test]
async fn undisputed_payment_has_no_evidence() {
    let market = Market::open(&[1], &[]).await;
    let officer = Officer::arrives(&market).await;
    let paid = market.person(1, 0);
    let token = paid.begun().await;
    let undisputed = paid.pay(&token, GOOD).await["reference"]
        .as_str()
        .unwrap()
        .to_owned();
    let id = until(|| async {
        let found = officer.events(&format!("&kind=captured&q={undisputed}")).await;
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let url = market
        .server
        .url(&format!("/api/v0/workspace/payments/{id}/evidence"));
    let refused = officer.client.get(url).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::CONFLICT);
}
