//! Messages about how far a form or a payment has come, and reminders of them (D137). Each is sent once for each fact; what went out
//! is noted on the lead with its text, sealed, so that support sees what its reader was told.

use ::messages::Channel;
use domain::correspondence::{
    LetterKind, LetterOutcome, LetterText, MessageChannel, MessageChoice, Posted as Noted,
};
use domain::id::{LeadId, PaymentId};
use domain::lead::{Lead, LeadCommand};
use domain::payment::{Payment, PaymentStatus};
use domain::policy::Effect;
use domain::user::User;
use eventlog::{Actor, CommitError, commit};
use platform::clock;
use platform::forms::forms_of;
use platform::texts::text;
use projections::payment_audit::reference;
use uuid::Uuid;

use super::agenda::Planned;
use super::changed_stay::describe_change;
use super::effects::{Undone, outcome};
use super::messages::{self, find_picture, greeting, property};
use super::messenger::{Letter, Posted};
use super::price_drops::{self, PriceDrop};
use super::{Reactor, ReactorError};
use crate::enquiry_link;
use crate::message_language::enquiry_language;
use crate::unsubscribe;

/// What one letter is about.
pub(super) struct Matter {
    pub(super) lead_id: LeadId,
    pub(super) lead: Lead,
    pub(super) letter: LetterKind,
    /// The form, payment, act or change of a price.
    pub(super) about: Uuid,
    /// The payment, where it is about one.
    payment: Option<Payment>,
    /// The lower price, where it is about one.
    drop: Option<PriceDrop>,
    choice: MessageChoice,
    /// A number that a code proved.
    phone: Option<String>,
}

impl Reactor {
    /// Sends a letter unless it went out already, or its reader wants none of its kind. Says why, where what it tells is no longer so.
    pub(super) async fn send_letter(
        &self,
        planned: &Planned,
        lead_id: LeadId,
        letter: LetterKind,
        about: Uuid,
    ) -> Result<Option<&'static str>, Undone> {
        let mut matter = match self.matter(lead_id, letter, about).await? {
            Ok(matter) => matter,
            Err(reason) => return Ok(reason),
        };
        let letter = matter.letter;
        if letter == LetterKind::ContactCorrected {
            self.tell_former_address(planned, &mut matter).await?;
        }
        let written = match letter {
            LetterKind::ArrivedAgain => {
                let again = messages::about_lead(&self.log, &self.sites, (lead_id, &matter.lead)).await;
                again?
            }
            _ => self.letter_of(&matter).await?,
        };
        let Some(written) = written else {
            return Ok(None);
        };
        let key = format!("{}:{lead_id}:{about}", letter.key());
        self.post_and_note(planned, (lead_id, letter, Some(about)), &key, written)
            .await?;
        Ok(None)
    }

    /// Sends a letter under its key and notes on its lead what became of it, with its text.
    pub(super) async fn post_and_note(
        &self,
        planned: &Planned,
        (lead_id, letter, about): (LeadId, LetterKind, Option<Uuid>),
        key: &str,
        written: Letter,
    ) -> Result<(), Undone> {
        let (text, channel) = (self.messages.text_of(&written), written.channel);
        let posted = self.post(&planned.id, key, Some(written)).await?;
        match outcome_of(posted) {
            Some(outcome) => {
                let posted = noted(letter, about, channel, outcome);
                self.note_letter(planned, lead_id, posted, text).await
            }
            None => Ok(()),
        }
    }

    /// Once per lead: the key is the lead's, and what was sent is written down.
    pub(super) async fn send_lead_message(
        &self,
        planned: &Planned,
        lead_id: LeadId,
    ) -> Result<Option<&'static str>, Undone> {
        let lead = self
            .log
            .load::<Lead>(lead_id)
            .await
            .map_err(ReactorError::from)?
            .state;
        if lead.told {
            return Ok(None);
        }
        if let Some(reason) = self.why_letter_untrue(&planned.effect, &lead, None).await? {
            return Ok(Some(reason));
        }
        let letter = messages::about_lead(&self.log, &self.sites, (lead_id, &lead)).await?;
        let at = clock::now();
        let text = letter.as_ref().and_then(|letter| self.messages.text_of(letter));
        let key = messages::arrived(lead_id);
        let posted = self.post(&planned.id, &key, letter).await?;
        if let (Some(outcome), true) = (outcome_of(posted), text.is_some()) {
            let posted = noted(LetterKind::Arrived, None, Channel::Email, outcome);
            self.note_letter(planned, lead_id, posted, text).await?;
        }
        let note = match posted {
            Posted::Sent | Posted::LeftOut => LeadCommand::NoteMessage { at },
            Posted::Refused(code) => LeadCommand::NoteRefusal { code, at },
        };
        let mut context = outcome(planned, "sent");
        context.actor = Actor::RULE;
        match commit::<Lead>(&self.log, lead_id, note, &context).await {
            Ok(_) | Err(CommitError::CommandReused | CommitError::Rejected(_)) => Ok(None),
            Err(CommitError::Log(error)) => Err(ReactorError::Log(error).into()),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReactorError::Busy.into()),
        }
    }

    /// Notes on the lead what was written to its sender, once.
    pub(super) async fn note_letter(
        &self,
        planned: &Planned,
        lead_id: LeadId,
        posted: Noted,
        text: Option<LetterText>,
    ) -> Result<(), Undone> {
        let note = LeadCommand::NoteLetter {
            posted,
            text: text.map(Box::new),
            at: clock::now(),
        };
        let mut context = outcome(planned, "noted");
        context.actor = Actor::RULE;
        match commit::<Lead>(&self.log, lead_id, note, &context).await {
            Ok(_) | Err(CommitError::CommandReused | CommitError::Rejected(_)) => Ok(()),
            Err(CommitError::Log(error)) => Err(ReactorError::Log(error).into()),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReactorError::Busy.into()),
        }
    }

    /// Finds the subject of the letter; else why it is dropped, or nothing where it went out already.
    async fn matter(
        &self,
        lead_id: LeadId,
        letter: LetterKind,
        about: Uuid,
    ) -> Result<Result<Matter, Option<&'static str>>, ReactorError> {
        let lead = self.log.load::<Lead>(lead_id).await?.state;
        let payment = match letter {
            LetterKind::FormLeft
            | LetterKind::FormSubmitted
            | LetterKind::PriceDropped
            | LetterKind::ArrivedAgain
            | LetterKind::ChangedForYou
            | LetterKind::ContactCorrected => None,
            _ => Some(self.log.load::<Payment>(PaymentId(about)).await?.state),
        };
        let letter = choose_letter(letter, payment.as_ref());
        if lead.knows(letter, Some(about)) || lead.is_forgotten() {
            return Ok(Err(None));
        }
        let effect = Effect::SendLetter {
            lead_id,
            letter,
            about,
        };
        let reason = self.why_letter_untrue(&effect, &lead, payment.as_ref()).await?;
        if reason.is_some() {
            return Ok(Err(reason));
        }
        let drop = match letter {
            LetterKind::PriceDropped => match price_drops::drop_of(&self.log, &lead, about).await? {
                Some(drop) => Some(drop),
                None => return Ok(Err(Some("the price is another one by now"))),
            },
            _ => None,
        };
        let person = match lead.person() {
            Some(person) => self.log.load::<User>(person).await?.state,
            None => User::default(),
        };
        let submission = lead.submission.as_ref();
        let agreed = submission.is_some_and(|submission| submission.user_notification);
        if letter.is_reminder() && !(agreed && person.messages.reminders) {
            return Ok(Err(Some("its reader wants no reminders")));
        }
        // What the owner of an account chose goes for what is theirs, not for what anybody sent in their name.
        let (choice, phone) = if lead.is_verified() {
            (person.messages, person.phone)
        } else {
            (MessageChoice::default(), None)
        };
        Ok(Ok(Matter {
            lead_id,
            lead,
            letter,
            about,
            payment,
            drop,
            choice,
            phone: phone.map(|phone| phone.e164().to_owned()),
        }))
    }

    /// The letter in its reader's language; `None` when they were forgotten.
    pub(super) async fn letter_of(&self, matter: &Matter) -> Result<Option<Letter>, ReactorError> {
        let Matter { lead, letter, .. } = matter;
        let Some(person) = &lead.personal else {
            return Ok(None);
        };
        let terms = matter.payment.as_ref().and_then(|payment| payment.terms.as_ref());
        let own = terms.and_then(|terms| terms.language);
        let language = matter
            .choice
            .language
            .or(own)
            .or(enquiry_language(lead))
            .unwrap_or_default();
        let home = terms.map(|terms| terms.inventory_root_id);
        let home = home.or_else(|| lead.submission.as_ref().and_then(|sent| sent.inventory_root_id));
        let home = property(&self.log, home).await?;
        let url = self.find_origin(lead);
        let link = match matter.payment.as_ref().and_then(|payment| payment.token.as_ref()) {
            Some(token) => format!("{url}/payments/{token}"),
            None => {
                enquiry_link::write_address(url, self.log.handles(), (matter.lead_id, lead), clock::now())
            }
        };
        let (channel, recipient) = way_to(matter, person.email.as_str());
        let unsubscribe = letter.is_reminder().then(|| {
            let token = unsubscribe::token(self.log.handles(), matter.lead_id, clock::now());
            format!("{url}/unsubscribe/{token}")
        });
        let values = vec![
            ("greeting", greeting(lead, language)),
            ("reference", matter.reference()),
            (
                "property",
                home.as_ref()
                    .map_or_else(|| text(language, "mail.a_home", &[]), |home| home.name.clone()),
            ),
            (
                "total",
                terms
                    .map(|terms| forms_of(language).write_price(terms.quote.total()))
                    .unwrap_or_default(),
            ),
            ("link", link),
            ("unsubscribe_url", unsubscribe.clone().unwrap_or_default()),
        ];
        let changes = match letter {
            LetterKind::ChangedForYou => {
                describe_change(&self.log, language, (matter.lead_id, lead), matter.about).await?
            }
            _ => String::new(),
        };
        let dropped = matter.drop.iter().flat_map(|drop| drop.values(language));
        let values = values
            .into_iter()
            .chain([("changes", changes)])
            .chain(dropped)
            .collect();
        Ok(Some(Letter {
            kind: letter.key(),
            language,
            recipient,
            values,
            picture: find_picture(&self.log, url, home.as_deref(), language).await?,
            unproved: !lead.is_verified(),
            channel,
            unsubscribe,
            site: lead.site().map(str::to_owned),
        }))
    }
}

impl Matter {
    /// The payment's reference, or the enquiry's.
    fn reference(&self) -> String {
        if self.payment.is_some() {
            return reference(PaymentId(self.about));
        }
        let sent = self.lead.submission.as_ref();
        sent.map(|sent| sent.reference.clone()).unwrap_or_default()
    }
}

/// A text message for who chose it and has proved a number; a mail for everybody else.
fn way_to(matter: &Matter, email: &str) -> (Channel, String) {
    let channel = match matter.choice.channel {
        MessageChannel::Email => None,
        MessageChannel::Sms => Some(Channel::Sms),
        MessageChannel::WhatsApp => Some(Channel::WhatsApp),
    };
    match (channel, &matter.phone) {
        (Some(channel), Some(phone)) => (channel, phone.clone()),
        (Some(_) | None, _) => (Channel::Email, email.to_owned()),
    }
}

/// The record of a message that was sent or refused.
pub(super) const fn noted(
    letter: LetterKind,
    about: Option<Uuid>,
    channel: Channel,
    outcome: LetterOutcome,
) -> Noted {
    Noted {
        letter,
        about,
        channel: noted_channel(channel),
        outcome,
    }
}

/// What became of it; `None` where it was left out.
pub(super) const fn outcome_of(posted: Posted) -> Option<LetterOutcome> {
    match posted {
        Posted::Sent => Some(LetterOutcome::Delivered),
        Posted::Refused(code) => Some(LetterOutcome::Refused { code }),
        Posted::LeftOut => None,
    }
}

/// As the log names it.
const fn noted_channel(channel: Channel) -> MessageChannel {
    match channel {
        Channel::Email => MessageChannel::Email,
        Channel::Sms => MessageChannel::Sms,
        Channel::WhatsApp => MessageChannel::WhatsApp,
    }
}

/// Who left after a decline is told that nothing was charged, instead of a reminder that keeps silent about it.
fn choose_letter(letter: LetterKind, payment: Option<&Payment>) -> LetterKind {
    match letter {
        LetterKind::PaymentLeft if payment.is_some_and(|payment| payment.status == PaymentStatus::Failed) => {
            LetterKind::PaymentFailed
        }
        _ => letter,
    }
}
