//! Confirmations of enquiries, many at once: their leads are read side by side, the letters are written down in one
//! transaction, and what was sent is noted in one batch of the log. So an enquiry costs little after its answer (decision 0021).

use ::messages::Channel;
use domain::aggregate::Decide as _;
use domain::correspondence::{LetterKind, LetterOutcome, LetterText};
use domain::lead::{Lead, LeadCommand, LeadRejection};
use domain::policy::Effect;
use eventlog::{Actor, CommitError, Loaded, commit_together};
use futures::future::join_all;
use parking_lot::Mutex;
use platform::clock;
use tracing::Instrument as _;

use super::agenda::Due;
use super::effects::{Undone, outcome, span_of};
use super::messages;
use super::messenger::Letter;
use super::{Reactor, ReactorError, lead_letters};

/// A confirmation on its way.
struct Confirmation {
    due: Due,
    lead: Loaded<Lead>,
    letter: Option<Letter>,
    /// What it says, for the lead's history.
    text: Option<LetterText>,
    /// Why what it tells is no longer so.
    untrue: Option<&'static str>,
}

/// The end of a confirmation: done, or dropped for a reason.
type Ended = Result<Option<&'static str>, Undone>;

impl Reactor {
    /// Carries out the confirmations among these effects, where letters are only written down; gives back everything else,
    /// one by one as ever.
    pub(super) async fn confirm_enquiries(&self, due: Vec<Due>) -> Vec<Due> {
        if !self.messages.only_keeps() {
            return due;
        }
        let (enquiries, others): (Vec<Due>, Vec<Due>) = due
            .into_iter()
            .partition(|due| matches!(due.planned.effect, Effect::SendLeadMessage { .. }));
        if enquiries.is_empty() {
            return others;
        }
        // Whoever took over begins it anew.
        if let Err(error) = self.agenda.confirm().await {
            tracing::warn!(%error, "confirmations of enquiries are left to another node");
            return others;
        }
        let mut done = Vec::new();
        for (due, outcome) in self.keep_confirmations(enquiries).await {
            let id = due.planned.id.clone();
            let noted = match outcome {
                Ok(None) => {
                    done.push(id);
                    continue;
                }
                Ok(Some(reason)) => self.drop_effect(&id, reason).await,
                Err(error) => {
                    tracing::warn!(effect = %id, attempts = due.attempts + 1, %error, "an effect waits for another attempt");
                    self.agenda.failed(&id, &error.to_string()).await
                }
            };
            if let Err(error) = noted {
                tracing::error!(%error, "the outbox cannot be written");
            }
        }
        if let Err(error) = self.agenda.done(&done).await {
            // They stay in the outbox and are repeated under the same keys.
            tracing::error!(%error, "the outbox cannot be written");
        }
        others
    }

    async fn keep_confirmations(&self, enquiries: Vec<Due>) -> Vec<(Due, Ended)> {
        let prepared = join_all(enquiries.into_iter().map(|due| self.prepared(due))).await;
        let (mut ended, mut ready) = (Vec::new(), Vec::new());
        for outcome in prepared {
            match outcome {
                Ok(confirmation) if confirmation.lead.state.told => ended.push((confirmation.due, Ok(None))),
                Ok(confirmation) if confirmation.untrue.is_some() => {
                    ended.push((confirmation.due, Ok(confirmation.untrue)));
                }
                Ok(confirmation) => ready.push(confirmation),
                Err((due, error)) => ended.push((due, Err(error))),
            }
        }
        let letters = ready
            .iter_mut()
            .filter_map(|one| Some((key(&one.due)?, one.letter.take()?)));
        let letters: Vec<(String, Letter)> = letters.collect();
        match self.messages.keep(letters).await {
            Ok(left_out) => ready
                .iter_mut()
                .filter(|one| key(&one.due).is_some_and(|key| left_out.contains(&key)))
                .for_each(|one| one.text = None),
            Err(why) => {
                let failed = |one: Confirmation| (one.due, Err(Undone::Message(why.clone())));
                ended.extend(ready.into_iter().map(failed));
                return ended;
            }
        }
        ended.extend(join_all(ready.into_iter().map(|one| self.noted(one))).await);
        ended
    }

    async fn prepared(&self, due: Due) -> Result<Confirmation, (Due, Undone)> {
        let Effect::SendLeadMessage { lead_id } = due.planned.effect else {
            return Err((due, Undone::Message("it is no confirmation".to_owned())));
        };
        let prepared = async {
            let lead = self.log.load::<Lead>(lead_id).await.map_err(ReactorError::from)?;
            let untrue = self
                .why_letter_untrue(&due.planned.effect, &lead.state, None)
                .await?;
            let letter = if lead.state.told || untrue.is_some() {
                None
            } else {
                messages::about_lead(&self.log, &self.sites, (lead_id, &lead.state)).await?
            };
            Ok::<_, ReactorError>((lead, letter, untrue))
        };
        match prepared.instrument(span_of(&due.planned)).await {
            Ok((lead, letter, untrue)) => {
                let text = letter.as_ref().and_then(|letter| self.messages.text_of(letter));
                Ok(Confirmation {
                    due,
                    lead,
                    letter,
                    text,
                    untrue,
                })
            }
            Err(error) => Err((due, error.into())),
        }
    }

    /// Writes down in the log that it was sent, once.
    async fn noted(&self, one: Confirmation) -> (Due, Ended) {
        let Effect::SendLeadMessage { lead_id } = one.due.planned.effect else {
            return (one.due, Ok(None));
        };
        let mut context = outcome(&one.due.planned, "sent");
        context.actor = Actor::RULE;
        let (seen, at) = (&Mutex::new(Some(one.lead)), clock::now());
        let text = &one.text;
        let noting = commit_together::<LeadRejection, _>(&self.log, &context, |append| async move {
            // Read a moment ago; when somebody was faster, it is read again.
            let kept = seen.lock().take();
            let lead = match kept {
                Some(lead) => lead,
                None => self.log.load::<Lead>(lead_id).await?,
            };
            let note = LeadCommand::NoteMessage { at };
            let mut events = lead.state.decide(note).map_err(CommitError::Rejected)?;
            if let Some(text) = text {
                let posted = lead_letters::noted(
                    LetterKind::Arrived,
                    None,
                    Channel::Email,
                    LetterOutcome::Delivered,
                );
                let text = Some(Box::new(text.clone()));
                let kept = LeadCommand::NoteLetter { posted, text, at };
                events.extend(lead.state.decide(kept).map_err(CommitError::Rejected)?);
            }
            if events.is_empty() {
                return Ok(append);
            }
            append
                .decision(lead_id, &lead, &events)
                .map_err(|error| CommitError::Log(error.into()))
        });
        let noted = match noting.instrument(span_of(&one.due.planned)).await {
            Ok(_) | Err(CommitError::CommandReused | CommitError::Rejected(_)) => Ok(None),
            Err(CommitError::Log(error)) => Err(ReactorError::Log(error).into()),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReactorError::Busy.into()),
        };
        (one.due, noted)
    }
}

/// Once per lead.
fn key(due: &Due) -> Option<String> {
    match due.planned.effect {
        Effect::SendLeadMessage { lead_id } => Some(messages::arrived(lead_id)),
        _ => None,
    }
}
