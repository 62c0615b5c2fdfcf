//! How each language writes counts, numbers, money and days: `i18n/<language>/forms.json`, made from CLDR (decision 0041).

use std::sync::LazyLock;

use chrono::{Datelike as _, NaiveDate, NaiveDateTime};
use domain::language::Language;
use domain::money::{Currency, Money};
use serde::Deserialize;

use crate::carried::find_carried;

/// The forms of one language.
#[derive(Debug, Default, Deserialize)]
pub struct Forms {
    /// The counts that take a message's form `one`.
    one: Vec<u64>,
    decimal: String,
    group: String,
    /// As many digits before the decimal mark as are grouped: Spanish writes 1250 and 12.480.
    group_from: usize,
    /// `¤#` or `# ¤`.
    money: String,
    money_code: String,
    months: Vec<String>,
    months_short: Vec<String>,
    /// From Monday.
    days: Vec<String>,
    /// The first of a month: `1er` in French.
    day_one: String,
    date_long: String,
    date_full: String,
    date_day: String,
    date_short: String,
    date_month: String,
    /// Between a day and its time.
    date_time: String,
    /// `{city} time`; CLDR has no such form, and a language that has none yet shows the city.
    #[serde(default = "name_city")]
    clock_name: String,
}

fn name_city() -> String {
    "{city}".to_owned()
}

/// A file that cannot be read fails the test below.
fn read(lang: Language) -> Forms {
    find_carried(lang)
        .and_then(|carried| serde_json::from_str(carried.forms).ok())
        .unwrap_or_default()
}

static FORMS: LazyLock<[Forms; Language::ALL.len()]> = LazyLock::new(|| Language::ALL.map(read));

/// The forms of a language.
pub fn forms_of(lang: Language) -> &'static Forms {
    &FORMS[lang.place()]
}

impl Forms {
    /// Whether a count takes a message's form `one`: French 0 does, Chinese 1 does not.
    pub fn is_one(&self, count: &str) -> bool {
        count.parse::<u64>().is_ok_and(|count| self.one.contains(&count))
    }

    /// A decimal number as `-1234.5`: `−1,234.5`.
    pub fn write_number(&self, decimal: &str) -> String {
        let (sign, digits) = split_sign(decimal);
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
        let mut written = sign.to_owned();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && whole.len() >= self.group_from && (whole.len() - at).is_multiple_of(3) {
                written.push_str(&self.group);
            }
            written.push(digit);
        }
        if !rest.is_empty() {
            written.push_str(&self.decimal);
            written.push_str(rest);
        }
        written
    }

    /// An amount with its symbol: `£1,250.50`. Letters such as `kr` stand apart from the number.
    pub fn write_money(&self, decimal: &str, symbol: &str) -> String {
        let is_of_letters = symbol.ends_with(|last: char| last.is_ascii_alphanumeric());
        let gap = if is_of_letters { "\u{a0}" } else { "" };
        let written = self.write_amount(&self.money, decimal, &format!("{symbol}{gap}"));
        written.trim_end().to_owned()
    }

    /// An amount as its reader writes it: `£1,250`, and `£1,250.50` where there are pence.
    pub fn write_price(&self, money: Money) -> String {
        let decimal = money.decimal();
        let whole = decimal.trim_end_matches('0').strip_suffix('.');
        self.write_money(whole.unwrap_or(&decimal), money.currency.symbol())
    }

    /// The same with its pence always, for amounts that stand below each other: `£250.00`.
    pub fn write_exact_price(&self, money: Money) -> String {
        self.write_money(&money.decimal(), money.currency.symbol())
    }

    /// An amount that is kept as symbol and decimal, `£1259.07`, in this language's form; any other text stays as it is.
    pub fn write_kept_money(&self, kept: &str) -> String {
        let (symbol, decimal) = kept.split_at(kept.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0));
        let is_symbol = Currency::ALL
            .into_iter()
            .any(|currency| currency.symbol() == symbol);
        let is_decimal = decimal.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if is_symbol && is_decimal {
            self.write_money(decimal, symbol)
        } else {
            kept.to_owned()
        }
    }

    /// An amount with its currency's code, for books and exports: `GBP 1,250.50`.
    pub fn write_books_money(&self, decimal: &str, code: &str) -> String {
        self.write_amount(&self.money_code, decimal, code)
    }

    fn write_amount(&self, pattern: &str, decimal: &str, unit: &str) -> String {
        let (sign, digits) = split_sign(decimal);
        let amount = pattern.replace('#', &self.write_number(digits));
        format!("{sign}{}", amount.replace('¤', unit))
    }

    /// `Friday 4 December 2026`
    pub fn write_long_day(&self, day: NaiveDate) -> String {
        self.write_date(&self.date_long, day)
    }

    /// `4 December 2026`
    pub fn write_full_day(&self, day: NaiveDate) -> String {
        self.write_date(&self.date_full, day)
    }

    /// `4 December 2026, 15:36`
    pub fn write_moment(&self, at: NaiveDateTime) -> String {
        let day = self.write_full_day(at.date());
        format!("{day}{}{}", self.date_time, at.format("%H:%M"))
    }

    /// The clock of a city: `London time`.
    pub fn name_clock(&self, city: &str) -> String {
        self.clock_name.replace("{city}", city)
    }

    /// `4 Dec 2026`
    pub fn write_day(&self, day: NaiveDate) -> String {
        self.write_date(&self.date_day, day)
    }

    /// `4 Dec`
    pub fn write_short_day(&self, day: NaiveDate) -> String {
        self.write_date(&self.date_short, day)
    }

    /// `December 2026`
    pub fn write_month(&self, day: NaiveDate) -> String {
        self.write_date(&self.date_month, day)
    }

    /// Reads a month and the year that it names, if it names one: `september`, `Sep 2027`, `2027年9月`. Three letters of a name are enough.
    pub fn read_month(&self, written: &str) -> Option<(Option<i32>, u32)> {
        let written = fold_month(written);
        let mut numbers = written.split(|letter: char| !letter.is_ascii_digit());
        let year = numbers.find(|digits| digits.len() == 4);
        let year = year.and_then(|digits| digits.parse::<i32>().ok());
        let month = (1..=12).find(|month| self.is_month(&written, year, *month))?;
        Some((year, month))
    }

    /// Whether a folded text is this month, of the year that the text names.
    fn is_month(&self, written: &str, year: Option<i32>, month: u32) -> bool {
        let Some(first) = NaiveDate::from_ymd_opt(year.unwrap_or_default(), month, 1) else {
            return false;
        };
        if year.is_some() {
            let short = self.date_month.replace("MMMM", "MMM");
            let forms = [&self.date_month, &short];
            return forms
                .into_iter()
                .any(|form| fold_month(&self.write_date(form, first)) == written);
        }
        let is_cut = written.chars().count() >= 3;
        [&self.months, &self.months_short].into_iter().any(|names| {
            let name = names.get(first.month0() as usize).map(|name| fold_month(name));
            name.is_some_and(|name| name == written || (is_cut && name.starts_with(written)))
        })
    }

    /// Fills CLDR's letters: y, M (number), MMM and MMMM, d, EEEE; `'de'` is text.
    fn write_date(&self, pattern: &str, day: NaiveDate) -> String {
        let mut written = String::new();
        let mut letters = pattern.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter == '\'' {
                written.extend(letters.by_ref().take_while(|next| *next != '\''));
                continue;
            }
            let mut width = 1_usize;
            while letters.next_if_eq(&letter).is_some() {
                width += 1;
            }
            self.write_part(&mut written, letter, width, day);
        }
        written
    }

    fn write_part(&self, written: &mut String, letter: char, width: usize, day: NaiveDate) {
        let named = |names: &[String], at: u32| names.get(at as usize).cloned().unwrap_or_default();
        let text = match (letter, width) {
            ('y', _) => day.year().to_string(),
            ('M', 1) => day.month().to_string(),
            ('M', 3) => named(&self.months_short, day.month0()),
            ('M', _) => named(&self.months, day.month0()),
            ('d', _) if day.day() == 1 => self.day_one.clone(),
            ('d', _) => day.day().to_string(),
            ('E', _) => named(&self.days, day.weekday().num_days_from_monday()),
            (other, width) => other.to_string().repeat(width),
        };
        written.push_str(&text);
    }
}

/// A month as it is compared: small letters without dots, and numbers without leading zeros.
fn fold_month(written: &str) -> String {
    let mut folded = String::with_capacity(written.len());
    for letter in written.trim().to_lowercase().chars() {
        let follows_digit = folded.ends_with(|last: char| last.is_ascii_digit());
        if letter != '.' && (letter != '0' || follows_digit) {
            folded.push(letter);
        }
    }
    folded
}

/// A minus is written in front of the symbol, as U+2212.
fn split_sign(decimal: &str) -> (&'static str, &str) {
    decimal
        .strip_prefix('-')
        .map_or(("", decimal), |digits| ("−", digits))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Amounts are pence; those without any are written without.
    fn pounds(minor: i64) -> String {
        let (whole, pence) = ((minor / 100).abs(), (minor % 100).abs());
        let sign = if minor < 0 { "-" } else { "" };
        match pence {
            0 => format!("{sign}{whole}"),
            pence => format!("{sign}{whole}.{pence:02}"),
        }
    }

    fn write(lang: Language, is: &str, of: &Value) -> Option<String> {
        let forms = forms_of(lang);
        let amount = || pounds(of.as_i64().unwrap());
        let day = || {
            let text = of.as_str().unwrap();
            let whole = if text.len() == 7 {
                format!("{text}-01")
            } else {
                text.to_owned()
            };
            domain::calendar::read_day(&whole).unwrap()
        };
        Some(match is {
            "number" => forms.write_number(&of.to_string()),
            "money" => forms.write_money(&amount(), "£"),
            "money_code" => forms.write_books_money(&amount(), "GBP"),
            "long" => forms.write_long_day(day()),
            "day" => forms.write_day(day()),
            "short" => forms.write_short_day(day()),
            "month" => forms.write_month(day()),
            "plural" if forms.is_one(&of.to_string()) => "one".to_owned(),
            "plural" => "other".to_owned(),
            _ => return None,
        })
    }

    /// Pence are written where there are any, whole amounts are grouped, and a currency without pence keeps its zeros.
    #[test]
    fn prices_are_written_as_their_reader_does() {
        let cases = [
            (Language::En, Currency::Gbp, 125_000, "£1,250", "£1,250.00"),
            (Language::En, Currency::Gbp, 125_050, "£1,250.50", "£1,250.50"),
            (
                Language::De,
                Currency::Gbp,
                125_050,
                "1.250,50\u{a0}£",
                "1.250,50\u{a0}£",
            ),
            (Language::Es, Currency::Gbp, 25_000, "250\u{a0}£", "250,00\u{a0}£"),
            (Language::En, Currency::Gbp, 0, "£0", "£0.00"),
            (Language::Zh, Currency::Jpy, 12_000, "¥12,000", "¥12,000"),
            (
                Language::En,
                Currency::Dkk,
                125_000,
                "kr\u{a0}1,250",
                "kr\u{a0}1,250.00",
            ),
        ];
        for (lang, currency, minor, price, exact) in cases {
            let money = Money::new(minor, currency);
            assert_eq!(forms_of(lang).write_price(money), price, "{money} {lang:?}");
            assert_eq!(forms_of(lang).write_exact_price(money), exact, "{money} {lang:?}");
            assert_eq!(forms_of(lang).write_kept_money(&money.to_string()), exact);
        }
    }

    #[test]
    fn kept_texts_that_are_no_amounts_stay() {
        for text in ["", "£", "1250", "soon", "£12 of £20", "M•••", "visa 4242"] {
            assert_eq!(forms_of(Language::De).write_kept_money(text), text);
        }
    }

    #[test]
    fn months_are_read_as_each_language_writes_them() {
        for (lang, written, year, month) in [
            (Language::En, "september", None, 9),
            (Language::En, "Sept", None, 9),
            (Language::En, "sep 2027", Some(2027), 9),
            (Language::En, "September 2027", Some(2027), 9),
            (Language::Zh, "9月", None, 9),
            (Language::Zh, "2027年09月", Some(2027), 9),
            (Language::Zh, "12月", None, 12),
            (Language::Es, "septiembre de 2027", Some(2027), 9),
            (Language::De, "März", None, 3),
        ] {
            assert_eq!(
                forms_of(lang).read_month(written),
                Some((year, month)),
                "{written}"
            );
        }
        for other in ["", "9", "13月", "2027", "se", "september 27", "2027-09", "soon"] {
            for lang in Language::ALL {
                assert_eq!(forms_of(lang).read_month(other), None, "{lang:?} {other}");
            }
        }
    }

    /// GLOSSARY.md §3 and §4; the browser's tests read the same table.
    #[test]
    fn all_languages_write_the_table_of_cases() {
        let table: Vec<Value> = serde_json::from_str(include_str!("../../../i18n/forms.cases.json")).unwrap();
        let mut written = 0;
        for row in &table {
            for lang in Language::ALL {
                let is = row["is"].as_str().unwrap();
                if let Some(shown) = write(lang, is, &row["of"]) {
                    assert_eq!(Some(shown.as_str()), row[lang.code()].as_str(), "{is} {lang:?}");
                    written += 1;
                }
            }
        }
        assert!(written > 70, "{written} cases");
    }
}
