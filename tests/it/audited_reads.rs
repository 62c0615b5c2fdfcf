//! T30: each read of a history or a receipt by staff is recorded once in fifteen minutes, with who, whose and what. Support enters no page of
//! finance, and finance changes no lead.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::market::{Market, until};
use crate::visitor::Visitor;

const WORKSPACE: &str = "/api/v0/workspace";
/// The bank disputes what it pays, so that there is evidence.
const DISPUTES: &str = "4000000000000259";
const SIXTEEN_MINUTES: u64 = 16 * 60;

/// A paid and disputed booking, as the lists of the workspace name it.
struct Booking {
    lead: String,
    reference: Value,
    payment: String,
    /// Of an event of the payment.
    position: u64,
    email: String,
}

async fn booking(market: &Market, support: &Visitor<'_>, finance: &Visitor<'_>) -> Booking {
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, DISPUTES).await;
    let dispute = until(async || {
        let path = format!("{WORKSPACE}/payments/events?kind=dispute_opened");
        let listed = finance.get(&path).await.data()["result"][0].clone();
        listed.is_object().then_some(listed)
    })
    .await;
    market.caught_up().await;
    let path = format!("{WORKSPACE}/leads?q={}", buyer.email);
    let row = support.get(&path).await.data()["result"][0].clone();
    Booking {
        lead: row["lead_id"].as_str().unwrap().to_owned(),
        reference: row["reference"].clone(),
        payment: dispute["payment_id"].as_str().unwrap().to_owned(),
        position: dispute["position"].as_u64().unwrap(),
        email: buyer.email,
    }
}

/// Every look that is recorded, the newest first.
async fn looks(admin: &Visitor<'_>) -> Vec<Value> {
    let listed = admin.get(&format!("{WORKSPACE}/reads?limit=200")).await;
    listed.data()["reads"].as_array().unwrap().clone()
}

/// Reads a page; of a stream, its beginning.
async fn read(staff: &Visitor<'_>, path: &str) {
    if path.ends_with("/stream") {
        drop(staff.open(path).await);
    } else {
        let answer = staff.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
    }
}

/// Where support reads histories, and what is recorded of it.
fn ways_of_support(booking: &Booking, case: &str, position: u64) -> Vec<(String, &'static str)> {
    let lead = format!("{WORKSPACE}/leads/{}", booking.lead);
    let why = format!("{WORKSPACE}/why?aggregate={}", booking.lead);
    vec![
        (format!("{lead}/timeline"), "history"),
        (format!("{lead}/timeline?as_of={position}"), "history"),
        (format!("{lead}/timeline/events?from=1"), "history"),
        (format!("{lead}/stream"), "history"),
        (format!("{lead}/story"), "history"),
        (format!("{why}&path=/user_details/phone"), "history"),
        (format!("{WORKSPACE}/events/{}", booking.position), "history"),
        (format!("{WORKSPACE}/cases/{case}"), "case"),
    ]
}

/// Where finance does.
fn ways_of_finance(booking: &Booking) -> Vec<(String, &'static str)> {
    let lead = format!("{WORKSPACE}/leads/{}", booking.lead);
    let payment = format!("{WORKSPACE}/payments/{}", booking.payment);
    vec![
        (format!("{lead}/timeline"), "history"),
        (format!("{lead}/timeline/events?from=1"), "history"),
        (format!("{lead}/stream"), "history"),
        (format!("{WORKSPACE}/events/{}", booking.position), "history"),
        (payment.clone(), "payment"),
        (format!("{payment}/evidence"), "payment"),
        (format!("{payment}/evidence.pdf"), "payment"),
        (
            format!("{WORKSPACE}/books/payments/{}", booking.payment),
            "payment",
        ),
    ]
}

/// Support, finance and an administrator, logged in.
async fn staff_of(market: &Market) -> [Visitor<'_>; 3] {
    let staff = [(); 3].map(|()| Visitor::new(&market.server));
    for (visitor, role) in staff.iter().zip(["support", "finance", "admin"]) {
        visitor.log_in_as(role).await;
    }
    staff
}

/// Each way to a history, later than the one before: the read is recorded, and not again when it is repeated. The student sees the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn history_reads_are_recorded_once_with_who_whose_and_what() {
    let market = Market::open(&[3], &[]).await;
    let [support, finance, admin] = staff_of(&market).await;
    let student = Visitor::new(&market.server);
    let booking = booking(&market, &support, &finance).await;
    student.log_in(&booking.email).await;
    let asked = json!({ "topic": "booking", "subject": "My key", "words": "I arrive on a Sunday." });
    let case = student.post("/api/v0/support/cases", asked).await.data()["case_id"].clone();
    let me = support.get(&format!("{WORKSPACE}/me")).await;
    let position = me.data()["log_position"].as_u64().unwrap();
    assert_eq!(looks(&admin).await, Vec::<Value>::new(), "lists are no histories");

    let of_support = ways_of_support(&booking, case.as_str().unwrap(), position);
    let of_support = of_support.iter().map(|way| (&support, "support", way));
    let of_finance = ways_of_finance(&booking);
    let of_finance = of_finance.iter().map(|way| (&finance, "finance", way));
    for (staff, role, (path, what)) in of_support.chain(of_finance) {
        admin.wait(SIXTEEN_MINUTES).await;
        let before = looks(&admin).await;
        read(staff, path).await;
        let after = looks(&admin).await;
        assert_eq!(after.len(), before.len() + 1, "{path}: {after:?}");
        let look = &after[0];
        assert_eq!(look["by"]["name"], role, "{path}");
        assert_eq!(look["what"], *what, "{path}");
        // The conversation is about no lead.
        let none = json!("");
        let of = if *what == "case" {
            &none
        } else {
            &booking.reference
        };
        assert_eq!(&look["lead_reference"], of, "{path}");
        assert_eq!(look["reason"], Value::Null, "{path}");
        let looked_at = |look: &Value| look["looked_at"].as_str().unwrap().to_owned();
        let is_newest = before
            .first()
            .is_none_or(|last| looked_at(last) < looked_at(look));
        assert!(is_newest, "{path}: {after:?}");
        read(staff, path).await;
        assert_eq!(looks(&admin).await, after, "{path}: read again");
    }

    let own = student.get("/api/v0/users/data_reads").await.data().clone();
    let told = |what: &str, role: &str| {
        let mut reads = own.as_array().unwrap().iter();
        reads.any(|read| read["what"] == what && read["role"] == role)
    };
    assert!(told("history", "support") && told("history", "finance"), "{own}");
    assert!(told("case", "support") && told("payment", "finance"), "{own}");
}

/// Finance reads receipt and paper of a student: one recorded read in fifteen minutes. The proof, which names no person, and the student's own
/// reads are recorded nowhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receipts_read_by_finance_are_recorded_on_both_pages() {
    let market = Market::open(&[3], &[]).await;
    let [support, finance, admin] = staff_of(&market).await;
    let student = Visitor::new(&market.server);
    let booking = booking(&market, &support, &finance).await;
    student.log_in(&booking.email).await;
    let number = receipt_number(&finance, &booking).await;
    let receipt = format!("/api/v0/receipts/{number}");
    let paper = format!("{receipt}/pdf");
    // The number is in the dossier, whose read is recorded as well.
    let looked = looks(&admin).await;
    assert_eq!(looked.len(), 1, "{looked:?}");
    admin.wait(SIXTEEN_MINUTES).await;
    opens(&student, &receipt).await;
    opens(&student, &paper).await;
    opens(&finance, &format!("{receipt}/proof")).await;
    let refused = support.get(&receipt).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    assert_eq!(looks(&admin).await, looked);

    for path in [&receipt, &paper] {
        let before = looks(&admin).await;
        opens(&finance, path).await;
        let after = looks(&admin).await;
        assert_eq!(after.len(), before.len() + 1, "{path}: {after:?}");
        let look = &after[0];
        assert_eq!(
            (&look["by"]["name"], &look["what"], &look["lead_reference"]),
            (&json!("finance"), &json!("payment"), &booking.reference),
            "{path}"
        );
        opens(&finance, &receipt).await;
        opens(&finance, &paper).await;
        assert_eq!(looks(&admin).await, after, "{path}: read again");
        admin.wait(SIXTEEN_MINUTES).await;
    }
    let own = student.get("/api/v0/users/data_reads").await.data().clone();
    let told = own.as_array().unwrap().iter();
    let of_finance = told.filter(|read| read["what"] == "payment" && read["role"] == "finance");
    assert_eq!(of_finance.count(), 3, "{own}");
}

/// Support reads the link of a payment in its list. A receipt that is opened with it is a recorded read; without a login it is none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receipt_opened_by_staff_with_a_link_is_recorded() {
    let market = Market::open(&[3], &[]).await;
    let [support, finance, admin] = staff_of(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, "4242424242424242").await;
    market.caught_up().await;
    let number = crate::receipts::number_of(&market, &token).await;
    let (receipt, query) = (format!("/api/v0/receipts/{number}"), format!("token={token}"));
    opens(&Visitor::new(&market.server), &format!("{receipt}?{query}")).await;
    assert!(looks(&admin).await.is_empty(), "the payer's own link");
    for (staff, role) in [(&support, "support"), (&finance, "finance")] {
        for part in ["", "/pdf"] {
            let before = looks(&admin).await;
            opens(staff, &format!("{receipt}{part}?{query}")).await;
            let after = looks(&admin).await;
            assert_eq!(after.len(), before.len() + 1, "{role} {part}: {after:?}");
            assert_eq!(
                (&after[0]["by"]["name"], &after[0]["what"]),
                (&json!(role), &json!("payment")),
                "{part}"
            );
            opens(staff, &format!("{receipt}?{query}")).await;
            assert_eq!(looks(&admin).await, after, "{role} {part}: read again");
            admin.wait(SIXTEEN_MINUTES).await;
        }
    }
}

async fn receipt_number(finance: &Visitor<'_>, booking: &Booking) -> String {
    let path = format!("{WORKSPACE}/payments/{}", booking.payment);
    let dossier = finance.get(&path).await.data().clone();
    dossier["receipts"][0].as_str().unwrap().to_owned()
}

/// Reads what may be a file.
async fn opens(reader: &Visitor<'_>, path: &str) {
    let answer = reader.open(path).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    answer.bytes().await.unwrap();
}

/// A read that is refused is no read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn support_enters_no_finance_and_finance_changes_no_lead() {
    let market = Market::open(&[3], &[]).await;
    let [support, finance, admin] = staff_of(&market).await;
    let booking = booking(&market, &support, &finance).await;
    let payment = format!("{WORKSPACE}/payments/{}", booking.payment);
    for path in [
        payment.clone(),
        format!("{payment}/evidence"),
        format!("{payment}/evidence.pdf"),
        format!("{WORKSPACE}/payments/events"),
        format!("{WORKSPACE}/payments/provider_account"),
        format!("{WORKSPACE}/books/payments/{}", booking.payment),
        format!("{WORKSPACE}/books/accounts"),
        format!("{WORKSPACE}/reconciliation"),
    ] {
        let refused = support.get(&path).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
    let lead = format!("{WORKSPACE}/leads/{}", booking.lead);
    for (act, body) in [
        (
            "acts",
            json!({ "act": "close", "cause": "other", "reason": "Left" }),
        ),
        ("assign", json!({ "owner": "me" })),
        ("notes", json!({ "note": "Called" })),
        ("reveal", json!({ "reason": "Called" })),
        ("export", json!({ "reason": "Called", "format": "json" })),
        ("form", json!({ "reason": "Called" })),
        ("what-if", json!({ "steps": [{ "act": "reopen" }] })),
    ] {
        let refused = finance.post(&format!("{lead}/{act}"), body).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{act}");
    }
    for path in ["story", "desk"] {
        let refused = finance.get(&format!("{lead}/{path}")).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(looks(&admin).await, Vec::<Value>::new());
}
