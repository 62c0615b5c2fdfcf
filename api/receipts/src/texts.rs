//! A document's texts in its reader's language.

use domain::language::Language;
use domain::moment::Moment;
use domain::money::Money;
use domain::payment::Card;
use domain::payment::receipt::{ReceiptFacts, ReceiptLine};
use platform::texts::text;

/// The text under `receipt.<key>`.
pub(crate) fn say(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    text(lang, &format!("receipt.{key}"), values)
}

/// An amount with the ISO code of its currency and as many decimals as the currency has, such as `GBP 259.07` and `KRW 12000`.
pub(crate) fn amount(facts: &ReceiptFacts, amount_minor: u64) -> String {
    let money = Money::new(amount_minor, facts.currency);
    format!("{} {}", facts.currency.code(), money.decimal())
}

/// What a line is for.
pub(crate) fn line(lang: Language, line: &ReceiptLine) -> String {
    say(lang, &format!("line_{}", line.kind.name()), &[])
}

/// How it was paid.
pub(crate) fn method(lang: Language, card: Option<&Card>) -> String {
    match card {
        Some(card) => {
            let mut letters = card.brand.chars();
            let first = letters.next().map(|letter| letter.to_uppercase().to_string());
            let brand = first.unwrap_or_default() + letters.as_str();
            say(lang, "method_card", &[("brand", &brand), ("last4", &card.last4)])
        }
        None => say(lang, "method_other", &[]),
    }
}

/// A moment, in UTC, as ISO 8601 writes it for people.
pub(crate) fn moment(at: Moment) -> String {
    format!("{} UTC", at.format("%Y-%m-%d %H:%M"))
}
