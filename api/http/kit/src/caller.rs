//! Who asks. A handler's signature says who may: [`Caller`] is anybody, [`Person`] somebody logged in, [`Staff`] a
//! member of staff whom the permission table let through.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use chrono::TimeDelta;
use domain::contact::{Email, Phone};
use domain::id::{SessionId, StreamKey, UserId};
use domain::second_factor::SecondFactor;
use domain::user::{Role, User};
use eventlog::{Actor, EventLog};
use platform::clock;
use platform::config::{Settings, Variant};
use platform::sites::Site;
use projections::lead_board::{Ownership, personal_token};
use records::Records;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ApiResult};
use crate::headers::{cookies, query_value};
use crate::request_site::site_of;
use crate::said::say;

/// The login cookie of the specification.
pub const TOKEN_COOKIE: &str = "user_auth_token";
/// How long after its login a session may change what guards the account: a cookie that was stolen later opens nothing there.
const FRESH_LOGIN: TimeDelta = TimeDelta::minutes(30);
/// The journey cookie, cleared together with it (D77).
const FLOW_COOKIE: &str = "user_flow_token";

/// A caller who is logged in.
#[derive(Debug, Clone)]
pub struct Person {
    pub user_id: UserId,
    pub session_id: SessionId,
    pub user: Arc<User>,
    /// They have proved an address of the company that runs this server.
    is_internal: bool,
    /// Staff whose login has not passed the second step that it needs: their roles do not count yet.
    waits_for_second_step: bool,
    /// A role of theirs needs a second step.
    needs_second_step: bool,
}

/// Anybody: logged in or not.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    pub person: Option<Person>,
    /// A token was sent, whether or not it still opens anything.
    pub had_token: bool,
}

/// A member of staff.
#[derive(Debug, Clone)]
pub struct Staff {
    pub person: Person,
    pub roles: Vec<Role>,
}

impl Caller {
    /// Who stands behind an event that this caller causes.
    pub fn actor(&self) -> Actor {
        self.person
            .as_ref()
            .map_or(Actor::VISITOR, |person| Actor::student(person.user_id.uuid()))
    }

    /// Roles of this caller in the workspace.
    pub fn roles(&self) -> Vec<Role> {
        self.person.as_ref().map_or_else(Vec::new, Person::roles)
    }
}

impl Person {
    /// Whether an address of the company was proved.
    pub const fn is_internal(&self) -> bool {
        self.is_internal
    }

    /// Roles of this person in the workspace; they count only together with a proved company address (D2, T7).
    pub fn roles(&self) -> Vec<Role> {
        if self.is_internal && !self.waits_for_second_step {
            self.user.roles.iter().copied().collect()
        } else {
            Vec::new()
        }
    }

    /// Whether they are staff, whichever step their login has come to.
    pub fn is_staff(&self) -> bool {
        self.is_internal && !self.user.roles.is_empty()
    }

    /// Whether the second step of this login is still to come.
    pub const fn waits_for_second_step(&self) -> bool {
        self.waits_for_second_step
    }

    /// Whether the settings require a second step of one of their roles.
    pub const fn needs_second_step(&self) -> bool {
        self.needs_second_step
    }

    /// Lets a login of a short while ago pass, before what guards the account is changed.
    ///
    /// # Errors
    /// 403 for an older login.
    pub fn check_login_is_fresh(&self) -> ApiResult<()> {
        let session = self.user.sessions.get(&self.session_id);
        let opened_at = session.and_then(|session| session.opened_at);
        if opened_at.is_some_and(|at| clock::now() - at <= FRESH_LOGIN) {
            return Ok(());
        }
        let message = say("refusal.login_too_old").with("minutes", FRESH_LOGIN.num_minutes());
        Err(ApiError::new(StatusCode::FORBIDDEN, "login_too_old", message))
    }

    /// By which leads are theirs: those they sent or claimed, and unclaimed ones that name the address they have proved.
    pub fn ownership(&self, log: &EventLog) -> Ownership {
        ownership(log, self.user_id, &self.user)
    }

    /// Whether one of these was proved by a code.
    pub fn has_proved(&self, email: &Email, phone: &Phone) -> bool {
        self.has_proved_email(email) || self.user.phone.as_ref() == Some(phone)
    }

    /// Whether this address was proved by a code: what a claim of an enquiry needs (decision 0026).
    pub fn has_proved_email(&self, email: &Email) -> bool {
        let same_email = |proved: &Email| proved.canonical() == email.canonical();
        self.user.email.as_ref().is_some_and(same_email)
    }
}

/// How the leads of a person are found.
pub fn ownership(log: &EventLog, user_id: UserId, user: &User) -> Ownership {
    let hasher = log.handles();
    Ownership {
        user_id: Some(user_id),
        email_hash: user
            .email
            .as_ref()
            .map(|email| personal_token(hasher, "email", &email.canonical())),
    }
}

/// The logins of this server.
#[derive(Clone)]
pub struct Sessions {
    pub records: Records,
    pub settings: Arc<Settings>,
}

/// More cookies of one name than this are not looked up.
const TOKENS_MAX: usize = 8;

/// The login tokens a request carries: every cookie of the name, as a stale one of another path may stand first. Only the China variant takes it from the address as well (D76, Spec §7),
/// because its mini-programs keep no cookies; elsewhere a token in an address would end in logs (T10).
pub fn tokens(sessions: &Sessions, headers: &HeaderMap, query: Option<&str>) -> Vec<String> {
    let in_query = query
        .filter(|_| sessions.settings.variant == Variant::China)
        .and_then(|query| query_value(query, TOKEN_COOKIE));
    let mut tokens: Vec<String> = Vec::new();
    for token in cookies(headers, TOKEN_COOKIE).chain(in_query) {
        if !token.is_empty() && !tokens.iter().any(|known| known == token) {
            tokens.push(token.to_owned());
        }
    }
    tokens.truncate(TOKENS_MAX);
    tokens
}

/// A query without the login token: what is shown, redirected to or handed to a page never holds it (D76).
pub fn without_token(query: &str) -> String {
    let parts = query.split('&').filter(|part| {
        let name = part.split('=').next().unwrap_or_default();
        name != TOKEN_COOKIE
    });
    parts.collect::<Vec<_>>().join("&")
}

/// Stored form of a token.
pub fn token_digest(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// Stored form of a login's token: it counts at the site where it was made, and opens nothing at another. No header holds a zero.
pub fn session_digest(site: &Site, token: &str) -> String {
    match site.kept_name() {
        None => token_digest(token),
        Some(name) => token_digest(&format!("{name}\0{token}")),
    }
}

/// The user of the first token with a valid session at this site; `None` without one.
///
/// # Errors
/// When the log or the read models cannot be read.
pub async fn who(sessions: &Sessions, site: &Site, tokens: &[String]) -> ApiResult<Caller> {
    for token in tokens {
        if let Some(person) = person_of(sessions, site, token).await? {
            return Ok(Caller {
                person: Some(person),
                had_token: true,
            });
        }
    }
    Ok(Caller {
        person: None,
        had_token: !tokens.is_empty(),
    })
}

/// The person behind a token of this site; `None` when its login no longer stands.
///
/// # Errors
/// When the log or the read models cannot be read.
pub async fn person_of(sessions: &Sessions, site: &Site, token: &str) -> ApiResult<Option<Person>> {
    let digest = session_digest(site, token);
    let Some((user_id, session_id)) = find(sessions, &digest).await? else {
        return Ok(None);
    };
    let user = sessions.records.log.load::<User>(user_id).await?.state;
    let stands = user
        .sessions
        .get(&session_id)
        .is_some_and(|session| session.token_digest == digest && session.expires_at > clock::now());
    if !stands {
        return Ok(None);
    }
    Ok(Some(known(sessions, user_id, session_id, user).await?))
}

/// The person with what their roles depend on.
async fn known(sessions: &Sessions, user_id: UserId, session_id: SessionId, user: User) -> ApiResult<Person> {
    let settings = &sessions.settings;
    let is_internal = user.is_internal(Some(&settings.staff_email_domain));
    let (mut waits_for_second_step, mut needs_second_step) = (false, false);
    if is_internal && !user.roles.is_empty() {
        let factor = sessions.records.log.load::<SecondFactor>(user_id).await?.state;
        let required = settings.roles_with_second_factor();
        needs_second_step = required.iter().any(|role| user.roles.contains(role));
        waits_for_second_step =
            (needs_second_step || factor.is_enrolled) && !factor.passed.contains(&session_id);
    }
    Ok(Person {
        user_id,
        session_id,
        user: Arc::new(user),
        is_internal,
        waits_for_second_step,
        needs_second_step,
    })
}

/// The person as they are now; `None` when their login has ended since.
///
/// # Errors
/// When the log cannot be read.
pub async fn still(sessions: &Sessions, person: &Person) -> ApiResult<Option<Person>> {
    let user = sessions.records.log.load::<User>(person.user_id).await?.state;
    let session = user.sessions.get(&person.session_id);
    let stands = session.is_some_and(|session| session.expires_at > clock::now());
    if !stands {
        return Ok(None);
    }
    Ok(Some(
        known(sessions, person.user_id, person.session_id, user).await?,
    ))
}

/// Nobody is logged out because the read models are behind.
async fn find(sessions: &Sessions, digest: &str) -> ApiResult<Option<(UserId, SessionId)>> {
    let records = &sessions.records;
    let session = records
        .sought(|| projections::session::find(records.read.readers(), digest))
        .await?;
    Ok(session)
}

/// Takes the login and journey cookies of a site out of the browser.
pub fn forget_cookies(site: &Site, headers: &mut HeaderMap) {
    let secure = site.secure_word();
    for name in [TOKEN_COOKIE, FLOW_COOKIE] {
        let gone = format!("{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{secure}");
        if let Ok(value) = HeaderValue::from_str(&gone) {
            headers.append(header::SET_COOKIE, value);
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller
where
    Sessions: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if let Some(known) = parts.extensions.get::<Self>() {
            return Ok(known.clone());
        }
        let sessions = Sessions::from_ref(state);
        let site = site_of(&parts.extensions, &sessions.settings);
        let sent = tokens(&sessions, &parts.headers, parts.uri.query());
        who(&sessions, &site, &sent).await
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Person
where
    Sessions: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let caller = Caller::from_request_parts(parts, state).await?;
        caller.person.ok_or_else(ApiError::not_logged_in)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Staff
where
    Sessions: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let person = Person::from_request_parts(parts, state).await?;
        let roles = person.roles();
        if roles.is_empty() {
            return Err(ApiError::not_allowed());
        }
        Ok(Self { person, roles })
    }
}

impl Staff {
    /// Who stands behind an event that this member of staff causes.
    pub fn actor(&self) -> Actor {
        Actor::staff(self.person.user_id.uuid())
    }
}

#[cfg(test)]
mod tests {
    use platform::sites::Sites;

    use super::*;

    #[test]
    fn token_counts_at_its_own_site_alone() {
        let sites = Sites::of_settings(&Settings {
            public_url: Some("https://rooms.example".to_owned()),
            hosts: "https://study.example, https://lets.example".to_owned(),
            ..Settings::default()
        });
        let at = |host: &str| session_digest(&sites.find(host).unwrap(), "t");
        // Logins of before there were other sites stand.
        assert_eq!(at("rooms.example"), token_digest("t"));
        assert_ne!(at("study.example"), at("rooms.example"));
        assert_ne!(at("study.example"), at("lets.example"));
    }
}
