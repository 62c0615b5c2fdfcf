//! A member of staff whose second login step was reset is told of it by mail, after a reset in the workspace and by command line alike (row F4).

use ::messages::Channel;
use domain::id::UserId;
use domain::user::User;

use super::agenda::Planned;
use super::effects::Undone;
use super::messenger::{Letter, Posted};
use super::{Reactor, ReactorError};

impl Reactor {
    /// One mail for each reset: a repetition is the same mail. Who has no proved address, or was forgotten, gets none.
    pub(super) async fn send_device_reset(&self, planned: &Planned, user_id: UserId) -> Result<(), Undone> {
        let user = self.log.load::<User>(user_id).await.map_err(ReactorError::from)?;
        let Some(email) = user.state.email else {
            return Ok(());
        };
        let letter = Letter {
            kind: "second_factor_reset",
            language: user.state.messages.staff_language(),
            recipient: email.as_str().to_owned(),
            values: vec![],
            picture: None,
            unproved: false,
            channel: Channel::Email,
            unsubscribe: None,
        };
        if let Posted::Refused(code) = self.post(&planned.id, Some(letter)).await? {
            tracing::warn!(person = %user_id, ?code, "the mail about a reset second login step was refused");
        }
        Ok(())
    }
}
