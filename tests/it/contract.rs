//! The document and the answers are one: every answer that any story gets is held against the document the server serves,
//! and the browser's types are made from that same document.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::Validator;
use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};
use tests::{Server, document};

use crate::visitor::{Visitor, some_property};

/// What checks an answer, by method and path and by status; nothing where the document has no shape.
type Validators = HashMap<(String, String), Option<Arc<Validator>>>;

/// The served document, with every shape closed: a field it does not name is a complaint.
struct Contract {
    closed: Value,
    known: Mutex<Validators>,
}

fn served() -> &'static Contract {
    static SERVED: OnceLock<Contract> = OnceLock::new();
    SERVED.get_or_init(|| Contract::of(serde_json::from_str(&document()).unwrap()))
}

/// Whether an answer is one that the document gives a shape.
pub(crate) fn is_json(answer: &reqwest::Response) -> bool {
    let kind = answer
        .headers()
        .get("content-type")
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

/// Fails the story whose answer is not what the document says.
#[track_caller]
pub(crate) fn hold(method: &Method, address: &str, status: StatusCode, body: &Value) {
    if let Some(complaint) = complaint(method, address, status, body) {
        panic!("{complaint}");
    }
}

/// What is wrong with an answer; nothing where it is as the document says.
pub(crate) fn complaint(method: &Method, address: &str, status: StatusCode, body: &Value) -> Option<String> {
    served().complaint(method, address, status, body)
}

impl Contract {
    fn of(mut document: Value) -> Self {
        let schemas = document["components"]["schemas"].as_object_mut().unwrap();
        schemas.values_mut().for_each(close);
        Self {
            closed: document,
            known: Mutex::default(),
        }
    }

    fn complaint(&self, method: &Method, address: &str, status: StatusCode, body: &Value) -> Option<String> {
        let path = address.split('?').next().unwrap_or_default();
        let Some((route, operation)) = self.operation(method, path) else {
            // Addresses and methods that are not there are refused, and need no line in the document.
            let refused = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED].contains(&status);
            return (!refused)
                .then(|| format!("{method} {path} answers {status} and stands in no line of the document"));
        };
        let said = status.as_u16().to_string();
        let key = (format!("{method} {route}"), said.clone());
        let mut known = self.known.lock().unwrap();
        let shape = known
            .entry(key)
            .or_insert_with(|| self.shape(operation, &said, status));
        let Some(shape) = shape else {
            return Some(format!(
                "{method} {route} answers {status}, which the document does not say"
            ));
        };
        let wrong: Vec<String> = shape
            .iter_errors(body)
            .take(5)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        (!wrong.is_empty()).then(|| {
            format!(
                "{method} {route} {status} is not as the document says: {}",
                wrong.join("; ")
            )
        })
    }

    /// The operation an address belongs to: the one with most of its words spelled out.
    fn operation(&self, method: &Method, path: &str) -> Option<(&str, &Value)> {
        let words: Vec<&str> = path.trim_matches('/').split('/').collect();
        let fits = |route: &str| {
            let parts: Vec<&str> = route.trim_matches('/').split('/').collect();
            let same = parts.len() == words.len()
                && parts
                    .iter()
                    .zip(&words)
                    .all(|(part, word)| part.starts_with('{') || part == word);
            same.then(|| parts.iter().filter(|part| !part.starts_with('{')).count())
        };
        let paths = self.closed["paths"].as_object().unwrap();
        let found = paths.iter().filter_map(|(route, item)| {
            let operation = item.get(method.as_str().to_lowercase())?;
            Some((fits(route)?, route.as_str(), operation))
        });
        found
            .max_by_key(|(literal, _, _)| *literal)
            .map(|(_, route, operation)| (route, operation))
    }

    fn shape(&self, operation: &Value, said: &str, status: StatusCode) -> Option<Arc<Validator>> {
        let responses = &operation["responses"];
        let failed = status.is_client_error() || status.is_server_error();
        let response = responses
            .get(said)
            .or_else(|| responses.get("default").filter(|_| failed))?;
        let mut schema = response["content"]["application/json"]["schema"].clone();
        close(&mut schema);
        let components = json!({ "schemas": self.shapes_named_in(&schema) });
        schema
            .as_object_mut()?
            .insert("components".to_owned(), components);
        Some(Arc::new(jsonschema::validator_for(&schema).unwrap()))
    }

    /// The shapes that a schema names, with those that they name. A validator reads every shape it is given: the whole document
    /// for each operation is most of what a story's own process computes.
    fn shapes_named_in(&self, schema: &Value) -> Map<String, Value> {
        let all = self.closed["components"]["schemas"].as_object().unwrap();
        let mut found = Map::new();
        let mut names = Vec::new();
        collect_names(schema, &mut names);
        while let Some(name) = names.pop() {
            if let (false, Some(shape)) = (found.contains_key(name), all.get(name)) {
                found.insert(name.to_owned(), shape.clone());
                collect_names(shape, &mut names);
            }
        }
        found
    }
}

/// Collects the names of the shapes that a schema refers to.
fn collect_names<'s>(schema: &'s Value, names: &mut Vec<&'s str>) {
    match schema {
        Value::String(text) => names.extend(text.strip_prefix("#/components/schemas/")),
        Value::Object(fields) => fields.values().for_each(|field| collect_names(field, names)),
        Value::Array(all) => all.iter().for_each(|part| collect_names(part, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Forbids fields that a shape does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            fields.values_mut().for_each(close);
        }
        Value::Array(all) => all.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_checked_in_document_is_the_one_the_server_serves() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/contract/openapi.json");
    let checked_in = fs::read_to_string(file).unwrap_or_default();
    assert!(
        checked_in.trim() == document().trim(),
        "the server's document and web/src/contract/openapi.json differ: run `make contract` and commit what it writes"
    );
}

#[test]
fn an_answer_that_is_not_in_the_document_is_seen() {
    let seen = |status: u16, body: Value| {
        let status = StatusCode::from_u16(status).unwrap();
        complaint(&Method::GET, "/api/v0/users/details", status, &body)
    };
    let user = |extra: Map<String, Value>| {
        let mut user = json!({ "id": "1", "name": null, "email": null, "phone": null, "login_type": "email",
            "is_internal": false, "roles": ["support"], "referral_code": "MEI-7Q4K" });
        user.as_object_mut().unwrap().extend(extra);
        json!({ "message": "success", "data": user })
    };
    assert_eq!(seen(200, user(Map::new())), None);
    let more = Map::from_iter([("password".to_owned(), json!("x"))]);
    assert!(seen(200, user(more)).unwrap().contains("password"));
    let other = Map::from_iter([("roles".to_owned(), json!(["owner"]))]);
    assert!(seen(200, user(other)).unwrap().contains("roles"));
    assert!(seen(302, json!({})).unwrap().contains("does not say"));
    let nowhere = complaint(&Method::GET, "/api/v0/secrets", StatusCode::OK, &json!({}));
    assert!(nowhere.unwrap().contains("no line"));
}

#[tokio::test]
async fn every_page_and_list_of_the_catalogue_is_as_the_document_says() {
    let visitor = Visitor::new(Server::shared());
    let property = some_property(&visitor).await;
    let list = visitor
        .get("/api/v1/inventories?region_canonical_name=london&facets=true&pins=true&limit=50")
        .await;
    let name = list.data()["result"][0]["canonical_name"]
        .as_str()
        .unwrap()
        .to_owned();
    let rooms = visitor
        .get(&format!("/api/v0/inventories/{property}/room_types"))
        .await;
    let room = rooms.data()["result"][0]["id"].as_str().unwrap().to_owned();
    let all = "region,site_plan,meta_facts,meta_short,meta_distances,meta_general_facts,meta_community_facts,feature_tags,\
               destination_distances,children_short,region_parent_country,region_parent_city_canonical,active_children,\
               active_children_count,inventory_custom_form,offers,parent";
    let extra =
        "ancestors_short,root_name,stories,region_inventory_price_range,application_configs,meta,faqs";
    for address in [
        format!("/api/v0/inventories/{property}?methods={all}"),
        format!("/api/v0/inventories/{room}?methods={all}"),
        format!("/api/v0/inventories/{property}?only=name,pricing"),
        "/api/v0/inventories?limit=40".to_owned(),
        format!("/api/v0/inventories/{property}/offers"),
        format!("/api/v0/inventories/{property}/price_trends"),
        format!("/api/v0/inventories/{property}/view_count"),
        format!("/api/v0/inventories/{property}/reviews/media"),
        format!("/api/v0/regions?methods={extra}&limit=300"),
        format!("/api/v0/regions/london?methods={extra}&only=id"),
        "/api/v1/regions/index_bulk?canonical_names=london,nowhere,leeds".to_owned(),
        "/api/v0/regions/nearby_places?id=london".to_owned(),
        format!("/api/v0/regions/nearby_places?id={property}&for_property_page=true"),
        "/api/v0/search/suggest?q=leed".to_owned(),
    ] {
        visitor.get(&address).await.data();
    }
    for (page, route) in [
        ("/".to_owned(), "home"),
        ("/places/search/london?sortKey=price".to_owned(), "search"),
        ("/places/search/united-kingdom".to_owned(), "search"),
        (format!("/places/{name}"), "property"),
        (format!("/places/{name}/form?lead_uuid=x"), "booking_form"),
        (format!("/places/{name}/application"), "application"),
        (format!("/places/{name}/payment"), "payment"),
        ("/payments/0123456789abcdef".to_owned(), "not_found"),
        (
            "/payments/complete?token=0123456789abcdef".to_owned(),
            "not_found",
        ),
        ("/forms/submit".to_owned(), "form_submitted"),
        ("/profile".to_owned(), "not_found"),
        ("/workspace".to_owned(), "workspace"),
        ("/nowhere/at/all".to_owned(), "not_found"),
    ] {
        let page: String = page.replace('?', "%3F").replace('&', "%26").replace('=', "%3D");
        for lang in ["en", "zh"] {
            let answer = visitor.get(&format!("/_page?url={page}&lang={lang}")).await;
            assert_eq!(answer.data()["route"], route, "{page}");
        }
    }
    visitor.log_in("mei@uni.example").await;
    assert_eq!(
        visitor.get("/_page?url=/profile/leads").await.data()["route"],
        "profile"
    );
}
