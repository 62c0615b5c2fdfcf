//! Acts of staff on a home as a whole: it is sent for review, let, paused, closed and opened again (U5), each with a reason.

use chrono::NaiveDate;
use domain::aggregate::Decide as _;
use domain::id::{InventoryId, UserId};
use domain::inventory::state::{ClosedBy, HomeState};
use domain::inventory::{Inventory, InventoryCommand, InventoryRejection, Reasoned};
use eventlog::{Append, Appended, CommitError, Context, EventLog, commit_together};

use super::edit_home::{check_reason, reject};
use crate::error::ListingsError;

/// An act of staff on a home as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeAct {
    Submit,
    AskChanges,
    Activate,
    Pause {
        /// The day from which it is let again, where one is known.
        reopens_on: Option<NaiveDate>,
    },
    Reopen,
    Close,
}

impl HomeAct {
    /// Their names in answers.
    pub const KEYS: [&'static str; 6] = ["submit", "ask_changes", "activate", "pause", "reopen", "close"];

    /// The names of those that a state allows, the likeliest first.
    pub const fn list_allowed(state: HomeState) -> &'static [&'static str] {
        match state {
            HomeState::Draft | HomeState::ChangesAsked => &["submit", "activate"],
            HomeState::InReview => &["activate", "ask_changes"],
            HomeState::Active => &["pause", "close"],
            HomeState::Paused { .. } => &["reopen", "close"],
            HomeState::Closed { .. } => &["reopen"],
            HomeState::Deleted => &[],
        }
    }

    /// True where the state stands against it, though the home's own rules would let it pass.
    const fn is_out_of_turn(self, state: HomeState) -> bool {
        match self {
            Self::Submit => !matches!(
                state,
                HomeState::Draft | HomeState::ChangesAsked | HomeState::InReview
            ),
            Self::Activate => matches!(
                state,
                HomeState::Paused { .. } | HomeState::Closed { .. } | HomeState::Deleted
            ),
            Self::AskChanges | Self::Pause { .. } | Self::Reopen | Self::Close => false,
        }
    }

    const fn command(self) -> InventoryCommand {
        match self {
            Self::Submit => InventoryCommand::SubmitForReview,
            Self::AskChanges => InventoryCommand::AskChanges,
            Self::Activate => InventoryCommand::Activate,
            Self::Pause { reopens_on } => InventoryCommand::Pause { reopens_on },
            Self::Reopen => InventoryCommand::Reopen,
            Self::Close => InventoryCommand::Close { by: ClosedBy::Staff },
        }
    }
}

/// An act of a member of staff.
#[derive(Debug, Clone)]
pub struct ActOnHome {
    pub home_id: InventoryId,
    pub act: HomeAct,
    pub reason: String,
    pub by: UserId,
}

/// Does it. A home that is as the act would make it stays as it is.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn act_on_home(
    log: &EventLog,
    asked: &ActOnHome,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    check_reason(&asked.reason).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose(log, asked, append)).await
}

/// Decides an act on the home as it stands.
///
/// # Errors
/// As [`act_on_home`].
pub(super) async fn compose(
    log: &EventLog,
    asked: &ActOnHome,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let home = log.load::<Inventory>(asked.home_id).await?;
    if home.state.property.is_none() {
        return Err(CommitError::Rejected(ListingsError::UnknownHome));
    }
    let state = home.state.state;
    if asked.act.is_out_of_turn(state) {
        return Err(reject(InventoryRejection::WrongState { state }));
    }
    let reasoned = Reasoned {
        command: asked.act.command(),
        by: asked.by,
        reason: asked.reason.trim().to_owned(),
    };
    let command = InventoryCommand::Reasoned(Box::new(reasoned));
    let events = home.state.decide(command).map_err(reject)?;
    if events.is_empty() {
        return Ok(append);
    }
    let decided = append.decision(asked.home_id, &home, &events);
    decided.map_err(|error| CommitError::Log(error.into()))
}
