//! Head and structured data of a property page (B5, Spec §2).

use domain::inventory::property::{PropertyDetails, PropertyKind};
use domain::inventory::state::HomeState;
use domain::language::Language;
use domain::money::{Money, Period};
use domain::place::PlaceName;
use platform::forms::forms_of;
use search_index::geo::OnGlobe;
use serde_json::{Value, json};
use shop::inventories::home::Home;
use shop::inventories::words::words;
use shop::inventories::{address, market, photos};

use super::{facts, room_names, universities};
use crate::pages::head::Head;
use crate::pages::sources::PageSources;

/// Spec §9: images in structured data.
const IMAGES_MAX: usize = 5;

pub(super) fn head(sources: &PageSources, home: &Home, lang: Language) -> Head {
    let property = &home.property;
    let city = home.city_name(lang);
    let near = universities(home);
    let university = near.first().map_or_else(String::new, |near| near.title(lang));
    let away = near
        .first()
        .map_or_else(String::new, |near| facts::length(near.metres, lang));
    let period = match property.period {
        Period::Weekly => words(lang, "inventory.week", &[]),
        Period::Monthly => words(lang, "inventory.month", &[]),
    };
    let (rooms, price) = (room_names(home, lang), from_price(home, lang));
    let values = [
        ("name", property.name_in(lang.code())),
        ("city", city),
        ("rooms", &rooms),
        ("price", price.as_deref().unwrap_or_default()),
        ("period", &period),
        ("distance", &away),
        ("university", &university),
    ];
    let path = format!("/places/{}", property.canonical_name);
    // Where no university is near, nothing is said of one.
    let plain = if near.is_empty() { "_plain" } else { "" };
    let form = match price {
        None => "_bare",
        // Only what can be booked online is called that.
        Some(_) if !home.bookable() => "_asked",
        Some(_) => plain,
    };
    let description = words(lang, &format!("inventory.description{form}"), &values);
    // A drawn picture stands for no home where a link is shared: there nothing says that it is an illustration.
    let photo = photos::list_shared(home, 1).into_iter().next();
    Head {
        keywords: Some(words(lang, &format!("inventory.keywords{plain}"), &values)),
        image: photo.map(|path| format!("{}{path}", sources.site.origin)),
        ..Head::listed(
            sources,
            lang,
            &words(lang, "inventory.title", &values),
            description,
            &path,
        )
    }
}

/// From how much; none where no lease has a price.
fn from_price(home: &Home, lang: Language) -> Option<String> {
    let (low, _) = home.available_prices()?;
    Some(forms_of(lang).write_price(Money::new(low, home.property.currency)))
}

/// Apartment, questions and the list of rooms as JSON-LD.
pub(super) fn structured(sources: &PageSources, home: &Home, lang: Language) -> Vec<Value> {
    let base = &sources.site.origin;
    let mut all = vec![apartment(base, home, lang), rooms(base, home, lang)];
    if !home.property.faqs.is_empty() {
        all.push(questions(home, lang));
    }
    all
}

/// The schema.org type of a home. A hall or student accommodation may be anything that people live in, as may a home of no kind.
const fn schema_type(kind: Option<PropertyKind>) -> &'static str {
    match kind {
        Some(PropertyKind::Apartment) => "ApartmentComplex",
        Some(PropertyKind::House) => "House",
        Some(PropertyKind::StudentAccommodation | PropertyKind::UniversityHall) | None => "Residence",
    }
}

/// The parts of an address that are known.
fn postal_address(property: &PropertyDetails) -> Value {
    let full = |part: &Option<PlaceName>| part.as_ref().map(|name| name.long_name.clone());
    let parts = [
        ("streetAddress", Some(address::street_line(property))),
        ("addressLocality", full(&property.address.locality)),
        ("addressRegion", full(&property.address.state)),
        ("postalCode", full(&property.address.postal_code)),
    ];
    let mut known = json!({ "@type": "PostalAddress", "addressCountry": property.country.iso() });
    for (name, part) in parts {
        if let Some(part) = part.filter(|part| !part.is_empty()) {
            known[name] = json!(part);
        }
    }
    known
}

fn apartment(base: &str, home: &Home, lang: Language) -> Value {
    let property = &home.property;
    let amenities = property.features.iter().map(|feature| {
        let name = words(lang, &format!("feature.{}", feature.key), &[]);
        json!({ "@type": "LocationFeatureSpecification", "name": name, "value": true })
    });
    let mut apartment = json!({
        "@context": "https://schema.org",
        "@type": schema_type(property.kind),
        "name": property.name_in(lang.code()),
        "url": format!("{base}/places/{}", property.canonical_name),
        "address": postal_address(property),
    });
    if let Some(point) = property.coordinates {
        apartment["geo"] =
            json!({ "@type": "GeoCoordinates", "latitude": point.lat(), "longitude": point.lng() });
    }
    let description = property.description.in_language(lang.code());
    if !description.is_empty() {
        apartment["description"] = json!(description);
    }
    let amenities: Vec<Value> = amenities.collect();
    if !amenities.is_empty() {
        apartment["amenityFeature"] = json!(amenities);
    }
    let photos = photos::list_shared(home, IMAGES_MAX).into_iter();
    let photos: Vec<String> = photos.map(|path| format!("{base}{path}")).collect();
    if !photos.is_empty() {
        apartment["image"] = json!(photos);
    }
    if let Some(phone) = property.phones.first() {
        apartment["telephone"] = json!(phone);
    }
    let to_read = market::reviews_to_read(home);
    if let Some(rating) = market::rating(home).filter(|_| to_read > 0) {
        apartment["aggregateRating"] =
            json!({ "@type": "AggregateRating", "ratingValue": rating, "reviewCount": to_read });
    }
    apartment
}

fn rooms(base: &str, home: &Home, lang: Language) -> Value {
    let url = format!("{base}/places/{}", home.property.canonical_name);
    let items = home.rooms().enumerate().map(|(place, room)| {
        let details = &room.details;
        let mut item = json!({
            "@type": "Product",
            "name": details.name.in_language(lang.code()),
            "url": format!("{url}#{}", details.canonical_name),
        });
        // A room without a price is no offer.
        if let Some(price) = home.lowest_price(room) {
            let mut offer = json!({
                "@type": "Offer",
                "price": home.decimal(price),
                "priceCurrency": home.property.currency.code(),
            });
            // A room on request is not said to be free, and one of a paused home not to be sold out.
            if room.on_request_minor().is_none() && home.state() == HomeState::Active {
                let stock = if home.room_available(room) {
                    "InStock"
                } else {
                    "SoldOut"
                };
                offer["availability"] = json!(format!("https://schema.org/{stock}"));
            }
            item["offers"] = offer;
        }
        json!({ "@type": "ListItem", "position": place + 1, "item": item })
    });
    json!({ "@context": "https://schema.org", "@type": "ItemList", "itemListElement": items.collect::<Vec<_>>() })
}

fn questions(home: &Home, lang: Language) -> Value {
    let entries = home.property.faqs.iter().map(|faq| {
        json!({
            "@type": "Question",
            "name": faq.question.in_language(lang.code()),
            "acceptedAnswer": { "@type": "Answer", "text": faq.answer.in_language(lang.code()) },
        })
    });
    json!({ "@context": "https://schema.org", "@type": "FAQPage", "mainEntity": entries.collect::<Vec<_>>() })
}
