//! The booking, application and payment entry pages of a property: what they need of it, and what the address fills in
//! (rows D1, D5, E10; Spec §2).

use axum::http::StatusCode;
use domain::inventory::Status;
use domain::inventory::property::{Guarantor, PropertyDetails};
use domain::language::Language;
use http_kit::common_parameters::with_leading_plus;
use http_kit::error::ApiResult;
use platform::config::Settings;
use projections::inventory_page::Named;
use serde_json::{Value, json};
use shop::inventories::home::{self, Home};
use shop::inventories::words::words;
use shop::inventories::{photos, rooms, view};

use crate::pages::head::Head;
use crate::pages::page::{Address, Outcome, Page, Render, written};
use crate::pages::property::{kept_page, payment_summary};
use crate::pages::sources::PageSources;

/// Which of the three pages below a property is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// `/places/{name}/form`
    Form,
    /// `/places/{id}/application`
    Application,
    /// `/places/{id}/payment`
    Payment,
}

impl Step {
    const fn segment(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Application => "application",
            Self::Payment => "payment",
        }
    }

    const fn route(self) -> &'static str {
        match self {
            Self::Form => "booking_form",
            Self::Application => "application",
            Self::Payment => "payment",
        }
    }
}

/// Where `/places/{key}/form`, `/application` or `/payment` leads; a room's name works as its property's (D11).
///
/// # Errors
/// Only when something of ours is broken.
pub async fn resolve(
    sources: &PageSources,
    address: &Address<'_>,
    key: &str,
    step: Step,
) -> ApiResult<Outcome> {
    let Some((named, home)) = home::find(&sources.records, key).await? else {
        return Ok(Outcome::NotFound { message: None });
    };
    match home.status() {
        Status::Draft | Status::InReview => return Ok(Outcome::NotFound { message: None }),
        Status::Deleted => {
            if let Some(to) = kept_page(sources, &home).await? {
                return Ok(Outcome::Redirect {
                    status: StatusCode::MOVED_PERMANENTLY,
                    to,
                });
            }
            let to = home.city().map_or_else(
                || "/".to_owned(),
                |city| format!("/places/search/{}", city.canonical_name()),
            );
            return Ok(Outcome::Redirect {
                status: StatusCode::FOUND,
                to,
            });
        }
        Status::Active | Status::Inactive => {}
    }
    let title = match step {
        Step::Form => words(
            address.lang,
            "inventory.form_title",
            &[("name", home.property.name_in(address.lang.code()))],
        ),
        Step::Application => words(
            address.lang,
            "inventory.apply_title",
            &[("name", home.property.name_in(address.lang.code()))],
        ),
        // Spec §2: payment pages have their own title and are not indexed.
        Step::Payment => "Payments".to_owned(),
    };
    let shown = match step {
        Step::Form | Step::Application => booking_form_page(&home, named, address, &sources.settings),
        Step::Payment => payment_entry_page(&home, address),
    };
    let canonical = format!(
        "{}/places/{}/{}",
        sources.site.origin,
        home.property.canonical_name,
        step.segment()
    );
    Ok(Outcome::Page(Box::new(Page {
        route: step.route(),
        head: Head {
            canonical: Some(canonical),
            ..Head::private(sources, &title)
        },
        data: written(&shown),
        json_ld: Vec::new(),
        render: Render::Browser,
        preload_image: None,
    })))
}

/// The contract's `BookingFormPage`.
pub fn booking_form_page(home: &Home, named: Named, address: &Address<'_>, settings: &Settings) -> Value {
    let room = named.is_room().then(|| named.inventory.to_string());
    json!({
        "property": property(home, address.lang),
        "room_types": rooms::room_types(home, &rooms::Wanted::default(), address.lang),
        "prefill": prefill(address, room),
        "form": view::form(home),
        "payment_summary": payment_summary(home),
        "processing_fee_percent": settings.fee_rate(home.property.country).to_string(),
        "with_accommodation_card": with_accommodation_card(home, address),
    })
}

/// The contract's `PaymentEntryPage`.
pub fn payment_entry_page(home: &Home, address: &Address<'_>) -> Value {
    json!({
        "property": property(home, address.lang),
        "room_types": rooms::room_types(home, &rooms::Wanted::default(), address.lang),
        "lead_uuid": address.param("lead_uuid"),
        "with_accommodation_card": with_accommodation_card(home, address),
    })
}

fn property(home: &Home, lang: Language) -> Value {
    let property = &home.property;
    let image = photos::choose_image(home, lang);
    json!({
        "id": home.id(),
        "name": property.name_in(lang.code()),
        "canonical_name": property.canonical_name,
        "image": {
            "path": image.as_ref().map(|image| image.path.as_str()).unwrap_or_default(),
            "caption": image.as_ref().map(|image| image.caption.as_str()).unwrap_or_default(),
        },
        "region": {
            "name": home.city_name(lang),
            "canonical_name": home.city().map_or("", |city| city.canonical_name()),
            "country_key": property.country.key(),
        },
        "available": home.available(),
        "bookable": home.bookable(),
        // Null where the home does not say: then the form asks for one, and no sentence says that one is needed.
        "guarantor_required": guarantor_required(property),
        "flow": home.flow().key(),
        "payment_before_bookform": property.terms.payment_before_bookform,
    })
}

fn guarantor_required(property: &PropertyDetails) -> Option<bool> {
    if !property.country.asks_guarantor() {
        return Some(false);
    }
    property
        .guarantor
        .map(|guarantor| guarantor != Guarantor::NotRequired)
}

/// The query parameters of Spec §2; a phone code is the last word of what was saved (D67).
fn prefill(address: &Address<'_>, room: Option<String>) -> Value {
    let saved_code = address.param("phone[first]").unwrap_or_default();
    let phone_code = saved_code.split_whitespace().last().map(dialling_code);
    json!({
        "inventory_id": address.param("inventory_id").or(room),
        "lead_uuid": address.param("lead_uuid").or_else(|| address.param("lead_id")),
        "configuration": address.param("config_name"),
        "university": address.param("university"),
        "lease_duration": address.param("lease_duration"),
        "move_in_date": address.param("move_in_date"),
        // An address of mail holds no space: each was a plus sign that came unencoded.
        "email": address.param("email").map(|email| email.trim().replace(' ', "+")),
        "phone": address.param("phone[last]").map(|phone| with_leading_plus(&phone).into_owned()),
        "phone_code": phone_code,
        "first_name": address.param("fullName[first]"),
        "last_name": address.param("fullName[last]"),
        "bookform_source": address.param("bookform_source"),
        "show_submit_confirmation": matches!(address.param("showSubmitConfirmation").as_deref(), Some("true" | "1")),
    })
}

/// A dialling code with its plus sign, which it loses where it came unencoded.
fn dialling_code(word: &str) -> String {
    let plus = if word.starts_with(|first: char| first.is_ascii_digit()) {
        "+"
    } else {
        ""
    };
    format!("{plus}{word}")
}

/// Spec §4 "Payment form with accommodation card", D101.
fn with_accommodation_card(home: &Home, address: &Address<'_>) -> bool {
    let medium = address.param("utm_medium");
    let source = address
        .param("payment_source")
        .map(|source| source.to_lowercase());
    let filled = ["prefilled", "pre-filled", "pre_filled"];
    let filled_by_hand = source.is_some_and(|source| {
        let plain = ["no", "no-", "no_"].iter().find_map(|no| {
            source
                .strip_prefix(no)
                .filter(|rest| filled.iter().any(|word| rest.starts_with(word)))
        });
        plain.is_some() || filled.iter().any(|word| source.starts_with(word))
    });
    matches!(medium.as_deref(), Some("agent" | "system"))
        || filled_by_hand
        || address.param("inventory_id").is_none()
        || address.param("email").is_none()
        || address.param("phone[last]").is_none()
        || home.property.terms.payment_before_bookform
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_fills_the_form_in() {
        let address = Address {
            path: "/places/x/form",
            query: "phone%5Bfirst%5D=IN%20%2B91&phone%5Blast%5D=98100&fullName%5Bfirst%5D=Maya&showSubmitConfirmation=true",
            lang: Language::En,
            logged_in: false,
            ip: [127, 0, 0, 1].into(),
        };
        let filled = prefill(&address, Some("room".to_owned()));
        assert_eq!(filled["phone_code"], "+91");
        assert_eq!(filled["phone"], "98100");
        assert_eq!(filled["first_name"], "Maya");
        assert_eq!(filled["inventory_id"], "room");
        assert_eq!(filled["show_submit_confirmation"], true);
    }

    #[test]
    fn plus_signs_that_came_unencoded_are_still_plus_signs() {
        for (query, code, phone, email) in [
            (
                "phone[first]=+91&phone[last]=98100&email=a+b@x.org",
                "+91",
                "98100",
                "a+b@x.org",
            ),
            (
                "phone[first]=IN+%2B91&phone[last]=+9198100&email=a%2Bb@x.org",
                "+91",
                "+9198100",
                "a+b@x.org",
            ),
            (
                "phone[first]=IN%20+91&phone[last]=98100+12345&email=ab@x.org+",
                "+91",
                "98100 12345",
                "ab@x.org",
            ),
            (
                "phone[first]=91&phone[last]=%2B9198100&email=+ab@x.org",
                "+91",
                "+9198100",
                "ab@x.org",
            ),
        ] {
            let address = Address {
                path: "/places/x/form",
                query,
                lang: Language::En,
                logged_in: false,
                ip: [127, 0, 0, 1].into(),
            };
            let filled = prefill(&address, None);
            let read = [&filled["phone_code"], &filled["phone"], &filled["email"]];
            assert_eq!(read, [code, phone, email], "{query}");
        }
    }
}
