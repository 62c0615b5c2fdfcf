//! Currencies of accounts: all of ISO 4217, since a bank lists more than the marketplace takes.

use domain::money::Currency;
use domain::typed_number;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The currencies of countries, by their codes.
const CODES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF \
    CLP CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS \
    INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR \
    MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS \
    SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG";
const WITHOUT_DECIMALS: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const THREE_DECIMALS: &str = "BHD IQD JOD KWD LYD OMR TND";

/// A currency and its decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    pub code: &'static str,
    pub decimals: u32,
}

impl Unit {
    /// Finds a currency by its code, in any case.
    pub fn from_code(code: &str) -> Option<Self> {
        if let Some(known) = Currency::from_code(code) {
            return Some(known.into());
        }
        let found = |list: &'static str| {
            list.split_whitespace()
                .find(|known| known.eq_ignore_ascii_case(code))
        };
        let decimals = if found(WITHOUT_DECIMALS).is_some() {
            0
        } else if found(THREE_DECIMALS).is_some() {
            3
        } else {
            2
        };
        found(CODES).map(|code| Self { code, decimals })
    }

    /// Finds a currency by its sign; `$` and `¥` are those of several.
    pub(crate) fn from_sign(sign: char) -> Option<Self> {
        let code = match sign {
            '£' => "GBP",
            '€' => "EUR",
            '₹' => "INR",
            '₩' => "KRW",
            _ => return None,
        };
        Self::from_code(code)
    }

    /// Whether amounts in this currency may have a sign.
    pub(crate) fn has_sign(self, sign: char) -> bool {
        typed_number::read_amount(&format!("{sign}1"), self, None).is_ok()
    }
}

/// Stored as its code.
impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.code)
    }
}

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let code = String::deserialize(from)?;
        Self::from_code(&code).ok_or_else(|| D::Error::custom(format!("`{code}` is no currency")))
    }
}

impl From<Currency> for Unit {
    fn from(currency: Currency) -> Self {
        Self {
            code: currency.code(),
            decimals: currency.decimals(),
        }
    }
}

impl From<Unit> for typed_number::Unit<'static> {
    fn from(unit: Unit) -> Self {
        Self {
            code: unit.code,
            decimals: unit.decimals,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_of_countries_are_known_and_others_are_not() {
        for (code, decimals) in [
            ("sek", Some(2)),
            ("CHF", Some(2)),
            ("ISK", Some(0)),
            ("kwd", Some(3)),
            ("TND", Some(3)),
        ] {
            assert_eq!(
                Unit::from_code(code).map(|unit| unit.decimals),
                decimals,
                "{code}"
            );
        }
        for code in ["", "pounds", "XXQ", "£"] {
            assert_eq!(Unit::from_code(code), None, "{code}");
        }
    }
}
