//! Suggestions while typing: cities, areas, universities and properties, five in all, typos forgiven (A7, D54).

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::language::Language;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::ApiResult;
use http_kit::permissions::Access;
use http_kit::request::{Query, RequestContext};
use search_index::item::Item;
use search_index::names::Spelling;
use search_index::places::{Place, PlaceGroup, Places};
use search_index::{SearchIndex, is_enough};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Open, routes!(suggest))
}

/// D54.
const SUGGESTIONS: usize = 5;
/// With fewer results than this, typos are allowed for.
const FEW: usize = 3;
/// What each list gets before any gets more.
const SHARES: [usize; 4] = [1, 1, 2, 1];

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SuggestQuery {
    /// What has been typed so far.
    #[serde(default)]
    q: String,
}

#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = SuggestResult)]
pub struct Suggestions {
    pub cities: Vec<Suggestion>,
    pub areas: Vec<Suggestion>,
    pub universities: Vec<Suggestion>,
    pub properties: Vec<Suggestion>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SuggestItem)]
pub struct Suggestion {
    pub id: String,
    pub name: String,
    /// Where it is, e.g. "London, United Kingdom".
    pub context: String,
    pub canonical_name: String,
    pub href: String,
    pub homes: Option<u64>,
}

/// At most five cities, areas, universities and properties that the text may become; none below three letters or two
/// Chinese characters.
#[utoipa::path(
    get,
    path = "/api/v0/search/suggest",
    tag = "search",
    params(SuggestQuery),
    responses((status = 200, description = "Four lists", body = Success<Suggestions>))
)]
pub async fn suggest(
    State(catalogue): State<Arc<SearchIndex>>,
    context: RequestContext,
    Query(query): Query<SuggestQuery>,
) -> ApiResult<Response> {
    let text: String = query.q.chars().take(100).collect();
    if !is_enough(&text) {
        return Ok(Success::new(Suggestions::default()).into_response());
    }
    Ok(Success::new(suggestions(&catalogue, &text, context.lang.code())).into_response())
}

/// Words that people add to a place and that are in few names; looked for last.
const ADDED: [&str; 22] = [
    "accommodation",
    "accommodations",
    "apartment",
    "apartments",
    "flat",
    "flats",
    "home",
    "homes",
    "hall",
    "halls",
    "house",
    "housing",
    "in",
    "near",
    "rent",
    "room",
    "rooms",
    "student",
    "students",
    "the",
    "to",
    "uk",
];

/// The text with fewer words, the likeliest first: without words that people add to a place, without any one word, each
/// word alone.
fn shorter(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < 2 {
        return Vec::new();
    }
    let added = |word: &&str| ADDED.contains(&word.to_lowercase().as_str());
    let own: Vec<&str> = words.iter().copied().filter(|word| !added(word)).collect();
    let mut all = vec![own.join(" ")];
    all.extend((0..words.len()).rev().map(|left_out| {
        let kept = words.iter().enumerate().filter(|(place, _)| *place != left_out);
        kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    }));
    all.extend(own.iter().map(|word| (*word).to_owned()));
    all.retain(|shorter| shorter.len() < text.len() && is_enough(shorter));
    all
}

fn suggestions(catalogue: &SearchIndex, text: &str, lang: &str) -> Suggestions {
    let mut lists = found(catalogue, text, Spelling::AsTyped, lang);
    let is_empty = |lists: &[Vec<Suggestion>; 4]| lists.iter().all(Vec::is_empty);
    if is_empty(&lists) {
        let fewer = shorter(text).into_iter();
        let mut fewer = fewer.map(|text| found(catalogue, &text, Spelling::AsTyped, lang));
        if let Some(some) = fewer.find(|lists| !is_empty(lists)) {
            lists = some;
        }
    }
    // Typos are allowed for only where too little begins like the text as it stands.
    let count = |lists: &[Vec<Suggestion>; 4]| lists.iter().map(Vec::len).sum::<usize>();
    if count(&lists) < FEW {
        // What fewer words found stays, where all of them find no more with a typo.
        let misspelt = found(catalogue, text, Spelling::OneTypo, lang);
        if count(&misspelt) > count(&lists) {
            lists = misspelt;
        }
    }
    let kept = shares(lists.each_ref().map(Vec::len));
    for (list, kept) in lists.iter_mut().zip(kept) {
        list.truncate(kept);
    }
    let [cities, areas, universities, properties] = lists;
    Suggestions {
        cities,
        areas,
        universities,
        properties,
    }
}

fn found(catalogue: &SearchIndex, text: &str, spelling: Spelling, lang: &str) -> [Vec<Suggestion>; 4] {
    let places = catalogue.places();
    let regions = |group: PlaceGroup| -> Vec<Suggestion> {
        let found = places.suggest(group, text, spelling, SUGGESTIONS);
        found
            .into_iter()
            .map(|place| of_region(&places, place, lang))
            .collect()
    };
    let properties = catalogue.suggest_properties(text, spelling, SUGGESTIONS);
    [
        regions(PlaceGroup::Cities),
        regions(PlaceGroup::Areas),
        regions(PlaceGroup::Universities),
        properties
            .iter()
            .map(|item| of_property(&places, item, lang))
            .collect(),
    ]
}

/// How many of each list are shown: its share first, then what the others leave, in the order of the lists.
fn shares(found: [usize; 4]) -> [usize; 4] {
    let mut shown = [0; 4];
    let mut room = SUGGESTIONS;
    for (place, share) in SHARES.into_iter().enumerate() {
        shown[place] = found[place].min(share).min(room);
        room -= shown[place];
    }
    for place in 0..4 {
        let more = (found[place] - shown[place]).min(room);
        shown[place] += more;
        room -= more;
    }
    shown
}

fn of_region(places: &Places, place: &Place, lang: &str) -> Suggestion {
    Suggestion {
        id: place.id.to_string(),
        name: place.name_in(lang).to_owned(),
        context: context(places, place, lang),
        canonical_name: place.canonical_name().to_owned(),
        href: format!("/places/search/{}", place.canonical_name()),
        homes: Some(places.homes(place.id)),
    }
}

fn of_property(places: &Places, item: &Item, lang: &str) -> Suggestion {
    let city = places.get(item.region).map(|city| city.name_in(lang).to_owned());
    Suggestion {
        id: item.id.to_string(),
        name: item.name.clone(),
        context: city.unwrap_or_default(),
        canonical_name: item.canonical_name.clone(),
        href: format!("/places/{}", item.canonical_name),
        homes: None,
    }
}

/// The names above a region: its city where it lies in one, and its country.
fn context(places: &Places, place: &Place, lang: &str) -> String {
    let above = places.with_ancestors(place.id);
    let names: Vec<&str> = above
        .iter()
        .skip(1)
        .filter_map(|id| places.get(*id))
        .map(|place| place.name_in(lang))
        .collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, .., last] => {
            let comma = Language::from_code(lang).unwrap_or_default().comma();
            format!("{first}{comma}{last}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_suggestions_are_shared_and_nothing_is_left_empty() {
        assert_eq!(shares([5, 5, 5, 5]), [1, 1, 2, 1]);
        assert_eq!(shares([1, 0, 5, 5]), [1, 0, 3, 1]);
        assert_eq!(shares([0, 0, 0, 9]), [0, 0, 0, 5]);
        assert_eq!(shares([0, 0, 1, 0]), [0, 0, 1, 0]);
    }
}
