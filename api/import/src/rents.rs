//! What homes of a city are let for, to doubt a price that is far from it.

use std::collections::HashMap;

use catalogue::facts::Facts;
use domain::country::Country;
use domain::language::Language;
use domain::money::Money;
use domain::place::slug;
use platform::forms::forms_of;

/// A rent this many times the city's usual one, or this part of it, is doubted: a lost decimal sign is a hundred.
const FAR: u64 = 10;

/// The usual rent of a period, in whole units of the country's currency: an ensuite room's.
pub(super) struct Rents {
    cities: HashMap<(Country, String), u32>,
    /// The middle one of each country's cities, for the cities without one.
    countries: HashMap<Country, u32>,
}

impl Rents {
    /// Reads the facts that are built into the program.
    ///
    /// # Errors
    /// One sentence, only in a broken build.
    pub(super) fn load() -> Result<Self, String> {
        let facts = Facts::load().map_err(|error| error.to_string())?;
        let mut of_country: HashMap<Country, Vec<u32>> = HashMap::new();
        for city in &facts.cities {
            of_country.entry(city.country).or_default().push(city.price);
        }
        let middle = |mut prices: Vec<u32>| {
            prices.sort_unstable();
            prices.get(prices.len() / 2).copied()
        };
        Ok(Self {
            cities: facts
                .cities
                .iter()
                .map(|city| ((city.country, slug(&city.name)), city.price))
                .collect(),
            countries: of_country
                .into_iter()
                .filter_map(|(country, prices)| Some((country, middle(prices)?)))
                .collect(),
        })
    }

    /// Why a rent in the country's currency, for its period, is doubted; nothing when it is plausible.
    pub(super) fn doubt(&self, country: Country, city: &str, minor: u64) -> Option<String> {
        let usual = self
            .cities
            .get(&(country, slug(city)))
            .or_else(|| self.countries.get(&country))?;
        let currency = country.currency();
        let usual = u64::from(*usual) * 10_u64.pow(currency.decimals());
        let (least, most) = (usual / FAR, usual * FAR);
        // An import tells its operator in the language that all texts fall back to.
        let forms = forms_of(Language::default());
        let write_price = |minor| forms.write_price(Money::new(minor, currency));
        (minor < least || minor > most).then(|| {
            format!(
                "the rent comes to {}, and homes there are let for {} to {}: mend the price, or write doubtful = \"accept\" into the map",
                write_price(minor),
                write_price(least),
                write_price(most),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implausible_rents_are_doubted_in_every_city() {
        let rents = Rents::load().unwrap();
        assert_eq!(rents.doubt(Country::Uk, "Leeds", 14_000), None);
        let doubt = rents.doubt(Country::Uk, "Leeds", 1_400_000).unwrap();
        assert!(
            doubt.starts_with("the rent comes to £14,000, and homes there are let for £16.80 to £1,680"),
            "{doubt}"
        );
        assert!(rents.doubt(Country::Uk, "Nowhere", 140).is_some());
        assert_eq!(rents.doubt(Country::Uk, "Nowhere", 14_000), None);
    }
}
