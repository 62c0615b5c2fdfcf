//! `latchkey forget`: a person's data becomes unreadable, everywhere and for ever. Works on an open data folder while the
//! server runs; every step may be done again, so that a second run finishes what a first one did not.

use std::collections::BTreeSet;
use std::path::Path;

use clap::Args;
use domain::aggregate::Decide;
use domain::booking_form::{BookingForm, BookingFormEvent};
use domain::contact::{Email, Phone};
use domain::handle::{Handle, HandleCommand, HandleEvent};
use domain::id::{HandleId, UserId};
use domain::lead::{Lead, LeadEvent, LeadPersonal};
use domain::user::{Reach, User, UserCommand, UserEvent};
use eventlog::{Actor, CodecError, Context, EventLog, Position, RecordedEvent, commit, sqlite};
use projections::run::Projector;
use projections::store::ReadStore;
use uuid::Uuid;

use crate::clock;
use crate::config::Settings;
use crate::desk::Desk;
use crate::shapes::open_readable;
use crate::{documents, messenger, otp};

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

/// Arguments of `latchkey forget`: one of them.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct ForgetArgs {
    /// The person's address.
    #[arg(long)]
    email: Option<String>,
    /// The person's number, with its country code.
    #[arg(long)]
    phone: Option<String>,
    /// The person's id, as the workspace shows it.
    #[arg(long)]
    user: Option<UserId>,
}

/// Where somebody is found in the log.
#[derive(Debug, Default)]
struct Traces {
    events: u64,
    /// Whose keys seal it: the person, and each form's medical part.
    subjects: BTreeSet<Uuid>,
    handles: BTreeSet<Uuid>,
    forms: BTreeSet<Uuid>,
    documents: BTreeSet<Uuid>,
    reaches: Vec<Reach>,
}

/// Forgets whoever the arguments name.
///
/// # Errors
/// One sentence for the operator; what was not done yet is done by the next run.
pub async fn run(settings: &Settings, args: &ForgetArgs) -> Result<String, String> {
    let dir = &settings.data_dir;
    let log = open_readable(settings).await?;
    let person = person(&log, args).await?;
    let desk = Desk::open(&settings.place())
        .await
        .map_err(|error| format!("the desk's database cannot be opened: {error}"))?;
    let (at, context) = (clock::now(), Context::new(clock::now(), Actor::SYSTEM));
    let mut traces = Traces::default();
    let seen = traces.collect(&log, person, 0).await?;
    let forget = UserCommand::Forget { user_id: person, at };
    commit::<User>(&log, person, forget, &context)
        .await
        .map_err(|error| format!("the log refused: {error}"))?;
    // What came in before the event was written, and under no key after it.
    traces.collect(&log, person, seen).await?;
    let messages = clear_desk(&log, &desk, &traces).await?;
    let documents = documents::erase(dir, &desk, &traces.documents)
        .await
        .map_err(|error| format!("an upload could not be deleted: {error}"))?;
    for subject in &traces.subjects {
        let destroyed = log.forget_subject(UserId(*subject)).await;
        destroyed.map_err(|error| format!("a key could not be destroyed: {error}"))?;
    }
    // A message that was on its way when the key went.
    let messages = messages + clear_desk(&log, &desk, &traces).await?;
    blank_read_models(settings, &log).await?;
    drop(desk);
    overwrite(dir)?;
    // Last, so that the address finds the person until everything else is done.
    for handle in &traces.handles {
        let release = HandleCommand::Release { user_id: person, at };
        commit::<Handle>(&log, HandleId(*handle), release, &context)
            .await
            .map_err(|error| format!("the log refused: {error}"))?;
    }
    Ok(format!(
        "forgotten: {person}; {} events stay without the person, {messages} messages and {documents} uploads are deleted, \
         {} addresses are free again (request {})\nwhat earlier backups hold is readable with their own keys: delete those",
        traces.events,
        traces.handles.len(),
        context.correlation_id
    ))
}

async fn person(log: &EventLog, args: &ForgetArgs) -> Result<UserId, String> {
    let (kind, handle) = match (&args.user, &args.email, &args.phone) {
        (Some(user), _, _) => return Ok(*user),
        (None, Some(email), _) => {
            let email = Email::parse(email)
                .map_err(|fault| format!("`{email}` is no e-mail address: {}", fault.key()))?;
            ("email", email.canonical())
        }
        (None, None, Some(phone)) => {
            let phone =
                Phone::parse(phone).map_err(|fault| format!("`{phone}` is no number: {}", fault.key()))?;
            ("phone", phone.e164().to_owned())
        }
        (None, None, None) => return Err("name an address, a number or an id".to_owned()),
    };
    let id = HandleId(log.handles().id(kind, &handle));
    let found = log.load::<Handle>(id).await;
    let owner = found
        .map_err(|error| format!("the log cannot be read: {error}"))?
        .state
        .owner;
    owner.ok_or_else(|| "nobody is known by this address".to_owned())
}

impl Traces {
    /// Reads the log after a position to its end.
    async fn collect(&mut self, log: &EventLog, person: UserId, after: Position) -> Result<Position, String> {
        self.subjects.insert(person.0);
        let mut reached = after;
        loop {
            let page = log
                .read_all(reached, PAGE)
                .await
                .map_err(|error| format!("the log cannot be read: {error}"))?;
            let Some(last) = page.last() else {
                return Ok(reached);
            };
            reached = last.position;
            for event in &page {
                self.note(event, person)
                    .map_err(|error| format!("event {} cannot be read: {error}", event.position))?;
            }
        }
    }

    fn note(&mut self, event: &RecordedEvent, person: UserId) -> Result<(), CodecError> {
        let is_theirs = event.subject_id == Some(person);
        match event.stream.kind {
            Handle::KIND => {
                if let HandleEvent::Claimed { user_id, .. } = event.decode::<Handle>()?
                    && user_id == person
                {
                    self.handles.insert(event.stream.id);
                }
            }
            BookingForm::KIND => self.note_form(event, person)?,
            Lead::KIND if is_theirs => match event.decode::<Lead>()? {
                LeadEvent::Created { personal, .. } | LeadEvent::ContactChanged { personal, .. } => {
                    self.note_contact(personal.0);
                }
                _ => {}
            },
            User::KIND if is_theirs => match event.decode::<User>()? {
                UserEvent::Registered { personal, .. } => {
                    self.reaches.extend(personal.0.map(|known| known.reach));
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

    fn note_form(&mut self, event: &RecordedEvent, person: UserId) -> Result<(), CodecError> {
        match event.decode_sealed::<BookingForm>()? {
            BookingFormEvent::Started { start, .. } if start.person_id == person => {
                self.forms.insert(event.stream.id);
            }
            BookingFormEvent::DocumentAdded {
                document, person_id, ..
            } if person_id == person => {
                self.documents.insert(document.document_id);
            }
            BookingFormEvent::MedicalConditionSaved { medical_subject, .. }
                if self.forms.contains(&event.stream.id) =>
            {
                self.subjects.insert(medical_subject.0);
            }
            _ => {}
        }
        Ok(())
    }

    fn note_contact(&mut self, personal: Option<LeadPersonal>) {
        if let Some(personal) = personal {
            self.reaches.push(Reach::Email(personal.email));
            self.reaches.push(Reach::Phone(personal.phone));
        }
    }
}

/// Messages and codes that went to the person's addresses.
async fn clear_desk(log: &EventLog, desk: &Desk, traces: &Traces) -> Result<u64, String> {
    let failed = |error| format!("the desk's database cannot be cleared: {error}");
    let mut messages = 0;
    for reach in &traces.reaches {
        messages += messenger::erase(desk, log.handles(), reach)
            .await
            .map_err(failed)?;
        otp::erase(desk, log.handles(), reach).await.map_err(failed)?;
    }
    Ok(messages)
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

fn overwrite(dir: &Path) -> Result<(), String> {
    for name in FILES {
        let file = dir.join(name);
        if file.is_file() {
            sqlite::empty_wal(&file)
                .map_err(|error| format!("the write-ahead file of `{name}` cannot be emptied: {error}"))?;
        }
    }
    Ok(())
}
