//! Receipts and credit notes: what they say, who may read them, the paper, and the proof that anyone can check.

use reqwest::header::CONTENT_DISPOSITION;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::words::english;

use crate::desk::Officer;
use crate::hostile_uploads::peak_kb;
use crate::market::{Buyer, Market, until};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";

/// A house, a finance officer and a room that was paid for.
pub(crate) struct Paid {
    pub(crate) market: Market,
    pub(crate) officer: Officer,
    pub(crate) buyer: Buyer,
    pub(crate) token: String,
    pub(crate) number: String,
}

impl Paid {
    pub(crate) async fn with(settings: &[(&str, &str)]) -> Self {
        let market = Market::open(&[3], settings).await;
        let officer = Officer::arrives(&market).await;
        let buyer = market.person(1, 0);
        let token = buyer.begun().await;
        assert_eq!(buyer.pay(&token, GOOD).await["status"], "success");
        let number = number_of(&market, &token).await;
        Self {
            market,
            officer,
            buyer,
            token,
            number,
        }
    }

    pub(crate) fn path(&self, number: &str, part: &str) -> String {
        format!("/api/v0/receipts/{number}{part}?token={}", self.token)
    }

    pub(crate) async fn read(&self, number: &str) -> Value {
        let (status, answer) = get(&self.market, &self.path(number, "")).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["data"].clone()
    }

    pub(crate) async fn file(&self, number: &str, part: &str, lang: &str) -> Vec<u8> {
        let url = self.market.server.url(&self.path(number, part));
        let asked = Client::new().get(url).header("cookie", format!("lang={lang}"));
        let answer = asked.header("accept-language", lang).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["cache-control"], "no-store");
        assert_eq!(answer.headers()["x-robots-tag"], "noindex");
        assert!(
            answer.headers()[CONTENT_DISPOSITION]
                .to_str()
                .unwrap()
                .contains(number)
        );
        answer.bytes().await.unwrap().to_vec()
    }

    pub(crate) async fn verdict(&self, file: Vec<u8>) -> Value {
        let url = self.market.server.url("/api/v0/receipts/verify");
        let answer = Client::new().post(url).body(file).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        answer.json::<Value>().await.unwrap()["data"].clone()
    }

    /// Gives a part of it back and waits for the credit note's number.
    pub(crate) async fn refund(&self, amount_minor: u64) -> String {
        let reference = self.read(&self.number).await["reference"]
            .as_str()
            .unwrap()
            .to_owned();
        let id = until(|| async {
            let found = self
                .officer
                .events(&format!("&kind=captured&q={reference}"))
                .await;
            found["result"][0]["payment_id"].as_str().map(str::to_owned)
        })
        .await;
        let asked = json!({ "booking": "keep", "amount_minor": amount_minor, "typed_minor": amount_minor, "reason": "kind" });
        let path = format!("/api/v0/workspace/payments/{id}/refunds");
        assert_eq!(self.officer.post(&path, asked).await.0, StatusCode::CREATED);
        until(|| async {
            let receipt = self.read(&self.number).await;
            receipt["facts"]["refunds"][0]["number"]
                .as_str()
                .map(str::to_owned)
        })
        .await
    }
}

pub(crate) async fn get(market: &Market, path: &str) -> (StatusCode, Value) {
    let answer = Client::new().get(market.server.url(path)).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap_or_default())
}

/// The payment's page leads on to the receipt under its number.
pub(crate) async fn number_of(market: &Market, token: &str) -> String {
    let stays = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let url = market.server.url(&format!("/payments/{token}/receipt"));
    let answer = stays.get(url).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::FOUND);
    let to = answer.headers()["location"].to_str().unwrap();
    let (page, query) = to.split_once('?').unwrap();
    assert_eq!(query, format!("token={token}"));
    page.strip_prefix("/receipts/").unwrap().to_owned()
}

/// The text of a PDF's pages, without white space, which a paper has where it likes.
pub(crate) fn text_of(pdf: &[u8]) -> String {
    let document = lopdf::Document::load_mem(pdf).unwrap();
    let pages: Vec<u32> = document.get_pages().into_keys().collect();
    let text = document.extract_text(&pages).unwrap();
    text.split_whitespace().collect()
}

#[tokio::test]
async fn receipt_lists_lines_fee_total_and_method() {
    let seller = [
        ("LATCHKEY_SELLER_NAME", "Müller & Söhne GmbH"),
        ("LATCHKEY_SELLER_ADDRESS", "Straße 1\n10115 Berlin"),
    ];
    let paid = Paid::with(&seller).await;
    let receipt = paid.read(&paid.number).await;
    let facts = &receipt["facts"];
    assert_eq!(
        facts["lines"],
        json!([{ "kind": "deposit", "amount_minor": 25_000 }, { "kind": "processing_fee", "amount_minor": 907 }])
    );
    assert_eq!(
        (&facts["total_minor"], &facts["currency"]),
        (&json!(25_907), &json!("GBP"))
    );
    assert_eq!(
        facts["charges"][0]["card"],
        json!({ "brand": "visa", "last4": "4242" })
    );
    assert_eq!(receipt["seller"], "Müller & Söhne GmbH");
    let english = text_of(&paid.file(&paid.number, "/pdf", "en").await);
    for part in [
        "Receipt",
        &paid.number,
        "Müller&SöhneGmbH",
        "Straße1",
        "Deposit",
        "£250.00",
        "Processingfee",
        "£9.07",
        "Totalpaid",
        "£259.07",
        "Visaending4242",
        "notataxinvoice",
        receipt["payer"].as_str().unwrap().split(' ').next().unwrap(),
    ] {
        assert!(english.contains(part), "{part}: {english}");
    }
    let chinese = text_of(&paid.file(&paid.number, "/pdf", "zh").await);
    for part in ["收据", "押金", "支付手续费", "实付总额", "£259.07", "尾号4242"] {
        assert!(chinese.contains(part), "{part}: {chinese}");
    }
}

#[tokio::test]
async fn refund_stands_on_the_receipt_and_has_a_credit_note() {
    let paid = Paid::with(&[]).await;
    let note = paid.refund(5_000).await;
    assert_ne!(note, paid.number);
    let receipt = paid.read(&paid.number).await;
    assert_eq!(receipt["facts"]["refunded_minor"], 5_000);
    let credit = paid.read(&note).await;
    assert_eq!(credit["facts"]["kind"], "credit_note");
    assert_eq!(credit["facts"]["receipt_number"], json!(paid.number));
    assert_eq!(credit["facts"]["total_minor"], 5_000);
    let text = text_of(&paid.file(&note, "/pdf", "en").await);
    for part in ["Creditnote", &note, &paid.number, "Totalrefunded", "£50.00"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text_of(&paid.file(&paid.number, "/pdf", "en").await).contains("£209.07"));
    let mails = until(|| async {
        let url = paid
            .market
            .server
            .url(&format!("/dev/outbox?to={}", paid.buyer.email));
        let kept: Value = Client::new().get(url).send().await.unwrap().json().await.unwrap();
        let bodies = |kind: &str| {
            let of = kept["data"]
                .as_array()
                .unwrap()
                .iter()
                .find(|mail| mail["kind"] == kind);
            of.map(Value::to_string)
        };
        Some((bodies("receipt")?, bodies("refunded")?))
    })
    .await;
    for part in [
        "Deposit: £250.00",
        "Processing fee: £9.07",
        "Total paid: £259.07",
        &format!("/receipts/{}", paid.number),
    ] {
        assert!(mails.0.contains(part), "{part}: {}", mails.0);
    }
    let total = format!("{}: £50.00", english("receipt.total_refunded"));
    for part in [total.as_str(), &format!("/receipts/{note}")] {
        assert!(mails.1.contains(part), "{part}: {}", mails.1);
    }
}

#[tokio::test]
async fn receipt_opens_for_token_owner_and_finance_alone() {
    let mut paid = Paid::with(&[]).await;
    let bare = format!("/api/v0/receipts/{}", paid.number);
    for part in ["", "/pdf", "/proof"] {
        for query in ["", "?token=", "?token=0123456789abcdef0123456789abcdef"] {
            let (status, _) = get(&paid.market, &format!("{bare}{part}{query}")).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{part}{query}");
        }
    }
    for number in ["R-2026-0000001", "R-2026-9999999", "nothing"] {
        let (status, _) = get(&paid.market, &paid.path(number, "")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{number}");
    }
    let stranger = Visitor::new(&paid.market.server);
    stranger.log_in("eve@example.com").await;
    assert_eq!(stranger.get(&bare).await.status, StatusCode::NOT_FOUND);
    let support = Visitor::new(&paid.market.server);
    support.log_in_as("support").await;
    assert_eq!(support.get(&bare).await.status, StatusCode::NOT_FOUND);
    let owner = Visitor::new(&paid.market.server);
    owner.log_in(&paid.buyer.email).await;
    let seen = owner.get(&bare).await;
    assert_eq!(seen.status, StatusCode::OK);
    let finance = paid.officer.get(&bare).await;
    assert!(finance["data"]["payer"].is_string(), "{finance}");
    let reference = finance["data"]["reference"].as_str().unwrap();
    let found = paid
        .officer
        .events(&format!("&kind=captured&q={reference}"))
        .await;
    let id = found["result"][0]["payment_id"].as_str().unwrap();
    assert_eq!(paid.officer.dossier(id).await["receipts"], json!([paid.number]));
    // The number is the same after a start that folds the log anew.
    let before = paid.number.clone();
    paid.market.kill_and_restart();
    assert_eq!(number_of(&paid.market, &paid.token).await, before);
}

#[tokio::test]
async fn expired_token_shows_the_receipt_without_its_payer() {
    let paid = Paid::with(&[]).await;
    assert!(paid.read(&paid.number).await["payer"].is_string());
    let clock = paid.market.server.url("/dev/clock");
    let moved = Client::new()
        .post(clock)
        .json(&json!({ "forward_seconds": 15 * 86_400 }))
        .send()
        .await
        .unwrap();
    assert!(moved.status().is_success(), "{}", moved.text().await.unwrap());
    assert_eq!(paid.read(&paid.number).await["payer"], Value::Null);
    assert_eq!(paid.read(&paid.number).await["facts"]["total_minor"], 25_907);
}

/// Every digit of a proof is changed in turn, and each change is found.
#[tokio::test]
async fn proof_verifies_and_one_changed_digit_fails() {
    let paid = Paid::with(&[]).await;
    let note = paid.refund(5_000).await;
    for number in [&paid.number, &note] {
        let proof = paid.file(number, "/proof", "en").await;
        let verdict = paid.verdict(proof.clone()).await;
        assert_eq!(
            (&verdict["valid"], &verdict["receipt"]["number"]),
            (&json!(true), &json!(number)),
            "{verdict}"
        );
        let text = String::from_utf8(proof.clone()).unwrap();
        assert!(
            !text.contains(&paid.buyer.email) && !text.contains("\"payer\""),
            "nothing personal is in it"
        );
    }
    let proof = paid.file(&paid.number, "/proof", "en").await;
    let digits: Vec<usize> = (0..proof.len())
        .filter(|at| proof[*at].is_ascii_digit())
        .collect();
    for at in digits.iter().step_by(digits.len() / 60 + 1) {
        let mut changed = proof.clone();
        changed[*at] = if changed[*at] == b'9' {
            b'8'
        } else {
            changed[*at] + 1
        };
        let verdict = paid.verdict(changed).await;
        assert_eq!(verdict["valid"], false, "digit at {at}: {verdict}");
    }
    let total = String::from_utf8(proof)
        .unwrap()
        .replace("\"total_minor\": 25907", "\"total_minor\": 25908");
    let verdict = paid.verdict(total.into_bytes()).await;
    assert_eq!(
        (&verdict["valid"], &verdict["fault"]),
        (&json!(false), &json!("lines"))
    );
    for nonsense in [&b""[..], b"{}", b"%PDF-1.7", b"hello", &[0xff; 64]] {
        let verdict = paid.verdict(nonsense.to_vec()).await;
        assert_eq!(verdict["fault"], "unreadable");
        let detail = verdict["detail"].as_str().unwrap();
        // In the house's words, not in those of a parser.
        assert!(
            detail.starts_with("it is no receipt's proof: ") && !detail.contains("line"),
            "{detail}"
        );
    }
}

#[tokio::test]
async fn pdf_carries_its_proof_and_any_changed_byte_fails() {
    let paid = Paid::with(&[]).await;
    let pdf = paid.file(&paid.number, "/pdf", "zh").await;
    let verdict = paid.verdict(pdf.clone()).await;
    assert_eq!(verdict["valid"], true, "{verdict}");
    for at in (9..pdf.len()).step_by(pdf.len() / 40) {
        let mut changed = pdf.clone();
        changed[at] ^= 1;
        assert_eq!(paid.verdict(changed).await["valid"], false, "byte {at}");
    }
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (
        folder.path().join("receipt.pdf"),
        folder.path().join("broken.json"),
    );
    std::fs::write(&whole, &pdf).unwrap();
    let proof = String::from_utf8(paid.file(&paid.number, "/proof", "en").await).unwrap();
    std::fs::write(&broken, proof.replace("25907", "25908")).unwrap();
    let said = paid.market.server.run(&["verify-proof", whole.to_str().unwrap()]);
    assert!(
        said.contains("proved: receipt")
            && said.contains("GBP 259.07")
            && said.contains("stands in the file itself"),
        "{said}"
    );
    let key = paid.market.server.run(&["signing-key"]);
    let key = key.lines().next().unwrap();
    let said = paid
        .market
        .server
        .run(&["verify-proof", whole.to_str().unwrap(), "--key", key]);
    assert!(
        said.contains("proved: receipt") && !said.contains("itself"),
        "{said}"
    );
    let said = paid
        .market
        .server
        .refused(&["verify-proof", broken.to_str().unwrap()]);
    assert!(said.contains("proves nothing"), "{said}");
}

/// A receipt of nothing does not exist.
#[tokio::test]
async fn unpaid_payment_has_no_receipt() {
    let market = Market::open(&[1], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let url = market.server.url(&format!("/payments/{token}/receipt"));
    let answer = Client::new().request(Method::GET, url).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

/// A booking is rated once, and staff reads score and words in the lead's history.
#[tokio::test]
async fn rating_is_taken_once_and_shown_in_the_history() {
    let paid = Paid::with(&[]).await;
    let path = format!("/api/v0/payments/{}/rating", paid.token);
    until(|| async { (paid.buyer.read(&paid.token).await["is_rated"] == false).then_some(()) }).await;
    let student = Visitor::new(&paid.market.server);
    let wrong = student.post(&path, json!({ "score": 11 })).await;
    assert_eq!(
        (wrong.status, wrong.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["score"])
    );
    let words = "Quick; the room photos were honest";
    let rated = student.post(&path, json!({ "score": 9, "words": words })).await;
    assert_eq!(rated.status, StatusCode::OK);
    let again = student.post(&path, json!({ "score": 1 })).await;
    assert_eq!(
        (again.status, again.code()),
        (StatusCode::CONFLICT, "already_rated")
    );
    assert_eq!(paid.buyer.read(&paid.token).await["is_rated"], true);
    let support = Visitor::new(&paid.market.server);
    support.log_in_as("support").await;
    let leads = support.get("/api/v0/workspace/leads").await;
    let id = leads.data()["result"][0]["lead_id"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let history = support
        .get(&format!("/api/v0/workspace/leads/{id}/timeline"))
        .await;
    let told = history.data().to_string();
    assert!(
        told.contains("timeline.lead_rated") && told.contains(words),
        "{told}"
    );
}

/// A payment without a booking has nothing to rate.
#[tokio::test]
async fn unpaid_booking_cannot_be_rated() {
    let market = Market::open(&[1], &[]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    let student = Visitor::new(&market.server);
    let refused = student
        .post(&format!("/api/v0/payments/{token}/rating"), json!({ "score": 9 }))
        .await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "nothing_to_rate")
    );
}

/// Checks by strangers cost bounded work: a file too large is refused unread, and many at once neither hold up others nor take memory.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checks_by_strangers_cost_bounded_work() {
    let paid = Paid::with(&[]).await;
    let url = paid.market.server.url("/api/v0/receipts/verify");
    let post = async |file: Vec<u8>| reqwest::Client::new().post(&url).body(file).send().await.unwrap();
    // A client that is still sending may lose the answer with the connection.
    let large = Client::new().post(&url).body(vec![b'%'; 40 << 20]).send();
    if let Ok(refused) = large.await {
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
    let pdf = paid.file(&paid.number, "/pdf", "en").await;
    let before = peak_kb(&paid.market.server);
    // A receipt whose proof fails: no page of it is made.
    let mut forged = pdf.clone();
    let at = forged.len() / 2;
    forged[at] ^= 1;
    let checks = (0..48).map(|_| post(forged.clone()));
    let others = async {
        let asked = std::time::Instant::now();
        let health = reqwest::get(paid.market.server.url("/healthz")).await.unwrap();
        assert_eq!(health.status(), StatusCode::OK);
        asked.elapsed()
    };
    let (answers, waited) = tokio::join!(futures::future::join_all(checks), others);
    for answer in answers {
        let verdict: Value = answer.json().await.unwrap();
        assert_eq!(verdict["data"]["valid"], false, "{verdict}");
    }
    assert!(waited.as_secs() < 10, "{waited:?}");
    let grown = peak_kb(&paid.market.server).saturating_sub(before);
    assert!(grown < 128 * 1024, "{grown} kB");
}
