//! What the owner of an enrolled device changes: fresh recovery codes, or no device any more.

use std::sync::Arc;

use axum::extract::State;
use domain::second_factor::{SecondFactor, SecondFactorCommand, SecondFactorRejection};
use eventlog::EventLog;
use http_kit::body::Body;
use http_kit::caller::{Person, Sessions};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use messages::Outbox;
use platform::clock;
use platform::config::Settings;

use super::{RecoveryCodes, SecondFactorState, make_recovery_codes, no_staff, refused, state, step};
use crate::Services;
use crate::login::{OtpSent, send_code_in};
use crate::otp::{Codes, MailCode, Purpose, mail_of, prove_owner};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::LoggedIn, routes!(send_mail_code))
        .endpoint(Access::LoggedIn, routes!(renew_recovery_codes))
        .endpoint(Access::LoggedIn, routes!(remove_second_factor))
}

/// Sends a code to the caller's own mail, which enrolling, fresh recovery codes and taking a device away ask for.
///
/// # Errors
/// 403 for a login of longer ago, 409 for everybody who is no staff, 429 with the seconds to wait.
#[utoipa::path(post, path = "/api/v0/users/second_factor/mail_code",
    responses((status = 200, body = Success<OtpSent>), (status = 403, body = Failure), (status = 409, body = Failure), (status = 429, body = Failure)))]
pub async fn send_mail_code(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    State(outbox): State<Outbox>,
    State(codes): State<Codes>,
    context: RequestContext,
    person: Person,
) -> ApiResult<Success<OtpSent>> {
    if !person.is_staff() {
        return Err(no_staff());
    }
    person.check_login_is_fresh()?;
    let reach = mail_of(&person)?;
    let house = (&log, &*settings, &outbox, &codes);
    send_code_in(context.lang, house, &context, Purpose::SecondFactor, &reach).await
}

/// Makes fresh recovery codes, shown once; those before count no more. A mail tells the owner.
///
/// # Errors
/// 403 for a login of longer ago or one that has not passed its second step, 409 where no device is enrolled, 422 for a wrong code.
#[utoipa::path(post, path = "/api/v0/users/second_factor/recovery_codes", request_body = MailCode,
    responses((status = 200, body = Success<RecoveryCodes>), (status = 403, body = Failure), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn renew_recovery_codes(
    State(sessions): State<Sessions>,
    State(own): State<Codes>,
    context: RequestContext,
    person: Person,
    Body(code): Body<MailCode>,
) -> ApiResult<Success<RecoveryCodes>> {
    prove_change(&sessions, &own, &person, &code).await?;
    let (codes, recovery) = make_recovery_codes();
    let command = SecondFactorCommand::RenewRecovery {
        session_id: person.session_id,
        recovery,
        at: clock::now(),
    };
    let (_, position) = step(&sessions, &context, &person, command).await?;
    Ok(Success::at(RecoveryCodes { codes }, position))
}

/// Takes the caller's own device away with its recovery codes; another can be enrolled then. A mail tells the owner.
///
/// # Errors
/// 403 for a login of longer ago or one that has not passed its second step, 409 where no device is enrolled, 422 for a wrong code.
#[utoipa::path(post, path = "/api/v0/users/second_factor/remove", request_body = MailCode,
    responses((status = 200, body = Success<SecondFactorState>), (status = 403, body = Failure), (status = 409, body = Failure), (status = 422, body = Failure)))]
pub async fn remove_second_factor(
    State(sessions): State<Sessions>,
    State(own): State<Codes>,
    context: RequestContext,
    person: Person,
    Body(code): Body<MailCode>,
) -> ApiResult<Success<SecondFactorState>> {
    prove_change(&sessions, &own, &person, &code).await?;
    let command = SecondFactorCommand::Remove {
        session_id: person.session_id,
        at: clock::now(),
    };
    let (factor, position) = step(&sessions, &context, &person, command).await?;
    Ok(Success::at(state(&person, &factor), position))
}

/// Refuses what the rules refuse before the code of the mail is spent.
async fn prove_change(sessions: &Sessions, codes: &Codes, person: &Person, code: &MailCode) -> ApiResult<()> {
    let factor = sessions
        .records
        .log
        .load::<SecondFactor>(person.user_id)
        .await?
        .state;
    if !factor.is_enrolled {
        return Err(refused(SecondFactorRejection::NotEnrolled));
    }
    if !factor.passed.contains(&person.session_id) {
        return Err(refused(SecondFactorRejection::NotPassed));
    }
    prove_owner(codes, person, code).await
}
