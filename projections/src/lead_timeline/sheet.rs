//! What a batch of events has said so far: the fields of each stream are read once, changed in memory, and written with the
//! sentences at the end (decision 0017).

use std::collections::{BTreeMap, BTreeSet};

use domain::aggregate::Decide as _;
use domain::id::{InventoryId, PaymentId};
use domain::inventory::Inventory;
use domain::lead::Lead;
use domain::payment::Payment;
use domain::user::User;
use eventlog::RecordedEvent;
use sqlx::AnyConnection;
use tables::table::Column::{Number, Text};
use tables::table::{Table, Value, row};
use uuid::Uuid;

use super::told::Told;
use super::{FORGOTTEN, HIDDEN, MASKED};

const EVENTS: Table = Table {
    name: "timeline_event",
    columns: &[
        Number("position"),
        Text("kind"),
        Text("stream_id"),
        Number("revision"),
        Text("event_id"),
        Text("type"),
        Text("recorded_at"),
        Text("actor_kind"),
        Text("actor_id"),
        Text("correlation_id"),
        Text("causation_id"),
        Text("sentence"),
        Text("params"),
        Number("failed"),
        Text("changes"),
    ],
    key: 1,
};
const FIELDS: Table = Table {
    name: "timeline_field",
    columns: &[Text("kind"), Text("stream_id"), Text("field"), Text("value")],
    key: 3,
};
const STREAMS: Table = Table {
    name: "lead_stream",
    columns: &[Text("lead_id"), Text("kind"), Text("stream_id")],
    key: 3,
};
const HOMES: Table = Table {
    name: "timeline_home",
    columns: &[Text("root_id"), Text("property")],
    key: 1,
};

/// What each field of a stream holds.
pub(super) type Fields = BTreeMap<String, Option<String>>;
type Place = (&'static str, Uuid);

#[derive(Default)]
pub(super) struct Sheet {
    fields: BTreeMap<Place, Fields>,
    /// Which of them are not written yet.
    changed: BTreeSet<(Place, &'static str)>,
    events: Vec<Vec<Value>>,
    streams: BTreeSet<(Uuid, &'static str, Uuid)>,
    /// Leads that are another person's now.
    handed_over: BTreeSet<Uuid>,
    /// What homes are called; nothing for one of which nothing is known.
    homes: BTreeMap<InventoryId, Option<String>>,
    renamed: BTreeSet<InventoryId>,
}

impl Sheet {
    /// Reads what the streams of these events held before them.
    pub(super) async fn of(
        events: &[RecordedEvent],
        connection: &mut AnyConnection,
    ) -> Result<Self, sqlx::Error> {
        let mut sheet = Self::default();
        let mut known: BTreeSet<Place> = BTreeSet::new();
        for record in events
            .iter()
            .filter(|record| record.stream.kind != Inventory::KIND)
        {
            let place = place_of(record);
            if record.revision == 1 {
                sheet.fields.insert(place, Fields::new());
            } else if !sheet.fields.contains_key(&place) {
                known.insert(place);
            }
        }
        sheet.read(known, connection).await?;
        Ok(sheet)
    }

    async fn read(
        &mut self,
        places: BTreeSet<Place>,
        connection: &mut AnyConnection,
    ) -> Result<(), sqlx::Error> {
        let kinds: BTreeSet<&'static str> = places.iter().map(|(kind, _)| *kind).collect();
        let ids: Vec<String> = places.iter().map(|(_, id)| id.to_string()).collect();
        let among = [
            ("kind", kinds.iter().copied().collect()),
            ("stream_id", ids.iter().map(String::as_str).collect()),
        ];
        let rows: Vec<(String, String, String, Option<String>)> = FIELDS.read(connection, &among).await?;
        let known = |kind: &str| kinds.iter().copied().find(|known| *known == kind);
        for place in &places {
            self.fields.insert(*place, Fields::new());
        }
        for (kind, id, field, value) in rows {
            // Two streams of different kinds may have one id.
            let place = known(&kind).zip(id.parse().ok());
            if let Some(place) = place.filter(|place| places.contains(place)) {
                self.fields.entry(place).or_default().insert(field, value);
            }
        }
        Ok(())
    }

    /// What the event's stream held before it.
    pub(super) async fn fields(
        &mut self,
        record: &RecordedEvent,
        connection: &mut AnyConnection,
    ) -> Result<&Fields, sqlx::Error> {
        let place = place_of(record);
        if !self.fields.contains_key(&place) {
            self.read(BTreeSet::from([place]), connection).await?;
        }
        Ok(self.fields.entry(place).or_default())
    }

    /// Whether the person of the event's stream was forgotten before it; a stream that begins in the history of a forgotten person is
    /// theirs too.
    pub(super) async fn is_forgotten(
        &mut self,
        record: &RecordedEvent,
        connection: &mut AnyConnection,
    ) -> Result<bool, sqlx::Error> {
        if self.fields(record, connection).await?.contains_key(FORGOTTEN) {
            return Ok(true);
        }
        let place = place_of(record);
        if record.revision != 1 || matches!(place.0, Lead::KIND | User::KIND) {
            return Ok(false);
        }
        let mut joined = self.streams.iter().filter(|(_, kind, id)| (*kind, *id) == place);
        let Some(lead) = joined.next().map(|(lead, ..)| (Lead::KIND, *lead)) else {
            return Ok(false);
        };
        if !self.fields.contains_key(&lead) {
            self.read(BTreeSet::from([lead]), connection).await?;
        }
        let is_theirs = self
            .fields
            .get(&lead)
            .is_some_and(|fields| fields.contains_key(FORGOTTEN));
        if is_theirs {
            let fields = self.fields.entry(place).or_default();
            fields.insert(FORGOTTEN.to_owned(), Some("yes".to_owned()));
            self.changed.insert((place, FORGOTTEN));
        }
        Ok(is_theirs)
    }

    /// A stream is part of a lead's history from now on.
    pub(super) fn join(&mut self, lead_id: Uuid, kind: &'static str, stream_id: Uuid) {
        self.streams.insert((lead_id, kind, stream_id));
    }

    /// From now on what this person does is part of the lead's history, and nobody else's account.
    pub(super) fn hand_over(&mut self, lead_id: Uuid, person: Uuid) {
        let is_of_another = |(lead, kind, _): &(Uuid, &str, Uuid)| *lead == lead_id && *kind == User::KIND;
        self.streams.retain(|stream| !is_of_another(stream));
        self.join(lead_id, User::KIND, person);
        self.handed_over.insert(lead_id);
    }

    /// The lead whose history holds a payment.
    pub(super) async fn lead_of_payment(
        &self,
        payment_id: PaymentId,
        connection: &mut AnyConnection,
    ) -> Result<Option<Uuid>, sqlx::Error> {
        let mut joined = self.streams.iter();
        let unwritten = joined.find(|(_, kind, id)| *kind == Payment::KIND && *id == payment_id.0);
        if let Some((lead_id, _, _)) = unwritten {
            return Ok(Some(*lead_id));
        }
        let written: Option<String> =
            sqlx::query_scalar("select lead_id from lead_stream where kind = $1 and stream_id = $2")
                .bind(Payment::KIND)
                .bind(payment_id.to_string())
                .fetch_optional(connection)
                .await?;
        Ok(written.and_then(|lead_id| lead_id.parse().ok()))
    }

    pub(super) fn call_home(&mut self, root: InventoryId, name: String) {
        self.homes.insert(root, Some(name));
        self.renamed.insert(root);
    }

    pub(super) async fn home(
        &mut self,
        root: InventoryId,
        connection: &mut AnyConnection,
    ) -> Result<Option<String>, sqlx::Error> {
        if let Some(known) = self.homes.get(&root) {
            return Ok(known.clone());
        }
        let name: Option<String> =
            sqlx::query_scalar("select property from timeline_home where root_id = $1")
                .bind(root.to_string())
                .fetch_optional(connection)
                .await?;
        self.homes.insert(root, name.clone());
        Ok(name)
    }

    /// Takes down the sentence with what really changed, and the fields as they are now.
    pub(super) fn write_down(&mut self, record: &RecordedEvent, told: Told) {
        let place = place_of(record);
        let fields = self.fields.entry(place).or_default();
        let mut changes = Vec::new();
        for (field, to) in told.set {
            let from = fields.get(field).cloned().flatten();
            if from == to {
                continue;
            }
            fields.insert(field.to_owned(), to.clone());
            self.changed.insert((place, field));
            if !HIDDEN.contains(&field) {
                let masked = MASKED.contains(&field);
                changes.push(serde_json::json!({ "field": field, "from": from, "to": to, "masked": masked }));
            }
        }
        let recorded_at = record
            .recorded_at
            .to_rfc3339_opts(chrono::SecondsFormat::Micros, true);
        self.events.push(row![
            record.position.cast_signed(),
            record.stream.kind,
            record.stream.id.to_string(),
            record.revision.cast_signed(),
            record.event_id.to_string(),
            record.event_type.as_str(),
            recorded_at,
            record.actor.kind.name(),
            record.actor.id.map(|id| id.to_string()),
            record.correlation_id.to_string(),
            record.causation_id.map(|id| id.to_string()),
            told.sentence,
            serde_json::Value::Object(told.params).to_string(),
            i64::from(told.failed),
            serde_json::Value::Array(changes).to_string(),
        ]);
    }

    /// Writes all of it, and knows nothing afterwards.
    pub(super) async fn write(&mut self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let done = std::mem::take(self);
        let fields = done.changed.iter().map(|(place, field)| {
            let value = done.fields.get(place).and_then(|fields| fields.get(*field));
            row![place.0, place.1.to_string(), *field, value.cloned().flatten()]
        });
        FIELDS.put(connection, &fields.collect::<Vec<_>>()).await?;
        for lead in &done.handed_over {
            sqlx::query("delete from lead_stream where lead_id = $1 and kind = $2")
                .bind(lead.to_string())
                .bind(User::KIND)
                .execute(&mut *connection)
                .await?;
        }
        let streams = done.streams.iter();
        let streams = streams.map(|(lead, kind, id)| row![lead.to_string(), *kind, id.to_string()]);
        STREAMS.add(connection, &streams.collect::<Vec<_>>()).await?;
        let homes = done.renamed.iter();
        let homes = homes.map(|root| row![root.to_string(), done.homes.get(root).cloned().flatten()]);
        HOMES.put(connection, &homes.collect::<Vec<_>>()).await?;
        EVENTS.put(connection, &done.events).await
    }
}

fn place_of(record: &RecordedEvent) -> Place {
    (record.stream.kind, record.stream.id)
}
