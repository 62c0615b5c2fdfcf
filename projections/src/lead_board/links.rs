//! Which leads the payments and conversations of a batch of events belong to: read and written at once (decision 0018).

use std::collections::{BTreeSet, HashMap};

use domain::aggregate::Decide;
use domain::case::{Case, CaseEvent};
use domain::id::LeadId;
use domain::payment::{Payment, PaymentEvent};
use eventlog::RecordedEvent;
use sqlx::AnyConnection;
use tables::table::Column::Text;
use tables::table::{Table, row};
use uuid::Uuid;

use crate::run::ProjectionError;

const PAYMENTS: Table = Table {
    name: "payment_link",
    columns: &[Text("payment_id"), Text("lead_id")],
    key: 1,
};
const CASES: Table = Table {
    name: "lead_board_case",
    columns: &[Text("case_id"), Text("lead_id")],
    key: 1,
};

/// The lead of each stream that these events are of, as far as it is known.
pub(super) struct Links(HashMap<Uuid, LeadId>);

impl Links {
    /// Takes down the payments and conversations that are opened, and reads the others.
    pub(super) async fn of(
        events: &[RecordedEvent],
        connection: &mut AnyConnection,
    ) -> Result<Self, ProjectionError> {
        let mut links = Self(HashMap::new());
        let payments = (Payment::KIND, &PAYMENTS, "payment_id");
        links.take(payments, events, opened_payment, connection).await?;
        let cases = (Case::KIND, &CASES, "case_id");
        links.take(cases, events, opened_case, connection).await?;
        Ok(links)
    }

    async fn take(
        &mut self,
        (kind, table, key): (&str, &Table, &'static str),
        events: &[RecordedEvent],
        opened_for: fn(&RecordedEvent) -> Result<Option<LeadId>, ProjectionError>,
        connection: &mut AnyConnection,
    ) -> Result<(), ProjectionError> {
        let (mut opened, mut others) = (Vec::new(), BTreeSet::new());
        for record in events.iter().filter(|record| record.stream.kind == kind) {
            let id = record.stream.id;
            let lead_id = if record.revision == 1 {
                opened_for(record)?
            } else {
                None
            };
            if let Some(lead_id) = lead_id {
                if lead_id.0 != id {
                    opened.push(row![id.to_string(), lead_id.to_string()]);
                }
                self.0.insert(id, lead_id);
            } else if record.revision > 1 && !self.0.contains_key(&id) {
                others.insert(id.to_string());
            }
        }
        table.put(connection, &opened).await?;
        let among = others.iter().map(String::as_str).collect();
        let stored: Vec<(String, String)> = table.read(connection, &[(key, among)]).await?;
        for (stream, lead) in stored {
            if let (Ok(stream), Ok(lead_id)) = (stream.parse(), lead.parse()) {
                self.0.insert(stream, lead_id);
            }
        }
        // The conversation that an enquiry begins goes by the lead's id and has no row. Where there is no such lead, none is found.
        for id in others.iter().filter_map(|id| id.parse().ok()) {
            self.0.entry(id).or_insert(LeadId(id));
        }
        Ok(())
    }

    pub(super) fn leads(&self) -> impl Iterator<Item = LeadId> {
        self.0.values().copied()
    }

    pub(super) fn lead_of(&self, record: &RecordedEvent) -> Option<LeadId> {
        self.0.get(&record.stream.id).copied()
    }
}

fn opened_payment(record: &RecordedEvent) -> Result<Option<LeadId>, ProjectionError> {
    Ok(match record.decode::<Payment>()? {
        PaymentEvent::PaymentOpened { terms, .. } => Some(terms.lead_id),
        _ => None,
    })
}

fn opened_case(record: &RecordedEvent) -> Result<Option<LeadId>, ProjectionError> {
    Ok(match record.decode_sealed::<Case>()? {
        CaseEvent::Opened { lead_id, .. } => lead_id,
        _ => None,
    })
}
