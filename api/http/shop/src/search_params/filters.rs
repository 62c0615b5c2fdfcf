//! What a listing must have: the filters of Spec §7 and §9 under their API names and their names in the page's address.

use domain::id::ProviderId;
use domain::inventory::Status;
use domain::inventory::property::{Guarantor, PropertyKind, Tag, UnitType};
use domain::lease::{LeaseUnit, StayBucket};
use domain::money::Period;
use domain::room::{Configuration, RoomAttributes};
use http_kit::said::say;
use search_index::is_enough;
use search_index::places::Place;
use search_index::query::{Clause, Group, LeaseRange, MONTH, Matching, PriceRange, WEEK};
use search_index::value::{Kind, Value, all_attributes};

use super::{Known, Manner, Reader, either, month_from_word};

/// The word of a filter for homes of which the fact is not said.
pub(crate) const NOT_SAID: &str = "not_said";
/// Longest name that is looked for.
const NAME_MAX: usize = 200;

/// The filters of one search.
pub(super) struct Filters {
    pub clauses: Vec<Clause>,
    pub price: Option<PriceRange>,
    pub lease: Option<LeaseRange>,
    pub name: Option<String>,
    pub period: Period,
    pub chosen: Vec<(Group, String)>,
    pub statuses: Vec<Status>,
}

/// Reads all filters. `asked` is the period the request names; the region's is the default, then weekly.
pub(super) fn read(
    reader: &mut Reader,
    known: &Known<'_>,
    region: Option<&Place>,
    asked: Option<Period>,
) -> Filters {
    let local = asked.or(region.map(|region| region.details.country.period()));
    let mut filters = Filters {
        clauses: Vec::new(),
        price: price(reader, local),
        lease: None,
        name: None,
        period: local.unwrap_or(Period::Weekly),
        chosen: Vec::new(),
        statuses: Vec::new(),
    };
    filters.rooms(reader);
    filters.housing(reader);
    filters.stay(reader);
    filters.named(reader, known);
    filters.flags(reader);
    filters.name = name(reader);
    filters
}

impl Filters {
    /// One clause for all chosen values of a filter, remembered by their words.
    fn choose(&mut self, group: Option<Group>, matching: Matching, chosen: Vec<(String, Vec<Value>)>) {
        if chosen.is_empty() {
            return;
        }
        let mut values = Vec::new();
        for (word, meaning) in chosen {
            self.chosen.extend(group.map(|group| (group, word)));
            values.extend(meaning);
        }
        self.clauses.push(Clause {
            group,
            matching,
            values,
        });
    }

    fn any_of(&mut self, group: impl Into<Option<Group>>, chosen: Vec<(String, Value)>) {
        let chosen = chosen
            .into_iter()
            .map(|(word, value)| (word, vec![value]))
            .collect();
        self.choose(group.into(), Matching::Any, chosen);
    }

    /// `meta_types` and its three parts, bedrooms, bathrooms, and the configuration names of the page.
    fn rooms(&mut self, reader: &mut Reader) {
        let mut wanted: Vec<String> = Vec::new();
        for name in ["meta_types", "room_types", "bathroom_types", "kitchen_types"] {
            wanted.extend(
                reader
                    .words(name, |word| attribute(word, name))
                    .into_iter()
                    .map(|(word, ())| word),
            );
        }
        if !wanted.is_empty() {
            let fits = |room: &RoomAttributes| fits(*room, &wanted);
            let values = all_attributes().filter(fits).map(Value::room).collect();
            self.clauses.push(Clause::any(Group::RoomType, values));
        }
        let rooms = reader.words("roomType", configuration);
        self.any_of(Group::RoomType, rooms);
        let count = |word: &str| word.parse::<u8>().ok().filter(|count| *count <= 20);
        let bedrooms = reader.words("meta_bedroom_counts", |word| count(word).map(Value::bedrooms));
        self.any_of(Group::RoomType, bedrooms);
        let bathrooms = reader.words("meta_bathroom_counts", |word| count(word).map(Value::bathrooms));
        self.any_of(Group::RoomType, bathrooms);
    }

    fn housing(&mut self, reader: &mut Reader) {
        let kinds = reader.words("type", |word| {
            PropertyKind::ALL
                .into_iter()
                .find(|kind| kind.key() == word)
                .map(kinds_of)
        });
        self.choose(None, Matching::Any, kinds);
        for name in ["meta_unit_types", "accommodationType"] {
            let units = reader.words(name, |word| {
                let all = [UnitType::IndependentHouse, UnitType::StudentAccommodation];
                all.into_iter()
                    .find(|unit| unit.key() == word)
                    .map(Value::unit_type)
            });
            self.any_of(Group::Accommodation, units);
        }
        let guarantors = reader.words("guarantor", |word| {
            let all = [Guarantor::Local, Guarantor::International, Guarantor::NotRequired];
            let known = all.into_iter().find(|guarantor| guarantor.key() == word);
            (known.is_some() || word == NOT_SAID).then(|| Value::guarantor(known))
        });
        self.any_of(Group::Guarantor, guarantors);
        self.statuses(reader);
    }

    fn statuses(&mut self, reader: &mut Reader) {
        let listed: &[Status] = match reader.manner() {
            Manner::Strict => &[Status::Active, Status::Inactive, Status::Deleted],
            // Pages are everybody's: a deleted home stands in none.
            Manner::Lenient => &[Status::Active, Status::Inactive],
        };
        let mut statuses = reader.words("statuses", |word| {
            listed.iter().copied().find(|status| status.key() == word)
        });
        if statuses.is_empty() {
            statuses.push((String::new(), Status::Active));
        }
        self.statuses = statuses.iter().map(|(_, status)| *status).collect();
        let values = statuses
            .into_iter()
            .map(|(word, status)| (word, Value::status(status)));
        self.any_of(None, values.collect());
    }

    /// Stay buckets and bounds, counted in weeks where prices are weekly, else in months (D49).
    fn stay(&mut self, reader: &mut Reader) {
        let unit = LeaseUnit::of(self.period);
        let bucket = |word: &str| {
            StayBucket::of(unit)
                // The plus of `45+` is a space once an address was read.
                .find(|bucket| bucket.key == word || bucket.key.strip_suffix('+') == Some(word))
                .map(Value::stay)
        };
        let buckets = reader.words("leaseDuration", bucket);
        self.any_of(Group::Stay, buckets);
        let mut bound = |api: &str, page: &str| {
            let whole = |word: &str| word.parse::<u16>().ok().filter(|number| *number <= 1_000);
            either(reader.word(api, whole), reader.word(page, whole))
        };
        let low = bound("meta_min_lease_duration", "minLeaseDuration");
        let high = bound("meta_max_lease_duration", "maxLeaseDuration");
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            reader.refuse_order("meta_min_lease_duration", "meta_max_lease_duration");
        }
        if low.is_some() || high.is_some() {
            let size = match unit {
                LeaseUnit::Weeks => WEEK,
                LeaseUnit::Months => MONTH,
            };
            self.lease = Some(LeaseRange::whole(low.unwrap_or(0), high, size));
        }
        for name in ["move_in_month", "moveInMonth"] {
            let months = reader.words(name, month_from_word).into_iter();
            let months = months
                .map(|(_, (month, value))| (month.to_string(), value))
                .collect();
            self.any_of(Group::MoveIn, months);
        }
    }

    /// Features, tags and owners: names that only the catalogue knows.
    fn named(&mut self, reader: &mut Reader, known: &Known<'_>) {
        let vocabulary = known.snapshot.vocabulary();
        let all = reader.flag("features_and").unwrap_or(false);
        let feature = |word: &str| {
            let key = word.to_lowercase().replace([' ', '-'], "_");
            vocabulary
                .find(Kind::Feature, word)
                .or_else(|| vocabulary.find(Kind::Feature, &key))
        };
        let features = reader.words("features", feature);
        let features = features
            .into_iter()
            .map(|(word, value)| (word, vec![value]))
            .collect();
        self.choose(
            Some(Group::Features),
            if all { Matching::All } else { Matching::Any },
            features,
        );
        let tags = [
            Tag::NotAvailable,
            Tag::DualOccupancy,
            Tag::Exclusive,
            Tag::StudentsChoice,
            Tag::BreakfastIncluded,
            Tag::LocalNonCommissionable,
        ];
        // A tag nobody bears yet is known all the same: it finds nothing.
        let tag = |word: &str| {
            let tag = tags.into_iter().find(|tag| tag.key() == word)?;
            Some(vocabulary.find(Kind::Tag, tag.key()).into_iter().collect())
        };
        let tags = reader.words("tags", tag);
        self.choose(None, Matching::Any, tags);
        let owner = |word: &str| {
            let owner: ProviderId = word.parse().ok()?;
            Some(
                vocabulary
                    .find(Kind::Owner, &owner.to_string())
                    .into_iter()
                    .collect(),
            )
        };
        let owners = reader.words("owner", owner);
        self.choose(None, Matching::Any, owners);
    }

    fn flags(&mut self, reader: &mut Reader) {
        if let Some(available) = reader.flag("available") {
            let value = if available {
                Value::AVAILABLE
            } else {
                Value::UNAVAILABLE
            };
            self.any_of(Group::Availability, vec![(available.to_string(), value)]);
        }
        if let Some(dual) = reader.flag("dualOccupancy") {
            let value = if dual {
                Value::DUAL_OCCUPANCY
            } else {
                Value::SINGLE_OCCUPANCY
            };
            self.any_of(Group::DualOccupancy, vec![(dual.to_string(), value)]);
        }
    }
}

/// A4: student accommodation is also to be had in apartments and university halls.
fn kinds_of(kind: PropertyKind) -> Vec<Value> {
    let kinds = match kind {
        PropertyKind::StudentAccommodation => {
            vec![
                PropertyKind::StudentAccommodation,
                PropertyKind::Apartment,
                PropertyKind::UniversityHall,
            ]
        }
        PropertyKind::Apartment | PropertyKind::UniversityHall | PropertyKind::House => vec![kind],
    };
    kinds.into_iter().map(Value::property_kind).collect()
}

fn configuration(word: &str) -> Option<Value> {
    use Configuration as C;
    let rooms = [C::EnsuiteRoom, C::StudioRoom, C::SharedRoom, C::PrivateRoom];
    let flats = [C::Studio, C::OneBedroom, C::TwoBedrooms, C::ThreeBedrooms];
    let known = rooms
        .into_iter()
        .chain(flats)
        .find(|known| known.key() == word || known.name() == word);
    known.map(Value::configuration)
}

/// Whether a word of Spec §9's room filters may stand in this parameter.
fn attribute(word: &str, parameter: &str) -> Option<()> {
    let (sharing, part) = word.split_once('_')?;
    let part_fits = match parameter {
        "room_types" => part == "room",
        "bathroom_types" => part == "bathroom",
        "kitchen_types" => part == "kitchen",
        _ => ["room", "bathroom", "kitchen"].contains(&part),
    };
    (part_fits && ["private", "shared"].contains(&sharing)).then_some(())
}

/// Of each part that is asked about, a room has one of the wanted answers.
fn fits(room: RoomAttributes, wanted: &[String]) -> bool {
    let answers = [
        ("_room", room.room_type()),
        ("_bathroom", room.bathroom_type()),
        ("_kitchen", room.kitchen_type()),
    ];
    answers.into_iter().all(|(part, answer)| {
        let mut about = wanted.iter().filter(|word| word.ends_with(part)).peekable();
        about.peek().is_none() || about.any(|word| Some(word.as_str()) == answer)
    })
}

/// The budget, whichever of its names it came under.
fn price(reader: &mut Reader, local: Option<Period>) -> Option<PriceRange> {
    let weekly = reader
        .range("weekly_range_price")
        .map(|range| (range, Some(Period::Weekly)));
    let own = reader.range("range_available_price").map(|range| (range, local));
    let page = reader.range("budget").map(|range| (range, local));
    let (low, high) = (reader.amount("min_price"), reader.amount("max_price"));
    let ends = (low.is_some() || high.is_some()).then_some(((low, high), local));
    if low.zip(high).is_some_and(|(low, high)| low > high) {
        reader.refuse_order("min_price", "max_price");
    }
    let ((low, high), period) = weekly.or(own).or(page).or(ends)?;
    Some(PriceRange {
        low: low.unwrap_or(0),
        high: high.unwrap_or(u64::MAX),
        period,
    })
}

fn name(reader: &mut Reader) -> Option<String> {
    let name = reader.one("name")?.to_owned();
    if name.len() > NAME_MAX {
        reader.refuse(
            say("refusal.at_most_characters")
                .with("field", "name")
                .with("max", NAME_MAX),
        );
        return None;
    }
    if !is_enough(&name) {
        reader.unknown("name", &name);
        return None;
    }
    Some(name)
}
