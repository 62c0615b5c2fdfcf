//! Where something is: whole microdegrees, so that the same place is the same number everywhere.

use serde::{Deserialize, Serialize};

/// A point on the earth in microdegrees (51.508530° is 51 508 530).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Coordinates {
    pub lat_e6: i32,
    pub lng_e6: i32,
}

impl Coordinates {
    pub const fn new(lat_e6: i32, lng_e6: i32) -> Self {
        Self { lat_e6, lng_e6 }
    }

    /// Whether the point lies on the globe at all.
    pub const fn on_earth(self) -> bool {
        self.lat_e6.unsigned_abs() <= 90_000_000 && self.lng_e6.unsigned_abs() <= 180_000_000
    }

    /// Reads a decimal number of degrees (`-33.86785`) without going through a float; digits after the sixth are cut.
    pub fn parse_degrees(text: &str) -> Option<i32> {
        let text = text.trim();
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() > 3 || !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let cut: String = fraction.chars().chain("000000".chars()).take(6).collect();
        let micro = whole.parse::<i32>().ok()? * 1_000_000 + cut.parse::<i32>().ok()?;
        Some(if negative { -micro } else { micro })
    }
}

/// The box around a region (`location_bounds` of the specification).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bounds {
    pub southwest: Coordinates,
    pub northeast: Coordinates,
}

impl Bounds {
    /// A box reaching `half_lat_e6` north and south and `half_lng_e6` east and west of `centre`.
    pub const fn around(centre: Coordinates, half_lat_e6: i32, half_lng_e6: i32) -> Self {
        Self {
            southwest: Coordinates::new(centre.lat_e6 - half_lat_e6, centre.lng_e6 - half_lng_e6),
            northeast: Coordinates::new(centre.lat_e6 + half_lat_e6, centre.lng_e6 + half_lng_e6),
        }
    }

    pub const fn contains(self, point: Coordinates) -> bool {
        self.southwest.lat_e6 <= point.lat_e6
            && point.lat_e6 <= self.northeast.lat_e6
            && self.southwest.lng_e6 <= point.lng_e6
            && point.lng_e6 <= self.northeast.lng_e6
    }
}

/// A part of an address in both of the specification's forms (`long_name`, `short_name`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlaceName {
    pub long_name: String,
    pub short_name: String,
}

impl PlaceName {
    /// A name without a shorter form.
    pub fn plain(name: impl Into<String>) -> Self {
        let long_name = name.into();
        Self {
            short_name: long_name.clone(),
            long_name,
        }
    }
}

/// A postal address, part by part (Spec §3 `location`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Address {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub street_number: Option<PlaceName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<PlaceName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locality: Option<PlaceName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub district: Option<PlaceName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<PlaceName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<PlaceName>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<PlaceName>,
}

/// Lower-case words joined by hyphens, as canonical names are written; letters of any script stay letters.
pub fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if let Some(plain) = plain_letters(letter) {
            out.push_str(plain);
        } else if letter.is_alphanumeric() {
            out.extend(letter.to_lowercase());
        } else if !matches!(letter, '\'' | '’') && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

/// The unaccented spelling of the accented Latin letters that the marketplace's place names use.
fn plain_letters(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'À' | 'Á' | 'Â' | 'Ã' | 'Å' => "a",
        'ä' | 'Ä' | 'æ' | 'Æ' => "ae",
        'ç' | 'Ç' => "c",
        'è' | 'é' | 'ê' | 'ë' | 'È' | 'É' | 'Ê' | 'Ë' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'Ì' | 'Í' | 'Î' | 'Ï' => "i",
        'ñ' | 'Ñ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'Ò' | 'Ó' | 'Ô' | 'Õ' | 'Ø' => "o",
        'ö' | 'Ö' => "oe",
        'ù' | 'ú' | 'û' | 'Ù' | 'Ú' | 'Û' => "u",
        'ü' | 'Ü' => "ue",
        'ß' => "ss",
        '&' => "and",
        _ => return None,
    })
}

/// Whether `name` can stand in an address as it is: what [`slug`] leaves unchanged, and not empty.
pub fn is_canonical(name: &str) -> bool {
    !name.is_empty() && name.len() <= 160 && slug(name) == name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_read_to_the_microdegree_without_rounding() {
        assert_eq!(Coordinates::parse_degrees("51.50853"), Some(51_508_530));
        assert_eq!(Coordinates::parse_degrees("-0.1257409"), Some(-125_740));
        assert_eq!(Coordinates::parse_degrees("7"), Some(7_000_000));
        for bad in ["", "-", "north", "51,5", "1e3", "5100.1", "5.-1"] {
            assert_eq!(Coordinates::parse_degrees(bad), None, "{bad}");
        }
    }

    #[test]
    fn canonical_names_are_lower_case_words_joined_by_hyphens() {
        assert_eq!(slug("King’s College London"), "kings-college-london");
        assert_eq!(slug("Universität München (LMU)"), "universitaet-muenchen-lmu");
        assert_eq!(slug("  L'Eixample & Gràcia -- "), "leixample-and-gracia");
        assert_eq!(slug("学生公寓 2"), "学生公寓-2");
        assert!(is_canonical("bloomsbury-row-london"));
        assert!(!is_canonical("Bloomsbury Row"));
        assert!(!is_canonical(""));
    }
}
