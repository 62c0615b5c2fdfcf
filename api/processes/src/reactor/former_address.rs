//! A contact that staff corrected is told to the address that the lead named before: who did not ask for it can say so.

use ::messages::Channel;
use domain::contact::Email;
use domain::correspondence::LetterKind;
use domain::id::LeadId;
use domain::lead::{DeskAct, Lead, LeadEvent};
use eventlog::{EventLog, LogError, StreamId};
use uuid::Uuid;

use super::agenda::Planned;
use super::effects::Undone;
use super::lead_letters::Matter;
use super::{Reactor, ReactorError};

/// Events of a lead that are read at once.
const AT_ONCE: usize = 500;

impl Reactor {
    /// Sends the message to the former address, once; none where the address is still the same.
    pub(super) async fn tell_former_address(
        &self,
        planned: &Planned,
        matter: &mut Matter,
    ) -> Result<(), Undone> {
        let (lead_id, act_id) = (matter.lead_id, matter.about);
        let now = matter
            .lead
            .personal
            .as_ref()
            .map(|personal| personal.email.clone());
        let former = former_address(&self.log, lead_id, act_id).await?;
        let former = former.filter(|former| Some(former.canonical()) != now.as_ref().map(Email::canonical));
        let Some(former) = former.filter(|_| !matter.lead.knows(LetterKind::ContactLeft, Some(act_id)))
        else {
            return Ok(());
        };
        let kind = std::mem::replace(&mut matter.letter, LetterKind::ContactLeft);
        let letter = self.letter_of(matter).await;
        matter.letter = kind;
        let Some(mut letter) = letter? else {
            return Ok(());
        };
        former.as_str().clone_into(&mut letter.recipient);
        letter.channel = Channel::Email;
        let key = format!("{}:{lead_id}:{act_id}", LetterKind::ContactLeft.key());
        let about = (lead_id, LetterKind::ContactLeft, Some(act_id));
        self.post_and_note(planned, about, &key, letter).await
    }
}

/// The address that the lead named before the act; `None` where the act changed none, or its words are gone with the person.
async fn former_address(
    log: &EventLog,
    lead_id: LeadId,
    act_id: Uuid,
) -> Result<Option<Email>, ReactorError> {
    let stream = StreamId::of::<Lead>(lead_id);
    let (mut former, mut named) = (None, None);
    let mut after = 0;
    loop {
        let events = log.read_stream(&stream, after, AT_ONCE).await?;
        let Some(last) = events.last() else {
            return Ok(None);
        };
        after = last.revision;
        for record in &events {
            match record.decode::<Lead>().map_err(LogError::from)? {
                LeadEvent::Created { personal, .. } | LeadEvent::ContactChanged { personal, .. } => {
                    former = named.take();
                    named = personal.get().map(|personal| personal.email.clone());
                }
                LeadEvent::ActedOn {
                    act_id: found, act, ..
                } if found == act_id => {
                    let corrects = matches!(act, DeskAct::ContactCorrected);
                    return Ok(former.filter(|_| corrects));
                }
                _ => {}
            }
        }
    }
}
