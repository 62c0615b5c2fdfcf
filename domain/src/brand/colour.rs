//! Colours as a brand chooses them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Ink, the dark of all texts.
pub const INK: Colour = Colour([0x17, 0x18, 0x1c]);
pub const WHITE: Colour = Colour([0xff; 3]);
/// The ground below pages, and the colour of action, as the house ships them.
pub const PAPER: Colour = Colour([0xf7, 0xf5, 0xf1]);
pub const SHIPPED: Colour = Colour([0x0b, 0x5d, 0x5e]);

/// A colour without transparency, written `#7A2E5D`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour([u8; 3]);

/// Why a text is no colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a colour is written with # and six digits from 0 to 9 and A to F, such as #7A2E5D")]
pub struct NoColour;

impl FromStr for Colour {
    type Err = NoColour;

    /// Takes three digits too: `#FC0` is `#FFCC00`.
    fn from_str(text: &str) -> Result<Self, NoColour> {
        let digits = text.trim().strip_prefix('#').ok_or(NoColour)?;
        let digits = digits.chars().map(|digit| digit.to_digit(16));
        let digits: Vec<u8> = digits
            .map(|digit| digit.and_then(|digit| u8::try_from(digit).ok()).ok_or(NoColour))
            .collect::<Result<_, _>>()?;
        match *digits {
            [red, green, blue] => Ok(Self([red * 17, green * 17, blue * 17])),
            [r1, r2, g1, g2, b1, b2] => Ok(Self([r1 * 16 + r2, g1 * 16 + g2, b1 * 16 + b2])),
            _ => Err(NoColour),
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02X}{green:02X}{blue:02X}")
    }
}

impl TryFrom<String> for Colour {
    type Error = NoColour;

    fn try_from(text: String) -> Result<Self, NoColour> {
        text.parse()
    }
}

impl From<Colour> for String {
    fn from(colour: Colour) -> Self {
        colour.to_string()
    }
}

impl Colour {
    /// A colour by its red, green and blue.
    pub const fn new(channels: [u8; 3]) -> Self {
        Self(channels)
    }

    /// Red, green and blue.
    pub const fn channels(self) -> [u8; 3] {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_written_in_one_way() {
        assert_eq!("#7a2e5d".parse::<Colour>().unwrap().to_string(), "#7A2E5D");
        assert_eq!(" #fc0 ".parse::<Colour>().unwrap().to_string(), "#FFCC00");
        for wrong in [
            "7A2E5D",
            "#7A2E5",
            "#7A2E5G",
            "red",
            "",
            "#7A2E5D;}",
            "#+1+2+3",
            "#１２３",
        ] {
            assert_eq!(wrong.parse::<Colour>(), Err(NoColour), "{wrong}");
        }
    }
}
