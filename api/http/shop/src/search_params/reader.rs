//! Reads a query string by name: what is wrong is collected, so that one answer names every bad parameter.

use std::collections::BTreeSet;

use domain::typed_number::spell_readings;
use http_kit::common_parameters::is_common;
use http_kit::error::{ApiError, FieldError};
use http_kit::request::{bounded, listed};
use http_kit::said::{Said, say, unknown_value};

/// T35: longer queries and more parameters are no searches.
const QUERY_MAX: usize = 8 * 1024;
const PARAMETERS_MAX: usize = 100;
const LIST_MAX: usize = 60;

/// How strict to be with values that mean nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// A program asked: tell it.
    Strict,
    /// A person opened an address, perhaps an old one: leave the filter out.
    Lenient,
}

/// The parameters of one request.
pub struct Reader {
    pairs: Vec<(String, String)>,
    /// Parameters of the query that nothing has asked for yet.
    unread: BTreeSet<String>,
    manner: Manner,
    errors: Vec<FieldError>,
    malformed: Option<Said>,
}

impl Reader {
    /// # Errors
    /// 414 for a query too long to be one, 400 for too many parameters.
    pub fn new(query: &str, manner: Manner) -> Result<Self, ApiError> {
        bounded(query, QUERY_MAX)?;
        let mut pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
            .map(|(name, value)| (name.trim_end_matches("[]").to_owned(), value.trim().to_owned()))
            .collect();
        let own = pairs.iter().map(|(name, _)| name).filter(|name| !is_common(name));
        let unread = own.cloned().collect();
        pairs.retain(|(_, value)| !value.is_empty());
        if pairs.len() > PARAMETERS_MAX {
            return Err(ApiError::malformed(
                say("refusal.too_many_parameters").with("max", PARAMETERS_MAX),
            ));
        }
        Ok(Self {
            pairs,
            unread,
            manner,
            errors: Vec::new(),
            malformed: None,
        })
    }

    pub const fn manner(&self) -> Manner {
        self.manner
    }

    /// Ends reading.
    ///
    /// # Errors
    /// 400 for a range or a size that cannot be, else 422 naming every bad parameter and every one that nothing reads.
    pub fn finish(mut self) -> Result<(), ApiError> {
        if self.manner == Manner::Strict {
            let unread = std::mem::take(&mut self.unread).into_iter();
            self.errors.extend(unread.map(|name| {
                let message = say("refusal.unknown_parameter").with("field", &name);
                FieldError::new(&name, "unknown_parameter", message)
            }));
        }
        match self.malformed {
            Some(sentence) => Err(ApiError::malformed(sentence)),
            None if self.errors.is_empty() => Ok(()),
            None => Err(ApiError::invalid(self.errors)),
        }
    }

    /// The last value given.
    pub fn one(&mut self, name: &str) -> Option<&str> {
        self.unread.remove(name);
        self.pairs
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// All values given, taken apart at commas.
    pub fn list(&mut self, name: &str) -> Vec<String> {
        self.unread.remove(name);
        let given = self.pairs.iter().filter(|(known, _)| known == name);
        let values: Vec<String> = given
            .flat_map(|(_, value)| listed(value))
            .map(str::to_owned)
            .collect();
        if values.len() > LIST_MAX {
            self.refuse(
                say("refusal.too_many_values")
                    .with("field", name)
                    .with("max", LIST_MAX),
            );
            return Vec::new();
        }
        values
    }

    /// One value of a known kind.
    pub fn word<T>(&mut self, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = self.one(name)?.to_owned();
        let known = read(&value);
        if known.is_none() {
            self.unknown(name, &value);
        }
        known
    }

    /// A list of values of a known kind, with the words that were understood.
    pub fn words<T>(&mut self, name: &str, read: impl Fn(&str) -> Option<T>) -> Vec<(String, T)> {
        let mut known = Vec::new();
        for value in self.list(name) {
            match read(&value) {
                Some(meaning) => known.push((value, meaning)),
                None => self.unknown(name, &value),
            }
        }
        known
    }

    /// `true` or `false`.
    pub fn flag(&mut self, name: &str) -> Option<bool> {
        self.word(name, |word| match word {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        })
    }

    /// A whole number within bounds; outside them the request is refused as too costly (T35).
    pub fn count(&mut self, name: &str, least: usize, most: usize) -> Option<usize> {
        let number: u64 = self.word(name, |word| word.parse().ok())?;
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        if number > most {
            self.refuse(say("refusal.at_most").with("field", name).with("max", most));
            return None;
        }
        if number < least {
            self.unknown(name, &number.to_string());
            return None;
        }
        Some(number)
    }

    /// A finite number.
    pub fn number(&mut self, name: &str) -> Option<f64> {
        self.word(name, |word| {
            word.parse().ok().filter(|number: &f64| number.is_finite())
        })
    }

    /// An amount in hundredths of a unit.
    pub fn amount(&mut self, name: &str) -> Option<u64> {
        let value = self.one(name)?.to_owned();
        let amount = hundredths(&value);
        if amount.is_none() {
            let message = say_readings(name, &value).unwrap_or_else(|| {
                say("refusal.search_amount")
                    .with("field", name)
                    .with("value", &value)
            });
            self.wrong(name, "unknown_value", message);
        }
        amount
    }

    /// `a,b` or `a-b`, either end open (D50).
    pub fn range(&mut self, name: &str) -> Option<(Option<u64>, Option<u64>)> {
        let value = self.one(name)?.to_owned();
        let range = range_of(&value);
        if range.is_none() {
            let doubted = value
                .split([',', '-'])
                .find_map(|end| say_readings(name, end.trim()));
            self.refuse(doubted.unwrap_or_else(|| say("refusal.range").with("field", name)));
        }
        range
    }

    /// Refuses the upper end of a range that is below its lower end.
    pub fn refuse_order(&mut self, low: &str, high: &str) {
        self.refuse(say("refusal.range_order").with("field", high).with("least", low));
    }

    /// Records a value nobody knows.
    pub fn unknown(&mut self, name: &str, value: &str) {
        self.wrong(name, "unknown_value", unknown_value(name, value));
    }

    /// Records a parameter that is missing beside another.
    pub fn missing(&mut self, name: &str, beside: &str) {
        // One that is there and cannot be read is recorded as such.
        if self.one(name).is_some() {
            return;
        }
        let message = say("refusal.missing_parameter")
            .with("field", name)
            .with("beside", beside);
        self.wrong(name, "missing", message);
    }

    /// Records that the corners of a part of the map make no box.
    pub fn no_box(&mut self) {
        self.wrong("region_bounds_lat1", "unknown_value", say("refusal.box_corners"));
    }

    fn wrong(&mut self, name: &str, code: &'static str, message: Said) {
        if self.manner == Manner::Strict {
            self.errors.push(FieldError::new(name, code, message));
        }
    }

    /// Refuses the request as a whole.
    pub fn refuse(&mut self, sentence: Said) {
        if self.manner == Manner::Strict {
            self.malformed.get_or_insert(sentence);
        }
    }
}

/// Both readings of an amount that is read in two ways, as they can be written; nothing for any other text.
fn say_readings(name: &str, value: &str) -> Option<Said> {
    match &*spell_readings(value) {
        [first, second] => Some(
            say("refusal.search_amount_two_ways")
                .with("field", name)
                .with("value", value)
                .with("first", first)
                .with("second", second),
        ),
        _ => None,
    }
}

fn range_of(value: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (low, high) = value.split_once(',').or_else(|| value.split_once('-'))?;
    let end = |text: &str| match text.trim() {
        "" => Some(None),
        number => hundredths(number).map(Some),
    };
    let (low, high) = (end(low)?, end(high)?);
    let ordered = low.zip(high).is_none_or(|(low, high)| low <= high);
    (ordered && (low.is_some() || high.is_some())).then_some((low, high))
}

/// `150` and `150.5` as hundredths, without a float.
fn hundredths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || part.len() > 2 || !digits(whole) || !digits(part) {
        return None;
    }
    let cents: u64 = format!("{part:0<2}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(100)?.checked_add(cents)
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    #[test]
    fn ranges_are_read_with_a_comma_or_a_hyphen_and_open_ends() {
        assert_eq!(range_of("100,250"), Some((Some(10_000), Some(25_000))));
        assert_eq!(range_of("100.50-"), Some((Some(10_050), None)));
        assert_eq!(range_of(",250"), Some((None, Some(25_000))));
        for bad in ["100", "250,100", "a,b", ",", "1e9,2", "-5,-1"] {
            assert_eq!(range_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_bad_parameter_is_named_in_one_answer() {
        let mut reader = Reader::new("available=maybe&limit=x", Manner::Strict).unwrap();
        assert_eq!(
            (reader.flag("available"), reader.count("limit", 1, 10)),
            (None, None)
        );
        let error = reader.finish().unwrap_err();
        assert_eq!(error.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(
            error
                .errors
                .iter()
                .map(|error| error.field.as_str())
                .collect::<Vec<_>>(),
            ["available", "limit"]
        );
    }

    #[test]
    fn refused_prices_say_what_to_write() {
        let said = |query: &str| {
            let mut reader = Reader::new(query, Manner::Strict).unwrap();
            let (name, _) = query.split_once('=').unwrap();
            if name == "max_price" {
                reader.amount(name);
            } else {
                reader.range(name);
            }
            let error = reader.finish().unwrap_err();
            let at_field = error.errors.first().map(|error| error.message.written());
            at_field.unwrap_or_else(|| error.message.written())
        };
        for (query, ways) in [
            ("max_price=cheap", ["`150`", "`150.50`"]),
            ("max_price=2.505", ["`150`", "`150.50`"]),
            ("max_price=1.250", ["`1250`", "`1.25`"]),
            ("max_price=1,250", ["`1250`", "`1.25`"]),
            ("budget=1.250-2000", ["`1250`", "`1.25`"]),
            ("budget=100-50.000", ["`50000`", "`50`"]),
            ("budget=300,150", ["`100,250`", "lower"]),
        ] {
            let said = said(query);
            assert!(ways.iter().all(|way| said.contains(way)), "{query}: {said}");
        }
    }

    #[test]
    fn an_old_address_loses_only_the_filter_that_means_nothing_now() {
        let mut reader = Reader::new("available=maybe&budget=x", Manner::Lenient).unwrap();
        assert_eq!((reader.flag("available"), reader.range("budget")), (None, None));
        assert!(reader.finish().is_ok());
    }
}
