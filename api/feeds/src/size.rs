//! Reads sizes of rooms. A number without a unit is not guessed.

use domain::typed_number::{DecimalSign, read_decimal};

use crate::fields::Field;
use crate::reading::Reading;
use crate::values::words::fold;

/// Square centimetres of a square metre.
const METRE: u64 = 10_000;
/// Ten-thousandths of a square centimetre in a square foot.
const FOOT: u64 = 9_290_304;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Metres,
    Feet,
}

/// The size of a room in square centimetres.
pub(crate) fn read_size(reading: &mut Reading<'_>) -> Option<u64> {
    let cell = reading.cell(Field::Size)?;
    let name = cell.column.map_or("", |path| path.text.as_str()).to_owned();
    let decimal = if cell.is_number {
        Some(DecimalSign::Point)
    } else {
        reading.plan.map.decimal
    };
    let (number, words) = split_number(&cell.text);
    let unit = find_unit(words)
        .or_else(|| cell.unit.and_then(find_unit))
        .or_else(|| find_unit_in_name(&name));
    let Some(unit) = unit else {
        reading.warn(
            &cell.path,
            &cell.text,
            "the unit of the size is not said: write unit = \"m2\" or \"sqft\" into the map",
        );
        return None;
    };
    // Programs write more digits than a room is measured in.
    let rounded = number.parse::<f64>().ok().filter(|_| cell.is_number);
    let number = rounded.map_or_else(|| number.to_owned(), |number| format!("{number:.2}"));
    match read_decimal(&number, 2, decimal) {
        Ok(0) => None,
        Ok(hundredths) => Some(convert(hundredths, unit)),
        Err(_doubt) => {
            reading.warn(
                &cell.path,
                &cell.text,
                "it is no size, such as 12.5, and is not shown",
            );
            None
        }
    }
}

const fn convert(hundredths: u64, unit: Unit) -> u64 {
    match unit {
        Unit::Metres => hundredths.saturating_mul(METRE / 100),
        Unit::Feet => hundredths.saturating_mul(FOOT) / 1_000_000,
    }
}

/// The number and the words behind it.
fn split_number(text: &str) -> (&str, &str) {
    let words = text.find(|letter: char| letter.is_alphabetic() || letter == '²');
    let (number, words) = text.split_at(words.unwrap_or(text.len()));
    (number.trim(), words.trim())
}

fn find_unit(words: &str) -> Option<Unit> {
    match fold(words).replace(' ', "").as_str() {
        "m2" | "m²" | "sqm" | "qm" | "m" | "squaremetres" | "squaremeters" | "mtk" | "metroscuadrados"
        | "mq" | "平方米" => Some(Unit::Metres),
        "sqft" | "ft2" | "ft²" | "squarefeet" | "ftk" | "sf" => Some(Unit::Feet),
        _ => None,
    }
}

/// The unit in a column's name: `size_m2`, `areaSqm`, `squareFeet`, `m²`.
fn find_unit_in_name(name: &str) -> Option<Unit> {
    let folded = fold(name).replace(' ', "");
    if ["sqft", "squarefeet", "ft2"]
        .iter()
        .any(|unit| folded.ends_with(unit))
    {
        Some(Unit::Feet)
    } else if ["m2", "m²", "sqm", "qm"]
        .iter()
        .any(|unit| folded.ends_with(unit))
    {
        Some(Unit::Metres)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_in_texts_and_names() {
        assert_eq!(split_number("12,5 m²"), ("12,5", "m²"));
        assert_eq!(split_number("28m2"), ("28", "m2"));
        assert_eq!(split_number("22"), ("22", ""));
        assert_eq!(find_unit("sq. ft"), Some(Unit::Feet));
        assert_eq!(find_unit(""), None);
        for (name, unit) in [
            ("size_m2", Some(Unit::Metres)),
            ("rooms[].areaSqm", Some(Unit::Metres)),
            ("Model[].squareFeet", Some(Unit::Feet)),
            ("m²", Some(Unit::Metres)),
            ("floor_area", None),
        ] {
            assert_eq!(find_unit_in_name(name), unit, "{name}");
        }
    }

    #[test]
    fn sizes_are_kept_in_square_centimetres() {
        assert_eq!(convert(1_250, Unit::Metres), 125_000);
        assert_eq!(convert(38_000, Unit::Feet), 353_031);
    }
}
