//! Money of a feed: `£125 pw`, `€ 790,00 al mese`, `255,- €`, `980 - 1070`, `2 Monatsmieten`. The digits are read by the rule of all
//! typed numbers; what stands around them must be a currency, a period or a word that says nothing.

use domain::typed_number::{DecimalSign, NumberDoubt, Unit, read_amount};

use super::words::{fold, read_period};
use crate::country::{Currency, find_currency};
use crate::home::PricePeriod;

/// Signs that one currency alone has, the longer before the shorter.
const SIGNS: &[(&str, &str)] = &[
    ("US$", "USD"),
    ("CA$", "CAD"),
    ("AU$", "AUD"),
    ("NZ$", "NZD"),
    ("HK$", "HKD"),
    ("C$", "CAD"),
    ("A$", "AUD"),
    ("S$", "SGD"),
    ("£", "GBP"),
    ("￡", "GBP"),
    ("€", "EUR"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("zł", "PLN"),
    ("Kč", "CZK"),
];
/// Signs of several currencies: the country decides which.
const COUNTRY_SIGNS: &[(&str, &[&str])] = &[
    (
        "$",
        &[
            "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "CLP", "COP", "ARS", "TWD",
        ],
    ),
    ("¥", &["JPY", "CNY"]),
    ("￥", &["JPY", "CNY"]),
    ("kr", &["DKK", "SEK", "NOK", "ISK"]),
];
/// Words for a currency (D35); a dollar is that of the country.
const CURRENCY_WORDS: &[(&str, &str)] = &[
    ("pound", "GBP"),
    ("pounds", "GBP"),
    ("euro", "EUR"),
    ("euros", "EUR"),
];
/// Words before an amount that change nothing about it.
const FROM: &[&str] = &[
    "",
    "from",
    "ab",
    "von",
    "desde",
    "des",
    "a partir de",
    "da",
    "ca",
    "only",
    "rent",
];
/// Words between the two ends of a rent from–to.
const RANGE_LINKS: &[&str] = &["-", "–", "—", "to", "bis", "a", "up to"];
const MONTHS_RENT: &[&str] = &[
    "monatsmieten",
    "monatsmiete",
    "kaltmieten",
    "mm",
    "months rent",
    "month s rent",
    "months",
    "month",
    "month rent",
    "meses",
    "mes",
    "mensualidades",
    "mensualidad",
    "mois",
    "mois de loyer",
    "mensilita",
    "mesi",
    "个月租金",
];
const WEEKS_RENT: &[&str] = &[
    "weeks rent",
    "week s rent",
    "weeks",
    "week",
    "semanas",
    "semaines",
    "settimane",
    "wochen",
];

/// Why an amount is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoneyFault {
    NoAmount,
    Doubt(NumberDoubt),
    /// No currency by column, constant or sign.
    NoCurrency,
    /// The sign says another currency than the column: this one.
    OtherCurrency(&'static str),
}

/// An amount with what its text says beside the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoneyRead {
    pub minor: u64,
    /// The upper end of a range.
    pub most_minor: Option<u64>,
    pub currency: Currency,
    pub period: Option<(PricePeriod, Option<bool>)>,
    /// A sign that speaks for another currency than the map's constant, which wins.
    pub is_other_sign: bool,
}

/// Facts about an amount that its text need not repeat.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MoneyContext<'c> {
    /// By a column or a constant.
    pub currency: Option<Currency>,
    /// Whether the currency is a constant of the map, which wins over signs.
    pub is_constant: bool,
    /// The currency of the home's country decides what `$` is.
    pub country_currency: Option<&'c str>,
    pub decimal: Option<DecimalSign>,
    /// The number counts cents.
    pub is_minor: bool,
    /// Written as a number in JSON: its decimal sign is a point.
    pub is_number: bool,
}

/// Reads an amount.
pub(crate) fn read_money(text: &str, context: MoneyContext<'_>) -> Result<MoneyRead, MoneyFault> {
    let cut = cut_amount(text).ok_or(MoneyFault::NoAmount)?;
    let known = context.currency.map(|currency| currency.code);
    let preferred = [known, context.country_currency].into_iter().flatten();
    let (sign, words) = find_sign(&cut.around(), &preferred.collect::<Vec<_>>());
    let period = match words.as_str() {
        words if FROM.contains(&words) => None,
        words => Some(read_period(strip_from(words)).ok_or(MoneyFault::NoAmount)?),
    };
    let (sign, is_unknown) = match sign {
        Sign::None => (None, false),
        Sign::Code(code) => (find_currency(code), false),
        Sign::Unknown => (None, true),
    };
    if is_unknown && !context.is_constant {
        return Err(MoneyFault::NoAmount);
    }
    let is_other = |known: Currency| is_unknown || sign.is_some_and(|sign| sign.code != known.code);
    let (currency, is_other_sign) = match context.currency {
        Some(known) if is_other(known) && !context.is_constant => {
            return Err(MoneyFault::OtherCurrency(sign.map_or("", |sign| sign.code)));
        }
        Some(known) => (known, is_other(known)),
        None => (sign.ok_or(MoneyFault::NoCurrency)?, false),
    };
    let minor = read_minor(cut.number, currency, context)?;
    let most_minor = match cut.most {
        None => None,
        Some(most) => {
            let most = read_minor(most, currency, context)?;
            (most >= minor)
                .then_some(Some(most))
                .ok_or(MoneyFault::NoAmount)?
        }
    };
    Ok(MoneyRead {
        minor,
        most_minor,
        currency,
        period,
        is_other_sign,
    })
}

/// Words of small numbers.
const NUMBERS: &[(&str, u32)] = &[
    ("one", 1),
    ("a", 1),
    ("eine", 1),
    ("un", 1),
    ("una", 1),
    ("two", 2),
    ("zwei", 2),
    ("dos", 2),
    ("deux", 2),
    ("due", 2),
    ("three", 3),
    ("drei", 3),
    ("tres", 3),
    ("trois", 3),
    ("tre", 3),
];

/// Reads `2 Monatsmieten`, `one month's rent`, `4 weeks' rent`: the count, and whether it counts months.
pub(crate) fn read_rents(text: &str) -> Option<(u32, bool)> {
    let folded = fold(text);
    let spelled = folded.split_once(' ').and_then(|(first, rest)| {
        let (_, count) = NUMBERS.iter().find(|(word, _)| *word == first)?;
        Some(format!("{count} {rest}"))
    });
    read_counted_rents(spelled.as_deref().unwrap_or(text))
}

fn read_counted_rents(text: &str) -> Option<(u32, bool)> {
    let cut = cut_amount(text).filter(|cut| cut.before.trim().is_empty() && cut.most.is_none())?;
    let count = cut.number.parse::<u32>().ok().filter(|count| *count <= 24)?;
    let words = fold(cut.after);
    if MONTHS_RENT.contains(&words.as_str()) {
        Some((count, true))
    } else if WEEKS_RENT.contains(&words.as_str()) {
        Some((count, false))
    } else {
        None
    }
}

/// The currency of a column: a code, a sign, or a word. The flag says that a word was read.
pub(crate) fn read_currency(text: &str, country_currency: Option<&str>) -> Option<(Currency, bool)> {
    if let Some(found) = find_currency(text) {
        return Some((found, false));
    }
    let word = fold(text);
    let by_word = CURRENCY_WORDS.iter().find(|(known, _)| *known == word);
    if let Some((_, code)) = by_word {
        return find_currency(code).map(|found| (found, true));
    }
    let is_word = word == "dollar" || word == "dollars";
    let text = if is_word { "$" } else { text.trim() };
    match find_sign(text, country_currency.as_slice()) {
        (Sign::Code(code), words) if words.is_empty() => find_currency(code).map(|found| (found, is_word)),
        _ => None,
    }
}

fn read_minor(number: &str, currency: Currency, context: MoneyContext<'_>) -> Result<u64, MoneyFault> {
    let unit = Unit {
        code: currency.code,
        decimals: if context.is_minor { 0 } else { currency.decimals },
    };
    let decimal = if context.is_number {
        Some(DecimalSign::Point)
    } else {
        context.decimal
    };
    match read_amount(number, unit, decimal) {
        Ok(minor) => Ok(minor),
        Err(doubt) => Err(MoneyFault::Doubt(doubt)),
    }
}

/// A text cut around its number.
struct Cut<'t> {
    before: &'t str,
    number: &'t str,
    most: Option<&'t str>,
    after: &'t str,
}

impl Cut<'_> {
    /// The words around the numbers.
    fn around(&self) -> String {
        format!("{} {}", self.before.trim(), self.after.trim())
    }
}

/// Finds the number, or the two of a range. `,-` and `.--` behind it stand for no cents.
fn cut_amount(text: &str) -> Option<Cut<'_>> {
    let (before, number, after) = cut_number(text)?;
    if before.trim_end().ends_with(['-', '−', '–']) {
        return None;
    }
    let after = [",--", ".--", ",-", ".-", ",–", ",—", ".–", ".—"]
        .iter()
        .find_map(|none| after.strip_prefix(none))
        .unwrap_or(after);
    let Some((between, most, behind)) = cut_number(after) else {
        return Some(Cut {
            before,
            number,
            most: None,
            after,
        });
    };
    // A sign may stand before the second number: `€980 – €1,070`.
    let link = between.trim().trim_matches(['€', '£', '$']).trim().to_lowercase();
    RANGE_LINKS.contains(&link.as_str()).then_some(Cut {
        before,
        number,
        most: Some(most),
        after: behind,
    })
}

/// The first number of a text: digits with single signs or spaces between them.
fn cut_number(text: &str) -> Option<(&str, &str, &str)> {
    let begins = text.find(|letter: char| letter.is_ascii_digit())?;
    let mut ends = begins;
    let mut letters = text[begins..].char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if letter.is_ascii_digit() {
            ends = begins + at + 1;
            continue;
        }
        let joins = matches!(
            letter,
            '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}'
        );
        let is_followed = letters.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !(joins && is_followed) {
            break;
        }
    }
    Some((&text[..begins], &text[begins..ends], &text[ends..]))
}

enum Sign {
    None,
    Code(&'static str),
    /// A sign of several currencies, and the country has none of them.
    Unknown,
}

/// Takes the sign or the code of a currency out of the words around a number; gives the other words folded.
/// A sign of several currencies is the first of the preferred ones that has it.
fn find_sign(around: &str, preferred: &[&str]) -> (Sign, String) {
    let without = |sign: &str| fold(&around.replacen(sign, " ", 1));
    for &(sign, code) in SIGNS {
        if around.contains(sign) {
            return (Sign::Code(code), without(sign));
        }
    }
    let code = around
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase()))
        .find_map(|word| Some((word, find_currency(word)?)));
    if let Some((word, found)) = code {
        return (Sign::Code(found.code), without(word));
    }
    let folded = fold(around);
    let has_word = |word: &str| folded.split(' ').any(|part| part == word);
    for &(sign, codes) in COUNTRY_SIGNS {
        let is_word = sign.chars().all(char::is_alphabetic);
        if (is_word && has_word(sign)) || (!is_word && around.contains(sign)) {
            let found = preferred
                .iter()
                .find_map(|code| codes.iter().copied().find(|known| known == code));
            return (found.map_or(Sign::Unknown, Sign::Code), without(sign));
        }
    }
    for &(word, code) in CURRENCY_WORDS {
        if has_word(word) {
            return (Sign::Code(code), fold(&folded.replacen(word, " ", 1)));
        }
    }
    (Sign::None, folded)
}

fn strip_from(words: &str) -> &str {
    let first = words.split(' ').next().unwrap_or_default();
    if FROM.contains(&first) && words.len() > first.len() {
        words[first.len()..].trim_start()
    } else {
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(currency: &str, country: &'static str) -> MoneyContext<'static> {
        MoneyContext {
            currency: find_currency(currency),
            country_currency: Some(country),
            ..MoneyContext::default()
        }
    }

    /// Minor units, currency, period.
    fn read(text: &str, currency: &str, country: &'static str) -> Result<String, MoneyFault> {
        let read = read_money(text, context(currency, country))?;
        let most = read
            .most_minor
            .map_or_else(String::new, |most| format!("-{most}"));
        let period = read
            .period
            .map_or_else(String::new, |period| format!(" {period:?}"));
        Ok(format!("{}{most} {}{period}", read.minor, read.currency.code))
    }

    #[test]
    fn amounts_are_read_in_the_forms_of_feeds() {
        for (text, currency, country, amount) in [
            ("€ 790,00 al mese", "", "EUR", "79000 EUR (Month, None)"),
            ("£125 pw", "", "GBP", "12500 GBP (Week, None)"),
            ("£198 pppw", "", "GBP", "19800 GBP (Week, Some(true))"),
            ("255,- €", "", "EUR", "25500 EUR"),
            ("310,00 €", "EUR", "EUR", "31000 EUR"),
            ("1.050,00", "EUR", "EUR", "105000 EUR"),
            ("345,50", "EUR", "EUR", "34550 EUR"),
            ("1 250,50", "EUR", "EUR", "125050 EUR"),
            ("$1,250.00", "", "USD", "125000 USD"),
            ("$1,250.00", "", "AUD", "125000 AUD"),
            ("980 - 1070", "USD", "USD", "98000-107000 USD"),
            ("€980 – €1,070.00", "", "EUR", "98000-107000 EUR"),
            ("from £99 per week", "", "GBP", "9900 GBP (Week, None)"),
            ("ab 300 EUR monatlich", "", "EUR", "30000 EUR (Month, None)"),
            ("650 euros par mois", "", "EUR", "65000 EUR (Month, None)"),
            ("500 PCM GBP", "", "GBP", "50000 GBP (Month, None)"),
            ("1200", "JPY", "JPY", "1200 JPY"),
        ] {
            assert_eq!(read(text, currency, country).as_deref(), Ok(amount), "{text}");
        }
    }

    #[test]
    fn doubtful_amounts_are_refused() {
        let two_ways = MoneyFault::Doubt(NumberDoubt::TwoWays);
        for (text, currency, fault) in [
            ("1.250", "GBP", two_ways),
            ("1.050", "EUR", two_ways),
            ("1,9OO", "USD", MoneyFault::NoAmount),
            ("auf Anfrage", "EUR", MoneyFault::NoAmount),
            ("-250", "EUR", MoneyFault::NoAmount),
            ("250", "", MoneyFault::NoCurrency),
            ("£250", "EUR", MoneyFault::OtherCurrency("GBP")),
            ("1070 - 980", "EUR", MoneyFault::NoAmount),
            ("5 of 6", "EUR", MoneyFault::NoAmount),
        ] {
            assert_eq!(read(text, currency, "EUR"), Err(fault), "{text}");
        }
        assert_eq!(read("$250", "USD", "EUR"), Ok("25000 USD".to_owned()));
        let constant = MoneyContext {
            is_constant: true,
            ..context("EUR", "EUR")
        };
        let read = read_money("£38.00", constant).unwrap();
        assert!(read.is_other_sign && read.currency.code == "EUR");
        let read = read_money("$38.00", constant).unwrap();
        assert_eq!((read.is_other_sign, read.minor), (true, 3_800));
        let cents = MoneyContext {
            is_minor: true,
            is_number: true,
            ..context("EUR", "EUR")
        };
        assert_eq!(read_money("61500", cents).map(|read| read.minor), Ok(61_500));
        let number = MoneyContext {
            is_number: true,
            ..context("GBP", "GBP")
        };
        assert_eq!(read_money("112.5", number).map(|read| read.minor), Ok(11_250));
    }

    #[test]
    fn rents_and_currencies_are_read_by_their_words() {
        assert_eq!(read_rents("2 Monatsmieten"), Some((2, true)));
        assert_eq!(read_rents("4 weeks' rent"), Some((4, false)));
        assert_eq!(read_rents("One month's rent"), Some((1, true)));
        assert_eq!(read_rents("zwei Kaltmieten"), Some((2, true)));
        assert_eq!(read_rents("600,00 €"), None);
        let code = |text: &str, country| read_currency(text, country).map(|(found, _)| found.code);
        assert_eq!(code("gbp", None), Some("GBP"));
        assert_eq!(code("£", None), Some("GBP"));
        assert_eq!(code("euro", None), Some("EUR"));
        assert_eq!(code("dollars", Some("CAD")), Some("CAD"));
        assert_eq!((code("$", None), code("XXY", None)), (None, None));
    }
}
