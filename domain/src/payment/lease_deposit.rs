//! The deposit of a lease in place of its home's (D37).

use super::price::PaymentConfig;

impl PaymentConfig {
    /// The same for a lease that has a deposit of its own, of which 0 is none: it stands in place of the property's.
    #[must_use]
    pub const fn with_lease_deposit(self, of_lease: Option<u64>) -> Self {
        match of_lease {
            Some(deposit_minor) => Self {
                deposit_minor,
                asks_no_deposit: deposit_minor == 0,
                ..self
            },
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::money::Currency;
    use crate::payment::price::{PaymentConfig, deposit};

    #[test]
    fn deposit_of_a_lease_stands_in_place_of_the_homes() {
        let silent = PaymentConfig::plain(Currency::Gbp);
        let none = PaymentConfig {
            asks_no_deposit: true,
            ..silent
        };
        let of = |home: PaymentConfig, lease| deposit(&home.with_lease_deposit(lease), 20_000);
        assert_eq!(of(silent, Some(0)), 0, "the house's default is not asked for");
        assert_eq!((of(silent, Some(30_000)), of(silent, None)), (30_000, 25_000));
        assert_eq!((of(none, Some(30_000)), of(none, None)), (30_000, 0));
    }
}
