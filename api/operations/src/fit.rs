//! Startup checks: read models, outbox, signed heads and keys belong to this log. A log that ends before an event that was signed,
//! folded or carried out gives that event's position a second time, and a reader past that position never sees the new event; with
//! another log's keys no personal data can be read. Both are refused before anything is written, because afterwards neither fits.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use domain::aggregate::Decide as _;
use domain::id::UserId;
use domain::lead::Lead;
use eventlog::{EventLog, HeadFolder, LogError, Position, RecordedEvent};
use platform::config::Settings;
use processes::erasure::owner_named_by;
use projections::run::Projector;
use projections::store::ReadStore;
use tables::Place;
use uuid::Uuid;

/// How long the log's end may take to come to this process when another one has just written and the engine cannot be asked
/// for a position.
const NEWS: Duration = Duration::from_secs(2);
/// Events read at once while people are looked for.
const PAGE: usize = 5_000;
/// Says that the person after whom its stream is called was forgotten.
const FORGOTTEN: &str = "SubjectForgotten";

/// Refuses a log that is shorter than what was made of it, or whose keys are not there.
///
/// # Errors
/// One sentence for the operator.
pub async fn check(settings: &Settings, log: &EventLog, read: &ReadStore) -> Result<(), String> {
    keys_open(log).await?;
    whole(settings, log, read).await
}

/// That the log reaches as far as what was made of it.
///
/// # Errors
/// One sentence for the operator.
pub async fn whole(settings: &Settings, log: &EventLog, read: &ReadStore) -> Result<(), String> {
    is_whole(log, known(settings, log, read).await?).await
}

/// That the keys at hand are those of the people in the log.
///
/// # Errors
/// One sentence for the operator.
pub async fn keys_open(log: &EventLog) -> Result<(), String> {
    match log.without_keys().await {
        Ok(None) => Ok(()),
        Ok(Some(position)) => Err(format!(
            "the keys at hand are not those of this log: of the people in its last events, through event {position}, none has \
             one; take `keys.db`, or the database of the keys, from the backup"
        )),
        Err(error) => Err(format!("the keys cannot be looked at: {error}")),
    }
}

/// What is to be told of people in the events after `after` who have no key though nobody forgot them: keys that are older than
/// the log open everything but what came after them, and nothing else shows it.
///
/// # Errors
/// One sentence for the operator.
pub async fn people_without_keys(log: &EventLog, after: Position) -> Result<Option<String>, String> {
    let unread = |error: LogError| format!("the owner of the keys cannot be determined: {error}");
    let (mut subjects, mut forgotten, mut owners) = (HashSet::new(), HashSet::new(), Owners::default());
    let (mut keys, mut reached) = (None, after);
    loop {
        let page = log.read_all(reached, PAGE).await.map_err(unread)?;
        let Some(last) = page.last() else { break };
        reached = last.position;
        keys.get_or_insert_with(|| last.keys.clone());
        for event in &page {
            if event.event_type == FORGOTTEN {
                forgotten.insert(UserId(event.stream.id));
            }
            if event.sealed.is_some() {
                subjects.extend(event.subject_id);
            }
            owners.note(event);
        }
    }
    let Some(keys) = keys else { return Ok(None) };
    let people: HashSet<UserId> = subjects.iter().map(|subject| owners.of(*subject)).collect();
    let is_known = |subject: &UserId| !forgotten.contains(&owners.of(*subject));
    let asked: Vec<UserId> = subjects.iter().copied().filter(is_known).collect();
    let strangers = tokio::task::spawn_blocking(move || keys.strangers(&asked))
        .await
        .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))
        .map_err(unread)?;
    Ok((!strangers.is_empty()).then(|| {
        format!(
            "{} of {} people have no key though nobody forgot them, and their names, addresses and words cannot be read: the \
             keys are older than the log; take the newest `keys.db`",
            strangers.iter().map(|subject| owners.of(*subject)).collect::<HashSet<_>>().len(),
            people.len()
        )
    }))
}

/// Whose the enquiries are that have a key of their own (decision 0015).
#[derive(Default)]
struct Owners {
    /// The enquiry that a key seals.
    sealed: HashMap<UserId, Uuid>,
    /// By enquiry.
    owners: HashMap<Uuid, UserId>,
}

impl Owners {
    fn note(&mut self, event: &RecordedEvent) {
        if event.stream.kind != Lead::KIND {
            return;
        }
        if let Some(subject) = event.subject_id {
            self.sealed.insert(subject, event.stream.id);
        }
        if let Some(owner) = owner_named_by(event) {
            self.owners.insert(event.stream.id, owner);
        }
    }

    /// The person that a key is about: the owner of the enquiry, or whom it is named after.
    fn of(&self, subject: UserId) -> UserId {
        let lead = self.sealed.get(&subject);
        lead.and_then(|lead| self.owners.get(lead))
            .copied()
            .unwrap_or(subject)
    }
}

/// Up to which event something knows of the log, with the words that say so.
pub type Known = (Position, &'static str);

/// Who knows of the log's events, before its end is asked for: what is written meanwhile makes nobody wrong.
async fn known(settings: &Settings, log: &EventLog, read: &ReadStore) -> Result<Vec<Known>, String> {
    let mut known = Vec::new();
    if log.capabilities().chain {
        known.push(signed(settings)?);
    }
    let projector = Projector::new(log.clone(), read.clone(), projections::all(log.handles()));
    let standing = projector
        .standing()
        .await
        .map_err(|error| format!("the read models cannot be read: {error}"))?;
    let reached = standing.iter().map(|model| model.position).max();
    known.push((reached.unwrap_or_default(), "was folded into the read models"));
    known.extend(carried_out(&settings.place()).await?);
    Ok(known)
}

/// Who knows of the log's events in files that a copy of the folder is made of.
///
/// # Errors
/// One sentence for the operator.
pub async fn known_beside(settings: &Settings) -> Result<Vec<Known>, String> {
    let mut known = vec![signed(settings)?];
    known.extend(carried_out(&settings.place()).await?);
    Ok(known)
}

fn signed(settings: &Settings) -> Result<Known, String> {
    let outside = health::notary::outside(settings)?;
    let signed = signed_through(&outside)
        .map_err(|error| format!("the folder of signed heads cannot be read: {error}"))?;
    Ok((signed, "was signed, by the word of the folder of signed heads"))
}

async fn carried_out(place: &Place) -> Result<Option<Known>, String> {
    if matches!(place, Place::Folder(folder) if !folder.join("reactor.db").is_file()) {
        return Ok(None);
    }
    let carried_out = processes::reactor::reached(place)
        .await
        .map_err(|error| format!("the reactor's agenda cannot be read: {error}"))?;
    Ok(Some((carried_out, "was carried out by the reactor")))
}

/// The last event that a key which counts has signed outside of the log; those of the newest day are enough to know it.
fn signed_through(outside: &HeadFolder) -> Result<Position, LogError> {
    let Some(newest) = outside.last()? else {
        return Ok(0);
    };
    let keys = outside.keys()?;
    let heads = outside.read(Some(newest.signed_at()))?.heads;
    let mut positions: Vec<_> = heads.iter().collect();
    positions.sort_by_key(|head| std::cmp::Reverse(head.position));
    let last = positions
        .into_iter()
        .find(|head| keys.iter().any(|key| key.has_signed(head)));
    Ok(last.map_or(0, |head| head.position))
}

async fn is_whole(log: &EventLog, known: Vec<Known>) -> Result<(), String> {
    let Some((last, how)) = known.into_iter().max_by_key(|(position, _)| *position) else {
        return Ok(());
    };
    let unread = |error| format!("the event log cannot be read: {error}");
    let mut head = log.head().await.map_err(unread)?;
    if head < last && log.capabilities().dense_positions {
        // Another process may have written it just now: the storage itself tells, without a wait.
        let newer = log.read_all(last - 1, 1).await.map_err(unread)?;
        head = newer.last().map_or(head, |event| event.position);
    } else if head < last {
        drop(tokio::time::timeout(NEWS, log.watch().wait_for(|head| *head >= last)).await);
        head = log.head().await.map_err(unread)?;
    }
    reaches(head, &[(last, how)])
}

/// That a log which ends at `head` holds every event that is known of.
///
/// # Errors
/// One sentence for the operator.
pub fn reaches(head: Position, known: &[Known]) -> Result<(), String> {
    match known.iter().max_by_key(|(position, _)| *position) {
        Some((last, how)) if head < *last => Err(format!(
            "the log ends at event {head}, and event {last} {how}: the log was cut off, put back without what lies beside it, or \
             is another one; restore the whole of it (docs/operations.md, What to do when)"
        )),
        _ => Ok(()),
    }
}
