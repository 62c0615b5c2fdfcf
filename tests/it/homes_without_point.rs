//! Homes of a feed that says no point: found under their city, and nothing says where in it they stand (decision 0047).

use reqwest::Client;
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::visitor::Visitor;

/// Homes with a point and without one, one of them in a city that nobody knows, and one in a city that a later row's home opens.
const ROWS: &str = "id,name,country,city,lat,lng,price,currency,price_per,room_type\n\
    w-1,Birch Hall,GB,Leeds,53.8,-1.55,185,GBP,week,Entire home/apt\n\
    w-2,Quarry House,GB,Leeds,,,190,GBP,week,Entire home/apt\n\
    w-3,Moor Row,GB,Nowhere-on-Sea,,,195,GBP,week,Entire home/apt\n\
    w-4,Mill House,GB,Elsewhere-on-Sea,,,195,GBP,week,Entire home/apt\n\
    w-5,Gull House,GB,Elsewhere-on-Sea,50.7,-1.3,195,GBP,week,Entire home/apt\n";
const MAP: &str = "feed = \"pointless\"\n[columns]\nmove_in = { value = \"2028-09-01\" }\n\
    length = { value = \"40 weeks\" }\n";
const UNPLACED: &str = "quarry-house-w-2";

/// Imports the homes; gives the report.
fn import(server: &Server) -> String {
    let [feed, map, report] = ["homes.csv", "map.toml", "report.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, ROWS).unwrap();
    std::fs::write(&map, MAP).unwrap();
    let [feed, map, lines] = [&feed, &map, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--map", map, "--report", lines]);
    assert!(said.contains("4 added") && said.contains("1 rejected"), "{said}");
    std::fs::read_to_string(report).unwrap()
}

#[tokio::test]
async fn home_without_a_point_is_found_in_its_city_and_shows_no_place() {
    let server = Server::start();
    let report = import(&server);
    assert!(report.contains("no city of that name is known"), "{report}");
    let visitor = Visitor::new(&server);
    let search = "/api/v1/inventories?region_canonical_name=leeds&pins=true";
    let found = until(|| async {
        let found = visitor.get(search).await.body["data"].clone();
        (found["meta"]["count"] == 2).then_some(found)
    })
    .await;
    let cards = found["result"].as_array().unwrap();
    let card = cards
        .iter()
        .find(|card| card["canonical_name"] == UNPLACED)
        .unwrap();
    for absent in ["lat", "lng", "distance_m", "walking", "location_coordinates"] {
        assert_eq!(card[absent], Value::Null, "{absent}");
    }
    let pins = found["pins"].as_array().unwrap();
    let names: Vec<&Value> = pins.iter().map(|pin| &pin["canonical_name"]).collect();
    assert_eq!(names, [&json!("birch-hall-w-1")]);
    // Nobody knows how far it stands from anything.
    for area in [
        "region_canonical_name=leeds&distance=5000",
        "region_canonical_name=university-of-leeds",
        "region_canonical_name=leeds&university=university-of-leeds",
        "region_center=53.8,-1.55",
        "region_bounds_lat1=53.7&region_bounds_lng1=-1.7&region_bounds_lat2=53.9&region_bounds_lng2=-1.4",
    ] {
        let near = visitor.get(&format!("/api/v1/inventories?{area}")).await.body["data"].clone();
        let names = near["result"].as_array().unwrap().iter();
        let names: Vec<&Value> = names.map(|card| &card["canonical_name"]).collect();
        assert_eq!(names, [&json!("birch-hall-w-1")], "{area}: {near}");
        assert_eq!(near["meta"]["count"], 1, "{area}");
    }
    let far = visitor
        .get("/api/v1/inventories?region_canonical_name=leeds&sort_key=distance")
        .await;
    let last = far.body["data"]["result"][1]["canonical_name"].clone();
    assert_eq!(last, UNPLACED);
    let wire = until(|| async {
        let answer = visitor.get(&format!("/api/v0/inventories/{UNPLACED}")).await;
        answer.status.is_success().then(|| answer.data().clone())
    })
    .await;
    assert_eq!(wire["location_coordinates"], Value::Null);
    let page = visitor.get(&format!("/_page?url=/places/{UNPLACED}")).await.body["data"]["data"].clone();
    assert_eq!([&page["lat"], &page["lng"]], [&Value::Null, &Value::Null]);
    assert_eq!(page["nearby"]["universities"], json!([]));
    // The other home of the city is a similar one all the same.
    assert_eq!(page["similar"][0]["canonical_name"], "birch-hall-w-1");
    let html = Client::new()
        .get(server.url(&format!("/places/{UNPLACED}")))
        .send()
        .await
        .unwrap();
    let html = html.text().await.unwrap();
    assert!(html.contains("application/ld+json") && !html.contains("GeoCoordinates"));
    let placed = Client::new()
        .get(server.url("/places/birch-hall-w-1"))
        .send()
        .await
        .unwrap();
    assert!(placed.text().await.unwrap().contains("GeoCoordinates"));
}
