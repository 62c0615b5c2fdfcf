//! `latchkey second-factor reset`: for the last administrator, whose device is lost. Works on an open data folder while the server runs.

use clap::Subcommand;
use domain::contact::Email;
use domain::second_factor::{SecondFactor, SecondFactorCommand};
use domain::user::Reach;
use eventlog::{Actor, Context, EventLog, commit};
use platform::clock;
use platform::texts::way_out;
use processes::handles::find_handle;

/// What is done with the second step of a login.
#[derive(Debug, Subcommand)]
pub enum SecondFactorArgs {
    /// Take the device and the recovery codes of an account away; its owner is told by mail and enrols anew.
    Reset {
        /// Their address at the company's domain.
        #[arg(long)]
        email: String,
    },
}

/// Does it, and says what it came to.
///
/// # Errors
/// One sentence for the operator; also where the address has no device.
pub async fn run(log: &EventLog, args: &SecondFactorArgs) -> Result<String, String> {
    let SecondFactorArgs::Reset { email } = args;
    let email = Email::parse(email)
        .map_err(|fault| format!("the e-mail address `{email}` cannot be used: {}", way_out(fault)))?;
    let unread = |error| format!("the log cannot be read: {error}");
    let (_, handle) = find_handle(log, &Reach::Email(email.clone()))
        .await
        .map_err(unread)?;
    let absent = || format!("{} has no second login step to reset", email.as_str());
    let user_id = handle.state.owner.ok_or_else(absent)?;
    let factor = log.load::<SecondFactor>(user_id).await.map_err(unread)?.state;
    if !factor.is_enrolled {
        return Err(absent());
    }
    let at = clock::now();
    let command = SecondFactorCommand::Reset { by: None, at };
    commit::<SecondFactor>(log, user_id, command, &Context::new(at, Actor::SYSTEM))
        .await
        .map_err(|error| format!("the log refused: {error}"))?;
    Ok(format!(
        "the second login step of {} is reset: it enrols a device at the next login",
        email.as_str()
    ))
}
