//! What a feed says of rooms and leases beside price and length: shown where it is said, and a lease past its last day to book is not booked.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{Buyer, until};
use crate::stock_by_nights::find_buyer;
use crate::visitor::{Visitor, in_days};

const COLUMNS: &str = "property_id,room_id,name,country,city,lat,lng,provider,room_name,room_type,floor,sleeps,price,currency,\
    price_per,move_in,move_in_until,length,end,deposit,booking_deadline";
const HOME: &str = "alder-court-t-1";

/// Imports a home with one room type of three leases: one can still be booked, the last day of another was yesterday, and one takes no
/// deposit.
fn import(server: &Server) {
    let about = "t-1,r-1,Alder Court,GB,Leeds,53.8,-1.55,Acorn Rooms,Loft,ensuite,3rd floor,3";
    let (open, over) = (in_days(30), in_days(-1));
    let rows = format!(
        "{COLUMNS}\n\
         {about},185,GBP,week,2028-09-01,2028-09-15,40 weeks,2029-06-08,300,{open}\n\
         {about},195,GBP,week,2028-09-01,,20 weeks,,400,{over}\n\
         {about},190,GBP,week,2028-09-01,,30 weeks,,0,\n"
    );
    let [feed, report] = ["terms.csv", "report.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, rows).unwrap();
    let [feed, lines] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--feed", "terms", "--report", lines]);
    assert!(said.contains("1 added"), "{said}");
}

/// Enquires for a length and asks to pay.
async fn ask(buyer: &Buyer, length: &str) -> (StatusCode, Value) {
    let mut body = buyer.lead_body();
    body["lead"]["data"] = json!({ "move_in_date": "2028-09-01", "lease_duration": length });
    let (status, lead) = buyer.post("/api/v0/leads", body).await;
    assert!(status.is_success(), "{lead}");
    let lead_uuid = &lead["data"]["lead_uuid"];
    let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": buyer.room } });
    buyer.post("/api/v0/payments", asked).await
}

#[tokio::test]
async fn terms_of_rooms_and_leases_are_shown_where_they_are_said() {
    let server = Server::start();
    import(&server);
    let visitor = Visitor::new(&server);
    let page = until(|| async {
        let page = visitor.get(&format!("/_page?url=/places/{HOME}")).await.body["data"]["data"].clone();
        page["room_types"].is_array().then_some(page)
    })
    .await;
    let facts = page["facts"].as_array().unwrap();
    let is_named = facts.iter().any(|fact| fact["title"] == "Let by Acorn Rooms");
    assert!(is_named, "{facts:?}");
    let room = &page["room_types"][0];
    for fact in ["floor 3", "for up to 3 people"] {
        assert!(room["facts"].as_array().unwrap().contains(&json!(fact)), "{room}");
    }
    let options = room["options"].as_array().unwrap();
    let of = |weeks: u64| {
        options
            .iter()
            .find(|option| option["lease_duration"] == weeks)
            .unwrap()
    };
    let (open, over) = (of(40), of(20));
    assert_eq!(
        of(30)["deposit"]["amount_minor"],
        0,
        "it is said that there is none"
    );
    let asks_nothing = |weeks| of(weeks)["nothing_due"].clone();
    assert_eq!(
        [40, 20, 30].map(asks_nothing),
        [json!(false), json!(false), json!(true)],
        "the page says before that it is asked about"
    );
    assert_eq!(open["book_by"], json!(in_days(30)));
    assert_eq!(open["move_in_until"], "2028-09-15");
    assert_eq!(open["ends_on"], "2029-06-08");
    assert_eq!(open["deposit"]["amount_minor"], 30_000);
    assert_eq!(open["booking_over"], false);
    for absent in ["move_in_until", "ends_on"] {
        assert_eq!(over[absent], Value::Null, "{absent}");
    }
    assert_eq!(
        (&over["booking_over"], &over["rooms_left"]),
        (&json!(true), &json!(0))
    );
    // What is due first is the deposit of the lease that can be had.
    let due = page["payment_summary"].as_array().unwrap();
    let deposit = due
        .iter()
        .find(|line| line["amount"]["amount_minor"] == 30_000)
        .unwrap();
    assert_eq!(deposit["is_default"], false);
    // A payment asks for the deposit of its own lease, and for no other where that has none.
    let room = room["id"].as_str().unwrap();
    let ada = find_buyer(&server, room, "ada", "+44+7900000001");
    let (status, opened) = ask(&ada, "40 weeks").await;
    assert_eq!(status, StatusCode::CREATED, "{opened}");
    let lines = &opened["data"]["lines"];
    assert_eq!(
        (&lines[0]["amount_minor"], &lines[0]["is_default"]),
        (&json!(30_000), &json!(false)),
        "{lines}"
    );
    let ben = find_buyer(&server, room, "ben", "+44+7900000002");
    let (status, refused) = ask(&ben, "30 weeks").await;
    assert_eq!(
        (status, &refused["message"]["code"]),
        (StatusCode::CONFLICT, &json!("nothing_due"))
    );
}

/// Nothing is written when a last day to book is over: search, page and payment know it all the same.
#[tokio::test]
async fn lease_past_its_last_day_cannot_be_had_from_that_moment() {
    let mut server = Server::start();
    server.unlike_its_log("its clock is put forward past a day that its search looks at");
    let (feed, report) = (server.beside("day.csv"), server.beside("report.csv"));
    let row = format!(
        "t-1,r-1,Alder Court,GB,Leeds,53.8,-1.55,,Loft,ensuite,,,185,GBP,week,2028-09-01,,40 weeks,,300,{}",
        in_days(1)
    );
    std::fs::write(&feed, format!("{COLUMNS}\n{row}\n")).unwrap();
    let [feed, report] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--feed", "terms", "--report", report]);
    assert!(said.contains("1 added"), "{said}");
    let visitor = Visitor::new(&server);
    let search = "/api/v1/inventories?region_canonical_name=leeds&available=true";
    let finds = async |homes: u64| {
        until(|| async {
            let found = visitor.get(search).await.body["data"]["meta"]["count"].clone();
            (found == homes).then_some(())
        })
        .await;
    };
    finds(1).await;
    let forward = json!({ "forward_seconds": 3 * 86_400 });
    let clock = visitor.post("/dev/clock", forward).await;
    assert_eq!(clock.status, StatusCode::OK);
    finds(0).await;
    let page = visitor.get(&format!("/_page?url=/places/{HOME}")).await;
    let room = page.body["data"]["data"]["room_types"][0].clone();
    assert_eq!(room["available"], false, "{room}");
    assert_eq!(room["options"][0]["booking_over"], true, "{room}");
    let buyer = find_buyer(&server, room["id"].as_str().unwrap(), "ada", "+44+7900000001");
    let (status, refused) = ask(&buyer, "40 weeks").await;
    assert_eq!(
        (status, &refused["message"]["code"]),
        (StatusCode::CONFLICT, &json!("not_bookable"))
    );
}
