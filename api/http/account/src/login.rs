//! Login and account: codes out and back, sessions, who I am (Spec §4 "Login", §7; rows F1, F3).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use domain::contact::{Email, FaultCode, FieldFault, Phone};
use domain::handle::HandleKind;
use domain::id::{SessionId, StreamKey, UserId};
use domain::language::Language;
use domain::user::{Reach, Role, User, UserCommand, UserRejection};
use eventlog::{Actor, Context, EventLog, commit, commit_together};
use http_kit::body::Body;
use http_kit::caller::{self, Caller, Sessions, TOKEN_COOKIE, forget_cookies, ownership, session_digest};
use http_kit::capability::Capability;
use http_kit::contract::words::{LoginTypeWord, RoleWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::field_errors::field_errors;
use http_kit::permissions::Access;
use http_kit::recaptcha::{GuardedAction, PersonCheck, RecaptchaQuery};
use http_kit::request::RequestContext;
use http_kit::said::say;
use messages::{CODE_LIFE_S, Message, Outbox};
use parking_lot::Mutex;
use platform::clock;
use platform::config::{Settings, Variant};
use processes::{accounts, lead_history};
use projections::lead_board::query::{self, BoardRow, Which};
use projections::referral_code;
use rand::RngCore;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::otp::{Codes, Purpose};
use crate::recipient::find_recipient;
use crate::{Services, otp};

const BY_CODE: Access = Access::Capability(Capability::OneTimeCode);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Open, routes!(provider_users))
        .endpoint(Access::Open, routes!(details))
        .endpoint(Access::Open, routes!(generate_email_otp))
        .endpoint(Access::Open, routes!(generate_email_otp_external))
        .endpoint(Access::Open, routes!(generate_phone_otp))
        .endpoint(BY_CODE, routes!(login_email_otp))
        .endpoint(BY_CODE, routes!(login_phone_otp))
        .endpoint(Access::Open, routes!(logout))
}

/// Spec §9: the auth cookie's life. Browsers cap it; sessions can be closed on the server at any time (D75).
const COOKIE_SECONDS: i64 = 7_300 * 86_400;

/// Nobody sends more enquiries before a first login; the rest is verified at the next one.
const VERIFIED_AT_ONCE: u64 = 50;

/// A code is on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct OtpSent {
    session_uuid: Uuid,
    resend_after_s: i64,
    expires_in_s: i64,
}

/// A login has ended.
#[derive(Debug, Serialize, ToSchema)]
struct LoggedOut {
    #[schema(inline, example = "logged-out")]
    message: &'static str,
}

/// The account that is logged in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = User)]
pub struct Account {
    id: String,
    name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    #[schema(value_type = LoginTypeWord)]
    login_type: &'static str,
    is_internal: bool,
    #[schema(value_type = Vec<RoleWord>)]
    roles: Vec<Role>,
    /// The login itself, for the China variant's programs that keep no cookies (Spec §7, D76); no other caller sees it.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_auth_token: Option<String>,
    /// Code with which friends enquire (D123).
    referral_code: String,
}

/// `{user: {email | phone, otp, session_uuid}}`, each call its part.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "user": { "email": "mei@uni.example" } }))]
pub struct UserRequest {
    user: UserFields,
}

#[derive(Debug, Deserialize, ToSchema)]
struct UserFields {
    email: Option<String>,
    phone: Option<String>,
    otp: Option<String>,
    session_uuid: Option<String>,
}

/// Sends a code to an e-mail address. Answers the same for known and unknown addresses (T5).
#[utoipa::path(post, path = "/api/v0/users/generate_email_otp", params(RecaptchaQuery), request_body = UserRequest,
    responses((status = 200, body = Success<OtpSent>), (status = 403)))]
pub async fn generate_email_otp(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    State(outbox): State<Outbox>,
    State(codes): State<Codes>,
    person: PersonCheck,
    context: RequestContext,
    Body(request): Body<UserRequest>,
) -> ApiResult<Success<OtpSent>> {
    let reach = email_of(&request.user)?;
    person
        .passes(GuardedAction::EmailLogin, address_of(&reach), &context)
        .await?;
    send_code(&log, &settings, &outbox, &codes, &context, &reach).await
}

/// D71: the partner sites' name of the same call.
#[utoipa::path(post, path = "/api/v0/users/external_service/generate_email_otp", params(RecaptchaQuery), request_body = UserRequest,
    responses((status = 200, body = Success<OtpSent>), (status = 403)))]
pub async fn generate_email_otp_external(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    State(outbox): State<Outbox>,
    State(codes): State<Codes>,
    person: PersonCheck,
    context: RequestContext,
    Body(request): Body<UserRequest>,
) -> ApiResult<Success<OtpSent>> {
    let reach = email_of(&request.user)?;
    person
        .passes(GuardedAction::EmailLogin, address_of(&reach), &context)
        .await?;
    send_code(&log, &settings, &outbox, &codes, &context, &reach).await
}

/// Sends a code to a phone.
#[utoipa::path(post, path = "/api/v0/users/generate_phone_otp", params(RecaptchaQuery), request_body = UserRequest,
    responses((status = 200, body = Success<OtpSent>), (status = 403)))]
pub async fn generate_phone_otp(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    State(outbox): State<Outbox>,
    State(codes): State<Codes>,
    person: PersonCheck,
    context: RequestContext,
    Body(request): Body<UserRequest>,
) -> ApiResult<Success<OtpSent>> {
    let reach = phone_of(&request.user)?;
    person
        .passes(GuardedAction::PhoneLogin, address_of(&reach), &context)
        .await?;
    send_code(&log, &settings, &outbox, &codes, &context, &reach).await
}

/// Logs in with the code of an e-mail.
#[utoipa::path(post, path = "/api/v0/users/login_email_otp", request_body = UserRequest,
    responses((status = 200, body = Success<Account>)))]
pub async fn login_email_otp(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(codes): State<Codes>,
    context: RequestContext,
    Body(request): Body<UserRequest>,
) -> ApiResult<Response> {
    let reach = email_of(&request.user)?;
    let session = session_of(&request.user)?;
    log_in(
        &records,
        &settings,
        &codes,
        &context,
        reach,
        session,
        &request.user,
    )
    .await
}

/// Logs in with the code of a text message; the session of the request is required (D73).
#[utoipa::path(post, path = "/api/v0/users/login_phone_otp", request_body = UserRequest,
    responses((status = 200, body = Success<Account>)))]
pub async fn login_phone_otp(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    State(codes): State<Codes>,
    context: RequestContext,
    Body(request): Body<UserRequest>,
) -> ApiResult<Response> {
    let reach = phone_of(&request.user)?;
    let session = session_of(&request.user)?.ok_or_else(|| bad("user/session_uuid", FaultCode::Required))?;
    log_in(
        &records,
        &settings,
        &codes,
        &context,
        reach,
        Some(session),
        &request.user,
    )
    .await
}

/// Ends this login, here and at once (D78).
#[utoipa::path(post, path = "/api/v0/users/logout", responses((status = 200, body = LoggedOut)))]
pub async fn logout(
    State(records): State<Records>,
    State(sessions): State<Sessions>,
    context: RequestContext,
    caller: Caller,
    request: Request,
) -> ApiResult<Response> {
    // Every login that the request carries: the browser would go on with another cookie of the name.
    for token in caller::tokens(&sessions, request.headers(), request.uri().query()) {
        let Some(person) = caller::person_of(&sessions, &context.site, &token).await? else {
            continue;
        };
        let command = UserCommand::CloseSession {
            session_id: person.session_id,
            at: clock::now(),
        };
        let closing = Context::new(clock::now(), caller.actor()).correlated(context.request_id);
        let closed = commit::<User>(&records.log, person.user_id, command, &closing).await?;
        records.wait_for(closed.position).await;
    }
    let mut response = axum::Json(LoggedOut {
        message: "logged-out",
    })
    .into_response();
    forget_cookies(&context.site, response.headers_mut());
    Ok(response)
}

/// Who I am; null for a visitor, 401 for a login that no longer stands.
#[utoipa::path(get, path = "/api/v0/users/details", responses((status = 200, body = Success<Option<Account>>)))]
pub async fn details(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    caller: Caller,
) -> ApiResult<Success<Option<Account>>> {
    match caller.person {
        Some(person) => {
            let login_type = person
                .user
                .sessions
                .get(&person.session_id)
                .map(|session| session.login_type);
            Ok(Success::new(Some(account(
                &log,
                &settings,
                person.user_id,
                &person.user,
                login_type,
            ))))
        }
        None if caller.had_token => Err(ApiError::not_logged_in()),
        None => Ok(Success::new(None)),
    }
}

/// D109: provider users come with the listing area; nobody is one yet.
#[utoipa::path(get, path = "/api/v0/auth/providers/users", responses((status = 403)))]
pub async fn provider_users(_context: RequestContext) -> ApiError {
    ApiError::not_allowed()
}

fn bad(field: &str, code: FaultCode) -> ApiError {
    ApiError::invalid(field_errors(&[FieldFault::new(field, code)]))
}

fn email_of(user: &UserFields) -> ApiResult<Reach> {
    let email = Email::parse(user.email.as_deref().unwrap_or_default());
    email.map(Reach::Email).map_err(|code| bad("user/email", code))
}

/// The address or number that a code goes to.
fn address_of(reach: &Reach) -> &str {
    match reach {
        Reach::Email(email) => email.as_str(),
        Reach::Phone(phone) => phone.e164(),
    }
}

fn phone_of(user: &UserFields) -> ApiResult<Reach> {
    let phone = Phone::parse(user.phone.as_deref().unwrap_or_default());
    phone.map(Reach::Phone).map_err(|code| bad("user/phone", code))
}

fn session_of(user: &UserFields) -> ApiResult<Option<Uuid>> {
    match user.session_uuid.as_deref().filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => text
            .parse()
            .map(Some)
            .map_err(|_| bad("user/session_uuid", FaultCode::Format)),
    }
}

async fn send_code(
    log: &EventLog,
    settings: &Settings,
    outbox: &Outbox,
    codes: &Codes,
    context: &RequestContext,
    reach: &Reach,
) -> ApiResult<Success<OtpSent>> {
    let house = (log, settings, outbox, codes);
    send_code_in(context.lang, house, context, Purpose::Login, reach).await
}

/// Sends a code and says what it is for, under the limits of the person's own requests: in the language that the account's owner
/// chose for messages, else in `lang`.
///
/// # Errors
/// 422 where no mail or no text message can be sent, 429 with the seconds to wait.
pub async fn send_code_in(
    lang: Language,
    (log, settings, outbox, codes): (&EventLog, &Settings, &Outbox, &Codes),
    context: &RequestContext,
    purpose: Purpose,
    reach: &Reach,
) -> ApiResult<Success<OtpSent>> {
    if matches!(reach, Reach::Phone(_)) && !settings.texts_arrive() {
        let message = say("refusal.no_text_messages");
        return Err(ApiError::invalid_field("user/phone", "no_text_messages", message));
    }
    if matches!(reach, Reach::Email(_)) && !settings.mails_arrive() {
        let message = say("refusal.no_mails");
        return Err(ApiError::invalid_field("user/email", "no_mails", message));
    }
    let issued = otp::issue(codes, purpose, reach, context).await?;
    let recipient = find_recipient(log, reach).await?;
    let message = Message {
        key: messages::otp_key(issued.session_uuid),
        kind: purpose.message_kind(),
        channel: recipient.channel,
        recipient: &recipient.address,
        lang: recipient.language.unwrap_or(lang),
        values: &[("code", &issued.code)],
        code: Some(&issued.code),
        picture: None,
        unsubscribe: None,
        site: context.site.kept_name(),
        effect: None,
    };
    outbox.hand_in(std::slice::from_ref(&message)).await?;
    Ok(Success::new(OtpSent {
        session_uuid: issued.session_uuid,
        resend_after_s: otp::RESEND_AFTER_S,
        expires_in_s: CODE_LIFE_S,
    }))
}

async fn log_in(
    records: &Records,
    settings: &Settings,
    codes: &Codes,
    context: &RequestContext,
    reach: Reach,
    session: Option<Uuid>,
    fields: &UserFields,
) -> ApiResult<Response> {
    let code = fields.otp.as_deref().unwrap_or_default();
    otp::redeem(codes, &reach, session, code).await?;
    let kind = reach.kind();
    let user_id = know(&codes.log, context.request_id, &reach).await?;
    let following = Context::new(clock::now(), Actor::student(user_id.uuid())).correlated(context.request_id);
    let at = clock::now();
    commit::<User>(
        &codes.log,
        user_id,
        UserCommand::Verify { user_id, reach, at },
        &following,
    )
    .await?;
    verify_leads(records, user_id, &following).await?;
    let token = new_token();
    let command = UserCommand::OpenSession {
        session_id: SessionId(clock::new_id()),
        token_digest: session_digest(&context.site, &token),
        login_type: kind,
        expires_at: at + chrono::TimeDelta::seconds(COOKIE_SECONDS),
        at,
    };
    let opened = commit::<User>(&codes.log, user_id, command, &following).await?;
    records.wait_for(opened.position).await;
    let account = Account {
        user_auth_token: (settings.variant == Variant::China).then(|| token.clone()),
        ..account(&codes.log, settings, user_id, &opened.state, Some(kind))
    };
    let answer = Success::at(account, opened.position);
    let mut response = answer.into_response();
    let secure = context.site.secure_word();
    let cookie =
        format!("{TOKEN_COOKIE}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}");
    let value = HeaderValue::from_str(&cookie).map_err(ApiError::broken)?;
    response.headers_mut().append(header::SET_COOKIE, value);
    Ok(response)
}

/// D86: enquiries sent before the login, with the address that was proved, are claimed by it. A number claims nothing: the
/// sender of an enquiry types any (decision 0026).
async fn verify_leads(records: &Records, user_id: UserId, following: &Context) -> ApiResult<()> {
    let user = records.log.load::<User>(user_id).await?.state;
    let owner = ownership(&records.log, user_id, &user);
    let board = query::owned(
        records.heard().await?,
        &owner,
        Which::Unclaimed,
        1,
        VERIFIED_AT_ONCE,
    )
    .await?;
    for lead_id in board.rows.iter().filter_map(BoardRow::id) {
        lead_history::claim(&records.log, lead_id, user_id, following).await?;
    }
    Ok(())
}

/// The person a handle belongs to, made known now when nobody had it. Two at once end in one person.
async fn know(log: &EventLog, request_id: Uuid, reach: &Reach) -> ApiResult<UserId> {
    let context = Context::new(clock::now(), Actor::VISITOR).correlated(request_id);
    let (stranger, known) = (UserId(clock::new_id()), Mutex::new(None));
    commit_together::<UserRejection, _>(log, &context, |append| {
        let known = &known;
        async move {
            let (append, user_id, _) = accounts::meet(log, append, stranger, reach, None).await?;
            *known.lock() = Some(user_id);
            Ok(append)
        }
    })
    .await?;
    Ok(known.into_inner().unwrap_or(stranger))
}

/// 256 random bits: the login itself; only its digest is kept.
fn new_token() -> String {
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    hex::encode(bytes)
}

fn account(
    log: &EventLog,
    settings: &Settings,
    user_id: UserId,
    user: &User,
    login_type: Option<HandleKind>,
) -> Account {
    let is_internal = user.is_internal(Some(&settings.staff_email_domain));
    Account {
        id: user_id.to_string(),
        name: user.name.as_ref().map(|name| name.as_str().to_owned()),
        email: user.email.as_ref().map(|email| email.as_str().to_owned()),
        phone: user.phone.as_ref().map(|phone| phone.e164().to_owned()),
        login_type: match login_type {
            Some(HandleKind::Phone) => "phone",
            Some(HandleKind::Email) | None => "email",
        },
        is_internal,
        roles: if is_internal {
            user.roles.iter().copied().collect()
        } else {
            vec![]
        },
        user_auth_token: None,
        referral_code: referral_code::of(log.handles(), user_id),
    }
}
