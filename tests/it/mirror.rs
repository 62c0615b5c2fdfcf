//! The state mirror (row N11): a student reads out a code, support sees where they stand, and either ends it.

use std::time::{Duration, Instant};

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::nodes::{market_on_postgres, node_beside};
use crate::streams::rest;
use crate::visitor::Visitor;

/// How soon the other side sees a change (M11).
const LIVE: Duration = Duration::from_secs(1);

/// A stream as far as it was read.
struct Told {
    stream: Response,
    text: String,
}

impl Told {
    async fn by(visitor: &Visitor<'_>, path: &str) -> Self {
        let stream = visitor.open(path).await;
        Self {
            stream,
            text: String::new(),
        }
    }

    /// Reads on until the stream has told of `wanted`; answers how long that took.
    async fn until(&mut self, wanted: &str) -> Duration {
        let since = Instant::now();
        while !self.text.contains(wanted) {
            let piece = tokio::time::timeout(Duration::from_secs(10), self.stream.chunk()).await;
            let piece = piece.unwrap_or_else(|_| panic!("no {wanted} in {}", self.text));
            let piece = piece
                .unwrap()
                .unwrap_or_else(|| panic!("ended without {wanted}: {}", self.text));
            self.text.push_str(&String::from_utf8_lossy(&piece));
        }
        since.elapsed()
    }
}

/// A mirror whose code was not yet typed.
struct Offered {
    id: String,
    code: String,
}

impl Offered {
    async fn by(student: &Visitor<'_>, page: &str) -> Self {
        let made = student
            .post("/api/v0/users/mirrors", json!({ "page": page }))
            .await;
        let text = |name: &str| made.data()[name].as_str().unwrap().to_owned();
        Self {
            id: text("mirror_id"),
            code: text("code"),
        }
    }

    fn own(&self, of: &str) -> String {
        format!("/api/v0/users/mirrors/{}{of}", self.id)
    }

    fn desk(&self, of: &str) -> String {
        format!("/api/v0/workspace/mirrors/{}{of}", self.id)
    }
}

fn step(state: &str, faults: &Value) -> Value {
    json!({ "page": "booking_form", "state": state, "guards": ["answers_complete"], "faults": faults,
        "fields": ["postcode", "address_line_1"], "retries": 2, "declined": null })
}

async fn begin(staff: &Visitor<'_>, code: &str) -> Value {
    let begun = staff
        .post("/api/v0/workspace/mirrors", json!({ "code": code }))
        .await;
    begun.data().clone()
}

async fn people(server: &Server) -> (Visitor<'_>, Visitor<'_>) {
    let (student, staff) = (Visitor::new(server), Visitor::new(server));
    student.log_in("mei@uni.example").await;
    staff.log_in_as("support").await;
    (student, staff)
}

/// The student's own list of mirrors.
async fn listed(student: &Visitor<'_>) -> Value {
    student.get("/api/v0/users/mirrors").await.data().clone()
}

/// A student at a failing condition is seen within a second, never a digit of a card; their End stops it, and their history keeps the
/// seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mirror_shows_steps_until_consent_ends() {
    let server = Server::start();
    let (student, staff) = people(&server).await;
    let offered = Offered::by(&student, "booking_form").await;
    assert_eq!(
        staff.get(&offered.desk("/stream")).await.status,
        StatusCode::FORBIDDEN
    );
    let early = student
        .put(&offered.own("/report"), step("filling.kept", &json!([])))
        .await;
    assert_eq!(
        (early.status, early.code()),
        (StatusCode::CONFLICT, "mirror_not_open")
    );

    let begun = begin(&staff, &offered.code).await;
    assert_eq!(begun["mirror_id"], offered.id.as_str());
    let mut seen = Told::by(&staff, &offered.desk("/stream")).await;
    let mut page = Told::by(&student, &offered.own("/stream")).await;
    page.until("\"state\":\"open\"").await;
    let faults = json!([{ "field": "postcode", "code": "booking.fault_required" }]);
    student
        .put(&offered.own("/report"), step("filling.kept", &faults))
        .await
        .data();
    assert!(seen.until("booking.fault_required").await < LIVE);
    assert!(seen.text.contains("answers_complete") && seen.text.contains("filling.kept"));

    let card = json!([{ "field": "postcode", "code": "4242424242424242" }]);
    let refused = student
        .put(&offered.own("/report"), step("filling.kept", &card))
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["faults"]);

    let nudge = json!({ "field": "postcode", "sentence": "goes_here" });
    staff.post(&offered.desk("/nudges"), nudge).await.data();
    assert!(page.until("goes_here").await < LIVE);
    assert_eq!(listed(&student).await[0]["seconds"], Value::Null, "it lasts");

    student.wait(20).await;
    student.delete(&offered.own("")).await.data();
    let last = rest(seen.stream).await;
    assert!(!last.contains("4242"), "{last}");
    for of in ["/stream", "/nudges"] {
        let after = if of == "/stream" {
            staff.get(&offered.desk(of)).await
        } else {
            let nudge = json!({ "field": "postcode", "sentence": "goes_here" });
            staff.post(&offered.desk(of), nudge).await
        };
        assert_eq!(
            (after.status, after.code()),
            (StatusCode::FORBIDDEN, "no_consent")
        );
    }
    let own = listed(&student).await[0].clone();
    assert!(own["seconds"].as_u64().unwrap() >= 20, "{own}");
    assert_eq!(own["ended_by"], "student");
    assert_eq!(
        (&own["role"], &own["page"]),
        (&json!("support"), &json!("booking_form"))
    );
}

/// A code opens one mirror, for ten minutes, for one member of staff; guesses are few.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mirror_codes_open_once_and_are_limited() {
    let server = Server::start();
    let (student, staff) = people(&server).await;
    let first = Offered::by(&student, "payment").await;
    let offered = Offered::by(&student, "payment").await;
    let wrong = |code: String| {
        let staff = &staff;
        async move {
            let refused = staff
                .post("/api/v0/workspace/mirrors", json!({ "code": code }))
                .await;
            (refused.status, refused.fields().join(","))
        }
    };
    let refused = (StatusCode::UNPROCESSABLE_ENTITY, "code".to_owned());
    assert_eq!(wrong(first.code).await, refused, "a newer code stands for it");
    begin(&staff, &offered.code).await;
    assert_eq!(wrong(offered.code.clone()).await, refused, "it was used");
    let colleague = Visitor::new(&server);
    colleague.log_in_as("admin").await;
    let other = colleague.get(&offered.desk("/stream")).await;
    assert_eq!(other.status, StatusCode::FORBIDDEN);
    let stranger = Visitor::new(&server);
    stranger.log_in("li@uni.example").await;
    assert_eq!(
        stranger.delete(&offered.own("")).await.status,
        StatusCode::NOT_FOUND
    );

    let late = Offered::by(&student, "payment").await;
    assert_eq!(
        listed(&student).await[0]["ended_by"],
        "student",
        "a new code ends the open mirror"
    );
    student.wait(601).await;
    assert_eq!(wrong(late.code).await, refused, "ten minutes are over");
    let mut tries = Vec::new();
    for _ in 0..11 {
        tries.push(wrong("000000".to_owned()).await.0);
    }
    assert_eq!(tries.last(), Some(&StatusCode::TOO_MANY_REQUESTS));
}

/// A mirror ends by its time, when the page is closed, and with the login.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mirror_ends_by_time_leaving_and_logout() {
    let server = Server::start();
    let (student, staff) = people(&server).await;
    let ended = |reason: &'static str| {
        let student = &student;
        async move {
            until(|| async { (listed(student).await[0]["ended_by"] == reason).then_some(()) }).await;
        }
    };
    let offered = Offered::by(&student, "payment").await;
    begin(&staff, &offered.code).await;
    let page = student.open(&offered.own("/stream")).await;
    student.wait(1_801).await;
    ended("time").await;
    assert!(rest(page).await.contains("\"over\""));

    let offered = Offered::by(&student, "payment").await;
    begin(&staff, &offered.code).await;
    student.wait(31).await;
    ended("left").await;

    let offered = Offered::by(&student, "payment").await;
    begin(&staff, &offered.code).await;
    let page = student.open(&offered.own("/stream")).await;
    let seen = staff.open(&offered.desk("/stream")).await;
    student.post("/api/v0/users/logout", json!({})).await;
    rest(page).await;
    rest(seen).await;
    student.log_in("mei@uni.example").await;
    ended("logout").await;
}

/// Student and staff are at different nodes of one database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mirror_crosses_nodes_within_a_second() {
    let market = market_on_postgres(&[1]).await;
    let elsewhere = node_beside(&market.server);
    let (student, staff) = people(&market.server).await;
    let staff = staff.moved(&elsewhere);
    let offered = Offered::by(&student, "booking_form").await;
    begin(&staff, &offered.code).await;
    let mut seen = Told::by(&staff, &offered.desk("/stream")).await;
    seen.until("mirror_id").await;
    student
        .put(&offered.own("/report"), step("filling.saving", &json!([])))
        .await
        .data();
    assert!(seen.until("filling.saving").await < LIVE);
    let mut page = Told::by(&student, &offered.own("/stream")).await;
    let nudge = json!({ "field": "postcode", "sentence": "check_this" });
    staff.post(&offered.desk("/nudges"), nudge).await.data();
    assert!(page.until("check_this").await < LIVE);
    staff.delete(&offered.desk("")).await.data();
    assert!(rest(page.stream).await.contains("\"over\""));
}

/// A logout closes the student's page as well, so that only the log tells the node of staff; a code of that login opens nothing afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mirror_ends_with_the_login_within_a_second() {
    let market = market_on_postgres(&[1]).await;
    let elsewhere = node_beside(&market.server);
    let (student, staff) = people(&market.server).await;
    let staff = staff.moved(&elsewhere);
    let offered = Offered::by(&student, "payment").await;
    begin(&staff, &offered.code).await;
    let mut seen = Told::by(&staff, &offered.desk("/stream")).await;
    seen.until("mirror_id").await;
    student.post("/api/v0/users/logout", json!({})).await;
    assert!(seen.until("\"ended_by\":\"logout\"").await < LIVE);

    let other = Visitor::new(&market.server);
    other.log_in("li@uni.example").await;
    let unused = Offered::by(&other, "payment").await;
    other.post("/api/v0/users/logout", json!({})).await;
    let refused = staff
        .post("/api/v0/workspace/mirrors", json!({ "code": unused.code }))
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["code"]);
}
