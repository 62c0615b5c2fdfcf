//! Which leads the payments of a batch of events belong to: read and written at once (decision 0018).

use std::collections::{BTreeSet, HashMap};

use domain::aggregate::Decide;
use domain::id::{LeadId, PaymentId};
use domain::payment::{Payment, PaymentEvent};
use eventlog::RecordedEvent;
use sqlx::AnyConnection;
use tables::table::Column::Text;
use tables::table::{Table, row};

use crate::run::ProjectionError;

const TABLE: Table = Table {
    name: "payment_link",
    columns: &[Text("payment_id"), Text("lead_id")],
    key: 1,
};

/// The lead of each payment that these events are of, as far as it is known.
pub(super) struct Links(HashMap<PaymentId, LeadId>);

impl Links {
    /// Takes down the payments that are opened, and reads the others.
    pub(super) async fn of(
        events: &[RecordedEvent],
        connection: &mut AnyConnection,
    ) -> Result<Self, ProjectionError> {
        let (mut leads, mut opened, mut others) = (HashMap::new(), Vec::new(), BTreeSet::new());
        for record in events.iter().filter(|record| record.stream.kind == Payment::KIND) {
            let payment_id = PaymentId(record.stream.id);
            if record.revision == 1
                && let PaymentEvent::PaymentOpened { terms, .. } = record.decode::<Payment>()?
            {
                opened.push(row![payment_id.to_string(), terms.lead_id.to_string()]);
                leads.insert(payment_id, terms.lead_id);
            } else if !leads.contains_key(&payment_id) {
                others.insert(payment_id.to_string());
            }
        }
        TABLE.put(connection, &opened).await?;
        let among = others.iter().map(String::as_str).collect();
        let stored: Vec<(String, String)> = TABLE.read(connection, &[("payment_id", among)]).await?;
        for (payment, lead) in stored {
            if let (Ok(payment_id), Ok(lead_id)) = (payment.parse::<PaymentId>(), lead.parse()) {
                leads.insert(payment_id, lead_id);
            }
        }
        Ok(Self(leads))
    }

    pub(super) fn leads(&self) -> impl Iterator<Item = LeadId> {
        self.0.values().copied()
    }

    pub(super) fn lead_of(&self, payment: &RecordedEvent) -> Option<LeadId> {
        self.0.get(&PaymentId(payment.stream.id)).copied()
    }
}
