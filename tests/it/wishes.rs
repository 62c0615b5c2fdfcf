//! What an enquiry asks for: its answer and its mail say that, and not what another one asked for before.

use serde_json::json;

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
        json!({ "date": day, "slot": "11:00", "timezone": "Europe/London" });
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
