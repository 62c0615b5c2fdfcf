//! What a batch of events changes about payments: each payment is read once and written once, however many events it takes, and
//! what is only added is written in few statements (decision 0018).

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide;
use domain::approval::Approval;
use domain::gateway_event::{GatewayEvent, GatewayEventEvent};
use domain::id::PaymentId;
use domain::payment::Payment;
use domain::referral::Referral;
use eventlog::RecordedEvent;
use sqlx::AnyConnection;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};

use crate::books::{Sources, corrected, rewarded};
use crate::ledger;
use crate::payment_audit::{self, Entry, instant};
use crate::run::ProjectionError;

const PAGE: Table = Table {
    name: "payment_page",
    columns: &[
        Text("payment_id"),
        Text("token_digest"),
        Text("lead_id"),
        Text("room_id"),
        Text("root_id"),
        Text("form_id"),
        Text("status"),
        Text("currency"),
        Number("total_minor"),
        Text("opened_at"),
        Text("changed_at"),
        Number("revision"),
        Text("state"),
    ],
    key: 1,
};
const NOTICE: Table = Table {
    name: "gateway_notice",
    columns: &[
        Number("position"),
        Text("payment_id"),
        Text("gateway_event_id"),
        Text("kind"),
        Text("object_id"),
        Text("received_at"),
        Text("stream_id"),
    ],
    key: 1,
};
const CAUSE: Table = Table {
    name: "payment_cause",
    columns: &[Text("event_id"), Number("position")],
    key: 1,
};

/// A payment's row.
struct Stored {
    payment_id: String,
    state: String,
}

tables::from_row!(Stored { payment_id, state });

/// A payment as the batch leaves it so far.
#[derive(Default)]
struct Page {
    payment: Payment,
    /// Of the last event that it has taken in this batch.
    revision: Option<u64>,
    /// When that event happened.
    changed_at: String,
}

impl Page {
    /// In the order of the columns; `None` where no event changed it, or its first one is not known.
    fn stored(&self, payment_id: PaymentId) -> Option<Vec<Value>> {
        let (revision, terms) = (self.revision?, self.payment.terms.as_ref()?);
        Some(row![
            payment_id.to_string(),
            terms.token_digest.as_str(),
            terms.lead_id.to_string(),
            terms.room_id.to_string(),
            terms.inventory_root_id.to_string(),
            terms.form_id.map(|id| id.to_string()),
            self.payment.status.name(),
            terms.quote.currency.code(),
            terms.quote.total_minor.cast_signed(),
            instant(terms.opened_at),
            self.changed_at.as_str(),
            revision.cast_signed(),
            serde_json::to_string(&self.payment).unwrap_or_default(),
        ])
    }
}

/// What a batch has changed so far.
pub(super) struct Changes {
    pages: BTreeMap<PaymentId, Page>,
    audit: Vec<Entry>,
    lines: Vec<Vec<Value>>,
    sources: Sources,
    checked: Vec<(String, String)>,
    notices: Vec<Vec<Value>>,
    causes: Vec<Vec<Value>>,
}

impl Changes {
    /// Nothing yet; reads the payments that these events are of.
    pub(super) async fn of(
        events: &[RecordedEvent],
        connection: &mut AnyConnection,
    ) -> Result<Self, sqlx::Error> {
        let of_payments = events.iter().filter(|event| event.stream.kind == Payment::KIND);
        let ids: BTreeSet<String> = of_payments
            .map(|event| PaymentId(event.stream.id).to_string())
            .collect();
        let among = ids.iter().map(String::as_str).collect();
        let rows: Vec<Stored> = PAGE.read(connection, &[("payment_id", among)]).await?;
        // A row that cannot be read would be our own writing: the fold then goes on from what the event says.
        let known = rows.into_iter().filter_map(|row| {
            let payment = serde_json::from_str(&row.state).ok()?;
            let page = Page {
                payment,
                revision: None,
                changed_at: String::new(),
            };
            Some((row.payment_id.parse().ok()?, page))
        });
        Ok(Self {
            pages: known.collect(),
            audit: Vec::new(),
            lines: Vec::new(),
            sources: Sources::of(events, connection).await?,
            checked: Vec::new(),
            notices: Vec::new(),
            causes: Vec::new(),
        })
    }

    /// Where the event stands, for "because of".
    pub(super) fn note_cause(&mut self, record: &RecordedEvent) {
        self.causes
            .push(row![record.event_id.to_string(), record.position.cast_signed()]);
    }

    pub(super) fn take_payment(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        let payment_id = PaymentId(record.stream.id);
        // Secrets and words stay in the sealed part of the log: the kept state is the same whether its payer is forgotten or not.
        let event = record.decode_sealed::<Payment>()?;
        let page = self.pages.entry(payment_id).or_default();
        let before = page.payment.clone();
        let after = &mut page.payment;
        after.evolve(&event);
        page.revision = Some(record.revision);
        page.changed_at = instant(record.occurred_at);
        self.audit.extend(payment_audit::entries(
            payment_id,
            (&before, after),
            &event,
            record,
        ));
        self.lines
            .extend(ledger::lines(payment_id, &before, &event, record));
        Ok(())
    }

    /// A correction of the books posts when it is approved.
    pub(super) fn take_approval(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        let event = record.decode_sealed::<Approval>()?;
        self.lines.extend(corrected(&event, record));
        Ok(())
    }

    /// A referral posts the reward that it earns, pays or loses.
    pub(super) fn take_referral(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        let event = record.decode_sealed::<Referral>()?;
        self.lines.extend(rewarded(&event, record));
        Ok(())
    }

    pub(super) fn take_notice(&mut self, record: &RecordedEvent) -> Result<(), ProjectionError> {
        let told = record.decode_sealed::<GatewayEvent>()?;
        self.lines.extend(self.sources.post(&told, record));
        if matches!(told, GatewayEventEvent::NoticeChecked { .. }) {
            self.checked
                .push((record.stream.id.to_string(), instant(record.recorded_at)));
        }
        let GatewayEventEvent::GatewayEventReceived {
            gateway_event_id,
            gateway_event_type,
            object_id,
            payment_id,
            ..
        } = told
        else {
            return Ok(());
        };
        self.notices.push(row![
            record.position.cast_signed(),
            payment_id.map(|id| id.to_string()),
            gateway_event_id,
            gateway_event_type,
            object_id,
            instant(record.recorded_at),
            record.stream.id.to_string(),
        ]);
        Ok(())
    }

    /// Writes all of it.
    pub(super) async fn write(self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        CAUSE.put(connection, &self.causes).await?;
        let pages = self.pages.iter();
        let pages: Vec<_> = pages.filter_map(|(id, page)| page.stored(*id)).collect();
        PAGE.put(connection, &pages).await?;
        NOTICE.put(connection, &self.notices).await?;
        for (stream_id, at) in &self.checked {
            sqlx::query("update gateway_notice set checked_at = $1 where stream_id = $2")
                .bind(at)
                .bind(stream_id)
                .execute(&mut *connection)
                .await?;
        }
        ledger::put(connection, &self.lines).await?;
        self.sources.write(connection).await?;
        payment_audit::add(connection, self.audit).await
    }
}
