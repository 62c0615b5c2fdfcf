//! Countries: currency, price period, budget range, guarantor and flow (Spec §9, D30-D32, D28, Spec §5). All of ISO 3166 are in its table; what
//! the specification says of some, no other has (U29, decision 0045).

use serde::{Deserialize, Serialize};

use crate::money::{Currency, Period};

mod table;

pub use table::Country;
use table::ROWS;

/// How a room is taken: booked at once, or applied for (D28).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flow {
    Book,
    Apply,
}

impl Flow {
    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Apply => "apply",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        [Self::Book, Self::Apply]
            .into_iter()
            .find(|flow| flow.key() == key)
    }
}

/// Clocks of a country, by the names of the IANA's zones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zones {
    One(&'static str),
    /// The westernmost of several.
    Several(&'static str),
}

/// Facts of the specification on a country beyond its name and currency.
struct Facts {
    period: Period,
    /// Ends of the budget slider; none where the specification names none.
    budget_max: Option<u32>,
    guarantor_asked: bool,
    flow: Flow,
    core: bool,
}

impl Facts {
    /// D32: monthly unless the country says otherwise.
    const PLAIN: Self = Self {
        period: Period::Monthly,
        budget_max: None,
        guarantor_asked: true,
        flow: Flow::Book,
        core: false,
    };

    const fn weekly(self) -> Self {
        Self {
            period: Period::Weekly,
            ..self
        }
    }

    const fn core(self) -> Self {
        Self { core: true, ..self }
    }

    /// Spec §9: UK and Australia `[0,1000]`, US and Canada `[0,5000]`, default `[0,1000]`.
    const fn budget_to(self, budget_max: u32) -> Self {
        Self {
            budget_max: Some(budget_max),
            ..self
        }
    }

    /// Spec §5: no guarantor section in Australia and Canada.
    const fn without_guarantor(self) -> Self {
        Self {
            guarantor_asked: false,
            ..self
        }
    }

    /// D28: leases in the US are applications.
    const fn applies(self) -> Self {
        Self {
            flow: Flow::Apply,
            ..self
        }
    }
}

/// The default of the budget slider's end (Spec §9).
const BUDGET_MAX: u32 = 1_000;

impl Country {
    /// The countries that the specification names.
    pub const SPECIFIED: [Self; 14] = [
        Self::Us,
        Self::Uk,
        Self::Canada,
        Self::Spain,
        Self::Ireland,
        Self::Australia,
        Self::Germany,
        Self::France,
        Self::Singapore,
        Self::Uae,
        Self::India,
        Self::NewZealand,
        Self::Korea,
        Self::Denmark,
    ];

    const fn facts(self) -> Facts {
        match self {
            Self::Us => Facts::PLAIN.budget_to(5_000).applies().core(),
            // D31: Spain is weekly; the explicit mention beats "otherwise".
            Self::Uk | Self::Spain | Self::Ireland => Facts::PLAIN.budget_to(BUDGET_MAX).weekly().core(),
            // D30: monthly; two of three hints of the specification say so.
            Self::Canada => Facts::PLAIN.budget_to(5_000).without_guarantor().core(),
            Self::Australia => Facts::PLAIN
                .budget_to(BUDGET_MAX)
                .weekly()
                .without_guarantor()
                .core(),
            Self::France => Facts::PLAIN.budget_to(BUDGET_MAX).weekly(),
            Self::Germany
            | Self::Singapore
            | Self::Uae
            | Self::India
            | Self::NewZealand
            | Self::Korea
            | Self::Denmark => Facts::PLAIN.budget_to(BUDGET_MAX),
            _ => Facts::PLAIN,
        }
    }

    /// The specification's word, e.g. `uk`; the ISO code in small letters of a country that it does not name.
    pub const fn key(self) -> &'static str {
        ROWS[self as usize].key
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        ROWS[self as usize].name
    }

    /// ISO 3166 code, e.g. `GB`.
    pub const fn iso(self) -> &'static str {
        ROWS[self as usize].iso
    }

    pub const fn currency(self) -> Currency {
        ROWS[self as usize].currency
    }

    pub const fn zones(self) -> Zones {
        ROWS[self as usize].zones
    }

    /// What budgets and prices are shown per, where the property does not say (D32).
    pub const fn period(self) -> Period {
        self.facts().period
    }

    /// Ends of the budget slider in whole units of the currency (Spec §9). Where the specification does not know the country, its default
    /// is worth about as many dollars: nothing is let for a thousand yen.
    pub fn budget_range(self) -> (u32, u32) {
        let usual = || {
            let units = u64::from(BUDGET_MAX) * self.currency().units_for_one_dollar();
            u32::try_from(units).unwrap_or(u32::MAX)
        };
        (0, self.facts().budget_max.unwrap_or_else(usual))
    }

    /// Whether its law forbids asking consumers more for paying by card: the operator is warned (D39). In the European Economic Area
    /// it does everywhere (directive 2015/2366, article 62).
    pub const fn bans_card_surcharges(self) -> bool {
        matches!(
            self,
            Self::Uk
                | Self::Korea
                | Self::At
                | Self::Be
                | Self::Bg
                | Self::Cy
                | Self::Cz
                | Self::Denmark
                | Self::Ee
                | Self::Fi
                | Self::France
                | Self::Germany
                | Self::Gr
                | Self::Hr
                | Self::Hu
                | Self::Ireland
                | Self::Is
                | Self::It
                | Self::Li
                | Self::Lt
                | Self::Lu
                | Self::Lv
                | Self::Mt
                | Self::Nl
                | Self::No
                | Self::Pl
                | Self::Pt
                | Self::Ro
                | Self::Se
                | Self::Si
                | Self::Sk
                | Self::Spain
        )
    }

    /// `false` where the guarantor section is always skipped (Spec §5).
    pub const fn asks_guarantor(self) -> bool {
        self.facts().guarantor_asked
    }

    /// Booked or applied for, unless the region says otherwise (D28).
    pub const fn flow(self) -> Flow {
        self.facts().flow
    }

    /// The six countries of the specification's first sentence (D4).
    pub const fn is_core(self) -> bool {
        self.facts().core
    }

    /// Finds a country by its key alone, as it is stored.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|country| country.key() == key)
    }

    /// Finds a country by key, ISO code or English name, in any case.
    pub fn find(text: &str) -> Option<Self> {
        let wanted = text.trim();
        Self::ALL.into_iter().find(|country| {
            [country.key(), country.iso(), country.name()]
                .iter()
                .any(|name| name.eq_ignore_ascii_case(wanted))
        })
    }
}

/// D42: only the string `false` (or JSON false) switches the guarantor off; Australia and Canada never ask.
pub fn guarantor_is_asked(country: Option<Country>, guarantor_required: Option<&str>) -> bool {
    country.is_none_or(Country::asks_guarantor) && guarantor_required != Some("false")
}

/// D41: `0`, `"0"` and `false` switch booking off; anything else, and silence, leave it on.
pub fn payment_is_on(meta_payment: Option<&str>) -> bool {
    !matches!(meta_payment.map(str::trim), Some("0" | "false"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::place::{is_canonical, slug};

    #[test]
    fn every_country_has_a_key_a_code_and_a_name_of_its_own() {
        let distinct =
            |word: fn(Country) -> &'static str| Country::ALL.map(word).into_iter().collect::<HashSet<_>>();
        for words in [Country::key, Country::iso, Country::name].map(distinct) {
            assert_eq!(words.len(), 249);
        }
        for country in Country::ALL {
            let (key, iso, name) = (country.key(), country.iso(), country.name());
            assert_eq!(serde_json::to_value(country).unwrap(), key);
            assert_eq!(serde_json::from_value::<Country>(key.into()).unwrap(), country);
            let found = [key, iso, name].map(|text| Country::find(text).map(Country::iso));
            assert_eq!(found, [Some(iso); 3], "{name}");
            assert!(is_canonical(&slug(name)), "{name}");
            let is_named_by_code = key == iso.to_ascii_lowercase();
            let is_specified = Country::SPECIFIED.contains(&country);
            assert!(is_specified || is_named_by_code, "{name}");
        }
        assert_eq!(Country::ALL[..14], Country::SPECIFIED);
    }

    /// Currencies and digits as ISO 4217 has them.
    #[test]
    fn countries_that_no_page_named_have_their_currency() {
        for (iso, code, decimals) in [
            ("PT", "EUR", 2),
            ("JP", "JPY", 0),
            ("KW", "KWD", 3),
            ("CH", "CHF", 2),
            ("TR", "TRY", 2),
            ("CL", "CLP", 0),
            ("TN", "TND", 3),
            ("JE", "GBP", 2),
        ] {
            let currency = Country::find(iso).unwrap().currency();
            assert_eq!((currency.code(), currency.decimals()), (code, decimals), "{iso}");
        }
    }

    /// Nothing that the specification says of its own countries is said of another one.
    #[test]
    fn country_beyond_the_specification_has_its_defaults() {
        for country in [Country::Pt, Country::Jp, Country::Nl] {
            assert_eq!((country.period(), country.flow()), (Period::Monthly, Flow::Book));
            assert!(country.asks_guarantor() && !country.is_core());
        }
        assert_eq!(Country::Pt.budget_range(), (0, 1_000));
        assert_eq!(Country::Jp.budget_range(), (0, 150_000));
        assert_eq!(Country::Korea.budget_range(), (0, 1_000));
    }

    #[test]
    fn canada_counts_in_months_and_spain_in_weeks() {
        assert_eq!(Country::Canada.period(), Period::Monthly);
        assert_eq!(Country::Spain.period(), Period::Weekly);
        assert_eq!(Country::Germany.period(), Period::Monthly);
    }

    #[test]
    fn the_budget_slider_ends_where_the_specification_says() {
        assert_eq!(Country::Us.budget_range(), (0, 5_000));
        assert_eq!(Country::Canada.budget_range(), (0, 5_000));
        assert_eq!(Country::Australia.budget_range(), (0, 1_000));
    }

    #[test]
    fn a_country_is_found_by_key_code_or_name() {
        assert_eq!(Country::find("GB"), Some(Country::Uk));
        assert_eq!(Country::find("united kingdom"), Some(Country::Uk));
        assert_eq!(Country::find("uk"), Some(Country::Uk));
        assert_eq!(Country::find("Atlantis"), None);
    }

    /// Only the word false spares a guarantor and two countries never ask.
    #[test]
    fn guarantor_is_skipped_by_the_word_false_and_in_two_countries() {
        assert!(guarantor_is_asked(Some(Country::Uk), None));
        assert!(guarantor_is_asked(Some(Country::Uk), Some("no")));
        assert!(!guarantor_is_asked(Some(Country::Uk), Some("false")));
        assert!(!guarantor_is_asked(Some(Country::Canada), Some("true")));
    }

    #[test]
    fn booking_is_off_only_when_payment_is_zero_or_false() {
        assert!(payment_is_on(None));
        assert!(payment_is_on(Some("1")));
        assert!(!payment_is_on(Some("0")));
        assert!(!payment_is_on(Some("false")));
    }
}
