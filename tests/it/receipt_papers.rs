//! The papers of a receipt: signed names, five languages, links in mails, and what an auditor can check against the log.

use receipts::pages::{Shown, SignedPages};
use receipts::proof::ReceiptProof;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::{Server, in_files};

use crate::market::{Market, until};
use crate::receipts::{Paid, get, number_of, text_of};
use crate::stored::{self, Part};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";

impl Paid {
    /// The paper as `lang=` asks for it, whatever the browser speaks.
    async fn in_language(&self, number: &str, lang: &str) -> Vec<u8> {
        let path = format!("{}&lang={lang}", self.path(number, "/pdf"));
        let answer = Client::new()
            .get(self.market.server.url(&path))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{lang}");
        answer.bytes().await.unwrap().to_vec()
    }
}

/// Reads an attached file of a PDF, which lies in it as it is.
fn attached<T: serde::de::DeserializeOwned>(pdf: &[u8], format: &str) -> T {
    let begin = format!("{{\n  \"format\": \"{format}\"");
    let found = pdf
        .windows(begin.len())
        .position(|window| window == begin.as_bytes());
    let mut files = serde_json::Deserializer::from_slice(&pdf[found.unwrap()..]).into_iter::<T>();
    files.next().unwrap().unwrap()
}

/// A forger who knows how receipts are made: the pages are drawn anew around the true proof, with another name on them.
fn forged(pdf: &[u8], field: &str, value: &str) -> Vec<u8> {
    let proof: ReceiptProof = attached(pdf, "latchkey receipt proof 1");
    let mut pages: Value = attached(pdf, "latchkey receipt pages 3");
    pages["shown"][field] = json!(value);
    let shown: Shown = serde_json::from_value(pages["shown"].clone()).unwrap();
    let pages: SignedPages = serde_json::from_value(pages).unwrap();
    receipts::paper::write(proof.receipt(), &shown, Some((&proof, &pages))).unwrap()
}

/// What stands beside the amounts is signed too: a receipt drawn anew for another person, by another seller, is no receipt.
#[tokio::test]
async fn receipt_with_a_changed_name_or_seller_is_refused() {
    let paid = Paid::with(&[]).await;
    let pdf = paid.file(&paid.number, "/pdf", "en").await;
    let name = paid.read(&paid.number).await["payer"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        forged(&pdf, "payer", &name),
        pdf,
        "the forger draws what the server draws"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("forged.pdf");
    for (field, value) in [
        ("payer", "Eve Forger"),
        ("seller", "Another House Ltd"),
        ("home", "Elsewhere"),
    ] {
        let changed = forged(&pdf, field, value);
        let verdict = paid.verdict(changed.clone()).await;
        assert_eq!(
            (&verdict["valid"], &verdict["fault"]),
            (&json!(false), &json!("names")),
            "{field}: {verdict}"
        );
        std::fs::write(&file, changed).unwrap();
        let said = paid
            .market
            .server
            .refused(&["verify-proof", file.to_str().unwrap()]);
        assert!(said.contains("names on the pages"), "{field}: {said}");
    }
}

/// A receipt's paper is written in five languages, each with its own words, numbers and dates.
#[tokio::test]
async fn receipt_pdf_is_written_in_five_languages() {
    let paid = Paid::with(&[]).await;
    let note = paid.refund(5_000).await;
    for (lang, receipt, credit, total) in [
        (
            "en",
            ["Receipt", "Deposit", "Processing fee", "Total paid"],
            "Credit note",
            "£259.07",
        ),
        (
            "zh",
            ["收据", "押金", "支付手续费", "实付总额"],
            "退款单",
            "£259.07",
        ),
        (
            "es",
            ["Recibo", "Fianza", "Gastos de pago", "Total pagado"],
            "Nota de abono",
            "259,07 £",
        ),
        (
            "fr",
            ["Reçu", "Dépôt de garantie", "Frais de paiement", "Total payé"],
            "Avoir",
            "259,07 £",
        ),
        (
            "de",
            ["Zahlungsbeleg", "Kaution", "Zahlungsgebühr", "Bezahlt insgesamt"],
            "Erstattungsbeleg",
            "259,07 £",
        ),
    ] {
        let pdf = paid.in_language(&paid.number, lang).await;
        let text = text_of(&pdf);
        for part in receipt.into_iter().chain([total, &paid.number]) {
            let part: String = part.split_whitespace().collect();
            assert!(text.contains(&part), "{lang}: {part}: {text}");
        }
        assert!(
            !text.contains('□') && !text.contains("receipt."),
            "{lang}: {text}"
        );
        let verdict = paid.verdict(pdf.clone()).await;
        assert_eq!(verdict["valid"], true, "{lang}: {verdict}");
        let back = paid.in_language(&note, lang).await;
        let title: String = credit.split_whitespace().collect();
        assert!(text_of(&back).contains(&title), "{lang}");
    }
}

/// The link in a mail, as its path and query.
async fn mailed_link(market: &Market, email: &str, kind: &str) -> String {
    until(|| async {
        let mail = get(market, &format!("/dev/outbox?to={email}")).await.1;
        let mut mails = mail["data"].as_array()?.iter();
        let body = mails.find(|mail| mail["kind"] == kind)?["body"]
            .as_str()?
            .to_owned();
        let (_, link) = body.split_once("/receipts/")?;
        let link = link.split_whitespace().next()?;
        Some(format!("/receipts/{link}"))
    })
    .await
}

/// The link in the mail opens its receipt without a login, that one alone, and for ninety days; then a new one is mailed.
#[tokio::test]
async fn mailed_receipt_link_opens_without_login_until_its_end() {
    let paid = Paid::with(&[]).await;
    let note = paid.refund(5_000).await;
    let link = mailed_link(&paid.market, &paid.buyer.email, "receipt").await;
    let (_, query) = link.split_once('?').unwrap();
    let (status, receipt) = get(&paid.market, &format!("/api/v0{link}")).await;
    assert_eq!(status, StatusCode::OK, "{receipt}");
    assert!(receipt["data"]["payer"].is_string(), "{receipt}");
    let (status, _) = get(
        &paid.market,
        &format!("/api/v0/receipts/{}/pdf?{query}", paid.number),
    )
    .await;
    assert_eq!(status, StatusCode::OK);
    let page = Client::new()
        .get(paid.market.server.url(&link))
        .send()
        .await
        .unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    for other in [
        format!("/api/v0/receipts/{note}?{query}"),
        format!("/api/v0/receipts/{}?{}0", paid.number, query),
    ] {
        assert_eq!(
            get(&paid.market, &other).await.0,
            StatusCode::NOT_FOUND,
            "{other}"
        );
    }
    let clock = paid.market.server.url("/dev/clock");
    let moved = json!({ "forward_seconds": 92 * 86_400 });
    let moved = Client::new().post(clock).json(&moved).send().await.unwrap();
    assert!(moved.status().is_success());
    let (status, over) = get(&paid.market, &format!("/api/v0{link}")).await;
    assert_eq!(status, StatusCode::GONE, "{over}");
    assert_eq!(over["message"]["code"], "receipt_link_over");
    let reader = Visitor::new(&paid.market.server);
    let path = format!("/api/v0/receipts/{}/link", paid.number);
    let pass = query.strip_prefix("pass=").unwrap();
    let asked = reader.post(&path, json!({ "pass": pass })).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED);
    let guessed = reader
        .post(&path, json!({ "pass": "99999-0123456789abcdef0123456789abcdef" }))
        .await;
    assert_eq!(guessed.status, StatusCode::NOT_FOUND);
    let fresh = mailed_link(&paid.market, &paid.buyer.email, "receipt_link").await;
    let (status, receipt) = get(&paid.market, &format!("/api/v0{fresh}")).await;
    assert_eq!(status, StatusCode::OK, "{receipt}");
}

/// Moves the clock of the server.
async fn forward(market: &Market, seconds: u64) {
    let clock = market.server.url("/dev/clock");
    let moved = json!({ "forward_seconds": seconds });
    let moved = Client::new().post(clock).json(&moved).send().await.unwrap();
    assert!(moved.status().is_success());
}

async fn stop(server: &mut Server) {
    server.ask_to_stop();
    let server = std::sync::Mutex::new(server);
    let ended = until(|| async { server.lock().unwrap().ended() }).await;
    assert!(ended.success(), "{ended}");
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let beside = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &beside);
        } else {
            std::fs::copy(entry.path(), beside).unwrap();
        }
    }
}

/// One byte of a stored event is changed in a copy of the data: its server names the event when it starts, and proves no receipt of
/// after it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flipped_byte_in_a_copy_is_named_and_proves_nothing() {
    let mut paid = Paid::with(&[in_files("its folder is copied")]).await;
    let second = paid.market.person(2, 0);
    let token = second.begun().await;
    assert_eq!(second.pay(&token, GOOD).await["status"], "success");
    let later = number_of(&paid.market, &token).await;
    let url = paid
        .market
        .server
        .url(&format!("/api/v0/receipts/{later}/proof?token={token}"));
    let proof = Client::new()
        .get(url)
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap()
        .to_vec();
    assert_eq!(paid.verdict(proof.clone()).await["valid"], true);
    stop(&mut paid.market.server).await;
    let folder = tempfile::tempdir().unwrap();
    copy(paid.market.server.folder(), folder.path());
    let mut copied = Server::on_with(folder.path(), &[in_files("its folder is copied")]);
    copied.unlike_its_log("its log is changed behind its back");
    stop(&mut copied).await;
    let opened = "event_type = 'PaymentOpened'";
    let position = stored::number(
        &copied,
        Part::Log,
        &format!("select min(position) from event where {opened}"),
    );
    let flip = format!(
        "update event set payload = cast(replace(cast(payload as text), '25907', '25903') as blob) where position = {position}"
    );
    stored::change(&copied, Part::Log, &flip);
    copied.restart();
    let ready: Value = Client::new()
        .get(copied.url("/readyz"))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(ready["broken_history"][0]["position"], position, "{ready}");
    let url = copied.url("/api/v0/receipts/verify");
    let verdict = Client::new().post(url).body(proof).send().await.unwrap();
    let verdict: Value = verdict.json().await.unwrap();
    assert_eq!(
        (&verdict["data"]["valid"], &verdict["data"]["fault"]),
        (&json!(false), &json!("log")),
        "{verdict}"
    );
}

/// An auditor keeps the heads of two days; the later log is shown to hold the earlier one, and another log's is not.
#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
async fn heads_of_two_days_are_consistent_and_a_fork_is_not() {
    let paid = Paid::with(&[]).await;
    let folder = tempfile::tempdir().unwrap();
    let kept = |name: &str| folder.path().join(name);
    let key = paid
        .market
        .server
        .run(&["signing-key"])
        .lines()
        .next()
        .unwrap()
        .to_owned();
    paid.file(&paid.number, "/proof", "en").await;
    let day = |ahead: i64| {
        let now = chrono::Utc::now() + chrono::TimeDelta::days(ahead);
        now.date_naive().to_string()
    };
    let (first_day, second_day) = (day(0), day(1));
    let head = paid
        .officer
        .text(&format!("/api/v0/workspace/chain/head?day={first_day}"))
        .await;
    std::fs::write(kept("first.json"), &head).unwrap();
    forward(&paid.market, 86_400).await;
    let note = paid.refund(5_000).await;
    paid.file(&note, "/proof", "en").await;
    let head = paid
        .officer
        .text(&format!("/api/v0/workspace/chain/head?day={second_day}"))
        .await;
    std::fs::write(kept("second.json"), &head).unwrap();
    let path = format!("/api/v0/workspace/chain/consistency?from={first_day}&to={second_day}");
    let proof = paid.officer.text(&path).await;
    std::fs::write(kept("consistency.json"), &proof).unwrap();
    let file = |name: &str| kept(name).to_str().unwrap().to_owned();
    let (proof_file, first, second) = (file("consistency.json"), file("first.json"), file("second.json"));
    let asked = [
        "verify-proof",
        &proof_file,
        "--key",
        &key,
        "--head",
        &first,
        "--head",
        &second,
    ];
    let said = paid.market.server.run(&asked);
    assert!(said.contains("proved: the log through event"), "{said}");
    let mut forked: Value = serde_json::from_str(&proof).unwrap();
    let leaf = forked["shared"][0].as_str().unwrap().to_owned();
    let other = leaf.replace(&leaf[..1], if leaf.starts_with('0') { "1" } else { "0" });
    forked["shared"][0] = json!(other);
    std::fs::write(kept("forked.json"), forked.to_string()).unwrap();
    let said = paid
        .market
        .server
        .refused(&["verify-proof", &file("forked.json"), "--key", &key]);
    assert!(said.contains("the logs of the two heads are not one"), "{said}");
    let elsewhere = Paid::with(&[]).await;
    elsewhere.file(&elsewhere.number, "/proof", "en").await;
    let head = elsewhere
        .officer
        .text(&format!("/api/v0/workspace/chain/head?day={first_day}"))
        .await;
    std::fs::write(kept("other.json"), head).unwrap();
    let said = paid.market.server.refused(&[
        "verify-proof",
        &proof_file,
        "--key",
        &key,
        "--head",
        &file("other.json"),
    ]);
    assert!(said.contains("between other heads"), "{said}");
    let early = paid.officer.client.get(
        paid.market
            .server
            .url("/api/v0/workspace/chain/head?day=2020-01-31"),
    );
    assert_eq!(early.send().await.unwrap().status(), StatusCode::NOT_FOUND);
}
