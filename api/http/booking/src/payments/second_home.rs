//! A second home for the same months: its student is asked first whether it is meant. Bookings are known by the login that they belong to,
//! or by the links that the same browser keeps of enquiries with the same address; an address alone tells nobody of its bookings.

use std::collections::BTreeSet;

use domain::aggregate::Decide as _;
use domain::id::{LeadId, PaymentId, UserId};
use domain::lead::Lead;
use domain::lease::Stay;
use domain::payment::terms::Terms;
use domain::payment::{Payment, PaymentCommand, PaymentRejection, PaymentStatus};
use domain::policy;
use domain::user_history::{UserHistory, UserHistoryCommand};
use eventlog::{Append, CommitError, Context, EventLog, Loaded, StreamId, commit_together};
use http_kit::answering::current_language;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::{clock, days};
use processes::waiting;
use projections::{lead_board, listing_name};
use records::Records;
use uuid::Uuid;

/// Links of other enquiries that one request may name.
pub(super) const LINKS_MAX: usize = 50;

/// Asks whether a second home is meant.
///
/// # Errors
/// 409 `booked_already` with the home that is booked for some of the same nights.
pub(super) async fn ask_about_second_home(
    records: &Records,
    (lead_id, lead): (LeadId, &Lead),
    stay: Stay,
    links: &[Uuid],
) -> ApiResult<()> {
    if lead.booked_by.is_some() {
        return Ok(());
    }
    let rivals = find_rivals(records, (lead_id, lead), stay, links).await?;
    match rivals.into_iter().find_map(Rival::into_question) {
        Some((terms, step)) => Err(ask_question(records, &terms, step).await?),
        None => Ok(()),
    }
}

/// Begins a payment, or begins it again, and asks the same as [`ask_about_second_home`] before a room is held. Only its own student is
/// asked: `asked` is who is logged in and has not said that a second home is meant. Who pays for another person learns of no booking.
///
/// The question is decided in the append: each begin is noted in the history of the person, and demands that their other payments are
/// where they were read. Of two that begin at the same moment the second is decided anew, and asked.
///
/// # Errors
/// As [`ask_about_second_home`], and what stands against beginning.
pub(super) async fn begin(
    records: &Records,
    (payment_id, command): (PaymentId, PaymentCommand),
    asked: Option<UserId>,
    context: &Context,
) -> ApiResult<()> {
    commit_together::<ApiError, _>(&records.log, context, |append| {
        let command = command.clone();
        async move { add_begin(records, append, (payment_id, command), asked).await }
    })
    .await?;
    Ok(())
}

async fn add_begin(
    records: &Records,
    append: Append,
    (payment_id, command): (PaymentId, PaymentCommand),
    asked: Option<UserId>,
) -> Result<Append, CommitError<ApiError>> {
    let log = &records.log;
    let payment = log.load::<Payment>(payment_id).await?;
    let events = match payment.state.decide(command) {
        Ok(events) => events,
        // Begun already, here or in another tab: its outcome is this one's.
        Err(PaymentRejection::NotAllowed {
            status: PaymentStatus::InitLoading | PaymentStatus::Initiated,
            ..
        }) => return Ok(append),
        Err(rejection) => return Err(CommitError::Rejected(rejection.into())),
    };
    let at = append.context.at;
    let append = append
        .decision(payment_id, &payment, &events)
        .map_err(|error| CommitError::Log(error.into()))?;
    let terms = payment.state.terms.as_ref();
    let Some(terms) = terms.filter(|terms| terms.link.is_none()) else {
        return Ok(append);
    };
    let lead = log.load::<Lead>(terms.lead_id).await?.state;
    let owner = lead.person().filter(|_| !lead.is_unclaimed());
    let Some(owner) = owner else {
        return Ok(append);
    };
    let append = add_note(log, append, owner, policy::note_begun(payment_id, terms, at)).await?;
    // A payment that holds its room goes on.
    if asked != Some(owner) || lead.booked_by.is_some() || payment.state.keeps_room(clock::now()) {
        return Ok(append);
    }
    let rivals = find_rivals(records, (terms.lead_id, &lead), terms.stay(), &[]).await;
    guard_rivals(records, append, rivals.map_err(CommitError::Rejected)?).await
}

/// Notes the begin in the history of its person; where it is noted already, the history must not change meanwhile.
async fn add_note(
    log: &EventLog,
    append: Append,
    owner: UserId,
    note: UserHistoryCommand,
) -> Result<Append, CommitError<ApiError>> {
    let history = log.load::<UserHistory>(owner).await?;
    let Ok(noted) = history.state.decide(note);
    if noted.is_empty() {
        return Ok(append.guard(StreamId::of::<UserHistory>(owner), history.expected()));
    }
    append
        .decision(owner, &history, &noted)
        .map_err(|error| CommitError::Log(error.into()))
}

/// Asks about the first that is booked or paid for; the others must not be begun meanwhile.
async fn guard_rivals(
    records: &Records,
    mut append: Append,
    rivals: Vec<Rival>,
) -> Result<Append, CommitError<ApiError>> {
    for rival in rivals {
        append = append.guard(
            StreamId::of::<Payment>(rival.payment_id),
            rival.payment.expected(),
        );
        if let Some((terms, step)) = rival.into_question() {
            let question = ask_question(records, &terms, step).await;
            return Err(CommitError::Rejected(question.unwrap_or_else(|error| error)));
        }
    }
    Ok(append)
}

/// The enquiries that are provably the same person's.
async fn find_others(
    records: &Records,
    lead_id: LeadId,
    lead: &Lead,
    links: &[Uuid],
) -> ApiResult<Vec<(LeadId, Lead)>> {
    let log = &records.log;
    let own = waiting::leads_of_person(log, lead_id).await?;
    let mut others: Vec<(LeadId, Lead)> = own.into_iter().map(|(id, lead)| (id, lead.state)).collect();
    if links.is_empty() {
        return Ok(others);
    }
    let address = |lead: &Lead| lead.personal.as_ref().map(|own| own.email.canonical());
    let (readers, hasher) = (records.heard().await?, log.handles());
    for link in links {
        let Some(other_id) = lead_board::query::find_by_uuid(readers, hasher, *link).await? else {
            continue;
        };
        let other = log.load::<Lead>(other_id).await?.state;
        // The link of a claimed enquiry shows it and no more.
        if other.is_unclaimed() && address(&other) == address(lead) {
            others.push((other_id, other));
        }
    }
    Ok(others)
}

/// How far another enquiry's home is.
#[derive(Debug, Clone, Copy)]
enum Step {
    Booked,
    /// Its payment is under way, or holds a room.
    Paying,
}

/// A payment of the same person for some of the same nights.
struct Rival {
    payment_id: PaymentId,
    payment: Loaded<Payment>,
    /// `None` while its home is neither booked nor paid for.
    step: Option<Step>,
}

impl Rival {
    /// Reads what another enquiry has booked, or is paying for at this moment: two that are begun side by side are asked about before
    /// either is paid, from the moment on at which the first begins.
    fn new(payment_id: PaymentId, payment: Loaded<Payment>, other: &Lead) -> Self {
        let is_under_way = matches!(
            payment.state.status,
            PaymentStatus::InitLoading | PaymentStatus::Processing | PaymentStatus::Pending
        );
        let is_paying = is_under_way || payment.state.keeps_room(clock::now());
        let step = match other.booked_by {
            Some(_) => Some(Step::Booked),
            None => is_paying.then_some(Step::Paying),
        };
        Self {
            payment_id,
            payment,
            step,
        }
    }

    fn into_question(self) -> Option<(Terms, Step)> {
        self.payment.state.terms.zip(self.step)
    }
}

/// Finds the payments of the person's other enquiries for some of the same nights: of each what it booked, else what was begun on it.
async fn find_rivals(
    records: &Records,
    (lead_id, lead): (LeadId, &Lead),
    stay: Stay,
    links: &[Uuid],
) -> ApiResult<Vec<Rival>> {
    let log = &records.log;
    let begun = find_begun(log, lead).await?;
    let mut rivals = Vec::new();
    for (other_id, other) in find_others(records, lead_id, lead, links).await? {
        if other_id == lead_id {
            continue;
        }
        let of_lead = begun.iter().filter(|(of, _)| *of == other_id);
        let payments: BTreeSet<PaymentId> = match other.booked_by {
            Some(payment_id) => BTreeSet::from([payment_id]),
            None => of_lead.map(|(_, id)| *id).chain(other.payment).collect(),
        };
        for payment_id in payments {
            let payment = log.load::<Payment>(payment_id).await?;
            let terms = payment.state.terms.as_ref();
            if terms.is_some_and(|terms| terms.stay().overlaps(stay)) {
                rivals.push(Rival::new(payment_id, payment, &other));
            }
        }
    }
    Ok(rivals)
}

/// The payments that the history of an enquiry's person knows: it hears of a begin in the same append, an enquiry a moment later.
async fn find_begun(log: &EventLog, lead: &Lead) -> ApiResult<BTreeSet<(LeadId, PaymentId)>> {
    match lead.person().filter(|_| !lead.is_unclaimed()) {
        Some(owner) => Ok(log.load::<UserHistory>(owner).await?.state.begun_payments()),
        None => Ok(BTreeSet::new()),
    }
}

async fn ask_question(records: &Records, terms: &Terms, step: Step) -> ApiResult<ApiError> {
    let home_id = terms.inventory_root_id.to_string();
    let home = listing_name::find(records.read.readers(), &home_id).await?;
    let stay = terms.stay();
    let day = |day| days::day(current_language(), day);
    let question = match step {
        Step::Booked => say("refusal.booked_already"),
        Step::Paying => say("refusal.paying_already"),
    };
    let question = question
        .with(
            "home",
            home.as_ref()
                .map_or("", |home| home.property_in(current_language().code())),
        )
        .with("from", day(stay.move_in))
        .with("to", day(stay.ends()));
    Ok(ApiError::conflict("booked_already", question))
}
