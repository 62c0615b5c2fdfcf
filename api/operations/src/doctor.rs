//! `latchkey doctor`: looks at everything a server needs, changes no event and no key, and says what to do about what is wrong.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use eventlog::{Anchor, EventLog, Position, RecordedEvent, Signer};
use health::notary::KEY_FILE;
use health::readiness;
use platform::config::Settings;
use projections::run::Projector;
use projections::store::ReadStore;
use storage::{has_log, open_log};
use tables::Place;

mod address;
mod brand_pictures;
mod clock;
mod feeds;
mod files;
mod finding;
mod heads;
mod mail;
mod photos;
mod stripe;

use finding::{Finding, State};

/// Free bytes below which nothing may be written any more soon.
const SPACE_LEAST: u64 = 100 << 20;
/// Free bytes below which it is time to look.
const SPACE_FEW: u64 = 2 << 30;
/// A durable write that takes longer makes every answer to a command slow.
const WRITE_SLOW: Duration = Duration::from_millis(20);
/// Durable writes tried.
const WRITES: usize = 15;
/// Bytes of one of them.
const WRITE_BYTES: usize = 8 << 10;
/// Events at the log's end that are recomputed; `latchkey verify` does all.
const TAIL: Position = 10_000;

/// Prints a line for each thing looked at.
///
/// # Errors
/// How many of them are wrong.
pub async fn run(settings: &Settings) -> Result<(), String> {
    let mut findings = of_settings(settings);
    let place = settings.place();
    findings.extend(address::of_addresses(settings));
    findings.extend(feeds::of_schedule(settings));
    findings.push(mail::of_server(settings).await);
    findings.push(mail::of_texts(settings).await);
    findings.extend(stripe::of_account(settings).await);
    findings.extend(of_disk(&settings.data_dir));
    match &place {
        Place::Folder(folder) => findings.push(of_server(folder)),
        Place::Postgres(url) => {
            findings.push(of_database(settings).await);
            findings.extend(clock::of_database(url).await);
        }
    }
    let is_there = storage::written_ahead::is_there(settings).await;
    match has_log(settings).await {
        // Nothing of it is opened.
        Ok(true) if is_there.is_err() => {
            findings.extend(is_there.err().map(|problem| Finding::wrong("log", problem)));
        }
        Ok(true) => {
            findings.extend(of_keys(&place, &settings.data_dir));
            findings.extend(of_log(settings).await);
            findings.push(of_outbox(&place).await);
            findings.extend(files::of_other_files(settings).await);
            findings.extend(files::of_documents(&settings.data_dir));
            findings.push(mail::of_messages(&place).await);
        }
        Ok(false) => findings.push(of_no_log(settings).await),
        // Said above.
        Err(_unusable) => {}
    }
    for finding in &findings {
        platform::printout::line(finding)?;
    }
    let wrong = findings
        .iter()
        .filter(|finding| finding.state == State::Wrong)
        .count();
    match wrong {
        0 => Ok(()),
        1 => Err("one thing is wrong".to_owned()),
        many => Err(format!("{many} things are wrong")),
    }
}

/// That they can be read at all was seen before this.
fn of_settings(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    let listens_to_all = !settings.listen.ip().is_loopback();
    let public = settings.public_url.as_deref();
    if listens_to_all && public.is_none_or(|url| !url.starts_with("https://")) {
        findings.push(Finding::look(
            "settings",
            "others can reach the server, and `public_url` is no https:// address: cookies are not Secure",
        ));
    }
    let plain = settings
        .further_hosts()
        .into_iter()
        .find(|further| listens_to_all && !further.origin.starts_with("https://"));
    if let Some(plain) = plain {
        findings.push(Finding::look(
            "settings",
            format!(
                "`hosts` names {}, which is no https:// address: cookies there are not Secure",
                plain.origin
            ),
        ));
    }
    if settings.dev_tools() {
        findings.push(Finding::look(
            "settings",
            "`dev_tools` are on: one-time codes can be read at /dev/outbox; set it to false where others log in",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::fine("settings", format!("serves {}", settings.listen)));
    }
    findings
}

fn of_disk(dir: &Path) -> Vec<Finding> {
    if !dir.is_dir() {
        let said = format!(
            "the folder `{}` is not there yet: the first start makes it",
            dir.display()
        );
        return vec![Finding::look("folder", said)];
    }
    let written = match durable_write(dir) {
        Ok(median) if median > WRITE_SLOW => Finding::look(
            "disk",
            format!(
                "a durable write takes {} ms: every booking waits as long; use a faster disk",
                median.as_millis()
            ),
        ),
        Ok(median) => Finding::fine("disk", format!("a durable write takes {} µs", median.as_micros())),
        Err(error) => Finding::wrong(
            "disk",
            format!(
                "nothing can be written into `{}`: {error}; look at its owner and at free space",
                dir.display()
            ),
        ),
    };
    let space = match platform::disk::free_bytes(dir) {
        Ok(free) => {
            let said = format!("{} MiB free", free >> 20);
            match free {
                ..SPACE_LEAST => {
                    Finding::wrong("space", format!("{said}: writes will be refused soon; make room"))
                }
                SPACE_LEAST..SPACE_FEW => Finding::look("space", format!("{said}: make room")),
                _ => Finding::fine("space", said),
            }
        }
        Err(error) => Finding::look("space", format!("free disk space cannot be read: {error}")),
    };
    vec![written, space]
}

/// The median of some durable writes, as the log's are: append, then sync.
fn durable_write(dir: &Path) -> std::io::Result<Duration> {
    let path = dir.join("doctor.probe");
    let mut file = File::create(&path)?;
    let mut took = Vec::with_capacity(WRITES);
    let tried: std::io::Result<()> = (0..WRITES).try_for_each(|_| {
        let begun = Instant::now();
        file.write_all(&[0; WRITE_BYTES])?;
        file.sync_data()?;
        took.push(begun.elapsed());
        Ok(())
    });
    fs::remove_file(&path)?;
    tried?;
    took.sort();
    Ok(took.get(WRITES / 2).copied().unwrap_or_default())
}

fn of_server(dir: &Path) -> Finding {
    let Ok(lock) = File::open(dir.join("serve.lock")) else {
        return Finding::fine("server", "none has run here yet");
    };
    match lock.try_lock() {
        Ok(()) => Finding::fine("server", "none runs on this folder"),
        Err(fs::TryLockError::WouldBlock) => Finding::fine("server", "one runs on this folder"),
        Err(fs::TryLockError::Error(error)) => Finding::look(
            "server",
            format!("whether a server runs cannot be determined: {error}"),
        ),
    }
}

fn of_keys(place: &Place, dir: &Path) -> Vec<Finding> {
    let of_people: &[&str] = match place {
        Place::Folder(_) => &["keys.db", "handles.key"],
        // Those lie in a database of their own; every node signs with a key in its folder.
        Place::Postgres(_) => &[],
    };
    // A signing key that is not there is made anew, and nothing is lost.
    let signing = Some(KEY_FILE).filter(|name| dir.join(name).is_file());
    of_people
        .iter()
        .copied()
        .chain(signing)
        .map(|name| match fs::metadata(dir.join(name)) {
            Err(error) => Finding::wrong(
                "keys",
                format!("`{name}` cannot be read: {error}; take it from the backup before the server makes a new one"),
            ),
            Ok(_) if name == KEY_FILE && Signer::open(&dir.join(name)).is_err() => Finding::wrong(
                "keys",
                format!("`{name}` is no key, and the server will not start: take it away, the next start makes a new one"),
            ),
            Ok(found) if others_may_read(&found) => {
                Finding::wrong("keys", format!("others may read `{name}`: chmod 600 it"))
            }
            Ok(_) => Finding::fine("keys", format!("`{name}` is its owner's alone")),
        })
        .collect()
}

#[cfg(unix)]
fn others_may_read(found: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0
}

#[cfg(not(unix))]
fn others_may_read(_found: &fs::Metadata) -> bool {
    false
}

async fn of_database(settings: &Settings) -> Finding {
    match has_log(settings).await {
        Ok(_) => Finding::fine(
            "database",
            "it answers, may be written, and forgets nothing with the power",
        ),
        Err(problem) => Finding::wrong("database", problem),
    }
}

/// What a first start would find.
async fn of_no_log(settings: &Settings) -> Finding {
    if let Err(problem) = storage::files::are_whole(settings) {
        return Finding::wrong("log", problem);
    }
    if settings.event_log.is_none() {
        return Finding::look("log", "there is none yet: the first `latchkey serve` makes it");
    }
    match storage::kurrentdb_answers(settings).await {
        Ok(()) => Finding::look(
            "log",
            "the KurrentDB server answers; the first `latchkey serve` makes the keys in the folder",
        ),
        Err(problem) => Finding::wrong("log", problem),
    }
}

async fn of_log(settings: &Settings) -> Vec<Finding> {
    if storage::files::are_whole(settings).is_err() {
        // Said of the keys; without them there is nothing more to see.
        return Vec::new();
    }
    let log = match open_log(settings).await {
        Ok(log) => log,
        Err(problem) => return vec![Finding::wrong("log", problem)],
    };
    let mut findings = match tail(&log).await {
        Ok((_, last)) if !log.capabilities().chain => {
            let said = format!(
                "{} answers; it keeps no chain: what it holds cannot be verified here",
                log.capabilities().engine
            );
            let clock = last.map(|last| clock::of_log(&last));
            [Some(Finding::fine("log", said)), clock]
                .into_iter()
                .flatten()
                .collect()
        }
        Ok((anchor, last)) => {
            let head = log.head().await.unwrap_or_default();
            let mut findings = vec![heads::of_chain(settings, &log, anchor, head).await];
            findings.extend(last.map(|last| clock::of_log(&last)));
            findings
        }
        Err(error) => vec![Finding::wrong("log", format!("it cannot be read: {error}"))],
    };
    findings.extend(of_shapes(&log).await);
    findings.extend(of_people(&log).await);
    findings.extend(of_read_models(settings, log).await);
    findings
}

/// The anchor from which the log's end is looked at, and its last event.
async fn tail(log: &EventLog) -> Result<(Anchor, Option<RecordedEvent>), eventlog::LogError> {
    let head = log.head().await?;
    let last = log.span(head, head).await?.into_iter().next();
    if !log.capabilities().chain {
        return Ok((Anchor::GENESIS, last));
    }
    let from = head.saturating_sub(TAIL);
    let anchor = match from {
        0 => Anchor::GENESIS,
        _ => log
            .read_all(from - 1, 1)
            .await?
            .first()
            .map_or(Anchor::GENESIS, |event| Anchor {
                position: event.position,
                chain: event.chain,
            }),
    };
    Ok((anchor, last))
}

/// Whether the keys at hand are those of the people in the log's end.
async fn of_people(log: &EventLog) -> Option<Finding> {
    if let Err(problem) = crate::fit::keys_open(log).await {
        return Some(Finding::wrong("keys", problem));
    }
    // Where positions do not count events, it cannot be said where the last ones begin.
    if !log.capabilities().dense_positions {
        return None;
    }
    let since = log.head().await.ok()?.saturating_sub(TAIL);
    match crate::fit::people_without_keys(log, since).await {
        Ok(told) => told.map(|told| Finding::look("keys", format!("of the last events, {told}"))),
        Err(problem) => Some(Finding::wrong("keys", problem)),
    }
}

async fn of_shapes(log: &EventLog) -> Option<Finding> {
    let problem = storage::shapes::all_readable(log).await.err()?;
    Some(Finding::wrong("events", problem))
}

async fn of_read_models(settings: &Settings, log: EventLog) -> Vec<Finding> {
    let place = settings.place();
    if let Place::Folder(folder) = &place
        && !folder.join("read.db").is_file()
    {
        return vec![Finding::look(
            "read models",
            "there are none: the next start folds them",
        )];
    }
    let store = match ReadStore::open(&place).await {
        Ok(store) => store,
        Err(error) => {
            let said = format!("they cannot be opened: {error}; stop the server and delete `read.db`");
            return vec![Finding::wrong("read models", said)];
        }
    };
    let head = log.head().await.unwrap_or_default();
    let projector = Projector::new(log.clone(), store.clone(), projections::all(log.handles()));
    let mut findings = match projector.standing().await {
        Ok(standing) => {
            let least = standing.iter().map(|model| model.position).min();
            let behind = readiness::behind(&log, least.unwrap_or_default(), head).await;
            let mut findings: Vec<Finding> = standing
                .iter()
                .filter_map(|model| of_read_model(model.name, model.parked, model.error.as_deref()))
                .collect();
            if findings.is_empty() {
                let said = format!(
                    "{} of them, {} events behind",
                    standing.len(),
                    behind.map_or(0, |(lag, _)| lag)
                );
                findings.push(Finding::fine("read models", said));
            }
            findings
        }
        Err(error) => vec![Finding::wrong(
            "read models",
            format!("they cannot be read: {error}"),
        )],
    };
    findings.extend(heads::of_length(settings, &log, &store).await);
    findings.extend(photos::of_photos(settings, &store).await);
    findings.extend(brand_pictures::of_brand_pictures(settings, &store).await);
    store.close().await;
    findings
}

fn of_read_model(name: &str, parked: usize, error: Option<&str>) -> Option<Finding> {
    if let Some(error) = error {
        let said = format!("`{name}` does not follow: {error}; `latchkey rebuild {name}`");
        return Some(Finding::look("read models", said));
    }
    (parked > 0).then(|| {
        let said = format!("`{name}` leaves out {parked} streams: look for its errors in the log output, then `latchkey rebuild {name}`");
        Finding::wrong("read models", said)
    })
}

async fn of_outbox(place: &Place) -> Finding {
    if let Place::Folder(folder) = place
        && !folder.join("reactor.db").is_file()
    {
        return Finding::look("outbox", "there is none: the next start makes it from the log");
    }
    match processes::reactor::outbox(place).await {
        Ok(outbox) => match outbox.first {
            None => Finding::fine(
                "outbox",
                format!("{} effects wait, none fails again and again", outbox.waiting),
            ),
            Some((effect, error)) => Finding::wrong(
                "outbox",
                format!(
                    "{} effects fail again and again, `{effect}` with: {error}",
                    outbox.failing
                ),
            ),
        },
        Err(error) => Finding::wrong("outbox", format!("it cannot be read: {error}")),
    }
}
