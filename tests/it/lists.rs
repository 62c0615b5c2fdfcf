//! Every list of the served document, and everything that staff read: parameters it does not have are refused by name, and ranges
//! whose ends are in the wrong order are refused.

use reqwest::StatusCode;
use serde_json::Value;
use tests::{Server, document};

use crate::visitor::Visitor;

const UNKNOWN_ID: &str = "01923456-789a-7bcd-8ef0-123456789abc";

/// Addresses that are read, with their query parameters.
fn reads() -> Vec<(String, Value)> {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let named = |get: &Value| {
        let parameters = get["parameters"].as_array().unwrap().iter();
        let query = parameters.filter(|parameter| parameter["in"] == "query");
        query.cloned().collect::<Value>()
    };
    paths
        .filter(|(path, item)| path.starts_with("/api/") && item["get"].is_object())
        .map(|(path, item)| (path.clone(), named(&item["get"])))
        .collect()
}

/// Whether one of the parameters has one of these names.
fn has(parameters: &Value, names: &[&str]) -> bool {
    let mut parameters = parameters.as_array().unwrap().iter();
    parameters.any(|parameter| names.iter().any(|name| parameter["name"] == *name))
}

/// A route with an id in each of its places.
fn address(route: &str) -> String {
    let parts = route
        .split('/')
        .map(|part| if part.starts_with('{') { UNKNOWN_ID } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Ranges among the parameters, with their ends in the wrong order.
fn jumbled(parameters: &Value) -> Vec<String> {
    let names = parameters
        .as_array()
        .unwrap()
        .iter()
        .map(|parameter| parameter["name"].as_str().unwrap());
    let names: Vec<&str> = names.collect();
    let pairs = names.iter().filter_map(|low| {
        let high = if *low == "from" {
            "to".to_owned()
        } else {
            low.replace("min_", "max_")
        };
        let is_range = high != **low && names.contains(&high.as_str());
        is_range.then_some((*low, high))
    });
    let orders = |(low, high): (&str, String)| match low {
        "from" => format!("{low}=2026-11-25&{high}=2026-11-20"),
        _ => format!("{low}=9&{high}=3"),
    };
    pairs.map(orders).collect()
}

#[tokio::test]
async fn lists_refuse_unknown_parameters_and_jumbled_ranges() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let (mut wrong, mut lists, mut ranges) = (Vec::new(), 0, 0);
    for (route, parameters) in reads() {
        let pages = has(&parameters, &["p", "page", "limit", "ids"]);
        if pages || route.starts_with("/api/v0/workspace/") || route.ends_with("/offers") {
            lists += 1;
            let answer = admin.get(&format!("{}?lang=en&planted=1", address(&route))).await;
            let refused = answer.status == StatusCode::UNPROCESSABLE_ENTITY
                && answer.body["errors"][0]["code"] == "unknown_parameter"
                && answer.body["errors"][0]["field"] == "planted";
            if !refused {
                wrong.push(format!("{route}?planted=1 answers {}", answer.status));
            }
        }
        for range in jumbled(&parameters) {
            ranges += 1;
            let answer = admin.get(&format!("{}?{range}", address(&route))).await;
            if answer.status != StatusCode::BAD_REQUEST {
                wrong.push(format!("{route}?{range} answers {}", answer.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        lists >= 18 && ranges >= 4,
        "the document has {lists} lists and {ranges} ranges"
    );
}
