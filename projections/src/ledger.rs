//! The ledger: double entry from payment events, by the rule in the domain; sums to zero per event, so per currency too.

use domain::id::PaymentId;
use domain::payment::{Payment, PaymentEvent, ledger};
use eventlog::RecordedEvent;
use sqlx::{AnyConnection, AnyPool};

use crate::payment_audit::instant;
use crate::payment_page::kind;
use crate::run::ProjectionError;

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct LedgerRow {
    pub position: i64,
    pub recorded_at: String,
    pub kind: String,
    pub account: String,
    pub debit_minor: i64,
    pub credit_minor: i64,
}

pub(crate) async fn take(
    connection: &mut AnyConnection,
    payment_id: PaymentId,
    before: &Payment,
    event: &PaymentEvent,
    record: &RecordedEvent,
) -> Result<(), ProjectionError> {
    let Some(currency) = before.terms.as_ref().map(|terms| terms.quote.currency) else {
        return Ok(());
    };
    for (place, entry) in (0_i64..).zip(ledger::entries(before, event)) {
        sqlx::query(
            "insert into ledger_line
             (position, place, payment_id, recorded_at, kind, account, debit_minor, credit_minor, currency)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             on conflict (position, place) do update set payment_id = excluded.payment_id,
             recorded_at = excluded.recorded_at, kind = excluded.kind, account = excluded.account,
             debit_minor = excluded.debit_minor, credit_minor = excluded.credit_minor,
             currency = excluded.currency",
        )
        .bind(record.position.cast_signed())
        .bind(place)
        .bind(payment_id.to_string())
        .bind(instant(record.recorded_at))
        .bind(kind(event).unwrap_or("noted"))
        .bind(entry.account.name())
        .bind(entry.debit_minor.cast_signed())
        .bind(entry.credit_minor.cast_signed())
        .bind(currency.code())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
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
