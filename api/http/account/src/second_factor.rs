//! The second step of a staff login: enrolling a device, its codes, and recovery codes for the day it is lost (RFC 6238). What
//! guards the login changes by its owner alone: a login of a short while ago with a fresh code of the mail, and a mail tells of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use axum::extract::State;
use axum::http::StatusCode;
use domain::id::StreamKey as _;
use domain::second_factor::{SecondFactor, SecondFactorCommand, SecondFactorRejection};
use eventlog::{Actor, Context, commit};
use http_kit::body::Body;
use http_kit::caller::{Person, Sessions, token_digest};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::say;
use platform::clock;
use qrcodegen::{QrCode, QrCodeEcc};
use rand::RngCore;
use serde::{Deserialize, Serialize};
use totp_rs::{Algorithm, Secret, TOTP};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;
use crate::otp::{Codes, MailCode, prove_owner};

pub mod changes;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::LoggedIn, routes!(second_factor, offer_second_factor))
        .endpoint(Access::LoggedIn, routes!(confirm_second_factor))
        .endpoint(Access::LoggedIn, routes!(pass_second_factor))
        .merge(changes::endpoints())
}

/// Seconds for which a code is shown; the one before and the one after count too, as clocks differ.
const STEP_S: u64 = 30;
/// Recovery codes of an enrolment.
const RECOVERY_CODES: usize = 10;

/// Where the second factor of the caller stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecondFactorState {
    /// The workspace opens only after a second step.
    needed: bool,
    enrolled: bool,
    /// This login has passed it.
    passed: bool,
    /// Recovery codes that are left.
    recovery_left: u64,
}

/// A secret for a device, shown once.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecondFactorOffer {
    /// Base32, to be typed where no camera is.
    secret: String,
    /// `otpauth://…`, what the picture says.
    address: String,
    /// The path of the picture's dark squares, each of size 1.
    qr_path: String,
    /// The picture's width and height, in squares.
    qr_size: u32,
}

/// Six digits of the device.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "code": "123456" }))]
pub struct SecondFactorCode {
    code: String,
}

/// A device is enrolled with six digits of its own and a fresh code of the mail.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "code": "123456", "otp": "654321", "session_uuid": "01890a5d-ac96-774b-bcce-b302099a8057" }))]
pub struct Enrolment {
    code: String,
    otp: String,
    session_uuid: Uuid,
}

/// Codes for the day the device is lost, shown once.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecoveryCodes {
    codes: Vec<String>,
}

/// Where the caller's second factor stands.
///
/// # Errors
/// 401 for a visitor.
#[utoipa::path(get, path = "/api/v0/users/second_factor", responses((status = 200, body = Success<SecondFactorState>)))]
pub async fn second_factor(
    State(sessions): State<Sessions>,
    _context: RequestContext,
    person: Person,
) -> ApiResult<Success<SecondFactorState>> {
    let factor = sessions
        .records
        .log
        .load::<SecondFactor>(person.user_id)
        .await?
        .state;
    Ok(Success::new(state(&person, &factor)))
}

fn state(person: &Person, factor: &SecondFactor) -> SecondFactorState {
    SecondFactorState {
        needed: person.needs_second_step() || factor.is_enrolled,
        enrolled: factor.is_enrolled,
        passed: factor.passed.contains(&person.session_id),
        recovery_left: factor.recovery.len() as u64,
    }
}

/// Makes a secret for a device. It counts once a code of it was confirmed.
///
/// # Errors
/// 403 for a login of longer ago, 409 for everybody who is no staff, and where a device is enrolled.
#[utoipa::path(post, path = "/api/v0/users/second_factor",
    responses((status = 200, body = Success<SecondFactorOffer>), (status = 403, body = Failure), (status = 409, body = Failure)))]
pub async fn offer_second_factor(
    State(sessions): State<Sessions>,
    context: RequestContext,
    person: Person,
) -> ApiResult<Success<SecondFactorOffer>> {
    let name = person.user.email.as_ref().map(|email| email.as_str().to_owned());
    let name = name.filter(|_| person.is_staff()).ok_or_else(no_staff)?;
    person.check_login_is_fresh()?;
    let mut bytes = [0_u8; 20];
    rand::rng().fill_bytes(&mut bytes);
    let Secret::Encoded(secret) = Secret::Raw(bytes.to_vec()).to_encoded() else {
        return Err(ApiError::broken("a secret is not written in base32"));
    };
    let command = SecondFactorCommand::Offer {
        user_id: person.user_id,
        secret: secret.clone(),
        at: clock::now(),
    };
    let offered = step(&sessions, &context, &person, command).await?;
    let brand = sessions.settings.brand_name_now();
    let address = address_of(&brand, &name, &secret);
    let picture = QrCode::encode_text(&address, QrCodeEcc::Medium).map_err(ApiError::broken)?;
    Ok(Success::at(
        SecondFactorOffer {
            qr_path: path_of(&picture),
            qr_size: u32::try_from(picture.size()).unwrap_or_default(),
            secret,
            address,
        },
        offered.1,
    ))
}

fn address_of(brand: &str, name: &str, secret: &str) -> String {
    let written = |text: &str| {
        let safe = percent_encoding::NON_ALPHANUMERIC;
        percent_encoding::utf8_percent_encode(text, safe).to_string()
    };
    let (issuer, name) = (written(brand), written(name));
    format!(
        "otpauth://totp/{issuer}:{name}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period={STEP_S}"
    )
}

fn path_of(picture: &QrCode) -> String {
    let size = picture.size();
    let all = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let dark = all.filter(|(x, y)| picture.get_module(*x, *y));
    dark.fold(String::new(), |mut path, (x, y)| {
        // Writing to a text cannot fail.
        let _ = write!(path, "M{x} {y}h1v1h-1z");
        path
    })
}

/// Enrols the device whose secret was offered last; this login has passed with it. The recovery codes are shown once, and a mail
/// tells the owner.
///
/// # Errors
/// 403 for a login of longer ago, 409 where nothing was offered or a device is enrolled, 422 for a code that is not right, 429 after
/// many tries.
#[utoipa::path(post, path = "/api/v0/users/second_factor/confirm", request_body = Enrolment,
    responses((status = 200, body = Success<RecoveryCodes>), (status = 403, body = Failure), (status = 409, body = Failure), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn confirm_second_factor(
    State(sessions): State<Sessions>,
    State(limits): State<Limits>,
    State(codes): State<Codes>,
    context: RequestContext,
    person: Person,
    Body(request): Body<Enrolment>,
) -> ApiResult<Success<RecoveryCodes>> {
    person.check_login_is_fresh()?;
    limits.count_second_factor(person.user_id).await?;
    let factor = sessions
        .records
        .log
        .load::<SecondFactor>(person.user_id)
        .await?
        .state;
    if factor.is_enrolled {
        return Err(refused(SecondFactorRejection::Enrolled));
    }
    let secret = factor
        .offered
        .ok_or_else(|| refused(SecondFactorRejection::NotEnrolled))?;
    let step_now = step_of(&secret, &request.code)?.ok_or_else(wrong_code)?;
    let mail = MailCode {
        otp: request.otp,
        session_uuid: request.session_uuid,
    };
    // Last: a code of the mail is spent by being right.
    prove_owner(&codes, &person, &mail).await?;
    let (codes, recovery) = make_recovery_codes();
    let command = SecondFactorCommand::Enrol {
        session_id: person.session_id,
        recovery,
        step: step_now,
        at: clock::now(),
    };
    let (_, position) = step(&sessions, &context, &person, command).await?;
    Ok(Success::at(RecoveryCodes { codes }, position))
}

/// Passes the second step of this login with a code of the device, or with a recovery code.
///
/// # Errors
/// 422 for a code that is not right or was used, 409 where no device is enrolled, 429 after many tries.
#[utoipa::path(post, path = "/api/v0/users/second_factor/pass", request_body = SecondFactorCode,
    responses((status = 200, body = Success<SecondFactorState>), (status = 409, body = Failure), (status = 422, body = Failure), (status = 429, body = Failure)))]
pub async fn pass_second_factor(
    State(sessions): State<Sessions>,
    State(limits): State<Limits>,
    context: RequestContext,
    person: Person,
    Body(request): Body<SecondFactorCode>,
) -> ApiResult<Success<SecondFactorState>> {
    limits.count_second_factor(person.user_id).await?;
    let factor = sessions
        .records
        .log
        .load::<SecondFactor>(person.user_id)
        .await?
        .state;
    if !factor.is_enrolled {
        return Err(refused(SecondFactorRejection::NotEnrolled));
    }
    let (session_id, at) = (person.session_id, clock::now());
    let is_short =
        request.code.chars().filter(char::is_ascii_digit).count() == 6 && request.code.trim().len() <= 7;
    let command = if is_short {
        let secret = factor.secret.ok_or_else(wrong_code)?;
        let step = step_of(&secret, &request.code)?.ok_or_else(wrong_code)?;
        SecondFactorCommand::Pass { session_id, step, at }
    } else {
        SecondFactorCommand::Recover {
            session_id,
            digest: digest_of(&request.code),
            at,
        }
    };
    let (factor, position) = step(&sessions, &context, &person, command).await?;
    Ok(Success::at(state(&person, &factor), position))
}

async fn step(
    sessions: &Sessions,
    context: &RequestContext,
    person: &Person,
    command: SecondFactorCommand,
) -> ApiResult<(SecondFactor, u64)> {
    let records = &sessions.records;
    // Codes and secrets are no part of what an idempotency key stands for: each try is a try of its own.
    let asked =
        Context::new(clock::now(), Actor::staff(person.user_id.uuid())).correlated(context.request_id);
    let done = commit::<SecondFactor>(&records.log, person.user_id, command, &asked).await;
    let done = done.map_err(|error| error.map(refused))?;
    records.answers_for(done.position);
    Ok((done.state, done.position))
}

fn refused(rejection: SecondFactorRejection) -> ApiError {
    match rejection {
        SecondFactorRejection::NotEnrolled => {
            ApiError::conflict("second_factor_absent", say("refusal.second_factor_absent"))
        }
        SecondFactorRejection::Enrolled => {
            ApiError::conflict("second_factor_enrolled", say("refusal.second_factor_enrolled"))
        }
        SecondFactorRejection::NotPassed => ApiError::new(
            StatusCode::FORBIDDEN,
            "second_factor_needed",
            say("refusal.second_factor_needed"),
        ),
        SecondFactorRejection::Used | SecondFactorRejection::NoSuchCode => wrong_code(),
    }
}

fn wrong_code() -> ApiError {
    ApiError::invalid_field("code", "wrong_code", say("refusal.second_factor_code"))
}

fn no_staff() -> ApiError {
    ApiError::conflict("not_staff", say("refusal.second_factor_staff"))
}

/// The time step that a code belongs to; `None` for a code of no step near now.
fn step_of(secret: &str, code: &str) -> ApiResult<Option<u64>> {
    let code: String = code.chars().filter(char::is_ascii_digit).collect();
    let bytes = Secret::Encoded(secret.to_owned()).to_bytes();
    let bytes = bytes.map_err(|_| ApiError::broken("a kept secret is not base32"))?;
    let device = TOTP::new(Algorithm::SHA1, 6, 0, STEP_S, bytes).map_err(ApiError::broken)?;
    let now = u64::try_from(clock::now().timestamp()).unwrap_or_default() / STEP_S;
    let mut near = (now.saturating_sub(1)..=now + 1).rev();
    Ok(near.find(|step| device.check(&code, step * STEP_S)))
}

/// Codes to show, and the digests to keep of them.
fn make_recovery_codes() -> (Vec<String>, BTreeSet<String>) {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code()).collect();
    let digests = codes.iter().map(|code| digest_of(code)).collect();
    (codes, digests)
}

/// Eighty random bits in four groups.
fn recovery_code() -> String {
    let mut bytes = [0_u8; 10];
    rand::rng().fill_bytes(&mut bytes);
    let text = hex::encode(bytes);
    let groups: Vec<String> = (0..4)
        .map(|group| text[group * 5..group * 5 + 5].to_owned())
        .collect();
    groups.join("-")
}

fn digest_of(code: &str) -> String {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    token_digest(&plain.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recovery_codes_read_the_same_however_they_are_typed() {
        let code = recovery_code();
        assert_eq!(code.len(), 23, "{code}");
        let typed = code.to_uppercase().replace('-', " ");
        assert_eq!(digest_of(&code), digest_of(&typed));
    }

    #[test]
    fn address_names_brand_and_account() {
        let address = address_of("Amber & Co", "ann@staff.example", "ABC");
        assert!(address.starts_with("otpauth://totp/Amber%20%26%20Co:ann%40staff%2Eexample?secret=ABC"));
    }
}
