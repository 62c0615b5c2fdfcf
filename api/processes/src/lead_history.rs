//! What a lead means for its person's history (Spec §3 "User history"), once it is sure whose it is: what was sent without
//! a login says nothing about anybody until they prove the address or number in it (T5, T12; decision 0026).

use domain::aggregate::Decide;
use domain::id::{LeadId, StreamKey, UserId};
use domain::lead::{Lead, LeadCommand, LeadRejection, LeadStatus, LeadVariant};
use domain::user_history::{HistoryFact, UserHistory, UserHistoryCommand};
use eventlog::{Append, Appended, CommitError, Context, EventLog, Loaded, commit_together};

/// Adds a fact to a person's history in the same append (F7).
///
/// # Errors
/// When the history cannot be read.
pub async fn note_history<R>(
    log: &EventLog,
    append: Append,
    person_id: UserId,
    note: Option<UserHistoryCommand>,
) -> Result<Append, CommitError<R>> {
    note_all(log, append, person_id, note).await
}

/// Takes a lead for that of who proved its address, with all that came of it so far.
///
/// # Errors
/// When the log cannot be read or written.
pub async fn claim(
    log: &EventLog,
    lead_id: LeadId,
    owner: UserId,
    asked: &Context,
) -> Result<Appended, CommitError<LeadRejection>> {
    commit_together::<LeadRejection, _>(log, asked, |append| async move {
        let at = append.context.at;
        let lead = log.load::<Lead>(lead_id).await?;
        let notes = if lead.state.is_unclaimed() {
            notes(&lead.state, at)
        } else {
            Vec::new()
        };
        let command = LeadCommand::VerifyPerson { by: owner, at };
        let events = lead.state.decide(command).map_err(CommitError::Rejected)?;
        if events.is_empty() {
            return Ok(append);
        }
        let append = add(append, lead_id, &lead, &events)?;
        note_all(log, append, owner, notes).await
    })
    .await
}

async fn note_all<R>(
    log: &EventLog,
    append: Append,
    person_id: UserId,
    notes: impl IntoIterator<Item = UserHistoryCommand>,
) -> Result<Append, CommitError<R>> {
    let mut notes = notes.into_iter().peekable();
    if notes.peek().is_none() {
        return Ok(append);
    }
    let loaded = log.load::<UserHistory>(person_id).await?;
    let mut events = Vec::new();
    for note in notes {
        events.extend(loaded.state.decide(note).unwrap_or_default());
    }
    add(append, person_id, &loaded, &events)
}

/// Adds what was decided to the append, if it was anything.
///
/// # Errors
/// When an event has no stored form.
pub fn add<A: Decide, R>(
    append: Append,
    key: impl StreamKey,
    loaded: &Loaded<A>,
    events: &[A::Event],
) -> Result<Append, CommitError<R>> {
    if events.is_empty() {
        return Ok(append);
    }
    append
        .decision(key, loaded, events)
        .map_err(|error| CommitError::Log(error.into()))
}

/// The mark that an enquiry of this kind leaves on its home.
pub const fn fact_of(variant: LeadVariant, waitlisted: bool) -> HistoryFact {
    match variant {
        _ if waitlisted => HistoryFact::Waitlisted,
        LeadVariant::ContactUs => HistoryFact::Contacted,
        LeadVariant::GetHelp => HistoryFact::GetHelpClicked,
        LeadVariant::JoinWaitlist => HistoryFact::Waitlisted,
        LeadVariant::AskQuestionFaqCta
        | LeadVariant::Enquire
        | LeadVariant::VirtualTourEnquiry
        | LeadVariant::ReferredByEnquiry
        | LeadVariant::PartnerEnquire
        | LeadVariant::BookNow
        | LeadVariant::ApplyNow
        | LeadVariant::EditDetails
        | LeadVariant::GenericForm => HistoryFact::Enquired,
    }
}

/// Everything that came of a lead, in its order.
fn notes(lead: &Lead, at: domain::moment::Moment) -> Vec<UserHistoryCommand> {
    let Some(sent) = lead.submission.as_deref() else {
        return Vec::new();
    };
    let Some(property_id) = sent.inventory_root_id else {
        return Vec::new();
    };
    let waitlisted = lead.status == LeadStatus::Waitlisted || !sent.available;
    let form = lead.form.map(|(form_id, _)| form_id);
    let facts = [
        Some(fact_of(sent.variant, waitlisted)),
        form.map(|form_id| HistoryFact::BookFormInitiated { form_id }),
        form.filter(|_| lead.form_completed)
            .map(|form_id| HistoryFact::BookFormCompleted { form_id }),
        lead.payment
            .map(|payment_id| HistoryFact::PaymentInitiated { payment_id }),
        lead.booked_by
            .map(|payment_id| HistoryFact::PaymentCompleted { payment_id }),
    ];
    let room_id = lead
        .booked_inventory_id
        .or(sent.inventory_id)
        .filter(|id| *id != property_id);
    let notes = facts.into_iter().flatten().map(|fact| UserHistoryCommand::Note {
        property_id,
        room_id,
        lead_id: sent.lead_id,
        fact,
        at,
    });
    notes.collect()
}
