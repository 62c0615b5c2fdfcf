//! Which column of a feed means what.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use domain::calendar;
use domain::typed_number::DecimalSign;
use encoding_rs::Encoding;
use serde::{Deserialize, Deserializer, de};

/// A field's column is called like the field unless the map says otherwise.
pub const FIELDS: [&str; 18] = [
    "id",
    "name",
    "country",
    "city",
    "area",
    "lat",
    "lng",
    "price",
    "currency",
    "price_per",
    "room_type",
    "property_type",
    "bedrooms",
    "bathrooms",
    "min_stay_nights",
    "available_days",
    "street",
    "postal_code",
];

/// Fields without which no listing can be made.
pub const REQUIRED: [&str; 10] = [
    "id",
    "name",
    "country",
    "city",
    "lat",
    "lng",
    "price",
    "currency",
    "price_per",
    "room_type",
];

/// What a feed's columns mean, and what the feed does not say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The feed's name.
    #[serde(default = "default_feed")]
    pub feed: String,
    /// Field to column.
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// What to do with a city the catalogue does not know.
    #[serde(default)]
    pub unknown_city: UnknownCity,
    /// Day students can move in, where the feed has none. Unset, no lease is made: the homes are asked about, not booked.
    #[serde(default, deserialize_with = "written_day")]
    pub move_in: Option<NaiveDate>,
    /// Length of a lease where prices are weekly.
    #[serde(default = "default_weeks")]
    pub lease_weeks: u16,
    /// Length of a lease where prices are monthly.
    #[serde(default = "default_months")]
    pub lease_months: u16,
    /// Nightly prices are multiplied by the nights of a period and by this, in percent: a long let costs less a night.
    #[serde(default = "default_scale")]
    pub night_scale_percent: u32,
    /// The sign before the decimal digits of prices and degrees; where unset, numbers that can be read in two ways are
    /// rejected.
    #[serde(default)]
    pub decimal: Option<DecimalSign>,
    /// What separates the cells of CSV; where unset, the first line tells.
    #[serde(default)]
    pub separator: Option<char>,
    /// The label of the file's encoding (<https://encoding.spec.whatwg.org>); where unset UTF-8, or UTF-16 that shows itself.
    #[serde(default)]
    pub encoding: Option<String>,
    /// What to do with a row whose price or currency is doubted.
    #[serde(default)]
    pub doubtful: Doubtful,
}

/// What to do with a row whose currency is not its country's, or whose rent is far from what its city's homes are let for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubtful {
    #[default]
    Reject,
    Accept,
}

/// What to do with a city the catalogue does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownCity {
    /// Open it where its first listing stands.
    #[default]
    Create,
    /// Reject the row.
    Report,
}

fn default_feed() -> String {
    "import".to_owned()
}

fn written_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    let text = String::deserialize(deserializer)?;
    calendar::read_day(&text)
        .map(Some)
        .ok_or_else(|| de::Error::custom(format!("`{text}` is no day: write it like 2027-09-01")))
}

const fn default_weeks() -> u16 {
    44
}

const fn default_months() -> u16 {
    12
}

const fn default_scale() -> u32 {
    100
}

impl Default for Map {
    fn default() -> Self {
        Self {
            feed: default_feed(),
            columns: BTreeMap::new(),
            unknown_city: UnknownCity::default(),
            move_in: None,
            lease_weeks: default_weeks(),
            lease_months: default_months(),
            night_scale_percent: default_scale(),
            decimal: None,
            separator: None,
            encoding: None,
            doubtful: Doubtful::default(),
        }
    }
}

impl Map {
    /// Reads `field=column,…` or the TOML file of that name; the plain map without one.
    ///
    /// # Errors
    /// One sentence naming what cannot be used.
    pub fn read(text: Option<&str>) -> Result<Self, String> {
        let map = match text {
            None => Self::default(),
            Some(pairs) if pairs.contains('=') => Self::from_pairs(pairs)?,
            Some(file) => {
                let toml =
                    std::fs::read_to_string(file).map_err(|error| format!("the map `{file}`: {error}"))?;
                Self::from_toml(&toml).map_err(|error| format!("the map `{file}`: {error}"))?
            }
        };
        map.checked()
    }

    fn from_toml(toml: &str) -> Result<Self, String> {
        use figment::providers::{Format, Toml};
        figment::Figment::from(Toml::string(toml))
            .extract()
            .map_err(|error| error.to_string())
    }

    fn from_pairs(pairs: &str) -> Result<Self, String> {
        let pair = |text: &str| {
            let (field, column) = text
                .split_once('=')
                .ok_or_else(|| format!("the map's `{text}` is no `field=column`"))?;
            Ok((field.trim().to_owned(), column.trim().to_owned()))
        };
        let columns = pairs.split(',').map(pair).collect::<Result<_, String>>()?;
        Ok(Self {
            columns,
            ..Self::default()
        })
    }

    fn checked(self) -> Result<Self, String> {
        match self
            .columns
            .keys()
            .find(|field| !FIELDS.contains(&field.as_str()))
        {
            Some(field) => Err(format!(
                "the map's field `{field}` is not one of: {}",
                FIELDS.join(", ")
            )),
            None if self.lease_weeks == 0 || self.lease_months == 0 => {
                Err("a lease of no length cannot be mapped".to_owned())
            }
            None => self.encoding().map(drop).map(|()| self),
        }
    }

    /// A home that is let from a day which is over would be found by no search.
    ///
    /// # Errors
    /// One sentence that names the day.
    pub fn refuse_past_move_in(&self, today: NaiveDate) -> Result<(), String> {
        match self.move_in.filter(|day| *day < today) {
            None => Ok(()),
            Some(day) => Err(format!(
                "the homes would be let from {day}, which is over: write move_in = \"YYYY-MM-DD\" into the map"
            )),
        }
    }

    /// The encoding that the map names.
    ///
    /// # Errors
    /// One sentence when there is none of that label.
    pub fn encoding(&self) -> Result<Option<&'static Encoding>, String> {
        let Some(label) = &self.encoding else {
            return Ok(None);
        };
        match Encoding::for_label(label.as_bytes()) {
            Some(encoding) => Ok(Some(encoding)),
            None => Err(format!("the map's encoding `{label}` is not known")),
        }
    }

    /// The column of a field.
    pub fn column<'m>(&'m self, field: &'m str) -> &'m str {
        self.columns.get(field).map_or(field, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_nobody_knows_is_named() {
        let error = Map::read(Some("title=name")).unwrap_err();
        assert!(
            error.starts_with("the map's field `title` is not one of: id, name,"),
            "{error}"
        );
    }

    #[test]
    fn columns_are_renamed_by_pairs_and_by_toml() {
        assert_eq!(
            Map::read(Some("name=title, area=quarter"))
                .unwrap()
                .column("area"),
            "quarter"
        );
        let toml = "feed = \"x\"\nmove_in = \"2027-02-01\"\nunknown_city = \"report\"\n[columns]\nname = \"title\"\n";
        let map = Map::from_toml(toml).unwrap();
        assert_eq!(
            (map.column("name"), map.column("id"), map.unknown_city),
            ("title", "id", UnknownCity::Report)
        );
    }

    #[test]
    fn move_in_of_the_map_is_a_whole_day() {
        let day = |text: &str| Map::from_toml(&format!("feed = \"x\"\nmove_in = \"{text}\"\n"));
        let read = day("2027-02-01").unwrap().move_in;
        assert_eq!(read, NaiveDate::from_ymd_opt(2027, 2, 1));
        assert_eq!(Map::default().move_in, None, "none is made up");
        let error = day("2027-2-1").unwrap_err();
        assert!(error.contains("`2027-2-1` is no day"), "{error}");
    }

    #[test]
    fn the_documented_map_of_the_listings_file_reads() {
        let map = Map::from_toml(include_str!("../../../docs/import/listings.toml"))
            .unwrap()
            .checked()
            .unwrap();
        assert_eq!(map.column("name"), "title");
    }
}
