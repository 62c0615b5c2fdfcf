//! Words of banks in CSV: which way the money goes, whether it moved, and which rows sum up others.

use crate::Status;

/// Words for money that goes out and that comes in, in a column beside amounts without a sign.
const OUT: [&str; 14] = [
    "d",
    "dr",
    "dt",
    "dbit",
    "debit",
    "debet",
    "débit",
    "af",
    "soll",
    "s",
    "rc",
    "out",
    "-",
    "withdrawal",
];
const IN: [&str; 14] = [
    "c", "cr", "ct", "crdt", "credit", "kredit", "crédit", "bij", "haben", "h", "rd", "in", "+", "deposit",
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
