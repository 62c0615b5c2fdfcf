//! A property or room in the words of Spec §3, for `GET /api/v0/inventories/{id}` and the list.

use domain::booking_form::definition::FormDefinition;
use domain::id::InventoryId;
use domain::inventory::Status;
use domain::inventory::let_room::LetRoom;
use domain::inventory::media::RecordingKind;
use domain::inventory::picture_path::picture_path;
use domain::inventory::property::{Guarantor, Tag};
use domain::language::Language;
use domain::room::Configuration;
use http_kit::request::listed;
use search_index::geo::OnGlobe;
use serde_json::{Map, Value, json};

use super::home::Home;
use super::words::words;
use super::{market, photos, rooms};

/// Which fields are wanted: the usual ones, more by `methods`, only some, all but some (D51). Unknown names are ignored.
#[derive(Debug, Default)]
pub struct Fields {
    methods: Vec<String>,
    only: Vec<String>,
    except: Vec<String>,
}

/// Fields that come only when `methods` (or `only`) names them (Spec §7).
const BY_METHOD: [&str; 17] = [
    "region",
    "site_plan",
    "meta_facts",
    "meta_short",
    "meta_distances",
    "meta_general_facts",
    "meta_community_facts",
    "feature_tags",
    "destination_distances",
    "children_short",
    "region_parent_country",
    "region_parent_city_canonical",
    "active_children",
    "active_children_count",
    "inventory_custom_form",
    "offers",
    "parent",
];

impl Fields {
    pub fn read(methods: Option<&str>, only: Option<&str>, except: Option<&str>) -> Self {
        let names = |text: Option<&str>| -> Vec<String> {
            listed(text.unwrap_or_default()).map(str::to_owned).collect()
        };
        Self {
            methods: names(methods),
            only: names(only),
            except: names(except),
        }
    }

    fn keeps(&self, name: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|one| one == name);
        if named(&self.except) {
            return false;
        }
        let asked = named(&self.methods) || named(&self.only);
        asked || (self.only.is_empty() && !BY_METHOD.contains(&name))
    }

    /// A kind of room with the fields that `only` leaves.
    pub fn of_room_type(&self, room: &rooms::RoomType) -> Value {
        // Without a name in it, `only` leaves everything.
        serde_json::to_value(room).map_or(Value::Null, |room| self.prune(object(room)))
    }

    fn prune(&self, mut fields: Map<String, Value>) -> Value {
        fields.retain(|name, _| self.keeps(name));
        Value::Object(fields)
    }
}

/// A property.
pub fn property(home: &Home, fields: &Fields, lang: Language) -> Value {
    let mut all = own(home, lang);
    all.extend(by_method(home, fields, lang));
    fields.prune(all)
}

/// A room with its property as `parent` (D11); `None` when it is let no longer.
pub fn room(home: &Home, id: InventoryId, fields: &Fields, lang: Language) -> Option<Value> {
    let room = home.page.room(id)?;
    let mut all = own(home, lang);
    all.extend(by_method(home, fields, lang));
    all.extend(of_room(home, room, lang));
    let mut shown = match fields.prune(all) {
        Value::Object(shown) => shown,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    let parent = Fields::read(None, Some("id,name,canonical_name,region_id,region,status"), None);
    shown.insert("parent".to_owned(), property(home, &parent, lang));
    Some(Value::Object(shown))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

fn own(home: &Home, lang: Language) -> Map<String, Value> {
    let property = &home.property;
    object(json!({
        "id": home.id(),
        "name": property.name_in(lang.code()),
        "canonical_name": property.canonical_name,
        "parent_id": null,
        "level": null,
        "tenancyName": null,
        "resetMoveInDate": false,
        "type": property.kind,
        "unit_type": property.unit_type,
        "status": home.status(),
        "available": home.available(),
        "region_id": property.region,
        "provider_id": property.provider,
        "source_link": null,
        "owner": { "phones": property.phones },
        "description": property.description.in_language(lang.code()),
        "pricing": pricing(home, home.all_prices(), home.available_prices()),
        "images": images(home, lang),
        "videos": recordings(home, RecordingKind::Video),
        "virtual_views": recordings(home, RecordingKind::Tour),
        "location": property.address,
        "location_coordinates": property.coordinates.map(|place| json!({ "lat": place.lat(), "lng": place.lng() })),
        "tags": property.tags.iter().map(|tag| tag.key()).collect::<Vec<_>>(),
        "features": features(home, lang),
        "faqs": faqs(home, lang),
        "meta": meta(home),
        "config": null,
        "reviews_count": market::reviews_to_read(home),
        "reviews_rating": market::rating(home),
        "payment_before_bookform": property.terms.payment_before_bookform,
        "is_local_non_commissionable": home.tagged(Tag::LocalNonCommissionable),
        "rooms_left": home.said_rooms_left(),
    }))
}

fn pricing(home: &Home, all: Option<(u64, u64)>, open: Option<(u64, u64)>) -> Value {
    let amount = |ends: Option<(u64, u64)>, high: bool| {
        ends.map_or(Value::Null, |(low, top)| {
            home.decimal(if high { top } else { low })
        })
    };
    json!({
        "min_price": amount(all, false),
        "max_price": amount(all, true),
        "price": amount(all, false),
        "min_available_price": amount(open, false),
        "max_available_price": amount(open, true),
        "available_price": amount(open, false),
        "currency": home.property.currency.code(),
        "duration": home.property.period,
    })
}

fn images(home: &Home, lang: Language) -> Vec<Value> {
    let photos = photos::list_photos(home, lang);
    if !photos.is_empty() {
        let image = |(place, photo): (usize, &photos::Photo)| {
            let shown = photos::describe_image(photo);
            json!({
                "path": shown.path,
                "caption": shown.caption,
                "type": photo.kind.unwrap_or_default(),
                "featured": place == 0,
            })
        };
        return photos.iter().enumerate().map(image).collect();
    }
    let pictures = home.property.pictures.iter().enumerate();
    let image = |(place, picture): (usize, &domain::inventory::property::Picture)| {
        json!({
            "path": picture_path(picture),
            "caption": rooms::caption(picture, lang),
            "type": picture.kind.key(),
            "featured": place == 0,
        })
    };
    pictures.map(image).collect()
}

/// Addresses of the recordings of one kind.
fn recordings(home: &Home, kind: RecordingKind) -> Vec<&str> {
    let said = home.property.media.recordings.iter();
    said.filter(|recording| recording.kind == kind)
        .map(|recording| recording.url.as_str())
        .collect()
}

fn features(home: &Home, lang: Language) -> Vec<Value> {
    let mut groups: Vec<Value> = Vec::new();
    for same in home
        .property
        .features
        .chunk_by(|one, other| one.group == other.group)
    {
        let Some(group) = same.first().map(|feature| feature.group) else {
            continue;
        };
        let values = same.iter().map(|feature| {
            json!({ "key": feature.key, "name": words(lang, &format!("feature.{}", feature.key), &[]) })
        });
        groups.push(json!({
            "type": group.key(),
            "name": words(lang, &format!("feature_group.{}", group.key()), &[]),
            "values": values.collect::<Vec<_>>(),
        }));
    }
    groups
}

/// Questions with their answers.
pub fn faqs(home: &Home, lang: Language) -> Vec<Value> {
    let shown = home.property.faqs.iter().map(|faq| {
        json!({
            "question": faq.question.in_language(lang.code()),
            "answer": faq.answer.in_language(lang.code()),
        })
    });
    shown.collect()
}

fn meta(home: &Home) -> Value {
    let leases: Vec<_> = home.rooms().flat_map(|room| &room.leases).collect();
    let open = home.rooms().flat_map(|room| home.open_leases(room));
    let first = open.map(|lease| lease.move_in).min();
    let durations: Vec<u16> = leases.iter().map(|lease| lease.length.duration).collect();
    let terms = &home.property.terms;
    let named = |minor: u64| (minor > 0).then(|| home.decimal(minor));
    let deposit = if terms.asks_no_deposit {
        Some(home.decimal(0))
    } else {
        named(terms.deposit_minor)
    };
    json!({
        "payment": terms.booking_allowed,
        "guarantor_required": home.property.guarantor.map(Guarantor::required),
        "guarantor": home.property.guarantor.map(Guarantor::key),
        "lease_duration": durations.iter().max(),
        "min_lease_duration": durations.iter().min(),
        "max_lease_duration": durations.iter().max(),
        "available_from_formatted": first,
        "meta_title": null,
        "meta_description": null,
        "meta_keywords": null,
        // The house's own default is asked for where a home names none (D37), and is no term of the home.
        "deposit": deposit,
        "refundable_token": home.decimal(terms.refundable_token_minor),
        "platform_fee": home.decimal(terms.platform_fee_minor),
        "max_deposit": named(terms.max_deposit_minor),
        "deposit_multiplier": (terms.deposit_multiplier_percent > 0)
            .then(|| f64::from(terms.deposit_multiplier_percent) / 100.0),
    })
}

fn by_method(home: &Home, fields: &Fields, lang: Language) -> Map<String, Value> {
    let wanted = BY_METHOD.into_iter().filter(|name| fields.keeps(name));
    wanted
        .map(|name| (name.to_owned(), method(home, name, lang)))
        .collect()
}

fn method(home: &Home, name: &str, lang: Language) -> Value {
    let city = home.city();
    match name {
        "region" => city.map_or(Value::Null, |city| {
            json!({ "id": city.id, "name": city.name_in(lang.code()), "canonical_name": city.canonical_name() })
        }),
        "region_parent_country" => json!(home.property.country.key()),
        "region_parent_city_canonical" => json!(city.map(|city| city.canonical_name())),
        "children_short" => home
            .rooms()
            .map(|room| json!({ "id": room.details.id, "name": room.details.name.in_language(lang.code()) }))
            .collect(),
        "active_children" => json!(rooms::room_types(home, &rooms::Wanted::default(), lang)),
        "active_children_count" => json!(home.rooms().count()),
        "inventory_custom_form" => json!(form(home)),
        "offers" => json!(market::offers(home, lang)),
        "feature_tags" => home
            .property
            .features
            .iter()
            .take(6)
            .map(|feature| words(lang, &format!("feature.{}", feature.key), &[]))
            .collect(),
        "meta_facts" | "meta_general_facts" | "meta_short" => {
            json!({
                "opened_year": home.property.facts.opened_year,
                "floors": home.property.facts.floors,
                "bills_included": home.property.facts.bills_included,
                "checked_on": home.property.facts.checked_on,
            })
        }
        "meta_community_facts" => json!({ "residents": home.property.facts.residents }),
        "meta_distances" | "destination_distances" => home
            .property
            .places
            .iter()
            .map(|place| {
                let name = words(lang, &format!("place.{}", place.kind), &[]);
                json!({ "kind": place.kind, "name": name, "distance_m": place.distance_m })
            })
            .collect(),
        // No site plans are kept, and a property has no parent.
        _ => Value::Null,
    }
}

/// The lease that a room is let on next, in the words of enquiries; null where none is left.
fn tenancy(home: &Home, room: &LetRoom) -> Option<String> {
    let next = home.open_leases(room).min_by_key(|lease| lease.move_in)?;
    Some(next.length.to_string())
}

/// The booking form of the property (Spec §5): its guarantor section follows country and terms.
pub fn form(home: &Home) -> FormDefinition {
    let guarantor = (home.property.guarantor == Some(Guarantor::NotRequired)).then_some("false");
    let own = home.property.custom_form.clone();
    FormDefinition::of(own, Some(home.property.country), guarantor)
}

fn of_room(home: &Home, room: &LetRoom, lang: Language) -> Map<String, Value> {
    let details = &room.details;
    let on_request = room.on_request_minor().map(|rent| (rent, rent));
    let prices = |open: bool| {
        let leases = room
            .leases
            .iter()
            .filter(|lease| !open || home.left_of(room, lease) > 0);
        let prices: Vec<u64> = leases.map(|lease| lease.price_minor).collect();
        Some((*prices.iter().min()?, *prices.iter().max()?))
    };
    let configuration = Configuration::of(home.property.country, details.attributes, details.bedrooms);
    let status = if home.status() == Status::Deleted {
        Status::Deleted
    } else {
        Status::Active
    };
    object(json!({
        "id": details.id,
        "name": details.name.in_language(lang.code()),
        "canonical_name": details.canonical_name,
        "parent_id": home.id(),
        "level": "child",
        "tenancyName": tenancy(home, room),
        // A day kept from an earlier search is worth nothing where no lease begins any more.
        "resetMoveInDate": home.open_leases(room).next().is_none(),
        "status": status,
        "available": home.room_available(room),
        "rooms_left": home.said_left(room),
        "pricing": pricing(
            home,
            prices(false).or(on_request),
            prices(true).or_else(|| prices(false)).or(on_request),
        ),
        "config": configuration.map(|name| json!({ "id": name.key(), "name": name.name() })),
        "meta_types": details.attributes.meta_types(),
        "children_short": [],
        "active_children": [],
        "active_children_count": 0,
    }))
}
