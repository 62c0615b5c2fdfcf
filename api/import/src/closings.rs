//! Homes that a feed says are closed. They are closed at the end of a run, and held to the same limit as those that its file no longer
//! names (U7): a column that is filled in wrongly must not take a whole house out of sale.

use domain::import_run::{MissingRule, RunCounts};
use eventlog::EventLog;

use crate::missing::{ComparedHomes, Permission, TAKEN_MEANWHILE, check_limit, close_homes};
use crate::run::{Order, PassResult, Passes, RunMark};

/// Closes the homes that the feed closes; one that somebody took out of sale meanwhile stays as they left it. Gives the counts of the run, and why none was closed where they are too many: other changes are
/// in by then.
///
/// # Errors
/// One sentence when the log or the report cannot be used.
pub(crate) async fn settle(
    log: &EventLog,
    order: &Order,
    mark: RunMark,
    (pass, compared): (&PassResult, &ComparedHomes),
    passes: &mut impl Passes,
) -> Result<(RunCounts, Option<String>), String> {
    let mut counts = pass.counts;
    let closing = pass.closing.len() as u64;
    let refused = explain_too_many(order, closing, compared.homes);
    if let Some(reason) = &refused {
        counts.changed = counts.changed.saturating_sub(closing);
        counts.unchanged += closing;
        for home in &pass.closing {
            passes.report_as_left(home, reason)?;
        }
    } else if !order.dry_run {
        let closed = close_homes(log, &pass.closing, mark).await?;
        for home in pass.closing.iter().filter(|home| !closed.contains(&home.home_id)) {
            counts.changed = counts.changed.saturating_sub(1);
            counts.unchanged += 1;
            passes.report_as_left(home, TAKEN_MEANWHILE)?;
        }
    }
    Ok((counts, refused))
}

/// Says why so many homes of a feed are not closed. A feed says of each of them that it is closed, so that few need no question.
fn explain_too_many(order: &Order, closing: u64, homes: u64) -> Option<String> {
    // A run that withdraws has been held to its limit before anything was written.
    if closing == 0 || order.source.missing == MissingRule::Withdraw {
        return None;
    }
    match check_limit(closing, homes, order.limit) {
        Permission::Granted | Permission::Asked => None,
        Permission::Refused(_) => Some(format!(
            "the file closes {closing} of the {homes} homes of the feed `{}`, more than may go at once, and none of them was closed; the other \
             changes are in. If it is right, run it again with --missing-limit {closing}",
            order.source.feed
        )),
    }
}
