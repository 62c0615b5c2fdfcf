//! A colleague who is mentioned in a note is sent a mail that leads to it, in the colleague's language (row I4). The mail holds no
//! word of the note.

use ::messages::Channel;
use domain::id::{CaseId, LeadId, UserId};
use domain::lead::Lead;
use domain::user::User;
use uuid::Uuid;

use super::agenda::Planned;
use super::effects::Undone;
use super::messenger::{Letter, Posted};
use super::{Reactor, ReactorError};

impl Reactor {
    /// One mail for each colleague and note: a repetition is the same mail.
    pub(super) async fn send_mentions(
        &self,
        planned: &Planned,
        lead_id: LeadId,
        mentioned: (Uuid, &[UserId]),
    ) -> Result<(), Undone> {
        let lead = self.log.load::<Lead>(lead_id).await.map_err(ReactorError::from)?;
        let sent = lead.state.submission.as_ref();
        let reference = sent.map(|sent| sent.reference.clone()).unwrap_or_default();
        let link = format!("{}/workspace/leads/{lead_id}", self.house_origin());
        let values = vec![("reference", reference), ("link", link)];
        self.mail_mentions(planned, "mentioned", mentioned, &values).await
    }

    /// The same for a note of a conversation.
    pub(super) async fn send_case_mentions(
        &self,
        planned: &Planned,
        case_id: CaseId,
        mentioned: (Uuid, &[UserId]),
    ) -> Result<(), Undone> {
        let link = format!("{}/workspace/cases/{case_id}", self.house_origin());
        self.mail_mentions(planned, "mentioned_in_case", mentioned, &[("link", link)])
            .await
    }

    async fn mail_mentions(
        &self,
        planned: &Planned,
        kind: &'static str,
        (note_id, to): (Uuid, &[UserId]),
        values: &[(&'static str, String)],
    ) -> Result<(), Undone> {
        for colleague in to {
            let user = self
                .log
                .load::<User>(*colleague)
                .await
                .map_err(ReactorError::from)?;
            let Some(email) = user.state.email else { continue };
            let letter = Letter {
                kind,
                language: user.state.messages.staff_language(),
                recipient: email.as_str().to_owned(),
                values: values.to_vec(),
                picture: None,
                unproved: false,
                channel: Channel::Email,
                unsubscribe: None,
                site: None,
            };
            let key = format!("mention:{note_id}:{colleague}");
            if let Posted::Refused(code) = self.post(&planned.id, &key, Some(letter)).await? {
                tracing::warn!(%colleague, ?code, "the mail about a mention was refused");
            }
        }
        Ok(())
    }
}
