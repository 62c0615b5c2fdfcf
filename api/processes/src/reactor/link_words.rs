//! What messages about payment links and places of a waitlist name beside the payment.

use domain::id::PaymentId;
use domain::language::Language;
use domain::payment::Payment;
use domain::payment::terms::Terms;
use domain::room_stock::RoomStock;
use eventlog::{EventLog, LogError};
use platform::days::{self, HomeClock};
use platform::texts::text;

use crate::home_clock::choose_place_clock;

/// What the mail about a payment link names beside: what it is for, its address, its days and the words of its maker.
pub(super) fn of_link(
    language: Language,
    payment: &Payment,
    clock: Option<&HomeClock>,
) -> Vec<(&'static str, String)> {
    let (Some(terms), Some(link)) = (&payment.terms, &payment.link) else {
        return vec![];
    };
    let kind = terms.quote.lines.first().map_or("rent", |line| line.kind.code());
    let due_on = terms.link.and_then(|link| link.due_on);
    let due = due_on.map(|day| text(language, "mail.link_due", &[("date", &days::day(language, day))]));
    let note = link
        .words
        .as_ref()
        .map(|words| words.note.as_str())
        .filter(|note| !note.is_empty());
    let said: Vec<String> = due.into_iter().chain(note.map(str::to_owned)).collect();
    vec![
        ("what", text(language, &format!("mail.link_{kind}"), &[])),
        (
            "expires",
            days::day(
                language,
                days::on_clock(language, terms.expires_at, clock).0.date(),
            ),
        ),
        ("with_fee", with_fee(language, terms)),
        ("said", said.join("\n\n")),
    ]
}

/// Says that the amount holds a processing fee, where it does.
fn with_fee(language: Language, terms: &Terms) -> String {
    if terms.quote.processing_fee_minor == 0 {
        return String::new();
    }
    text(language, "mail.link_with_fee", &[])
}

/// Until when a room is kept for the payment's place in the waitlist.
pub(super) async fn of_place(
    log: &EventLog,
    language: Language,
    payment_id: PaymentId,
    terms: &Terms,
    clock: Option<&HomeClock>,
) -> Result<Option<(&'static str, String)>, LogError> {
    let stock = log.load::<RoomStock>(terms.room_id).await?.state;
    let place = stock.waitlist.place(payment_id);
    let until = place.and_then(|place| {
        let until = place.offered_until()?;
        let clock = choose_place_clock(place.time_zone.as_deref(), clock.cloned());
        Some(days::moment(language, until, clock.as_ref()))
    });
    Ok(until.map(|until| ("until", until)))
}
