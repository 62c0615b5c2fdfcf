//! Money: whole minor units with an ISO 4217 currency (X5, D36). No floats.

use serde::{Deserialize, Serialize};

/// Currencies the marketplace knows (Spec §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Currency {
    Usd,
    Gbp,
    Eur,
    Cad,
    Inr,
    Aud,
    Aed,
    Sgd,
    Nzd,
    Krw,
    Dkk,
    Jpy,
    Kwd,
    Bhd,
    Jod,
}

impl Currency {
    pub const ALL: [Self; 15] = [
        Self::Usd,
        Self::Gbp,
        Self::Eur,
        Self::Cad,
        Self::Inr,
        Self::Aud,
        Self::Aed,
        Self::Sgd,
        Self::Nzd,
        Self::Krw,
        Self::Dkk,
        Self::Jpy,
        Self::Kwd,
        Self::Bhd,
        Self::Jod,
    ];

    /// ISO 4217 code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Usd => "USD",
            Self::Gbp => "GBP",
            Self::Eur => "EUR",
            Self::Cad => "CAD",
            Self::Inr => "INR",
            Self::Aud => "AUD",
            Self::Aed => "AED",
            Self::Sgd => "SGD",
            Self::Nzd => "NZD",
            Self::Krw => "KRW",
            Self::Dkk => "DKK",
            Self::Jpy => "JPY",
            Self::Kwd => "KWD",
            Self::Bhd => "BHD",
            Self::Jod => "JOD",
        }
    }

    /// Symbol as the specification shows it (`CA$` and `AU$` keep dollars apart).
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Usd => "$",
            Self::Gbp => "£",
            Self::Eur => "€",
            Self::Cad => "CA$",
            Self::Inr => "₹",
            Self::Aud => "AU$",
            Self::Aed => "AED",
            Self::Sgd => "S$",
            Self::Nzd => "NZ$",
            Self::Krw => "₩",
            Self::Dkk => "kr",
            Self::Jpy => "¥",
            Self::Kwd => "KWD",
            Self::Bhd => "BHD",
            Self::Jod => "JOD",
        }
    }

    /// Digits after the decimal point.
    pub const fn decimals(self) -> u32 {
        match self {
            Self::Krw | Self::Jpy => 0,
            Self::Kwd | Self::Bhd | Self::Jod => 3,
            _ => 2,
        }
    }

    /// What a charge is a multiple of, in minor units: of three digits providers charge two
    /// (<https://docs.stripe.com/currencies#three-decimal>).
    pub const fn charge_step(self) -> u64 {
        match self.decimals() {
            3 => 10,
            _ => 1,
        }
    }

    /// What one unit is worth, in ten-millionths of a euro: the European Central Bank's reference rates of 29 December 2023,
    /// the dirham by its peg to the dollar (3.6725), the dinars of Kuwait, Bahrain and Jordan by what they were worth in dollars. For the order of prices only, never shown and never charged (decision 0025).
    pub const fn worth(self) -> u32 {
        match self {
            Self::Usd => 9_049_774,
            Self::Gbp => 11_506_818,
            Self::Eur => 10_000_000,
            Self::Cad => 6_829_668,
            Self::Inr => 108_808,
            Self::Aud => 6_148_927,
            Self::Aed => 2_464_200,
            Self::Sgd => 6_853_540,
            Self::Nzd => 5_712_980,
            Self::Krw => 6_975,
            Self::Dkk => 1_341_760,
            Self::Jpy => 63_967,
            Self::Kwd => 29_454_108,
            Self::Bhd => 24_068_547,
            Self::Jod => 12_764_139,
        }
    }

    /// The smallest amount that Stripe charges in this currency, in minor units
    /// (<https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts>). It names none for the won and the dinars: half a
    /// dollar's worth.
    pub const fn least_charge_minor(self) -> u64 {
        match self {
            Self::Gbp => 30,
            Self::Usd | Self::Eur | Self::Cad | Self::Inr | Self::Aud | Self::Sgd | Self::Nzd | Self::Jpy => {
                50
            }
            Self::Aed | Self::Kwd | Self::Bhd => 200,
            Self::Dkk => 250,
            Self::Jod => 400,
            Self::Krw => 700,
        }
    }

    /// Whole units that buy about as much as one dollar, euro or pound does.
    pub const fn units_for_one_dollar(self) -> u64 {
        match self {
            Self::Usd
            | Self::Gbp
            | Self::Eur
            | Self::Cad
            | Self::Aud
            | Self::Sgd
            | Self::Nzd
            | Self::Kwd
            | Self::Bhd
            | Self::Jod => 1,
            Self::Jpy => 150,
            Self::Aed => 4,
            Self::Dkk => 8,
            Self::Inr => 80,
            Self::Krw => 1_000,
        }
    }

    /// Finds a currency by its ISO code, in any case.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|currency| currency.code().eq_ignore_ascii_case(code))
    }
}

/// An amount in minor units of one currency. Never negative: what goes back is a refund, not a minus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    pub amount_minor: u64,
    pub currency: Currency,
}

impl Money {
    pub const fn new(amount_minor: u64, currency: Currency) -> Self {
        Self {
            amount_minor,
            currency,
        }
    }

    /// `None` when the currencies differ or the sum does not fit.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        (self.currency == other.currency)
            .then(|| self.amount_minor.checked_add(other.amount_minor))
            .flatten()
            .map(|amount_minor| Self { amount_minor, ..self })
    }

    /// `None` when the currencies differ or `other` is larger.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        (self.currency == other.currency)
            .then(|| self.amount_minor.checked_sub(other.amount_minor))
            .flatten()
            .map(|amount_minor| Self { amount_minor, ..self })
    }

    /// The decimal text of the amount, e.g. `259.07`; v0 fields of the specification show it as a number.
    pub fn decimal(self) -> String {
        let decimals = self.currency.decimals();
        if decimals == 0 {
            return self.amount_minor.to_string();
        }
        let unit = 10_u64.pow(decimals);
        let width = decimals as usize;
        format!(
            "{}.{:0width$}",
            self.amount_minor / unit,
            self.amount_minor % unit
        )
    }
}

/// For logs, errors and read models: `£1259.07`. People read the amount in their language's form.
impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.currency.symbol(), self.decimal())
    }
}

/// Period that a price is for: `weekly` or `monthly` (Spec §3, D32).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    Weekly,
    Monthly,
}

impl Period {
    /// The period's name in answers.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_decimals_of_their_currency() {
        assert_eq!(Money::new(25_907, Currency::Gbp).decimal(), "259.07");
        assert_eq!(Money::new(5, Currency::Eur).decimal(), "0.05");
        assert_eq!(Money::new(1_500, Currency::Krw).decimal(), "1500");
    }

    #[test]
    fn amounts_are_shown_with_their_symbol() {
        let shown = |minor, currency| Money::new(minor, currency).to_string();
        assert_eq!(shown(25_907, Currency::Gbp), "£259.07");
        assert_eq!(shown(1_500, Currency::Krw), "₩1500");
        assert_eq!(shown(256_250, Currency::Kwd), "KWD256.250");
    }

    #[test]
    fn a_sum_is_of_both_amounts_where_it_fits() {
        let pounds = |minor| Money::new(minor, Currency::Gbp);
        assert_eq!(pounds(300).checked_add(pounds(200)), Some(pounds(500)));
        assert_eq!(pounds(u64::MAX).checked_add(pounds(1)), None);
    }

    /// Decision 0025 by the European Central Bank's rates of 29 December 2023: a dinar before a pound before a euro before a dollar.
    #[test]
    fn currencies_are_ordered_by_what_a_unit_is_worth() {
        let mut all = Currency::ALL;
        all.sort_by_key(|currency| std::cmp::Reverse(currency.worth()));
        let order = all.map(Currency::code).join(" ");
        assert_eq!(
            order,
            "KWD BHD JOD GBP EUR USD SGD CAD AUD NZD AED DKK INR JPY KRW"
        );
        assert_eq!(Currency::Eur.worth(), 10_000_000);
    }

    #[test]
    fn sums_of_two_currencies_do_not_exist() {
        assert_eq!(
            Money::new(1, Currency::Gbp).checked_add(Money::new(1, Currency::Eur)),
            None
        );
    }

    #[test]
    fn a_difference_is_of_one_currency_and_not_below_zero() {
        let pounds = |minor| Money::new(minor, Currency::Gbp);
        assert_eq!(pounds(500).checked_sub(pounds(200)), Some(pounds(300)));
        assert_eq!(pounds(200).checked_sub(pounds(500)), None);
        assert_eq!(pounds(5).checked_sub(Money::new(1, Currency::Eur)), None);
    }

    #[test]
    fn a_period_is_called_as_it_is_stored() {
        for period in [Period::Weekly, Period::Monthly] {
            assert_eq!(serde_json::to_value(period).unwrap(), period.key());
        }
    }
}
