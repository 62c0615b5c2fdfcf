//! The HTTP API: who asks, what is asked, and the weather of the moment.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::books::{Answer, Books, refused};
use crate::form::Form;
use crate::objects::{error, list, published};
use crate::{Call, PUBLISHABLE_KEY, SECRET_KEY, Weather};

/// Stripe's default page.
const PAGE: u64 = 10;

pub(crate) fn router(books: Arc<Mutex<Books>>) -> Router {
    Router::new().fallback(answer).with_state(books)
}

async fn answer(
    State(books): State<Arc<Mutex<Books>>>,
    method: Method,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let what = format!("{method} {}", uri.path());
    let form = match what.as_str() {
        "POST /v1/files" => Form::of_upload(&body),
        _ => Form::read(query.as_deref().unwrap_or_default(), &body),
    };
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok());
    let mut books = books.lock();
    let weather = books.weather;
    let (status, body) = match (weather, credentials(&headers, &form)) {
        (Weather::Failing(status), _) => (status, error("api_error", None, "An error occurred.")),
        (Weather::Fair | Weather::AnswersLost, Some(who)) => {
            let asked = [vec![what.clone()], form.lines()].concat();
            books.once(key, asked, |books| carry_out(books, who, &what, &form))
        }
        (Weather::Fair | Weather::AnswersLost, None) => (
            401,
            error("invalid_request_error", None, "Invalid API Key provided"),
        ),
    };
    books.calls.push(Call {
        what,
        idempotency_key: key.map(str::to_owned),
        parameters: form.lines(),
        status,
    });
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if weather == Weather::AnswersLost {
        return (StatusCode::BAD_GATEWAY, "<html>Bad gateway</html>").into_response();
    }
    (
        status,
        [
            (header::CONTENT_TYPE, "application/json"),
            // Stripe's API answers pages of other origins.
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        ],
        body.to_string(),
    )
        .into_response()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Server,
    Browser,
}

fn credentials(headers: &HeaderMap, form: &Form) -> Option<Who> {
    let header = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let bearer = header.and_then(|value| value.strip_prefix("Bearer "));
    match bearer.or(form.get("key")) {
        Some(SECRET_KEY) => Some(Who::Server),
        Some(PUBLISHABLE_KEY) => Some(Who::Browser),
        _ => None,
    }
}

fn carry_out(books: &mut Books, who: Who, what: &str, form: &Form) -> Answer {
    let path: Vec<&str> = what.split('/').skip(1).collect();
    let method = what.split(' ').next().unwrap_or_default();
    if who == Who::Browser {
        return by_browser(books, method, &path, form);
    }
    match (method, path.as_slice()) {
        ("POST", ["v1", "customers"]) => books.make_customer(form),
        ("GET", ["v1", "customers", "search"]) => search(books, form),
        ("DELETE", ["v1", "customers", id]) => books.delete_customer(id),
        ("GET", ["v1", "balance_transactions"]) => books.list_transactions(form),
        ("GET", ["v1", "payouts"]) => page(&since(&books.account.payouts, form), form),
        ("GET", ["v1", "payouts", id]) => found(&books.account.payouts, id),
        // Only here: all that is on the account goes to the bank.
        ("POST", ["v1", "test_helpers", "pay_out"]) => books.pay_out(),
        ("POST", ["v1", "test_helpers", "take_from_elsewhere"]) => {
            let id = books.stray(form.number("amount").unwrap_or_default(), "gbp");
            books.intent(&id, form)
        }
        ("POST", ["v1", "payment_intents"]) => books.make_intent(form),
        ("GET", ["v1", "payment_intents"]) => page(&since(&books.intents, form), form),
        ("GET", ["v1", "payment_intents", id]) => books.intent(id, form),
        ("POST", ["v1", "payment_intents", id, "cancel"]) => books.cancel(id),
        ("POST", ["v1", "payment_intents", id, "confirm"]) => books.confirm(id, form),
        // Only here: a slow method ends.
        ("POST", ["v1", "test_helpers", "settle", id]) => books.settle(id, form),
        ("POST", ["v1", "refunds"]) => make_refund(books, form),
        ("GET", ["v1", "refunds"]) => {
            let of_intent = books.refunds.iter().rev();
            let of_intent = of_intent.filter(|refund| {
                form.get("payment_intent")
                    .is_none_or(|id| refund["payment_intent"] == id)
            });
            page(&of_intent.cloned().collect::<Vec<_>>(), form)
        }
        ("GET", ["v1", "refunds", id]) => found(&books.refunds, id),
        ("POST", ["v1", "files"]) => books.keep_file(form),
        ("GET", ["v1", "disputes", id]) => books.dispute_of(id),
        ("POST", ["v1", "disputes", id]) => books.answer_dispute(id, form),
        ("GET", ["v1", "events"]) => events(books, form),
        ("GET", ["v1", "account"]) => (
            200,
            published(
                "account",
                &json!({ "charges_enabled": true, "payouts_enabled": true, "country": "GB", "default_currency": "gbp" }),
            ),
        ),
        ("GET", ["v1", "webhook_endpoints"]) => {
            let url = books.webhook_url.clone();
            let set = |url: String| json!({ "url": url, "status": "enabled", "enabled_events": ["*"] });
            let endpoints: Vec<Value> = url
                .map(|url| published("webhook_endpoint", &set(url)))
                .into_iter()
                .collect();
            (200, list(&endpoints, false))
        }
        _ => refused(404, "url_invalid", &format!("Unrecognized request URL ({what})")),
    }
}

/// What Stripe's script asks in a browser: about one intent, whose client secret it knows.
fn by_browser(books: &mut Books, method: &str, path: &[&str], form: &Form) -> Answer {
    let ["v1", "payment_intents", id, rest @ ..] = path else {
        return (
            401,
            error("invalid_request_error", None, "This key may not do that."),
        );
    };
    let knows = books
        .intents
        .iter()
        .any(|intent| intent["id"] == *id && intent["client_secret"].as_str() == form.get("client_secret"));
    match (knows, method, rest) {
        (true, "POST", ["confirm"]) => books.confirm(id, form),
        (true, "GET", []) => books.intent(id, form),
        _ => (
            401,
            error(
                "invalid_request_error",
                None,
                "The client_secret provided does not match.",
            ),
        ),
    }
}

fn search(books: &Books, form: &Form) -> Answer {
    let query = form.get("query").unwrap_or_default();
    let subject = query
        .strip_prefix("metadata['subject']:'")
        .and_then(|rest| rest.strip_suffix('\''));
    let Some(subject) = subject else {
        return refused(
            400,
            "parameter_invalid",
            "This stand-in searches by one field alone.",
        );
    };
    let hits: Vec<Value> = books
        .customers
        .iter()
        .filter(|customer| customer["metadata"]["subject"] == subject)
        .cloned()
        .collect();
    (
        200,
        json!({ "object": "search_result", "data": hits, "has_more": false, "url": "/v1" }),
    )
}

fn make_refund(books: &mut Books, form: &Form) -> Answer {
    let (Some(intent_id), Some(amount)) = (form.get("payment_intent"), form.number("amount")) else {
        return refused(
            400,
            "parameter_missing",
            "Missing required param: payment_intent or amount.",
        );
    };
    match books.refund(intent_id, amount, &form.pairs("metadata")) {
        Ok(id) => found(&books.refunds, &id),
        Err(answer) => answer,
    }
}

fn found(objects: &[Value], id: &str) -> Answer {
    let found = objects.iter().find(|object| object["id"] == id);
    found.map_or_else(
        || refused(404, "resource_missing", &format!("No such object: '{id}'")),
        |object| (200, object.clone()),
    )
}

/// Newest first, of the types and the time asked for.
fn events(books: &Books, form: &Form) -> Answer {
    let types = form.list("types");
    let since = form.number("created[gte]").unwrap_or_default();
    let listed: Vec<Value> = books
        .events
        .iter()
        .rev()
        .filter(|event| types.is_empty() || types.iter().any(|kind| event["type"] == kind.as_str()))
        .filter(|event| event["created"].as_u64().unwrap_or_default() >= since)
        .filter(|event| {
            let is_waiting = books.notices.contains(&event.to_string());
            form.get("delivery_success") != Some("false") || is_waiting
        })
        .cloned()
        .collect();
    page(&listed, form)
}

/// Newest first, of the time asked for.
pub(crate) fn since(oldest_first: &[Value], form: &Form) -> Vec<Value> {
    let since = form.number("created[gte]").unwrap_or_default();
    let recent = oldest_first.iter().rev();
    let recent = recent.filter(|object| object["created"].as_u64().unwrap_or_default() >= since);
    recent.cloned().collect()
}

pub(crate) fn page(newest_first: &[Value], form: &Form) -> Answer {
    let after = form.get("starting_after");
    let from = after.map_or(0, |after| {
        let at = newest_first.iter().position(|object| object["id"] == after);
        at.map_or(newest_first.len(), |at| at + 1)
    });
    let limit = usize::try_from(form.number("limit").unwrap_or(PAGE)).unwrap_or(usize::MAX);
    let rest = newest_first.get(from..).unwrap_or_default();
    let shown = rest.get(..limit.min(rest.len())).unwrap_or_default();
    (200, list(shown, rest.len() > shown.len()))
}
