//! `latchkey import` beside a running server, and what an imported or listed house brings of its own.

use domain::id::InventoryId;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, commit};
use reqwest::Client;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{log_of, sample, until};
use crate::visitor::{Visitor, enquiry, in_days};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../api/import/src/sample.csv");
const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/import/listings.toml");
const LISTED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../domain/events/inventory/PropertyListed.v1.with_form.json"
);

async fn found(server: &Server, path: &str) -> Value {
    let answer = Client::new().get(server.url(path)).send().await.unwrap();
    answer.json::<Value>().await.unwrap()["data"].clone()
}

/// What is imported beside a running server shows in its search and pages.
#[tokio::test]
async fn import_shows_in_a_running_servers_search_and_pages() {
    let server = Server::start();
    let report = server.folder().join("errors.csv");
    let said = server.run(&[
        "import",
        SAMPLE,
        "--map",
        MAP,
        "--report",
        report.to_str().unwrap(),
    ]);
    assert!(said.contains("4 added"), "{said}");
    let home = until(|| async {
        let homes = found(&server, "/api/v1/inventories?region_canonical_name=leeds").await;
        (homes["meta"]["count"] == 2).then(|| homes["result"][0]["canonical_name"].clone())
    })
    .await;
    let page = format!("/api/v0/inventories/{}", home.as_str().unwrap());
    let shown = until(|| async { Some(found(&server, &page).await).filter(|home| !home.is_null()) }).await;
    assert_eq!(shown["canonical_name"], home);
}

/// An imported home is described in one language; a page in another names the language of what it shows (D132).
#[tokio::test]
async fn texts_in_another_language_are_marked_by_it() {
    let server = Server::start();
    let report = server.folder().join("errors.csv");
    let report = report.to_str().unwrap();
    server.run(&["import", SAMPLE, "--map", MAP, "--report", report]);
    // Its row has a text of its own.
    let path = "/_page?url=/places/bright-room-by-the-park-a-1".to_owned();
    let chinese = until(|| async {
        let page = found(&server, &format!("{path}%3Flang=zh")).await;
        page["data"]["description"].is_string().then_some(page)
    })
    .await;
    let foreign = chinese["data"]["foreign_texts"].as_array().unwrap();
    let description = json!({ "text": chinese["data"]["description"], "lang": "en" });
    assert!(foreign.contains(&description), "{foreign:?}");
    let english = found(&server, &path).await;
    assert_eq!(english["data"]["foreign_texts"], json!([]));
}

#[tokio::test]
async fn a_city_and_a_home_named_in_another_script_have_pages() {
    let server = Server::start();
    let feed = server.folder().join("feed.csv");
    let rows = "id,title,country,city,lat,lng,price,currency,price_per,room_type,min_nights,availability_365\n\
        u-1,学生之家,GB,新城,53.8,-1.5,50,GBP,night,Private room,,\n";
    std::fs::write(&feed, rows).unwrap();
    let report = server.folder().join("errors.csv");
    let (feed, report) = (feed.to_str().unwrap(), report.to_str().unwrap());
    server.run(&["import", feed, "--map", MAP, "--report", report]);
    let path = "/api/v1/inventories?region_canonical_name=%E6%96%B0%E5%9F%8E";
    let home = until(|| async {
        let homes = found(&server, path).await;
        (homes["meta"]["count"] == 1).then(|| homes["result"][0]["canonical_name"].clone())
    })
    .await;
    for page in [
        "/places/search/新城".to_owned(),
        format!("/places/{}", home.as_str().unwrap()),
    ] {
        let answer = until(|| async {
            let answer = Client::new().get(server.url(&page)).send().await.unwrap();
            (answer.status() != 404).then_some(answer)
        })
        .await;
        assert_eq!(answer.status(), 200, "{page}");
    }
}

/// An address that a provider names reaches no network of the house, and its secrets stay out of the sentence.
#[tokio::test]
async fn import_of_an_address_stays_out_of_private_networks() {
    let server = Server::start();
    let report = server.folder().join("errors.csv");
    for (address, reason) in [
        (server.url("/feed.csv?key=secret"), "only https:// is called"),
        (
            "https://127.0.0.1:1/feed.csv?key=secret".to_owned(),
            "this machine itself",
        ),
        (
            "https://169.254.169.254/feed.csv?key=secret".to_owned(),
            "a cloud's metadata service",
        ),
        (
            "https://[fd00::1]/feed.csv?key=secret".to_owned(),
            "a private network",
        ),
        (
            "https://localhost:1/feed.csv?key=secret".to_owned(),
            "this machine itself",
        ),
    ] {
        let report = report.to_str().unwrap();
        let said = server.refused(&["import", &address, "--report", report]);
        assert!(
            said.contains(reason) && !said.contains("secret"),
            "{address}: {said}"
        );
    }
    assert!(!report.exists());
}

/// A row with a sign that no text holds is named and the others are taken in.
#[tokio::test]
async fn import_row_with_nul_is_named_and_the_others_are_taken() {
    let server = Server::start();
    let home = |id: &str, street: &str| {
        json!({ "id": id, "title": "Aspen Hall", "country": "GB", "city": "Leeds", "street": street, "lat": 53.8, "lng": -1.5,
            "price": 50, "currency": "GBP", "price_per": "night", "room_type": "Private room" })
    };
    let [feed, report] = ["feed.json", "errors.csv"].map(|name| server.folder().join(name));
    let rows = json!([home("u-1", "1\0 Row"), home("u-2", "2 Row")]);
    std::fs::write(&feed, rows.to_string()).unwrap();
    let [feed, errors] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--map", MAP, "--report", errors]);
    assert!(said.contains("1 added") && said.contains("1 rejected"), "{said}");
    let named = std::fs::read_to_string(&report).unwrap();
    assert!(
        named.contains("1,\"u-1\",\"rejected\",\"street\",") && named.contains("U+0000"),
        "{named}"
    );
}

#[tokio::test]
async fn a_house_with_a_form_of_its_own_asks_only_that() {
    let server = Server::start();
    let text = std::fs::read_to_string(LISTED).unwrap();
    let listed =
        serde_json::from_str::<Value>(&text).unwrap()["payload"]["PropertyListed"]["property"].clone();
    let log = log_of(&server).await;
    let house = InventoryId("0193a000-0000-7000-8000-000000000009".parse().unwrap());
    let context = Context::new("2026-11-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    for command in [
        InventoryCommand::Adopt {
            property: serde_json::from_value(listed).unwrap(),
            rooms: vec![(
                serde_json::from_value(sample("RoomListed")["room"].clone()).unwrap(),
                serde_json::from_value::<Vec<LeaseOption>>(sample("RoomPriced")["leases"].clone())
                    .unwrap()
                    .into(),
            )],
        },
        InventoryCommand::Activate,
    ] {
        commit::<Inventory>(&log, house, command, &context).await.unwrap();
    }
    let path = "/api/v0/inventories/bloomsbury-row-london?methods=inventory_custom_form";
    let home = until(|| async { Some(found(&server, path).await).filter(|home| !home.is_null()) }).await;
    let sections = home["inventory_custom_form"]["sections"].as_array().unwrap();
    let keys: Vec<&Value> = sections.iter().map(|section| &section["key"]).collect();
    assert_eq!(keys, [&json!("personal_form")]);
    assert_eq!(sections[0]["fields"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&sections[0]["step"], &sections[0]["last"]),
        (&json!(2), &json!(true))
    );
    assert_eq!(home["owner"]["phones"], json!(["+441632960017"]));
}

/// Imports `bytes` without a map of its own, and returns what was said and reported.
fn imported(server: &Server, name: &str, bytes: &[u8], map: &str) -> (String, String) {
    let [feed, toml, report] =
        ["csv", "toml", "errors.csv"].map(|end| server.beside(&format!("{name}.{end}")));
    std::fs::write(&feed, bytes).unwrap();
    std::fs::write(&toml, format!("feed = \"{name}\"\n{map}")).unwrap();
    let [feed, toml, errors] = [&feed, &toml, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--map", toml, "--report", errors]);
    (said, std::fs::read_to_string(&report).unwrap())
}

const COLUMNS: &str = "id,name,country,city,lat,lng,price,currency,price_per,room_type";

async fn weekly(server: &Server, id: &str) -> Value {
    let path = "/api/v1/inventories?region_canonical_name=leeds&limit=50";
    let homes = until(|| async {
        let homes = found(server, path).await["result"].clone();
        let there = homes.as_array()?.iter().any(|home| home["canonical_name"] == id);
        there.then_some(homes)
    })
    .await;
    let home = homes
        .as_array()
        .unwrap()
        .iter()
        .find(|home| home["canonical_name"] == id);
    home.unwrap()["pricing"]["min_price"].clone()
}

#[tokio::test]
async fn decimal_commas_are_read_by_rule_or_named() {
    let server = Server::start();
    let row = |id: &str, price: &str, currency: &str| {
        format!("{id};Loft;GB;Leeds;53,8;-1,5;{price};{currency};week;Private room")
    };
    let rows = [
        COLUMNS.replace(',', ";"),
        row("c-1", "145,50", "GBP"),
        row("c-2", "1.250,00", "GBP"),
        row("c-3", "1.250", "GBP"),
        row("c-4", "145,50", "EUR"),
        row("c-5", "14550,00", "GBP"),
        // A rent is doubted by the others of its file.
        row("c-6", "150,00", "GBP"),
        row("c-7", "150,00", "GBP"),
        row("c-8", "150,00", "GBP"),
    ];
    let (said, report) = imported(&server, "commas", rows.join("\n").as_bytes(), "");
    assert!(
        said.contains("8 rows: 5 added, 0 changed, 0 unchanged, 3 rejected"),
        "{said}"
    );
    for named in [
        "4,\"c-3\",\"lease rejected\",\"price\",1.250,\"it can be read in two ways",
        "5,\"c-4\",\"lease rejected\",\"price\",\"145,50\",\"EUR is not the currency of United Kingdom",
        "6,\"c-5\",\"lease rejected\",\"price\",\"14550,00\",\"it comes to",
    ] {
        assert!(report.contains(named), "{named}: {report}");
    }
    assert_eq!(weekly(&server, "loft-c-1").await, json!(145.5));
    assert_eq!(weekly(&server, "loft-c-2").await, json!(1250.0));
    let told = "decimal = \",\"\ndoubtful = \"accept\"\n";
    let (said, _) = imported(&server, "commas", rows.join("\n").as_bytes(), told);
    assert!(
        said.contains("8 rows: 3 added, 0 changed, 5 unchanged, 0 rejected"),
        "{said}"
    );
    assert_eq!(weekly(&server, "loft-c-3").await, json!(1250.0));
}

#[tokio::test]
async fn every_row_of_a_csv_is_counted_whatever_wrote_it() {
    let server = Server::start();
    let row = |id: &str, name: &str, city: &str| {
        format!("{id},{name},GB,{city},53.8,-1.5,50,GBP,week,Private room")
    };
    let rows = [
        COLUMNS.to_uppercase(),
        row("q-1", "\"Loft", "Leeds"),
        row("q-2", "\"Loft, \"\"blue\"\"\"", "Leeds"),
        row("q-3", "Loft", "Zu\u{308}rich"),
        row("q-4", "Loft", "Z\u{fc}rich"),
        row("q-5", "\"Loft", "Leeds"),
    ];
    let wide: Vec<u8> = format!("\u{feff}{}", rows.join("\r\n"))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let (said, report) = imported(&server, "wide", &wide, "");
    assert!(
        said.contains("5 rows: 3 added, 0 changed, 0 unchanged, 2 rejected; 2 cities opened"),
        "{said}"
    );
    assert!(report.starts_with("\u{feff}\"line\","), "{report}");
    for line in [2, 6] {
        let told = format!("\n{line},\"\",\"rejected\",\"\",\"\",\"a quote opens");
        assert!(report.contains(&told), "{report}");
    }
    let feed = server.beside("mark.json");
    let home = json!([{ "id": "j-1", "name": "Loft", "country": "GB", "city": "Leeds", "lat": 53.8, "lng": -1.5,
        "price": 50.5, "currency": "GBP", "price_per": "week", "room_type": "Private room" }]);
    std::fs::write(&feed, format!("\u{feff}{home}")).unwrap();
    let report = server.beside("json-errors.csv");
    let [feed, report] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--report", report]);
    assert!(said.contains("1 row: 1 added"), "{said}");
}

/// Columns that nothing shows are named with what they could be, and a map that cannot be meant is refused before a row is read.
#[tokio::test]
async fn import_names_the_columns_that_it_does_not_read() {
    let server = Server::start();
    let feed = format!(
        "{COLUMNS},website,mood\n\
         p-1,Loft,GB,Grimsby,53.56,-6e-05,145,GBP,week,Studio,https://a.example/1,Sunny\n\
         p-2,Loft,GB,Leeds,53.8,-1.5,145,GBP,week,en-suite,,\n"
    );
    let (said, report) = imported(&server, "wide", feed.as_bytes(), "");
    assert!(
        said.contains("2 added, 0 changed, 0 unchanged, 0 rejected"),
        "{report}"
    );
    let told = said
        .lines()
        .find(|line| line.starts_with("columns that no field reads, and nothing shows: "));
    let told = told.unwrap_or_else(|| panic!("{said}"));
    assert!(
        told.contains("website (could be source_link)") && told.contains("mood"),
        "{told}"
    );
    for outcome in [
        "2,\"p-1\",\"added\"",
        "3,\"p-2\",\"added\"",
        "3,\"p-2\",\"note\",\"photos\"",
    ] {
        assert!(report.contains(outcome), "{outcome}: {report}");
    }
    let [csv, report] = ["wide.csv", "map-report.csv"].map(|name| server.beside(name));
    let [csv, report] = [&csv, &report].map(|path| path.to_str().unwrap());
    for (map, told) in [
        ("length_min=nope", "`nope` (the map's `length_min`)"),
        (
            "min_stay_nights=nope",
            "the map's field `min_stay_nights` is not one of: property_id,",
        ),
    ] {
        let said = server.refused(&["import", csv, "--map", map, "--report", report]);
        assert!(said.contains(told), "{said}");
    }
}

/// The first steps of the page about imports come out as it says: its file, what the command prints, and where the home is.
#[tokio::test]
async fn first_steps_of_the_page_about_imports_are_true() {
    let page = include_str!("../../docs/import.md");
    let (_, steps) = page.split_once("## Ten minutes with a CSV").unwrap();
    let mut blocks = steps.split("```").skip(1).step_by(2);
    let (rows, told) = (blocks.next().unwrap(), blocks.next().unwrap());
    let server = Server::start();
    let [feed, report] = ["homes.csv", "import-report.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, rows.trim_start()).unwrap();
    let [feed, report] = [&feed, &report].map(|path| path.to_str().unwrap());
    let order = ["import", feed, "--feed", "my-homes", "--report", report];
    let mut dry = order.to_vec();
    dry.push("--dry-run");
    let said = server.run(&dry);
    let counts = told.trim_start().lines().next().unwrap();
    assert!(said.contains(counts), "{said}");
    server.run(&order);
    until(|| async {
        let home = found(&server, "/api/v0/inventories/queen-house-q-1").await;
        (home["name"] == "Queen House").then_some(())
    })
    .await;
}

/// A first map is written from the file alone: no data folder is needed for it, and nothing is taken in.
#[tokio::test]
async fn first_map_of_a_feed_is_suggested() {
    let server = Server::start();
    let feed = server.beside("homes.csv");
    let rows = "referencia,titulo,pais,ciudad,precio,zimmerart\nx-1,Casa,ES,Granada,390,Zimmer\n";
    std::fs::write(&feed, rows).unwrap();
    let said = server.run(&["import", feed.to_str().unwrap(), "--suggest-map"]);
    for line in [
        "property_id = \"referencia\"",
        "name = \"titulo\"",
        "price = \"precio\"",
        "room_type = \"zimmerart\"",
        "# price_per = ",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

/// Cities opened by a feed have the time zone of their coordinates, and viewings of their homes are kept in it.
#[tokio::test]
async fn imported_cities_have_the_zone_of_their_place() {
    let server = Server::start();
    let feed = server.folder().join("feed.csv");
    let rows = "id,title,country,city,lat,lng,price,currency,price_per,room_type,min_nights,availability_365\n\
        z-1,Dunes House,US,Flagstaff,35.1983,-111.6513,60,USD,night,Private room,,\n\
        z-2,Prairie House,CA,Winnipeg,49.8951,-97.1384,60,CAD,night,Private room,,\n\
        z-3,Casa del Teide,ES,La Laguna,28.4874,-16.3159,40,EUR,night,Private room,,\n";
    std::fs::write(&feed, rows).unwrap();
    let report = server.folder().join("errors.csv");
    let (feed, report) = (feed.to_str().unwrap(), report.to_str().unwrap());
    server.run(&["import", feed, "--map", MAP, "--report", report]);
    for (city, zone) in [
        ("flagstaff", "America/Phoenix"),
        ("winnipeg", "America/Winnipeg"),
        ("la-laguna", "Atlantic/Canary"),
    ] {
        let path = format!("/api/v0/regions/{city}");
        let region =
            until(|| async { Some(found(&server, &path).await).filter(|region| !region.is_null()) }).await;
        assert_eq!(region["time_zone"], zone, "{city}");
    }

    let list = "/api/v1/inventories?region_canonical_name=la-laguna";
    let home = until(|| async {
        let homes = found(&server, list).await;
        (homes["meta"]["count"] == 1).then(|| homes["result"][0]["id"].clone())
    })
    .await;
    let student = Visitor::new(&server);
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = home;
    let tour =
        |zone: &str| json!({ "date": in_days(3), "slot": "10:30", "timezone": zone, "mode": "virtual" });
    body["lead"]["data"]["property_view_request_details"] = tour("Europe/Madrid");
    let refused = student
        .post("/api/v0/leads/virtual_tour_request", body.clone())
        .await;
    assert_eq!(refused.fields(), ["data/property_view_request_details/timezone"]);
    let said = refused.body["errors"][0]["message"].as_str().unwrap();
    assert!(said.contains("time zone of the home"), "{said}");
    body["lead"]["data"]["property_view_request_details"] = tour("");
    let kept = student.post("/api/v0/leads/virtual_tour_request", body).await;
    let viewing = &kept.data()["data"]["property_view_request_details"];
    assert_eq!(viewing["timezone"], "Atlantic/Canary");
}
