//! Verifies the log of a backup, when it was copied and when it is restored.

use std::path::Path;

use eventlog::{Anchor, EventLog, HeadFolder, Position};
use health::integrity::{Break, Survey};
use health::notary::{self, HEADS};
use storage::sqlite;

/// A copied log that could be verified.
pub(super) struct Verified {
    /// Where it ends.
    pub(super) anchor: Anchor,
    /// Breaks that an operator accepted before it was copied.
    pub(super) accepted: Vec<Break>,
    /// The part behind them that could not be verified.
    pub(super) gap: Option<&'static str>,
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
    let verified = verify_whole(&log, &outside, copy, "copied").await?;
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
    which: &str,
) -> Result<Verified, String> {
    let unread = |error| format!("the {which} log cannot be read: {error}");
    let survey = Survey::take(log, outside, Anchor::GENESIS)
        .await
        .map_err(unread)?;
    let (accepted, broken) = survey.split_accepted(dir);
    if let Some(first) = broken.first() {
        let Break {
            position, problem, ..
        } = first;
        return Err(format!(
            "the {which} log is broken at event {position}: {problem}"
        ));
    }
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
