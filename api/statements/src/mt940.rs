//! Reads MT940 (SWIFT): the tags `:60F:`, `:61:`, `:86:` and `:62F:`; the comma is the decimal sign, always. Read here and not by a
//! crate: the crate `mt940` refuses a file whole for one line that it does not know, and banks write dialects.

use chrono::{Datelike as _, NaiveDate};
use domain::typed_number::{self, DecimalSign, NumberDoubt};

use crate::{
    Covered, Entry, Fault, Form, NotRead, Reason, Statement, Status, Uncovered, Unit, cut_account, cut_words,
    take, within_bounds,
};

/// A tag with its text; the lines behind it belong to it.
struct Field<'a> {
    line: usize,
    tag: &'a str,
    text: String,
}

/// Whether a text has lines of a statement's tags.
pub(crate) fn is_mt940(text: &str) -> bool {
    let begins = |tag: &str| text.lines().any(|line| line.trim_start().starts_with(tag));
    (begins(":60F:") || begins(":60M:")) && (begins(":20:") || begins(":25:") || begins(":61:"))
}

/// Reads the statements of a file.
///
/// # Errors
/// For too many rows.
pub(crate) fn read(text: &str) -> Result<Statement, Fault> {
    let mut statement = Statement {
        form: Form::Mt940,
        account_end: None,
        rows: 0,
        entries: Vec::new(),
        not_read: Vec::new(),
        covered: Vec::new(),
        uncovered: None,
        account_of: None,
    };
    let fields = split_fields(text);
    let mut account = Account::default();
    let mut number = String::new();
    for (place, field) in fields.iter().enumerate() {
        match field.tag {
            "25" | "25P" => {
                field
                    .text
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .clone_into(&mut number);
                statement.account_end = statement.account_end.or_else(|| cut_account(&number));
            }
            "60M" if account.is_followed_by(&number, &field.text) => account.next_page = None,
            "60F" | "60M" => {
                statement.uncovered = statement.uncovered.or(account.find_gap());
                account = Account {
                    is_page: field.tag == "60M",
                    opening: read_balance(&field.text),
                    first_entry: statement.entries.len(),
                    next_page: None,
                };
            }
            "61" => {
                let details = fields.get(place + 1).filter(|next| next.tag == "86");
                let entry = read_entry(field, details, account.opening.map(|(unit, _)| unit));
                take(&mut statement, entry.map(|entry| vec![entry]))?;
            }
            "62M" => account.next_page = Some((number.clone(), field.text.clone())),
            "62F" => match account.coverage(&field.text, &statement.entries[account.first_entry..]) {
                Ok(covered) => statement.covered.push(covered),
                Err(why) => statement.uncovered = Some(why),
            },
            _ => {}
        }
    }
    statement.uncovered = statement.uncovered.or(account.find_gap());
    if statement.covered.is_empty() && statement.uncovered.is_none() {
        statement.uncovered = Some(Uncovered::Period);
    }
    Ok(statement)
}

/// An account's statement since its opening balance.
#[derive(Default)]
struct Account {
    /// The pages before it are not in the file: balances `M` stand between the pages of one statement.
    is_page: bool,
    opening: Option<(Unit, NaiveDate)>,
    first_entry: usize,
    /// Account and balance with which the next page begins.
    next_page: Option<(String, String)>,
}

impl Account {
    /// Whether an opening balance begins the next page of this statement.
    fn is_followed_by(&self, number: &str, opening: &str) -> bool {
        let next = self.next_page.as_ref();
        next.is_some_and(|(account, balance)| account == number && balance.trim() == opening.trim())
    }

    /// A page that the file lacks.
    fn find_gap(&self) -> Option<Uncovered> {
        self.next_page.as_ref().map(|_| Uncovered::Page)
    }

    /// From the day after the opening balance to the closing one. Without an opening day, from the first booked entry: value days may be
    /// earlier than all that the statement lists.
    fn coverage(&self, closing: &str, entries: &[Entry]) -> Result<Covered, Uncovered> {
        if self.is_page {
            return Err(Uncovered::Page);
        }
        let (unit, last) = read_balance(closing).ok_or(Uncovered::Period)?;
        let opening = self.opening.and_then(|(_, opening)| opening.succ_opt());
        let booked = entries.iter().filter(|entry| entry.status == Status::Booked);
        let first = opening.or_else(|| booked.map(|entry| entry.day).min());
        let first = first.map_or(last, |first| first.min(last));
        Ok(Covered {
            currency: unit.code.to_owned(),
            first,
            last,
        })
    }
}

/// Lines `:NN:` with what follows up to the next one; envelopes `{1:…}` and `-}` are left out.
fn split_fields(text: &str) -> Vec<Field<'_>> {
    let mut fields: Vec<Field<'_>> = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let line = line.trim();
        let tagged = line.strip_prefix(':').and_then(|rest| rest.split_once(':'));
        let tagged = tagged.filter(|(tag, _)| {
            (2..=3).contains(&tag.len()) && tag.as_bytes().iter().take(2).all(u8::is_ascii_digit)
        });
        if let Some((tag, text)) = tagged {
            fields.push(Field {
                line: place + 1,
                tag,
                text: text.to_owned(),
            });
        } else if let Some(last) = fields.last_mut().filter(|_| !line.starts_with(['{', '-'])) {
            last.text.push('\n');
            last.text.push_str(line);
        }
    }
    fields
}

/// `C261127GBP8814,80`: the currency and the day.
fn read_balance(text: &str) -> Option<(Unit, NaiveDate)> {
    let rest = text.strip_prefix(['C', 'D'])?;
    Some((
        Unit::from_code(rest.get(6..9)?)?,
        read_six_digits(rest.get(..6)?)?,
    ))
}

/// `261128`.
fn read_six_digits(text: &str) -> Option<NaiveDate> {
    let number = |part: &str| part.parse::<u32>().ok();
    let is_number = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return None;
    }
    let year = number(&text[..2])?;
    // Statements of the last century have no payouts; 80 to 99 are of it all the same.
    let century = if year < 80 { 2000 } else { 1900 };
    NaiveDate::from_ymd_opt(
        (century + year).cast_signed(),
        number(&text[2..4])?,
        number(&text[4..])?,
    )
}

/// `:61:2611281128CR8814,80NTRFpo_1//bank` and the `:86:` behind it.
fn read_entry(field: &Field<'_>, details: Option<&Field<'_>>, unit: Option<Unit>) -> Result<Entry, NotRead> {
    let not_read = |reason| NotRead {
        line: field.line,
        text: cut_words(&field.text.replace('\n', " ")),
        reason,
    };
    let text = field.text.as_str();
    let value = text
        .get(..6)
        .and_then(read_six_digits)
        .ok_or_else(|| not_read(Reason::Day))?;
    let rest = &text[6..];
    let is_booked = rest.len() >= 4 && rest.as_bytes()[..4].iter().all(u8::is_ascii_digit);
    let day = if is_booked {
        read_booking_day(value, &rest[..4]).ok_or_else(|| not_read(Reason::Day))?
    } else {
        value
    };
    let rest = if is_booked { &rest[4..] } else { rest };
    let (is_debit, status, rest) = read_direction(rest).ok_or_else(|| not_read(Reason::Direction))?;
    // The last letter of the currency may stand before the amount: `CP8814,80` is a credit in GBP.
    let rest = rest
        .strip_prefix(|letter: char| letter.is_ascii_alphabetic())
        .unwrap_or(rest);
    let end = rest
        .find(|sign: char| !sign.is_ascii_digit() && !matches!(sign, ',' | '.'))
        .unwrap_or(rest.len());
    let unit = unit.ok_or_else(|| not_read(Reason::Currency))?;
    let size = read_amount(&rest[..end], unit).map_err(not_read)?;
    let name = rest[end..].get(4..).unwrap_or_default();
    let details = details.map_or("", |details| details.text.as_str());
    let words = format!("{name} {details}")
        .replace("//", " ")
        .replace("NONREF", " ");
    let words: Vec<&str> = words.split_whitespace().collect();
    Ok(Entry {
        line: field.line,
        day,
        amount_minor: if is_debit { -size } else { size },
        unit,
        status,
        reference: cut_words(&words.join(" ")),
    })
}

/// The day of booking, which has no year: that of the value day, or next to it around New Year.
fn read_booking_day(value: NaiveDate, text: &str) -> Option<NaiveDate> {
    let (month, day) = (text[..2].parse().ok()?, text[2..].parse().ok()?);
    let near = [0, 1, -1]
        .into_iter()
        .filter_map(|years| NaiveDate::from_ymd_opt(value.year() + years, month, day));
    near.min_by_key(|near| (*near - value).num_days().abs())
}

/// `C` and `RD` are credits, `D` and `RC` debits; `E` marks what is expected.
fn read_direction(text: &str) -> Option<(bool, Status, &str)> {
    [
        ("RC", true, Status::Booked),
        ("RD", false, Status::Booked),
        ("EC", false, Status::Pending),
        ("ED", true, Status::Pending),
        ("C", false, Status::Booked),
        ("D", true, Status::Booked),
    ]
    .into_iter()
    .find_map(|(mark, is_debit, status)| Some((is_debit, status, text.strip_prefix(mark)?)))
}

/// `8814,80`, `8814,`.
fn read_amount(text: &str, unit: Unit) -> Result<i64, Reason> {
    if text.starts_with(',') || text.contains('.') || text.matches(',').count() > 1 {
        return Err(Reason::NoAmount);
    }
    match typed_number::read_amount(text.trim_end_matches(','), unit, Some(DecimalSign::Comma)) {
        Ok(size) => i64::try_from(size)
            .ok()
            .and_then(within_bounds)
            .ok_or(Reason::NoAmount),
        Err(NumberDoubt::TooFine) => Err(Reason::TooFine),
        Err(_) => Err(Reason::NoAmount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(entries: &str) -> String {
        format!(
            "{{1:F01ABNANL2AXXXX}}{{4:\r\n:20:ABN AMRO BANK NV\r\n:25:GB123\r\n:28C:33201/1\r\n:60F:C261127GBP1000,00\r\n{entries}\r\n\
             :62F:C261130GBP10424,80\r\n-}}\r\n"
        )
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn entries_have_sign_day_and_words() {
        for (line, expected) in [
            ("2611281128C8814,80NTRFpo_1//B4711", Ok((881_480, "2026-11-28"))),
            ("2611281128CP8814,8NTRFNONREF", Ok((881_480, "2026-11-28"))),
            ("261128D000000008814,NTRFNONREF", Ok((-881_400, "2026-11-28"))),
            ("2611281128RC5,NTRFNONREF", Ok((-500, "2026-11-28"))),
            ("2611281128RD5,NTRFNONREF", Ok((500, "2026-11-28"))),
            ("2612310102C5,NTRFNONREF", Ok((500, "2027-01-02"))),
            ("2611311128C5,NTRFNONREF", Err(Reason::Day)),
            ("2611281128X5,NTRFNONREF", Err(Reason::Direction)),
            ("2611281128C5.50NTRFNONREF", Err(Reason::NoAmount)),
            ("2611281128C5,123NTRFNONREF", Err(Reason::TooFine)),
            ("2611281128CNTRFNONREF", Err(Reason::NoAmount)),
        ] {
            let statement = read(&file(&format!(":61:{line}\r\n:86:x"))).unwrap();
            let told = statement
                .entries
                .first()
                .map(|entry| (entry.amount_minor, entry.day));
            let told = told.ok_or_else(|| statement.not_read[0].reason);
            assert_eq!(told, expected.map(|(minor, on)| (minor, day(on))), "{line}");
        }
    }

    #[test]
    fn details_of_several_lines_are_one_text() {
        let entry = ":61:2611281128C8814,80NTRFNONREF//B4711\r\nsupplement\r\n:86:/TRTP/SEPA/REMI/po_408533892\r\n4aadb71ecca0e26/EREF/x";
        let statement = read(&file(entry)).unwrap();
        assert_eq!(
            statement.entries[0].reference,
            "B4711 supplement /TRTP/SEPA/REMI/po_408533892 4aadb71ecca0e26/EREF/x"
        );
        assert_eq!((statement.entries[0].line, statement.rows), (6, 1));
    }

    #[test]
    fn period_is_that_of_the_balances() {
        let covered = |text: &str| {
            let statement = read(text).unwrap();
            let told = statement.covered.first();
            told.map(|one| format!("{} {} {}", one.currency, one.first, one.last))
        };
        assert_eq!(covered(&file("")).as_deref(), Some("GBP 2026-11-28 2026-11-30"));
        // Value days do not stretch it, nor what is announced.
        for entry in [
            "261103D5,NCHGNONREF",
            "261215C5,NTRFNONREF",
            "2612151215EC5,NTRFNONREF",
        ] {
            let stretched = file(&format!(":61:{entry}"));
            let expected = Some("GBP 2026-11-28 2026-11-30");
            assert_eq!(covered(&stretched).as_deref(), expected, "{entry}");
        }
        let one_day = file("").replace("C261127", "C261130");
        assert_eq!(covered(&one_day).as_deref(), Some("GBP 2026-11-30 2026-11-30"));
        assert_eq!(covered(&file("").replace(":62F:", ":62M:")), None);
        assert_eq!(covered(&file("").replace(":62F:", ":64:")), None);
        let turned = |text: &str| text.replace(":62F:", ":62M:");
        let second = |text: &str| {
            let next = text.replace("C261130GBP10424,80", "C261201GBP1,00");
            next.replace(":60F:C261127GBP1000,00", ":60M:C261130GBP10424,80")
        };
        let pages = turned(&file("")) + &second(&file(""));
        assert_eq!(covered(&pages).as_deref(), Some("GBP 2026-11-28 2026-12-01"));
        assert_eq!(read(&pages).unwrap().uncovered, None);
        for gap in [
            second(&file("")),
            turned(&file("")) + &second(&file("")).replace("GB123", "GB124"),
            turned(&file("")) + &second(&file("")).replace(":60M:C261130", ":60M:C261129"),
            turned(&file("")) + &file(""),
        ] {
            assert_eq!(read(&gap).unwrap().uncovered, Some(Uncovered::Page), "{gap}");
        }
        assert!(is_mt940(&file("")));
        assert!(!is_mt940("Date,Amount\n2026-11-28,:61:\n"));
    }
}
