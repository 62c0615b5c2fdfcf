//! The rate of the processing fee (D39): an operator's setting, written down with each quote.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much of the subtotal the processing fee is, in thousandths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FeeRate(u32);

/// A whole, in thousandths of a percent.
pub(super) const WHOLE: u32 = 100_000;
/// Above this a typing error is likelier than a fee.
const MOST: u32 = 10_000;

impl FeeRate {
    /// Where no fee is added.
    pub const NONE: Self = Self(0);

    /// Reads a percentage with at most three digits after the point, from 0 to 10: `3.627`.
    pub fn from_percent(text: &str) -> Option<Self> {
        let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
        let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
        if whole.is_empty() || whole.len() > 2 || part.len() > 3 || !is_number(whole) || !is_number(part) {
            return None;
        }
        let rate = Self(format!("{whole}{part:0<3}").parse().ok()?);
        (rate.0 <= MOST).then_some(rate)
    }

    /// The specification's rate, of quotes that were made before the rate was written down.
    pub const fn is_usual(&self) -> bool {
        self.0 == Self::USUAL.0
    }

    /// What the total is of the subtotal, as a fraction.
    pub(super) const fn total_per_subtotal(self) -> (u32, u32) {
        (WHOLE + self.0, WHOLE)
    }

    /// Spec §9 names 3.627 %.
    pub const USUAL: Self = Self(3_627);
}

impl Default for FeeRate {
    fn default() -> Self {
        Self::USUAL
    }
}

/// As people read it, without a percent sign: `3.627`, `2.5`, `0`.
impl fmt::Display for FeeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1_000, self.0 % 1_000);
        if part == 0 {
            return write!(f, "{whole}");
        }
        let part = format!("{part:03}");
        write!(f, "{whole}.{}", part.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentage_is_read_and_shown_alike() {
        for text in ["3.627", "2.5", "0", "10", "0.001"] {
            assert_eq!(
                FeeRate::from_percent(text)
                    .map(|rate| rate.to_string())
                    .as_deref(),
                Some(text)
            );
        }
        for wrong in ["", "-1", "3.6271", "10.001", "three", "3,6", "1e1", ".5"] {
            assert_eq!(FeeRate::from_percent(wrong), None, "{wrong}");
        }
    }
}
