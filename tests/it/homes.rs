//! Homes and regions through the front door, on the demo catalogue: what their pages show and where their addresses lead.

use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use tests::Server;

struct Reader {
    server: &'static Server,
    client: Client,
}

impl Reader {
    fn new() -> Self {
        let client = Client::builder().redirect(Policy::none()).build().unwrap();
        Self {
            server: Server::shared(),
            client,
        }
    }

    async fn get(&self, path: &str) -> (StatusCode, Value) {
        let answer = self.client.get(self.server.url(path)).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    async fn found(&self, path: &str) -> Value {
        let (status, body) = self.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        body["data"].clone()
    }

    async fn page(&self, path: &str) -> Value {
        self.found(&format!("/_page?url={path}")).await
    }

    /// Status and target of an address as a browser meets it.
    async fn leads_to(&self, path: &str) -> (StatusCode, String) {
        let answer = self.client.get(self.server.url(path)).send().await.unwrap();
        let target = answer
            .headers()
            .get("location")
            .map(|to| to.to_str().unwrap().to_owned());
        (answer.status(), target.unwrap_or_default())
    }

    /// A home in London that can be booked.
    async fn home(&self) -> Value {
        let found = self
            .found("/api/v1/inventories?region_canonical_name=london&available=true&limit=1")
            .await;
        found["result"][0].clone()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// The home page lists the popular cities of each country with homes and prices.
#[tokio::test]
async fn home_page_lists_popular_cities_with_homes_and_prices() {
    let home = Reader::new().page("/").await;
    let cities: Vec<(&str, usize)> = list(&home["data"]["countries"])
        .iter()
        .map(|country| (text(&country["key"]), list(&country["cities"]).len()))
        .collect();
    let expected = [
        ("uk", 19),
        ("australia", 8),
        ("ireland", 2),
        ("us", 14),
        ("canada", 3),
        ("germany", 3),
        ("spain", 1),
    ];
    assert_eq!(cities, expected);
    for city in list(&home["data"]["countries"])
        .iter()
        .flat_map(|country| list(&country["cities"]))
    {
        assert!(city["homes"].as_u64().unwrap() > 20, "{city}");
        assert!(city["from"]["amount_minor"].as_u64().unwrap() > 0, "{city}");
    }
    assert!(home["data"]["totals"]["homes"].as_u64().unwrap() > 5_000);
    assert!(home["data"]["totals"]["universities"].as_u64().unwrap() >= 400);
}

#[tokio::test]
async fn a_property_page_has_all_its_parts_in_both_languages() {
    let reader = Reader::new();
    let name = reader.home().await;
    let path = format!("/places/{}", text(&name["canonical_name"]));
    let english = reader.page(&path).await;
    let shown = &english["data"];
    assert_eq!(english["status"], 200);
    assert!((2..=6).contains(&list(&shown["room_types"]).len()));
    assert!(list(&shown["images"]).len() >= 5);
    assert!(list(&shown["facts"]).len() >= 3);
    assert!(!list(&shown["nearby"]["universities"]).is_empty());
    assert!(
        list(&shown["similar"])
            .iter()
            .all(|card| card["id"] != shown["id"])
    );
    assert!(
        list(&shown["price_trends"])
            .iter()
            .all(|series| list(&series["points"]).len() == 13)
    );
    let summary = &shown["payment_summary"][0];
    assert!(
        matches!(text(&summary["type"]), "deposit" | "refundable_token"),
        "{summary}"
    );
    let chinese = reader.page(&format!("{path}%3Flang=zh")).await;
    assert_ne!(chinese["data"]["faqs"], shown["faqs"]);
    assert_eq!(chinese["data"]["name"], shown["name"]);
}

#[tokio::test]
async fn addresses_of_homes_lead_where_the_rules_say() {
    let reader = Reader::new();
    let home = reader.home().await;
    let path = format!("/places/{}", text(&home["canonical_name"]));
    let moved = |query: &str| (StatusCode::MOVED_PERMANENTLY, format!("{path}{query}"));
    assert_eq!(
        reader
            .leads_to(&format!("/places/{}?a=1", text(&home["id"])))
            .await,
        moved("?a=1")
    );
    assert_eq!(
        reader.leads_to(&format!("{path}/agent-view?a=1")).await,
        moved("?a=1")
    );
    let rooms = reader
        .found(&format!("/api/v0/inventories/{}/room_types", text(&home["id"])))
        .await;
    let room = text(&rooms["result"][0]["id"]);
    assert_eq!(
        reader.leads_to(&format!("/places/{room}")).await.0,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        reader.leads_to(&format!("/places/{room}/form")).await.0,
        StatusCode::OK
    );
    assert_eq!(
        reader.leads_to("/places/nobody-knows-it").await.0,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_room_can_be_read_by_itself_and_names_its_property() {
    let reader = Reader::new();
    let home = reader.home().await;
    let key = text(&home["canonical_name"]);
    let rooms = reader
        .found(&format!("/api/v0/inventories/{key}/room_types"))
        .await;
    let room = reader
        .found(&format!(
            "/api/v0/inventories/{}",
            text(&rooms["result"][0]["id"])
        ))
        .await;
    assert_eq!(
        (&room["parent_id"], &room["level"]),
        (&home["id"], &Value::from("child"))
    );
    assert_eq!(room["parent"]["canonical_name"], home["canonical_name"]);
    let property = reader
        .found(&format!(
            "/api/v0/inventories/{key}?methods=region,active_children_count&only=id"
        ))
        .await;
    assert_eq!(property["id"], home["id"]);
    assert_eq!(property["region"]["canonical_name"], "london");
    assert_eq!(
        property["active_children_count"].as_u64().unwrap(),
        rooms["meta"]["count"].as_u64().unwrap()
    );
}

#[tokio::test]
async fn rooms_are_filtered_by_each_of_their_three_attributes() {
    let reader = Reader::new();
    let key = text(&reader.home().await["id"]).to_owned();
    for (query, group) in [
        ("meta_types=private_kitchen", "kitchen_types"),
        ("bathroom_types=private_bathroom", "bathroom_types"),
        ("room_types=private_room", "room_types"),
    ] {
        let wanted = query.split_once('=').unwrap().1;
        let rooms = reader
            .found(&format!("/api/v0/inventories/{key}/room_types?{query}"))
            .await;
        for room in list(&rooms["result"]) {
            assert_eq!(room["meta_types"][group][0], wanted, "{query}");
        }
    }
}

#[tokio::test]
async fn a_property_nobody_looked_at_shows_no_number_of_looks() {
    let reader = Reader::new();
    let key = text(&reader.home().await["id"]).to_owned();
    assert_eq!(
        reader
            .found(&format!("/api/v0/inventories/{key}/view_count"))
            .await,
        0
    );
    let media = reader
        .found(&format!("/api/v0/inventories/{key}/reviews/media"))
        .await;
    assert_eq!(
        (&media["meta"]["limit"], &media["meta"]["count"]),
        (&Value::from(30), &Value::from(0))
    );
}

/// Student accommodation also brings apartments and university halls.
#[tokio::test]
async fn student_accommodation_includes_apartments_and_halls() {
    let reader = Reader::new();
    let count = |kind: &'static str| {
        let reader = &reader;
        async move {
            let found = reader
                .found(&format!("/api/v0/inventories?type={kind}&limit=1&only=id"))
                .await;
            found["meta"]["count"].as_u64().unwrap()
        }
    };
    let (student, flats, halls) = (
        count("student_accommodation").await,
        count("apartment").await,
        count("university_hall").await,
    );
    assert!(student > flats + halls && flats > 0 && halls > 0);
    assert_eq!(
        reader.get("/api/v0/inventories?type=castle").await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

/// Regions are listed below an ancestor and read many at once in the order asked.
#[tokio::test]
async fn regions_are_listed_by_ancestor_and_read_in_bulk_in_order() {
    let reader = Reader::new();
    let ireland = reader.found("/api/v0/regions/ireland").await;
    let cities = reader
        .found(&format!(
            "/api/v0/regions?ancestor_id={}&region_type=locality&only=name",
            text(&ireland["id"])
        ))
        .await;
    let names: Vec<&str> = list(&cities["result"])
        .iter()
        .map(|city| text(&city["name"]))
        .collect();
    assert_eq!(names, ["Cork", "Dublin"]);
    let bulk = reader
        .found("/api/v1/regions/index_bulk?canonical_names=leeds,nowhere,bath&only=canonical_name")
        .await;
    assert_eq!(
        bulk,
        serde_json::json!([{ "canonical_name": "leeds" }, null, { "canonical_name": "bath" }])
    );
    let many = vec!["leeds"; 201].join(",");
    let (status, _) = reader
        .get(&format!("/api/v1/regions/index_bulk?canonical_names={many}"))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        reader.get("/api/v0/regions/atlantis").await.0,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn four_lists_lie_around_a_region_and_around_a_property() {
    let reader = Reader::new();
    let home = reader.home().await;
    for query in [
        "id=university-college-london".to_owned(),
        format!("id={}&for_property_page=true", text(&home["id"])),
    ] {
        let near = reader
            .found(&format!("/api/v0/regions/nearby_places?{query}"))
            .await;
        for name in ["cities", "areas", "universities", "inventories"] {
            assert!(!list(&near[name]).is_empty(), "{query}: {name}");
        }
        let distances: Vec<f64> = list(&near["universities"])
            .iter()
            .map(|place| place["distance_m"].as_f64().unwrap())
            .collect();
        assert!(distances.is_sorted(), "{distances:?}");
    }
    let areas_only = reader
        .found("/api/v0/regions/nearby_places?id=london&region_types=sublocality")
        .await;
    assert!(list(&areas_only["cities"]).is_empty() && !list(&areas_only["areas"]).is_empty());
}

/// An area says what lies in it and what its search finds around it.
#[tokio::test]
async fn area_tells_its_own_homes_and_those_its_search_finds() {
    let reader = Reader::new();
    let page = reader.page("/places/search/bloomsbury-london").await;
    let data = &page["data"];
    // D45: the search of an area reaches 20 km around it; its number in lists is what lies in it.
    assert_eq!(data["search"]["meta"]["count"], data["total_in_region"]);
    let in_it = data["region"]["homes"].as_u64().unwrap();
    assert!(
        in_it > 0 && in_it < data["total_in_region"].as_u64().unwrap(),
        "{in_it}"
    );
    let around = format!(
        "{} student homes in and around Bloomsbury",
        data["total_in_region"]
    );
    let description = text(&page["head"]["description"]);
    assert!(description.replace(',', "").contains(&around), "{description}");
}

#[tokio::test]
async fn a_city_is_named_in_the_readers_language_on_every_card() {
    let reader = Reader::new();
    for (lang, name) in [("en", "London"), ("zh", "伦敦")] {
        let path = format!("/api/v1/inventories?region_canonical_name=london&limit=1&lang={lang}");
        let found = reader.found(&path).await;
        assert_eq!(found["result"][0]["region"]["name"], name);
    }
}

#[tokio::test]
async fn an_address_written_a_little_otherwise_leads_to_the_page() {
    let reader = Reader::new();
    let home = text(&reader.home().await["canonical_name"]).to_owned();
    for (path, target) in [
        (
            "/places/search/London".to_owned(),
            "/places/search/london".to_owned(),
        ),
        (
            "/places/search/New_York?p=2".to_owned(),
            "/places/search/new-york?p=2".to_owned(),
        ),
        (
            format!("/places/{}", home.to_uppercase()),
            format!("/places/{home}"),
        ),
    ] {
        let led = reader.leads_to(&path).await;
        assert_eq!(led, (StatusCode::MOVED_PERMANENTLY, target), "{path}");
    }
    let region = reader.found("/api/v0/regions/London").await;
    assert_eq!(region["canonical_name"], "london");
}

#[tokio::test]
async fn each_language_and_page_is_its_own_canonical() {
    let reader = Reader::new();
    let canonical = async |path: &str| {
        let page = reader.page(path).await;
        text(&page["head"]["canonical"]).to_owned()
    };
    let english = canonical("/places/search/london").await;
    assert!(english.ends_with("/places/search/london"), "{english}");
    let chinese = canonical("/places/search/london%3Flang=zh").await;
    assert!(chinese.ends_with("/places/search/london?lang=zh"), "{chinese}");
    let second = reader.page("/places/search/london%3Fp=2%26lang=zh").await;
    let head = &second["head"];
    assert!(
        text(&head["canonical"]).ends_with("/places/search/london?p=2&lang=zh"),
        "{head}"
    );
    assert!(
        text(&head["prev"]).ends_with("/places/search/london?lang=zh"),
        "{head}"
    );
    let offered: Vec<&str> = list(&head["alternates"])
        .iter()
        .map(|one| text(&one["href"]))
        .collect();
    assert!(
        offered.iter().any(|href| *href == text(&head["canonical"])),
        "{head}"
    );
    let address = reader.server.url("/places/search/london");
    let answer = reader.client.get(address).send().await.unwrap();
    let document = answer.text().await.unwrap();
    for tag in ["en", "zh", "x-default"] {
        let link = format!("hreflang=\"{tag}\"");
        assert!(document.contains(&link), "{link}");
    }
}

#[tokio::test]
async fn an_address_too_long_for_a_search_still_shows_the_place() {
    let reader = Reader::new();
    let long = format!("/places/search/london?features={}", "wifi,".repeat(750));
    let answer = reader.client.get(reader.server.url(&long)).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

#[tokio::test]
async fn lists_answer_pages_beyond_counting_and_words_nobody_knows() {
    let reader = Reader::new();
    let home = text(&reader.home().await["canonical_name"]).to_owned();
    for path in ["/api/v0/regions", "/api/v0/inventories"] {
        let found = reader.found(&format!("{path}?p={}", u64::MAX)).await;
        assert_eq!(list(&found["result"]).len(), 0, "{path}");
    }
    let (status, body) = reader
        .get(&format!(
            "/api/v0/inventories/{home}/room_types?meta_types=private_room,zzz"
        ))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    assert_eq!(body["errors"][0]["field"], "meta_types");
    let typed = reader.found("/api/v0/regions?search_name=lon").await;
    assert!((1..=5).contains(&list(&typed["result"]).len()));
}

#[tokio::test]
async fn a_house_says_its_office_number_to_people_and_search_engines() {
    let reader = Reader::new();
    let key = text(&reader.home().await["canonical_name"]).to_owned();
    let home = reader.found(&format!("/api/v0/inventories/{key}")).await;
    let phone = text(&home["owner"]["phones"][0]).to_owned();
    let answer = reader
        .client
        .get(reader.server.url(&format!("/places/{key}")))
        .send()
        .await
        .unwrap();
    let html = answer.text().await.unwrap();
    assert!(html.contains(&format!(r#""telephone":"{phone}""#)), "{phone}");
}
