//! Who sent somebody (D123): the referral that an enquiry opens in the same append.

use domain::aggregate::Decide as _;
use domain::contact::{Email, Phone};
use domain::id::{LeadId, ReferralId, UserId};
use domain::lead::Lead;
use domain::moment::Moment;
use domain::referral::{Referral, ReferralCommand, SharedContact};
use domain::user::User;
use eventlog::{Append, CommitError, EventLog};
use http_kit::caller::{Caller, ownership};
use http_kit::error::ApiResult;
use processes::lead_history::add;
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

/// By what a person is reached.
#[derive(Debug, Default)]
pub(super) struct Contact {
    inboxes: Vec<String>,
    /// In E.164.
    phones: Vec<String>,
}

impl Contact {
    /// What was written in an enquiry, and what its sender has proved.
    pub(super) fn of(caller: &Caller, checked: &Checked) -> Self {
        let mut contact = Self::default();
        contact.add(Some(&checked.email), Some(&checked.phone));
        if let Some(person) = &caller.person {
            contact.add(person.user.email.as_ref(), person.user.phone.as_ref());
        }
        contact
    }

    fn add(&mut self, email: Option<&Email>, phone: Option<&Phone>) {
        self.inboxes.extend(email.map(Email::inbox));
        self.phones.extend(phone.map(|phone| phone.e164().to_owned()));
    }

    fn shared_with(&self, other: &Self) -> Option<SharedContact> {
        let meet = |own: &[String], theirs: &[String]| own.iter().any(|one| theirs.contains(one));
        if meet(&self.inboxes, &other.inboxes) {
            Some(SharedContact::Inbox)
        } else if meet(&self.phones, &other.phones) {
            Some(SharedContact::Phone)
        } else {
            None
        }
    }
}

/// By what a referrer is reached: what they have proved, and what their newest enquiries say.
async fn contact_of(records: &Records, person: UserId) -> ApiResult<Contact> {
    let user = records.log.load::<User>(person).await?.state;
    let mut contact = Contact::default();
    contact.add(user.email.as_ref(), user.phone.as_ref());
    let own = ownership(&records.log, person, &user);
    for which in [Which::Unclaimed, Which::Enquired, Which::Booked] {
        let board = query::owned(records.read.readers(), &own, which, 1, ENQUIRIES_MAX).await?;
        for lead_id in board.rows.iter().filter_map(BoardRow::id) {
            if let Some(personal) = records.log.load::<Lead>(lead_id).await?.state.personal {
                contact.add(Some(&personal.email), Some(&personal.phone));
            }
        }
    }
    Ok(contact)
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
