//! Facet counts in the words of the page's address (wire contract `Facets`).

use domain::country::Country;
use domain::inventory::property::{Guarantor, UnitType};
use domain::lease::{LeaseUnit, StayBucket};
use domain::money::Currency;
use domain::room::Configuration as C;
use search_index::facets::{BudgetScale, Facets, Scales};
use search_index::query::{Area, Group};
use search_index::value::{Kind, Value, Vocabulary};
use serde::Serialize;

use crate::search_params::{Asked, NOT_SAID};

/// Spec §9: 1, 2 and 5 miles.
const DISTANCES_M: [u32; 3] = [1_609, 3_218, 8_046];
/// Bars of the budget's histogram.
const STEPS: usize = 20;
/// Spec §9's default end of the budget slider.
const BUDGET_MAX: u32 = 1_000;
/// Features shown, those of most listings first.
const FEATURES_MAX: usize = 60;

/// One value of a filter: what addresses carry, how many results it would leave, whether it is chosen.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct FacetValue {
    value: String,
    count: u64,
    selected: bool,
}

/// A bar of the budget's histogram.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct BudgetStep {
    from_minor: u64,
    to_minor: u64,
    count: u64,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Facets)]
pub struct ShownFacets {
    room_type: Vec<FacetValue>,
    accommodation_type: Vec<FacetValue>,
    dual_occupancy: Vec<FacetValue>,
    move_in_month: Vec<FacetValue>,
    stay_duration: Vec<FacetValue>,
    guarantor: Vec<FacetValue>,
    availability: Vec<FacetValue>,
    distance: Vec<FacetValue>,
    features: Vec<FacetValue>,
    budget: Vec<BudgetStep>,
}

/// Scales by which prices and distances of a search are counted.
pub(super) fn scales(asked: &Asked) -> Scales {
    let country = asked.region.as_ref().map(|region| region.details.country);
    let (_, end) = country.map_or((0, BUDGET_MAX), Country::budget_range);
    let step = u64::from(end) * 100 / STEPS as u64;
    let in_circle = matches!(asked.search.area, Area::Circle { .. });
    Scales {
        budget: Some(BudgetScale {
            step,
            steps: STEPS,
            period: asked.period,
        }),
        distances_m: if in_circle {
            DISTANCES_M.map(f64::from).to_vec()
        } else {
            Vec::new()
        },
    }
}

/// The facets as the page shows them.
pub(super) fn facets(
    asked: &Asked,
    facets: &Facets,
    scales: &Scales,
    vocabulary: &Vocabulary,
) -> ShownFacets {
    let chosen = |group: Group, word: &str| {
        asked
            .chosen
            .iter()
            .any(|(of, chosen)| *of == group && chosen == word)
    };
    let shown = |group: Group, word: &str, value: Value| FacetValue {
        value: word.to_owned(),
        count: facets.count(value),
        selected: chosen(group, word),
    };
    let rooms = room_names(asked).map(|name| shown(Group::RoomType, name.key(), Value::configuration(name)));
    let units = [UnitType::StudentAccommodation, UnitType::IndependentHouse];
    let guarantors = [Guarantor::NotRequired, Guarantor::International, Guarantor::Local];
    // Where every home says it, there is nothing to ask for.
    let unsaid = shown(Group::Guarantor, NOT_SAID, Value::guarantor(None));
    let months = (1..=12).map(|month| shown(Group::MoveIn, &month.to_string(), Value::move_in(month)));
    let stays = StayBucket::of(LeaseUnit::of(asked.period));
    ShownFacets {
        room_type: rooms.into(),
        accommodation_type: units
            .map(|unit| shown(Group::Accommodation, unit.key(), Value::unit_type(unit)))
            .into(),
        dual_occupancy: vec![shown(Group::DualOccupancy, "true", Value::DUAL_OCCUPANCY)],
        move_in_month: months.collect(),
        stay_duration: stays
            .map(|bucket| shown(Group::Stay, bucket.key, Value::stay(bucket)))
            .collect(),
        guarantor: guarantors
            .map(|known| shown(Group::Guarantor, known.key(), Value::guarantor(Some(known))))
            .into_iter()
            .chain(Some(unsaid).filter(|unsaid| unsaid.count > 0 || unsaid.selected))
            .collect(),
        availability: vec![
            shown(Group::Availability, "true", Value::AVAILABLE),
            shown(Group::Availability, "false", Value::UNAVAILABLE),
        ],
        distance: distances(asked, facets),
        features: features(asked, facets, vocabulary),
        budget: budget(asked, facets, scales),
    }
}

/// Spec §9: rooms in most countries, flats in the US.
fn room_names(asked: &Asked) -> [C; 4] {
    match asked.region.as_ref().map(|region| region.details.country) {
        Some(Country::Us) => [C::Studio, C::OneBedroom, C::TwoBedrooms, C::ThreeBedrooms],
        Some(_) | None => [C::EnsuiteRoom, C::StudioRoom, C::PrivateRoom, C::SharedRoom],
    }
}

fn distances(asked: &Asked, facets: &Facets) -> Vec<FacetValue> {
    let Area::Circle {
        radius_m, widest_m, ..
    } = asked.search.area
    else {
        return Vec::new();
    };
    let near = DISTANCES_M
        .into_iter()
        .zip(&facets.within)
        .map(|(metres, count)| FacetValue {
            value: metres.to_string(),
            count: *count,
            selected: (radius_m - f64::from(metres)).abs() < 0.5,
        });
    let all = FacetValue {
        value: "all".to_owned(),
        count: facets.anywhere,
        selected: radius_m >= widest_m,
    };
    near.chain([all]).collect()
}

fn features(asked: &Asked, facets: &Facets, vocabulary: &Vocabulary) -> Vec<FacetValue> {
    let mut all: Vec<FacetValue> = vocabulary
        .of_kind(Kind::Feature)
        .map(|(value, name)| FacetValue {
            value: name.to_owned(),
            count: facets.count(value),
            selected: asked
                .chosen
                .iter()
                .any(|(group, word)| *group == Group::Features && word == name),
        })
        .collect();
    all.sort_by(|a, b| (b.selected, b.count, &a.value).cmp(&(a.selected, a.count, &b.value)));
    all.truncate(FEATURES_MAX);
    all
}

fn budget(asked: &Asked, facets: &Facets, scales: &Scales) -> Vec<BudgetStep> {
    let Some(scale) = scales.budget else {
        return Vec::new();
    };
    let currency = asked
        .region
        .as_ref()
        .map_or(Currency::Gbp, |region| region.details.country.currency());
    // The index counts in hundredths of a unit, whatever the currency's own decimals.
    let minor = |hundredths: u64| currency.minor_of_hundredths(hundredths);
    (0_u64..)
        .zip(&facets.budget)
        .map(|(place, count)| BudgetStep {
            from_minor: minor(place * scale.step),
            to_minor: minor((place + 1) * scale.step).saturating_sub(1),
            count: *count,
        })
        .collect()
}
