//! A colleague who is mentioned in a note is sent a mail that leads to it (row I4). The mail holds no word of the note.

use ::messages::Channel;
use domain::id::{LeadId, UserId};
use domain::language::Language;
use domain::lead::Lead;
use domain::user::User;
use uuid::Uuid;

use super::effects::Undone;
use super::messages::{Letter, Posted};
use super::{Reactor, ReactorError};

impl Reactor {
    /// One mail for each colleague and note: a repetition is the same mail.
    pub(super) async fn send_mentions(
        &self,
        lead_id: LeadId,
        note_id: Uuid,
        to: &[UserId],
    ) -> Result<(), Undone> {
        let lead = self.log.load::<Lead>(lead_id).await.map_err(ReactorError::from)?;
        let sent = lead.state.submission.as_ref();
        let reference = sent.map(|sent| sent.reference.clone()).unwrap_or_default();
        for colleague in to {
            let user = self
                .log
                .load::<User>(*colleague)
                .await
                .map_err(ReactorError::from)?;
            let Some(email) = user.state.email else { continue };
            let public_url = &self.public_url;
            let letter = Letter {
                kind: "mentioned",
                language: Language::default(),
                recipient: email.as_str().to_owned(),
                values: vec![
                    ("reference", reference.clone()),
                    ("link", format!("{public_url}/workspace/leads/{lead_id}")),
                ],
                picture: None,
                unproved: false,
                channel: Channel::Email,
                unsubscribe: None,
            };
            let key = format!("mention:{note_id}:{colleague}");
            if let Posted::Refused(code) = self.post(&key, Some(letter)).await? {
                tracing::warn!(%colleague, ?code, "the mail about a mention was refused");
            }
        }
        Ok(())
    }
}
