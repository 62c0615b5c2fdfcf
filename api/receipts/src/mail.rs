//! A document as the lines of a mail.

use domain::language::Language;
use domain::money::Money;
use domain::payment::receipt::{ReceiptFacts, ReceiptKind};
use platform::forms::forms_of;

use crate::texts::{line, say};

/// The amounts of a document, one a line, the total last. A line of nothing, such as a fee that is not taken, is left out.
pub fn lines(facts: &ReceiptFacts, lang: Language) -> String {
    let write_amount = |minor| forms_of(lang).write_exact_price(Money::new(minor, facts.currency));
    let row = |label: String, minor| {
        say(
            lang,
            "mail_line",
            &[("label", &label), ("amount", &write_amount(minor))],
        )
    };
    let total = match facts.kind {
        ReceiptKind::Receipt => "total_paid",
        ReceiptKind::CreditNote => "total_refunded",
    };
    let rows = facts
        .lines
        .iter()
        .filter(|due| due.amount_minor > 0)
        .map(|due| row(line(lang, due), due.amount_minor));
    let rows: Vec<_> = rows
        .chain([row(say(lang, total, &[]), facts.total_minor)])
        .collect();
    rows.join("\n")
}
