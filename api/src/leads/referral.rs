//! Who sent somebody (D123): the referral that an enquiry opens in the same append.

use domain::aggregate::Decide as _;
use domain::id::{LeadId, ReferralId, UserId};
use domain::moment::Moment;
use domain::referral::{Referral, ReferralCommand};
use eventlog::{Append, CommitError};
use projections::referral_code;

use super::history::add;
use crate::app::App;

/// D123: a code that somebody gave out opens a referral; a code nobody has says nothing about who sent them.
pub(super) async fn of(
    app: &App,
    code: Option<String>,
    (referred, lead_id): (UserId, LeadId),
    at: Moment,
) -> Result<Option<ReferralCommand>, sqlx::Error> {
    let Some(code) = code else { return Ok(None) };
    let sender = referral_code::find(app.read.readers(), &code).await?;
    Ok(sender.map(|sender| ReferralCommand::Open {
        code,
        referrer: Some(sender),
        referred,
        lead_id,
        at,
    }))
}

/// D123: a referred lead opens its referral, PENDING; the first payment completes it. The stream goes by the lead's id.
pub(super) async fn open<R>(
    app: &App,
    append: Append,
    lead_id: LeadId,
    open: Option<ReferralCommand>,
) -> Result<Append, CommitError<R>> {
    let Some(open) = open else { return Ok(append) };
    let referral_id = ReferralId(lead_id.0);
    let loaded = app.log.load::<Referral>(referral_id).await?;
    // A referral that the rules turn down leaves the lead as it is.
    let events = loaded.state.decide(open).unwrap_or_default();
    add(append, referral_id, &loaded, &events)
}
