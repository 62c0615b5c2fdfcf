//! The link of a reminder: one press ends reminders, without a login (RFC 8058). Looking at it changes nothing, for programs that
//! check mails open every link.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use domain::correspondence::MessageChoice;
use domain::id::UserId;
use domain::language::Language;
use domain::lead::Lead;
use domain::user::{User, UserCommand};
use eventlog::{Actor, CommitError, Context, EventLog, commit};
use http_kit::capability::Capability;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::error::ApiResult;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use messages::mail_page::escaped;
use platform::clock;
use platform::config::Settings;
use platform::texts::text;
use processes::unsubscribe::lead_of;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(
        Access::Capability(Capability::UnsubscribeLink),
        routes!(ask_unsubscribe, unsubscribe),
    )
}

/// Nothing runs, and the form leads back here alone.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// States of the page.
#[derive(Clone, Copy)]
enum Shown {
    Asks,
    Done,
    /// The link is at its end, or never was one.
    Over,
}

/// The page of a link: asks once more.
#[utoipa::path(get, path = "/unsubscribe/{token}", params(("token" = String, Path)),
    responses((status = 200, content_type = "text/html", body = String), (status = 404, content_type = "text/html", body = String)))]
pub async fn ask_unsubscribe(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let shown = match person_of(&log, &token).await? {
        Some(_) => Shown::Asks,
        None => Shown::Over,
    };
    Ok(page(shown, context.lang, &settings))
}

/// Switches the reminders of the link's person off; a mail program's own press comes here too.
#[utoipa::path(post, path = "/unsubscribe/{token}", params(("token" = String, Path)),
    responses((status = 200, content_type = "text/html", body = String), (status = 404, content_type = "text/html", body = String)))]
pub async fn unsubscribe(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let shown = match person_of(&log, &token).await? {
        Some(person) => switch_off(&log, person, &context).await?,
        None => Shown::Over,
    };
    Ok(page(shown, context.lang, &settings))
}

/// Whose reminders a link ends.
async fn person_of(log: &EventLog, token: &str) -> ApiResult<Option<UserId>> {
    let Some(lead_id) = lead_of(log.handles(), token, clock::now()) else {
        return Ok(None);
    };
    Ok(log.load::<Lead>(lead_id).await?.state.person())
}

async fn switch_off(log: &EventLog, person: UserId, context: &RequestContext) -> ApiResult<Shown> {
    let known = log.load::<User>(person).await?.state.messages;
    let choice = MessageChoice {
        reminders: false,
        ..known
    };
    let at = clock::now();
    let asked = Context::new(at, Actor::VISITOR).correlated(context.request_id);
    match commit::<User>(log, person, UserCommand::ChooseMessages { choice, at }, &asked).await {
        Ok(_) => Ok(Shown::Done),
        // Forgotten: the account has no reminders to end.
        Err(CommitError::Rejected(_)) => Ok(Shown::Over),
        Err(error) => Err(error.into()),
    }
}

fn page(shown: Shown, lang: Language, settings: &Settings) -> Response {
    let name = match shown {
        Shown::Asks => "asks",
        Shown::Done => "done",
        Shown::Over => "over",
    };
    let brand = settings.brand_name_now();
    let said = |part: &str| {
        let values = [("brand", brand.as_str())];
        escaped(&text(lang, &format!("unsubscribe.{name}_{part}"), &values))
    };
    let press = match shown {
        Shown::Asks => format!(
            "<form method=\"post\"><button type=\"submit\">{}</button></form>",
            said("press")
        ),
        Shown::Done | Shown::Over => format!("<p><a href=\"/profile\">{}</a></p>", said("press")),
    };
    let html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>\
         body{{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 16px;color:#17181C;background:#fff}}\
         h1{{font-size:24px;line-height:1.25}}button{{font:inherit;font-weight:600;padding:12px 20px;border:0;border-radius:8px;\
         background:#17181C;color:#fff;cursor:pointer}}a{{color:inherit}}\
         </style></head><body><main><h1>{title}</h1><p>{}</p>{press}</main></body></html>",
        lang.code(),
        said("text"),
        title = said("title"),
    );
    let status = match shown {
        Shown::Asks | Shown::Done => StatusCode::OK,
        Shown::Over => StatusCode::NOT_FOUND,
    };
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    let put: [(HeaderName, &'static str); 4] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        // The link is a capability: no other site is told of it. With `no-referrer` the press would come without its origin.
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ];
    for (name, value) in put {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
