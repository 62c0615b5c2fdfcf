//! reCAPTCHA before a code is sent or an enquiry is taken (D69, D70): the unseen score first, and after a low one the visual
//! challenge. It stands beside the proof of work and the limits, which go on alone without keys, in the China variant, and while the
//! verifier does not answer. A browser that cannot reach it, such as one in mainland China, brings a proof of work instead of a token.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use chrono::TimeDelta;
use eventlog::EventLog;
use platform::clock;
use platform::config::Settings;
use platform::config::recaptcha::RecaptchaKeys;
use reqwest::Client;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::{ApiError, ApiResult};
use crate::limits::{Limits, Token};
use crate::proof_of_work;
use crate::request::{Query, RequestContext};
use crate::said::say;

/// How long the verifier may take: the caller waits for a code.
const PATIENCE: Duration = Duration::from_secs(4);
/// From here on a score passes; 1.0 is certainly a person.
const PASSES: f64 = 0.5;
/// How old a token may be at the verifier. It opens one thing once; a repetition of the same, such as after a proof of work, passes
/// for as long.
const REMEMBERED: TimeDelta = TimeDelta::minutes(2);
/// No token is longer.
const TOKEN_MAX: usize = 4_096;

/// Fields that a browser adds to a guarded request.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RecaptchaQuery {
    /// The token of the v3 key, or of the v2 key with the next.
    recaptcha_token: Option<String>,
    /// `email_login`, `phone_login` or `lead_submission`.
    recaptcha_action: Option<String>,
    /// `true` after the answer `visual_challenge_required`.
    with_visual_challenge: Option<String>,
}

/// What is guarded, by the name that the token was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardedAction {
    EmailLogin,
    PhoneLogin,
    LeadSubmission,
}

impl GuardedAction {
    const fn key(self) -> &'static str {
        match self {
            Self::EmailLogin => "email_login",
            Self::PhoneLogin => "phone_login",
            Self::LeadSubmission => "lead_submission",
        }
    }
}

/// The check of tokens. Cheap to clone; without keys it lets everybody pass.
#[derive(Clone)]
pub struct Recaptcha(Option<(Arc<Verifier>, Limits)>);

struct Verifier {
    client: Client,
    keys: RecaptchaKeys,
    /// Whether its silence was told already.
    is_away: AtomicBool,
}

/// Token of a guarded request, with the check of it.
pub struct PersonCheck {
    recaptcha: Recaptcha,
    query: RecaptchaQuery,
    log: EventLog,
}

impl PersonCheck {
    /// Lets the request pass where a person sent it; `about` is what it asks for, such as the address of a code.
    ///
    /// # Errors
    /// As [`Recaptcha::check`].
    pub async fn passes(
        &self,
        action: GuardedAction,
        about: &str,
        context: &RequestContext,
    ) -> ApiResult<()> {
        let (query, proof) = (&self.query, context.proof.as_deref());
        if query.recaptcha_token.is_none() && self.recaptcha.worked_instead(&self.log, proof).await? {
            return Ok(());
        }
        self.recaptcha.check((action, about), query, context).await
    }
}

impl<S> FromRequestParts<S> for PersonCheck
where
    Recaptcha: FromRef<S>,
    EventLog: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let Query(query) = Query::from_request_parts(parts, state).await?;
        Ok(Self {
            recaptcha: Recaptcha::from_ref(state),
            query,
            log: EventLog::from_ref(state),
        })
    }
}

/// Answer of the verifier, as far as it is used.
#[derive(Debug, Deserialize)]
struct Verdict {
    success: bool,
    #[serde(default)]
    score: Option<f64>,
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    hostname: Option<String>,
}

/// A token of one of the two kinds.
#[derive(Clone, Copy)]
enum Kind {
    Score(GuardedAction),
    Visual,
}

impl Recaptcha {
    /// The check of the settings.
    ///
    /// # Errors
    /// One sentence naming the wrong setting.
    pub fn of_settings(settings: &Settings, limits: &Limits) -> Result<Self, String> {
        let Some(keys) = RecaptchaKeys::of_settings(settings)? else {
            return Ok(Self(None));
        };
        // Two providers of cryptography are linked; reqwest takes the one of the process. Set already, it stays.
        let _set_before = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(PATIENCE)
            .no_proxy()
            .build()
            .map_err(|_| "the setting `recaptcha_verify_url` needs TLS, which cannot be used".to_owned())?;
        let verifier = Verifier {
            client,
            keys,
            is_away: AtomicBool::new(false),
        };
        Ok(Self(Some((Arc::new(verifier), limits.clone()))))
    }

    /// Whether a proof of work stands for the token that a browser could not get. It passes here once; the limits count it apart.
    async fn worked_instead(&self, log: &EventLog, proof: Option<&str>) -> ApiResult<bool> {
        match &self.0 {
            Some((_, limits)) => proof_of_work::stands_for_token(log, limits, proof).await,
            None => Ok(false),
        }
    }

    /// Lets a request pass that a person sent. A token opens one thing, and a repetition of the same.
    ///
    /// # Errors
    /// 403 `visual_challenge_required`: the same request with a token of the v2 key opens the way.
    pub async fn check(
        &self,
        (action, about): (GuardedAction, &str),
        query: &RecaptchaQuery,
        context: &RequestContext,
    ) -> ApiResult<()> {
        let Some((verifier, limits)) = &self.0 else {
            return Ok(());
        };
        let is_visual = query.with_visual_challenge.as_deref() == Some("true");
        let kind = if is_visual {
            Kind::Visual
        } else {
            Kind::Score(action)
        };
        let says_another = query
            .recaptcha_action
            .as_deref()
            .is_some_and(|said| said != action.key());
        let token = query
            .recaptcha_token
            .as_deref()
            .filter(|token| !token.is_empty() && token.len() <= TOKEN_MAX);
        let refused = || {
            let message = say("refusal.visual_challenge_required");
            ApiError::new(StatusCode::FORBIDDEN, "visual_challenge_required", message)
        };
        let token = token.filter(|_| !says_another).ok_or_else(refused)?;
        // A stolen token is of no use elsewhere, nor for anything else.
        let purpose = format!("{}:{}:{about}", action.key(), context.ip);
        let until_ms = (clock::now() + REMEMBERED).timestamp_millis();
        match limits.show_token(token, &purpose, until_ms).await? {
            Token::Repeated => Ok(()),
            Token::Fresh if verifier.passes(kind, token, context).await => {
                limits.token_opened(token, &purpose, until_ms).await
            }
            Token::Fresh | Token::Spent => Err(refused()),
        }
    }
}

impl Verifier {
    async fn passes(&self, kind: Kind, token: &str, context: &RequestContext) -> bool {
        match self.ask(kind, token, context.ip).await {
            Ok(verdict) => {
                if self.is_away.swap(false, Ordering::Relaxed) {
                    tracing::info!("the verifier of reCAPTCHA answers again");
                }
                is_good(kind, &verdict, &context.site.host)
            }
            // The proof of work and the limits go on alone.
            Err(why) => {
                if !self.is_away.swap(true, Ordering::Relaxed) {
                    tracing::error!(
                        why,
                        "the verifier of reCAPTCHA does not answer: until it does, the proof of work and the limits guard alone"
                    );
                }
                true
            }
        }
    }

    async fn ask(&self, kind: Kind, token: &str, ip: IpAddr) -> Result<Verdict, &'static str> {
        let secret = match kind {
            Kind::Score(_) => &self.keys.secret_key,
            Kind::Visual => &self.keys.v2_secret_key,
        };
        let ip = ip.to_string();
        let form = [
            ("secret", secret.0.as_str()),
            ("response", token),
            ("remoteip", ip.as_str()),
        ];
        let answer = self.client.post(&self.keys.verify_url).form(&form).send().await;
        let answer = answer.map_err(|error| {
            if error.is_timeout() {
                "it takes too long"
            } else {
                "it cannot be reached"
            }
        })?;
        if !answer.status().is_success() {
            return Err("it answers with an error");
        }
        answer.json().await.map_err(|_| "its answer cannot be read")
    }
}

/// A token of another site, or of another action, is a stolen one.
fn is_good(kind: Kind, verdict: &Verdict, host: &str) -> bool {
    let is_ours = verdict.hostname.as_deref() == Some(host);
    let fits = match kind {
        Kind::Score(action) => {
            verdict.action.as_deref() == Some(action.key())
                && verdict.score.is_some_and(|score| score >= PASSES)
        }
        Kind::Visual => true,
    };
    verdict.success && is_ours && fits
}
