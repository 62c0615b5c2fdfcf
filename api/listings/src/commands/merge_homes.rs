//! Merges a double into the home that is kept: the double's address leads there, its bookings stay with their rooms (U5).

use domain::aggregate::Decide as _;
use domain::id::{InventoryId, UserId};
use domain::inventory::property::PropertyDetails;
use domain::inventory::state::HomeState;
use domain::inventory::{Inventory, InventoryCommand, Reasoned};
use eventlog::{Append, Appended, CommitError, Context, EventLog, StreamId, commit_together};

use super::edit_home::{check_reason, reject};
use crate::error::ListingsError;

/// A merge of two homes.
#[derive(Debug, Clone)]
pub struct MergeHomes {
    pub double: InventoryId,
    pub kept: InventoryId,
    pub reason: String,
    pub by: UserId,
}

/// Merges them.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn merge_homes(
    log: &EventLog,
    asked: &MergeHomes,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    check_reason(&asked.reason).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose(log, asked, append)).await
}

async fn compose(
    log: &EventLog,
    asked: &MergeHomes,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let double = log.load::<Inventory>(asked.double).await?;
    let kept = log.load::<Inventory>(asked.kept).await?;
    if double.state.property.is_none() || kept.state.property.is_none() {
        return Err(CommitError::Rejected(ListingsError::UnknownHome));
    }
    if asked.double == asked.kept || !are_alike(&double.state, &kept.state) {
        return Err(CommitError::Rejected(ListingsError::NotADouble));
    }
    if is_let(&double.state) && !is_let(&kept.state) {
        return Err(CommitError::Rejected(ListingsError::KeptNotLet));
    }
    let reasoned = Reasoned {
        command: InventoryCommand::MergeInto { home: asked.kept },
        by: asked.by,
        reason: asked.reason.trim().to_owned(),
    };
    let command = InventoryCommand::Reasoned(Box::new(reasoned));
    let events = double.state.decide(command).map_err(reject)?;
    if events.is_empty() {
        return Ok(append);
    }
    // Were the other one merged or renamed meanwhile, it is asked again.
    let guarded = append.guard(StreamId::of::<Inventory>(asked.kept), kept.expected());
    let decided = guarded.decision(asked.double, &double, &events);
    decided.map_err(|error| CommitError::Log(error.into()))
}

/// True for a home that students find: its page leads to no draft and to no closed one.
const fn is_let(home: &Inventory) -> bool {
    matches!(home.state, HomeState::Active | HomeState::Paused { .. })
}

/// True for two of one name and address, of which the second is there to be led to.
fn are_alike(double: &Inventory, kept: &Inventory) -> bool {
    let key = |home: &Inventory| home.property.as_deref().and_then(PropertyDetails::alike_key);
    kept.state != HomeState::Deleted && key(double).is_some() && key(double) == key(kept)
}
