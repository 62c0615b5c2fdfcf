//! Countries: currency, price period, budget range, guarantor and flow. One table (Spec §9, D30-D32, D28, Spec §5).

use serde::{Deserialize, Serialize};

use crate::money::{Currency, Period};

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

/// A country the marketplace knows. Keys are the specification's words (`us`, `uk`, `canada`, …).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Country {
    Us,
    Uk,
    Canada,
    Spain,
    Ireland,
    Australia,
    Germany,
    France,
    Singapore,
    Uae,
    India,
    NewZealand,
    Korea,
    Denmark,
}

/// One row of the table.
struct Row {
    key: &'static str,
    name: &'static str,
    iso: &'static str,
    currency: Currency,
    period: Period,
    /// Spec §9: UK and Australia `[0,1000]`, US and Canada `[0,5000]`, default `[0,1000]`.
    budget_max: u32,
    guarantor_asked: bool,
    flow: Flow,
    core: bool,
    /// Whether its law forbids asking consumers more for paying by card (D39).
    surcharge_banned: bool,
}

impl Row {
    const fn new(key: &'static str, name: &'static str, iso: &'static str, currency: Currency) -> Self {
        Self {
            key,
            name,
            iso,
            currency,
            // D32: monthly unless the country says otherwise.
            period: Period::Monthly,
            budget_max: 1_000,
            guarantor_asked: true,
            flow: Flow::Book,
            core: false,
            surcharge_banned: false,
        }
    }

    /// D39: its law forbids asking consumers more for paying by card.
    const fn without_surcharge(self) -> Self {
        Self {
            surcharge_banned: true,
            ..self
        }
    }

    const fn weekly(self) -> Self {
        Self {
            period: Period::Weekly,
            ..self
        }
    }

    const fn core(self) -> Self {
        Self { core: true, ..self }
    }

    const fn budget_to(self, budget_max: u32) -> Self {
        Self { budget_max, ..self }
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

impl Country {
    pub const ALL: [Self; 14] = [
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

    const fn row(self) -> Row {
        match self {
            Self::Us => Row::new("us", "United States", "US", Currency::Usd)
                .budget_to(5_000)
                .applies()
                .core(),
            Self::Uk => Row::new("uk", "United Kingdom", "GB", Currency::Gbp)
                .without_surcharge()
                .weekly()
                .core(),
            // D30: monthly; two of three hints of the specification say so.
            Self::Canada => Row::new("canada", "Canada", "CA", Currency::Cad)
                .budget_to(5_000)
                .without_guarantor()
                .core(),
            // D31: weekly; the explicit mention beats "otherwise".
            Self::Spain => Row::new("spain", "Spain", "ES", Currency::Eur)
                .without_surcharge()
                .weekly()
                .core(),
            Self::Ireland => Row::new("ireland", "Ireland", "IE", Currency::Eur)
                .without_surcharge()
                .weekly()
                .core(),
            Self::Australia => Row::new("australia", "Australia", "AU", Currency::Aud)
                .weekly()
                .without_guarantor()
                .core(),
            Self::Germany => Row::new("germany", "Germany", "DE", Currency::Eur).without_surcharge(),
            Self::France => Row::new("france", "France", "FR", Currency::Eur)
                .without_surcharge()
                .weekly(),
            Self::Singapore => Row::new("singapore", "Singapore", "SG", Currency::Sgd),
            Self::Uae => Row::new("uae", "United Arab Emirates", "AE", Currency::Aed),
            Self::India => Row::new("india", "India", "IN", Currency::Inr),
            Self::NewZealand => Row::new("new_zealand", "New Zealand", "NZ", Currency::Nzd),
            Self::Korea => Row::new("korea", "South Korea", "KR", Currency::Krw).without_surcharge(),
            Self::Denmark => Row::new("denmark", "Denmark", "DK", Currency::Dkk).without_surcharge(),
        }
    }

    /// The specification's word, e.g. `uk`.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// ISO 3166 code, e.g. `GB`.
    pub const fn iso(self) -> &'static str {
        self.row().iso
    }

    pub const fn currency(self) -> Currency {
        self.row().currency
    }

    /// What budgets and prices are shown per, where the property does not say (D32).
    pub const fn period(self) -> Period {
        self.row().period
    }

    /// Ends of the budget slider in whole units of the currency (Spec §9).
    pub const fn budget_range(self) -> (u32, u32) {
        (0, self.row().budget_max)
    }

    /// Whether its law forbids asking consumers more for paying by card: the operator is warned (D39).
    pub const fn bans_card_surcharges(self) -> bool {
        self.row().surcharge_banned
    }

    /// `false` where the guarantor section is always skipped (Spec §5).
    pub const fn asks_guarantor(self) -> bool {
        self.row().guarantor_asked
    }

    /// Booked or applied for, unless the region says otherwise (D28).
    pub const fn flow(self) -> Flow {
        self.row().flow
    }

    /// The six countries of the specification's first sentence (D4).
    pub const fn is_core(self) -> bool {
        self.row().core
    }

    /// Finds a country by key, ISO code or English name, in any case.
    pub fn find(text: &str) -> Option<Self> {
        let wanted = text.trim();
        Self::ALL.into_iter().find(|country| {
            let row = country.row();
            [row.key, row.iso, row.name]
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
    use super::*;

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
