//! `latchkey grant` and `latchkey revoke`: roles by command line; the first administrator comes from here (D106). Both work on
//! an open data folder while the server runs.

use domain::contact::{Email, domain_to_ascii};
use domain::handle::{Handle, HandleCommand, HandleKind};
use domain::id::UserId;
use domain::user::{Reach, Role, User, UserCommand};
use eventlog::{Actor, Context, EventLog, commit};
use platform::clock;
use platform::texts::way_out;
use processes::handles::find_handle;

/// What to say of an address whose roles never count (T7).
pub fn unless_staff(email: &str, staff_domain: &str) -> String {
    let domain = Email::parse(email).map(|email| email.domain()).ok();
    if domain.is_some() && domain == domain_to_ascii(staff_domain.trim()) {
        return String::new();
    }
    format!(
        "; it counts for nothing there: roles are for addresses at `{staff_domain}` (`staff_email_domain`)"
    )
}

/// Grants `role` to whoever owns `email`; a person not met before is made known, unproved: the role counts once they have
/// logged in with a code sent to that address at the company's domain.
///
/// # Errors
/// One sentence for the operator.
pub async fn grant(log: &EventLog, email: &str, role: &str) -> Result<String, String> {
    let (email, role) = asked(email, role)?;
    let (at, context) = (clock::now(), Context::new(clock::now(), Actor::SYSTEM));
    let (handle, _) = find_handle(log, &Reach::Email(email.clone()))
        .await
        .map_err(|error| format!("the log cannot be read: {error}"))?;
    let claim = HandleCommand::Claim {
        kind: HandleKind::Email,
        user_id: UserId(clock::new_id()),
        at,
    };
    let claimed = commit::<Handle>(log, handle, claim, &context)
        .await
        .map_err(|error| format!("the log refused: {error}"))?;
    let user_id = claimed
        .state
        .owner
        .ok_or_else(|| "the address has no owner".to_owned())?;
    let reach = Reach::Email(email.clone());
    for command in [
        UserCommand::Register {
            user_id,
            reach,
            name: None,
            at,
        },
        UserCommand::Grant { role, by: None, at },
    ] {
        commit::<User>(log, user_id, command, &context)
            .await
            .map_err(|error| format!("the log refused: {error}"))?;
    }
    Ok(format!("{} has the role {}", email.as_str(), role.key()))
}

/// Takes `role` from the owner of `email`. Open logins lose it with their next request, on every node.
///
/// # Errors
/// One sentence for the operator; also where the address has not the role.
pub async fn revoke(log: &EventLog, email: &str, role: &str) -> Result<String, String> {
    let (email, role) = asked(email, role)?;
    let (at, context) = (clock::now(), Context::new(clock::now(), Actor::SYSTEM));
    let unread = |error| format!("the log cannot be read: {error}");
    let (_, handle) = find_handle(log, &Reach::Email(email.clone()))
        .await
        .map_err(unread)?;
    let holder = match handle.state.owner {
        Some(user_id) => {
            let user = log.load::<User>(user_id).await.map_err(unread)?.state;
            user.roles.contains(&role).then_some(user_id)
        }
        None => None,
    };
    let Some(user_id) = holder else {
        return Err(format!("{} has not the role {}", email.as_str(), role.key()));
    };
    commit::<User>(log, user_id, UserCommand::Revoke { role, by: None, at }, &context)
        .await
        .map_err(|error| format!("the log refused: {error}"))?;
    Ok(format!(
        "{} no longer has the role {}",
        email.as_str(),
        role.key()
    ))
}

fn asked(email: &str, role: &str) -> Result<(Email, Role), String> {
    let email = Email::parse(email)
        .map_err(|fault| format!("the e-mail address `{email}` cannot be used: {}", way_out(fault)))?;
    let role =
        Role::from_key(role).ok_or_else(|| format!("`{role}` is no role: use support, finance or admin"))?;
    Ok((email, role))
}
