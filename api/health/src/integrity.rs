//! Whether history was changed (row J4, decision 0011): the last hour of signed heads is verified before the server serves, the whole
//! log behind it and every day, and what came since every ten minutes. A break is told until an operator accepts it, which is
//! recorded.

use std::fmt;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use clap::Args;
use domain::contact::is_blank;
use domain::moment::Moment;
use eventlog::verify::{Anchor, Verdict};
use eventlog::{Audit, EventLog, HeadFolder, LogError, Position, Problem, RecordedEvent};
use platform::clock;
use platform::config::Settings;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::sync::{Mutex, watch};
use tokio::time::MissedTickBehavior;

/// The record of accepted breaks, in the data folder: a line of JSON each.
pub const ACCEPTED: &str = "accepted-breaks.jsonl";
/// How often what came since is verified.
const EVERY: Duration = Duration::from_mins(10);
/// After so many of those, everything is.
const UNTIL_WHOLE: u32 = 144;
/// How far back a start looks before it serves, and how long it takes at most: a longer stretch is verified behind it.
const STRETCH: TimeDelta = TimeDelta::hours(1);
const STRETCH_WAIT: Duration = Duration::from_secs(2);
/// A log with more breaks is not looked at any further.
const BREAKS_MAX: usize = 100;

/// An event that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Break {
    pub position: Position,
    pub problem: String,
    /// A digest of what stands there now: what is changed once more is another break.
    #[serde(skip)]
    found: String,
}

impl Break {
    /// A break with the digest of what stands there now; `there` is the event at its position, or the one behind the gap.
    fn found(position: Position, problem: String, there: Option<&RecordedEvent>) -> Self {
        let mut digest = Sha256::new_with_prefix(&problem);
        // What cannot be read as an event is told by its problem.
        if let Some(event) = there {
            // Of the columns as they stand there now.
            digest.update(eventlog::chain::leaf(event));
            digest.update(&event.payload);
            digest.update(event.sealed.as_deref().unwrap_or_default());
            digest.update(event.leaf);
            digest.update(event.chain);
        }
        Self {
            position,
            problem,
            found: hex::encode(digest.finalize()),
        }
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}: {}", self.position, self.problem)
    }
}

/// A break that an operator goes on with knowingly.
#[derive(Debug, Serialize, Deserialize)]
struct Accepted {
    position: Position,
    problem: String,
    found: String,
    reason: String,
    at: Moment,
}

/// How far the log was verified.
#[derive(Debug, Clone)]
pub struct Standing {
    pub verified_through: Position,
    /// Breaks of the hash chain that no operator has accepted.
    pub broken: Vec<Break>,
    pub accepted: Vec<Break>,
    pub checked_at: Moment,
}

/// A log verified beyond its breaks: behind each of them the look goes on, so that accepting one hides no other.
#[derive(Debug)]
pub struct Survey {
    /// Where the look ended.
    pub end: Anchor,
    /// Whether that is the log's end; behind some breaks there is nothing to go on from.
    pub is_through: bool,
    /// Whether what was signed was held against all of it, and not the chain alone.
    pub is_compared: bool,
    pub breaks: Vec<Break>,
    /// The signed heads' part; its verdict is that of the first break.
    pub audit: Audit,
}

impl Survey {
    /// Verifies the log from an anchor to its end.
    ///
    /// # Errors
    /// When the log or the folder of signed heads cannot be read.
    pub async fn take(log: &EventLog, outside: &HeadFolder, since: Anchor) -> Result<Self, LogError> {
        let mut survey = Self {
            end: since,
            is_through: false,
            is_compared: true,
            breaks: Vec::new(),
            audit: log.audit(outside, since).await?,
        };
        let mut verdict = survey.audit.verdict.clone();
        while survey.breaks.len() < BREAKS_MAX {
            let (position, problem) = match verdict {
                Verdict::Intact(end) => {
                    survey.end = end;
                    survey.is_through = true;
                    return Ok(survey);
                }
                Verdict::Broken { position, problem } => (position, problem),
            };
            let next = find_next_event(log, position, &problem).await;
            let found = Break::found(position, problem.to_string(), next.as_ref());
            if !survey.breaks.contains(&found) {
                survey.breaks.push(found);
            }
            match next.filter(|next| next.position > survey.end.position) {
                Some(next) => {
                    survey.end = Anchor {
                        position: next.position,
                        chain: next.chain,
                    };
                }
                // Something signed is wrong that would be found again from any event behind it: the chain alone goes on.
                None if survey.is_compared => survey.is_compared = false,
                // There is nothing behind it to go on from.
                None => return Ok(survey),
            }
            verdict = survey.go_on(log, outside).await?;
        }
        Ok(survey)
    }

    /// Verifies what lies behind the last break.
    async fn go_on(&mut self, log: &EventLog, outside: &HeadFolder) -> Result<Verdict, LogError> {
        if !self.is_compared {
            return log.verify(self.end).await;
        }
        let audit = log.audit(outside, self.end).await?;
        self.audit.signed_through = self.audit.signed_through.max(audit.signed_through);
        Ok(audit.verdict)
    }

    /// The part behind the breaks that could not be verified, in words.
    pub const fn gap(&self) -> Option<&'static str> {
        match (self.is_through, self.is_compared) {
            (false, _) => Some("behind the last of them nothing could be verified"),
            (true, false) => Some("what was signed behind the first of them could not be compared with it"),
            (true, true) => None,
        }
    }

    /// The breaks that an operator has accepted by the record in `dir`, and the others.
    pub fn split_accepted(&self, dir: &Path) -> (Vec<Break>, Vec<Break>) {
        split_accepted(self.breaks.clone(), dir)
    }
}

/// The event at a position; where its row is gone or cannot be read, the first one behind it.
async fn find_next_event(log: &EventLog, position: Position, problem: &Problem) -> Option<RecordedEvent> {
    let from = log.read_all(position.saturating_sub(1), 1).await;
    let first = from.unwrap_or_default().into_iter().next();
    match problem {
        Problem::Missing => first,
        Problem::Unreadable(_) => log.read_all(position, 1).await.ok()?.into_iter().next(),
        _ => first.filter(|event| event.position == position),
    }
}

/// Remembers how far the chain was verified, so that each look verifies only what came since.
pub struct ChainCheck {
    log: EventLog,
    outside: HeadFolder,
    data_dir: PathBuf,
    through: Mutex<Anchor>,
    breaks: parking_lot::Mutex<Vec<Break>>,
}

impl ChainCheck {
    pub fn new(log: EventLog, outside: HeadFolder, data_dir: PathBuf) -> Self {
        Self {
            log,
            outside,
            data_dir,
            through: Mutex::new(Anchor::GENESIS),
            breaks: parking_lot::Mutex::default(),
        }
    }

    /// Verifies what came since the last look, or everything.
    ///
    /// # Errors
    /// When the log or the folder of signed heads cannot be read.
    pub async fn look(&self, is_whole: bool) -> Result<Standing, LogError> {
        let mut through = self.through.lock().await;
        let since = if is_whole { Anchor::GENESIS } else { *through };
        let survey = Survey::take(&self.log, &self.outside, since).await?;
        let reached = survey.end;
        *through = reached;
        let checked_at = clock::now();
        self.note(survey.breaks, is_whole);
        let (accepted, broken) = self.known();
        let verified_through = broken
            .first()
            .map_or(reached.position, |first| first.position.saturating_sub(1));
        Ok(Standing {
            verified_through,
            broken,
            accepted,
            checked_at,
        })
    }

    /// Verifies the last signed stretch of the log, before the server takes requests.
    pub async fn look_at_start(&self) {
        if !self.log.capabilities().chain {
            return;
        }
        let outside = &self.outside;
        let looking = async {
            let since = self.log.signed_before(outside, clock::now() - STRETCH).await?;
            Survey::take(&self.log, outside, since).await
        };
        match tokio::time::timeout(STRETCH_WAIT, looking).await {
            Ok(Ok(survey)) => self.note(survey.breaks, false),
            Ok(Err(error)) => tracing::error!(%error, "history cannot be verified"),
            Err(_late) => tracing::warn!("the last stretch of history is verified while the server serves"),
        }
    }

    /// What is accepted, and what is broken.
    pub fn known(&self) -> (Vec<Break>, Vec<Break>) {
        split_accepted(self.breaks.lock().clone(), &self.data_dir)
    }

    /// A look at everything replaces what was known; one at a part adds to it.
    fn note(&self, found: Vec<Break>, is_whole: bool) {
        let mut breaks = self.breaks.lock();
        for one in &found {
            if !breaks.contains(one) {
                tracing::error!(
                    position = one.position,
                    problem = one.problem,
                    "history was changed: restore a backup, or accept the break (docs/operations.md)"
                );
            }
        }
        if is_whole {
            *breaks = found;
        } else {
            let new = found.into_iter().filter(|one| !breaks.contains(one));
            let new: Vec<Break> = new.collect();
            breaks.extend(new);
        }
        breaks.sort_by_key(|one| one.position);
    }
}

/// Sets the breaks apart that the record in `dir` accepts.
fn split_accepted(breaks: Vec<Break>, dir: &Path) -> (Vec<Break>, Vec<Break>) {
    if breaks.is_empty() {
        return (breaks, Vec::new());
    }
    let accepted = accepted_in(dir);
    let is_accepted = |found: &Break| {
        let is_it = |one: &Accepted| one.position == found.position && one.found == found.found;
        accepted.iter().any(is_it)
    };
    breaks.into_iter().partition(is_accepted)
}

/// Verifies everything, and then what comes since, until the server stops.
pub async fn keep_verified(chain: Arc<ChainCheck>, mut stop: watch::Receiver<bool>) {
    if !chain.log.capabilities().chain {
        return;
    }
    let mut tick = tokio::time::interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut looks = 0;
    let mut stopped = std::pin::pin!(stop.wait_for(|stopped| *stopped));
    loop {
        let looking = async {
            tick.tick().await;
            chain.look(looks % UNTIL_WHOLE == 0).await
        };
        tokio::select! {
            looked = looking => match looked {
                Ok(_standing) => looks += 1,
                Err(error) => tracing::error!(%error, "history cannot be verified"),
            },
            _ = &mut stopped => return,
        }
    }
}

fn accepted_in(data_dir: &Path) -> Vec<Accepted> {
    let text = std::fs::read_to_string(data_dir.join(ACCEPTED)).unwrap_or_default();
    // A line that cannot be read accepts nothing.
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Arguments of `latchkey accept-break`.
#[derive(Debug, Args)]
pub struct AcceptArgs {
    /// The position of the event that was changed, as `/readyz` and `latchkey verify` name it.
    position: Position,
    /// Who accepts it, and why; kept with it.
    #[arg(long)]
    reason: String,
}

/// Records that an operator goes on with a break; the running server takes it in at once.
///
/// # Errors
/// One sentence when there is no such break, or it cannot be recorded.
pub async fn accept(settings: &Settings, args: &AcceptArgs) -> Result<String, String> {
    if is_blank(&args.reason) {
        return Err("write who accepts it and why: --reason \"…\"".to_owned());
    }
    storage::needs_chain(settings, "this command")?;
    let log = storage::open_log(settings).await?;
    let outside = crate::notary::outside(settings)?;
    let survey = Survey::take(&log, &outside, Anchor::GENESIS)
        .await
        .map_err(|error| format!("the log cannot be read: {error}"))?;
    let position = args.position;
    let Some(found) = survey.breaks.into_iter().find(|found| found.position == position) else {
        return Err(format!("nothing is broken at event {position}"));
    };
    let accepted = Accepted {
        position,
        problem: found.problem,
        found: found.found,
        reason: args.reason.trim().to_owned(),
        at: clock::now(),
    };
    let file = settings.data_dir.join(ACCEPTED);
    record(&file, &accepted).map_err(|error| format!("`{}` cannot be written: {error}", file.display()))?;
    Ok(format!(
        "accepted: event {position} ({}); recorded in `{}`",
        accepted.problem,
        file.display()
    ))
}

fn record(file: &PathBuf, accepted: &Accepted) -> std::io::Result<()> {
    let line = format!("{}\n", serde_json::to_string(accepted)?);
    let mut file = OpenOptions::new().append(true).create(true).open(file)?;
    file.write_all(line.as_bytes())?;
    file.sync_all()
}
