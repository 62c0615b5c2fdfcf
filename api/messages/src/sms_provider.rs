//! The provider of text messages of the setting `sms_url`: one POST of JSON for each message, as docs/operations/text-messages.md
//! describes it. A provider with another shape is reached through a small translator at that address.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::future::BoxFuture;
use platform::clock;
use platform::config::Settings;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::Serialize;
use url::Url;

use crate::carrier::{Carrier, Failure, LONGEST, Outgoing};

/// How long the provider may take for one answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest pause that a provider's Retry-After is believed for.
const LONGEST_PAUSE: Duration = Duration::from_hours(6);

/// The way to the provider of text messages.
pub struct SmsProvider {
    client: Client,
    url: Url,
    /// `Bearer …` or `Basic …`; marked sensitive, so that nothing prints it.
    authorization: Option<HeaderValue>,
}

/// What the provider is told of one message.
#[derive(Serialize)]
struct Submission<'m> {
    /// The same for every attempt.
    id: &'m str,
    /// The number in E.164 form.
    to: &'m str,
    text: &'m str,
    /// What it is about, such as `otp`: providers send codes by a faster way.
    kind: &'m str,
    /// `sms` or `whatsapp`.
    channel: &'static str,
}

impl SmsProvider {
    /// The provider of the settings, where there is one; nothing is asked of it yet.
    ///
    /// # Errors
    /// One sentence that names the setting, and not what it holds: that may be a token.
    pub fn of_settings(settings: &Settings) -> Result<Option<Self>, String> {
        let url = settings.sms_url.as_ref();
        url.map(|url| Self::of(&url.0)).transpose()
    }

    /// As [`SmsProvider::of_settings`], from the setting's value.
    ///
    /// # Errors
    /// As [`SmsProvider::of_settings`].
    pub fn of(sms_url: &str) -> Result<Self, String> {
        let (url, authorization) = address_of(sms_url)?;
        // Two providers of cryptography are linked; reqwest takes the one of the process. Set already, it stays.
        let _set_before = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("Latchkey/", env!("CARGO_PKG_VERSION")))
            // A redirect would carry number and text to an address that the settings do not name.
            .redirect(Policy::none())
            // What leaves for the provider goes to the address of the setting, whatever the environment says.
            .no_proxy()
            .timeout(PATIENCE)
            .build()
            .map_err(|_| "the setting `sms_url` needs TLS, which cannot be used".to_owned())?;
        Ok(Self {
            client,
            url,
            authorization,
        })
    }

    fn authorized(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.authorization {
            Some(value) => request.header(AUTHORIZATION, value),
            None => request,
        }
    }

    /// Asks the address without a message: `GET`. Any answer but a refused login counts, for most providers know no `GET`.
    ///
    /// # Errors
    /// What is wrong, and what to do.
    pub async fn answers(&self) -> Result<(), String> {
        match self.authorized(self.client.get(self.url.clone())).send().await {
            Ok(answer) if answer.status() == StatusCode::UNAUTHORIZED => {
                Err("it refuses the login: look at the token in `sms_url`".to_owned())
            }
            Ok(answer) if answer.status().is_redirection() => {
                Err("it redirects elsewhere: write the address it names into `sms_url`".to_owned())
            }
            Ok(answer) if answer.status().is_server_error() => Err(format!(
                "it answers {}: look into its own log output",
                answer.status().as_u16()
            )),
            Ok(_) => Ok(()),
            Err(error) => Err(format!("{}: look at host and port in `sms_url`", words(&error))),
        }
    }
}

impl Carrier for SmsProvider {
    fn send<'m>(&'m self, message: Outgoing<'m>) -> BoxFuture<'m, Result<(), Failure>> {
        Box::pin(async move {
            let submission = Submission {
                id: message.id,
                to: message.recipient,
                text: message.body,
                kind: message.kind,
                channel: message.channel.key(),
            };
            let request = self
                .authorized(self.client.post(self.url.clone()))
                .header("idempotency-key", message.id)
                .json(&submission);
            match tokio::time::timeout(LONGEST, request.send()).await {
                Ok(Ok(answer)) => verdict(answer.status(), answer.headers()),
                Ok(Err(error)) => Err(Failure::ForNow(words(&error).to_owned())),
                Err(_late) => Err(Failure::ForNow(
                    "the provider of text messages takes too long".to_owned(),
                )),
            }
        })
    }
}

/// What an answer means for the message. 401 tells of the settings and not of the message, which waits until they are right.
fn verdict(status: StatusCode, headers: &HeaderMap) -> Result<(), Failure> {
    if status.is_success() {
        return Ok(());
    }
    let code = status.as_u16();
    let is_final = status.is_client_error() && !matches!(code, 401 | 408 | 425 | 429);
    if is_final {
        return Err(Failure::Refused(code));
    }
    let why = format!("the provider of text messages answered {code}");
    Err(match retry_after(headers, clock::now()) {
        Some(pause) => Failure::After(why, pause),
        None => Failure::ForNow(why),
    })
}

/// Seconds or a date, as RFC 9110 has it.
fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let written = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let pause = if let Ok(seconds) = written.parse() {
        Duration::from_secs(seconds)
    } else {
        let until = DateTime::parse_from_rfc2822(written).ok()?;
        (until.to_utc() - now).to_std().unwrap_or_default()
    };
    Some(pause.min(LONGEST_PAUSE))
}

/// In words of our own: the client's repeat the address with its token.
fn words(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "the provider of text messages does not answer in time"
    } else if error.is_connect() {
        "the provider of text messages cannot be reached"
    } else {
        "the provider of text messages broke off"
    }
}

/// The address without its login, and what the login says.
fn address_of(sms_url: &str) -> Result<(Url, Option<HeaderValue>), String> {
    let wrong = || {
        "the setting `sms_url` is no address of a provider of text messages: write one such as https://TOKEN@sms.example/messages"
            .to_owned()
    };
    let mut url = Url::parse(sms_url).map_err(|_| wrong())?;
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
    let is_here = host == "localhost"
        || host
            .trim_matches(['[', ']'])
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    match url.scheme() {
        "https" => {}
        "http" if is_here => {}
        "http" => {
            return Err(
                "the setting `sms_url` begins with http://: codes and numbers leave this machine under https:// alone"
                    .to_owned(),
            );
        }
        _ => return Err(wrong()),
    }
    let authorization = authorization_of(&url).map_err(|()| wrong())?;
    url.set_username("").map_err(|()| wrong())?;
    url.set_password(None).map_err(|()| wrong())?;
    Ok((url, authorization))
}

/// A name alone is a bearer token; a name with a password is a login of the basic kind.
fn authorization_of(url: &Url) -> Result<Option<HeaderValue>, ()> {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    if url.username().is_empty() {
        return Ok(None);
    }
    let plain = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8_lossy()
            .into_owned()
    };
    let name = plain(url.username());
    let written = match url.password() {
        None => format!("Bearer {name}"),
        Some(password) => format!("Basic {}", STANDARD.encode(format!("{name}:{}", plain(password)))),
    };
    let mut value = HeaderValue::from_str(&written).map_err(drop)?;
    value.set_sensitive(true);
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_of(sms_url: &str) -> Option<String> {
        let (url, authorization) = address_of(sms_url).unwrap();
        assert_eq!(url.username(), "", "the login stays in no address");
        authorization.map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn login_of_the_address_becomes_a_header() {
        assert_eq!(header_of("https://sms.example/messages"), None);
        assert_eq!(
            header_of("https://a%2Fb@sms.example").as_deref(),
            Some("Bearer a/b")
        );
        assert_eq!(
            header_of("https://rooms:secret@sms.example").as_deref(),
            Some("Basic cm9vbXM6c2VjcmV0")
        );
    }

    #[test]
    fn wrong_address_is_named_without_its_token() {
        for wrong in [
            "sms.example",
            "ftp://tok@sms.example",
            "http://tok@sms.example",
            "https://tok%0A@sms.example",
        ] {
            let said = address_of(wrong).unwrap_err();
            assert!(said.contains("`sms_url`") && !said.contains("tok"), "{said}");
        }
        assert!(address_of("http://127.0.0.1:9000/x").is_ok());
    }

    #[test]
    fn answers_are_final_or_tried_again() {
        let of = |code: u16| verdict(StatusCode::from_u16(code).unwrap(), &HeaderMap::new());
        assert_eq!(of(202), Ok(()));
        for last in [400, 403, 404, 422] {
            assert_eq!(of(last), Err(Failure::Refused(last)));
        }
        for again in [302, 401, 408, 429, 500, 503] {
            assert!(matches!(of(again), Err(Failure::ForNow(_))), "{again}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let at: DateTime<Utc> = "2026-11-25T12:00:00Z".parse().unwrap();
        let of = |written: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(written));
            retry_after(&headers, at)
        };
        assert_eq!(of("7"), Some(Duration::from_secs(7)));
        assert_eq!(of("Wed, 25 Nov 2026 12:00:30 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(of("Wed, 25 Nov 2026 11:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(of("99999999"), Some(LONGEST_PAUSE));
        assert_eq!(of("soon"), None);
    }
}
