//! Query parameters of lists and of everything that staff read: one that the served document does not name is refused with its
//! name, whatever the handler reads (decision 0032).

use std::collections::{BTreeSet, HashMap};

use axum::extract::{MatchedPath, Query, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::common_parameters::is_common;
use crate::error::ApiError;
use crate::said::say;

/// Reads its parameters itself, under the names of the site's addresses too (`search_params`), and refuses others with their name.
const SEARCH: &str = "/api/v1/inventories";

/// Where staff read.
const STAFF: &str = "/api/v0/workspace/";

/// Names of the parameters that each of these addresses has, by route.
#[derive(Debug)]
pub struct ListQueries(HashMap<String, BTreeSet<String>>);

impl ListQueries {
    /// Reads the names from the served document.
    pub fn of(document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let named = paths.filter(|(path, item)| *path != SEARCH && is_strict(document, path, &item["get"]));
        let named = named.map(|(path, item)| (path.clone(), names(&item["get"])));
        Self(named.collect())
    }

    /// The first parameter of a request that its address does not have.
    fn unknown(&self, request: &Request) -> Option<String> {
        let route = request.extensions().get::<MatchedPath>()?;
        let known = self.0.get(route.as_str())?;
        let Query(given) = Query::<Vec<(String, String)>>::try_from_uri(request.uri()).ok()?;
        let mut names = given.into_iter().map(|(name, _)| name);
        names.find(|name| !is_common(name) && !known.contains(name))
    }
}

/// A list, or something that staff read.
pub fn is_strict(document: &Value, path: &str, get: &Value) -> bool {
    let answer = &get["responses"]["200"]["content"]["application/json"]["schema"];
    let content = &resolved(document, answer)["properties"]["data"];
    let content = resolved(document, content);
    let is_list = content["type"] == "array" || !content["properties"]["result"].is_null();
    get.is_object() && path.starts_with("/api/") && (is_list || path.starts_with(STAFF))
}

fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    let reference = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
    reference
        .and_then(|place| document.pointer(place))
        .unwrap_or(schema)
}

fn names(operation: &Value) -> BTreeSet<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let of_query = parameters.filter(|parameter| parameter["in"] == "query");
    of_query
        .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
        .collect()
}

/// Refuses what the address does not have, after `permissions` let the caller in. The names are asked for once a request has a query:
/// making the document takes longer than the rest of a server's start.
pub async fn refuse_unknown(
    State(lists): State<fn() -> &'static ListQueries>,
    request: Request,
    next: Next,
) -> Response {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let has_query = request.uri().query().is_some_and(|query| !query.is_empty());
    match (reads && has_query).then(|| lists().unknown(&request)).flatten() {
        None => next.run(request).await,
        Some(name) => {
            let said = say("refusal.unknown_parameter").with("field", &name);
            ApiError::invalid_field(name, "unknown_parameter", said).into_response()
        }
    }
}
