//! The parameters of a search (Spec §7) and the filter names of the page's address (Spec §3), read by one codec.

use std::sync::Arc;

use chrono::Datelike;
use domain::calendar;
use domain::inventory::Status;
use domain::language::Language;
use domain::money::Period;
use domain::place::Coordinates;
use domain::region::RegionType;
use http_kit::error::ApiError;
use platform::forms::forms_of;
use search_index::SearchIndex;
use search_index::geo::MapBox;
use search_index::places::{Place, Places};
use search_index::query::{Area, Cursor, Direction, From, Group, Order, Search, SortKey};
use search_index::snapshot::Snapshot;
use search_index::value::{Kind, Value};

mod area;
mod filters;
mod reader;

pub(crate) use filters::NOT_SAID;
pub use reader::{Manner, Reader};

/// Spec §9.
pub const LIMIT: usize = 10;
/// D44: the hard cap.
pub const LIMIT_MAX: usize = 1_000;
/// T35: results beyond this are reached with `next_token`.
const DEEPEST: usize = 100_000;

/// Context in which parameters are read.
pub struct Known<'c> {
    pub snapshot: &'c Snapshot,
    pub places: &'c Places,
}

impl Known<'_> {
    /// The catalogue as it is now, for one request.
    pub fn with<T>(catalogue: &SearchIndex, read: impl FnOnce(&Known<'_>) -> T) -> T {
        let (snapshot, places) = (catalogue.snapshot(), catalogue.places());
        read(&Known {
            snapshot: &snapshot,
            places: &places,
        })
    }
}

/// A search as somebody asked for it.
#[derive(Debug)]
pub struct Asked {
    pub search: Search,
    pub page: usize,
    /// The region it is about, where one was named.
    pub region: Option<Arc<Place>>,
    /// A university or place that distances are measured from.
    pub destination: Option<Arc<Place>>,
    /// A point that somebody named to measure from.
    measured: Option<Coordinates>,
    /// Period of the budget, and with it the unit of stays.
    pub period: Period,
    /// Words chosen per filter, as they came.
    pub chosen: Vec<(Group, String)>,
    /// Which properties, by their status.
    pub statuses: Vec<Status>,
    pub shown: Shown,
}

/// Parts of the answer.
#[derive(Debug, Default)]
pub struct Shown {
    pub facets: bool,
    pub pins: bool,
    pub only: Vec<String>,
    pub except: Vec<String>,
}

impl Asked {
    /// Reads a query string. `region` is the one named by the page's path, if any.
    ///
    /// # Errors
    /// 400 for malformed ranges and sizes that cost too much, 422 naming every unknown value.
    pub fn read(
        query: &str,
        manner: Manner,
        known: &Known<'_>,
        region: Option<Arc<Place>>,
    ) -> Result<Self, ApiError> {
        let mut reader = Reader::new(query, manner)?;
        let placed = area::read(&mut reader, known, region);
        let (nearness, home) = ranked_by_place(&placed, known);
        let period = reader.word("duration", period_from_word);
        let mut filters = filters::read(&mut reader, known, placed.region.as_deref(), period);
        filters.clauses.extend(placed.clauses);
        let limit = reader.count("limit", 1, LIMIT_MAX).unwrap_or(LIMIT);
        let page = reader.count("p", 1, DEEPEST / limit).unwrap_or(1);
        let after = reader.word("next_token", cursor_from_token);
        let shown = Shown {
            facets: reader.flag("facets").unwrap_or(false),
            pins: reader.flag("pins").unwrap_or(false),
            only: only(&mut reader),
            except: reader.list("except"),
        };
        let order = order(&mut reader);
        ignored(&mut reader);
        reader.finish()?;
        let asked_period = filters.period;
        Ok(Self {
            search: Search {
                area: placed.area,
                origin: placed.origin,
                clauses: filters.clauses,
                price: filters.price,
                lease: filters.lease,
                name: filters.name,
                order,
                nearness,
                home,
                from: after.map_or(From::Offset((page - 1) * limit), From::After),
                limit,
            },
            page,
            region: placed.region,
            destination: placed.destination,
            measured: placed.measured,
            period: asked_period,
            chosen: filters.chosen,
            statuses: filters.statuses,
            shown,
        })
    }

    /// Where cards measure their distance from.
    pub fn origin(&self) -> Option<Coordinates> {
        match self.search.area {
            Area::Circle { center, .. } => Some(self.search.origin.unwrap_or(center)),
            Area::Box(_) => self.search.origin,
            Area::Everywhere => self.measured,
        }
    }
}

/// Decision 0032: near a university and in an area the recommended order weighs distances; an area's own homes come first.
fn ranked_by_place(placed: &area::Placed, known: &Known<'_>) -> (bool, Option<Value>) {
    let is = |place: &Place, kind: RegionType| place.details.region_type == kind;
    let middle = placed.destination.as_deref().or(placed.region.as_deref());
    let in_a_circle = matches!(placed.area, Area::Circle { .. });
    let Some(middle) = middle.filter(|_| in_a_circle) else {
        return (false, None);
    };
    let area = is(middle, RegionType::Sublocality);
    let value = |place: &Place| {
        let vocabulary = known.snapshot.vocabulary();
        vocabulary.find(Kind::Region, &place.id.to_string())
    };
    let home = if area { value(middle) } else { None };
    (area || is(middle, RegionType::Establishment), home)
}

/// Fields named by `only` and computed fields named by `methods` (D51); all when neither is given.
fn only(reader: &mut Reader) -> Vec<String> {
    let mut only = reader.list("only");
    let methods = reader.list("methods");
    if !only.is_empty() {
        only.extend(methods);
    }
    only
}

fn order(reader: &mut Reader) -> Order {
    let key = |word: &str| match word {
        "relevance" => Some(SortKey::Relevance),
        "distance" => Some(SortKey::Distance),
        "available_price" => Some(SortKey::AvailablePrice),
        "created" => Some(SortKey::Created),
        _ => None,
    };
    let direction = |word: &str| match word {
        "asc" => Some(Direction::Ascending),
        "desc" => Some(Direction::Descending),
        _ => None,
    };
    let key = either(reader.word("sort_key", key), reader.word("sortKey", key)).unwrap_or_default();
    let direction = either(
        reader.word("sort_order", direction),
        reader.word("sortOrder", direction),
    );
    // Spec §9 offers the nearest first only, and descending by default for all other keys.
    let natural = if key == SortKey::Distance {
        Direction::Ascending
    } else {
        Direction::Descending
    };
    Order {
        key,
        direction: direction.unwrap_or(natural),
    }
}

/// Parameters that are checked and change nothing: search is open anyway, every partner sees every property (no property
/// has an allow-list yet), and names are the same in every language.
fn ignored(reader: &mut Reader) {
    reader.flag("use_open_search");
    reader.word("whitelabel_partner_id", |word| word.parse::<uuid::Uuid>().ok());
    reader.word("lang", Language::from_code);
}

fn either<T>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.or(other)
}

fn period_from_word(word: &str) -> Option<Period> {
    match word {
        "weekly" => Some(Period::Weekly),
        "monthly" => Some(Period::Monthly),
        _ => None,
    }
}

/// A cursor as text that travels in an address.
pub fn token_of(cursor: Cursor) -> String {
    format!("{:016x}{:032x}", cursor.key, cursor.id)
}

fn cursor_from_token(token: &str) -> Option<Cursor> {
    let (key, id) = (token.get(..16)?, token.get(16..)?);
    let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (id.len() == 32 && hex(key) && hex(id)).then_some(())?;
    Some(Cursor {
        key: u64::from_str_radix(key, 16).ok()?,
        id: u128::from_str_radix(id, 16).ok()?,
    })
}

/// The two corners of a box, given in any order.
fn map_box(corners: [Option<f64>; 4]) -> Option<MapBox> {
    use search_index::geo::from_degrees;
    let [Some(lat1), Some(lng1), Some(lat2), Some(lng2)] = corners else {
        return None;
    };
    Some(MapBox::between(
        from_degrees(lat1, lng1)?,
        from_degrees(lat2, lng2)?,
    ))
}

/// Months as the filter writes them: a number or a name means that month of any year, a year with its month
/// that very month.
fn month_from_word(word: &str) -> Option<(u32, Value)> {
    let number = word.parse::<u32>().ok().filter(|month| (1..=12).contains(month));
    let dated = || {
        let first = calendar::read_month(word)?;
        let months = i64::from(first.year()) * 12 + i64::from(first.month0());
        Some((first.month(), Value::dated_move_in(u16::try_from(months).ok()?)))
    };
    let named = || {
        let mut readings = Language::SERVED
            .into_iter()
            .filter_map(|lang| forms_of(lang).read_month(word));
        readings.find_map(|(year, month)| year.is_none().then_some(month))
    };
    let of_any_year = |month| (month, Value::move_in(month));
    number
        .map(of_any_year)
        .or_else(dated)
        .or_else(|| named().map(of_any_year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_leads_back_to_its_cursor() {
        let cursor = Cursor {
            key: u64::MAX - 5,
            id: 7 << 90,
        };
        assert_eq!(cursor_from_token(&token_of(cursor)), Some(cursor));
        for bad in ["", "x", "ü", &"g".repeat(48), &"0".repeat(47)] {
            assert_eq!(cursor_from_token(bad), None);
        }
    }

    #[test]
    fn months_come_as_numbers_names_and_dates() {
        let september = Some((9, Value::move_in(9)));
        assert_eq!(month_from_word("9"), september);
        assert_eq!(month_from_word("September"), september);
        let dated = Value::dated_move_in(2027 * 12 + 8);
        assert_eq!(month_from_word("2027-09"), Some((9, dated)));
        for bad in ["0", "13", "Sextember", "2027-13", "2027-9", "2027- 9", ""] {
            assert_eq!(month_from_word(bad), None, "{bad}");
        }
    }
}
