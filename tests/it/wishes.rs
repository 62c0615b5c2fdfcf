//! What an enquiry asks for: its answer and its mail say that, and not what another one asked for before.

use serde_json::json;

use crate::letters::first;
use crate::market::Market;
use crate::visitor::{Visitor, enquiry, in_days, some_property};

/// A tour after an enquiry is a first tour, a wait a first wait; only the same asked for again is a repeat of it.
#[tokio::test]
async fn first_tour_after_an_enquiry_is_a_first_tour() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, bo) = (Visitor::new(&server), Visitor::new(&server));
    mei.log_in("mei@example.com").await;
    let home = some_property(&mei).await;
    let body = |email: &str, variant: &str, number: usize| {
        let mut body = enquiry("Mei Lin", email);
        body["lead"]["inventory_id"] = json!(home);
        body["lead"]["meta"] = json!({ "variant": variant });
        body["lead"]["data"]["user_query"] = json!(format!("Is there a bike store? {number}"));
        body
    };
    let sent = [
        ("enquire", false),
        ("virtual_tour_enquiry", false),
        ("join_waitlist", false),
        ("book_now", false),
        ("virtual_tour_enquiry", true),
        ("apply_now", true),
        ("enquire", true),
    ];
    for (number, (variant, again)) in sent.into_iter().enumerate() {
        let lead = mei
            .post("/api/v0/leads", body("mei@example.com", variant, number))
            .await;
        let lead = lead.data();
        assert_eq!(lead["repeat"], number > 0, "{variant}");
        assert_eq!(lead["repeats_wish"], again, "{variant}");
    }
    // A tour that was asked for on an enquiry is one; who shows the link of another lead hears of that lead alone.
    let enquired = bo
        .post("/api/v0/leads", body("bo@example.com", "enquire", 8))
        .await;
    let mut tour = body("bo@example.com", "enquire", 9);
    tour["lead"]["lead_uuid"] = enquired.data()["lead_uuid"].clone();
    let day = in_days(3);
    tour["lead"]["data"]["property_view_request_details"] =
        json!({ "date": day, "slot": "11:00", "timezone": "Europe/London", "mode": "virtual" });
    let toured = bo.post("/api/v0/leads/virtual_tour_request", tour).await;
    let mut second = body("mei@example.com", "virtual_tour_enquiry", 10);
    second["lead"]["lead_uuid"] = toured.data()["lead_uuid"].clone();
    let second = bo.post("/api/v0/leads", second).await;
    assert_eq!(second.data()["repeats_wish"], true);
    let mut waits = body("mei@example.com", "join_waitlist", 11);
    waits["lead"]["lead_uuid"] = toured.data()["lead_uuid"].clone();
    let waits = bo.post("/api/v0/leads", waits).await;
    assert_eq!(
        waits.data()["repeats_wish"],
        false,
        "that Mei waits is no news for Bo"
    );
}

/// The mail says what was asked for: only an enquiry is called one.
#[tokio::test]
async fn mail_says_what_the_sender_asked_for() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let home = some_property(&mei).await;
    let kinds = [
        ("enquire", "lead_enquired"),
        ("contact_us", "lead_enquired"),
        ("apply_now", "lead_booking"),
        ("ask_question_faq_cta", "lead_question"),
        ("virtual_tour_enquiry", "lead_tour"),
        ("join_waitlist", "lead_waitlisted"),
        ("get_help", "lead_help"),
        ("generic_form", "lead_anywhere"),
    ];
    for (number, (variant, kind)) in kinds.into_iter().enumerate() {
        let email = format!("mei{number}@example.com");
        let mut body = enquiry("Mei Lin", &email);
        body["lead"]["meta"] = json!({ "variant": variant });
        body["lead"]["data"]["user_query"] = json!("Is there a bike store?");
        if !matches!(kind, "lead_help" | "lead_anywhere") {
            body["lead"]["inventory_id"] = json!(home);
        }
        mei.post("/api/v0/leads", body).await.data();
        let mail = first(&mei, &email, kind).await;
        let subject = mail["subject"].as_str().unwrap();
        let calls_it_enquiry = matches!(kind, "lead_enquired" | "lead_anywhere");
        assert_eq!(subject.contains("enquiry"), calls_it_enquiry, "{subject}");
    }
}
