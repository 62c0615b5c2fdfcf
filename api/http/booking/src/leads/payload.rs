//! What a lead's sender may say (Spec §3 "Lead payload"), and the one check of it. Anything else in the body is ignored:
//! `id`, `user_id`, `price`, `partner_id` and their like have no field to land in (T13).

use std::collections::BTreeMap;

use chrono_tz::Tz;
use domain::attribution::SourceDetails;
use domain::calendar;
use domain::contact::{Email, FaultCode, FieldFault, PersonName, Phone, is_blank};
use domain::lead::{IdpFormData, LeadVariant, LeadWish, ViewingRequest};
use domain::moment::Moment;
use domain::money::{Currency, Period};
use domain::place::Coordinates;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::lease::{LeaseSaid, is_stay, lease_of};
use super::viewing::{ViewingDetails, check_viewing};

/// `{lead: …}`
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "lead": {
    "state": "created",
    "user_details": { "name": "Mei Lin", "email": "mei@uni.example", "phone": "+447700900123" },
    "data": { "university": "University of Leeds", "move_in_date": "july_to_september" },
    "meta": { "variant": "enquire" }
} }))]
pub struct LeadRequest {
    pub lead: LeadPayload,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LeadPayload {
    #[serde(default)]
    pub state: Option<String>,
    /// Of an earlier lead; a viewing is then asked for on that one.
    #[serde(default)]
    pub lead_uuid: Option<String>,
    #[serde(default)]
    pub inventory_id: Option<String>,
    #[serde(default)]
    pub user_details: UserDetails,
    #[serde(default)]
    pub region_id: Option<String>,
    #[serde(default)]
    pub location_place_name: Option<String>,
    #[serde(default)]
    pub location_place_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<f64>)]
    pub location_coordinates_latitude: Option<serde_json::Number>,
    #[serde(default)]
    #[schema(value_type = Option<f64>)]
    pub location_coordinates_longitude: Option<serde_json::Number>,
    #[serde(default)]
    pub data: LeadData,
    #[serde(default)]
    pub meta: LeadMeta,
    #[serde(default)]
    #[schema(value_type = http_kit::contract::forms::SourceDetails)]
    pub source_details: SourceDetails,
    #[serde(default)]
    pub event_options: EventOptions,
    #[serde(default)]
    pub referral_details: ReferralDetails,
    /// A field that no person sees; what fills it in fills in everything (T20).
    #[serde(default)]
    pub website: Option<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UserDetails {
    pub name: Option<String>,
    pub phone: Option<String>,
    pub email: Option<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct LeadData {
    pub property_view_request_details: Option<ViewingDetails>,
    #[schema(value_type = Option<f64>)]
    pub budget: Option<serde_json::Number>,
    pub budget_currency: Option<String>,
    #[schema(value_type = Option<http_kit::contract::words::PeriodWord>)]
    pub budget_duration: Option<String>,
    pub user_query: Option<String>,
    pub intake: Option<String>,
    pub filters: Option<BTreeMap<String, serde_json::Value>>,
    pub configuration: Option<String>,
    pub university: Option<String>,
    pub lease_duration: Option<LeaseSaid>,
    /// `weeks` or `months`, where `lease_duration` is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease_duration_unit: Option<String>,
    pub move_in_date: Option<String>,
    pub no_of_students: Option<u64>,
    /// Another address than the one of `user_details`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct LeadMeta {
    pub payment_before_bookform: Option<bool>,
    pub lead_source: Option<String>,
    #[schema(value_type = Option<http_kit::contract::words::LeadVariantWord>)]
    pub variant: Option<String>,
    #[schema(value_type = Option<http_kit::contract::forms::CounsellorDetails>)]
    pub idp_form_data: Option<IdpFormData>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct EventOptions {
    pub user_notification: Option<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReferralDetails {
    pub name: Option<String>,
    pub code: Option<String>,
}

/// A payload that passed the check.
#[derive(Debug, Clone)]
pub struct Checked {
    pub name: PersonName,
    pub email: Email,
    pub phone: Phone,
    pub wish: LeadWish,
    pub user_query: Option<String>,
    pub data_email: Option<Email>,
    pub viewing: Option<ViewingRequest>,
    pub variant: LeadVariant,
    pub location: Location,
}

/// The place meant, where no home is.
#[derive(Debug, Clone, Default)]
pub struct Location {
    pub place_name: Option<String>,
    pub place_id: Option<String>,
    pub coordinates: Option<Coordinates>,
}

/// Longest of the free texts; a question may be longer than a word.
const WORD_MAX: usize = 200;
const QUERY_MAX: usize = 2_000;
const FILTERS_MAX: usize = 40;

/// Reads every field and names every bad one (C3). `place` is the time zone of the home or region, where one is known.
///
/// # Errors
/// All faults at once, in the order of the form.
pub fn check(payload: &LeadPayload, now: Moment, place: Option<Tz>) -> Result<Checked, Vec<FieldFault>> {
    let mut faults = Vec::new();
    if payload.state.as_deref().is_some_and(|state| state != "created") {
        faults.push(FieldFault::new("state", FaultCode::State));
    }
    if payload.website.as_deref().is_some_and(|trap| !trap.is_empty()) {
        faults.push(FieldFault::new("website", FaultCode::MustBeEmpty));
    }
    let details = &payload.user_details;
    let name = take(
        &mut faults,
        "user_details/name",
        PersonName::parse(text(details.name.as_ref())),
    );
    let email = take(
        &mut faults,
        "user_details/email",
        Email::parse(text(details.email.as_ref())),
    );
    let phone = take(
        &mut faults,
        "user_details/phone",
        Phone::parse(text(details.phone.as_ref())),
    );
    let location = check_location(payload, &mut faults);
    let wish = check_wish(&payload.data, &mut faults);
    let viewing = payload
        .data
        .property_view_request_details
        .as_ref()
        .and_then(|details| check_viewing(details, now, place, &mut faults));
    if let Some(adviser) = &payload.meta.idp_form_data {
        check_adviser(adviser, &mut faults);
    }
    let user_query = short(
        payload.data.user_query.as_ref(),
        "data/user_query",
        QUERY_MAX,
        &mut faults,
    );
    let data_email = check_data_email(&payload.data, &mut faults);
    let variant = check_variant(payload.meta.variant.as_deref(), &mut faults);
    if payload
        .event_options
        .user_notification
        .as_deref()
        .is_some_and(|wanted| !matches!(wanted, "true" | "false"))
    {
        faults.push(FieldFault::new(
            "event_options/user_notification",
            FaultCode::Choice,
        ));
    }
    if variant == Some(LeadVariant::AskQuestionFaqCta) && user_query.is_none() {
        faults.push(FieldFault::new("data/user_query", FaultCode::Required));
    }
    match (name, email, phone, variant) {
        (Some(name), Some(email), Some(phone), Some(variant)) if faults.is_empty() => Ok(Checked {
            name,
            email,
            phone,
            wish,
            user_query,
            data_email,
            viewing,
            variant,
            location,
        }),
        _ => Err(faults),
    }
}

/// Adds what only somebody who knows the catalogue can find wrong.
pub(super) fn with(
    outcome: Result<Checked, Vec<FieldFault>>,
    more: impl IntoIterator<Item = Option<FieldFault>>,
) -> Result<Checked, Vec<FieldFault>> {
    let mut more = more.into_iter().flatten().peekable();
    match outcome {
        Ok(checked) if more.peek().is_none() => Ok(checked),
        outcome => Err(outcome.err().into_iter().flatten().chain(more).collect()),
    }
}

/// The other address; empty counts as absent.
fn check_data_email(said: &LeadData, faults: &mut Vec<FieldFault>) -> Option<Email> {
    let email = text(said.email.as_ref()).trim();
    if email.is_empty() {
        return None;
    }
    take(faults, "data/email", Email::parse(email))
}

/// What the button was that led here; an enquiry where nothing says.
fn check_variant(key: Option<&str>, faults: &mut Vec<FieldFault>) -> Option<LeadVariant> {
    let Some(key) = key else {
        return Some(LeadVariant::default());
    };
    take(
        faults,
        "meta/variant",
        LeadVariant::from_key(key).ok_or(FaultCode::Choice),
    )
}

/// C9: a partner's adviser, whom mail must reach when there is an address.
fn check_adviser(adviser: &IdpFormData, faults: &mut Vec<FieldFault>) {
    let path = |field: &str| format!("meta/idp_form_data/{field}");
    let email = adviser
        .councellor_email
        .as_deref()
        .filter(|email| !email.is_empty());
    if let Some(Err(code)) = email.map(Email::parse) {
        faults.push(FieldFault::new(path("councellor_email"), code));
    }
    for (value, field) in [
        (&adviser.councellor_name, "councellor_name"),
        (&adviser.councellor_country, "councellor_country"),
        (&adviser.councellor_office, "councellor_office"),
    ] {
        short(value.as_ref(), &path(field), WORD_MAX, faults);
    }
}

fn text(value: Option<&String>) -> &str {
    value.map_or("", String::as_str)
}

fn take<T>(faults: &mut Vec<FieldFault>, field: &str, outcome: Result<T, FaultCode>) -> Option<T> {
    outcome
        .map_err(|code| faults.push(FieldFault::new(field, code)))
        .ok()
}

/// A short free text; one that shows nothing counts as absent.
pub fn short(
    value: Option<&String>,
    field: &str,
    limit: usize,
    faults: &mut Vec<FieldFault>,
) -> Option<String> {
    let trimmed = value?.trim();
    if trimmed.chars().count() > limit {
        faults.push(FieldFault::new(field, FaultCode::TooLong));
        return None;
    }
    let clean: String = trimmed
        .chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .collect();
    (!is_blank(&clean)).then_some(clean)
}

fn check_location(payload: &LeadPayload, faults: &mut Vec<FieldFault>) -> Location {
    let mut word = |value: &Option<String>, field: &str| short(value.as_ref(), field, WORD_MAX, faults);
    let place_name = word(&payload.location_place_name, "location_place_name");
    let place_id = word(&payload.location_place_id, "location_place_id");
    let (latitude, longitude) = (
        payload.location_coordinates_latitude.as_ref(),
        payload.location_coordinates_longitude.as_ref(),
    );
    let mut degrees = |value: Option<&serde_json::Number>, field: &str, most: i32| {
        let read = value.and_then(|number| Coordinates::parse_degrees(&number.to_string()));
        match read.filter(|degrees| degrees.unsigned_abs() <= most.unsigned_abs()) {
            Some(degrees) => Some(degrees),
            // One without the other is no place.
            None if latitude.is_none() && longitude.is_none() => None,
            None => {
                let code = if value.is_none() {
                    FaultCode::Required
                } else {
                    FaultCode::Format
                };
                faults.push(FieldFault::new(field, code));
                None
            }
        }
    };
    let latitude = degrees(latitude, "location_coordinates_latitude", 90_000_000);
    let longitude = degrees(longitude, "location_coordinates_longitude", 180_000_000);
    Location {
        place_name,
        place_id,
        coordinates: latitude
            .zip(longitude)
            .map(|(lat, lng)| Coordinates::new(lat, lng)),
    }
}

/// The wish of a payload; bad values are named.
pub fn check_wish(said: &LeadData, faults: &mut Vec<FieldFault>) -> LeadWish {
    let mut word = |value: &Option<String>, field: &str| {
        short(value.as_ref(), &format!("data/{field}"), WORD_MAX, faults)
    };
    let intake = word(&said.intake, "intake");
    let configuration = word(&said.configuration, "configuration");
    let university = word(&said.university, "university");
    let lease_duration = word(&lease_of(said), "lease_duration");
    let move_in_date = word(&said.move_in_date, "move_in_date");
    if lease_duration.as_deref().is_some_and(|lease| !is_stay(lease)) {
        faults.push(FieldFault::new("data/lease_duration", FaultCode::Format));
    }
    if move_in_date.as_deref().is_some_and(|day| !is_move_in(day)) {
        faults.push(FieldFault::new("data/move_in_date", FaultCode::DateFormat));
    }
    let budget = said.budget.as_ref().and_then(|number| {
        let whole = whole_units(number);
        take(faults, "data/budget", whole.ok_or(FaultCode::Format))
    });
    let budget_currency = said
        .budget_currency
        .as_deref()
        .filter(|code| !code.is_empty())
        .and_then(|code| {
            take(
                faults,
                "data/budget_currency",
                Currency::from_code(code).ok_or(FaultCode::Choice),
            )
        });
    let budget_duration = said
        .budget_duration
        .as_deref()
        .filter(|word| !word.is_empty())
        .and_then(|word| {
            let period = match word {
                "weekly" => Ok(Period::Weekly),
                "monthly" => Ok(Period::Monthly),
                _ => Err(FaultCode::Choice),
            };
            take(faults, "data/budget_duration", period)
        });
    let no_of_students = said.no_of_students.and_then(|number| {
        let few = u8::try_from(number).ok().filter(|few| (1..=50).contains(few));
        take(faults, "data/no_of_students", few.ok_or(FaultCode::Format))
    });
    LeadWish {
        budget,
        budget_currency,
        budget_duration,
        intake,
        filters: check_filters(said.filters.as_ref(), faults),
        configuration,
        university,
        lease_duration,
        move_in_date,
        no_of_students,
    }
}

/// A day, a month, or one of the quarters of Spec §3.
fn is_move_in(text: &str) -> bool {
    const QUARTERS: [&str; 4] = [
        "january_to_march",
        "april_to_june",
        "july_to_september",
        "october_to_december",
    ];
    QUARTERS.contains(&text) || calendar::read_day(text).is_some() || calendar::read_month(text).is_some()
}

/// Whole units of a budget: a year's rent, in dong and rials too.
const BUDGET_UNITS_MAX: u32 = 1_000_000_000;

/// A budget is counted in whole units: pence that are not zero are refused, not cut.
fn whole_units(number: &serde_json::Number) -> Option<u32> {
    let text = number.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    // `1.5e21` has its exponent behind the point.
    let is_plain = fraction.bytes().all(|byte| byte == b'0');
    whole
        .parse()
        .ok()
        .filter(|units| is_plain && *units <= BUDGET_UNITS_MAX)
}

fn check_filters(
    filters: Option<&BTreeMap<String, serde_json::Value>>,
    faults: &mut Vec<FieldFault>,
) -> BTreeMap<String, String> {
    let Some(filters) = filters else {
        return BTreeMap::new();
    };
    let too_many = filters.len() > FILTERS_MAX;
    let mut kept = BTreeMap::new();
    for (name, value) in filters {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if too_many || name.chars().count() > 60 || value.chars().count() > WORD_MAX {
            faults.push(FieldFault::new("data/filters", FaultCode::TooLong));
            return BTreeMap::new();
        }
        kept.insert(name.clone(), value);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bad_field_is_named_at_once() {
        let payload: LeadPayload = serde_json::from_value(serde_json::json!({
            "state": "booked",
            "user_details": { "name": "", "email": "12@x.com", "phone": "0770" },
            "data": { "no_of_students": 0, "budget": -5 },
            "meta": { "variant": "gift" }
        }))
        .unwrap();
        let faults = check(&payload, platform::clock::now(), None).unwrap_err();
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "state",
                "user_details/name",
                "user_details/email",
                "user_details/phone",
                "data/budget",
                "data/no_of_students",
                "meta/variant"
            ]
        );
    }

    #[test]
    fn budget_is_its_whole_units_or_refused() {
        let read = |text: &str| whole_units(&text.parse().unwrap());
        assert_eq!(
            (read("250"), read("250.0"), read("250.00")),
            (Some(250), Some(250), Some(250))
        );
        assert_eq!(read("12000000"), Some(12_000_000), "dong of a month");
        for far in [
            "250.5", "250.05", "0.5", "1.5e21", "1e21", "1.5e-7", "2e9", "5e9", "-5",
        ] {
            assert_eq!(read(far), None, "{far}");
        }
    }
}
