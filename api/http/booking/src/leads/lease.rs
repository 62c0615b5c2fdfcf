//! The length of stay that a lead names.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::payload::LeadData;

/// A length as the forms write it, `44 weeks`, or as room types give it, a number whose unit stands beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum LeaseSaid {
    Text(String),
    Number(u64),
}

/// The length with its unit in one text, as it is kept.
pub(super) fn lease_of(said: &LeadData) -> Option<String> {
    let length = match said.lease_duration.as_ref()? {
        LeaseSaid::Text(text) => text.trim().to_owned(),
        LeaseSaid::Number(number) => number.to_string(),
    };
    let is_bare = length.bytes().all(|byte| byte.is_ascii_digit());
    Some(match said.lease_duration_unit.as_deref() {
        Some(unit) if is_bare && !length.is_empty() && !unit.is_empty() => format!("{length} {unit}"),
        _ => length,
    })
}

/// `24 weeks`, `6 months`, or the number alone, in digits.
pub(super) fn is_stay(text: &str) -> bool {
    let (number, unit) = text.split_once(' ').unwrap_or((text, "weeks"));
    let is_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let counts = number
        .parse::<u16>()
        .is_ok_and(|number| (1..=520).contains(&number));
    is_digits && counts && matches!(unit, "week" | "weeks" | "month" | "months")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_of_stay_is_digits_and_a_unit() {
        for text in ["44 weeks", "1 week", "6 months", "44"] {
            assert!(is_stay(text), "{text}");
        }
        for text in [
            "+44 weeks",
            "44.5 weeks",
            "4,4 weeks",
            "-4",
            "0 weeks",
            "521 weeks",
            "44 days",
            "",
        ] {
            assert!(!is_stay(text), "{text}");
        }
    }
}
