//! Homes made by staff: the same inventory as a feed's, in state draft, until it is let.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::id::InventoryId;
use domain::inventory::facts::Fact;
use domain::inventory::media::Media;
use domain::inventory::property::{PaymentTerms, Policy, PropertyDetails, PropertyFacts};
use domain::language::Language;
use domain::money::{Currency, Period};
use domain::place::{Coordinates, slug};
use domain::wording::Wording;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::RequestContext;
use http_kit::said::{say, unknown_value};
use listings::commands::make_draft::{NewHome, make_draft};
use platform::clock;
use projections::inventory_page;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::EDITING;
use super::one::{StaffHome, answer_with};
use super::read_edit::{
    AddressEdit, PlaceAsked, PointAsked, TermsEdit, clean_name, clean_text, read_bills, read_features,
    read_guarantor, read_kind, read_place, read_wording,
};
use super::refusals::refuse;
use super::rooms::NewRoom;
use super::values::{BillsSaid, GuarantorSaid, KindSaid};
use crate::Services;

/// Routes of this resource, and who may call them.
pub(super) fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(EDITING, routes!(make_home))
}

/// Bytes of a home's name in addresses: its rooms' names have an ending of their own.
const ADDRESS_MAX: usize = 100;

/// A home as its maker describes it; what is left out is not said.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewHome, example = json!({ "reason": "A landlord by phone", "name": "Park Lane House", "place": { "city": "leeds" },
    "address": { "street_number": "12", "route": "Park Lane", "postal_code": "LS1 1AA" }, "lat": 53.801, "lng": -1.549,
    "rooms": [{ "name": { (Language::default().code()): "Ensuite" }, "count": 3, "leases": [{ "move_in": "2027-09-11", "length": "44 weeks", "price_minor": 18900 }] }] }))]
pub struct NewHomeRequest {
    /// Why, for colleagues.
    reason: String,
    name: String,
    place: PlaceAsked,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<AddressEdit>,
    /// The point in degrees, both or neither; none is said where they are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lat: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lng: Option<f64>,
    /// The country's where it is left out, as the period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    period: Option<PeriodSaid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<KindSaid>,
    /// By the tag of the language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    description: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    guarantor: Option<GuarantorSaid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bills: Option<BillsSaid>,
    /// By their keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    facilities: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    terms: Option<TermsEdit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rooms: Vec<NewRoom>,
}

/// Period of a price.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HomePeriod)]
pub enum PeriodSaid {
    Weekly,
    Monthly,
}

/// Makes a home in state draft. Asked twice with the same Idempotency-Key one is made.
///
/// # Errors
/// 422 with the field.
#[utoipa::path(post, path = "/api/v0/workspace/homes", tag = "support", request_body = NewHomeRequest,
    responses((status = 200, body = Success<StaffHome>), (status = 422, body = Failure)))]
pub async fn make_home(
    State(records): State<Records>,
    context: RequestContext,
    staff: Staff,
    Body(body): Body<NewHomeRequest>,
) -> ApiResult<Success<StaffHome>> {
    let command = context.command(staff.actor(), &body);
    // The same request makes the same home.
    let home_id = command.step("home").command_id.unwrap_or_else(clock::new_id);
    let home_id = InventoryId(home_id);
    let property = describe(&records, home_id, &body).await?;
    let rooms = body.rooms.iter().enumerate();
    let rooms = rooms.map(|(place, room)| room.read(&format!("rooms/{place}"), &property.canonical_name));
    let asked = NewHome {
        home_id,
        rooms: rooms.collect::<ApiResult<_>>()?,
        property: Box::new(property),
        reason: body.reason.clone(),
        by: staff.person.user_id,
    };
    let made = make_draft(&records.log, &asked, &command).await;
    made.map_err(|error| error.map(refuse))?;
    answer_with(&records, home_id, context.lang).await
}

async fn describe(
    records: &Records,
    home_id: InventoryId,
    body: &NewHomeRequest,
) -> ApiResult<PropertyDetails> {
    let Fact::Place { region, area } = read_place(records, &body.place)? else {
        return Err(ApiError::broken("a place is read as another fact"));
    };
    let places = records.catalogue.places();
    let unknown = || ApiError::invalid_field("place", "unknown", say("refusal.no_region"));
    let city = places.get(region).ok_or_else(unknown)?;
    let country = city.details.country;
    let name = clean_name(&body.name);
    let address = body.address.as_ref().map(AddressEdit::read);
    let terms = body.terms.as_ref();
    Ok(PropertyDetails {
        canonical_name: find_free_address(records, home_id, &format!("{name} {}", city.name())).await?,
        name,
        local_names: Wording::default(),
        kind: body.kind.and_then(read_kind),
        unit_type: None,
        country,
        region,
        area,
        provider: None,
        provider_name: None,
        source: None,
        address: address.unwrap_or_default(),
        coordinates: read_point(body)?,
        currency: read_currency(body, country.currency())?,
        period: body.period.map_or(country.period(), PeriodSaid::read),
        description: read_wording("description", &body.description, clean_text)?,
        features: read_features(&body.facilities, &[])?,
        tags: Vec::new(),
        guarantor: body.guarantor.and_then(read_guarantor),
        dual_occupancy: None,
        pictures: Vec::new(),
        media: Media::default(),
        faqs: Vec::new(),
        places: Vec::new(),
        terms: terms.map_or_else(PaymentTerms::default, |terms| terms.over(PaymentTerms::default())),
        policy: Policy::default(),
        facts: PropertyFacts {
            bills_included: body.bills.and_then(read_bills),
            ..PropertyFacts::default()
        },
        phones: Vec::new(),
        email: None,
        source_link: None,
        custom_form: None,
    })
}

impl PeriodSaid {
    const fn read(self) -> Period {
        match self {
            Self::Weekly => Period::Weekly,
            Self::Monthly => Period::Monthly,
        }
    }
}

/// The point on the map; none where nobody says one.
fn read_point(body: &NewHomeRequest) -> ApiResult<Option<Coordinates>> {
    match (body.lat, body.lng) {
        (Some(lat), Some(lng)) => PointAsked { lat, lng }.read().map(Some),
        (None, None) => Ok(None),
        (Some(_), None) | (None, Some(_)) => {
            let said = say("validation.required");
            let missing = if body.lat.is_none() { "lat" } else { "lng" };
            Err(ApiError::invalid_field(missing, "required", said))
        }
    }
}

fn read_currency(body: &NewHomeRequest, of_country: Currency) -> ApiResult<Currency> {
    let Some(code) = &body.currency else {
        return Ok(of_country);
    };
    Currency::from_code(code)
        .ok_or_else(|| ApiError::invalid_field("currency", "unknown", unknown_value("currency", code)))
}

/// A name in addresses that no other home has, nor had: one that is taken gets the end of the home's id.
async fn find_free_address(records: &Records, home_id: InventoryId, words: &str) -> ApiResult<String> {
    let address = shorten(&slug(words));
    let address = if address.is_empty() {
        "home".to_owned()
    } else {
        address
    };
    let is_taken = inventory_page::find(records.heard().await?, &address)
        .await?
        .is_some();
    if !is_taken {
        return Ok(address);
    }
    let id = home_id.0.simple().to_string();
    Ok(format!("{address}-{}", id.get(ADDRESS_ID..).unwrap_or(&id)))
}

/// Digits of the id that are left out.
const ADDRESS_ID: usize = 20;

fn shorten(address: &str) -> String {
    let kept = address.char_indices();
    let kept = kept.take_while(|(at, letter)| at + letter.len_utf8() <= ADDRESS_MAX);
    let kept: String = kept.map(|(_, letter)| letter).collect();
    kept.trim_end_matches('-').to_owned()
}
