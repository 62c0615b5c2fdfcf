//! `latchkey grant` and `latchkey revoke`: roles by command line; the first administrator comes from here (D106), with a link that
//! logs in where no mail can. Both work on an open data folder while the server runs.

use domain::contact::{Email, domain_to_ascii};
use domain::handle::{Handle, HandleCommand, HandleKind};
use domain::id::UserId;
use domain::user::{Reach, Role, User, UserCommand};
use eventlog::{Actor, Context, EventLog, commit};
use platform::clock;
use platform::config::Settings;
use platform::desk::Desk;
use platform::texts::way_out;
use processes::handles::find_handle;
use processes::login_codes::{NewCode, Purpose, keep_code};
use rand::Rng as _;
use storage::shapes::open_readable;

/// How long a link that logs an administrator in can be opened.
const LINK_LIFE_S: i64 = 3_600;

/// Digits of the code in such a link: too many to be guessed, and it is never typed.
const LINK_DIGITS: usize = 40;

/// Gives the role, and says what it came to. An administrator who has never logged in, or whom no mail reaches, also gets a link
/// that logs in once.
///
/// # Errors
/// One sentence for the operator.
pub async fn run(settings: &Settings, email: &str, role: &str) -> Result<String, String> {
    let log = open_readable(settings).await?;
    let (email, role) = asked(email, role)?;
    let user = grant(&log, &email, role).await?;
    let granted = format!("{} has the role {}", email.as_str(), role.key());
    let staff_domain = &settings.staff_email_domain;
    if Some(email.domain()) != domain_to_ascii(staff_domain.trim()) {
        return Ok(format!(
            "{granted}; it counts for nothing there: roles are for addresses at `{staff_domain}` (`staff_email_domain`)"
        ));
    }
    let gets_codes = user.email.is_some() && settings.mails_arrive();
    if role != Role::Admin || gets_codes {
        return Ok(granted);
    }
    let link = make_login_link(settings, &log, &email)
        .await
        .map_err(|error| format!("{granted}, but no link that logs in could be made: {error}"))?;
    Ok(format!(
        "{granted}\nthis link opens the workspace as {}, once, within {} minutes:\n{link}",
        email.as_str(),
        LINK_LIFE_S / 60
    ))
}

/// A link with a one-time code in it. The code is in the fragment behind the `#`, which browsers do not send: it is in no server's log.
async fn make_login_link(settings: &Settings, log: &EventLog, email: &Email) -> Result<String, sqlx::Error> {
    let digits: String = (0..LINK_DIGITS)
        .map(|_| char::from(rand::rng().random_range(b'0'..=b'9')))
        .collect();
    let code = NewCode {
        purpose: Purpose::Login,
        reach: &Reach::Email(email.clone()),
        digits: &digits,
        made_at: clock::now().timestamp(),
        life_s: LINK_LIFE_S,
        tries: 0,
        blind_tries: 0,
    };
    let desk = Desk::open(&settings.place()).await?;
    let mut transaction = desk.turn().await?;
    let session_uuid = keep_code(&mut transaction, log.handles(), &code).await?;
    transaction.commit().await?;
    let named = form_urlencoded::Serializer::new(String::new())
        .append_pair("email", email.as_str())
        .append_pair("session_uuid", &session_uuid.to_string())
        .append_pair("otp", &digits)
        .finish();
    Ok(format!("{}/workspace#{named}", settings.public_url()))
}

/// Grants `role` to whoever owns `email`; a person not met before is made known, unproved: the role counts once they have
/// logged in at that address.
async fn grant(log: &EventLog, email: &Email, role: Role) -> Result<User, String> {
    let (at, context) = (clock::now(), Context::new(clock::now(), Actor::SYSTEM));
    let refused = |error| format!("the log refused: {error}");
    let reach = Reach::Email(email.clone());
    let (handle, _) = find_handle(log, &reach)
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
    let register = UserCommand::Register {
        user_id,
        reach,
        name: None,
        at,
    };
    commit::<User>(log, user_id, register, &context)
        .await
        .map_err(refused)?;
    let grant = UserCommand::Grant { role, by: None, at };
    let granted = commit::<User>(log, user_id, grant, &context)
        .await
        .map_err(refused)?;
    Ok(granted.state)
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
