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

/// `24 weeks`, `6 months`, or the number alone.
pub(super) fn is_stay(text: &str) -> bool {
    let (number, unit) = text.split_once(' ').unwrap_or((text, "weeks"));
    let counts = number
        .parse::<u16>()
        .is_ok_and(|number| (1..=520).contains(&number));
    counts && matches!(unit, "week" | "weeks" | "month" | "months")
}
