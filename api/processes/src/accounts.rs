//! Accounts behind addresses and numbers.

use domain::aggregate::Decide as _;
use domain::contact::PersonName;
use domain::handle::HandleCommand;
use domain::id::UserId;
use domain::user::{ForgetReason, Reach, User, UserCommand, UserRejection};
use eventlog::{Append, CommitError, Context, EventLog, Expected, Loaded, Position, StreamId, commit};
use platform::clock;
use records::Records;

use crate::handles::find_handle;
use crate::lead_history::add;

/// Finds the account behind an address or number. Where there is none, the append makes one for `stranger`.
///
/// # Errors
/// When the log cannot be read, or the rules stand against it.
pub async fn meet(
    log: &EventLog,
    append: Append,
    stranger: UserId,
    reach: &Reach,
    name: Option<PersonName>,
) -> Result<(Append, UserId, Expected), CommitError<UserRejection>> {
    let at = append.context.at;
    let (handle_id, handle) = find_handle(log, reach).await?;
    let owner = handle.state.owner;
    let user_id = owner.unwrap_or(stranger);
    let claim = HandleCommand::Claim {
        kind: reach.kind(),
        user_id,
        at,
    };
    let Ok(claimed) = handle.state.decide(claim);
    let append = add(append, handle_id, &handle, &claimed)?;
    let user = match owner {
        Some(owner) => log.load::<User>(owner).await?,
        // Nothing was ever said of them.
        None => Loaded::beginning(),
    };
    let register = UserCommand::Register {
        user_id,
        reach: reach.clone(),
        name,
        at,
    };
    let registered = user.state.decide(register).map_err(CommitError::Rejected)?;
    let append = add(append, user_id, &user, &registered)?;
    Ok((append, user_id, user.expected()))
}

/// What the append adds to an account, it adds where it was seen; an account to which it adds nothing must not have moved either.
pub fn standing_still(append: Append, person_id: UserId, expected: Expected) -> Append {
    let account = StreamId::of::<User>(person_id);
    if append.streams.iter().any(|added| added.stream == account) {
        append
    } else {
        append.guard(account, expected)
    }
}

/// Forgets a person, and waits until the read models on this node know it.
///
/// # Errors
/// When the log cannot be written.
pub async fn forget(
    records: &Records,
    user_id: UserId,
    reason: ForgetReason,
    asked: &Context,
) -> Result<Position, CommitError<UserRejection>> {
    let command = UserCommand::Forget {
        user_id,
        reason: Some(reason),
        at: clock::now(),
    };
    let forgotten = commit::<User>(&records.log, user_id, command, asked).await?;
    records.wait_for(forgotten.position).await;
    Ok(forgotten.position)
}
