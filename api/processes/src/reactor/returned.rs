//! A refund that came back from the bank: its payer is told where it had been announced, and finance always.

use ::messages::Channel;
use domain::correspondence::LetterKind;
use domain::id::{PaymentId, RefundId};
use domain::language::Language;
use domain::money::Money;
use domain::payment::Payment;
use platform::forms::forms_of;
use projections::payment_audit::reference;

use super::agenda::Planned;
use super::effects::Undone;
use super::messenger::{Letter, Posted};
use super::payment_letters::{self, Topic};
use super::{Reactor, ReactorError, lead_letters};
use crate::message_language::find_address_language;

impl Reactor {
    /// Both letters go out under the effect's own name: a repetition is the same letter.
    pub(super) async fn tell_of_return(
        &self,
        planned: &Planned,
        (payment_id, payment): (PaymentId, &Payment),
        refund_id: RefundId,
    ) -> Result<(), Undone> {
        let (Some(terms), Some(refund)) = (&payment.terms, payment.refunds.get(&refund_id)) else {
            return Ok(());
        };
        tracing::warn!(payment.id = %payment_id, "a refund came back: finance has to find another way");
        if let Some(recipient) = &self.finance_email {
            let amount = Money::new(refund.amount_minor, terms.quote.currency);
            let is_settled = payment.refundable_minor() == 0;
            let language = find_address_language(&self.log, recipient)
                .await
                .map_err(ReactorError::from)?;
            let letter = self.for_finance((&**recipient, language), payment_id, (amount, is_settled));
            let key = format!("{}:finance", planned.id);
            if let Posted::Refused(code) = self.post(&planned.id, &key, Some(letter)).await? {
                tracing::error!(payment.id = %payment_id, ?code, "the mail about a refund that came back was refused: look at `finance_email`");
            }
        }
        if !refund.told {
            return Ok(());
        }
        let topic = Topic::Returned(refund_id);
        let letter =
            payment_letters::about_payment(&self.log, &self.sites, payment_id, payment, topic).await?;
        let text = letter.as_ref().and_then(|letter| self.messages.text_of(letter));
        let key = format!("{}:{}", planned.id, terms.lead_id);
        let posted = self.post(&planned.id, &key, letter).await?;
        if let (Some(outcome), true) = (lead_letters::outcome_of(posted), text.is_some()) {
            let kind = LetterKind::RefundReturned;
            let posted = lead_letters::noted(kind, Some(refund_id.0), Channel::Email, outcome);
            self.note_letter(planned, terms.lead_id, posted, text).await?;
        }
        Ok(())
    }

    /// Nothing personal, and where to look; where other refunds or a bank have taken all of it, that nothing is left to send.
    fn for_finance(
        &self,
        (recipient, language): (&str, Language),
        payment_id: PaymentId,
        (amount, is_settled): (Money, bool),
    ) -> Letter {
        let public_url = self.house_origin();
        Letter {
            kind: if is_settled {
                "refund_came_back_settled"
            } else {
                "refund_came_back"
            },
            language,
            recipient: recipient.to_owned(),
            values: vec![
                ("reference", reference(payment_id)),
                ("amount", forms_of(language).write_price(amount)),
                (
                    "payment_url",
                    format!("{public_url}/workspace/finance?q={}", reference(payment_id)),
                ),
            ],
            picture: None,
            unproved: false,
            channel: Channel::Email,
            unsubscribe: None,
            site: None,
        }
    }
}
