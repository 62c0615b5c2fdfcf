//! Amounts with the signs of banks. Their digits are read by the rule of all typed numbers (`domain::typed_number`).

use domain::typed_number::{DecimalSign, NumberDoubt, Unit, read_amount};

/// An amount with its sign: `-259.07`, `259.07-`, `(259.07)`, `259.07 DR`, `+12`. `C` and `CR` are credits, `D` and `DR` debits.
///
/// # Errors
/// What is wrong with it.
pub fn read_signed_amount<'a>(
    text: &str,
    unit: impl Into<Unit<'a>>,
    decimal: Option<DecimalSign>,
) -> Result<i64, NumberDoubt> {
    let (mark, size) = split_sign(text.trim());
    let size = i64::try_from(read_amount(&size, unit, decimal)?).map_err(|_| NumberDoubt::NoNumber)?;
    Ok(if mark == Some(Mark::Minus) { -size } else { size })
}

/// The direction that an amount states by a sign or by letters: `-`, `DR`; `+`, `CR`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Minus,
    Plus,
}

/// Which way the money goes by an amount alone; `None` where it does not say it.
pub fn find_mark(text: &str) -> Option<Mark> {
    split_sign(text.trim()).0
}

/// The amount without its sign, and the sign; `None` where it has none. One sign alone is taken off: `--5` stays no amount.
fn split_sign(text: &str) -> (Option<Mark>, String) {
    const MINUS: [char; 4] = ['-', '\u{2212}', '\u{2013}', '\u{ff0d}'];
    let minus = Some(Mark::Minus);
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return (minus, inner.to_owned());
    }
    let first = text.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
    let end = text
        .rfind(|letter: char| letter.is_ascii_digit())
        .map_or(0, |at| at + 1);
    match text[end..].trim().to_ascii_uppercase().as_str() {
        "CR" | "C" | "H" => return (Some(Mark::Plus), text[..end].to_owned()),
        "DR" | "D" | "S" => return (minus, text[..end].to_owned()),
        _ => {}
    }
    let before = text[..first].trim();
    if let Some(rest) = text.strip_prefix(MINUS) {
        (minus, rest.to_owned())
    } else if let Some(rest) = text.strip_suffix(MINUS) {
        (minus, rest.to_owned())
    } else if let Some(mark) = before.strip_suffix(MINUS) {
        (minus, format!("{mark}{}", &text[first..]))
    } else if let Some(rest) = text.strip_prefix('+') {
        (Some(Mark::Plus), rest.to_owned())
    } else {
        (None, text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use domain::money::Currency;

    use super::*;

    #[test]
    fn signs_of_banks_are_read() {
        for (text, pence) in [
            ("-259.07", Ok(-25_907)),
            ("\u{2212} 259.07", Ok(-25_907)),
            ("\u{2013}610.00", Ok(-61_000)),
            ("\u{ff0d}610", Ok(-61_000)),
            ("610\u{2013}", Ok(-61_000)),
            ("259.07-", Ok(-25_907)),
            ("(1'259.07)", Ok(-125_907)),
            ("+12", Ok(1_200)),
            ("-£5", Ok(-500)),
            ("£-5.50", Ok(-550)),
            ("12.50 DR", Ok(-1_250)),
            ("12.50CR", Ok(1_250)),
            ("12.50 GBP", Ok(1_250)),
            ("", Err(NumberDoubt::NoNumber)),
            ("-", Err(NumberDoubt::NoNumber)),
            ("--5", Err(NumberDoubt::NoNumber)),
            ("5-6", Err(NumberDoubt::NoNumber)),
            ("-5-", Err(NumberDoubt::NoNumber)),
            ("-610.000", Err(NumberDoubt::TwoWays)),
            ("€5", Err(NumberDoubt::OtherSign)),
        ] {
            assert_eq!(read_signed_amount(text, Currency::Gbp, None), pence, "{text}");
        }
        let (minus, plus) = (Some(Mark::Minus), Some(Mark::Plus));
        for (text, expected) in [
            ("-5", minus),
            ("\u{2013}5", minus),
            ("(5)", minus),
            ("5 CR", plus),
            ("+5", plus),
            ("£5", None),
            ("5 GBP", None),
            ("", None),
        ] {
            assert_eq!(find_mark(text), expected, "{text}");
        }
        let krona = Unit {
            code: "SEK",
            decimals: 2,
        };
        assert_eq!(read_signed_amount("1 036,27 SEK", krona, None), Ok(103_627));
    }
}
