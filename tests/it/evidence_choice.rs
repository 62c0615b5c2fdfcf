//! Finance chooses the lines of one dispute among those that it saw, and reads the same choice as a PDF before it is sent.

use reqwest::StatusCode;
use serde_json::{Value, json};
use stripe_standin::Standin;

use crate::desk::Officer;
use crate::evidence::{disputed_id, last_line};
use crate::market::{Market, until};
use crate::payment_links::rent;
use crate::receipts::text_of;
use crate::stripe;

/// A payment on Stripe that its bank may dispute more than once.
struct Disputable {
    standin: Standin,
    market: Market,
    officer: Officer,
    intent: String,
    path: String,
}

impl Disputable {
    async fn open() -> Self {
        let standin = Standin::open().await.unwrap();
        let market = stripe::market(&standin).await;
        let officer = Officer::arrives(&market).await;
        let buyer = market.person(1, 0);
        let (_, payment) = stripe::paid_and_told(&standin, &buyer).await;
        let intent = standin.intents()[0]["id"].as_str().unwrap().to_owned();
        standin.dispute(&intent, "needs_response");
        let id = disputed_id(&officer, payment["reference"].as_str().unwrap()).await;
        let path = format!("/api/v0/workspace/payments/{id}/evidence");
        Self {
            standin,
            market,
            officer,
            intent,
            path,
        }
    }

    /// The dispute that is as wished, once there is one.
    async fn find(&self, wished: impl Fn(&Value) -> bool) -> Value {
        until(|| async {
            let evidence = self.officer.get(&self.path).await["data"].clone();
            let disputes = evidence["disputes"].as_array().unwrap().clone();
            disputes.into_iter().find(|dispute| wished(dispute))
        })
        .await
    }

    async fn send(&self, dispute: &Value, struck: Value) -> (StatusCode, Value) {
        let body = json!({ "dispute_id": dispute["id"], "struck": struck, "last_seen": last_line(dispute) });
        self.officer.post(&format!("{}/send", self.path), body).await
    }

    /// The PDF of these parameters, as text.
    async fn read_paper(&self, asked: &str) -> String {
        let url = self.market.server.url(&format!("{}.pdf?{asked}", self.path));
        let pdf = self.officer.client.get(url).send().await.unwrap();
        assert_eq!(pdf.status(), StatusCode::OK, "{asked}");
        text_of(&pdf.bytes().await.unwrap())
    }

    /// Adds a line to the history, and waits until finance would read it.
    async fn add_line(&self) {
        let captured = self.officer.events("&kind=captured").await;
        let lead = captured["result"][0]["lead_id"].as_str().unwrap().to_owned();
        let (status, answer) = self
            .officer
            .post("/api/v0/workspace/payment_links", rent(&lead))
            .await;
        assert!(status.is_success(), "{answer}");
        self.find(|dispute| lists(dispute, "PaymentLinkMade")).await;
    }
}

fn lists(dispute: &Value, kind: &str) -> bool {
    let mut lines = dispute["lines"].as_array().unwrap().iter();
    lines.any(|line| line["type"] == kind)
}

fn event_of(dispute: &Value, kind: &str) -> String {
    let mut lines = dispute["lines"].as_array().unwrap().iter();
    let line = lines.find(|line| line["type"] == kind).unwrap();
    line["event_id"].as_str().unwrap().to_owned()
}

/// A line that comes between the look and Send stays in the house, and the answer counts it; the PDF shows the same choice before.
#[tokio::test(flavor = "multi_thread")]
async fn line_that_came_after_the_look_is_not_sent() {
    let disputed = Disputable::open().await;
    let seen = disputed
        .find(|dispute| dispute["laid_at"].is_string() && lists(dispute, "DisputeOpened"))
        .await;
    disputed.add_line().await;
    let now = disputed.find(|dispute| lists(dispute, "PaymentLinkMade")).await;
    let (enquiry, link) = (event_of(&seen, "LeadCreated"), event_of(&now, "PaymentLinkMade"));
    let id = seen["id"].as_str().unwrap();
    let last = last_line(&seen);
    let asked = format!(
        "dispute_id={id}&struck={enquiry}&last_seen={}",
        last.as_str().unwrap()
    );
    let paper = disputed.read_paper(&asked).await;
    assert!(!paper.contains(&enquiry) && !paper.contains(&link), "{paper}");
    let whole = disputed.read_paper(&format!("dispute_id={id}")).await;
    assert!(whole.contains(&enquiry) && whole.contains(&link), "{whole}");

    let unseen = json!({ "dispute_id": id, "last_seen": "01923456-789a-7bcd-8ef0-123456789abc" });
    let send = format!("{}/send", disputed.path);
    let (status, refused) = disputed.officer.post(&send, unseen).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    let (status, refused) = disputed.officer.post(&send, json!({ "dispute_id": id })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    let (status, answer) = disputed.send(&seen, json!([enquiry])).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    let told = &answer["data"]["disputes"][0];
    assert!(told["came_since"].as_u64().unwrap() >= 1, "{told}");
    let laid_before = disputed.find(|dispute| dispute["sent_at"].is_string()).await;
    assert_eq!(last_line(&laid_before), last, "{laid_before}");
    let laid = disputed.standin.disputes()[0]["evidence"].to_string();
    assert!(!laid.contains(&link) && !laid.contains(&enquiry), "{laid}");
}

/// A line struck from the first dispute is among the lines of the second, and goes to the bank with it.
#[tokio::test(flavor = "multi_thread")]
async fn strikes_belong_to_one_dispute() {
    let disputed = Disputable::open().await;
    let first = disputed.find(|dispute| dispute["laid_at"].is_string()).await;
    let enquiry = event_of(&first, "LeadCreated");
    let (status, answer) = disputed.send(&first, json!([enquiry])).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    disputed.find(|dispute| dispute["sent_at"].is_string()).await;
    disputed.standin.dispute(&disputed.intent, "won");
    disputed.find(|dispute| dispute["outcome"] == "won").await;
    disputed.standin.dispute(&disputed.intent, "needs_response");
    let second = disputed
        .find(|dispute| dispute["outcome"] == "open" && dispute["laid_at"].is_string())
        .await;
    assert_ne!(second["id"], first["id"]);
    assert!(lists(&second, "LeadCreated"), "{second}");
    let sent = disputed.find(|dispute| dispute["id"] == first["id"]).await;
    assert!(!lists(&sent, "LeadCreated"), "{sent}");
    for (dispute, has_enquiry) in [(&first, false), (&second, true)] {
        let id = dispute["id"].as_str().unwrap();
        let paper = disputed.read_paper(&format!("dispute_id={id}")).await;
        assert_eq!(paper.contains(&enquiry), has_enquiry, "{paper}");
    }
    let (status, answer) = disputed.send(&second, json!([])).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{answer}");
    let sent = disputed
        .find(|dispute| dispute["id"] == second["id"] && dispute["sent_at"].is_string())
        .await;
    assert!(lists(&sent, "LeadCreated"), "{sent}");
    let laid = disputed.standin.disputes()[0]["evidence"].to_string();
    assert!(laid.contains(&enquiry), "{laid}");
}
