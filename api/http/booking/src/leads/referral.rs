//! Who sent somebody (D123): the referral that an enquiry opens in the same append.

use domain::aggregate::Decide as _;
use domain::id::{LeadId, ReferralId, UserId};
use domain::lead::{Lead, LeadPersonal};
use domain::moment::Moment;
use domain::referral::{Referral, ReferralCommand};
use domain::shared_contact::Contact;
use domain::user::{Reach, User};
use eventlog::{Append, CommitError, EventLog};
use http_kit::caller::{Caller, ownership};
use http_kit::error::{ApiError, ApiResult};
use processes::lead_history::add;
use projections::lead_board::personal_token;
use projections::lead_board::query::{self, BoardRow, Which};
use projections::referral_code;
use records::Records;

use super::payload::Checked;

/// How many enquiries of a referrer are compared, of each kind.
const ENQUIRIES_MAX: u64 = 20;

/// D123: a referral code opens a referral, held for review where both share an inbox or a phone (decision
/// 0028); a code nobody has says nothing about who sent them.
pub(super) async fn of(
    records: &Records,
    code: Option<String>,
    (referred, lead_id): (UserId, LeadId),
    contact: &Contact,
    at: Moment,
) -> ApiResult<Option<ReferralCommand>> {
    let Some(code) = code else { return Ok(None) };
    let Some(sender) = referral_code::find(records.read.readers(), &code).await? else {
        return Ok(None);
    };
    Ok(Some(ReferralCommand::Open {
        code,
        referrer: Some(sender),
        referred,
        lead_id,
        shared: contact.shared_with(&contact_of(records, sender).await?),
        at,
    }))
}

/// What was written in an enquiry, and what its sender has proved.
pub(super) fn contact_in(caller: &Caller, checked: &Checked) -> Contact {
    let mut contact = Contact::default();
    contact.add(Some(&checked.email), Some(&checked.phone));
    if let Some(person) = &caller.person {
        contact.add(person.user.email.as_ref(), person.user.phone.as_ref());
    }
    contact
}

/// By what a referrer is reached: their account, and what their newest enquiries say.
async fn contact_of(records: &Records, person: UserId) -> ApiResult<Contact> {
    let user = records.log.load::<User>(person).await?.state;
    let mut contact = Contact::default();
    contact.add_account(&user);
    let mut own = ownership(&records.log, person, &user);
    // Who has never logged in owns nothing, and is still known by the address that they wrote.
    if let (None, Some(Reach::Email(email))) = (&own.email_hash, &user.met_as) {
        let hasher = records.log.handles();
        own.email_hash = Some(personal_token(hasher, "email", &email.canonical()));
    }
    for which in [Which::Unclaimed, Which::Enquired, Which::Booked] {
        let board = query::owned(records.read.readers(), &own, which, 1, ENQUIRIES_MAX).await?;
        for lead_id in board.rows.iter().filter_map(BoardRow::id) {
            contact.add_lead(&records.log.load::<Lead>(lead_id).await?.state);
        }
    }
    Ok(contact)
}

/// Compares a referred person's new contact with the referrer's: what both are reached by holds the referral (decision 0028).
pub(super) async fn compare(
    records: &Records,
    append: Append,
    lead_id: LeadId,
    personal: &LeadPersonal,
) -> Result<Append, CommitError<ApiError>> {
    let referral_id = ReferralId(lead_id.0);
    let loaded = records.log.load::<Referral>(referral_id).await?;
    let Some(referrer) = loaded.state.compared_with() else {
        return Ok(append);
    };
    let theirs = contact_of(records, referrer).await;
    let mut own = Contact::default();
    own.add(Some(&personal.email), Some(&personal.phone));
    let command = ReferralCommand::Compare {
        shared: own.shared_with(&theirs.map_err(CommitError::Rejected)?),
        at: append.context.at,
    };
    let events = loaded.state.decide(command).unwrap_or_default();
    add(append, referral_id, &loaded, &events)
}

/// D123: a referred lead opens its referral, PENDING; the first payment completes it. The stream goes by the lead's id.
pub(super) async fn open<R>(
    log: &EventLog,
    append: Append,
    lead_id: LeadId,
    open: Option<ReferralCommand>,
) -> Result<Append, CommitError<R>> {
    let Some(open) = open else { return Ok(append) };
    let referral_id = ReferralId(lead_id.0);
    let loaded = log.load::<Referral>(referral_id).await?;
    // A referral that the rules turn down leaves the lead as it is.
    let events = loaded.state.decide(open).unwrap_or_default();
    add(append, referral_id, &loaded, &events)
}
