//! The OpenAPI document: what the routes declare, completed by what holds for all of them. The browser's types are made
//! from it (`make contract`), and the stories hold every real answer against it.

use std::collections::BTreeSet;

use axum::Json;
use http_kit::endpoints::ACCESS;
use http_kit::error::ApiError;
use http_kit::list_queries;
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

use crate::{as_of, router};

/// Shapes whose every field may be left out: by `only`, `except` and `methods` (D51), or where nothing was said.
const CHOSEN: [&str; 12] = [
    "Address",
    "CounsellorDetails",
    "EventOptions",
    "FormSections",
    "FoundInventory",
    "Inventory",
    "LeadMeta",
    "LeadWish",
    "ReferralDetails",
    "RegionFields",
    "RoomTypeFields",
    "SourceDetails",
];
/// Shapes that have all fields of another one beside their own.
const EXTEND: [(&str, &str); 3] = [
    ("FoundInventory", "InventoryCard"),
    ("RegionFields", "Region"),
    ("RoomTypeFields", "RoomType"),
];
/// Fields that an answer may leave out; every other one is always there, null where there is nothing.
const SOMETIMES: [(&str, &str); 11] = [
    ("Failure", "current"),
    ("FoundInventories", "facets"),
    ("FoundInventories", "pins"),
    ("Lead", "inventory_root"),
    ("Lead", "location_coordinates_latitude"),
    ("Lead", "location_coordinates_longitude"),
    ("Lead", "location_place_id"),
    ("Lead", "location_place_name"),
    ("SearchResult", "facets"),
    ("SearchResult", "pins"),
    ("User", "user_auth_token"),
];

/// What the routes declare, completed: the document as it is served at `/api/openapi.json` and printed by `latchkey contract`.
pub fn complete(declared: &OpenApi) -> Value {
    let mut document = serde_json::to_value(declared).unwrap_or_default();
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        name_the_parts_of_generics(schemas);
        for (name, base) in EXTEND {
            let inherited = schemas
                .get(base)
                .and_then(|shape| shape["properties"].as_object())
                .cloned();
            if let Some(own) = schemas
                .get_mut(name)
                .and_then(|shape| shape["properties"].as_object_mut())
            {
                own.extend(inherited.into_iter().flatten());
            }
        }
    }
    let asked = reached(&document, &["parameters", "requestBody"]);
    let answered = reached(&document, &["responses"]);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        for (name, schema) in schemas {
            if answered.contains(name) && !asked.contains(name) {
                say_what_is_always_there(name, schema);
            }
        }
    }
    document["components"]["examples"] = examples();
    let strict = strict_lists(&document);
    let paths = document["paths"].as_object_mut();
    for (path, item) in paths.into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            name_headers(method, operation);
            if method == "get" && as_of::reads_the_past(path, operation) {
                name_as_of(operation);
            }
            name_failures(method, method == "get" && strict.contains(path), operation);
        }
    }
    document
}

/// Every read of staff takes the moment that it is to be read for (N1).
fn name_as_of(operation: &mut Value) {
    let parameter = json!({
        "name": as_of::PARAMETER,
        "in": "query",
        "description": "An instant, or the position of an event: the answer as it was then. 400 for one that is still to come",
        "required": false,
        "schema": { "type": "string" },
    });
    let parameters = &mut operation["parameters"];
    match parameters.as_array_mut() {
        Some(named) => named.push(parameter),
        None => *parameters = json!([parameter]),
    }
}

/// Paths whose query refuses what it does not name.
fn strict_lists(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let strict = paths.filter(|(path, item)| list_queries::is_strict(document, path, &item["get"]));
    strict.map(|(path, _)| path.clone()).collect()
}

/// This document.
#[utoipa::path(get, path = "/api/openapi.json", operation_id = "openapi", tag = "contract",
    responses((status = 200, body = Object)))]
pub(crate) async fn serve() -> Json<&'static Value> {
    Json(router::document())
}

/// `Success<List<Lead>>` arrives with the list and the lead written out inside: each part gets its own name.
fn name_the_parts_of_generics(schemas: &mut Map<String, Value>) {
    let generic = |name: &&String| name.starts_with("Success_") || name.starts_with("List_");
    let names: Vec<String> = schemas.keys().filter(generic).cloned().collect();
    for name in names {
        let inner = match (name.strip_prefix("Success_"), name.strip_prefix("List_")) {
            (Some(inner), _) => (inner, "/properties/data"),
            (None, Some(inner)) => (inner, "/properties/result/items"),
            (None, None) => continue,
        };
        let Some(place) = schemas
            .get_mut(&name)
            .and_then(|schema| schema.pointer_mut(inner.1))
        else {
            continue;
        };
        let written_out = place.take();
        let reference = named_part(inner.0, written_out, schemas);
        if let Some(place) = schemas
            .get_mut(&name)
            .and_then(|schema| schema.pointer_mut(inner.1))
        {
            *place = reference;
        }
    }
}

fn named_part(name: &str, mut shape: Value, schemas: &mut Map<String, Value>) -> Value {
    if shape["$ref"].is_string() {
        return shape;
    }
    if let Some(inner) = name.strip_prefix("Vec_") {
        shape["items"] = named_part(inner, shape["items"].take(), schemas);
        return shape;
    }
    if let Some(inner) = name.strip_prefix("Option_") {
        for choice in shape["oneOf"].as_array_mut().into_iter().flatten() {
            if choice["type"] != "null" {
                *choice = named_part(inner, choice.take(), schemas);
            }
        }
        return shape;
    }
    if let Some(inner) = name.strip_prefix("List_")
        && let Some(items) = shape.pointer_mut("/properties/result/items")
    {
        let written_out = items.take();
        let named = named_part(inner, written_out, schemas);
        shape["properties"]["result"]["items"] = named;
    }
    // Words and numbers stay as they are.
    if shape["properties"].is_object() || shape["oneOf"].is_array() {
        schemas.entry(name).or_insert(shape);
        return json!({ "$ref": format!("#/components/schemas/{name}") });
    }
    shape
}

/// The names of all shapes that these parts of any operation lead to.
fn reached(document: &Value, parts: &[&str]) -> BTreeSet<String> {
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    let mut open: Vec<&Value> = operations
        .flat_map(|operation| parts.iter().map(|part| &operation[*part]))
        .collect();
    let mut found = BTreeSet::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(all) => open.extend(all),
            Value::Object(fields) => {
                let name = fields
                    .get("$ref")
                    .and_then(Value::as_str)
                    .and_then(|path| path.rsplit('/').next());
                if let Some(name) = name
                    && found.insert(name.to_owned())
                {
                    open.push(&document["components"]["schemas"][name]);
                }
                open.extend(fields.values());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}

fn say_what_is_always_there(name: &str, schema: &mut Value) {
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    let sometimes = |field: &str| {
        CHOSEN.contains(&name)
            || SOMETIMES.contains(&(name, field))
            || (name.starts_with("Success") && field == "position")
    };
    let always: Vec<Value> = properties
        .keys()
        .filter(|field| !sometimes(field))
        .map(|field| json!(field))
        .collect();
    schema["required"] = Value::Array(always);
}

/// What every call may carry (X4, X9).
fn name_headers(method: &str, operation: &mut Value) {
    let header = |name: &str, schema: Value, says: &str| json!({ "name": name, "in": "header", "required": false, "schema": schema, "description": says });
    let parameters = &mut operation["parameters"];
    if parameters.is_null() {
        *parameters = json!([]);
    }
    let Some(parameters) = parameters.as_array_mut() else {
        return;
    };
    for parameter in parameters.iter_mut() {
        // Counts are unsigned: the signed format would give them half of their range.
        if parameter["schema"]["minimum"] == 0 && parameter["schema"]["format"] == "int64" {
            parameter["schema"]["format"] = json!("uint64");
        }
    }
    let waits = "Log position of an earlier answer: this one is made after it";
    parameters.push(header(
        "x-latchkey-position",
        json!({ "type": "integer", "minimum": 0, "maximum": i64::MAX }),
        waits,
    ));
    if method == "post" {
        let once = "Repeats of one intent carry one key, and count once";
        parameters.push(header(
            "idempotency-key",
            json!({ "type": "string", "minLength": 1, "maxLength": 200 }),
            once,
        ));
    }
    if method == "put" {
        let expected = "The version the change was made from, in quotes; another one answers 409";
        parameters.push(header(
            "if-match",
            json!({ "type": "string", "pattern": "^(\\*|\"[1-9][0-9]{0,8}\")$" }),
            expected,
        ));
    }
}

/// Everything but success is the envelope of X4.
fn name_failures(method: &str, is_strict: bool, operation: &mut Value) {
    let mut failures = failures(operation);
    if is_strict {
        failures.push("422");
    }
    let Some(responses) = operation["responses"].as_object_mut() else {
        return;
    };
    let envelope = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } });
    for status in failures {
        responses.entry(status).or_insert_with(|| json!({}));
    }
    for (status, response) in responses.iter_mut() {
        if status.starts_with(['4', '5']) {
            response["content"] = envelope.clone();
            if status == "503" {
                response["content"]["application/json"]["examples"] = not_now(method);
            }
            if response["description"].as_str().is_none_or(str::is_empty) {
                response["description"] = json!(meaning(status));
            }
        }
    }
    responses.insert(
        "default".to_owned(),
        json!({ "description": "Anything else that went wrong", "content": envelope }),
    );
}

/// What every operation of its kind can answer, beside what it says of itself.
fn failures(operation: &Value) -> Vec<&'static str> {
    let mut found = vec!["429", "503"];
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    let has = |place: &str| parameters.iter().any(|parameter| parameter["in"] == place);
    if has("path") {
        found.push("404");
    }
    if has("query") {
        found.push("422");
    }
    if operation["requestBody"].is_object() {
        found.extend(["400", "413", "415", "422"]);
    }
    let access = &operation[ACCESS];
    let named = access.as_object().and_then(|named| named.keys().next());
    match named.map(String::as_str).or(access.as_str()) {
        Some("logged_in") => found.push("401"),
        Some("developer") => found.push("404"),
        Some("open" | "capability") => {}
        _ => found.extend(["401", "403"]),
    }
    found
}

/// Why something cannot be done now: what only reads goes on without a disk to write to.
fn not_now(method: &str) -> Value {
    let reasons = reasons()
        .into_iter()
        .filter(|reason| method != "get" || reason.code == "busy");
    let named = reasons.map(|reason| {
        let place = format!("#/components/examples/{}", reason.code);
        (reason.code.to_owned(), json!({ "$ref": place }))
    });
    Value::Object(named.collect())
}

/// Everything that a 503 can mean.
fn reasons() -> [ApiError; 3] {
    [ApiError::busy(), ApiError::full(), ApiError::not_written()]
}

fn examples() -> Value {
    let examples = reasons().map(|reason| {
        let code = reason.code.to_owned();
        let body = reason.body("0195f3a0-0000-7000-8000-000000000000".to_owned());
        (code, json!({ "value": body }))
    });
    Value::Object(examples.into_iter().collect())
}

fn meaning(status: &str) -> &'static str {
    match status {
        "400" => "The request cannot be read",
        "401" => "The request carries no valid login",
        "403" => "Not allowed",
        "404" => "Absent, or not to be known to exist",
        "413" => "The body is too large",
        "415" => "The body is not JSON",
        "429" => "Too many of these: see Retry-After",
        "503" => "It cannot be done now; the code says why, Retry-After when to ask again",
        "409" => "The resource was changed meanwhile, or its state does not allow this",
        "422" => "Fields that cannot be used, each named",
        _ => "It went wrong",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_operations(document: &Value) -> Vec<(String, &Value)> {
        let mut found = Vec::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                found.push((format!("{} {path}", method.to_uppercase()), operation));
            }
        }
        found
    }

    #[test]
    fn every_success_has_a_shape() {
        let document = crate::router::document();
        for (name, operation) in all_operations(document) {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let contents = response["content"].as_object();
                let shapes: Vec<&Value> = contents
                    .into_iter()
                    .flat_map(Map::values)
                    .map(|content| &content["schema"])
                    .collect();
                let said = !shapes.is_empty()
                    && shapes
                        .iter()
                        .all(|shape| shape.as_object().is_some_and(|fields| !fields.is_empty()));
                assert!(
                    said,
                    "{name} answers {status} with a shape the document does not say"
                );
            }
        }
    }

    #[test]
    fn a_503_says_by_example_why_something_cannot_be_done_now() {
        let document = crate::router::document();
        let reasons = |path: &str, method: &str| {
            let answer = &document["paths"][path][method]["responses"]["503"];
            let examples = answer["content"]["application/json"]["examples"].as_object();
            let said = examples.into_iter().flatten().map(|(code, example)| {
                let place = example["$ref"].as_str().unwrap().trim_start_matches('#');
                let message = &document.pointer(place).unwrap()["value"]["message"];
                assert_eq!(message["code"], *code);
                message["user_friendly_message"].as_str().unwrap().to_owned()
            });
            said.collect::<BTreeSet<String>>().len()
        };
        assert_eq!(reasons("/api/v0/leads", "post"), 3);
        assert_eq!(reasons("/api/v0/leads/{id}", "get"), 1);
    }

    #[test]
    fn no_two_operations_share_an_id() {
        let document = crate::router::document();
        let mut ids = BTreeSet::new();
        for (name, operation) in all_operations(document) {
            let id = operation["operationId"].as_str().unwrap();
            assert!(
                ids.insert(id.to_owned()),
                "{name}: `{id}` names another operation; give it an operation_id"
            );
        }
    }

    #[test]
    fn every_request_body_has_an_example_that_names_its_fields() {
        let document = crate::router::document();
        for (name, operation) in all_operations(document) {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let Some(shape) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) else {
                continue;
            };
            let shape = &document["components"]["schemas"][shape];
            let example = shape["example"].as_object();
            // A body without fields has nothing to show.
            let fields = shape["properties"].as_object().map_or(0, serde_json::Map::len);
            assert!(
                example.is_some_and(|example| example.is_empty() == (fields == 0)),
                "{name}: its body has no example"
            );
            for field in example.unwrap().keys() {
                assert!(
                    shape["properties"][field].is_object(),
                    "{name}: its example names `{field}`, which it does not know"
                );
            }
        }
    }

    #[test]
    fn what_may_be_left_out_exists() {
        let document = crate::router::document();
        let schemas = &document["components"]["schemas"];
        for name in CHOSEN {
            assert!(
                schemas[name]["properties"].is_object(),
                "there is no shape `{name}`"
            );
        }
        for (name, field) in SOMETIMES {
            assert!(
                schemas[name]["properties"][field].is_object(),
                "`{name}` has no field `{field}`"
            );
        }
    }
}
