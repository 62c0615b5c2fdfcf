//! The values of a home as staff see them.

use std::collections::{BTreeMap, HashMap};

use domain::id::{InventoryId, PhotoId};
use domain::inventory::facts::Fact;
use domain::inventory::property::{Guarantor, PaymentTerms, PropertyKind};
use domain::place::{Address, PlaceName};
use eventlog::{Actor, ActorKind, EventLog};
use http_kit::contract::words::PeriodWord;
use http_kit::error::ApiResult;
use http_kit::said::{Said, say};
use listings::questions::home_values::{HomeValue, HomeValues, Origin};
use platform::config::Settings;
use projections::payment_audit::instant;
use serde::Serialize;
use utoipa::ToSchema;

use crate::history::ActorRef;
use crate::staff_names::staff_name;

/// A home with the values of its facts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeValues)]
pub struct HomeValuesView {
    home_id: String,
    name: String,
    /// The feed that is its source; null where people listed it.
    feed: Option<String>,
    /// Where the home stands: an edit names it.
    pub(super) position: u64,
    currency: String,
    #[schema(value_type = PeriodWord)]
    period: &'static str,
    values: Vec<FactRow>,
}

/// Changes of a home after its editor read it: the `current` of the refusal.
#[derive(Debug, Serialize)]
pub(super) struct HomeChanges {
    pub(super) position: u64,
    pub(super) changed: Vec<FactRow>,
}

/// One fact of a home.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeFact)]
pub(super) struct FactRow {
    /// Its name, by which an edit takes a person's value back.
    fact: String,
    room_id: Option<String>,
    /// As it is shown; null where nothing is said.
    value: Option<FactValue>,
    from: Whose,
    /// What the feed says of it.
    feed: Option<SaidRow>,
    /// What a person says of it, where that is shown.
    person: Option<SaidRow>,
    /// Whether a person's value stands over another one, which taking it back would show again.
    is_set: bool,
    /// Which of both is shown, and when the feed will win.
    #[schema(value_type = String)]
    note: Said,
}

/// Whose value is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Whose {
    Feed,
    Person,
}

/// A value with who said it when.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HomeFactSaid)]
pub(super) struct SaidRow {
    value: Option<FactValue>,
    position: u64,
    at: String,
    by: ActorRef,
    /// The run of the feed or the request that it came with.
    correlation_id: String,
    /// Why, where a person edited it.
    reason: Option<String>,
}

/// The value of a fact.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum FactValue {
    /// A text, or a word of a list.
    Text(String),
    Number(u64),
    /// By language, or by part.
    Texts(BTreeMap<String, String>),
    Words(Vec<String>),
    Terms(TermsValue),
}

/// Terms of payment, in minor units of the home's currency; 0 where nothing is said.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TermsValue {
    booking_allowed: bool,
    payment_before_bookform: bool,
    deposit_minor: u64,
    /// True where it is said that none is taken.
    asks_no_deposit: bool,
    refundable_token_minor: u64,
    platform_fee_minor: u64,
    max_deposit_minor: u64,
    deposit_multiplier_percent: u32,
}

impl HomeValuesView {
    /// A home with these values; `None` for one that was never listed.
    pub(super) fn of(id: InventoryId, read: &HomeValues, values: Vec<FactRow>) -> Option<Self> {
        let property = read.home.state.property.as_deref()?;
        Some(Self {
            home_id: id.to_string(),
            name: property.name.clone(),
            feed: read.feed().map(str::to_owned),
            position: read.position,
            currency: property.currency.code().to_owned(),
            period: property.period.key(),
            values,
        })
    }
}

/// Writes values out, with the names of who said them.
pub(crate) struct Showing<'s> {
    log: &'s EventLog,
    settings: &'s Settings,
    feed: Option<String>,
    names: HashMap<String, String>,
}

impl<'s> Showing<'s> {
    pub(crate) fn new(log: &'s EventLog, settings: &'s Settings, home: Option<&HomeValues>) -> Self {
        Self {
            log,
            settings,
            feed: home.and_then(HomeValues::feed).map(str::to_owned),
            names: HashMap::new(),
        }
    }

    pub(super) async fn show_all(&mut self, values: &[HomeValue]) -> ApiResult<Vec<FactRow>> {
        let mut rows = Vec::with_capacity(values.len());
        // Photos have a page of their own.
        let others = values.iter().filter(|value| !value.shown.fact.key().is_photos());
        for value in others {
            rows.push(self.show(value).await?);
        }
        Ok(rows)
    }

    async fn show(&mut self, value: &HomeValue) -> ApiResult<FactRow> {
        let (shown, key) = (&value.shown, value.shown.fact.key());
        let edited = value.edited.as_ref();
        // Without a feed a home's own values are those of people too.
        let person = match edited {
            Some(edited) => Some((&edited.origin, edited.reason.clone())),
            None if self.feed.is_none() => Some((&shown.origin, None)),
            None => None,
        };
        let person = match person {
            Some((origin, reason)) => Some(self.write_down(&shown.fact, origin, reason).await?),
            None => None,
        };
        let feed = match &value.source {
            Some(said) if self.feed.is_some() => Some(self.write_down(&said.fact, &said.origin, None).await?),
            _ => None,
        };
        Ok(FactRow {
            fact: key.to_string(),
            room_id: key.room().map(|room| room.to_string()),
            value: value_of(&shown.fact),
            from: if person.is_some() {
                Whose::Person
            } else {
                Whose::Feed
            },
            feed,
            person,
            is_set: edited.is_some(),
            note: self.note(edited.is_some()),
        })
    }

    fn note(&self, is_set: bool) -> Said {
        match &self.feed {
            Some(feed) if is_set => say("desk.value_set_over_feed").with("feed", feed),
            Some(feed) => say("desk.value_of_feed").with("feed", feed),
            None => say("desk.value_of_person"),
        }
    }

    /// Names who did something, where it is a member of staff.
    pub(crate) async fn name_actor(&mut self, actor: Actor) -> ApiResult<ActorRef> {
        let label = match actor.id.filter(|_| actor.kind == ActorKind::Staff) {
            Some(id) => staff_name(self.log, self.settings, &id.to_string(), &mut self.names).await?,
            None => String::new(),
        };
        Ok(ActorRef {
            kind: actor.kind.name().to_owned(),
            label,
        })
    }

    async fn write_down(
        &mut self,
        fact: &Fact,
        origin: &Origin,
        reason: Option<String>,
    ) -> ApiResult<SaidRow> {
        let by = self.name_actor(origin.actor).await?;
        Ok(SaidRow {
            value: value_of(fact),
            position: origin.position,
            at: instant(origin.at),
            by,
            correlation_id: origin.correlation_id.to_string(),
            reason,
        })
    }
}

/// The value of a fact; `None` where nothing is said.
pub(super) fn value_of(fact: &Fact) -> Option<FactValue> {
    Some(match fact {
        Fact::Name(name) => FactValue::Text(name.clone()),
        Fact::LocalName { text, .. } | Fact::Description { text, .. } => FactValue::Text(text.clone()?),
        Fact::Kind(kind) => FactValue::Text(kind.map(PropertyKind::key)?.to_owned()),
        Fact::Address(address) => FactValue::Texts(list_parts(address)),
        Fact::Facilities(features) => {
            FactValue::Words(features.iter().map(|feature| feature.key.clone()).collect())
        }
        Fact::Guarantor(guarantor) => FactValue::Text(guarantor.map(name_guarantor)?.to_owned()),
        Fact::BillsIncluded(bills_included) => FactValue::Text(bills_included.map(name_bills)?.to_owned()),
        Fact::Terms(terms) => FactValue::Terms(TermsValue::from(terms)),
        Fact::Place { region, area } => {
            let city = ("city".to_owned(), region.to_string());
            let area = area.map(|area| ("area".to_owned(), area.to_string()));
            FactValue::Texts(std::iter::once(city).chain(area).collect())
        }
        Fact::Coordinates(point) => {
            let point = (*point)?;
            let parts = [("lat", point.lat_e6), ("lng", point.lng_e6)];
            let written = parts.map(|(part, micro)| (part.to_owned(), write_degrees(micro)));
            FactValue::Texts(BTreeMap::from(written))
        }
        Fact::Photos(list) | Fact::RoomPhotos { list, .. } => {
            let ids = list.pictures().map(|photo| PhotoId::of_place(&photo.place));
            FactValue::Words(ids.map(|photo_id| photo_id.to_string()).collect())
        }
        Fact::RoomName { name, .. } => {
            let texts = name.texts().map(|(tag, text)| (tag.to_owned(), text.to_owned()));
            FactValue::Texts(texts.collect())
        }
        Fact::RoomKind { attributes, .. } => {
            let types = attributes.meta_types().into_iter();
            FactValue::Words(types.map(str::to_owned).collect())
        }
        Fact::RoomCount { rooms, is_said, .. } => {
            FactValue::Number(Some(u64::from(*rooms)).filter(|_| *is_said)?)
        }
        Fact::LeasePrice { price_minor, .. } => FactValue::Number(*price_minor),
    })
}

/// Degrees as people write them, of microdegrees.
fn write_degrees(micro: i32) -> String {
    (f64::from(micro) / 1_000_000.0).to_string()
}

/// The words of an edit.
const fn name_guarantor(guarantor: Guarantor) -> &'static str {
    match guarantor {
        Guarantor::Local => "local",
        Guarantor::International => "international",
        Guarantor::NotRequired => "not_required",
    }
}

const fn name_bills(are_included: bool) -> &'static str {
    if are_included { "included" } else { "apart" }
}

fn list_parts(address: &Address) -> BTreeMap<String, String> {
    let parts: [(&str, &Option<PlaceName>); 7] = [
        ("street_number", &address.street_number),
        ("route", &address.route),
        ("locality", &address.locality),
        ("district", &address.district),
        ("state", &address.state),
        ("country", &address.country),
        ("postal_code", &address.postal_code),
    ];
    let named = parts
        .into_iter()
        .filter_map(|(part, name)| Some((part.to_owned(), name.as_ref()?.long_name.clone())));
    named.collect()
}

impl From<&PaymentTerms> for TermsValue {
    fn from(terms: &PaymentTerms) -> Self {
        Self {
            booking_allowed: terms.booking_allowed,
            payment_before_bookform: terms.payment_before_bookform,
            deposit_minor: terms.deposit_minor,
            asks_no_deposit: terms.asks_no_deposit,
            refundable_token_minor: terms.refundable_token_minor,
            platform_fee_minor: terms.platform_fee_minor,
            max_deposit_minor: terms.max_deposit_minor,
            deposit_multiplier_percent: terms.deposit_multiplier_percent,
        }
    }
}
