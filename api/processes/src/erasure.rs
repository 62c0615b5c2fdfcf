//! What is left to do once the log says that somebody is forgotten: their messages, uploads and keys go, read models blank
//! their rows, their addresses are free. Every step may be done again, so that whoever comes next finishes what was cut off.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use domain::aggregate::Decide;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::case::{Case, CaseEvent};
use domain::contact::named_in::KnownPerson;
use domain::contact::{Email, Phone};
use domain::gateway_event::{GatewayEvent, GatewayEventEvent};
use domain::handle::{Handle, HandleCommand, HandleEvent};
use domain::id::{HandleId, UserId};
use domain::lead::{Lead, LeadEvent, LeadPersonal};
use domain::payment::Payment;
use domain::payment::event::PaymentEvent;
use domain::user::{Reach, User, UserEvent};
use eventlog::planted::Fault;
use eventlog::{CodecError, Context, EventLog, Position, RecordedEvent, commit};
use futures::future::BoxFuture;
use gateway::PaymentGateway;
use platform::config::Settings;
use platform::desk::Desk;
use projections::run::Projector;
use projections::store::ReadStore;
use storage::sqlite;
use tables::Place;
use uuid::Uuid;

use crate::bank_statements::StatementStore;
use crate::document_store;
use crate::handles::{erase_codes, handle_ids};

mod named_people;

/// Events read at once.
const PAGE: usize = 2_000;
/// What may have held something of the person; what was overwritten must not stay in write-ahead files.
const FILES: [&str; 6] = [
    "read.db",
    "desk.db",
    "reactor.db",
    "sandbox.db",
    "keys.db",
    "log.db",
];

/// Erases what is personal of somebody whom the log has forgotten.
pub trait Eraser: Send + Sync {
    /// # Errors
    /// Says what could not be done; it is tried again.
    fn erase(&self, person: UserId, context: Context) -> BoxFuture<'_, Result<Erased, String>>;
}

/// Erases in the folder or database of a running server.
pub struct Erasure {
    pub settings: Arc<Settings>,
    pub log: EventLog,
    pub desk: Desk,
    pub gateway: Arc<dyn PaymentGateway>,
}

impl Eraser for Erasure {
    fn erase(&self, person: UserId, context: Context) -> BoxFuture<'_, Result<Erased, String>> {
        Box::pin(async move {
            let ground = Ground {
                settings: &self.settings,
                log: &self.log,
                desk: &self.desk,
                gateway: Some(&*self.gateway),
            };
            erase(ground, person, None, &context).await
        })
    }
}

/// Where personal data lies.
#[derive(Clone, Copy)]
pub struct Ground<'g> {
    pub settings: &'g Settings,
    pub log: &'g EventLog,
    pub desk: &'g Desk,
    /// The payment provider, which keeps something of people; `None` where it was asked before.
    pub gateway: Option<&'g dyn PaymentGateway>,
}

/// What was done, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    /// Events that stay, without the person.
    pub events: u64,
    pub messages: u64,
    pub documents: u64,
    /// Addresses that are free again.
    pub addresses: usize,
}

/// Where somebody is found in the log.
#[derive(Debug, Default)]
struct Traces {
    events: u64,
    /// Whose keys seal it: the person, each lead of theirs, and each form's medical part.
    subjects: BTreeSet<Uuid>,
    /// The leads that are theirs now.
    leads: BTreeSet<Uuid>,
    handles: BTreeSet<Uuid>,
    forms: BTreeSet<Uuid>,
    payments: BTreeSet<Uuid>,
    documents: BTreeSet<Uuid>,
    reaches: Vec<Reach>,
    /// By what the house knows them, for texts that others wrote: their own names and contacts, and those of the people whom their forms
    /// and payments name.
    person: KnownPerson,
    /// The first event about the person that cannot be read: what it names is not found.
    unread: Option<String>,
}

/// Erases somebody of whom the log says that they are forgotten: nothing personal of theirs comes in any more. `named` is an
/// address that whoever asks knows them by: without their key, the log tells none.
///
/// # Errors
/// One sentence; what was not done yet is done by the next run.
pub async fn erase(
    ground: Ground<'_>,
    person: UserId,
    named: Option<Reach>,
    context: &Context,
) -> Result<Erased, String> {
    let Ground {
        settings, log, desk, ..
    } = ground;
    let mut traces = Traces::default();
    traces.reaches.extend(named);
    traces.collect(log, person).await?;
    traces.recognise(log, desk).await?;
    let messages = clear_desk(log, desk, &traces).await?;
    forget_mirrors(desk, person).await?;
    let documents = document_store::erase(&settings.data_dir, desk, &traces.documents)
        .await
        .map_err(|error| format!("an upload could not be deleted: {error}"))?;
    let statements = StatementStore {
        log,
        desk,
        data_dir: &settings.data_dir,
    };
    // While their keys still say by which names they are found.
    statements
        .redact(&traces.describe_person(), context)
        .await
        .map_err(|error| format!("a statement of the bank could not be cleared: {error}"))?;
    for subject in &traces.subjects {
        let destroyed = log.forget_subject(UserId(*subject)).await;
        destroyed.map_err(|error| format!("a key could not be destroyed: {error}"))?;
    }
    // A message that was on its way when the key went.
    let messages = messages + clear_desk(log, desk, &traces).await?;
    blank_read_models(settings, log).await?;
    // The test gateway's memory lies in these files too; that another provider does not answer keeps nothing in them.
    let at_provider = forget_at_provider(ground.gateway, &traces).await;
    overwrite(settings).await?;
    at_provider?;
    // Last, so that the address finds the person until everything else is done.
    for handle in &traces.handles {
        let release = HandleCommand::Release {
            user_id: person,
            at: context.at,
        };
        commit::<Handle>(log, HandleId(*handle), release, context)
            .await
            .map_err(|error| format!("the log refused: {error}"))?;
    }
    if let Some(unread) = traces.unread {
        return Err(format!(
            "{unread}; all else is erased, and without their key nobody can read that event either"
        ));
    }
    Ok(Erased {
        events: traces.events,
        messages,
        documents,
        addresses: traces.handles.len(),
    })
}

/// What the provider keeps of the person, by each name that their payments go by there.
async fn forget_at_provider(gateway: Option<&dyn PaymentGateway>, traces: &Traces) -> Result<(), String> {
    let Some(gateway) = gateway else {
        return Ok(());
    };
    for subject in &traces.subjects {
        let forgotten = gateway.forget(UserId(*subject)).await;
        forgotten.map_err(|error| format!("the payment provider keeps the customer: {error}"))?;
    }
    Ok(())
}

impl Traces {
    /// Reads the whole log, twice: whose a lead is, its later events say (decision 0015).
    async fn collect(&mut self, log: &EventLog, person: UserId) -> Result<(), String> {
        self.subjects.insert(person.0);
        let mut reached = Position::default();
        while let Some(page) = page_after(log, &mut reached).await? {
            for event in page.iter().filter(|event| event.stream.kind == Lead::KIND) {
                self.note_owner(event, person);
            }
        }
        reached = Position::default();
        while let Some(page) = page_after(log, &mut reached).await? {
            for event in &page {
                match self.note(event, person) {
                    Ok(()) => {}
                    Err(error @ CodecError::Keys) => {
                        return Err(format!("event {} cannot be read: {error}", event.position));
                    }
                    Err(error) => self.note_unread(event, &error),
                }
            }
        }
        Ok(())
    }

    /// Takes down whether a lead is the person's by this event, which says so in the clear.
    fn note_owner(&mut self, event: &RecordedEvent, person: UserId) {
        let Some(owner) = owner_named_by(event) else {
            return;
        };
        if owner == person {
            self.leads.insert(event.stream.id);
        } else {
            self.leads.remove(&event.stream.id);
        }
    }

    /// An address that a message is kept to is known by what was claimed for the person, which is not sealed: their key may
    /// have been destroyed before, as in the folder of an older backup.
    async fn recognise(&mut self, log: &EventLog, desk: &Desk) -> Result<(), String> {
        let recipients = messages::recipients(desk)
            .await
            .map_err(|error| format!("the desk's database cannot be read: {error}"))?;
        for recipient in recipients {
            let reach = match (Email::parse(&recipient), Phone::parse(&recipient)) {
                (Ok(email), _) => Reach::Email(email),
                (_, Ok(phone)) => Reach::Phone(phone),
                _ => continue,
            };
            let ids = handle_ids(log, &reach);
            if ids.iter().any(|id| self.handles.contains(&id.0)) {
                self.reaches.push(reach);
            }
        }
        Ok(())
    }

    fn note(&mut self, event: &RecordedEvent, person: UserId) -> Result<(), CodecError> {
        if event.stream.kind == Lead::KIND && self.leads.contains(&event.stream.id) {
            self.note_lead(event.decode::<Lead>()?);
        }
        let is_theirs = self.is_theirs(event);
        match event.stream.kind {
            Handle::KIND => {
                if let HandleEvent::Claimed { user_id, .. } = event.decode::<Handle>()?
                    && user_id == person
                {
                    self.handles.insert(event.stream.id);
                }
            }
            BookingForm::KIND => self.note_form(event)?,
            Payment::KIND => self.note_payment(event)?,
            GatewayEvent::KIND => self.note_notice(event)?,
            Case::KIND if is_theirs => {
                if let CaseEvent::AttachmentAdded { attachment, .. } = event.decode_sealed::<Case>()? {
                    self.documents.insert(attachment.attachment_id);
                }
            }
            User::KIND if is_theirs => match event.decode::<User>()? {
                UserEvent::Registered { personal, .. } => {
                    if let Some(known) = personal.0 {
                        known
                            .name
                            .iter()
                            .for_each(|name| self.person.add_name(name.as_str()));
                        self.reaches.push(known.reach);
                    }
                }
                UserEvent::Verified { personal, .. } => self.reaches.extend(personal.0),
                _ => {}
            },
            _ => {}
        }
        if is_theirs {
            self.events += 1;
        }
        Ok(())
    }

    /// What the program takes for something else stops nobody's forgetting (decision 0018), not even of whom it is about.
    fn note_unread(&mut self, event: &RecordedEvent, error: &CodecError) {
        tracing::error!(position = event.position, stream = %event.stream, %error, "an event cannot be read: what it names is not erased");
        if self.is_theirs(event) {
            self.events += 1;
            let unread = || format!("event {} of theirs cannot be read: {error}", event.position);
            self.unread.get_or_insert_with(unread);
        }
    }

    fn is_theirs(&self, event: &RecordedEvent) -> bool {
        let subject = event.subject_id;
        subject.is_some_and(|subject| self.subjects.contains(&subject.0))
    }

    /// The keys of a lead's own, and where its messages went. One that was sealed under a former person's key keeps it.
    fn note_lead(&mut self, event: LeadEvent) {
        match event {
            LeadEvent::Created {
                submission, personal, ..
            } => {
                self.subjects.extend(submission.subject.map(|key| key.0));
                self.note_contact(personal.0);
            }
            LeadEvent::ContactChanged {
                person_id,
                reached,
                personal,
                ..
            } => {
                self.subjects.extend(reached.map(|_| person_id.0));
                self.note_contact(personal.0);
            }
            _ => {}
        }
    }

    fn note_form(&mut self, event: &RecordedEvent) -> Result<(), CodecError> {
        if !self.forms.contains(&event.stream.id) {
            if let BookingFormEvent::Started { start, .. } = event.decode_sealed::<BookingForm>()?
                && self.leads.contains(&start.lead_id.0)
            {
                self.forms.insert(event.stream.id);
            }
            return Ok(());
        }
        match event.decode::<BookingForm>()? {
            BookingFormEvent::SectionSaved { answers, .. } => {
                named_people::add_answers(&mut self.person, answers.get());
            }
            BookingFormEvent::DocumentAdded { document, .. } => {
                self.documents.insert(document.document_id);
            }
            BookingFormEvent::MedicalConditionSaved { medical_subject, .. } => {
                self.subjects.insert(medical_subject.0);
            }
            _ => {}
        }
        Ok(())
    }

    fn note_payment(&mut self, event: &RecordedEvent) -> Result<(), CodecError> {
        if let PaymentEvent::PaymentOpened { terms, .. } = event.decode_sealed::<Payment>()?
            && self.leads.contains(&terms.lead_id.0)
        {
            self.payments.insert(event.stream.id);
        }
        Ok(())
    }

    /// A notice of the provider about a payment of theirs names who paid, who may be another person.
    fn note_notice(&mut self, event: &RecordedEvent) -> Result<(), CodecError> {
        let payment = match event.decode_sealed::<GatewayEvent>()? {
            GatewayEventEvent::GatewayEventReceived { payment_id, .. } => payment_id,
            _ => None,
        };
        if payment.is_some_and(|payment| self.payments.contains(&payment.0))
            && let GatewayEventEvent::GatewayEventReceived { raw, .. } = event.decode::<GatewayEvent>()?
        {
            named_people::add_payers(&mut self.person, raw.get());
        }
        Ok(())
    }

    /// By names, addresses and numbers.
    fn describe_person(&self) -> KnownPerson {
        let mut person = self.person.clone();
        for reach in &self.reaches {
            match reach {
                Reach::Email(email) => person.add_email(email.as_str()),
                Reach::Phone(phone) => person.add_phone(phone.e164()),
            }
        }
        person
    }

    fn note_contact(&mut self, personal: Option<LeadPersonal>) {
        if let Some(personal) = personal {
            self.person.add_name(personal.name.as_str());
            self.reaches.push(Reach::Email(personal.email));
            self.reaches.push(Reach::Phone(personal.phone));
        }
    }
}

/// The next events of the log; nothing at its end.
/// Whose a lead is from this event of it on; it says so in the clear. What cannot be read names no owner.
pub fn owner_named_by(event: &RecordedEvent) -> Option<UserId> {
    match event.decode_sealed::<Lead>().ok()? {
        LeadEvent::Created { submission, .. } => Some(submission.person_id),
        LeadEvent::ContactChanged { reached, .. } => reached,
        LeadEvent::PersonVerified { by, .. } => by,
        _ => None,
    }
}

async fn page_after(log: &EventLog, reached: &mut Position) -> Result<Option<Vec<RecordedEvent>>, String> {
    let page = log
        .read_all(*reached, PAGE)
        .await
        .map_err(|error| format!("the log cannot be read: {error}"))?;
    let last = page.last().map(|last| last.position);
    *reached = last.unwrap_or(*reached);
    Ok(last.map(|_| page))
}

/// Messages and codes that went to the person's addresses.
async fn clear_desk(log: &EventLog, desk: &Desk, traces: &Traces) -> Result<u64, String> {
    let failed = |error| format!("the desk's database cannot be cleared: {error}");
    let mut messages = 0;
    for reach in &traces.reaches {
        messages += messages::erase(desk, log.handles(), reach)
            .await
            .map_err(failed)?;
        erase_codes(desk, log.handles(), reach).await.map_err(failed)?;
    }
    Ok(messages)
}

/// Steps that the person let staff see, with names of fields as the browser wrote them.
async fn forget_mirrors(desk: &Desk, person: UserId) -> Result<(), String> {
    let deleted = sqlx::query("delete from mirror where user_id = $1")
        .bind(person.to_string())
        .execute(desk.pool())
        .await;
    let cleared = |error| format!("the desk's database cannot be cleared: {error}");
    deleted.map(|_| ()).map_err(cleared)
}

/// Lets the read models take in that the person is gone; a running server finds it done.
async fn blank_read_models(settings: &Settings, log: &EventLog) -> Result<(), String> {
    let store = ReadStore::open(&settings.place())
        .await
        .map_err(|error| format!("the read models cannot be opened: {error}"))?;
    let mut projector = Projector::new(log.clone(), store.clone(), projections::all(log.handles()));
    let followed = projector.catch_up().await;
    store.close().await;
    followed
        .map(|_position| ())
        .map_err(|error| format!("the read models cannot follow: {error}"))
}

/// Takes what was deleted or overwritten out of the files, as far as the storage can.
async fn overwrite(settings: &Settings) -> Result<(), String> {
    if let Place::Postgres(url) = settings.place() {
        storage::vacuum(&url).await?;
    }
    let dir = settings.data_dir.clone();
    let emptied = tokio::task::spawn_blocking(move || empty_write_ahead(&dir));
    emptied.await.unwrap_or_else(|error| Err(error.to_string()))
}

fn empty_write_ahead(dir: &Path) -> Result<(), String> {
    if Fault::WordsLeft.is_planted() {
        return Ok(());
    }
    for name in FILES {
        let file = dir.join(name);
        if file.is_file() {
            sqlite::empty_wal(&file)
                .map_err(|error| format!("the write-ahead file of `{name}` cannot be emptied: {error}"))?;
        }
    }
    Ok(())
}
