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
    let (is_negative, size) = split_sign(text.trim());
    let size = i64::try_from(read_amount(&size, unit, decimal)?).map_err(|_| NumberDoubt::NoNumber)?;
    Ok(if is_negative { -size } else { size })
}

/// The amount without its sign, and whether that is a minus. One sign alone is taken off: `--5` stays no amount.
fn split_sign(text: &str) -> (bool, String) {
    const MINUS: [char; 2] = ['-', '\u{2212}'];
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return (true, inner.to_owned());
    }
    let first = text.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
    let end = text
        .rfind(|letter: char| letter.is_ascii_digit())
        .map_or(0, |at| at + 1);
    match text[end..].trim().to_ascii_uppercase().as_str() {
        "CR" | "C" | "H" => return (false, text[..end].to_owned()),
        "DR" | "D" | "S" => return (true, text[..end].to_owned()),
        _ => {}
    }
    let before = text[..first].trim();
    if let Some(rest) = text.strip_prefix(MINUS) {
        (true, rest.to_owned())
    } else if let Some(rest) = text.strip_suffix(MINUS) {
        (true, rest.to_owned())
    } else if let Some(mark) = before.strip_suffix(MINUS) {
        (true, format!("{mark}{}", &text[first..]))
    } else {
        (false, text.strip_prefix('+').unwrap_or(text).to_owned())
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
        let krona = Unit {
            code: "SEK",
            decimals: 2,
        };
        assert_eq!(read_signed_amount("1 036,27 SEK", krona, None), Ok(103_627));
    }
}
