//! Changes of an enquiry. While nobody has claimed it, it is of whom its address reaches: another address hands it over in the
//! same append (decisions 0015 and 0026).

use domain::aggregate::Decide as _;
use domain::id::{LeadId, UserId};
use domain::lead::{
    Correction, Lead, LeadCommand, LeadEvent, LeadPersonal, LeadRejection, LeadWish, ViewingRequest,
};
use domain::moment::Moment;
use domain::user::Reach;
use eventlog::{Append, CommitError, Context, EventLog, Loaded, Position, Revision, commit_together};
use http_kit::error::{ApiError, ApiResult};
use platform::clock;
use processes::accounts;
use processes::lead_history::add;
use records::Records;

use super::referral;
use super::stale;
use super::submit::standing_still;

/// What an enquiry is to say from now on: merged values, not the patch.
#[derive(Clone)]
pub(super) struct Change {
    /// The version that the sender has seen, if they say.
    pub edition: Option<Revision>,
    pub wish: LeadWish,
    pub personal: Option<LeadPersonal>,
    pub viewing: Option<ViewingRequest>,
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
        let (append, corrected_to) = reached(log, append, &lead, change, stranger).await?;
        let events = match lead.state.decide(change.command(corrected_to, at)) {
            Err(LeadRejection::ChangedMeanwhile(current)) => {
                let refusal = stale(log, lead_id, current).await.unwrap_or_else(|error| error);
                return Err(CommitError::Rejected(refusal));
            }
            decided => decided.map_err(|rejection| CommitError::Rejected(rejection.into()))?,
        };
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

/// Whom another address of an unclaimed lead reaches, met by it where nobody was; their account stands still meanwhile.
async fn reached(
    log: &EventLog,
    append: Append,
    lead: &Loaded<Lead>,
    change: &Change,
    stranger: UserId,
) -> Result<(Append, Option<Correction>), CommitError<ApiError>> {
    let other = change.personal.as_ref();
    let other = other.filter(|personal| lead.state.is_unclaimed() && !lead.state.is_named(&personal.email));
    let Some(personal) = other else {
        return Ok((append, None));
    };
    let reach = Reach::Email(personal.email.clone());
    let name = Some(personal.name.clone());
    let (append, person, expected) = accounts::meet(log, append, stranger, &reach, name)
        .await
        .map_err(|refused| refused.map(ApiError::from))?;
    let correction = Correction {
        person,
        subject: UserId(clock::new_id()),
    };
    Ok((standing_still(append, person, expected), Some(correction)))
}
