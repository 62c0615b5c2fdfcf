//! Words of banks in CSV: which way the money goes, whether it moved, and which rows sum up others.

use crate::{Status, Unit};

/// Words for money that goes out and that comes in, in a column beside amounts without a sign.
const OUT: &[&str] = &[
    "d",
    "dr",
    "dt",
    "dbit",
    "debit",
    "debits",
    "debet",
    "débit",
    "debito",
    "débito",
    "af",
    "soll",
    "s",
    "rc",
    "out",
    "outgoing",
    "outbound",
    "money out",
    "paid out",
    "payment out",
    "transfer out",
    "sent",
    "-",
    "withdrawal",
    "lastschrift",
    "belastung",
    "cargo",
    "debe",
    "dare",
    "addebito",
    "借",
    "借方",
    "支出",
    "转出",
];
const IN: &[&str] = &[
    "c",
    "cr",
    "ct",
    "crdt",
    "credit",
    "credits",
    "kredit",
    "crédit",
    "credito",
    "crédito",
    "bij",
    "haben",
    "h",
    "rd",
    "in",
    "incoming",
    "inbound",
    "money in",
    "paid in",
    "payment in",
    "transfer in",
    "received",
    "+",
    "deposit",
    "gutschrift",
    "abono",
    "haber",
    "avere",
    "accredito",
    "贷",
    "贷方",
    "收入",
    "转入",
];

/// Words of a status; an empty cell is booked.
const BOOKED: [&str; 11] = [
    "",
    "booked",
    "cleared",
    "complete",
    "completed",
    "executed",
    "gebucht",
    "paid",
    "posted",
    "settled",
    "umsatz gebucht",
];
const PENDING: [&str; 7] = [
    "authorised",
    "authorized",
    "in_transit",
    "pending",
    "scheduled",
    "umsatz vorgemerkt",
    "vorgemerkt",
];
/// No money moved, or it went back.
const UNMOVED: [&str; 5] = ["canceled", "cancelled", "declined", "failed", "reverted"];

/// Words of rows that sum up others.
const TOTALS: [&str; 25] = [
    "total",
    "totals",
    "subtotal",
    "balance",
    "brought forward",
    "carried forward",
    "opening",
    "closing",
    "saldo",
    "anfangssaldo",
    "endsaldo",
    "beginsaldo",
    "eindsaldo",
    "solde",
    "summe",
    "gesamtsumme",
    "zwischensumme",
    "gesamt",
    "gesamtbetrag",
    "totaal",
    "suma",
    "合计",
    "余额",
    "期初",
    "期末",
];

/// Whether a row sums up others, by a whole word of it: `Totally Ltd` does not. Chinese is written without spaces.
pub(crate) fn is_total(cells: &[String]) -> bool {
    cells.iter().any(|cell| {
        let cell = cell.to_lowercase();
        let words = cell.split(|sign: char| !sign.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        TOTALS.iter().any(|total| {
            let total_words: Vec<&str> = total.split(' ').collect();
            let is_said = words.windows(total_words.len()).any(|said| said == total_words);
            is_said || (!total.is_ascii() && cell.contains(total))
        })
    })
}

/// Words beside those of [`TOTALS`] in a row that is nothing but a balance or a total: `Closing balance as at 28 November`.
const BESIDE_TOTALS: &[&str] = &[
    "a",
    "account",
    "all",
    "alter",
    "am",
    "amount",
    "as",
    "at",
    "au",
    "available",
    "b",
    "beginning",
    "bf",
    "book",
    "c",
    "cf",
    "cleared",
    "cr",
    "credit",
    "credits",
    "current",
    "d",
    "daily",
    "day",
    "debit",
    "debits",
    "dr",
    "end",
    "ending",
    "f",
    "final",
    "for",
    "from",
    "grand",
    "im",
    "in",
    "initial",
    "ledger",
    "money",
    "month",
    "net",
    "neuer",
    "new",
    "of",
    "old",
    "on",
    "out",
    "paid",
    "per",
    "period",
    "previous",
    "running",
    "start",
    "statement",
    "sum",
    "the",
    "to",
    "transactions",
    "vom",
    "zum",
];
/// The same where words have no spaces between them.
const BESIDE_TOTALS_WHOLE: &[&str] = &[
    "账户", "可用", "本页", "本期", "本月", "上期", "上月", "当日", "借方", "贷方", "总",
];

/// Whether words are a balance or a total and nothing else: a payment to `TOTAL ENERGIES` is none.
pub(crate) fn is_total_alone(words: &str) -> bool {
    let words = words.to_lowercase();
    let says_total = is_total(std::slice::from_ref(&words));
    let is_beside = |word: &&str| {
        let is_known = BESIDE_TOTALS.contains(word)
            || TOTALS
                .iter()
                .any(|total| total.split(' ').any(|part| part == *word));
        is_known
            || word.contains(|sign: char| sign.is_ascii_digit())
            || word.parse::<chrono::Month>().is_ok()
            || Unit::from_code(word).is_some()
            || is_total_in_one(word)
    };
    let parts = words.split(|sign: char| !sign.is_alphanumeric());
    says_total && parts.filter(|part| !part.is_empty()).all(|part| is_beside(&part))
}

/// Whether a text without spaces is a total: `期末余额`.
fn is_total_in_one(text: &str) -> bool {
    let known = TOTALS
        .iter()
        .filter(|total| !total.is_ascii())
        .chain(BESIDE_TOTALS_WHOLE);
    known
        .fold(text.to_owned(), |rest, word| rest.replace(word, ""))
        .is_empty()
}

/// Whether the money of a row moved, by its status.
pub(crate) fn read_status(word: &str) -> Option<Status> {
    let word = word.to_lowercase();
    let is_of = |words: &[&str]| words.contains(&word.as_str());
    if is_of(&BOOKED) {
        Some(Status::Booked)
    } else if is_of(&PENDING) {
        Some(Status::Pending)
    } else {
        is_of(&UNMOVED).then_some(Status::Informational)
    }
}

/// Whether a word says that money goes out.
pub(crate) fn read_direction(word: &str) -> Option<bool> {
    let word = word.to_lowercase();
    if OUT.contains(&word.as_str()) {
        Some(true)
    } else {
        IN.contains(&word.as_str()).then_some(false)
    }
}
