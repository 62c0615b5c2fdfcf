//! Decimal numbers of a feed, read by the rule of all typed numbers (`domain::typed_number`), with the map's decimal sign.

use domain::money::Currency;
use domain::place::Coordinates;
use domain::typed_number::{self, DecimalSign, NumberDoubt};

use super::rows::Cell;

/// The sentence of the report.
pub(super) fn explain_doubt(doubt: NumberDoubt, text: &str, currency: Currency) -> String {
    let code = currency.code();
    match doubt {
        NumberDoubt::NoNumber => format!("`{text}` is no price"),
        NumberDoubt::TwoWays => {
            format!("`{text}` can be read in two ways: write decimal = \".\" or decimal = \",\" into the map")
        }
        NumberDoubt::TooFine => format!("`{text}` has more decimal digits than {code} has"),
        NumberDoubt::OtherSign => format!("`{text}` carries the sign of another currency than {code}"),
    }
}

/// A price in the currency's minor units, exactly.
///
/// # Errors
/// What is wrong with it.
pub(super) fn minor_units(
    cell: &Cell,
    currency: Currency,
    decimal: Option<DecimalSign>,
) -> Result<u64, NumberDoubt> {
    let decimal = if cell.is_number {
        Some(DecimalSign::Point)
    } else {
        decimal
    };
    typed_number::read_amount(&cell.text, currency, decimal)
}

/// Degrees in millionths; a comma is a decimal sign here, since no degree has thousands.
pub(super) fn degrees(cell: &Cell, decimal: Option<DecimalSign>) -> Option<i32> {
    if let Some(plain) = without_exponent(&cell.text) {
        return Coordinates::parse_degrees(&plain);
    }
    match (cell.is_number, decimal) {
        (true, _) | (_, Some(DecimalSign::Point)) => Coordinates::parse_degrees(&cell.text),
        (_, Some(DecimalSign::Comma)) if cell.text.contains('.') => None,
        _ => Coordinates::parse_degrees(&cell.text.replacen(',', ".", 1)),
    }
}

/// `-6e-05`, as programs write numbers near zero, in millionths; `None` without an exponent.
fn without_exponent(text: &str) -> Option<String> {
    let number: f64 = text.trim().parse().ok().filter(|_| text.contains(['e', 'E']))?;
    Some(format!("{number:.6}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, decimal: Option<DecimalSign>) -> Result<u64, NumberDoubt> {
        minor_units(&Cell::text(text), Currency::Gbp, decimal)
    }

    #[test]
    fn the_map_decides_between_two_readings() {
        let (point, comma) = (Some(DecimalSign::Point), Some(DecimalSign::Comma));
        assert_eq!(read("1,250", point), Ok(125_000));
        assert_eq!(read("1.250", comma), Ok(125_000));
        assert_eq!(read("50.000", point), Ok(5_000));
        assert_eq!(read("450,00", point), Err(NumberDoubt::NoNumber));
        assert_eq!(read("450.00", comma), Err(NumberDoubt::NoNumber));
        let number = Cell {
            text: "450.5".to_owned(),
            is_number: true,
        };
        assert_eq!(minor_units(&number, Currency::Gbp, comma), Ok(45_050));
        assert_eq!(minor_units(&Cell::text("1,250"), Currency::Krw, None), Ok(1_250));
    }

    #[test]
    fn degrees_take_a_comma_where_the_map_does_not_say_point() {
        assert_eq!(degrees(&Cell::text("53,819"), None), Some(53_819_000));
        assert_eq!(degrees(&Cell::text("-1.579"), None), Some(-1_579_000));
        assert_eq!(degrees(&Cell::text("-6e-05"), None), Some(-60));
        assert_eq!(
            degrees(&Cell::text("5.38E1"), Some(DecimalSign::Comma)),
            Some(53_800_000)
        );
        assert_eq!(degrees(&Cell::text("1e400"), None), None);
        assert_eq!(degrees(&Cell::text("53,819"), Some(DecimalSign::Point)), None);
        assert_eq!(degrees(&Cell::text("53.819"), Some(DecimalSign::Comma)), None);
    }
}
