//! Places without homes: the box finds cities and universities that the facts in the binary know, their pages say where the nearest homes
//! are, and search engines leave them alone.

use reqwest::{Client, StatusCode};
use serde_json::Value;
use tests::Server;
use tests::words::longest_words;

use crate::market::until;

const COLUMNS: &str = "id,name,country,city,lat,lng,price,currency,price_per,room_type";

async fn asked(server: &Server, path: &str) -> Value {
    let answer = Client::new().get(server.url(path)).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["data"].clone()
}

async fn suggest(server: &Server, text: &str, lang: &str) -> Value {
    asked(server, &format!("/api/v0/search/suggest?q={text}&lang={lang}")).await
}

async fn page(server: &Server, path: &str) -> Value {
    asked(server, &format!("/_page?url={path}")).await
}

/// A house whose one home stands in Reading.
async fn with_a_home_in_reading() -> Server {
    let server = Server::start();
    let [feed, report] = ["feed.csv", "errors.csv"].map(|name| server.beside(name));
    let row = "r-1,Loft,GB,Reading,51.45,-0.97,145,GBP,week,Studio";
    std::fs::write(&feed, format!("{COLUMNS}\n{row}\n")).unwrap();
    let [feed, report] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--feed", "house", "--report", report]);
    assert!(said.contains("1 added"), "{said}");
    until(|| async {
        let homes = asked(&server, "/api/v1/inventories?region_canonical_name=reading").await;
        (homes["meta"]["count"] == 1).then_some(())
    })
    .await;
    server
}

#[tokio::test]
async fn places_without_homes_are_found_and_lead_to_the_nearest() {
    let server = with_a_home_in_reading().await;
    let [none, nearest] =
        ["no_homes", "no_homes_nearest"].map(|key| longest_words(&format!("search_head.{key}")));
    for (text, list, canonical_name, is_near) in [
        ("oxford", "cities", "oxford", true),
        ("oxfor", "cities", "oxford", true),
        ("Oxford", "cities", "oxford", true),
        ("LS6", "cities", "leeds", true),
        ("münchen", "cities", "munich", false),
        ("慕尼黑", "cities", "munich", false),
        ("sevilla", "cities", "sevilla", false),
        ("UNSW", "universities", "unsw-sydney", false),
        ("UCL", "universities", "university-college-london", true),
        ("NYU", "universities", "new-york-university", false),
    ] {
        let found = suggest(&server, text, "en").await[list][0].clone();
        assert_eq!(found["canonical_name"], canonical_name, "{text}");
        assert!(found["homes"].is_null(), "{text}: {found}");
        let context = found["context"].as_str().unwrap();
        let says_where = context.contains(&nearest) && context.contains("Reading");
        assert_eq!(says_where, is_near, "{context}");
        assert!(context.contains(&none), "{context}");
        let shown = page(&server, found["href"].as_str().unwrap()).await;
        assert_eq!(shown["status"], 200, "{text}");
        assert_eq!(shown["head"]["robots"], "noindex,nofollow", "{text}");
        assert_eq!(shown["data"]["total_in_region"], 0, "{text}");
        let named = &shown["data"]["nearest"][0]["canonical_name"];
        assert_eq!(named == "reading", is_near, "{text}: {named}");
    }
    let reading = suggest(&server, "reading", "en").await["cities"][0].clone();
    assert_eq!(reading["canonical_name"], "reading");
    assert_eq!(reading["homes"], 1);
    let munich = suggest(&server, "munich", "zh").await["cities"][0].clone();
    assert_eq!(munich["name"], "慕尼黑");
}

/// Only the town of Reading's university is known: no minutes and no metres to it are said, and its page names the town.
#[tokio::test]
async fn no_distance_is_said_to_a_campus_that_is_not_known() {
    let server = with_a_home_in_reading().await;
    let near = asked(&server, "/api/v0/regions/nearby_places?id=reading").await;
    let universities = near["universities"].as_array().unwrap();
    let wanted = |place: &&Value| place["canonical_name"] == "university-of-reading";
    let university = universities.iter().find(wanted).unwrap();
    assert!(university["distance_m"].is_null(), "{university}");
    let homes = asked(&server, "/api/v1/inventories?region_canonical_name=reading").await;
    let home = homes["result"][0]["canonical_name"].as_str().unwrap();
    let shown = page(&server, &format!("/places/{home}")).await;
    assert!(
        !shown["data"].to_string().contains("University of Reading"),
        "{shown}"
    );
    let shown = page(&server, "/places/search/university-of-reading").await;
    assert_eq!(shown["data"]["center"]["label"], "Reading");
    assert_eq!(shown["data"]["region"]["name"], "University of Reading");
}

#[tokio::test]
async fn a_city_has_its_own_centre_with_and_without_homes() {
    let server = with_a_home_in_reading().await;
    for (city, lat, lng, robots) in [
        ("oxford", 51.752_22, -1.255_96, "noindex,nofollow"),
        ("reading", 51.456_25, -0.971_13, "index,follow"),
    ] {
        let shown = page(&server, &format!("/places/search/{city}")).await;
        let center = &shown["data"]["center"];
        assert_eq!([&center["lat"], &center["lng"]], [lat, lng], "{city}");
        assert_eq!(shown["head"]["robots"], robots, "{city}");
    }
    let reading = page(&server, "/places/search/reading").await;
    assert_eq!(reading["data"]["nearest"], Value::Array(Vec::new()));
    let universities = reading["data"]["universities"].as_array().unwrap();
    let is_there = |wanted: &str| universities.iter().any(|place| place["canonical_name"] == wanted);
    assert!(is_there("university-of-reading"), "{universities:?}");
    let moved = page(&server, "/places/search/OXFORD").await;
    assert_eq!(moved["redirect"], "/places/search/oxford");
    let lost = Client::new()
        .get(server.url("/places/search/no-such-place"))
        .send()
        .await
        .unwrap();
    assert_eq!(lost.status(), StatusCode::NOT_FOUND);
    let home = page(&server, "/").await;
    assert!(!home["data"].to_string().contains("oxford"), "{home}");
}

/// An operator moves a city and gives it a name; the house follows while it serves, and homes imported later do not move it back.
#[tokio::test]
async fn places_of_a_file_show_in_a_running_server() {
    let server = with_a_home_in_reading().await;
    let [places, names, report] =
        ["places.csv", "names.csv", "places-errors.csv"].map(|name| server.beside(name));
    std::fs::write(
        &places,
        "canonical_name,lat,lng\nreading,51.4600,-0.9800\nreading,71.0,-0.98\n",
    )
    .unwrap();
    std::fs::write(
        &names,
        "canonical_name,lang,name,form\nreading,zh-Hans,雷丁,official\n",
    )
    .unwrap();
    let [places, names, errors] = [&places, &names, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["places", "import", places, "--report", errors]);
    assert!(
        said.contains("2 rows: 0 added, 1 changed, 0 unchanged, 1 rejected"),
        "{said}"
    );
    let rejected = std::fs::read_to_string(&report).unwrap();
    assert!(
        rejected.contains("3,\"lat\",\"the point lies outside United Kingdom\""),
        "{rejected}"
    );
    let said = server.run(&["places", "import", names, "--report", errors]);
    assert!(said.contains("1 changed"), "{said}");
    let shown = until(|| async {
        let shown = page(&server, "/places/search/reading%3Flang=zh").await["data"].clone();
        (shown["region"]["name"] == "雷丁").then_some(shown)
    })
    .await;
    assert_eq!([&shown["center"]["lat"], &shown["center"]["lng"]], [51.46, -0.98]);
}
