//! By what an e-mail address or a phone number is known without being written down: the streams of its handle, the hashes
//! of its one-time codes.

use domain::handle::Handle;
use domain::id::HandleId;
use domain::user::Reach;
use eventlog::{EventLog, HandleHasher, Loaded, LogError};
use platform::desk::Desk;

/// The stream of an e-mail address or a phone number: the one that has an owner, be it under a former form of the
/// address, else the one of its canonical form.
///
/// # Errors
/// When the log cannot be read.
pub async fn find_handle(log: &EventLog, reach: &Reach) -> Result<(HandleId, Loaded<Handle>), LogError> {
    let [id, former @ ..] = &*handle_ids(log, reach) else {
        return Err(LogError::Closed);
    };
    let handle = log.load::<Handle>(*id).await?;
    if handle.state.owner.is_none() {
        for id in former {
            let found = log.load::<Handle>(*id).await?;
            if found.state.owner.is_some() {
                return Ok((*id, found));
            }
        }
    }
    Ok((*id, handle))
}

/// The streams that may hold a handle: of its canonical form, then of the former forms of an address (decision 0029).
pub fn handle_ids(log: &EventLog, reach: &Reach) -> Vec<HandleId> {
    let hasher = log.handles();
    match reach {
        Reach::Email(email) => std::iter::once(email.canonical())
            .chain(email.former_forms())
            .map(|form| HandleId(hasher.id("email", &form)))
            .collect(),
        Reach::Phone(phone) => vec![HandleId(hasher.id("phone", phone.e164()))],
    }
}

/// Deletes the codes of somebody who was forgotten.
///
/// # Errors
/// When the desk's database cannot be written.
pub async fn erase_codes(desk: &Desk, hasher: &HandleHasher, reach: &Reach) -> Result<(), sqlx::Error> {
    for (codes, of) in [
        ("delete from otp where handle = $1", code_handle(hasher, reach)),
        (
            "delete from otp_send where handle = $1",
            code_inbox(hasher, reach),
        ),
    ] {
        sqlx::query(codes).bind(of).execute(desk.pool()).await?;
    }
    Ok(())
}

/// By what the codes of this address or number are found.
pub fn code_handle(hasher: &HandleHasher, reach: &Reach) -> String {
    match reach {
        Reach::Email(email) => hasher.id("otp_email", &email.canonical()).to_string(),
        Reach::Phone(phone) => hasher.id("otp_phone", phone.e164()).to_string(),
    }
}

/// Where the code arrives, as a keyed hash: all spellings of one inbox are one.
pub fn code_inbox(hasher: &HandleHasher, reach: &Reach) -> String {
    match reach {
        Reach::Email(email) => hasher.id("otp_email", &email.inbox()).to_string(),
        Reach::Phone(_) => code_handle(hasher, reach),
    }
}
