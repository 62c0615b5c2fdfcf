//! Undoes a step of a home: what it changed is as before, and the undo is a step of its own.

use domain::id::{InventoryId, UserId};
use domain::inventory::facts::FactKey;
use eventlog::{Append, Appended, CommitError, Context, EventLog, Position, commit_together};

use super::act_on_home::{self, ActOnHome};
use super::edit_home::{self, EditHome, check_reason};
use crate::error::ListingsError;
use crate::questions::home_steps::{Undo, read_home_steps};

/// An undo by a member of staff.
#[derive(Debug, Clone)]
pub struct UndoStep {
    pub home_id: InventoryId,
    /// The position of the step.
    pub step: Position,
    pub reason: String,
    pub by: UserId,
}

/// Undoes it.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn undo_step(
    log: &EventLog,
    asked: &UndoStep,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    check_reason(&asked.reason).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose(log, asked, context, append)).await
}

async fn compose(
    log: &EventLog,
    asked: &UndoStep,
    context: &Context,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let refuse = CommitError::Rejected;
    let read = read_home_steps(log, asked.home_id).await?;
    let read = read.ok_or(refuse(ListingsError::UnknownHome))?;
    let step = read.find(asked.step).ok_or(refuse(ListingsError::UnknownStep))?;
    let undo = read.plan_undo(step);
    match undo.map_err(|why| refuse(ListingsError::NotUndone(why)))? {
        Undo::Act(act) => {
            let act = ActOnHome {
                home_id: asked.home_id,
                act,
                reason: asked.reason.clone(),
                by: asked.by,
            };
            act_on_home::compose(log, &act, append).await
        }
        Undo::Edit { set, unset } => {
            let edit = EditHome {
                home_id: asked.home_id,
                position: read.position,
                set,
                unset: unset.iter().map(FactKey::to_string).collect(),
                reason: asked.reason.clone(),
                by: asked.by,
            };
            edit_home::compose(log, &edit, context, append).await
        }
    }
}

#[cfg(test)]
mod tests;
