//! Verifies the log of a backup, when it was copied and when it is restored.

use std::path::Path;

use eventlog::{Anchor, EventLog, HeadFolder, Position};
use health::integrity::{Break, Survey};
use health::notary::{self, HEADS};
use storage::sqlite;

use crate::verdict::{Fault, judge};
use crate::verify::signatures;

/// A copied log that could be verified.
pub(super) struct Verified {
    /// Where it ends.
    pub(super) anchor: Anchor,
    /// Breaks that an operator accepted before it was copied.
    pub(super) accepted: Vec<Break>,
    /// The part behind them that could not be verified.
    pub(super) gap: Option<&'static str>,
    /// Statements of the signed heads about it, a line each.
    pub(super) signatures: String,
    /// Why no signature could be verified, where the operator went on without.
    pub(super) unsigned: Option<String>,
}

/// How a log is to be verified.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Which log it is, for sentences.
    pub(super) which: &'static str,
    /// The way on where signatures are missing.
    pub(super) what_to_do: &'static str,
    /// Whether a log without signatures is let through.
    pub(super) may_be_unsigned: bool,
}

/// Verifies the log in the folder of a copy, with the keys of the folder that it was made of; says besides what is to be told of people
/// whose keys are not among them.
pub(super) async fn verify_copy(
    data_dir: &Path,
    copy: &Path,
    end: Anchor,
) -> Result<(Verified, Option<String>), String> {
    let unread = |error| format!("the copied log cannot be read: {error}");
    // The original's log says who was given which key of the stock.
    let original = sqlite::open(data_dir).await.map_err(unread)?;
    let (keys, handles) = (original.keys().clone(), original.handles().clone());
    let log = sqlite::open_still(&copy.join("log.db"), keys, handles)
        .await
        .map_err(unread)?;
    crate::fit::keys_open(&log).await?;
    let outside = notary::folder(&copy.join(HEADS))?;
    let wanted = Wanted {
        which: "copied",
        what_to_do: "put them back from the copy outside, or, where there is none any more, let the server make the folder anew at its \
                     next start (docs/runbooks/signed-heads-missing.md)",
        may_be_unsigned: false,
    };
    let verified = verify_whole(&log, &outside, copy, wanted).await?;
    verified.check_end(end.position, Some(&hex::encode(end.chain)), "copied")?;
    // A restore reads every event for it.
    let unreadable = crate::fit::people_without_keys(&log, Anchor::GENESIS.position).await?;
    Ok((verified, unreadable))
}

/// Verifies a log whose end is the end of a backup; what the record in `dir` accepts is let through.
pub(super) async fn verify_whole(
    log: &EventLog,
    outside: &HeadFolder,
    dir: &Path,
    wanted: Wanted,
) -> Result<Verified, String> {
    let which = wanted.which;
    let unread = |error| format!("the {which} log cannot be read: {error}");
    let survey = Survey::take(log, outside, Anchor::GENESIS)
        .await
        .map_err(unread)?;
    let (accepted, fault) = judge(&survey, dir);
    let describe =
        |fault: &Fault| fault.describe(&format!("{which} log"), survey.end.position, wanted.what_to_do);
    let unsigned = match &fault {
        Some(fault) if !(fault.is_of_signatures() && wanted.may_be_unsigned) => return Err(describe(fault)),
        fault => fault.as_ref().map(describe),
    };
    let mut anchor = survey.end;
    if !survey.is_through {
        // Nothing tells its end but its last event.
        let head = log.head().await.map_err(unread)?;
        let last = log.span(head, head).await.map_err(unread)?;
        anchor = last.last().map_or(anchor, |last| Anchor {
            position: last.position,
            chain: last.chain,
        });
    }
    Ok(Verified {
        anchor,
        accepted,
        gap: survey.gap(),
        signatures: signatures(&survey.audit),
        unsigned,
    })
}

impl Verified {
    /// Refuses a log that ends elsewhere than its backup says, or in another chain.
    pub(super) fn check_end(&self, wanted: Position, chain: Option<&str>, which: &str) -> Result<(), String> {
        let Anchor { position, chain: own } = self.anchor;
        if position != wanted {
            return Err(format!(
                "the backup says {wanted} and its log ends at event {position}"
            ));
        }
        if chain.is_some_and(|chain| chain != hex::encode(own)) {
            return Err(format!(
                "the {which} log is not the one that was backed up: its chain differs"
            ));
        }
        Ok(())
    }
}
