//! Settings that list countries by their keys, between commas.

use domain::country::Country;

use super::Settings;

/// # Errors
/// One sentence naming the setting and the key that is none.
pub(super) fn check(setting: &str, list: &str) -> Result<(), String> {
    match keys(list).find(|key| Country::from_key(key).is_none()) {
        None => Ok(()),
        Some(key) => Err(format!(
            "the setting `{setting}` names `{key}`: it takes keys of countries between commas: {}, or the ISO code of another country in \
             small letters, such as `pt`",
            Country::SPECIFIED.map(Country::key).join(", ")
        )),
    }
}

/// The countries of a list.
pub(super) fn read(list: &str) -> impl Iterator<Item = Country> {
    keys(list).filter_map(Country::from_key)
}

fn keys(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|key| !key.is_empty())
}

impl Settings {
    /// Countries that are open before a home stands there (U29).
    pub fn countries_to_open(&self) -> Vec<Country> {
        read(&self.open_countries).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_to_open_are_read_by_their_keys() {
        let settings = Settings {
            open_countries: "pt, jp,uk,".to_owned(),
            ..Settings::default()
        };
        assert_eq!(
            settings.countries_to_open(),
            [Country::Pt, Country::Jp, Country::Uk]
        );
        assert!(Settings::default().countries_to_open().is_empty());
    }

    #[test]
    fn key_of_no_country_is_named_with_its_setting() {
        let said = check("open_countries", "pt,atlantis").unwrap_err();
        assert!(said.contains("`open_countries` names `atlantis`"), "{said}");
        assert_eq!(check("open_countries", "germany, new_zealand"), Ok(()));
    }
}
