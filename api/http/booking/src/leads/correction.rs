//! Changes of an enquiry. While nobody has claimed it, it is of whom its address reaches: another address hands it over in the
//! same append (decisions 0015 and 0026).

use domain::aggregate::Decide as _;
use domain::contact::Email;
use domain::id::{LeadId, UserId};
use domain::lead::{
    Acting, Correction, Lead, LeadCommand, LeadEvent, LeadPersonal, LeadRejection, LeadWish, ViewingRequest,
};
use domain::moment::Moment;
use domain::user::{Reach, User};
use eventlog::{
    Append, CommitError, Context, EventLog, Loaded, LogError, Position, Revision, commit_together,
};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::clock;
use processes::accounts::{self, standing_still};
use processes::handles::find_handle;
use processes::lead_history::add;
use records::Records;
use uuid::Uuid;

use super::referral;
use super::stale;

/// What an enquiry is to say from now on: merged values, not the patch.
#[derive(Clone)]
pub(super) struct Change {
    /// The version that the sender has seen, if they say.
    pub edition: Option<Revision>,
    pub wish: LeadWish,
    pub personal: Option<LeadPersonal>,
    pub viewing: Option<ViewingRequest>,
    /// The act of staff that it is part of, kept in the same append.
    pub by_staff: Option<Acting>,
    /// When the contact was corrected that it puts back.
    pub undoes: Option<Moment>,
}

/// Changes the enquiry and says where the log then stood.
///
/// # Errors
/// 409 with the current version where another change was faster; what the lead's own rules refuse.
pub(super) async fn change(
    records: &Records,
    lead_id: LeadId,
    change: &Change,
    asked: &Context,
) -> ApiResult<Position> {
    let log = &records.log;
    let stranger = UserId(clock::new_id());
    let appended = commit_together::<ApiError, _>(log, asked, |append| async move {
        let lead = log.load::<Lead>(lead_id).await?;
        let at = append.context.at;
        let acting = change.by_staff.as_ref();
        if acting.is_some_and(|acting| lead.state.desk().acts.contains(&acting.act_id)) {
            return Ok(append);
        }
        if change.undoes.is_some() && change.undoes != undoable(&lead.state, at) {
            return Err(CommitError::Rejected(undo_is_over()));
        }
        let (append, corrected_to) = reached(log, append, &lead, change, stranger).await?;
        let mut events = match lead.state.decide(change.command(corrected_to, at)) {
            Err(LeadRejection::ChangedMeanwhile(current)) => {
                let refusal = stale(log, lead_id, current).await.unwrap_or_else(|error| error);
                return Err(CommitError::Rejected(refusal));
            }
            decided => decided.map_err(|rejection| CommitError::Rejected(rejection.into()))?,
        };
        if let Some(acting) = acting {
            let act = kept_as_act(&lead.state, &events, acting)?;
            events.extend(act);
        }
        let append = add(append, lead_id, &lead, &events)?;
        let is_reached_elsewhere = events
            .iter()
            .any(|event| matches!(event, LeadEvent::ContactChanged { .. }));
        match change.personal.as_ref().filter(|_| is_reached_elsewhere) {
            Some(personal) => referral::compare(records, append, lead_id, personal).await,
            None => Ok(append),
        }
    })
    .await?;
    match appended.last {
        0 => Ok(log.head().await?),
        last => Ok(last),
    }
}

/// Hands a claimed enquiry to whom the right address reaches, and says where the log then stood. Its link is drawn anew, as whoever
/// had it has the old one.
///
/// # Errors
/// 409 where the account that has it began something in it, or sealed it.
pub(super) async fn hand_over(
    records: &Records,
    lead_id: LeadId,
    (personal, acting): (&LeadPersonal, &Acting),
    asked: &Context,
) -> ApiResult<Position> {
    let log = &records.log;
    let stranger = UserId(clock::new_id());
    let lead_uuid = Uuid::new_v4();
    let appended = commit_together::<ApiError, _>(log, asked, |append| async move {
        let lead = log.load::<Lead>(lead_id).await?;
        if lead.state.desk().acts.contains(&acting.act_id) {
            return Ok(append);
        }
        let reach = Reach::Email(personal.email.clone());
        let name = Some(personal.name.clone());
        let (append, to, expected) = accounts::meet(log, append, stranger, &reach, name)
            .await
            .map_err(|refused| refused.map(ApiError::from))?;
        let append = standing_still(append, to, expected);
        let personal = LeadPersonal {
            lead_uuid,
            ..personal.clone()
        };
        let command = LeadCommand::HandOver {
            personal: Box::new(personal.clone()),
            to,
            at: append.context.at,
        };
        let decided = lead.state.decide(command);
        let mut events = decided.map_err(|rejection| CommitError::Rejected(rejection.into()))?;
        events.extend(kept_as_act(&lead.state, &events, acting)?);
        let append = add(append, lead_id, &lead, &events)?;
        referral::compare(records, append, lead_id, &personal).await
    })
    .await?;
    match appended.last {
        0 => Ok(log.head().await?),
        last => Ok(last),
    }
}

/// When the contact was corrected that can be put back now.
pub(super) fn undoable(lead: &Lead, at: Moment) -> Option<Moment> {
    let corrected_at = lead.desk().contact_corrected_at;
    corrected_at.filter(|_| lead.can_undo_contact(at))
}

pub(super) fn undo_is_over() -> ApiError {
    ApiError::conflict("contact_undo_over", say("refusal.contact_undo_over"))
}

impl Change {
    fn command(&self, corrected_to: Option<Correction>, at: Moment) -> LeadCommand {
        LeadCommand::Change {
            edition: self.edition,
            wish: self.wish.clone(),
            personal: self.personal.clone().map(Box::new),
            corrected_to,
            viewing: self.viewing.clone(),
            at,
        }
    }
}

/// The act with who and why, sealed under the key that the lead has after the change.
fn kept_as_act(
    lead: &Lead,
    events: &[LeadEvent],
    acting: &Acting,
) -> Result<Vec<LeadEvent>, CommitError<ApiError>> {
    if events.is_empty() {
        let same = ApiError::conflict("nothing_changed", say("refusal.nothing_changed"));
        return Err(CommitError::Rejected(same));
    }
    let mut changed = lead.clone();
    for event in events {
        changed.evolve(event);
    }
    changed
        .decide(LeadCommand::Act(Box::new(acting.clone())))
        .map_err(|rejection| CommitError::Rejected(rejection.into()))
}

/// Whom another address of an unclaimed lead reaches, met by it where nobody was; their account stands still meanwhile.
async fn reached(
    log: &EventLog,
    append: Append,
    lead: &Loaded<Lead>,
    change: &Change,
    stranger: UserId,
) -> Result<(Append, Option<Correction>), CommitError<ApiError>> {
    let other = change.personal.as_ref();
    let other = other.filter(|personal| !lead.state.is_named(&personal.email));
    // Claims of before the claimer was written down are known by the address: staff must not move them to another account.
    let has_unnamed_owner = !lead.state.is_unclaimed() && lead.state.claimed_by.is_none();
    if change.by_staff.is_some() && other.is_some() && has_unnamed_owner {
        return Err(CommitError::Rejected(of_an_account(change)));
    }
    let Some(personal) = other.filter(|_| lead.state.is_unclaimed()) else {
        return Ok((append, None));
    };
    let reach = Reach::Email(personal.email.clone());
    let name = Some(personal.name.clone());
    let (append, person, expected) = accounts::meet(log, append, stranger, &reach, name)
        .await
        .map_err(|refused| refused.map(ApiError::from))?;
    // Whose login proved the address would own the lead at once: the student changes it by the link of the enquiry.
    if change.by_staff.is_some() && log.load::<User>(person).await?.state.email.is_some() {
        return Err(CommitError::Rejected(of_an_account(change)));
    }
    let correction = Correction {
        person,
        subject: UserId(clock::new_id()),
    };
    Ok((standing_still(append, person, expected), Some(correction)))
}

/// Whether another address of an unclaimed lead is proved by an account, which would own the lead at once.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn belongs_to_account(log: &EventLog, lead: &Lead, email: &Email) -> Result<bool, LogError> {
    if !lead.is_unclaimed() || lead.is_named(email) {
        return Ok(false);
    }
    let (_, handle) = find_handle(log, &Reach::Email(email.clone())).await?;
    match handle.state.owner {
        Some(owner) => Ok(log.load::<User>(owner).await?.state.email.is_some()),
        None => Ok(false),
    }
}

/// Staff gave an address that belongs to an account: the lead would go to that login.
fn of_an_account(change: &Change) -> ApiError {
    let says = say("refusal.contact_of_account");
    match change.undoes {
        // Who puts a contact back has typed no address.
        Some(_) => ApiError::conflict("contact_of_account", says),
        None => ApiError::invalid_field("email", "account", says),
    }
}
