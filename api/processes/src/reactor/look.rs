//! The look at what a message tells, right before it goes, at each attempt: [`policy::why_untrue`] says what is no longer so. What is
//! dropped leaves its reason in the agenda, in the outbox and in the server's log.

use domain::correspondence::LetterKind;
use domain::id::PaymentId;
use domain::lead::Lead;
use domain::payment::{MessageKind, Payment};
use domain::policy::{self, Effect, Facts};
use domain::room_stock::{Place, RoomStock};
use platform::clock;

use super::changed_stay::is_changed_since;
use super::{Reactor, ReactorError};

impl Reactor {
    /// Why a message about a payment is no longer true.
    pub(super) async fn why_payment_untrue(
        &self,
        effect: &Effect,
        (payment_id, payment): (PaymentId, &Payment),
    ) -> Result<Option<&'static str>, ReactorError> {
        let offered_until = match (effect, &payment.terms) {
            (
                Effect::SendMessage {
                    kind: MessageKind::PlaceOffered,
                    ..
                },
                Some(terms),
            ) => {
                let stock = self.log.load::<RoomStock>(terms.room_id).await?.state;
                stock.waitlist.place(payment_id).and_then(Place::offered_until)
            }
            _ => None,
        };
        let facts = Facts {
            at: clock::now(),
            payment: Some(payment),
            offered_until,
            ..Facts::default()
        };
        Ok(policy::why_untrue(effect, &facts))
    }

    /// Why a message about an enquiry, its form or its payment is no longer true.
    pub(super) async fn why_letter_untrue(
        &self,
        effect: &Effect,
        lead: &Lead,
        payment: Option<&Payment>,
    ) -> Result<Option<&'static str>, ReactorError> {
        let is_stay_changed_since = match effect {
            Effect::SendLetter {
                lead_id,
                letter: LetterKind::ChangedForYou,
                about,
            } => is_changed_since(&self.log, (*lead_id, lead), *about).await?,
            _ => false,
        };
        let facts = Facts {
            at: clock::now(),
            lead: Some(lead),
            payment,
            is_stay_changed_since,
            ..Facts::default()
        };
        Ok(policy::why_untrue(effect, &facts))
    }

    /// Drops an effect with its reason, and what waits in the outbox for it.
    pub(super) async fn drop_effect(&self, id: &str, reason: &'static str) -> Result<(), ReactorError> {
        tracing::info!(
            effect = id,
            reason,
            "a message is dropped: what it tells is no longer so"
        );
        match self.messages.drop_waiting(id, reason).await {
            Ok(()) => self.agenda.dropped(id, reason).await,
            Err(why) => self.agenda.failed(id, &why).await,
        }
    }
}
