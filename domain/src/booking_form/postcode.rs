//! Postal codes: a country that has none is asked for none.

/// The field of the section that it belongs to, beside its `country`.
pub(super) const POSTCODE: &str = "postcode";
pub(super) const COUNTRY: &str = "country";

/// Countries and territories (ISO 3166) in whose addresses no postal code is written: those to which Google's libaddressinput
/// gives neither a code in their format nor an example, without Saint Lucia, Trinidad and Tobago, Montserrat, Namibia and Palestine,
/// which have introduced codes since; with those that it does not know (Curaçao, Sint Maarten, Bonaire, North Korea, South Sudan, Syria),
/// and with the Cook Islands and Somalia, where codes exist on paper. The browser reads the same list from `contract/no-postcodes.json`.
const WITHOUT_POSTCODES: [&str; 66] = [
    "AE", "AG", "AO", "AW", "BF", "BI", "BJ", "BO", "BQ", "BS", "BW", "BZ", "CD", "CF", "CG", "CI", "CK",
    "CM", "CW", "DJ", "DM", "ER", "FJ", "GA", "GD", "GH", "GM", "GQ", "GY", "HK", "JM", "KI", "KM", "KN",
    "KP", "LY", "ML", "MO", "MR", "MW", "NR", "NU", "PA", "QA", "RW", "SB", "SC", "SL", "SO", "SR", "SS",
    "ST", "SX", "SY", "TD", "TF", "TG", "TK", "TL", "TO", "TV", "UG", "VU", "WS", "YE", "ZW",
];

/// Whether addresses of a country have a postal code.
pub(super) fn has_postcodes(country: &str) -> bool {
    !WITHOUT_POSTCODES.contains(&country)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browser_has_the_list_of_countries_without_postcodes() {
        crate::contract_file::assert_written("no-postcodes.json", &WITHOUT_POSTCODES.as_slice());
    }

    #[test]
    fn every_country_of_the_list_is_one_and_named_once() {
        let mut sorted = WITHOUT_POSTCODES.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), WITHOUT_POSTCODES.len());
        assert!(!has_postcodes("HK") && has_postcodes("GB"));
    }
}
