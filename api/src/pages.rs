//! From a site path to what its page shows: route, status, head and data, decided once on the server, the same for the
//! first HTML and for every navigation in the browser.

use std::borrow::Cow;
use std::net::IpAddr;

use axum::http::StatusCode;
use domain::language::Language;
use percent_encoding::percent_decode_str;
use platform::texts::text;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::activity;
use crate::app::App;
use crate::error::ApiError;
use crate::inventories::words::words;
use crate::payments;

pub mod booking_form;
pub mod head;
pub mod home;
pub mod property;
mod search;

use booking_form::Step;
use head::Head;

/// Where a site path leads.
#[derive(Debug)]
pub enum Outcome {
    Page(Box<Page>),
    /// 301 for permanent facts, 302 for states (D8).
    Redirect {
        status: StatusCode,
        to: String,
    },
    /// A page that draws itself that there is nothing.
    Missing(Box<Page>),
    /// `message` says more where the specification does, e.g. 'token not found'.
    NotFound {
        message: Option<String>,
    },
}

/// One page.
#[derive(Debug)]
pub struct Page {
    /// The name by which the browser finds the page's code.
    pub route: &'static str,
    pub head: Head,
    pub data: Value,
    pub json_ld: Vec<Value>,
    pub render: Render,
    /// A picture to fetch first.
    pub preload_image: Option<String>,
}

/// Where a page's body is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Render {
    /// Public to search engines: rendered on the server, the same for everybody.
    Server,
    /// Personal: the shell only, never cached, not indexed.
    Browser,
}

/// A page address taken apart.
#[derive(Debug, Clone)]
pub struct Address<'a> {
    pub path: &'a str,
    /// Without the question mark; empty when there is none.
    pub query: &'a str,
    pub lang: Language,
    /// Whether the visitor's login stands; looked up for guarded paths only.
    pub logged_in: bool,
    /// The visitor's network address, by which guesses count.
    pub ip: IpAddr,
}

impl Address<'_> {
    /// The decoded value of one query parameter; empty values count as absent.
    pub fn param(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
            .filter(|value| !value.is_empty())
    }

    /// Path and query, as the address bar shows them.
    pub fn url(&self) -> String {
        self.keeping_query(self.path)
    }

    /// `to` with this address's query kept (D8).
    pub fn keeping_query(&self, to: &str) -> String {
        if self.query.is_empty() {
            to.to_owned()
        } else {
            format!("{to}?{}", self.query)
        }
    }
}

/// What `GET /_page` answers and the first HTML embeds.
#[derive(Debug, Serialize)]
pub struct PagePayload {
    pub route: &'static str,
    /// Path and query this payload answers.
    pub url: String,
    pub status: u16,
    pub redirect: Option<String>,
    pub head: Head,
    pub chrome: Value,
    pub data: Value,
}

/// Decides what the address shows. Only `pages` knows the site's paths (Spec §2).
///
/// # Errors
/// 429 for an address that guesses payment links; else only when something of ours is broken: bad addresses are outcomes.
pub async fn resolve(app: &App, address: &Address<'_>) -> Result<Outcome, ApiError> {
    // Names of any script arrive percent-encoded.
    let decoded: Vec<Cow<'_, str>> = address
        .path
        .trim_matches('/')
        .split('/')
        .filter(|part| !part.is_empty())
        .map(|part| percent_decode_str(part).decode_utf8_lossy())
        .collect();
    let segments: Vec<&str> = decoded.iter().map(AsRef::as_ref).collect();
    // D18: payment pages also live below an active country.
    let below_country = |rest: &[&str]| rest.first() == Some(&"payments");
    match segments.as_slice() {
        ["places", "search", region, rest @ ..] => search::resolve(app, address, region, rest),
        [] => Ok(Outcome::Page(Box::new(home::page(app, address.lang)))),
        // Spec §2, D9: the agent's view is the page itself.
        ["places", key, "agent-view"] => Ok(moved(address, &format!("/places/{key}"))),
        ["places", key, "form"] => booking_form::resolve(app, address, key, Step::Form).await,
        ["places", key, "application"] => booking_form::resolve(app, address, key, Step::Application).await,
        ["places", key, "payment"] => booking_form::resolve(app, address, key, Step::Payment).await,
        ["places", key] => property::resolve(app, address, key).await,
        ["forms", "submit"] => Ok(personal(
            app,
            "form_submitted",
            &words(address.lang, "inventory.sent_title", &[]),
            json!({ "lead_uuid": address.param("lead_uuid") }),
        )),
        ["profile", rest @ ..] => profile(app, address, rest).await,
        [name @ ("terms" | "privacy")] => Ok(legal(app, address.lang, name)),
        ["workspace", rest @ ..] => Ok(workspace(app, rest)),
        ["payments", rest @ ..] => payment(app, address, rest).await,
        [country, rest @ ..] if below_country(rest) && home::is_country(app, country) => {
            payment(app, address, &rest[1..]).await
        }
        _ => Ok(Outcome::NotFound { message: None }),
    }
}

/// The places of the workspace, which the browser draws; `web/src/workspace/address.ts` names the same.
fn workspace(app: &App, rest: &[&str]) -> Outcome {
    let is_there = match rest {
        [] | ["leads" | "finance" | "read_models" | "grants"] => true,
        ["leads", lead_id] => lead_id.parse::<Uuid>().is_ok(),
        _ => false,
    };
    match personal(app, "workspace", "Workspace", json!({})) {
        Outcome::Page(page) if !is_there => Outcome::Missing(page),
        page => page,
    }
}

/// D17: what a login accepts, to be read by anybody.
fn legal(app: &App, lang: Language, name: &str) -> Outcome {
    let values = [("brand", app.settings.brand_name.as_str())];
    let written = |part: &str| text(lang, &format!("legal.{name}_{part}"), &values);
    let path = format!("/{name}");
    Outcome::Page(Box::new(Page {
        route: "legal",
        head: Head::listed(app, lang, &written("title"), written("description"), &path),
        data: json!({ "page": name }),
        json_ld: Vec::new(),
        render: Render::Server,
        preload_image: None,
    }))
}

/// D8: a permanent fact; the query stays.
fn moved(address: &Address<'_>, to: &str) -> Outcome {
    Outcome::Redirect {
        status: StatusCode::MOVED_PERMANENTLY,
        to: address.keeping_query(to),
    }
}

/// The payment pages of Spec §2. A token that leads nowhere is no page (Spec §8).
async fn payment(app: &App, address: &Address<'_>, rest: &[&str]) -> Result<Outcome, ApiError> {
    let token = match rest {
        ["complete"] => address.param("token"),
        [token] => Some((*token).to_owned()),
        _ => return Ok(Outcome::NotFound { message: None }),
    };
    let known = match token {
        Some(token) if payments::known(app, address.ip, &token).await?.is_some() => Some(token),
        Some(_) | None => None,
    };
    let Some(token) = known else {
        return Ok(Outcome::NotFound {
            message: Some("token not found".to_owned()),
        });
    };
    Ok(match rest {
        ["complete"] => {
            let shown = json!({
                "token": token,
                "lead_uuid": address.param("lead_uuid"),
                "inventory_id": address.param("inventory_id"),
            });
            personal(app, "payment_complete", "Payment Complete", shown)
        }
        _ => personal(app, "payment_token", "Payments", json!({ "token": token })),
    })
}

/// Paths whose pages need a login (D19).
pub fn is_guarded(path: &str) -> bool {
    path == "/profile" || path.starts_with("/profile/")
}

/// The pages behind the login guard that exist so far (D19, D20). Who has a lead's own link sees that lead without a login.
async fn profile(app: &App, address: &Address<'_>, rest: &[&str]) -> Result<Outcome, ApiError> {
    let page = match rest {
        [] => "profile",
        ["leads"] => "leads",
        ["shortlist"] => "shortlist",
        _ => return Ok(Outcome::NotFound { message: None }),
    };
    if address.logged_in {
        return Ok(personal(
            app,
            "profile",
            "Profile",
            json!({ "page": page, "lead": null }),
        ));
    }
    if let ("leads", Some(lead_uuid)) = (page, address.param("lead_uuid"))
        && let Some(lead) = activity::shown_by_link(app, &lead_uuid, address.lang).await?
    {
        return Ok(personal(
            app,
            "profile",
            "Profile",
            json!({ "page": page, "lead": lead }),
        ));
    }
    let next: String = form_urlencoded::byte_serialize(address.url().as_bytes()).collect();
    Ok(Outcome::Redirect {
        status: StatusCode::FOUND,
        to: format!("/?login=1&next={next}"),
    })
}

/// A page the browser draws for one person.
pub fn personal(app: &App, route: &'static str, title: &str, shown: Value) -> Outcome {
    Outcome::Page(Box::new(Page {
        route,
        head: Head::private(app, title),
        data: shown,
        json_ld: Vec::new(),
        render: Render::Browser,
        preload_image: None,
    }))
}

/// What the frame around every page shows: brand, language, menus.
pub fn chrome(app: &App, address: &Address<'_>) -> Value {
    let settings = &app.settings;
    serde_json::json!({
        "brand_name": settings.brand_name,
        "lang": address.lang.code(),
        "variant": settings.variant,
        "dev_tools": settings.dev_tools(),
        "rating": settings.rating,
        "downloads": settings.downloads,
        "support_email": (!settings.support_email.is_empty()).then_some(&settings.support_email),
        "countries": home::country_menu(app, address.lang),
    })
}
