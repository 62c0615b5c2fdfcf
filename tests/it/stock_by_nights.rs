//! A room type of so many rooms is let so many times for any night: leases share it, feeds free nothing that is taken, and more bookings
//! than rooms close it (decision 0022).

use std::sync::{Arc, Mutex};

use domain::id::InventoryId;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::room_offer::RoomOffer;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Append, Context, Expected, NewEvent, StreamAppend, StreamId, commit};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::Server;
use uuid::Uuid;

use crate::market::{AUTUMN, Buyer, House, Market, log_of, sample, until};
use crate::visitor::Visitor;

const GOOD: &str = "4242424242424242";
const WINTER: &str = "2028-01-08";
/// After 44 weeks from the autumn.
const NEXT_AUTUMN: &str = "2028-09-09";
const HOUSE: &str = "bloomsbury-row-london";
const HOME: &str = "0193a000-0000-7000-8000-000000000001";

/// Rooms left of the first room type, and of each of its leases.
async fn left(server: &Server, home: &str) -> Value {
    let path = server.url(&format!("/api/v0/inventories/{home}/room_types"));
    let rooms: Value = reqwest::get(path).await.unwrap().json().await.unwrap();
    let room = &rooms["data"]["result"][0];
    let options = room["options"].as_array().map_or(&[][..], Vec::as_slice);
    let of_each: Vec<&Value> = options.iter().map(|option| &option["rooms_left"]).collect();
    json!([room["rooms_left"], of_each])
}

pub(crate) async fn left_becomes(server: &Server, home: &str, wanted: Value) {
    until(|| async { (left(server, home).await == wanted).then_some(()) }).await;
}

/// Enquires for a stay and opens its payment.
async fn opened(buyer: &Buyer, (day, length): (&str, &str)) -> String {
    let mut body = buyer.lead_body();
    body["lead"]["data"] = json!({ "move_in_date": day, "lease_duration": length });
    let (status, lead) = buyer.post("/api/v0/leads", body).await;
    assert!(status.is_success(), "{lead}");
    let lead_uuid = lead["data"]["lead_uuid"].as_str().unwrap();
    buyer.open_for(lead_uuid, &buyer.room).await
}

/// Pays for a stay; gives `success`, or why the payment was not begun.
pub(crate) async fn booked(buyer: &Buyer, stay: (&str, &str)) -> String {
    let token = opened(buyer, stay).await;
    let end = match buyer.begin(&token).await["status"].as_str() {
        Some("initiated") => buyer.pay(&token, GOOD).await["status"].clone(),
        other => json!(other),
    };
    end.as_str().unwrap().to_owned()
}

/// Lets the provider or the house act while the server does not run.
pub(crate) async fn while_it_rests(market: &mut Market, commands: Vec<InventoryCommand>) {
    market.caught_up().await;
    market.server.kill();
    let log = log_of(&market.server).await;
    let home = InventoryId(HOME.parse().unwrap());
    let context = Context::new("2026-12-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    for command in commands {
        commit::<Inventory>(&log, home, command, &context).await.unwrap();
    }
    drop(log);
    market.kill_and_restart();
}

fn offer(market: &Market, rooms: u32, leases: &[(&str, u16)]) -> InventoryCommand {
    let lease = |(day, weeks): &(&str, u16)| -> LeaseOption {
        let lease = json!({ "move_in": day, "length": { "duration": weeks, "unit": "weeks" }, "price_minor": 28_900,
            "rooms_available": rooms });
        serde_json::from_value(lease).unwrap()
    };
    InventoryCommand::OfferLeases {
        room: InventoryId(market.rooms[0].parse().unwrap()),
        offer: RoomOffer {
            rooms: Some(rooms),
            is_count_said: true,
            leases: leases.iter().map(lease).collect(),
        },
    }
}

#[tokio::test]
async fn leases_of_the_same_nights_share_the_last_room() {
    let house = House {
        rooms: vec![vec![
            (AUTUMN, 44, 1),
            (AUTUMN, 51, 1),
            (WINTER, 26, 1),
            (NEXT_AUTUMN, 44, 1),
        ]],
        token_minor: 0,
    };
    let market = Market::with(&house, &[]).await;
    let people: Vec<Buyer> = (0..4).map(|n| market.person(n, 0)).collect();
    assert_eq!(booked(&people[0], (AUTUMN, "44 weeks")).await, "success");
    assert_eq!(booked(&people[1], (AUTUMN, "51 weeks")).await, "sold_out");
    assert_eq!(booked(&people[2], (WINTER, "26 weeks")).await, "sold_out");
    left_becomes(&market.server, HOUSE, json!([1, [0, 0, 0, 1]])).await;
    assert_eq!(booked(&people[3], (NEXT_AUTUMN, "44 weeks")).await, "success");
    left_becomes(&market.server, HOUSE, json!([0, [0, 0, 0, 0]])).await;
}

/// Imports one home whose lease begins on a day; gives what was said.
fn import(server: &Server, move_in: &str) -> String {
    let [feed, map, report] = ["feed.csv", "map.toml", "errors.csv"].map(|name| server.beside(name));
    let row = "s-1,Aspen Hall,GB,Leeds,53.8,-1.5,145.50,GBP,week,Private room";
    let columns = "id,name,country,city,lat,lng,price,currency,price_per,room_type";
    std::fs::write(&feed, format!("{columns}\n{row}\n")).unwrap();
    std::fs::write(&map, format!(
        "feed = \"stock\"\n[columns]\nmove_in = {{ value = \"{move_in}\" }}\nlength = {{ value = \"44 weeks\" }}\n"
    )).unwrap();
    let [feed, map, report] = [&feed, &map, &report].map(|path| path.to_str().unwrap());
    server.run(&["import", feed, "--map", map, "--report", report])
}

/// A person who wants a room of an imported home.
pub(crate) fn find_buyer(server: &Server, room: &str, name: &str, phone: &str) -> Buyer {
    Buyer {
        client: Client::new(),
        address: Arc::new(Mutex::new(server.url(""))),
        email: format!("{name}@example.com"),
        phone: phone.to_owned(),
        room: room.to_owned(),
        kept: Arc::default(),
    }
}

#[tokio::test]
async fn booked_room_is_not_sold_again_by_the_next_feed() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    assert!(import(&server, "2027-09-01").contains("1 added"));
    let home = "aspen-hall-s-1";
    // Its feed does not say how many rooms there are.
    left_becomes(&server, home, json!([null, [null]])).await;
    let path = server.url(&format!("/api/v0/inventories/{home}/room_types"));
    let rooms: Value = reqwest::get(path).await.unwrap().json().await.unwrap();
    let room = rooms["data"]["result"][0]["id"].as_str().unwrap().to_owned();
    let person = |name: &str, phone: &str| find_buyer(&server, &room, name, phone);
    let (ada, ben) = (person("ada", "+44+7900000001"), person("ben", "+44+7900000002"));
    let cy = person("cy", "+44+7900000003");
    assert_eq!(booked(&ada, ("2027-09-01", "44 weeks")).await, "success");
    left_becomes(&server, home, json!([0, [0]])).await;
    assert!(import(&server, "2027-09-15").contains("1 changed"));
    until(|| async {
        let path = server.url(&format!("/api/v0/inventories/{home}/room_types"));
        let rooms: Value = reqwest::get(path).await.unwrap().json().await.unwrap();
        let day = &rooms["data"]["result"][0]["options"][0]["move_in_date"];
        (*day == json!("2027-09-15")).then_some(())
    })
    .await;
    assert_eq!(left(&server, home).await, json!([0, [0]]));
    assert_eq!(booked(&ben, ("2027-09-15", "44 weeks")).await, "sold_out");
    // A season later the room is free again.
    assert!(import(&server, "2028-09-01").contains("1 changed"));
    left_becomes(&server, home, json!([null, [null]])).await;
    assert_eq!(booked(&cy, ("2028-09-01", "44 weeks")).await, "success");
}

/// Imports a home whose rooms have these keys and names, each one room for 44 weeks; gives the report.
fn import_rooms(server: &Server, rooms: &[(&str, &str)]) -> String {
    let lease = json!({ "price": 145.5, "currency": "GBP", "price_per": "week", "move_in": "2027-09-01",
        "length": "44 weeks" });
    let room = |(key, name): &(&str, &str)| json!({ "room_id": key, "room_name": name, "room_type": "studio", "rooms_total": 1, "leases": [lease] });
    let rooms: Vec<Value> = rooms.iter().map(room).collect();
    let home = json!([{ "id": "s-2", "name": "Birch Hall", "country": "GB", "city": "Leeds", "lat": 53.8, "lng": -1.5,
        "rooms": rooms }]);
    let [feed, report] = ["rooms.json", "rooms.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, home.to_string()).unwrap();
    let [feed, report] = [&feed, &report].map(|path| path.to_str().unwrap());
    server.run(&["import", feed, "--feed", "stock", "--report", report]);
    std::fs::read_to_string(report).unwrap()
}

/// Id and rooms left of the room of that name.
async fn named_room(server: &Server, name: &str) -> Option<(String, Value)> {
    let path = server.url("/api/v0/inventories/birch-hall-s-2/room_types");
    let rooms: Value = reqwest::get(path).await.unwrap().json().await.unwrap();
    let rooms = rooms["data"]["result"].as_array()?;
    let room = rooms.iter().find(|room| room["name"] == name)?;
    Some((room["id"].as_str()?.to_owned(), room["rooms_left"].clone()))
}

/// A feed that gives a booked room another id, and lists it first, frees none of its nights.
#[tokio::test]
async fn booked_room_stays_booked_under_another_id_of_its_feed() {
    let server = Server::start();
    import_rooms(&server, &[("A", "Loft"), ("B", "Garden studio")]);
    let (room, _) = until(|| named_room(&server, "Garden studio")).await;
    let ada = find_buyer(&server, &room, "ada", "+44+7900000001");
    assert_eq!(booked(&ada, ("2027-09-01", "44 weeks")).await, "success");
    until(|| async {
        let found = named_room(&server, "Garden studio").await;
        found.filter(|(_, left)| *left == json!(0))
    })
    .await;
    let report = import_rooms(&server, &[("C", "Attic"), ("B2", "Garden studio"), ("A", "Loft")]);
    assert!(
        report.contains("\"changed\"") && report.contains("the room was `b` before"),
        "{report}"
    );
    // The new room is there once the feed's is read.
    until(|| named_room(&server, "Attic")).await;
    let (still, left) = named_room(&server, "Garden studio").await.unwrap();
    assert_eq!((still, left), (room.clone(), json!(0)));
    let ben = find_buyer(&server, &room, "ben", "+44+7900000002");
    assert_eq!(booked(&ben, ("2027-09-01", "44 weeks")).await, "sold_out");
}

/// The room types with more bookings than rooms, as the health page says to a person who has not logged in just now: a second code comes
/// half a minute after the first.
async fn oversold(market: &Market, role: &str) -> Value {
    let desk = Visitor::new(&market.server);
    desk.log_in_as(role).await;
    let health = desk.get("/api/v0/workspace/health").await;
    health.data()["oversold_rooms"].clone()
}

/// Fewer rooms than are booked close the type for every night, and the health page names the bookings; enough rooms open it.
#[tokio::test]
async fn more_bookings_than_rooms_close_the_type_and_are_named() {
    let mut market = Market::open(&[2], &[]).await;
    for n in 0..2 {
        let buyer = market.person(n, 0);
        assert_eq!(booked(&buyer, (AUTUMN, "44 weeks")).await, "success");
    }
    let both = [(AUTUMN, 44), (NEXT_AUTUMN, 44)];
    let fewer = offer(&market, 1, &both);
    while_it_rests(&mut market, vec![fewer]).await;
    left_becomes(&market.server, HOUSE, json!([0, [0, 0]])).await;
    let late = market.person(7, 0);
    assert_eq!(booked(&late, (NEXT_AUTUMN, "44 weeks")).await, "sold_out");
    let health = oversold(&market, "support").await;
    assert_eq!(health.as_array().unwrap().len(), 1, "{health}");
    assert_eq!(
        (&health[0]["room_id"], &health[0]["rooms"]),
        (&json!(market.rooms[0]), &json!(1)),
        "{health}"
    );
    assert_eq!(health[0]["bookings"].as_array().unwrap().len(), 2, "{health}");
    let enough = offer(&market, 2, &both);
    while_it_rests(&mut market, vec![enough]).await;
    left_becomes(&market.server, HOUSE, json!([2, [0, 2]])).await;
    assert_eq!(oversold(&market, "admin").await, json!([]));
}

/// A home that is taken down keeps what is booked and held of it: who holds a room pays for it, and once it is listed again both are taken.
#[tokio::test]
async fn taken_down_home_keeps_its_bookings_and_holds() {
    let mut market = Market::open(&[3], &[]).await;
    let (booker, holder, late) = (market.person(1, 0), market.person(2, 0), market.person(3, 0));
    let lead = late.enquire().await;
    assert_eq!(booked(&booker, (AUTUMN, "44 weeks")).await, "success");
    let held = opened(&holder, (AUTUMN, "44 weeks")).await;
    assert_eq!(holder.begin(&held).await["status"], "initiated");
    while_it_rests(&mut market, vec![InventoryCommand::Deactivate]).await;
    assert_eq!(holder.pay(&held, GOOD).await["status"], "success");
    let asked = json!({ "payment": { "lead_uuid": lead, "inventory_id": late.room } });
    let (status, refused) = late.post("/api/v0/payments", asked).await;
    assert_eq!(status, StatusCode::CONFLICT, "{refused}");
    while_it_rests(&mut market, vec![InventoryCommand::Activate]).await;
    left_becomes(&market.server, HOUSE, json!([1, [1]])).await;
}

/// A home as a program wrote it that counted no rooms yet.
async fn write_old_home(server: &Server, leases: Value) {
    let log = log_of(server).await;
    let mut priced = sample("RoomPriced");
    priced["leases"] = leases;
    let events = [
        ("PropertyListed", sample("PropertyListed")),
        ("RoomListed", sample("RoomListed")),
        ("RoomPriced", priced),
        ("PropertyActivated", sample("PropertyActivated")),
    ];
    let events = events.map(|(event_type, payload)| NewEvent {
        event_id: Uuid::now_v7(),
        event_type: event_type.to_owned(),
        schema_version: 1,
        payload: json!({ event_type: payload }).to_string().into_bytes(),
        subject: None,
        personal: None,
    });
    let context = Context::new("2026-11-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    let mut append = Append::new(&context);
    append.streams.push(StreamAppend {
        stream: StreamId::stored("inventory", HOME.parse().unwrap()),
        expected: Expected::Any,
        events: events.to_vec(),
    });
    log.append(append).await.unwrap();
}

/// The leases of an old list say how many rooms there are by what they let together for one night.
#[tokio::test]
async fn old_price_list_is_counted_by_its_nights() {
    let mut server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    server.kill();
    let mut leases = sample("RoomPriced")["leases"].clone();
    let mut longer = leases[0].clone();
    leases[0]["rooms_available"] = json!(2);
    longer["rooms_available"] = json!(1);
    longer["length"]["duration"] = json!(51);
    write_old_home(&server, json!([leases[0], longer])).await;
    server.restart();
    left_becomes(&server, HOUSE, json!([3, [3, 1]])).await;
    let path = server.url(&format!("/api/v0/inventories/{HOUSE}"));
    let home: Value = reqwest::get(path).await.unwrap().json().await.unwrap();
    assert_eq!(home["data"]["rooms_left"], 3, "{home}");
}
