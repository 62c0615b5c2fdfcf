//! What staff wrote in a case goes to its person, once, with a link by which they answer (row G4).

use ::messages::Channel;
use domain::case::{Case, CaseCommand, CaseMessage, Side};
use domain::correspondence::{LetterOutcome, MessageChannel};
use domain::id::CaseId;
use domain::language::Language;
use domain::lead::Lead;
use domain::user::{Reach, User};
use eventlog::{Actor, CommitError, commit};
use platform::clock;
use uuid::Uuid;

use super::agenda::Planned;
use super::effects::{Undone, outcome};
use super::lead_letters::outcome_of;
use super::messages::greeting;
use super::messenger::Letter;
use super::{Reactor, ReactorError};
use crate::case_link;
use crate::message_language::find_case_language;

/// Who a case's person is, as far as a message needs it.
struct Reader {
    /// The further site where their enquiry was sent.
    site: Option<String>,
    greeting: String,
    email: Option<String>,
    /// The number they named or proved.
    phone: Option<String>,
}

impl Reactor {
    /// Sends a message of a case unless it went out already or its person is forgotten, and notes what became of it.
    pub(super) async fn send_case_message(
        &self,
        planned: &Planned,
        case_id: CaseId,
        message_id: Uuid,
    ) -> Result<(), Undone> {
        let case = self
            .log
            .load::<Case>(case_id)
            .await
            .map_err(ReactorError::from)?
            .state;
        let Some(message) = case.messages.get(&message_id) else {
            return Ok(());
        };
        if message.side == Side::Person || message.outcome.is_some() {
            return Ok(());
        }
        let letter = self.case_letter(case_id, &case, message).await?;
        // Without an address it is told as refused, so that staff see that it did not arrive.
        let result = match letter {
            Some(letter) => {
                let key = format!("case:{message_id}");
                let posted = self.post(&planned.id, &key, Some(letter)).await?;
                outcome_of(posted).unwrap_or(LetterOutcome::Refused { code: None })
            }
            None => LetterOutcome::Refused { code: None },
        };
        let note = CaseCommand::NotePosted {
            message_id,
            outcome: result,
            at: clock::now(),
        };
        let mut context = outcome(planned, "sent");
        context.actor = Actor::RULE;
        match commit::<Case>(&self.log, case_id, note, &context).await {
            Ok(_) | Err(CommitError::CommandReused | CommitError::Rejected(_)) => Ok(()),
            Err(CommitError::Log(error)) => Err(ReactorError::Log(error).into()),
            Err(CommitError::Busy | CommitError::Conflict { .. }) => Err(ReactorError::Busy.into()),
        }
    }

    async fn case_letter(
        &self,
        case_id: CaseId,
        case: &Case,
        message: &CaseMessage,
    ) -> Result<Option<Letter>, ReactorError> {
        let (Some(words), Some(subject)) = (&message.words, &case.subject) else {
            return Ok(None);
        };
        let language = find_case_language(&self.log, case).await?;
        let Some(reader) = self.reader_of(case, language).await? else {
            return Ok(None);
        };
        let channel = match message.channel {
            MessageChannel::Email => Channel::Email,
            MessageChannel::Sms => Channel::Sms,
            MessageChannel::WhatsApp => Channel::WhatsApp,
        };
        let recipient = if channel == Channel::Email {
            reader.email
        } else {
            reader.phone
        };
        let Some(recipient) = recipient else {
            return Ok(None);
        };
        let site = case.site.clone().or(reader.site);
        let url = &self.sites.find_kept(site.as_deref()).origin;
        let holder = case_link::find_holder(&self.log, case).await?;
        let token = case_link::token(self.log.handles(), (case_id, holder), clock::now());
        Ok(Some(Letter {
            kind: "case_message",
            language,
            recipient,
            values: vec![
                ("greeting", reader.greeting),
                ("subject", subject.clone()),
                ("words", words.clone()),
                ("link", format!("{url}/support/{token}")),
            ],
            picture: None,
            // Staff chose to write: no limit of a day stands against an answer.
            unproved: false,
            channel,
            unsubscribe: None,
            site,
        }))
    }

    /// `None` once they are forgotten.
    async fn reader_of(&self, case: &Case, language: Language) -> Result<Option<Reader>, ReactorError> {
        if let Some(lead_id) = case.lead_id {
            let lead = self.log.load::<Lead>(lead_id).await?.state;
            let Some(person) = &lead.personal else {
                return Ok(None);
            };
            return Ok(Some(Reader {
                site: lead.site().map(str::to_owned),
                greeting: greeting(&lead, language),
                email: Some(person.email.as_str().to_owned()),
                phone: Some(person.phone.e164().to_owned()),
            }));
        }
        let Some(person) = case.person else {
            return Ok(None);
        };
        let user = self.log.load::<User>(person).await?.state;
        // Somebody who wrote without an account is answered at the address that they named.
        let email = user.email.or(match user.met_as {
            Some(Reach::Email(email)) => Some(email),
            Some(Reach::Phone(_)) | None => None,
        });
        Ok(Some(Reader {
            site: None,
            greeting: platform::texts::text(language, "mail.greeting", &[]),
            email: email.map(|email| email.as_str().to_owned()),
            phone: user.phone.map(|phone| phone.e164().to_owned()),
        }))
    }
}
