//! From a site path to what its page shows: route, status, head and data, decided once on the server, the same for the
//! first HTML and for every navigation in the browser.

use std::borrow::Cow;

use axum::http::StatusCode;
use booking::payments;
use domain::language::Language;
use domain::payment::receipt::position_of;
use http_kit::error::ApiError;
use percent_encoding::percent_decode_str;
use platform::config::changeable::Source;
use platform::days;
use platform::texts::text;
use serde_json::{Value, json};
use shop::activity;
use shop::inventories::words::words;
use uuid::Uuid;

pub(crate) mod blog;
pub mod booking_form;
pub(crate) mod content;
pub mod head;
pub mod home;
pub mod page;
pub mod property;
mod search;
pub(crate) mod site_map;
pub mod sources;

use booking_form::Step;
use head::Head;
use page::{Address, Outcome, Page, Render, written};
use sources::PageSources;

use crate::brand::{face_of, show_brand};

/// Decides what the address shows. Only `pages` knows the site's paths (Spec §2).
///
/// # Errors
/// 429 for an address that guesses payment links; else only when something of ours is broken: bad addresses are outcomes.
pub async fn resolve(sources: &PageSources, address: &Address<'_>) -> Result<Outcome, ApiError> {
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
        ["places", "search", region, rest @ ..] => search::resolve(sources, address, region, rest),
        [] => Ok(Outcome::Page(Box::new(home::page(sources, address.lang)))),
        // Spec §2, D9: the agent's view is the page itself.
        ["places", key, "agent-view"] => Ok(moved(address, &format!("/places/{key}"))),
        ["places", key, "form"] => booking_form::resolve(sources, address, key, Step::Form).await,
        ["places", key, "application"] => {
            booking_form::resolve(sources, address, key, Step::Application).await
        }
        ["places", key, "payment"] => booking_form::resolve(sources, address, key, Step::Payment).await,
        ["places", key] => property::resolve(sources, address, key).await,
        ["forms", "submit"] => Ok(personal(
            sources,
            "form_submitted",
            &words(address.lang, "inventory.sent_title", &[]),
            &json!({ "lead_uuid": address.param("lead_uuid") }),
        )),
        ["profile", rest @ ..] => profile(sources, address, rest).await,
        ["terms"] => legal(sources, address.lang, "terms").await,
        ["privacy"] => legal(sources, address.lang, "privacy").await,
        ["workspace", rest @ ..] => Ok(workspace(sources, rest)),
        ["payments", token, "receipt"] => receipt_of(sources, address, token).await,
        ["receipts", number] => Ok(receipt(sources, address, number)),
        ["support", token] => Ok(support_link(sources, address.lang, token)),
        ["verify"] => Ok(verify(sources, address.lang)),
        ["payments", rest @ ..] => payment(sources, address, rest).await,
        [country, rest @ ..] if below_country(rest) && home::is_country(sources, country) => {
            payment(sources, address, &rest[1..]).await
        }
        parts => {
            let words = content::resolve(sources, address, parts).await?;
            Ok(words.unwrap_or(Outcome::NotFound { message: None }))
        }
    }
}

/// The places of the workspace, which the browser draws, as its router names them (`web/src/workspace/pages.ts`, `make contract`).
const WORKSPACE_PATHS: &str = include_str!("workspace_paths.txt");

fn workspace(sources: &PageSources, rest: &[&str]) -> Outcome {
    let is_there = WORKSPACE_PATHS
        .lines()
        .any(|path| fits(path.split('/').skip(2), rest));
    match personal(sources, "workspace", "Workspace", &json!({})) {
        Outcome::Page(page) if !is_there => Outcome::Missing(page),
        page => page,
    }
}

/// Whether an address is one that a pattern of the browser's router means. A part that it fills in is an id.
fn fits<'a>(pattern: impl Iterator<Item = &'a str>, address: &[&str]) -> bool {
    let pattern = pattern.collect::<Vec<_>>();
    pattern.len() == address.len()
        && std::iter::zip(pattern, address).all(|(part, said)| match part.strip_prefix('$') {
            Some(_) => said.parse::<Uuid>().is_ok(),
            None => part == *said,
        })
}

/// D17: what a login accepts, to be read by anybody.
async fn legal(sources: &PageSources, lang: Language, name: &'static str) -> Result<Outcome, ApiError> {
    if let Some(own) = content::show_own_legal(sources, lang, name).await? {
        return Ok(own);
    }
    let face = face_of(sources);
    let values = [("brand", face.name.as_str())];
    let said = |part: &str| text(lang, &format!("legal.{name}_{part}"), &values);
    let path = format!("/{name}");
    Ok(Outcome::Page(Box::new(Page {
        route: "legal",
        head: Head::listed(sources, lang, &said("title"), said("description"), &path),
        data: written(&json!({
            "page": name,
            "hold": days::lasting(lang, sources.settings.hold_seconds),
            "processors": list_processors(sources, lang),
        })),
        json_ld: Vec::new(),
        render: Render::Server,
        preload_image: None,
    })))
}

/// Who processes personal data for the house today, each with what it does.
fn list_processors(sources: &PageSources, lang: Language) -> Vec<String> {
    let processors = sources.settings.processors();
    let said = processors
        .iter()
        .map(|processor| text(lang, processor.key, &[("name", processor.name.as_str())]));
    said.collect()
}

/// `/support/{token}`: the link of a mail; the page asks for its conversation itself.
fn support_link(sources: &PageSources, lang: Language, token: &str) -> Outcome {
    let title = text(lang, "cases.title", &[]);
    personal(sources, "support_link", &title, &json!({ "token": token }))
}

/// `/payments/{token}/receipt`: on to the receipt under its number, once money was taken (row E9).
async fn receipt_of(sources: &PageSources, address: &Address<'_>, token: &str) -> Result<Outcome, ApiError> {
    let none = Outcome::NotFound {
        message: Some("token not found".to_owned()),
    };
    let Some(payment_id) = payments::known(&sources.payments, address.ip, token).await? else {
        return Ok(none);
    };
    let (made, _) = receipts::of_payment(&sources.records.log, payment_id).await?;
    Ok(made.first().map_or(none, |receipt| Outcome::Redirect {
        status: StatusCode::FOUND,
        to: format!("/receipts/{}?token={token}", receipt.number),
    }))
}

/// The page asks for the receipt itself, so that it can offer a login to who may not read it.
fn receipt(sources: &PageSources, address: &Address<'_>, number: &str) -> Outcome {
    let title = text(address.lang, "receipt.receipt", &[]);
    let shown = json!({ "number": number, "token": address.param("token"), "pass": address.param("pass") });
    match position_of(number) {
        Some(_) => personal(sources, "receipt", &title, &shown),
        None => Outcome::NotFound { message: None },
    }
}

/// `/verify`: anyone checks a receipt's proof.
fn verify(sources: &PageSources, lang: Language) -> Outcome {
    let said = |key: &str| text(lang, &format!("verify.{key}"), &[]);
    Outcome::Page(Box::new(Page {
        route: "verify",
        head: Head::listed(sources, lang, &said("title"), said("lead"), "/verify"),
        data: written(&json!({})),
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
async fn payment(sources: &PageSources, address: &Address<'_>, rest: &[&str]) -> Result<Outcome, ApiError> {
    let token = match rest {
        ["complete"] => address.param("token"),
        [token] => Some((*token).to_owned()),
        _ => return Ok(Outcome::NotFound { message: None }),
    };
    let known = match token {
        Some(token)
            if payments::known(&sources.payments, address.ip, &token)
                .await?
                .is_some() =>
        {
            Some(token)
        }
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
            personal(sources, "payment_complete", "Payment Complete", &shown)
        }
        _ => personal(sources, "payment_token", "Payments", &json!({ "token": token })),
    })
}

/// Paths whose pages need a login (D19).
pub fn is_guarded(path: &str) -> bool {
    path == "/profile" || path.starts_with("/profile/")
}

/// The pages behind the login guard that exist so far (D19, D20). Who has a lead's own link sees that lead without a login.
async fn profile(sources: &PageSources, address: &Address<'_>, rest: &[&str]) -> Result<Outcome, ApiError> {
    let (page, case_id) = match rest {
        [] => ("profile", None),
        ["leads"] => ("leads", None),
        ["leads", "support"] => ("cashback", None),
        ["shortlist"] => ("shortlist", None),
        ["support"] => ("support", None),
        ["support", id] if id.parse::<Uuid>().is_ok() => ("support", Some(*id)),
        _ => return Ok(Outcome::NotFound { message: None }),
    };
    if address.logged_in {
        return Ok(personal(
            sources,
            "profile",
            "Profile",
            &json!({ "page": page, "lead": null, "case_id": case_id }),
        ));
    }
    if let ("leads", Some(lead_uuid)) = (page, address.param("lead_uuid"))
        && let Some(lead) = activity::shown_by_link(&sources.records, &lead_uuid, address.lang).await?
    {
        return Ok(personal(
            sources,
            "profile",
            "Profile",
            &json!({ "page": page, "lead": lead, "case_id": null }),
        ));
    }
    let next: String = form_urlencoded::byte_serialize(address.url().as_bytes()).collect();
    Ok(Outcome::Redirect {
        status: StatusCode::FOUND,
        to: format!("/?login=1&next={next}"),
    })
}

/// A page the browser draws for one person.
pub fn personal(
    sources: &PageSources,
    route: &'static str,
    title: &str,
    shown: &impl serde::Serialize,
) -> Outcome {
    Outcome::Page(Box::new(Page {
        route,
        head: Head::private(sources, title),
        data: written(shown),
        json_ld: Vec::new(),
        render: Render::Browser,
        preload_image: None,
    }))
}

/// The frame around every page: brand, language, menus.
pub fn chrome(sources: &PageSources, address: &Address<'_>) -> Value {
    let (settings, face) = (&sources.settings, face_of(sources));
    // Nothing is said of a house that sets no figures; those of the demo are no other brand's.
    let figure = |name: &str| {
        let (set, source) = settings.present(name);
        let is_said = !set.is_empty() && (source != Source::Default || !face.is_own);
        is_said.then_some(set)
    };
    serde_json::json!({
        "brand_name": face.name,
        "brand": show_brand(sources, address.lang),
        "lang": address.lang.code(),
        "variant": settings.variant,
        "dev_tools": settings.dev_tools(),
        "rating": figure("rating"),
        "downloads": figure("downloads"),
        "support_email": settings.support_email_of(&face),
        "maintenance": settings.in_maintenance(),
        "test_payments": sources.payments.moves_no_money(),
        "countries": home::country_menu(sources, address.lang),
    })
}
