//! One row of a feed as a property with its room. Every cell that cannot be used is named with its reason.

use domain::contact::shown_name;
use domain::country::Country;
use domain::id::InventoryId;
use domain::inventory::let_room::{LeaseOption, RoomDetails};
use domain::inventory::property::{
    PaymentTerms, Picture, PictureKind, Policy, PropertyDetails, PropertyFacts, Source,
};
use domain::inventory::room_offer::RoomOffer;
use domain::language::Language;
use domain::lease::Lease;
use domain::money::{Currency, Period};
use domain::place::{Address, Coordinates, PlaceName, slug};
use domain::room::{RoomAttributes, Sharing};
use domain::wording::Wording;
use platform::texts::text;

use super::map::{Doubtful, Map};
use super::places::{Gazetteer, Named, Spot, named_id};
use super::rents::Rents;
use super::rows::Cells;
use super::words::{Kind, Per, currency_of, kind_of, per_of};
use super::{RowError, amount};

/// Longer names are cut: no page could show them.
const NAME_MAX: usize = 120;
/// Bytes of a name that its address carries.
const SLUG_MAX: usize = 80;
/// More than this a period is a mistake, not a rent.
const PRICE_MAX_MINOR: u64 = 100_000_000;

/// A listing ready to be adopted.
pub(super) struct Listing {
    pub(super) id: InventoryId,
    pub(super) property: PropertyDetails,
    pub(super) room: RoomDetails,
    pub(super) offer: RoomOffer,
}

/// Reads cells by field and keeps what is wrong with them.
struct Reader<'r> {
    line: u64,
    cells: &'r Cells,
    map: &'r Map,
    errors: Vec<RowError>,
}

impl<'r> Reader<'r> {
    fn text(&self, field: &'r str) -> &'r str {
        self.cells.get(field).map_or("", |cell| cell.text.trim())
    }

    /// A required number of degrees.
    fn degrees(&mut self, field: &'r str) -> Option<i32> {
        let cell = self.cells.get(field);
        let (decimal, degrees) = (self.map.decimal, amount::degrees);
        let parsed = cell.and_then(|cell| degrees(cell, decimal));
        self.parsed(field, "number of degrees", |_| parsed)
    }

    fn wrong(&mut self, field: &str, reason: impl Into<String>) {
        let column = self.map.column(field).to_owned();
        self.errors.push(RowError {
            line: self.line,
            column,
            reason: reason.into(),
        });
    }

    fn required(&mut self, field: &'r str) -> &'r str {
        let text = self.text(field);
        if text.is_empty() {
            self.wrong(field, "the cell is empty");
        }
        text
    }

    /// A required value; `None` with its reason taken down when the cell has none.
    fn parsed<T>(&mut self, field: &'r str, what: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.required(field);
        let value = parse(text);
        if value.is_none() && !text.is_empty() {
            self.wrong(field, format!("`{}` is no {what}", cut(text, 40)));
        }
        value
    }

    fn optional<T>(&mut self, field: &'r str, what: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        if self.text(field).is_empty() {
            None
        } else {
            self.parsed(field, what, parse)
        }
    }
}

/// The listing of a row.
///
/// # Errors
/// Everything that is wrong with the row, each with its column.
pub(super) fn read(
    line: u64,
    cells: &Cells,
    map: &Map,
    places: &mut Gazetteer,
    rents: &Rents,
) -> Result<Listing, Vec<RowError>> {
    let mut reader = Reader {
        line,
        cells,
        map,
        errors: Vec::new(),
    };
    let id = reader.required("id");
    let name = tidy(reader.required("name"));
    if name.is_empty() && !reader.text("name").is_empty() {
        reader.wrong("name", "the name has no letters to show");
    }
    let country = reader.parsed("country", "country of the marketplace", Country::find);
    let city = reader.required("city");
    let lat = reader.degrees("lat");
    let lng = reader.degrees("lng");
    let point = lat.zip(lng).map(|(lat, lng)| Coordinates::new(lat, lng));
    if point.is_some_and(|point| !point.on_earth()) {
        reader.wrong("lat", "the coordinates are not on the earth");
    }
    let price = price(&mut reader, country);
    if let (Some(rent), Some(country)) = (price, country) {
        doubt(&mut reader, rent, country, city, rents);
    }
    let kind = reader.parsed("room_type", "kind of room", kind_of);
    let bedrooms = reader.optional("bedrooms", "number of bedrooms", |text| text.parse::<u8>().ok());
    let nights = reader.optional("min_stay_nights", "number of nights", |text| {
        text.parse::<u32>().ok()
    });
    let days = reader.optional("available_days", "number of days", |text| {
        text.parse::<u32>().ok()
    });
    let (Some(country), Some(point), Some(price), Some(kind)) = (country, point, price, kind) else {
        return Err(reader.errors);
    };
    if !reader.errors.is_empty() {
        return Err(reader.errors);
    }
    let named = Named {
        country,
        city,
        area: reader.text("area"),
    };
    let spot = match places.spot(&named, point, map.unknown_city) {
        Ok(spot) => spot,
        Err((field, reason)) => {
            reader.wrong(field, reason);
            return Err(reader.errors);
        }
    };
    let row = Parsed {
        id,
        name,
        country,
        city,
        point,
        price,
        kind,
        bedrooms,
        nights,
        days,
        spot,
    };
    Ok(row.listing(&reader))
}

/// A price per period of the country, in minor units.
#[derive(Clone, Copy)]
struct Rent {
    minor: u64,
    currency: Currency,
    period: Period,
}

fn price(reader: &mut Reader<'_>, country: Option<Country>) -> Option<Rent> {
    let currency = reader.parsed("currency", "currency of the marketplace", currency_of);
    let per = reader.parsed("price_per", "period: night, week or month", per_of);
    let (currency, per, country) = (currency?, per?, country?);
    let minor = minor(reader, currency)?;
    let period = country.period();
    let scale = u64::from(reader.map.night_scale_percent);
    // A month is 52/12 weeks (D33), a week seven nights; one rounding, down, at the end.
    let rent = match (per, period) {
        (Per::Night, Period::Weekly) => minor.checked_mul(7 * scale).map(|rent| rent / 100),
        (Per::Night, Period::Monthly) => minor.checked_mul(7 * 52 * scale).map(|rent| rent / 1_200),
        (Per::Week, Period::Weekly) | (Per::Month, Period::Monthly) => Some(minor),
        (Per::Week, Period::Monthly) => minor.checked_mul(52).map(|rent| rent / 12),
        (Per::Month, Period::Weekly) => minor.checked_mul(12).map(|rent| rent / 52),
    };
    match rent {
        Some(minor) if minor > 0 && minor <= PRICE_MAX_MINOR => Some(Rent {
            minor,
            currency,
            period,
        }),
        _ => {
            reader.wrong("price", "the price is zero or beyond any rent");
            None
        }
    }
}

/// The price as the row writes it, in minor units.
fn minor(reader: &mut Reader<'_>, currency: Currency) -> Option<u64> {
    let text = reader.required("price");
    let cell = reader.cells.get("price").filter(|_| !text.is_empty())?;
    match amount::minor_units(cell, currency, reader.map.decimal) {
        Ok(minor) => Some(minor),
        Err(doubt) => {
            reader.wrong("price", amount::explain_doubt(doubt, &cut(text, 40), currency));
            None
        }
    }
}

/// Takes down what a reader of the row would doubt, unless the map accepts it.
fn doubt(reader: &mut Reader<'_>, rent: Rent, country: Country, city: &str, rents: &Rents) {
    if reader.map.doubtful == Doubtful::Accept {
        return;
    }
    let usual = country.currency();
    if rent.currency != usual {
        let (given, usual, name) = (rent.currency.code(), usual.code(), country.name());
        reader.wrong(
            "currency",
            format!("`{given}` is not the currency of {name}, {usual}: mend it, or write doubtful = \"accept\" into the map"),
        );
    } else if let Some(reason) = rents.doubt(country, city, rent.minor) {
        reader.wrong("price", reason);
    }
}

/// A row in which every cell could be used.
struct Parsed<'r> {
    id: &'r str,
    name: String,
    country: Country,
    city: &'r str,
    point: Coordinates,
    price: Rent,
    kind: Kind,
    bedrooms: Option<u8>,
    nights: Option<u32>,
    days: Option<u32>,
    spot: Spot,
}

impl Parsed<'_> {
    fn listing(&self, reader: &Reader<'_>) -> Listing {
        let map = reader.map;
        let feed = map.feed.as_str();
        let canonical_name = self.canonical_name(feed);
        let lease = self.lease(map);
        let room = RoomDetails {
            id: InventoryId(named_id(&["room", feed, self.id])),
            canonical_name: format!("{canonical_name}-room"),
            name: self.room_name(),
            attributes: self.attributes(reader.text("bathrooms")),
            bedrooms: self.bedrooms.or((self.kind == Kind::Studio).then_some(0)),
            bathrooms: None,
            area_sqm: None,
            bed: None,
            kitchen_shared_by: None,
            dual_occupancy: None,
            // Without a day no lease can be booked: the rent is all that is said.
            asked_minor: (lease.is_none() && self.days != Some(0)).then_some(self.price.minor),
            pictures: Vec::new(),
        };
        Listing {
            id: InventoryId(named_id(&["inventory", feed, self.id])),
            property: self.property(reader, canonical_name),
            room,
            // No column says how many rooms there are: one is let at a time.
            offer: RoomOffer {
                rooms: None,
                is_count_said: false,
                leases: lease.into_iter().collect(),
            },
        }
    }

    fn property(&self, reader: &Reader<'_>, canonical_name: String) -> PropertyDetails {
        let named = |text: &str| (!text.is_empty()).then(|| PlaceName::plain(text));
        let about = tidy(reader.text("property_type"));
        PropertyDetails {
            name: self.name.clone(),
            canonical_name,
            kind: None,
            unit_type: None,
            country: self.country,
            region: self.spot.city,
            area: self.spot.area,
            provider: None,
            source: Some(Source {
                feed: reader.map.feed.clone(),
                id: self.id.to_owned(),
            }),
            address: Address {
                route: named(reader.text("street")),
                locality: named(self.city),
                district: named(reader.text("area")),
                country: Some(PlaceName {
                    long_name: self.country.name().into(),
                    short_name: self.country.iso().into(),
                }),
                postal_code: named(reader.text("postal_code")),
                ..Address::default()
            },
            coordinates: self.point,
            currency: self.price.currency,
            period: self.price.period,
            description: if about.is_empty() {
                Wording::default()
            } else {
                Wording::english(about)
            },
            features: Vec::new(),
            tags: Vec::new(),
            guarantor: None,
            dual_occupancy: None,
            pictures: self.pictures(&reader.map.feed),
            faqs: Vec::new(),
            places: Vec::new(),
            terms: PaymentTerms::default(),
            policy: Policy::default(),
            facts: PropertyFacts::default(),
            phones: Vec::new(),
            custom_form: None,
        }
    }

    /// Feeds bring no pictures we may show: drawn ones stand in.
    fn pictures(&self, feed: &str) -> Vec<Picture> {
        let kinds = [
            PictureKind::Exterior,
            PictureKind::Bedroom,
            PictureKind::Kitchen,
            PictureKind::Bathroom,
            PictureKind::Lounge,
        ];
        // Seeds begin with the city and end with a number: façades follow the country.
        let digits = named_id(&["picture", feed, self.id]).as_u128() % 1_000_000_007;
        let seed = format!("{}-{digits}", slug(self.city));
        kinds
            .into_iter()
            .map(|kind| Picture {
                seed: seed.clone(),
                kind,
                variant: String::new(),
            })
            .collect()
    }

    fn canonical_name(&self, feed: &str) -> String {
        let mut name = slug(&self.name);
        while name.len() > SLUG_MAX {
            name.pop();
        }
        let id = slug(self.id);
        // An id of signs alone still needs an address of its own.
        let id = if id.is_empty() {
            named_id(&["address", feed, self.id]).simple().to_string()
        } else {
            id
        };
        [name.trim_matches('-'), &id]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("-")
    }

    fn room_name(&self) -> Wording {
        let key = match self.kind {
            Kind::Whole => "configuration.whole_flat",
            Kind::Studio => "configuration.studio",
            Kind::Ensuite => "configuration.ensuite",
            Kind::Private => "configuration.private_room",
            Kind::Shared => "configuration.shared_room",
            Kind::Hotel => "configuration.hotel_room",
        };
        Language::SERVED
            .into_iter()
            .fold(Wording::default(), |name, lang| {
                name.with(lang.code(), text(lang, key, &[]))
            })
    }

    fn attributes(&self, bathrooms: &str) -> RoomAttributes {
        let own_bath = bathrooms.to_ascii_lowercase().contains("private");
        let own = RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Private);
        match self.kind {
            Kind::Studio => own,
            // Three answers name a kind of room: a whole flat is none, but where its bedrooms say so.
            Kind::Whole
                if self
                    .bedrooms
                    .is_some_and(|count| count > 1 || self.country == Country::Us) =>
            {
                own
            }
            Kind::Whole => RoomAttributes::default(),
            Kind::Private if !own_bath => {
                RoomAttributes::new(Sharing::Private, Sharing::Shared, Sharing::Shared)
            }
            Kind::Ensuite | Kind::Private => {
                RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Shared)
            }
            Kind::Shared => RoomAttributes::new(Sharing::Shared, Sharing::Shared, Sharing::Shared),
            // The word says that the room is one's own, and nothing of bathroom and kitchen.
            Kind::Hotel => RoomAttributes {
                room: Some(Sharing::Private),
                ..RoomAttributes::default()
            },
        }
    }

    /// One lease of the map's length, longer where the feed asks for a longer stay; none where no day is said.
    fn lease(&self, map: &Map) -> Option<LeaseOption> {
        let nights = self.nights.unwrap_or(0);
        let fit = |periods: u32| u16::try_from(periods).unwrap_or(u16::MAX);
        let length = match self.price.period {
            Period::Weekly => Lease::weeks(map.lease_weeks.max(fit(nights.div_ceil(7)))),
            Period::Monthly => Lease::months(map.lease_months.max(fit(nights.div_ceil(30)))),
        };
        Some(LeaseOption {
            move_in: map.move_in?,
            length,
            price_minor: self.price.minor,
            rooms_available: u32::from(self.days != Some(0)),
        })
    }
}

/// One line without control signs and double spaces, at most [`NAME_MAX`] letters.
fn tidy(text: &str) -> String {
    shown_name(text, NAME_MAX)
}

fn cut(text: &str, letters: usize) -> String {
    text.chars().take(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_one_tidy_line() {
        assert_eq!(tidy("  Two\tbeds\n& garden "), "Two beds & garden");
        assert_eq!(tidy(&"x".repeat(300)).len(), NAME_MAX);
    }
}
