//! Searching through the front door, on the demo catalogue.

use std::collections::BTreeSet;

use reqwest::{Client, StatusCode};
use serde_json::Value;
use tests::Server;

pub(crate) struct Visitor {
    server: &'static Server,
    client: Client,
}

impl Visitor {
    pub(crate) fn new() -> Self {
        Self {
            server: Server::shared(),
            client: Client::new(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        let answer = self.client.get(self.server.url(path)).send().await.unwrap();
        let status = answer.status();
        (status, answer.json().await.unwrap())
    }

    /// What a search finds; it must be a right one.
    pub(crate) async fn search(&self, query: &str) -> Value {
        let (status, body) = self.get(&format!("/api/v1/inventories?{query}")).await;
        assert_eq!(status, StatusCode::OK, "{query}: {body}");
        body["data"].clone()
    }

    async fn count(&self, query: &str) -> u64 {
        self.search(&format!("{query}&limit=1")).await["meta"]["count"]
            .as_u64()
            .unwrap()
    }
}

pub(crate) fn ids(found: &Value) -> Vec<String> {
    found["result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|home| home["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Paging shows each property exactly once in each of the five orders.
#[tokio::test]
async fn paging_shows_each_property_once_in_all_five_orders() {
    let visitor = Visitor::new();
    let total = visitor.count("region_canonical_name=manchester").await;
    for order in [
        "sort_key=relevance&sort_order=desc",
        "sort_key=distance&sort_order=asc",
        "sort_key=available_price&sort_order=asc",
        "sort_key=available_price&sort_order=desc",
        "sort_key=created&sort_order=desc",
    ] {
        let query = format!("region_canonical_name=manchester&limit=23&{order}");
        let (mut by_page, mut by_token) = (Vec::new(), Vec::new());
        let mut page = Some(1);
        while let Some(number) = page {
            let found = visitor.search(&format!("{query}&p={number}")).await;
            by_page.extend(ids(&found));
            page = found["meta"]["next"].as_u64();
        }
        let mut token = Some(String::new());
        while let Some(after) = token {
            let found = visitor.search(&format!("{query}&next_token={after}")).await;
            by_token.extend(ids(&found));
            token = found["meta"]["next_token"].as_str().map(str::to_owned);
        }
        assert_eq!(by_page.len() as u64, total, "{order}");
        assert_eq!(
            by_page.iter().collect::<BTreeSet<_>>().len() as u64,
            total,
            "{order}"
        );
        assert_eq!(by_page, by_token, "{order}");
    }
}

#[tokio::test]
async fn every_facet_says_what_choosing_its_value_leaves() {
    let visitor = Visitor::new();
    for filters in [
        "",
        "&roomType=ensuite_room&guarantor=local",
        "&budget=150-300&available=true&features=gym",
    ] {
        let query = format!("region_canonical_name=leeds&features_and=true{filters}");
        let found = visitor.search(&format!("{query}&facets=true")).await;
        let facets = found["facets"].as_object().unwrap();
        for (facet, name) in [
            ("room_type", "roomType"),
            ("accommodation_type", "accommodationType"),
            ("dual_occupancy", "dualOccupancy"),
            ("move_in_month", "moveInMonth"),
            ("stay_duration", "leaseDuration"),
            ("guarantor", "guarantor"),
            ("availability", "available"),
            ("distance", "distance"),
        ] {
            for value in facets[facet].as_array().unwrap() {
                let word = value["value"].as_str().unwrap().replace('+', "%2B");
                let others: Vec<&str> = query
                    .split('&')
                    .filter(|part| !part.starts_with(&format!("{name}=")))
                    .collect();
                let left = visitor
                    .count(&format!("{}&{name}={word}", others.join("&")))
                    .await;
                assert_eq!(
                    value["count"].as_u64().unwrap(),
                    left,
                    "{name}={word} beside {filters}"
                );
            }
        }
        for value in facets["features"].as_array().unwrap().iter().take(8) {
            let word = value["value"].as_str().unwrap();
            let left = visitor.count(&format!("{query}&features={word}")).await;
            assert_eq!(
                value["count"].as_u64().unwrap(),
                left,
                "features={word} beside {filters}"
            );
        }
        for step in facets["budget"].as_array().unwrap().iter().take(12) {
            let minor = |end: &str| {
                let minor = step[end].as_u64().unwrap();
                format!("{}.{:02}", minor / 100, minor % 100)
            };
            let others: Vec<&str> = query
                .split('&')
                .filter(|part| !part.starts_with("budget="))
                .collect();
            let budget = format!(
                "{}&budget={}-{}",
                others.join("&"),
                minor("from_minor"),
                minor("to_minor")
            );
            assert_eq!(
                step["count"].as_u64().unwrap(),
                visitor.count(&budget).await,
                "{budget}"
            );
        }
    }
}

/// Each parameter of Spec §7 with a value that is right and, where there is such a thing, one that is wrong.
const PARAMETERS: [(&str, &str, Option<&str>); 45] = [
    ("p", "2", Some("two")),
    ("limit", "5", Some("0")),
    ("only", "name", None),
    ("except", "images", None),
    ("methods", "reviews_count", None),
    ("type", "student_accommodation", Some("castle")),
    ("region_radius", "3218", Some("near")),
    ("region_type", "circle", Some("square")),
    ("sort_key", "created", Some("beauty")),
    ("sort_order", "asc", Some("sideways")),
    ("min_price", "150", Some("cheap")),
    ("max_price", "300.50", Some("-1")),
    ("range_available_price", "150,300", Some("300,150")),
    ("weekly_range_price", "150-", Some("150")),
    ("meta_bedroom_counts", "1,2", Some("many")),
    ("meta_bathroom_counts", "1", Some("x")),
    ("region_center", "53.48,-2.24", Some("53.48")),
    (
        "meta_types",
        "private_room,shared_kitchen",
        Some("private_garden"),
    ),
    ("meta_unit_types", "independent_house", Some("tent")),
    ("statuses", "active,inactive", Some("haunted")),
    ("features", "wifi", Some("dragon_stable")),
    ("features_and", "true", Some("perhaps")),
    ("available", "true", Some("perhaps")),
    ("name", "court", Some("a")),
    ("owner", "01923456-789a-7bcd-8ef0-123456789abc", Some("me")),
    ("meta_min_lease_duration", "26", Some("long")),
    ("meta_max_lease_duration", "45", Some("-2")),
    ("move_in_month", "9", Some("13")),
    ("use_open_search", "true", Some("maybe")),
    ("tags", "exclusive", Some("splendid")),
    ("guarantor", "international", Some("martian")),
    ("locality", "Manchester", Some("Atlantis")),
    ("region_canonical_name", "manchester", Some("atlantis")),
    ("region_lat", "53.48&region_lng=-2.24", Some("95&region_lng=0")),
    (
        "region_bounds_lat1",
        "53.4&region_bounds_lng1=-2.3&region_bounds_lat2=53.5&region_bounds_lng2=-2.1",
        Some("53"),
    ),
    ("locality_canonical_name", "manchester", Some("atlantis")),
    ("locality_radius", "8046", Some("far")),
    ("duration", "monthly", Some("daily")),
    ("lang", "zh", Some("tlh")),
    ("destination_coordinates", "53.46,-2.23", Some("x,y")),
    ("room_types", "private_room", Some("private_kitchen")),
    ("bathroom_types", "shared_bathroom", Some("no_bathroom")),
    ("kitchen_types", "private_kitchen", Some("kitchen")),
    (
        "whitelabel_partner_id",
        "01923456-789a-7bcd-8ef0-123456789abc",
        Some("7"),
    ),
    (
        "next_token",
        "00000000003067ec019b76daf669731fa1396d0a8c990000",
        Some("next"),
    ),
];

#[tokio::test]
async fn every_parameter_is_honoured_and_an_unknown_value_names_it() {
    let visitor = Visitor::new();
    for (name, right, wrong) in PARAMETERS {
        let found = visitor.search(&format!("{name}={right}")).await;
        assert!(
            found["meta"]["count"].as_u64().unwrap() > 0 || name == "owner",
            "{name}={right} finds nothing"
        );
        let Some(wrong) = wrong else { continue };
        let (status, body) = visitor.get(&format!("/api/v1/inventories?{name}={wrong}")).await;
        if name.contains("range") {
            assert_eq!(status, StatusCode::BAD_REQUEST, "{name}={wrong}");
            assert!(
                body["message"]["user_friendly_message"]
                    .as_str()
                    .unwrap()
                    .contains(name)
            );
        } else {
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{name}={wrong}: {body}");
            assert_eq!(body["errors"][0]["field"], *name, "{body}");
        }
    }
    for costly in ["limit=1000000", "p=1000000000", "region_radius=40000000"] {
        let (status, _) = visitor.get(&format!("/api/v1/inventories?{costly}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{costly}");
    }
    let many = "features=wifi&".repeat(200);
    assert_eq!(
        visitor.get(&format!("/api/v1/inventories?{many}")).await.0,
        StatusCode::BAD_REQUEST
    );
}

/// A price that is refused names the parameter and what to write; so does half of a place on the map.
#[tokio::test]
async fn refused_prices_and_places_say_what_to_write() {
    let visitor = Visitor::new();
    for (query, field, ways) in [
        ("min_price=cheap", "min_price", ["`150`", "`150.50`"]),
        ("max_price=1.250", "max_price", ["`1250`", "`1.25`"]),
        ("min_price=50,000", "min_price", ["`50000`", "`50`"]),
        (
            "range_available_price=1.250-2000",
            "range_available_price",
            ["`1250`", "`1.25`"],
        ),
        (
            "weekly_range_price=300,150",
            "weekly_range_price",
            ["`100,250`", "lower"],
        ),
        (
            "min_price=300&max_price=150",
            "max_price",
            ["`min_price`", "below"],
        ),
        ("region_lat=53.48", "region_lng", ["missing", "`region_lat`"]),
        ("region_lng=-2.24", "region_lat", ["missing", "`region_lng`"]),
        (
            "region_bounds_lat1=53&region_bounds_lng1=-2",
            "region_bounds_lat1",
            ["`region_bounds_lat2`", "`region_bounds_lng2`"],
        ),
    ] {
        let (status, body) = visitor.get(&format!("/api/v1/inventories?{query}")).await;
        assert!(status.is_client_error(), "{query}: {body}");
        let said = body["errors"][0]["message"]
            .as_str()
            .or(body["message"]["user_friendly_message"].as_str())
            .unwrap();
        assert!(
            said.contains(field) && ways.iter().all(|way| said.contains(way)),
            "{query}: {said}"
        );
    }
}

#[tokio::test]
async fn fields_are_kept_dropped_and_ignored_as_asked() {
    let visitor = Visitor::new();
    let found = visitor
        .search("limit=1&only=name,no_such_field&methods=reviews_count")
        .await;
    let home = found["result"][0].as_object().unwrap();
    assert_eq!(
        home.keys().map(String::as_str).collect::<Vec<_>>(),
        ["id", "name", "reviews_count"]
    );
    let found = visitor.search("limit=1&except=images").await;
    let home = found["result"][0].as_object().unwrap();
    assert!(home.contains_key("pricing") && !home.contains_key("images"));
}

#[tokio::test]
async fn suggestions_forgive_a_typo_and_know_chinese_names() {
    let visitor = Visitor::new();
    let suggest =
        async |text: &str| visitor.get(&format!("/api/v0/search/suggest?q={text}")).await.1["data"].clone();
    let first = |list: &Value| list[0]["canonical_name"].as_str().unwrap_or_default().to_owned();
    assert_eq!(first(&suggest("manch").await["cities"]), "manchester");
    assert_eq!(first(&suggest("mancester").await["cities"]), "manchester");
    // What is called just that comes before what is larger and only begins so.
    assert_eq!(first(&suggest("york").await["cities"]), "york");
    assert_eq!(first(&suggest("lodnon").await["cities"]), "london");
    assert_eq!(first(&suggest("伦敦").await["cities"]), "london");
    assert!(first(&suggest("universty of manch").await["universities"]).contains("manchester"));
    // One word too many after a whole name.
    let leeds = first(&suggest("university of leeds").await["universities"]);
    assert_eq!(
        first(&suggest("university of leeds uk").await["universities"]),
        leeds
    );
    for (text, city) in [
        ("leeds uk", "leeds"),
        ("newcastle upon tyne", "newcastle"),
        ("student rooms leeds", "leeds"),
        ("newyork", "new-york"),
        ("münchen", "munich"),
        ("MUENCHEN", "munich"),
        ("mu%CC%88nchen", "munich"),
        ("montréal", "montreal"),
        ("nueva york", "new-york"),
        ("倫敦", "london"),
        ("曼徹斯特", "manchester"),
        ("加的夫", "cardiff"),
        ("三藩市", "san-francisco"),
        ("雪梨", "sydney"),
    ] {
        let found = first(&suggest(text).await["cities"]);
        assert!(found.starts_with(city), "{text}: {found}");
    }
    for text in ["伦敦", "london", "londres"] {
        let cities = suggest(text).await["cities"].clone();
        let names = cities
            .as_array()
            .unwrap()
            .iter()
            .map(|city| city["canonical_name"].as_str().unwrap());
        assert_eq!(
            names.filter(|name| *name == "london").count(),
            1,
            "{text}: {cities}"
        );
    }
    let quays =
        suggest("wharf").await["properties"].to_string() + &suggest("wharf").await["areas"].to_string();
    assert!(quays.to_lowercase().contains("wharf"), "{quays}");
    for (text, least) in [("lo", 0), ("lon", 5)] {
        let lists = suggest(text).await;
        let total: usize = lists
            .as_object()
            .unwrap()
            .values()
            .map(|list| list.as_array().unwrap().len())
            .sum();
        assert_eq!(total, least, "{text}");
    }
}

/// A region page reads its filters from the address and follows the region rules.
#[tokio::test]
async fn region_page_reads_filters_and_follows_region_rules() {
    let visitor = Visitor::new();
    let page = async |url: &str| {
        let url = url.replace('&', "%26").replace('?', "%3F");
        visitor.get(&format!("/_page?url={url}")).await.1["data"].clone()
    };
    let london = page(
        "/places/search/london?roomType=studio_room&budget=200-350&sortKey=available_price&sortOrder=asc",
    )
    .await;
    assert_eq!(
        (london["route"].as_str(), london["status"].as_u64()),
        (Some("search"), Some(200))
    );
    let found = &london["data"]["search"];
    let same = visitor
        .search("region_canonical_name=london&roomType=studio_room&range_available_price=200,350&sort_key=available_price&sort_order=asc")
        .await;
    assert_eq!(ids(found), ids(&same));
    assert_eq!(
        found["pins"].as_array().unwrap().len() as u64,
        found["meta"]["count"].as_u64().unwrap()
    );
    assert_eq!(
        page("/places/search/london/agent-view?p=2").await["redirect"],
        "/places/search/london?p=2"
    );
    assert_eq!(page("/places/search/no-such-place").await["status"], 404);
    let old_filter = page("/places/search/london?roomType=igloo").await;
    assert_eq!(
        old_filter["data"]["search"]["meta"]["count"],
        old_filter["data"]["total_in_region"]
    );
}

/// What a home costs in a year, in euro as the reference rates of decision 0025 have it.
fn euros_a_year(home: &Value) -> f64 {
    let price = &home["price"];
    let times = if price["duration"] == "monthly" {
        12.0
    } else {
        52.0
    };
    let per_euro = match price["currency"].as_str().unwrap() {
        "EUR" => 1.0,
        "GBP" => 0.86905,
        "USD" => 1.1050,
        "CAD" => 1.4642,
        "AUD" => 1.6263,
        "INR" => 91.9045,
        "SGD" => 1.4591,
        "NZD" => 1.7504,
        "KRW" => 1433.66,
        "DKK" => 7.4529,
        "AED" => 1.1050 * 3.6725,
        other => panic!("{other}"),
    };
    let decimals = u32::try_from(price["decimals"].as_u64().unwrap()).unwrap();
    price["amount_minor"].as_f64().unwrap() / f64::from(10_u32.pow(decimals)) * times / per_euro
}

/// Homes of several currencies come in the order of what they cost.
#[tokio::test]
async fn homes_of_several_currencies_are_ordered_by_cost() {
    let visitor = Visitor::new();
    let found = visitor
        .search("sort_key=available_price&sort_order=asc&available=true&limit=1000")
        .await;
    let homes = found["result"].as_array().unwrap();
    let currencies: BTreeSet<_> = homes
        .iter()
        .map(|home| home["price"]["currency"].to_string())
        .collect();
    assert!(currencies.len() > 3, "{currencies:?}");
    let costs: Vec<f64> = homes.iter().map(euros_a_year).collect();
    let ordered = |pair: &[f64]| pair[0] <= pair[1] * 1.000_01;
    assert!(costs.windows(2).all(ordered), "{costs:?}");
}
