//! The settings of the processing fee (D39): its rate, and where none is added.

use domain::country::Country;
use domain::payment::fee::FeeRate;
use serde::{Deserialize, Deserializer};

use super::{Settings, countries};

/// A percentage is written as a number or as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Percent {
    Whole(u64),
    Number(f64),
    Text(String),
}

/// Reads a percentage as it was written.
pub(super) fn percent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Percent::deserialize(deserializer)? {
        Percent::Whole(number) => number.to_string(),
        Percent::Number(number) => number.to_string(),
        Percent::Text(text) => text,
    })
}

/// # Errors
/// One sentence naming the wrong setting.
pub(super) fn check(settings: &Settings) -> Result<(), String> {
    let percent = &settings.processing_fee_percent;
    if FeeRate::from_percent(percent).is_none() {
        return Err(format!(
            "the setting `processing_fee_percent` is `{percent}`: it takes a percentage from 0 to 10 with at most three digits \
             after the point, such as `3.627`"
        ));
    }
    countries::check("fee_exempt_countries", &settings.fee_exempt_countries)
}

impl Settings {
    /// The rate of the processing fee for a home in this country.
    pub fn fee_rate(&self, country: Country) -> FeeRate {
        if self.fee_exempts(country) {
            return FeeRate::NONE;
        }
        FeeRate::from_percent(&self.processing_fee_percent).unwrap_or_default()
    }

    /// Whether nothing is added there.
    pub fn fee_exempts(&self, country: Country) -> bool {
        countries::read(&self.fee_exempt_countries).any(|exempt| exempt == country)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exempt_country_pays_no_fee_and_others_the_set_rate() {
        let settings = Settings {
            processing_fee_percent: "2.5".to_owned(),
            fee_exempt_countries: "uk, germany, pt".to_owned(),
            ..Settings::default()
        };
        assert_eq!(check(&settings), Ok(()));
        assert_eq!(settings.fee_rate(Country::Uk), FeeRate::NONE);
        assert_eq!(settings.fee_rate(Country::Pt), FeeRate::NONE);
        assert_eq!(settings.fee_rate(Country::Spain).to_string(), "2.5");
        assert_eq!(Settings::default().fee_rate(Country::Uk), FeeRate::USUAL);
    }

    #[test]
    fn wrong_rate_or_country_stops_the_start() {
        let with = |percent: &str, countries: &str| {
            check(&Settings {
                processing_fee_percent: percent.to_owned(),
                fee_exempt_countries: countries.to_owned(),
                ..Settings::default()
            })
        };
        assert!(with("free", "").unwrap_err().contains("`processing_fee_percent`"));
        assert!(with("3", "atlantis").unwrap_err().contains("`atlantis`"));
    }
}
