//! Says to a payer what their bank has of a payment: what it took back for good, and what it keeps until it has decided a dispute.

use domain::language::Language;
use domain::money::Money;
use domain::payment::Payment;
use platform::forms::forms_of;
use platform::texts::text;

/// Sentences about what banks have of a payment; none where they have nothing.
pub fn describe_bank_money(language: Language, payment: &Payment) -> Vec<String> {
    let Some(currency) = payment.terms.as_ref().map(|terms| terms.quote.currency) else {
        return Vec::new();
    };
    let lost = payment.lost_minor();
    let sums = [
        ("mail.money_back.lost", lost),
        (
            "mail.money_back.disputed",
            payment.disputed_minor().saturating_sub(lost),
        ),
    ];
    let had = sums.into_iter().filter(|(_, minor)| *minor > 0);
    had.map(|(key, minor)| {
        let amount = forms_of(language).write_price(Money::new(minor, currency));
        text(language, key, &[("amount", &amount)])
    })
    .collect()
}
