//! Money: whole minor units with an ISO 4217 currency (X5, D36). No floats.

use serde::{Deserialize, Serialize};

mod table;

pub use table::Currency;
use table::ROWS;

impl Currency {
    /// ISO 4217 code.
    pub const fn code(self) -> &'static str {
        ROWS[self as usize].code
    }

    /// Symbol as the specification shows it (`CA$` and `AU$` keep dollars apart); else the code.
    pub const fn symbol(self) -> &'static str {
        ROWS[self as usize].symbol
    }

    /// Digits after the decimal point.
    pub const fn decimals(self) -> u32 {
        ROWS[self as usize].decimals
    }

    /// What a charge or a refund is a multiple of, in minor units: of three digits providers charge two
    /// (<https://docs.stripe.com/currencies#three-decimal>), and of the ariary whole ones alone.
    pub const fn charge_step(self) -> u64 {
        match (self, self.decimals()) {
            (Self::Mga, _) => 100,
            (_, 3) => 10,
            _ => 1,
        }
    }

    /// What a payout is a multiple of, in minor units: forint and Taiwan dollars are charged with two digits and paid out whole
    /// (<https://docs.stripe.com/currencies#special-cases>).
    pub const fn payout_step(self) -> u64 {
        match self {
            Self::Huf | Self::Twd => 100,
            _ => self.charge_step(),
        }
    }

    /// The nearest amount that can be charged, half a step up. Of the largest ones, the next below.
    pub const fn nearest_charge(self, minor: u64) -> u64 {
        let step = self.charge_step();
        minor.saturating_add(step / 2) / step * step
    }

    /// What one unit is worth, in ten-millionths of a euro: the European Central Bank's reference rates of 29 December 2023, the dirham by
    /// its peg to the dollar (3.6725), others by about what they were worth in dollars then. For the order of prices only, never shown and
    /// never charged (decision 0025).
    pub const fn worth(self) -> u32 {
        ROWS[self as usize].worth
    }

    /// The smallest amount that Stripe charges in this currency, in minor units
    /// (<https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts>). Where it names none: half a dollar's worth.
    pub const fn least_charge_minor(self) -> u64 {
        match self {
            Self::Gbp => 30,
            Self::Usd
            | Self::Eur
            | Self::Cad
            | Self::Inr
            | Self::Aud
            | Self::Sgd
            | Self::Nzd
            | Self::Jpy
            | Self::Brl
            | Self::Chf => 50,
            Self::Aed | Self::Kwd | Self::Bhd | Self::Myr | Self::Pln | Self::Ron => 200,
            Self::Dkk => 250,
            Self::Nok | Self::Sek => 300,
            Self::Jod | Self::Hkd => 400,
            Self::Krw => 700,
            Self::Mxn | Self::Thb => 1_000,
            Self::Czk => 1_500,
            Self::Huf => 17_500,
            _ => {
                let half = 10_u64.pow(self.decimals()) * Self::Usd.worth() as u64;
                round_up(half.div_ceil(2 * self.worth() as u64))
            }
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
            _ => round_up((Self::Usd.worth() / self.worth()) as u64),
        }
    }

    /// What so many dollars, euros or pounds mean here, in minor units: how limits and rewards, of which a setting names one number, count in
    /// each currency.
    pub const fn minor_of_dollars(self, dollars: u64) -> u64 {
        let unit = self.units_for_one_dollar() * 10_u64.pow(self.decimals());
        dollars.saturating_mul(unit)
    }

    /// So many minor units in hundredths of a unit, in which the search compares prices whatever the currency's own digits; a thousandth
    /// is left out.
    pub const fn hundredths(self, minor: u64) -> u64 {
        match self.decimals() {
            decimals @ 0..=2 => minor.saturating_mul(10_u64.pow(2 - decimals)),
            decimals => minor / 10_u64.pow(decimals - 2),
        }
    }

    /// So many hundredths of a unit in minor units.
    pub const fn minor_of_hundredths(self, hundredths: u64) -> u64 {
        hundredths.saturating_mul(10_u64.pow(self.decimals())) / 100
    }

    /// Finds a currency by its ISO code, in any case.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|currency| currency.code().eq_ignore_ascii_case(code))
    }
}

/// The next number with one digit before its noughts: 1,535 as 2,000. At least one.
const fn round_up(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 10 {
        unit *= 10;
    }
    let digits = number.div_ceil(unit);
    if digits == 0 { 1 } else { digits * unit }
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
        let mut all = Currency::ALL[..15].to_vec();
        all.sort_by_key(|currency| std::cmp::Reverse(currency.worth()));
        let order: Vec<&str> = all.into_iter().map(Currency::code).collect();
        let order = order.join(" ");
        assert_eq!(
            order,
            "KWD BHD JOD GBP EUR USD SGD CAD AUD NZD AED DKK INR JPY KRW"
        );
        assert_eq!(Currency::Eur.worth(), 10_000_000);
    }

    #[test]
    fn every_currency_is_read_by_its_code_and_can_be_charged() {
        for currency in Currency::ALL {
            let code = currency.code();
            assert_eq!(serde_json::to_value(currency).unwrap(), code);
            assert_eq!(Currency::from_code(&code.to_lowercase()), Some(currency));
            assert!(
                currency.worth() > 0 && currency.units_for_one_dollar() > 0,
                "{code}"
            );
            assert_eq!(
                currency.least_charge_minor() % currency.charge_step(),
                0,
                "{code}"
            );
            // About half a dollar, in whichever currency.
            let euros =
                currency.least_charge_minor() * u64::from(currency.worth()) / 10_u64.pow(currency.decimals());
            let is_less = matches!(currency, Currency::Inr | Currency::Brl);
            assert!(
                is_less || (2_500_000..=10_000_000).contains(&euros),
                "{code}: {euros}"
            );
        }
    }

    #[test]
    fn amounts_are_rounded_to_what_can_be_charged() {
        let nearest = |code: &str, minor| Currency::from_code(code).unwrap().nearest_charge(minor);
        assert_eq!((nearest("KWD", 5_124), nearest("KWD", 5_125)), (5_120, 5_130));
        assert_eq!((nearest("MGA", 49), nearest("MGA", 250)), (0, 300));
        assert_eq!((nearest("GBP", 5_124), nearest("ISK", 7)), (5_124, 7));
        assert_eq!(nearest("KWD", u64::MAX) % 10, 0);
    }

    #[test]
    fn least_amounts_of_other_currencies_are_half_a_dollar() {
        let least = |code: &str| Currency::from_code(code).unwrap().least_charge_minor();
        assert_eq!((least("TND"), least("VND"), least("TRY")), (2_000, 20_000, 2_000));
        let units = |code: &str| Currency::from_code(code).unwrap().units_for_one_dollar();
        assert_eq!((units("CHF"), units("CZK"), units("VND")), (1, 30, 30_000));
    }

    #[test]
    fn limits_mean_about_as_much_in_every_currency() {
        let limit = |code: &str| Currency::from_code(code).unwrap().minor_of_dollars(1_000);
        assert_eq!(
            (limit("GBP"), limit("USD"), limit("KWD")),
            (100_000, 100_000, 1_000_000)
        );
        assert_eq!(
            (limit("JPY"), limit("INR"), limit("VND")),
            (150_000, 8_000_000, 30_000_000)
        );
        assert_eq!(Currency::Vnd.minor_of_dollars(u64::MAX), u64::MAX);
    }

    #[test]
    fn prices_are_compared_in_hundredths_of_a_unit() {
        let of =
            |currency: Currency, minor| (currency.hundredths(minor), currency.minor_of_hundredths(minor));
        assert_eq!(of(Currency::Gbp, 25_907), (25_907, 25_907));
        assert_eq!(of(Currency::Jpy, 85_000), (8_500_000, 850));
        assert_eq!(of(Currency::Kwd, 256_255), (25_625, 2_562_550));
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
