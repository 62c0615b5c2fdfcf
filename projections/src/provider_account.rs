//! The payment provider's account beside our own books: its movements with their fees, its payouts, and notices that name no
//! payment of ours (rows J3, P13).

use chrono::{DateTime, SecondsFormat};
use domain::aggregate::Decide;
use domain::gateway_event::{GatewayEvent, GatewayEventEvent, GatewayFact};
use domain::moment::Moment;
use domain::settlement::{BalanceLine, Payout};
use eventlog::{CodecError, RecordedEvent};
use futures::future::BoxFuture;
use serde_json::Value as Json;
use sqlx::AnyConnection;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

use crate::payment_audit::instant;
use crate::run::{Projection, ProjectionError};

pub mod query;

const LINES: Table = Table {
    name: "provider_line",
    columns: &[
        Text("line_id"),
        Text("kind"),
        Text("source"),
        Number("amount_minor"),
        Number("fee_minor"),
        Number("net_minor"),
        Text("currency"),
        Text("created_at"),
        Text("available_at"),
        Text("payout_id"),
        Text("exchange_rate"),
    ],
    key: 1,
};
const PAYOUTS: Table = Table {
    name: "provider_payout",
    columns: &[
        Text("payout_id"),
        Number("amount_minor"),
        Text("currency"),
        Text("status"),
        Text("created_at"),
        Text("arrives_at"),
        Number("is_by_hand"),
    ],
    key: 1,
};
const NOTICES: Table = Table {
    name: "unknown_notice",
    columns: &[
        Text("notice_id"),
        Text("received_at"),
        Text("gateway_event_id"),
        Text("kind"),
        Text("object_id"),
        Text("verdict"),
        Text("payment_id"),
        Text("reason"),
        Text("set_aside"),
        Text("named_id"),
    ],
    key: 1,
};

/// The tables of `0470_provider_account.sql`, `0480_exchange_rate.sql`, `0570_set_aside.sql`, `0575_notice_text.sql` and
/// `0581_payout_by_hand.sql`.
pub struct ProviderAccount;

impl Projection for ProviderAccount {
    fn name(&self) -> &'static str {
        "provider_account"
    }

    fn version(&self) -> u32 {
        2
    }

    fn tables(&self) -> &'static [&'static str] {
        &["provider_line", "provider_payout", "unknown_notice"]
    }

    fn indexes_of_readers(&self) -> &'static [&'static str] {
        &[
            "provider_line_source",
            "provider_line_payout",
            "provider_line_time",
            "unknown_notice_time",
        ]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[GatewayEvent::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                take(connection, record).await?;
            }
            Ok(())
        })
    }
}

async fn take(connection: &mut AnyConnection, record: &RecordedEvent) -> Result<(), ProjectionError> {
    let notice_id = record.stream.id.to_string();
    match record.decode_sealed::<GatewayEvent>()? {
        GatewayEventEvent::BalanceLineRead(line) => LINES.put(connection, &[stored_line(&line)]).await?,
        GatewayEventEvent::PayoutRead(payout) => PAYOUTS.put(connection, &[stored_payout(&payout)]).await?,
        GatewayEventEvent::NoticeMatched { payment_id, .. } => {
            judge(
                connection,
                &notice_id,
                ("matched", Some(payment_id.to_string()), None),
            )
            .await?;
        }
        GatewayEventEvent::NoticeChecked { .. } => {}
        GatewayEventEvent::NoticeDismissed { reason, .. } => {
            judge(connection, &notice_id, ("dismissed", None, Some(reason.key()))).await?;
        }
        received @ GatewayEventEvent::GatewayEventReceived { .. } => {
            let waiting: Vec<_> = unknown(record, received).into_iter().collect();
            NOTICES.put(connection, &waiting).await?;
        }
    }
    Ok(())
}

fn stored_line(line: &BalanceLine) -> Vec<Value> {
    row![
        line.line_id.as_str(),
        line.kind.as_str(),
        line.source.as_deref(),
        line.amount_minor,
        line.fee_minor,
        line.net_minor,
        line.currency.as_str(),
        instant(line.created_at),
        instant(line.available_at),
        line.payout_id.as_deref(),
        line.exchange_rate.as_deref(),
    ]
}

fn stored_payout(payout: &Payout) -> Vec<Value> {
    row![
        payout.payout_id.as_str(),
        payout.amount_minor,
        payout.currency.as_str(),
        payout.status.as_str(),
        instant(payout.created_at),
        instant(payout.arrives_at),
        payout.is_by_hand.map(i64::from),
    ]
}

/// A notice as it waits. Its text is sealed under its payer's key and is read when it is shown: rows are the same once that key is gone.
fn unknown(record: &RecordedEvent, received: GatewayEventEvent) -> Option<Vec<Value>> {
    let GatewayEventEvent::GatewayEventReceived {
        gateway_event_id,
        gateway_event_type,
        object_id,
        payment_id: None,
        set_aside,
        fact,
        ..
    } = received
    else {
        return None;
    };
    (fact != GatewayFact::Noted).then(|| {
        row![
            record.stream.id.to_string(),
            instant(record.recorded_at),
            gateway_event_id,
            gateway_event_type,
            object_id,
            None::<String>,
            None::<String>,
            None::<String>,
            set_aside.map(|aside| aside.reason.key()),
            set_aside.and_then(|aside| aside.named).map(|id| id.to_string()),
        ]
    })
}

/// Of a notice's text what helps to find its payment and tells of no person; nothing once its payer is forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoticeText {
    pub amount_minor: Option<i64>,
    pub currency: Option<String>,
    /// When it happened, by the provider's clock.
    pub told_at: Option<String>,
    /// Names of what the sender wrote beside it, without what was written.
    pub metadata: String,
}

impl NoticeText {
    /// Opens the text of the event that took a notice in.
    ///
    /// # Errors
    /// When the sealed part was changed, or the keys cannot be read.
    pub fn open(record: &RecordedEvent) -> Result<Self, CodecError> {
        let GatewayEventEvent::GatewayEventReceived { raw, fact, .. } = record.decode::<GatewayEvent>()?
        else {
            return Ok(Self::default());
        };
        let text = raw.0.map(|secret| secret.0).unwrap_or_default();
        let told: Json = serde_json::from_str(&text).unwrap_or_default();
        let object = &told["data"]["object"];
        let metadata = object["metadata"].as_object().into_iter().flatten();
        let names: Vec<&str> = metadata.map(|(name, _)| name.as_str()).collect();
        let told_at = told["created"]
            .as_i64()
            .and_then(|at| DateTime::from_timestamp(at, 0));
        Ok(Self {
            // What was taken in of it is in minor units, whichever way the provider counts.
            amount_minor: fact
                .amount_minor()
                .and_then(|minor| i64::try_from(minor).ok())
                .or_else(|| object["amount"].as_i64()),
            currency: object["currency"].as_str().map(str::to_uppercase),
            told_at: told_at.map(|at: Moment| at.to_rfc3339_opts(SecondsFormat::Micros, true)),
            metadata: names.join(", "),
        })
    }
}

async fn judge(
    connection: &mut AnyConnection,
    notice_id: &str,
    (verdict, payment_id, reason): (&str, Option<String>, Option<&str>),
) -> Result<(), ProjectionError> {
    sqlx::query("update unknown_notice set verdict = $1, payment_id = $2, reason = $3 where notice_id = $4")
        .bind(verdict)
        .bind(payment_id)
        .bind(reason)
        .bind(notice_id)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
