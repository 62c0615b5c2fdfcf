//! The ledger: double entry from payment events, by the rule in the domain; sums to zero per event, so per currency too.

use domain::id::PaymentId;
use domain::payment::{Payment, PaymentEvent, ledger};
use eventlog::RecordedEvent;
use sqlx::{AnyConnection, AnyPool};
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

use crate::payment_audit::instant;
use crate::payment_page::kind;

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow {
    pub position: i64,
    pub recorded_at: String,
    pub kind: String,
    pub account: String,
    pub debit_minor: i64,
    pub credit_minor: i64,
}

tables::from_row!(LedgerRow {
    position,
    recorded_at,
    kind,
    account,
    debit_minor,
    credit_minor
});

const TABLE: Table = Table {
    name: "ledger_line",
    columns: &[
        Number("position"),
        Number("place"),
        Text("payment_id"),
        Text("recorded_at"),
        Text("kind"),
        Text("account"),
        Number("debit_minor"),
        Number("credit_minor"),
        Text("currency"),
        Text("source"),
    ],
    key: 2,
};

/// The lines that an event adds, as they are stored.
pub(crate) fn lines(
    payment_id: PaymentId,
    before: &Payment,
    event: &PaymentEvent,
    record: &RecordedEvent,
) -> Vec<Vec<Value>> {
    let Some(currency) = before.terms.as_ref().map(|terms| terms.quote.currency) else {
        return Vec::new();
    };
    let posting = Posting {
        payment_id: payment_id.to_string(),
        kind: kind(event).unwrap_or("noted"),
        currency: currency.code().to_owned(),
        source: None,
    };
    stored(&posting, ledger::entries(before, event), record)
}

/// What the entries of one event share.
pub(crate) struct Posting {
    /// Empty where no payment made them.
    pub payment_id: String,
    pub kind: &'static str,
    pub currency: String,
    /// The provider's object that made them.
    pub source: Option<String>,
}

/// The entries of an event, as they are stored.
pub(crate) fn stored(
    posting: &Posting,
    entries: Vec<ledger::Entry>,
    record: &RecordedEvent,
) -> Vec<Vec<Value>> {
    let line = |(place, entry): (i64, ledger::Entry)| {
        row![
            record.position.cast_signed(),
            place,
            posting.payment_id.as_str(),
            instant(record.recorded_at),
            posting.kind,
            entry.account.name(),
            entry.debit_minor.cast_signed(),
            entry.credit_minor.cast_signed(),
            posting.currency.as_str(),
            posting.source.as_deref(),
        ]
    };
    (0_i64..).zip(entries).map(line).collect()
}

/// Writes lines.
pub(crate) async fn put(connection: &mut AnyConnection, lines: &[Vec<Value>]) -> Result<(), sqlx::Error> {
    TABLE.put(connection, lines).await
}

/// The lines of one payment, in order.
///
/// # Errors
/// When the read models cannot be read.
pub async fn of_payment(pool: &AnyPool, payment_id: PaymentId) -> Result<Vec<LedgerRow>, sqlx::Error> {
    sqlx::query_as(
        "select position, recorded_at, kind, account, debit_minor, credit_minor from ledger_line
         where payment_id = $1 order by position, place",
    )
    .bind(payment_id.to_string())
    .fetch_all(pool)
    .await
}

/// Debits minus credits per currency: zero, or the books are wrong.
///
/// # Errors
/// When the read models cannot be read.
pub async fn balances(pool: &AnyPool) -> Result<Vec<(String, i64)>, sqlx::Error> {
    sqlx::query_as("select currency, cast(sum(debit_minor - credit_minor) as bigint) from ledger_line group by currency order by currency")
        .fetch_all(pool)
        .await
}
