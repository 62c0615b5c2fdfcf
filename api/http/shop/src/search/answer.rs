//! A search's answer as JSON, put together from pieces that were written when the properties last changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::NaiveDate;
use domain::id::{InventoryId, RegionId};
use domain::language::Language;
use platform::clock;
use search_index::geo::OnGlobe;
use search_index::item::{Item, Occasion, Price};
use search_index::places::{Place, Places};
use search_index::query::{From, Order, Search};
use search_index::{Found, SearchIndex};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{facet_values, offset, region_link};
use crate::contract::catalogue::{MapPin, SearchMeta};
use crate::inventories::words::words;
use crate::search_params::{Asked, token_of};

/// P38: the map shows all matches up to this many.
const PINS_MAX: usize = 1_000;

/// How much of each property is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fields {
    /// The fields of a card.
    Card,
    /// The card's fields and those of Spec §3.
    Whole,
}

/// Facts of a search beside its results.
pub struct Summary {
    pub meta: SearchMeta,
    /// The path of the first result's first picture.
    pub first_picture: Option<String>,
}

/// Writes `{"meta":…,"result":[…],"facets":…,"pins":…}`.
///
/// # Errors
/// When a stored piece is no JSON, which would be ours to mend.
pub fn write_result(
    catalogue: &SearchIndex,
    asked: &Asked,
    fields: Fields,
    lang: Language,
    out: &mut Vec<u8>,
) -> Result<Summary, serde_json::Error> {
    let snapshot = catalogue.snapshot();
    let scales = facet_values::scales(asked);
    let (found, facets) = if asked.shown.facets {
        let (found, facets) = catalogue.search_with_facets(&snapshot, &asked.search, &scales);
        (found, Some(facets))
    } else {
        (catalogue.search(&snapshot, &asked.search), None)
    };
    let items = catalogue.priced_items(&found);
    out.extend_from_slice(br#"{"meta":"#);
    let meta = meta(asked, &found);
    serde_json::to_writer(&mut *out, &meta)?;
    out.extend_from_slice(br#","result":["#);
    write_items(catalogue, asked, (fields, lang), &items, out)?;
    out.push(b']');
    if let Some(facets) = facets {
        out.extend_from_slice(br#","facets":"#);
        let shown = facet_values::facets(asked, &facets, &scales, snapshot.vocabulary());
        serde_json::to_writer(&mut *out, &shown)?;
    }
    if asked.shown.pins {
        out.extend_from_slice(br#","pins":"#);
        let all = Search {
            from: From::default(),
            limit: PINS_MAX,
            order: Order::default(),
            ..asked.search.clone()
        };
        let found = catalogue.priced_items(&catalogue.search(&snapshot, &all));
        let pins: Vec<_> = found
            .iter()
            .filter_map(|(item, price)| pin(item, *price, lang))
            .collect();
        serde_json::to_writer(&mut *out, &pins)?;
    }
    out.push(b'}');
    let first_picture = items.first().and_then(|(item, _)| item.first_picture.clone());
    Ok(Summary { meta, first_picture })
}

fn write_items(
    catalogue: &SearchIndex,
    asked: &Asked,
    (fields, lang): (Fields, Language),
    items: &[(Arc<Item>, Price)],
    out: &mut Vec<u8>,
) -> Result<(), serde_json::Error> {
    let occasion = Occasion {
        today: clock::now().date_naive(),
        lang: lang.code(),
        origin: asked.origin(),
    };
    let mut days = Days {
        catalogue,
        today: occasion.today,
        picks: HashMap::new(),
    };
    let feature = |key: &str| words(lang, &format!("feature.{key}"), &[]);
    let pruned = !asked.shown.only.is_empty() || !asked.shown.except.is_empty();
    for (place, (item, price)) in items.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        let start = out.len();
        let of_the_day = days.pick(item.region) == Some(item.id);
        match fields {
            Fields::Card => item.write_priced_card(&occasion, *price, of_the_day, out),
            Fields::Whole => item.write_whole(&occasion, *price, of_the_day, feature, out),
        }
        if pruned {
            let kept = serde_json::to_vec(&prune(&out[start..], &asked.shown.only, &asked.shown.except)?)?;
            out.truncate(start);
            out.extend_from_slice(&kept);
        }
    }
    Ok(())
}

/// D51: `only` keeps the named fields and the id, `except` drops the named ones; unknown names do nothing. The fields' own
/// values are passed on as they were written.
fn prune<'j>(
    whole: &'j [u8],
    only: &[String],
    except: &[String],
) -> Result<BTreeMap<String, &'j RawValue>, serde_json::Error> {
    let mut fields: BTreeMap<String, &RawValue> = serde_json::from_slice(whole)?;
    let kept = |name: &String| only.is_empty() || only.contains(name) || name == "id";
    fields.retain(|name, _| kept(name) && !except.contains(name));
    Ok(fields)
}

/// The property of the day, looked up once per city.
struct Days<'c> {
    catalogue: &'c SearchIndex,
    today: NaiveDate,
    picks: HashMap<RegionId, Option<InventoryId>>,
}

impl Days<'_> {
    fn pick(&mut self, city: RegionId) -> Option<InventoryId> {
        let (catalogue, today) = (self.catalogue, self.today);
        *self
            .picks
            .entry(city)
            .or_insert_with(|| catalogue.property_of_the_day(city, today))
    }
}

fn meta(asked: &Asked, found: &Found) -> SearchMeta {
    let limit = asked.search.limit;
    let total = usize::try_from(found.total).unwrap_or(usize::MAX);
    let pages = total.div_ceil(limit);
    // After a token the number of results before is not known: `p` is taken at its word.
    let counted = matches!(asked.search.from, From::Offset(_));
    let more = if counted {
        offset(asked.search.from) + found.hits.len() < total
    } else {
        found.hits.len() == limit
    };
    SearchMeta {
        prev: (asked.page > 1).then(|| (asked.page - 1).min(pages.max(1))),
        next: more.then_some(asked.page + 1),
        count: total,
        limit,
        pages,
        current_page: asked.page,
        next_token: found
            .hits
            .last()
            .filter(|_| more)
            .map(|last| token_of(last.cursor())),
    }
}

/// The mark of a home on the map; a home without a point has none.
fn pin(item: &Item, price: Price, lang: Language) -> Option<MapPin<'_>> {
    let place = item.place?;
    Some(MapPin {
        id: item.id.0,
        canonical_name: &item.canonical_name,
        name: item.name_in(lang.code()),
        lat: place.lat(),
        lng: place.lng(),
        price,
        available: item.available,
        state: item.state.shown_key(),
    })
}

/// Regions as links, in the order given.
pub fn links<'p>(places: &Places, all: impl IntoIterator<Item = &'p Arc<Place>>, lang: &str) -> Vec<Value> {
    all.into_iter()
        .map(|place| region_link(places, place, None, lang))
        .collect()
}
