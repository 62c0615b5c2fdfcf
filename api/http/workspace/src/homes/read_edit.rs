//! Reads an edit of a home as facts in the domain's words.

use std::collections::BTreeMap;

use domain::calendar::read_day;
use domain::contact::shown_name;
use domain::id::{InventoryId, RegionId};
use domain::inventory::Inventory;
use domain::inventory::facts::Fact;
use domain::inventory::property::{Feature, FeatureGroup, Guarantor, PaymentTerms, PropertyKind};
use domain::language::Language;
use domain::lease::{Lease, Stay};
use domain::place::{Address, Coordinates, PlaceName};
use domain::room::{RoomAttributes, Sharing};
use domain::wording::Wording;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::{say, unknown_value};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::list::find_region;
use super::values::{BillsSaid, GuarantorSaid, HomeEdit, KindSaid, LeaseEdit, RoomEdit};

/// Letters of a facility's key.
const KEY_MAX: usize = 60;

/// An address, part by part.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = HomeAddress)]
pub struct AddressEdit {
    #[serde(skip_serializing_if = "Option::is_none")]
    street_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locality: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    district: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_code: Option<String>,
}

/// Terms of payment; one that is left out stays. Amounts are in minor units of the home's currency; 0 says nothing.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = HomeTermsEdit)]
pub struct TermsEdit {
    #[serde(skip_serializing_if = "Option::is_none")]
    booking_allowed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_before_bookform: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deposit_minor: Option<u64>,
    /// True for a home that takes no deposit: an amount takes its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    asks_no_deposit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refundable_token_minor: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform_fee_minor: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_deposit_minor: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deposit_multiplier_percent: Option<u32>,
}

/// A city, and an area of it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomePlaceAsked)]
pub struct PlaceAsked {
    /// Its id, or its name in addresses.
    city: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    area: Option<String>,
}

/// A point in degrees.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HomePoint)]
pub struct PointAsked {
    pub(super) lat: f64,
    pub(super) lng: f64,
}

/// The facts that an edit sets.
///
/// # Errors
/// 422 naming the field that cannot be read.
pub(super) async fn read_facts(records: &Records, id: InventoryId, body: &HomeEdit) -> ApiResult<Vec<Fact>> {
    let mut facts = Vec::new();
    // On one line, and without unseen signs.
    let name = body.name.as_deref();
    facts.extend(name.map(|name| Fact::Name(shown_name(name, usize::MAX))));
    for (tag, text) in &body.names {
        facts.push(Fact::LocalName {
            language: read_language("names", tag)?,
            text: text.as_deref().map(clean_name),
        });
    }
    for (tag, text) in &body.description {
        facts.push(Fact::Description {
            language: read_language("description", tag)?,
            text: text.as_deref().map(clean_text),
        });
    }
    facts.extend(body.guarantor.map(|said| Fact::Guarantor(read_guarantor(said))));
    facts.extend(body.bills.map(|said| Fact::BillsIncluded(read_bills(said))));
    facts.extend(body.kind.map(|said| Fact::Kind(read_kind(said))));
    let address = body.address.as_ref();
    facts.extend(address.map(|address| Fact::Address(Box::new(address.read()))));
    if body.facilities.is_some() || body.terms.is_some() {
        let known = records.log.load::<Inventory>(id).await?.state.property;
        if let Some(keys) = &body.facilities {
            let features = known.as_deref().map(|known| known.features.as_slice());
            facts.push(Fact::Facilities(read_features(
                keys,
                features.unwrap_or_default(),
            )?));
        }
        if let Some(terms) = &body.terms {
            let known = known.map(|known| known.terms);
            facts.push(Fact::Terms(terms.over(known.unwrap_or_default())));
        }
    }
    if let Some(place) = &body.place {
        facts.push(read_place(records, place)?);
    }
    if let Some(point) = body.coordinates {
        facts.push(Fact::Coordinates(Some(point.read()?)));
    }
    for (place, room) in body.rooms.iter().enumerate() {
        read_room(&format!("rooms/{place}"), room, &mut facts)?;
    }
    Ok(facts)
}

fn read_language(field: &str, tag: &str) -> ApiResult<String> {
    let language = Language::from_code(tag);
    let language = language.ok_or_else(|| {
        let named = format!("{field}/{tag}");
        ApiError::invalid_field(named, "unknown", unknown_value(field, tag))
    })?;
    Ok(language.code().to_owned())
}

/// Texts by the tag of their language.
///
/// # Errors
/// 422 for a language that is not known.
pub(crate) fn read_wording(
    field: &str,
    texts: &BTreeMap<String, String>,
    clean: fn(&str) -> String,
) -> ApiResult<Wording> {
    let mut wording = Wording::default();
    for (tag, text) in texts {
        let language = read_language(field, tag)?;
        let text = clean(text);
        wording.write(&language, Some(text.as_str()).filter(|text| !text.is_empty()));
    }
    Ok(wording)
}

/// A text of several lines without control characters.
pub(super) fn clean_text(text: &str) -> String {
    let is_kept = |c: &char| matches!(c, '\n' | '\t') || !c.is_control();
    let kept: String = text.chars().filter(is_kept).collect();
    kept.trim().to_owned()
}

/// A name on one line, without unseen signs.
pub(crate) fn clean_name(text: &str) -> String {
    shown_name(text, usize::MAX)
}

pub(super) const fn read_guarantor(said: GuarantorSaid) -> Option<Guarantor> {
    match said {
        GuarantorSaid::Local => Some(Guarantor::Local),
        GuarantorSaid::International => Some(Guarantor::International),
        GuarantorSaid::NotRequired => Some(Guarantor::NotRequired),
        GuarantorSaid::NotSaid => None,
    }
}

pub(super) const fn read_bills(said: BillsSaid) -> Option<bool> {
    match said {
        BillsSaid::Included => Some(true),
        BillsSaid::Apart => Some(false),
        BillsSaid::NotSaid => None,
    }
}

pub(super) const fn read_kind(said: KindSaid) -> Option<PropertyKind> {
    match said {
        KindSaid::StudentAccommodation => Some(PropertyKind::StudentAccommodation),
        KindSaid::Apartment => Some(PropertyKind::Apartment),
        KindSaid::UniversityHall => Some(PropertyKind::UniversityHall),
        KindSaid::House => Some(PropertyKind::House),
        KindSaid::NotSaid => None,
    }
}

impl AddressEdit {
    pub(super) fn read(&self) -> Address {
        let part = |text: &Option<String>| {
            let text = text.as_deref().map(clean_name);
            text.filter(|text| !text.is_empty()).map(PlaceName::plain)
        };
        Address {
            street_number: part(&self.street_number),
            route: part(&self.route),
            locality: part(&self.locality),
            district: part(&self.district),
            state: part(&self.state),
            country: part(&self.country),
            postal_code: part(&self.postal_code),
        }
    }
}

impl TermsEdit {
    /// These terms over those that stand.
    pub(super) fn over(&self, known: PaymentTerms) -> PaymentTerms {
        let mut terms = known;
        put(&mut terms.booking_allowed, self.booking_allowed);
        put(&mut terms.payment_before_bookform, self.payment_before_bookform);
        put(&mut terms.asks_no_deposit, self.asks_no_deposit);
        if self.asks_no_deposit == Some(true) {
            terms.deposit_minor = 0;
        }
        put(&mut terms.deposit_minor, self.deposit_minor);
        // An amount takes the place of "no deposit".
        terms.asks_no_deposit &= self.deposit_minor.is_none_or(|minor| minor == 0);
        put(&mut terms.refundable_token_minor, self.refundable_token_minor);
        put(&mut terms.platform_fee_minor, self.platform_fee_minor);
        put(&mut terms.max_deposit_minor, self.max_deposit_minor);
        put(
            &mut terms.deposit_multiplier_percent,
            self.deposit_multiplier_percent,
        );
        terms
    }
}

fn put<T>(slot: &mut T, said: Option<T>) {
    if let Some(said) = said {
        *slot = said;
    }
}

impl PointAsked {
    /// The point to the microdegree.
    ///
    /// # Errors
    /// 422 for a point that is not on the earth.
    pub(super) fn read(self) -> ApiResult<Coordinates> {
        let refused = || {
            let said = say("refusal.point_off_earth");
            ApiError::invalid_field("coordinates", "off_earth", said)
        };
        let degrees = |number: f64| Coordinates::parse_degrees(&number.to_string());
        let point = degrees(self.lat).zip(degrees(self.lng));
        let point = point.map(|(lat_e6, lng_e6)| Coordinates::new(lat_e6, lng_e6));
        point.filter(|point| point.on_earth()).ok_or_else(refused)
    }
}

/// The city and the area that are meant.
///
/// # Errors
/// 422 for a place that is not known.
pub(super) fn read_place(records: &Records, asked: &PlaceAsked) -> ApiResult<Fact> {
    let find = |field: &'static str, text: &str| -> ApiResult<RegionId> {
        let unknown = || ApiError::invalid_field(field, "unknown", say("refusal.no_region"));
        find_region(records, text.trim()).ok_or_else(unknown)
    };
    let area = asked.area.as_deref().filter(|area| !area.trim().is_empty());
    Ok(Fact::Place {
        region: find("place/city", &asked.city)?,
        area: area.map(|area| find("place/area", area)).transpose()?,
    })
}

/// Facilities by their keys: those that the home has stay in their group, others stand under the house's own.
///
/// # Errors
/// 422 for a key that is no word.
pub(super) fn read_features(keys: &[String], known: &[Feature]) -> ApiResult<Vec<Feature>> {
    let mut features: Vec<Feature> = Vec::with_capacity(keys.len());
    for key in keys {
        let own = known.iter().find(|feature| feature.key == *key);
        let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_key = (1..=KEY_MAX).contains(&key.len()) && key.chars().all(is_sign);
        if own.is_none() && !is_key {
            let said = unknown_value("facilities", key);
            return Err(ApiError::invalid_field("facilities", "unknown", said));
        }
        let group = own.map_or(FeatureGroup::Property, |feature| feature.group);
        if !features.iter().any(|feature| feature.key == *key) {
            features.push(Feature {
                group,
                key: key.clone(),
            });
        }
    }
    Ok(features)
}

/// Adds the facts of a room type that an edit sets.
///
/// # Errors
/// 422 naming the field that cannot be read.
pub(super) fn read_room(path: &str, edit: &RoomEdit, facts: &mut Vec<Fact>) -> ApiResult<()> {
    let room: InventoryId = edit.room_id.parse().map_err(|_| {
        let field = format!("{path}/room_id");
        ApiError::invalid_field(field, "unknown", say("refusal.no_room"))
    })?;
    facts.extend(edit.count.map(|rooms| Fact::RoomCount {
        room,
        rooms,
        is_said: true,
    }));
    if !edit.name.is_empty() {
        facts.push(Fact::RoomName {
            room,
            name: read_wording(&format!("{path}/name"), &edit.name, clean_name)?,
        });
    }
    if let Some(types) = &edit.types {
        facts.push(Fact::RoomKind {
            room,
            attributes: read_sharing(&format!("{path}/types"), types)?,
        });
    }
    for (place, lease) in edit.leases.iter().enumerate() {
        facts.push(Fact::LeasePrice {
            room,
            stay: read_stay(&format!("{path}/leases/{place}"), lease)?,
            price_minor: lease.price_minor,
        });
    }
    Ok(())
}

/// Reads the words for a room, its bathroom and its kitchen: one for each at most.
///
/// # Errors
/// 422 for another word.
pub(super) fn read_sharing(field: &str, types: &[String]) -> ApiResult<RoomAttributes> {
    let mut attributes = RoomAttributes::default();
    for word in types {
        let (sharing, part) = match word.split_once('_') {
            Some(("private", part)) => (Sharing::Private, part),
            Some(("shared", part)) => (Sharing::Shared, part),
            _ => return Err(refuse_type(field, word)),
        };
        let slot = match part {
            "room" => &mut attributes.room,
            "bathroom" => &mut attributes.bathroom,
            "kitchen" => &mut attributes.kitchen,
            _ => return Err(refuse_type(field, word)),
        };
        if slot.replace(sharing).is_some_and(|other| other != sharing) {
            return Err(refuse_type(field, word));
        }
    }
    Ok(attributes)
}

fn refuse_type(field: &str, word: &str) -> ApiError {
    ApiError::invalid_field(field, "unknown", unknown_value("types", word))
}

fn read_stay(path: &str, lease: &LeaseEdit) -> ApiResult<Stay> {
    read_terms(path, &lease.move_in, &lease.length)
}

/// The stay of a move-in day and a length.
///
/// # Errors
/// 422 for either that cannot be read.
pub(super) fn read_terms(path: &str, move_in: &str, length: &str) -> ApiResult<Stay> {
    let day = read_day(move_in).ok_or_else(|| {
        let field = format!("{path}/move_in");
        ApiError::invalid_field(field, "date_format", say("validation.date_format"))
    })?;
    let length = Lease::read(length).ok_or_else(|| {
        let field = format!("{path}/length");
        ApiError::invalid_field(field, "unknown", unknown_value("length", length))
    })?;
    Ok(Stay { move_in: day, length })
}
