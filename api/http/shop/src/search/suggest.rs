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
use search_index::unlisted::Unlisted;
use search_index::{SearchIndex, is_enough};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Services;
use crate::regions::about;
use crate::regions::view::country_name;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Open, routes!(suggest))
}

/// D54.
const SUGGESTIONS: usize = 5;
/// With fewer results than this, typos are allowed for.
const FEW: usize = 3;
/// Entries that each list gets before any gets more.
const SHARES: [usize; 4] = [1, 1, 2, 1];

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SuggestQuery {
    /// Text that has been typed so far.
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
    /// Where it is, e.g. "London, United Kingdom"; and the nearest homes where it has none.
    pub context: String,
    pub canonical_name: String,
    pub href: String,
    /// Null for a home, and for a place without homes.
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
    Ok(Success::new(suggestions(&catalogue, &text, context.lang)).into_response())
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

fn suggestions(catalogue: &SearchIndex, text: &str, lang: Language) -> Suggestions {
    let mut lists = found(catalogue, text, Spelling::AsTyped, lang);
    let named = named_without_homes(catalogue, text, lang);
    let is_named = named.iter().any(|list| !list.is_empty());
    let is_empty = |lists: &[Vec<Suggestion>; 4]| lists.iter().all(Vec::is_empty);
    if is_empty(&lists) && !is_named {
        let fewer = shorter(text).into_iter();
        let mut fewer = fewer.map(|text| found(catalogue, &text, Spelling::AsTyped, lang));
        if let Some(some) = fewer.find(|lists| !is_empty(lists)) {
            lists = some;
        }
    }
    // Typos are allowed for only where too little begins like the text as it stands.
    let count = |lists: &[Vec<Suggestion>; 4]| lists.iter().map(Vec::len).sum::<usize>();
    if count(&lists) < FEW && !is_named {
        // What fewer words found stays, where all of them find no more with a typo.
        let misspelt = found(catalogue, text, Spelling::OneTypo, lang);
        if count(&misspelt) > count(&lists) {
            lists = misspelt;
        }
    }
    add_without_homes(catalogue, text, lang, &mut lists, named);
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

/// The lists that places without homes may stand in, by their place among the four.
const WITHOUT_HOMES: [(usize, PlaceGroup); 2] = [(0, PlaceGroup::Cities), (2, PlaceGroup::Universities)];

/// Cities and universities without homes that are called just so.
fn named_without_homes(catalogue: &SearchIndex, text: &str, lang: Language) -> [Vec<Suggestion>; 2] {
    let places = catalogue.places();
    WITHOUT_HOMES.map(|(_, group)| {
        let named = places.name_unlisted(group, text, SUGGESTIONS).into_iter();
        named.map(|place| of_unlisted(&places, &place, lang)).collect()
    })
}

/// A place that is called just so stands in its list where that has no place with homes; others fill what is left of the five.
fn add_without_homes(
    catalogue: &SearchIndex,
    text: &str,
    lang: Language,
    lists: &mut [Vec<Suggestion>; 4],
    named: [Vec<Suggestion>; 2],
) {
    let places = catalogue.places();
    for ((at, _), named) in WITHOUT_HOMES.into_iter().zip(named) {
        let mut named = named.into_iter();
        if lists[at].is_empty() {
            lists[at].extend(named.next());
        }
        fill(lists, at, named);
    }
    for (at, group) in WITHOUT_HOMES {
        if lists.iter().map(Vec::len).sum::<usize>() < SUGGESTIONS {
            let more = places.suggest_unlisted(group, text, SUGGESTIONS).into_iter();
            fill(lists, at, more.map(|place| of_unlisted(&places, &place, lang)));
        }
    }
}

/// Adds to one list while all four have room.
fn fill(lists: &mut [Vec<Suggestion>; 4], at: usize, more: impl Iterator<Item = Suggestion>) {
    for suggestion in more {
        if lists.iter().map(Vec::len).sum::<usize>() >= SUGGESTIONS {
            return;
        }
        if lists[at].iter().all(|known| known.id != suggestion.id) {
            lists[at].push(suggestion);
        }
    }
}

fn found(catalogue: &SearchIndex, text: &str, spelling: Spelling, lang: Language) -> [Vec<Suggestion>; 4] {
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

fn of_region(places: &Places, place: &Place, lang: Language) -> Suggestion {
    let homes = places.homes(place.id);
    let context = context(places, place, lang);
    let is_without = homes == 0 && !place.is_searched_as_a_whole();
    Suggestion {
        id: place.id.to_string(),
        name: place.name_in(lang.code()).to_owned(),
        context: if is_without {
            about::without_homes(places, place, &context, lang)
        } else {
            context
        },
        canonical_name: place.canonical_name().to_owned(),
        href: format!("/places/search/{}", place.canonical_name()),
        homes: Some(homes).filter(|_| !is_without),
    }
}

fn of_unlisted(places: &Places, unlisted: &Unlisted, lang: Language) -> Suggestion {
    let place = &unlisted.place;
    let country = country_name(places, place, lang);
    let place_name = unlisted.lies_in.as_ref().map(|above| above.name_in(lang.code()));
    let context = place_name.map_or_else(|| country.clone(), |name| format!("{name}, {country}"));
    Suggestion {
        context: about::without_homes(places, place, &context, lang),
        ..of_region(places, place, lang)
    }
}

fn of_property(places: &Places, item: &Item, lang: Language) -> Suggestion {
    let lang = lang.code();
    let city = places.get(item.region).map(|city| city.name_in(lang).to_owned());
    Suggestion {
        id: item.id.to_string(),
        name: item.name_in(lang).to_owned(),
        context: city.unwrap_or_default(),
        canonical_name: item.canonical_name.clone(),
        href: format!("/places/{}", item.canonical_name),
        homes: None,
    }
}

/// The names above a region: its city where it lies in one, and its country.
fn context(places: &Places, place: &Place, lang: Language) -> String {
    let above = places.above(place);
    let names: Vec<&str> = above.iter().map(|place| place.name_in(lang.code())).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, .., last] => {
            let comma = lang.comma();
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
