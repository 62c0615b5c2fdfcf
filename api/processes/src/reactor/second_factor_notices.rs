//! A member of staff is told by mail of each change of their second login step, whoever made it and by whichever way (row F4).

use ::messages::Channel;
use domain::id::UserId;
use domain::policy::SecondFactorNotice;
use domain::user::User;

use super::agenda::Planned;
use super::effects::Undone;
use super::messenger::{Letter, Posted};
use super::{Reactor, ReactorError};

impl Reactor {
    /// Sends one mail for each change: a repetition is the same mail. Who has no proved address, or was forgotten, gets none.
    pub(super) async fn send_second_factor_notice(
        &self,
        planned: &Planned,
        user_id: UserId,
        notice: SecondFactorNotice,
    ) -> Result<(), Undone> {
        let user = self.log.load::<User>(user_id).await.map_err(ReactorError::from)?;
        let Some(email) = user.state.email else {
            return Ok(());
        };
        let letter = Letter {
            kind: notice.mail_key(),
            language: user.state.messages.staff_language(),
            recipient: email.as_str().to_owned(),
            values: vec![],
            picture: None,
            unproved: false,
            channel: Channel::Email,
            unsubscribe: None,
            site: None,
        };
        if let Posted::Refused(code) = self.post(&planned.id, &planned.id, Some(letter)).await? {
            tracing::warn!(person = %user_id, ?notice, ?code, "the mail about a second login step was refused");
        }
        Ok(())
    }
}
