//! A day is sent as `yyyy-mm-dd` and a month as `yyyy-mm`: every form, filter and report refuses another form by its field.

use serde_json::{Value, json};
use tests::Server;
use tests::words::english;

use crate::market::Market;
use crate::visitor::{Answer, Visitor, enquiry, hold_refused, in_days, some_property};

/// A day and a month without the zero before the month.
const DAY: &str = "2027-9-11";
const MONTH: &str = "2027-9";
const WORKSPACE: &str = "/api/v0/workspace";

fn hold_date_format(answer: &Answer, field: &str, what: &str) {
    hold_refused(answer, field, what);
    let error = &answer.body["errors"][0];
    assert_eq!(error["code"], "date_format", "{what}: {error}");
    assert_eq!(error["message"], english("validation.date_format"), "{what}");
}

fn moving_in(day: &str) -> Value {
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["data"]["move_in_date"] = json!(day);
    body
}

/// An enquiry, its change, a tour and the form of a booking refuse a date that the payment could not read.
#[tokio::test]
async fn students_date_in_another_form_is_refused_by_its_field() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    for loose in [DAY, MONTH, "2027-09-1", "2027- 9-11"] {
        let refused = mei.post("/api/v0/leads", moving_in(loose)).await;
        hold_date_format(&refused, "data/move_in_date", loose);
    }
    let soon = in_days(60);
    let month = soon.get(..7).unwrap();
    let mut tour = moving_in(month);
    tour["lead"]["data"]["property_view_request_details"] =
        json!({ "date": DAY, "slot": "10:00", "timezone": "Europe/London", "mode": "virtual" });
    let tour = mei.post("/api/v0/leads/virtual_tour_request", tour).await;
    hold_date_format(&tour, "data/property_view_request_details/date", "a tour");

    let home = some_property(&mei).await;
    let mut body = moving_in(month);
    body["lead"]["inventory_id"] = json!(home);
    let lead = mei.post("/api/v0/leads", body).await.data().clone();
    assert_eq!(lead["data"]["move_in_date"], month);
    let path = format!("/api/v0/leads/{}", lead["lead_uuid"].as_str().unwrap());
    let change = json!({ "lead": { "data": { "move_in_date": DAY } } });
    hold_date_format(&mei.put(&path, change).await, "data/move_in_date", "a change");

    let form = json!({ "booking_form":
        { "lead_uuid": lead["lead_uuid"], "inventory_id": home, "flow": "book" } });
    let form = mei.post("/api/v0/booking_forms", form).await.data().clone();
    let path = format!(
        "/api/v0/booking_forms/{}/sections/personal_form",
        form["form_uuid"].as_str().unwrap()
    );
    let born = json!({ "section": { "full_name": "Mei Lin", "dob": "2004-5-6" }, "complete": true });
    let refused = mei.put(&path, born).await;
    let mut errors = refused.body["errors"].as_array().unwrap().iter();
    let of_birth = errors
        .find(|error| error["field"] == "personal_form/dob")
        .unwrap();
    assert_eq!(of_birth["code"], "date_format", "{of_birth}");
}

/// Dates that staff change and the filters, reports and files of the workspace are held to the same form.
#[tokio::test]
async fn staffs_date_in_another_form_is_refused_by_its_field() {
    let server = Server::start();
    let (mei, admin) = (Visitor::new(&server), Visitor::new(&server));
    let lead = mei.post("/api/v0/leads", moving_in(&in_days(60))).await;
    let lead = lead.data()["id"].as_str().unwrap().to_owned();
    admin.log_in_as("admin").await;
    let stay = json!({ "act": "change_stay", "reason": "She rang", "move_in_date": DAY });
    let refused = admin.post(&format!("{WORKSPACE}/leads/{lead}/acts"), stay).await;
    hold_date_format(&refused, "data/move_in_date", "an act");
    for (path, field) in [
        ("leads?created_from=2026-9-1", "created_from"),
        ("leads?move_in_to=2027-%209-01", "move_in_to"),
        ("leads/report?from=2026-9-1", "from"),
        ("reads?to=2026-9-1", "to"),
        ("payments/events?from=2026-9-1", "from"),
        ("books/accounts?to=2026-9-1", "to"),
        ("chain/head?day=2026-9-1", "day"),
        ("chain/consistency?from=2026-9-1&to=2026-10-01", "from"),
    ] {
        let refused = admin.get(&format!("{WORKSPACE}/{path}")).await;
        hold_refused(&refused, field, path);
    }
}
