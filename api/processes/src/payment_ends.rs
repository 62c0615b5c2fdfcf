//! Counts how payments end, for Prometheus: `latchkey_payments_total{end=…}`. A node that takes over may count an end twice.

use domain::payment::PaymentEvent;
use metrics::counter;

/// Every end that is counted.
pub const ENDS: [&str; 5] = ["paid", "declined", "not_begun", "sold_out", "cancelled"];

/// Counts each end as zero, so that the first one is a rise.
pub fn count_from_zero() {
    for end in ENDS {
        counter!("latchkey_payments_total", "end" => end).increment(0);
    }
}

/// Counts what an event ends; a payment that is tried again may end more than once.
pub(crate) fn count_end(event: &PaymentEvent) {
    if let Some(end) = name_end(event) {
        counter!("latchkey_payments_total", "end" => end).increment(1);
    }
}

const fn name_end(event: &PaymentEvent) -> Option<&'static str> {
    match event {
        PaymentEvent::PaymentSucceeded { .. } => Some("paid"),
        PaymentEvent::PaymentDeclined { .. } => Some("declined"),
        PaymentEvent::IntentFailed { .. } => Some("not_begun"),
        PaymentEvent::PaymentSoldOut { .. } => Some("sold_out"),
        PaymentEvent::PaymentCancelled { .. } => Some("cancelled"),
        _ => None,
    }
}
