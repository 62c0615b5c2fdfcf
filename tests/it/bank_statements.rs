//! Statements of the bank are kept: sealed, with their hash, who gave them in and when; their lines are matched by hand, and whoever is
//! forgotten goes out of them.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::bank_file::House;
use crate::forgetting::{erased, files};
use crate::market::Buyer;
use crate::visitor::Visitor;

const STATEMENTS: &str = "/api/v0/workspace/reconciliation/statements";

impl House {
    fn csv(&self, lines: &[(&str, &str)]) -> String {
        let rows = lines
            .iter()
            .map(|(amount, words)| format!("{},{amount},GBP,{words}\n", self.days[0]));
        format!("Date,Amount,Currency,Reference\n{}", rows.collect::<String>())
    }

    async fn statement_of(&self, id: &str) -> Value {
        self.officer.get(&format!("{STATEMENTS}/{id}")).await["data"].clone()
    }

    async fn decide(&self, id: &str, place: u64, body: Value) -> (StatusCode, Value) {
        let path = format!("{STATEMENTS}/{id}/lines/{place}/decision");
        self.officer.post(&path, body).await
    }
}

fn code(answer: &Value) -> &str {
    answer["message"]["code"].as_str().unwrap_or_default()
}

/// A file is kept once, sealed, for seven years; a download is recorded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statement_is_kept_once_and_downloads_are_recorded() {
    let house = House::open().await;
    let word = "quokkabankzwick";
    let file = house.csv(&[("254.99", &house.ids[0]), ("-12.00", word)]);
    let first = house.compare("", &file).await;
    assert_eq!(
        (&first["was_known"], &first["matched"]),
        (&json!(false), &json!(1))
    );
    let kept = &first["statement"];
    assert_eq!(
        (&kept["rows"], &kept["form"], &kept["kept_by"], &kept["openings"]),
        (&json!(2), &json!("csv"), &json!("finance"), &json!([])),
        "{kept}"
    );
    let year = |moment: &Value| moment.as_str().unwrap()[..4].parse::<i32>().unwrap();
    assert_eq!(year(&kept["kept_until"]), year(&kept["kept_at"]) + 7);
    let again = house.compare("", &file).await;
    assert_eq!(again["was_known"], true, "{again}");
    assert_eq!(again["statement"], *kept);

    let id = kept["id"].as_str().unwrap();
    let path = format!("{STATEMENTS}/{id}/file");
    assert_eq!(house.officer.text(&path).await, file);
    let listed = house.officer.get(STATEMENTS).await["data"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(listed[0]["openings"][0]["by"], "finance", "{listed}");
    let support = Visitor::new(&house.market.server);
    support.log_in_as("support").await;
    assert_eq!(support.get(&path).await.status, StatusCode::FORBIDDEN);
    assert_eq!(support.get(STATEMENTS).await.status, StatusCode::FORBIDDEN);
    let unknown = house.officer.client.get(
        house
            .market
            .server
            .url(&format!("{STATEMENTS}/{}", uuid::Uuid::nil())),
    );
    assert_eq!(unknown.send().await.unwrap().status(), StatusCode::NOT_FOUND);
    // A file that was read in the wrong way is read anew, as long as no line was decided.
    let read_anew = house.compare("?reference=Currency", &file).await;
    assert_eq!(
        (&read_anew["was_known"], &read_anew["unknown"]),
        (&json!(true), &json!(2))
    );
    assert_eq!(read_anew["statement"]["id"], kept["id"]);
    if house.market.server.database_name().is_none() {
        for place in files(house.market.server.folder()) {
            let bytes = std::fs::read(&place).unwrap();
            let is_there = bytes.windows(word.len()).any(|part| part == word.as_bytes());
            assert!(!is_there, "the file lies open in {}", place.display());
        }
    }
}

/// A statement with a line less a charge, one of interest, and one that names the second payout; its id.
async fn give_in(house: &House) -> (Value, String) {
    let pounds = |amount: &str| format!("<Amt Ccy=\"GBP\">{amount}</Amt>");
    let named = format!(
        "<TxDtls><RmtInf><Ustrd>{}</Ustrd></RmtInf></TxDtls>",
        house.ids[1]
    );
    let entries = [
        house.entry(&pounds("253.99"), "BOOK", ""),
        house.entry(&pounds("1.00"), "BOOK", ""),
        house.entry(&pounds("254.99"), "BOOK", &named),
    ];
    let file = house.statement("GBP", &entries.concat());
    let compared = house.compare("", &file).await;
    let id = compared["statement"]["id"].as_str().unwrap().to_owned();
    (compared, id)
}

/// A decision that cannot be made is refused by name; of two people at once one has the line, and the other one is told who.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn line_is_decided_by_one_of_two_people() {
    let house = House::open().await;
    let [first, second] = &house.ids;
    let (_, id) = give_in(&house).await;
    for (place, body, status, expected) in [
        (
            0,
            json!({ "payout": "po_none" }),
            StatusCode::UNPROCESSABLE_ENTITY,
            "unknown",
        ),
        (0, json!({}), StatusCode::UNPROCESSABLE_ENTITY, "choice"),
        (
            0,
            json!({ "payout": second }),
            StatusCode::CONFLICT,
            "payout_in_statement",
        ),
        (
            2,
            json!({ "payout": first }),
            StatusCode::CONFLICT,
            "line_matched",
        ),
        (9, json!({ "payout": first }), StatusCode::NOT_FOUND, "not_found"),
    ] {
        let (told, answer) = house.decide(&id, place, body.clone()).await;
        assert_eq!(told, status, "{place} {body}: {answer}");
        assert!(answer.to_string().contains(expected), "{place} {body}: {answer}");
    }
    let admin = Visitor::from(&house.market.server, [127, 0, 9, 7]);
    admin.log_in_as("admin").await;
    let path = format!("{STATEMENTS}/{id}/lines/0/decision");
    let (mine, theirs) = tokio::join!(
        house.decide(&id, 0, json!({ "payout": first })),
        admin.post(&path, json!({ "reason": "other_business" })),
    );
    let won = [mine.0, theirs.status];
    assert!(
        won.contains(&StatusCode::OK) && won.contains(&StatusCode::CONFLICT),
        "{won:?}"
    );
    let lost = if mine.0 == StatusCode::CONFLICT {
        mine.1
    } else {
        theirs.body
    };
    assert_eq!(code(&lost), "line_decided", "{lost}");
    let is_named = ["admin", "finance"]
        .iter()
        .any(|name| lost.to_string().contains(name));
    assert!(is_named, "{lost}");
}

/// A line that matched nothing is matched by a person; the payout then arrived, until the line is opened again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payout_matched_by_hand_arrived_until_reopened() {
    let house = House::open().await;
    let first = &house.ids[0];
    let (compared, id) = give_in(&house).await;
    assert_eq!(
        (&compared["unknown"], &compared["missing"]),
        (&json!(2), &json!(1)),
        "{compared}"
    );
    let offered = compared["open_payouts"].as_array().unwrap().iter();
    let offered: Vec<_> = offered.map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(offered, [first]);
    let matched = house.decide(&id, 0, json!({ "payout": first })).await;
    assert_eq!(matched.0, StatusCode::OK, "{}", matched.1);
    let (status, taken) = house.decide(&id, 1, json!({ "payout": first })).await;
    assert_eq!(
        (status, code(&taken)),
        (StatusCode::CONFLICT, "payout_matched"),
        "{taken}"
    );
    let charge = house.decide(&id, 1, json!({ "reason": "bank_charge" })).await;
    assert_eq!(charge.0, StatusCode::OK, "{}", charge.1);
    let told = house.statement_of(&id).await;
    let figures = ["by_hand", "explained", "matched", "unknown", "missing"].map(|name| told[name].clone());
    assert_eq!(json!(figures), json!([1, 1, 1, 0, 0]), "{told}");
    let line = &told["lines"][0];
    assert_eq!(
        (
            &line["decided"]["payout"],
            &line["decided"]["by"],
            &line["there_minor"]
        ),
        (&json!(first), &json!("finance"), &json!(25_499)),
        "{told}"
    );
    // It arrived, whichever file is compared.
    let other = house.compare("", &house.statement("GBP", "")).await;
    assert_eq!(other["missing"], 1, "{other}");
    let reopen = format!("{STATEMENTS}/{id}/lines/0/reopen");
    assert_eq!(house.officer.post(&reopen, json!({})).await.0, StatusCode::OK);
    let opened = house.statement_of(&id).await;
    assert_eq!(
        (&opened["unknown"], &opened["missing"]),
        (&json!(1), &json!(1)),
        "{opened}"
    );
}

/// Forgets the person of a buyer's enquiry, and waits until everything of theirs is erased.
async fn forget(house: &House, buyer: &Buyer) {
    let admin = Visitor::from(&house.market.server, [127, 0, 9, 8]);
    admin.log_in_as("admin").await;
    let found = admin
        .get(&format!("/api/v0/workspace/leads?q={}", buyer.email))
        .await;
    let lead = found.data()["result"][0].clone();
    let path = format!(
        "/api/v0/workspace/leads/{}/forget",
        lead["lead_id"].as_str().unwrap()
    );
    let asked = json!({ "reason": "asked", "confirm": lead["reference"] });
    let forgotten = admin.post(&path, asked).await;
    assert!(forgotten.status.is_success(), "{}", forgotten.body);
    erased(&house.market.server, 1).await;
}

/// Words that name a payer go when they are forgotten; day, amount and match stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgotten_payer_goes_out_of_kept_lines() {
    let house = House::open().await;
    let buyer = house.market.person(1, 0);
    let name = buyer.lead_body()["lead"]["user_details"]["name"]
        .as_str()
        .unwrap()
        .to_uppercase();
    let turned: Vec<&str> = name.split(' ').rev().collect();
    let file = house.csv(&[
        (
            "254.99",
            &format!("{} {} GB33BUKB20201555555555", house.ids[0], turned.join(" ")),
        ),
        ("5.00", &format!("tel {} thanks", &buyer.phone)),
        ("6.00", "somebody else"),
    ]);
    let compared = house.compare("", &file).await;
    let id = compared["statement"]["id"].as_str().unwrap().to_owned();
    forget(&house, &buyer).await;

    let told = house.statement_of(&id).await;
    let lines = told["lines"].as_array().unwrap();
    let words: Vec<_> = lines
        .iter()
        .filter(|line| line["verdict"] != "missing")
        .map(|line| (line["reference"].as_str().unwrap(), &line["words_removed"]))
        .collect();
    let (gone, stays) = (json!(true), json!(false));
    assert_eq!(
        words,
        [
            (house.ids[0].as_str(), &gone),
            ("", &gone),
            ("somebody else", &stays)
        ],
        "{told}"
    );
    assert_eq!(
        (&lines[0]["verdict"], &lines[1]["amount_minor"]),
        (&json!("matched"), &json!(500))
    );
    assert_eq!(told["statement"]["redacted"], 2);
    let rest = house.officer.text(&format!("{STATEMENTS}/{id}/file")).await;
    for word in name.split(' ').chain([buyer.phone.as_str(), "GB33BUKB"]) {
        assert!(!rest.contains(word), "{word}: {rest}");
    }
    assert!(
        rest.contains("254.99") && rest.contains("somebody else"),
        "{rest}"
    );
    // The same file given in again is known, and puts nothing back.
    assert_eq!(house.compare("", &file).await["was_known"], true);
    assert_eq!(house.statement_of(&id).await["lines"], told["lines"]);
}

/// Enquires, and names a guarantor, an emergency contact and the student's other spelling in a form.
async fn name_others(house: &House, own: &Visitor<'_>, buyer: &Buyer) {
    let lead = own.post("/api/v0/leads", buyer.lead_body()).await.data().clone();
    let start = json!({ "booking_form": { "lead_uuid": lead["lead_uuid"], "inventory_id": buyer.room, "flow": "book" } });
    let form = own.post("/api/v0/booking_forms", start).await.data().clone();
    for (section, answers) in [
        ("personal_form", json!({ "full_name": "Linnea Quokkason" })),
        (
            "emergency_form",
            json!({ "full_name": "Ingrid Bandicootson", "relation": "mother", "phone": "+447700900777",
                "email": "ingrid.bandicootson@mail.example" }),
        ),
        (
            "guarantor_form",
            json!({ "same_as_emergency": false, "full_name": "Torsten", "email": "torsten.w@mail.example" }),
        ),
    ] {
        let path = format!(
            "/api/v0/booking_forms/{}/sections/{section}",
            form["form_uuid"].as_str().unwrap()
        );
        let saved = own
            .put(&path, json!({ "section": answers, "complete": false }))
            .await;
        assert_eq!(saved.status, StatusCode::OK, "{section}: {}", saved.body);
    }
    house.market.caught_up().await;
}

/// Whoever pays for a student is named in the form; their lines lose their words too, and lines about others keep theirs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_named_in_a_form_go_out_of_kept_lines() {
    let house = House::open().await;
    let own = Visitor::from(&house.market.server, [127, 0, 9, 5]);
    let buyer = house.market.person(3, 0);
    name_others(&house, &own, &buyer).await;
    let [gone, kept] = [
        [
            "BANDICOOTSON INGRID RENT",
            "INGRIDBANDIC OOTSON",
            "tel 07700 900777",
            "ingrid.bandicootson@mail.example",
            "torsten.w@mail.example deposit",
            "QUOKKASON LINNEA",
        ],
        [
            "TORSTEN HARDWARE LTD",
            "INGRID SAYS HELLO",
            "mother",
            "somebody else",
            "tel 07700 900778",
            "other@mail.example",
        ],
    ];
    let lines: Vec<(&str, &str)> = gone.iter().chain(&kept).map(|words| ("7.00", *words)).collect();
    let compared = house.compare("", &house.csv(&lines)).await;
    let id = compared["statement"]["id"].as_str().unwrap().to_owned();
    forget(&house, &buyer).await;

    let told = house.statement_of(&id).await;
    let lines = told["lines"].as_array().unwrap();
    let words: Vec<&str> = lines
        .iter()
        .filter(|line| line["verdict"] != "missing")
        .map(|line| line["reference"].as_str().unwrap())
        .collect();
    let expected: Vec<&str> = gone.iter().map(|_| "").chain(kept).collect();
    assert_eq!(words, expected, "{told}");
    assert_eq!(told["statement"]["redacted"], 6);
}

/// A colleague's note on a line is sealed and shown; it goes with the decision, and with whom it names.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notes_on_lines_go_with_whom_they_name() {
    let house = House::open().await;
    let buyer = house.market.person(1, 0);
    let documents = house.market.server.folder().join("documents");
    // On a database server they lie in its tables.
    let is_in_files = house.market.server.database_name().is_none();
    let assert_sealed = |expected: usize| {
        assert!(!is_in_files || files(&documents).len() == expected, "{expected}");
    };
    let lines = [("7.00", "first"), ("8.00", "second"), ("9.00", "third")];
    let compared = house.compare("", &house.csv(&lines)).await;
    let id = compared["statement"]["id"].as_str().unwrap().to_owned();
    assert_sealed(1);
    let named = format!("paid by the father of {}", buyer.email);
    let note = |words: &str| json!({ "reason": "customer_transfer", "note": words });
    for (place, words) in [(0, named.as_str()), (1, "  rent of the office "), (2, "a slip")] {
        let (status, answer) = house.decide(&id, place, note(words)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        assert_eq!(answer["data"]["decided"]["note"], words.trim(), "{answer}");
    }
    let (status, refused) = house.decide(&id, 1, note(&"x".repeat(401))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    // The same decision once more keeps its first note.
    let (_, again) = house.decide(&id, 1, note("other words")).await;
    assert_eq!(again["data"]["decided"]["note"], "rent of the office", "{again}");
    assert_sealed(4);
    let reopen = format!("{STATEMENTS}/{id}/lines/2/reopen");
    assert_eq!(house.officer.post(&reopen, json!({})).await.0, StatusCode::OK);
    assert_sealed(3);
    forget(&house, &buyer).await;
    let told = house.statement_of(&id).await;
    let notes: Vec<_> = told["lines"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|line| line["verdict"] != "missing")
        .map(|line| line["decided"]["note"].clone())
        .collect();
    assert_eq!(json!(notes), json!([null, "rent of the office", null]), "{told}");
    assert_eq!(told["lines"][0]["decided"]["reason"], "customer_transfer");
    assert_sealed(2);
}
