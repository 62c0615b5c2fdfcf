//! The books: what movements and payouts of the payment provider post, beside the entries of payments in [`crate::ledger`]. A
//! movement that is told again posts the difference.

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide;
use domain::approval::{ApprovalEvent, Asked};
use domain::books::{line_entries, payout_entries, reward_entries, transfer};
use domain::gateway_event::{GatewayEvent, GatewayEventEvent};
use domain::referral::ReferralEvent;
use eventlog::RecordedEvent;
use sqlx::AnyConnection;
use tables::table::Column::Text;
use tables::table::{Table, Value, row};

use crate::ledger::{Posting, stored};

pub mod query;

const SOURCE: Table = Table {
    name: "book_source",
    columns: &[Text("source_id"), Text("state")],
    key: 1,
};

/// What was told last of a movement or payout.
struct Told {
    source_id: String,
    state: String,
}

tables::from_row!(Told { source_id, state });

/// Movements and payouts that a batch of events tells of.
pub(crate) struct Sources {
    told: BTreeMap<String, String>,
    changed: BTreeSet<String>,
}

impl Sources {
    /// Reads what was told of them before.
    pub(crate) async fn of(
        events: &[RecordedEvent],
        connection: &mut AnyConnection,
    ) -> Result<Self, sqlx::Error> {
        let of_gateway = events
            .iter()
            .filter(|event| event.stream.kind == GatewayEvent::KIND);
        let ids: BTreeSet<String> = of_gateway.map(|event| event.stream.id.to_string()).collect();
        let among = ids.iter().map(String::as_str).collect();
        let rows: Vec<Told> = SOURCE.read(connection, &[("source_id", among)]).await?;
        Ok(Self {
            told: rows.into_iter().map(|row| (row.source_id, row.state)).collect(),
            changed: BTreeSet::new(),
        })
    }

    /// The lines that an event of the gateway adds, as they are stored.
    pub(crate) fn post(&mut self, event: &GatewayEventEvent, record: &RecordedEvent) -> Vec<Vec<Value>> {
        let source_id = record.stream.id.to_string();
        let before = self.told.get(&source_id).map(String::as_str);
        let (posting, entries, state) = match event {
            GatewayEventEvent::BalanceLineRead(line) => {
                let before = before.and_then(|state| serde_json::from_str(state).ok());
                let source = line.source.clone().unwrap_or_else(|| line.line_id.clone());
                (
                    posting("gateway_fee", &line.currency, source),
                    line_entries(before.as_ref(), line),
                    serde_json::to_string(line),
                )
            }
            GatewayEventEvent::PayoutRead(payout) => {
                let before = before.and_then(|state| serde_json::from_str(state).ok());
                (
                    posting("payout", &payout.currency, payout.payout_id.clone()),
                    payout_entries(before.as_ref(), payout),
                    serde_json::to_string(payout),
                )
            }
            GatewayEventEvent::GatewayEventReceived { .. }
            | GatewayEventEvent::NoticeChecked { .. }
            | GatewayEventEvent::NoticeMatched { .. }
            | GatewayEventEvent::NoticeDismissed { .. } => return vec![],
        };
        self.told.insert(source_id.clone(), state.unwrap_or_default());
        self.changed.insert(source_id);
        stored(&posting, entries, record)
    }

    /// Writes what was told last.
    pub(crate) async fn write(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let of = |source_id: &String| self.told.get(source_id).map(String::as_str).unwrap_or_default();
        let rows: Vec<Vec<Value>> = self
            .changed
            .iter()
            .map(|source_id| row![source_id.as_str(), of(source_id)])
            .collect();
        SOURCE.put(connection, &rows).await
    }
}

fn posting(kind: &'static str, currency: &str, source: String) -> Posting {
    Posting {
        payment_id: String::new(),
        kind,
        currency: currency.to_owned(),
        source: Some(source),
    }
}

/// What a referral's reward posts, as it is stored; its source is the referral's id.
pub(crate) fn rewarded(event: &ReferralEvent, record: &RecordedEvent) -> Vec<Vec<Value>> {
    let Some((kind, currency, entries)) = reward_entries(event) else {
        return vec![];
    };
    let posting = posting(kind, currency.code(), record.stream.id.to_string());
    stored(&posting, entries.to_vec(), record)
}

/// What an approved correction posts, as it is stored; any other step of a request posts nothing.
pub(crate) fn corrected(event: &ApprovalEvent, record: &RecordedEvent) -> Vec<Vec<Value>> {
    let ApprovalEvent::Approved {
        what:
            Asked::Correction {
                debit,
                credit,
                amount_minor,
                currency,
                item,
            },
        ..
    } = event
    else {
        return vec![];
    };
    let posting = posting("correction", currency.code(), item.clone());
    stored(
        &posting,
        transfer(*debit, *credit, *amount_minor).to_vec(),
        record,
    )
}
