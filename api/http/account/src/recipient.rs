//! Where a code goes, and in which language its message is written.

use domain::contact::Email;
use domain::language::Language;
use domain::user::{Reach, User};
use eventlog::EventLog;
use http_kit::error::ApiResult;
use messages::Channel;
use processes::handles::find_handle;

/// The way to an address or a number that a code was asked for.
pub(crate) struct Recipient {
    pub(crate) channel: Channel,
    pub(crate) address: String,
    /// The one that the account's owner chose for messages (D137).
    pub(crate) language: Option<Language>,
}

/// Finds the recipient of a code.
///
/// # Errors
/// When the log cannot be read.
pub(crate) async fn find_recipient(log: &EventLog, reach: &Reach) -> ApiResult<Recipient> {
    let (_, handle) = find_handle(log, reach).await?;
    let owner = match handle.state.owner {
        Some(owner) => Some(log.load::<User>(owner).await?.state),
        None => None,
    };
    let (channel, address) = match reach {
        Reach::Email(email) => (Channel::Email, choose_address(email, owner.as_ref())),
        Reach::Phone(phone) => (Channel::Sms, phone.e164().to_owned()),
    };
    Ok(Recipient {
        channel,
        address,
        language: owner.and_then(|owner| owner.messages.language),
    })
}

/// The address as the account's owner proved it, else as it was asked for.
fn choose_address(asked: &Email, owner: Option<&User>) -> String {
    let known = owner.and_then(|owner| owner.email.clone());
    let same = known.filter(|known| known.canonical() == asked.canonical());
    // An address stored with its domain in its own script is sent to by the ASCII form.
    let same = same.map(|known| Email::parse(known.as_str()).unwrap_or(known));
    same.as_ref().unwrap_or(asked).as_str().to_owned()
}
