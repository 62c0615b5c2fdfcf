//! Decimal numbers of a feed: `1,250.50`, `1.250,50`, `1 250,5`. What can be read in two ways is refused, never guessed.

use domain::money::Currency;
use domain::place::Coordinates;

use super::map::Decimal;
use super::rows::Cell;

/// Signs of currencies that a price may carry; `$` is the sign of several.
const SIGNS: [char; 6] = ['£', '€', '$', '₹', '₩', '¥'];
/// Stands for every kind of space and apostrophe between thousands.
const GAP: char = ' ';

/// Why a price cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    NoPrice,
    /// `1.250` is 1,250 or 1.25.
    TwoWays,
    /// More digits after the decimal sign than the currency has.
    TooFine,
    /// The sign of another currency.
    OtherSign,
}

impl Unread {
    /// The sentence of the report.
    pub(super) fn reason(self, text: &str, currency: Currency) -> String {
        let code = currency.code();
        match self {
            Self::NoPrice => format!("`{text}` is no price"),
            Self::TwoWays => format!(
                "`{text}` can be read in two ways: write decimal = \".\" or decimal = \",\" into the map"
            ),
            Self::TooFine => format!("`{text}` has more decimal digits than {code} has"),
            Self::OtherSign => format!("`{text}` carries the sign of another currency than {code}"),
        }
    }
}

/// A price in the currency's minor units, exactly.
///
/// # Errors
/// What is wrong with it.
pub(super) fn minor_units(cell: &Cell, currency: Currency, decimal: Option<Decimal>) -> Result<u64, Unread> {
    let text = cell.text.trim();
    let first = text.find(|letter: char| letter.is_ascii_digit());
    let last = text.rfind(|letter: char| letter.is_ascii_digit());
    let (Some(first), Some(last)) = (first, last) else {
        return Err(Unread::NoPrice);
    };
    for affix in [&text[..first], &text[last + 1..]] {
        is_of(affix.trim(), currency)?;
    }
    let decimal = if cell.is_number {
        Some(Decimal::Point)
    } else {
        decimal
    };
    let (whole, fraction) = parts(&text[first..=last], currency.decimals(), decimal)?;
    let fraction = fraction.trim_end_matches('0');
    let decimals = currency.decimals() as usize;
    if fraction.len() > decimals {
        return Err(Unread::TooFine);
    }
    format!("{whole}{fraction:0<decimals$}")
        .parse()
        .map_err(|_| Unread::NoPrice)
}

/// Whether what stands beside the digits is the currency's.
fn is_of(affix: &str, currency: Currency) -> Result<(), Unread> {
    let is_dollar = matches!(
        currency,
        Currency::Usd | Currency::Cad | Currency::Aud | Currency::Sgd | Currency::Nzd
    );
    if affix.is_empty()
        || affix == currency.symbol()
        || affix.eq_ignore_ascii_case(currency.code())
        || (affix == "$" && is_dollar)
    {
        Ok(())
    } else if affix.contains(SIGNS) || Currency::from_code(affix).is_some() {
        Err(Unread::OtherSign)
    } else {
        Err(Unread::NoPrice)
    }
}

/// The digits before and after the decimal sign.
fn parts(body: &str, decimals: u32, decimal: Option<Decimal>) -> Result<(String, &str), Unread> {
    let sign = match decimal {
        Some(decimal) => Some(decimal.sign()),
        None => sign_of(body, decimals)?,
    };
    let (whole, fraction) = match sign.and_then(|sign| body.split_once(sign)) {
        Some(parts) => parts,
        None => (body, ""),
    };
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Unread::NoPrice);
    }
    Ok((grouped(whole).ok_or(Unread::NoPrice)?, fraction))
}

/// The decimal sign of a number that no map explains; none where all signs stand between thousands.
fn sign_of(body: &str, decimals: u32) -> Result<Option<char>, Unread> {
    let count = |sign: char| body.matches(sign).count();
    let last = body.rfind(['.', ',']).and_then(|at| body[at..].chars().next());
    let Some(last) = last else {
        return Ok(None);
    };
    match (count('.'), count(',')) {
        (0, 1) | (1, 0) => {
            let (whole, fraction) = body.split_once(last).unwrap_or((body, ""));
            let thousands = fraction.len() == 3
                && whole.len() <= 3
                && !whole.starts_with('0')
                && whole.bytes().all(|byte| byte.is_ascii_digit());
            match (thousands, decimals) {
                (false, _) => Ok(Some(last)),
                (true, 0) => Ok(None),
                (true, _) => Err(Unread::TwoWays),
            }
        }
        (0, _) | (_, 0) => Ok(None),
        _ if count(last) == 1 => Ok(Some(last)),
        _ => Err(Unread::NoPrice),
    }
}

/// The digits of `1,250,000`, of `1 250 000` and of India's `12,50,000`; nothing for other groups.
fn grouped(whole: &str) -> Option<String> {
    let whole: String = whole
        .chars()
        .map(|letter| match letter {
            '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '’' => GAP,
            letter => letter,
        })
        .collect();
    let mark = whole.chars().find(|letter| !letter.is_ascii_digit());
    let groups: Vec<&str> = match mark {
        Some(mark @ ('.' | ',' | GAP)) => whole.split(mark).collect(),
        Some(_) => return None,
        None => vec![whole.as_str()],
    };
    let digits = |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = groups.split_first()?;
    let well_formed = match rest.split_last() {
        None => true,
        Some((last, between)) => {
            let of = |size: usize, most: usize| {
                first.len() <= most && between.iter().all(|group| group.len() == size)
            };
            last.len() == 3 && (of(3, 3) || of(2, 2))
        }
    };
    (groups.iter().all(digits) && well_formed).then(|| groups.concat())
}

/// Degrees in millionths; a comma is a decimal sign here, since no degree has thousands.
pub(super) fn degrees(cell: &Cell, decimal: Option<Decimal>) -> Option<i32> {
    match (cell.is_number, decimal) {
        (true, _) | (_, Some(Decimal::Point)) => Coordinates::parse_degrees(&cell.text),
        (_, Some(Decimal::Comma)) if cell.text.contains('.') => None,
        _ => Coordinates::parse_degrees(&cell.text.replacen(',', ".", 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, decimal: Option<Decimal>) -> Result<u64, Unread> {
        minor_units(&Cell::text(text), Currency::Gbp, decimal)
    }

    #[test]
    fn prices_are_read_exactly_or_refused() {
        for (text, pence) in [
            ("50", 5_000),
            ("£50.5", 5_050),
            ("450,00", 45_000),
            ("450.00 GBP", 45_000),
            ("1,250.50", 125_050),
            ("1.250,50", 125_050),
            ("1 250,5", 125_050),
            ("1\u{202f}250", 125_000),
            ("1'250.50", 125_050),
            ("1,250,000", 125_000_000),
            ("12,50,000.00", 125_000_000),
            ("1250.0000", 125_000),
        ] {
            assert_eq!(read(text, None), Ok(pence), "{text}");
        }
        for (text, why) in [
            ("1.250", Unread::TwoWays),
            ("1,250", Unread::TwoWays),
            ("50.000", Unread::TwoWays),
            ("0.125", Unread::TooFine),
            ("€50", Unread::OtherSign),
            ("50 EUR", Unread::OtherSign),
            ("", Unread::NoPrice),
            ("fifty", Unread::NoPrice),
            ("-5", Unread::NoPrice),
            ("5o", Unread::NoPrice),
            ("1e3", Unread::NoPrice),
            ("1.2,3.4", Unread::NoPrice),
            ("1,25,00.5", Unread::NoPrice),
            ("99999999999999999999", Unread::NoPrice),
        ] {
            assert_eq!(read(text, None), Err(why), "{text}");
        }
    }

    #[test]
    fn the_map_decides_between_two_readings() {
        let (point, comma) = (Some(Decimal::Point), Some(Decimal::Comma));
        assert_eq!(read("1,250", point), Ok(125_000));
        assert_eq!(read("1.250", comma), Ok(125_000));
        assert_eq!(read("50.000", point), Ok(5_000));
        assert_eq!(read("450,00", point), Err(Unread::NoPrice));
        assert_eq!(read("450.00", comma), Err(Unread::NoPrice));
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
        assert_eq!(degrees(&Cell::text("53,819"), Some(Decimal::Point)), None);
        assert_eq!(degrees(&Cell::text("53.819"), Some(Decimal::Comma)), None);
    }
}
