//! Searches whose filters are about rooms, refused parameters, and what is recommended near a place; on the demo catalogue.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::StatusCode;
use serde_json::Value;

use crate::search::{Visitor, ids};

/// A room with one of its leases, as the home's own page lists it.
struct Let {
    home: String,
    kind: String,
    month: String,
    /// Weeks.
    length: u64,
    price: u64,
    open: bool,
}

async fn lets_of(visitor: &Visitor, home: &str) -> Vec<Let> {
    let path = format!("/api/v0/inventories/{home}/room_types?limit=200");
    let (status, body) = visitor.get(&path).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let mut lets = Vec::new();
    for room in body["data"]["result"].as_array().unwrap() {
        for option in room["options"].as_array().unwrap() {
            lets.push(Let {
                home: home.to_owned(),
                kind: room["configuration"].as_str().unwrap_or_default().to_owned(),
                month: option["move_in_date"].as_str().unwrap()[..7].to_owned(),
                length: option["lease_duration"].as_u64().unwrap(),
                price: option["price"]["amount_minor"].as_u64().unwrap(),
                open: option["rooms_left"].as_u64().unwrap() > 0,
            });
        }
    }
    // Sold-out leases count only where nothing else is left.
    let any_open = lets.iter().any(|one| one.open);
    lets.retain(|one| one.open || !any_open);
    lets
}

/// Total, cards, their lowest prices and the map's pins are those of homes where one room and lease meets every filter,
/// by the homes' own lists of rooms.
#[tokio::test]
async fn filters_about_rooms_meet_on_one_room_and_lease() {
    let visitor = Visitor::new();
    let city = "region_canonical_name=leeds&limit=1000&pins=true";
    let mut lets = Vec::new();
    for home in ids(&visitor.search(city).await) {
        lets.extend(lets_of(&visitor, &home).await);
    }
    let mut prices: Vec<u64> = lets.iter().map(|one| one.price / 100).collect();
    prices.sort_unstable();
    let at = |percent: usize| prices[(prices.len() - 1) * percent / 100];
    let kinds: BTreeSet<&str> = lets.iter().map(|one| one.kind.as_str()).collect();
    let months: BTreeSet<&str> = lets.iter().map(|one| one.month.as_str()).collect();
    let mut differing = Vec::new();
    let mut asked = 0;
    for kind in &kinds {
        for (low, high) in [(0, at(10)), (0, at(30)), (at(40), at(60)), (at(80), at(100))] {
            for month in months.iter().map(|month| Some(*month)).chain([None]).take(6) {
                for (least, most) in [(1, 45), (46, 400)] {
                    let meets = |one: &&Let| {
                        one.kind == *kind
                            && (low * 100..=high * 100).contains(&one.price)
                            && month.is_none_or(|month| one.month == month)
                            && (least..=most).contains(&one.length)
                    };
                    let mut lowest = BTreeMap::new();
                    for one in lets.iter().filter(meets) {
                        let price = lowest.entry(one.home.clone()).or_insert(one.price);
                        *price = one.price.min(*price);
                    }
                    let moving = month.map_or(String::new(), |month| format!("&moveInMonth={month}"));
                    let query = format!(
                        "{city}&roomType={}&budget={low}-{high}&minLeaseDuration={least}&maxLeaseDuration={most}{moving}",
                        kind.replace(' ', "%20")
                    );
                    let found = visitor.search(&query).await;
                    let lowest_of = |list: &Value| -> BTreeMap<String, u64> {
                        let homes = list.as_array().unwrap().iter();
                        homes
                            .map(|home| {
                                let price = home["price"]["amount_minor"].as_u64().unwrap();
                                (home["id"].as_str().unwrap().to_owned(), price)
                            })
                            .collect()
                    };
                    asked += 1;
                    let total = found["meta"]["count"].as_u64().unwrap();
                    if lowest_of(&found["result"]) != lowest
                        || lowest_of(&found["pins"]) != lowest
                        || total != lowest.len() as u64
                    {
                        differing.push(query);
                    }
                }
            }
        }
    }
    assert!(asked > 100, "{asked}");
    assert!(
        differing.is_empty(),
        "{} of {asked}: {:?}",
        differing.len(),
        differing.first()
    );
}

/// A parameter that nothing reads is refused with its name, and ends of a range in the wrong order are 400.
#[tokio::test]
async fn lists_refuse_parameters_they_do_not_read() {
    let visitor = Visitor::new();
    let home = ids(&visitor.search("region_canonical_name=leeds&limit=1").await)[0].clone();
    for path in [
        "/api/v1/inventories?region_canonical_name=leeds".to_owned(),
        "/api/v1/inventories?".to_owned(),
        "/api/v0/inventories?limit=1".to_owned(),
        format!("/api/v0/inventories/{home}?only=id"),
        format!("/api/v0/inventories/{home}/room_types?limit=1"),
        "/api/v0/regions?limit=1".to_owned(),
        "/api/v0/regions/leeds?only=id".to_owned(),
        "/api/v0/search/suggest?q=leeds".to_owned(),
    ] {
        let (status, body) = visitor.get(&format!("{path}&lang=zh&roomtypes=x")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {body}");
        assert_eq!(body["errors"][0]["field"], "roomtypes", "{path}: {body}");
        let (status, _) = visitor.get(&format!("{path}&lang=zh")).await;
        assert_eq!(status, StatusCode::OK, "{path}");
    }
    for jumbled in [
        "min_price=300&max_price=100",
        "budget=300-100",
        "range_available_price=300,100",
        "meta_min_lease_duration=9&meta_max_lease_duration=4",
    ] {
        let (status, body) = visitor.get(&format!("/api/v1/inventories?{jumbled}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{jumbled}: {body}");
    }
}

/// Near a university and in an area the recommended order weighs distance, and an area's own homes come first.
#[tokio::test]
async fn recommended_weighs_distance_near_places() {
    let visitor = Visitor::new();
    let distances = |found: &Value| -> Vec<u64> {
        let homes = found["result"].as_array().unwrap().iter();
        homes.map(|home| home["distance_m"].as_u64().unwrap()).collect()
    };
    let place = "region_canonical_name=university-of-leeds&available=true";
    let all = visitor
        .search(&format!("{place}&limit=1000&sort_key=distance"))
        .await;
    let nearest = distances(&all);
    let recommended = distances(&visitor.search(&format!("{place}&limit=10")).await);
    let mean = |some: &[u64]| some.iter().sum::<u64>() / some.len() as u64;
    // The ten recommended lie among the nearest third, and the nearest home of all is one of them.
    let third = nearest[nearest.len() / 3];
    assert!(
        recommended.iter().all(|metres| *metres <= third) && mean(&recommended) < mean(&nearest) / 2,
        "{recommended:?} of {nearest:?}"
    );

    let area = visitor
        .search("region_canonical_name=headingley-leeds&available=true&limit=1000")
        .await;
    let inside = visitor
        .search("locality=headingley-leeds&available=true&limit=1000")
        .await;
    let own: BTreeSet<String> = ids(&inside).into_iter().collect();
    assert!(!own.is_empty());
    let first: BTreeSet<String> = ids(&area).into_iter().take(own.len()).collect();
    assert_eq!(first, own);
}

/// A number of reviews beside a home is of reviews that its page opens.
#[tokio::test]
async fn review_counts_are_of_reviews_that_open() {
    let visitor = Visitor::new();
    let found = visitor.search("region_canonical_name=leeds&limit=12").await;
    for home in found["result"].as_array().unwrap() {
        let name = home["canonical_name"].as_str().unwrap();
        let (_, page) = visitor.get(&format!("/_page?url=/places/{name}")).await;
        let reviews = &page["data"]["data"]["reviews"];
        let opened = reviews["items"].as_array().unwrap().len() as u64;
        assert_eq!(reviews["count"].as_u64(), Some(opened), "{name}");
        assert_eq!(home["reviews_count"].as_u64(), Some(opened), "{name}");
    }
}
