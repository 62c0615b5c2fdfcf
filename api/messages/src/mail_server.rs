//! The mail server of the setting `smtp_url`. It speaks SMTP and knows nothing of where messages wait.

use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use futures::future::BoxFuture;
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::PoolConfig;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use percent_encoding::percent_decode_str;
use platform::config::Settings;
use url::{Host, Url};

use crate::carrier::{Carrier, Failure, LONGEST, Outgoing};

/// How long the server may take for one answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections at the same time.
pub(crate) const CONNECTIONS: u32 = 4;
/// How long a connection is kept that nothing goes over.
const KEPT: Duration = Duration::from_secs(30);
/// The relay's doors: for programs that hand mail in, the same under TLS from the beginning, and for those on the machine itself.
const SUBMISSION: u16 = 587;
const SUBMISSIONS: u16 = 465;
const RELAY: u16 = 25;
/// Answers about us and not about the message: a login that is refused or missing, a command that is not understood. The
/// message waits until the settings are right.
const ABOUT_US: [u16; 8] = [500, 502, 503, 504, 530, 534, 535, 538];

/// A connection to the mail server, or a few of them.
pub struct MailServer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl MailServer {
    /// The mail server of the settings, where there is one; nothing is asked of it yet.
    ///
    /// # Errors
    /// One sentence that names the setting, and not what it holds: that may be a password.
    pub fn of_settings(settings: &Settings) -> Result<Option<Self>, String> {
        let Some(smtp_url) = &settings.smtp_url else {
            return Ok(None);
        };
        Self::of(smtp_url, settings.mail_from.as_deref(), &settings.own_name()).map(Some)
    }

    /// As [`MailServer::of_settings`], from what they hold; `own_name` is what this machine calls itself.
    ///
    /// # Errors
    /// As [`MailServer::of_settings`].
    pub fn of(smtp_url: &str, mail_from: Option<&str>, own_name: &str) -> Result<Self, String> {
        let address = ServerAddress::parse(smtp_url)?;
        let from = sender(mail_from)?;
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(address.host.as_str())
            .port(address.port)
            .tls(address.tls()?)
            .hello_name(ClientId::Domain(own_name.to_owned()))
            .timeout(Some(PATIENCE))
            .pool_config(PoolConfig::new().max_size(CONNECTIONS).idle_timeout(KEPT));
        if let Some((user, password)) = address.login {
            builder = builder.credentials(Credentials::new(user, password));
        }
        Ok(Self {
            transport: builder.build(),
            from,
        })
    }

    /// Connects and logs in.
    ///
    /// # Errors
    /// What is wrong, and what to do.
    pub async fn answers(&self) -> Result<(), String> {
        match tokio::time::timeout(PATIENCE, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) | Err(_) => {
                Err("it does not answer: look at host and port in `smtp_url`".to_owned())
            }
            Ok(Err(error)) => Err(match error.status().map(u16::from) {
                Some(535 | 534) => "it refuses the login: look at user and password in `smtp_url`".to_owned(),
                Some(530 | 538) => "it wants a login: write user and password into `smtp_url`".to_owned(),
                Some(code) => format!("it answers {code}: look into its own log output"),
                None => format!("{}: look at host, port and certificate", said(&error)),
            }),
        }
    }

    fn written(&self, mail: &Outgoing<'_>) -> Option<Message> {
        let recipient = Mailbox::new(None, address(mail.recipient)?);
        let id = format!("<{}@{}>", mail.id, self.from.email.domain());
        let message = Message::builder()
            .message_id(Some(id))
            .from(self.from.clone())
            .to(recipient)
            .subject(mail.subject);
        let message = match mail.unsubscribe {
            Some(link) => message
                .header(ListUnsubscribe(format!("<{link}>")))
                .header(ListUnsubscribePost),
            None => message,
        };
        let message = if mail.kind == WRITTEN_BY_PEOPLE {
            message
        } else {
            message.header(AutoSubmitted)
        };
        message
            .multipart(MultiPart::alternative_plain_html(
                mail.body.to_owned(),
                mail.html.to_owned(),
            ))
            .ok()
    }
}

/// The one kind of mail that a person writes; the server makes all others by itself.
const WRITTEN_BY_PEOPLE: &str = "case_message";

/// Says that no person wrote a mail, so that no note of absence answers it (RFC 3834).
#[derive(Debug, Clone, Copy)]
struct AutoSubmitted;

/// Where one press in the mail program ends messages of a kind.
#[derive(Debug, Clone)]
struct ListUnsubscribe(String);

/// Says that the link takes that press without a page or a login (RFC 8058).
#[derive(Debug, Clone, Copy)]
struct ListUnsubscribePost;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_text: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Ok(Self(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), self.0.clone())
    }
}

impl Header for ListUnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_text: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}

impl Carrier for MailServer {
    fn send<'m>(&'m self, mail: Outgoing<'m>) -> BoxFuture<'m, Result<(), Failure>> {
        Box::pin(async move {
            let message = self.written(&mail).ok_or(Failure::Unwritable)?;
            match tokio::time::timeout(LONGEST, self.transport.send(message)).await {
                Ok(Ok(_taken)) => Ok(()),
                // The server takes no letters of other alphabets before the `@` (RFC 6531), and will take none later.
                Ok(Err(error)) if is_ours(&error) && !mail.recipient.is_ascii() => Err(Failure::Unwritable),
                Ok(Err(error)) => Err(failure(&error)),
                Err(_late) => Err(Failure::ForNow("the mail server takes too long".to_owned())),
            }
        })
    }
}

/// Host, port and login of `smtp_url`.
struct ServerAddress {
    host: String,
    port: u16,
    login: Option<(String, String)>,
    secrecy: Secrecy,
}

/// How a connection is kept from others' eyes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secrecy {
    /// TLS from the beginning.
    Whole,
    /// TLS before anything is said, or nothing is said.
    StartTls,
    /// The server is on this very machine.
    Loopback,
}

impl ServerAddress {
    fn parse(smtp_url: &str) -> Result<Self, String> {
        let wrong = || {
            "the setting `smtp_url` is no address of a mail server: write one such as smtp://user:password@mail.example:587"
                .to_owned()
        };
        let url = Url::parse(smtp_url).map_err(|_| wrong())?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
        let here = host == "localhost"
            || host
                .trim_matches(['[', ']'])
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback());
        let must = match url.query() {
            None => false,
            Some("tls=required") => true,
            Some(_) => return Err(wrong()),
        };
        let (secrecy, usual) = match url.scheme() {
            "smtps" => (Secrecy::Whole, SUBMISSIONS),
            "smtp" if here && !must => (Secrecy::Loopback, RELAY),
            "smtp" => (Secrecy::StartTls, SUBMISSION),
            _ => return Err(wrong()),
        };
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let login = (!url.username().is_empty())
            .then(|| (plain(url.username()), plain(url.password().unwrap_or_default())));
        Ok(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(usual),
            login,
            secrecy,
        })
    }

    fn tls(&self) -> Result<Tls, String> {
        let parameters = || {
            TlsParameters::new(self.host.clone())
                .map_err(|error| format!("the setting `smtp_url` needs TLS, which cannot be used: {error}"))
        };
        Ok(match self.secrecy {
            Secrecy::Whole => Tls::Wrapper(parameters()?),
            Secrecy::StartTls => Tls::Required(parameters()?),
            Secrecy::Loopback => Tls::None,
        })
    }
}

fn sender(mail_from: Option<&str>) -> Result<Mailbox, String> {
    let Some(from) = mail_from else {
        return Err(
            "the setting `smtp_url` goes with `mail_from`: the address that mails come from, such as `Amber <rooms@mail.example>`"
                .to_owned(),
        );
    };
    from.parse().map_err(|_| {
        format!("the setting `mail_from` is `{from}`: write an address such as `Amber <rooms@mail.example>`")
    })
}

/// An address as servers write it: names of other alphabets in their ASCII spelling.
fn address(recipient: &str) -> Option<Address> {
    let (local, domain) = recipient.trim().rsplit_once('@')?;
    let domain = Host::parse(domain).ok()?.to_string();
    Address::new(local, domain).ok()
}

/// Whether it was found on this side, before the server said a word about the mail.
fn is_ours(error: &lettre::transport::smtp::Error) -> bool {
    error.status().is_none() && error.is_client() && !error.is_timeout()
}

fn failure(error: &lettre::transport::smtp::Error) -> Failure {
    match error.status().map(u16::from) {
        Some(code) if error.is_permanent() && !ABOUT_US.contains(&code) => Failure::Refused(code),
        Some(code) => Failure::ForNow(format!("the mail server answered {code}")),
        // Fails alike at every attempt.
        None if is_ours(error) => Failure::ForNow("the mail server cannot take this mail".to_owned()),
        None => Failure::ForNow(said(error)),
    }
}

/// Without anything of the mail in it.
fn said(error: &lettre::transport::smtp::Error) -> String {
    let what = if error.is_timeout() {
        "the mail server does not answer in time"
    } else if error.is_tls() {
        "the mail server's TLS is not trusted or not there"
    } else {
        "the mail server cannot be reached"
    };
    what.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(smtp_url: &str) -> Result<(String, u16, Secrecy), String> {
        ServerAddress::parse(smtp_url).map(|address| (address.host, address.port, address.secrecy))
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted() {
        let host = || "mail.example".to_owned();
        assert_eq!(of("smtp://mail.example"), Ok((host(), 587, Secrecy::StartTls)));
        assert_eq!(of("smtps://mail.example"), Ok((host(), 465, Secrecy::Whole)));
        assert_eq!(
            of("smtp://localhost"),
            Ok(("localhost".to_owned(), 25, Secrecy::Loopback))
        );
        assert_eq!(
            of("smtp://[::1]:2525"),
            Ok(("::1".to_owned(), 2525, Secrecy::Loopback))
        );
        assert_eq!(
            of("smtp://127.0.0.1:2525?tls=required"),
            Ok(("127.0.0.1".to_owned(), 2525, Secrecy::StartTls))
        );
        for wrong in [
            "mail.example",
            "http://mail.example",
            "smtp://",
            "smtp://a?tls=none",
        ] {
            assert!(of(wrong).unwrap_err().contains("`smtp_url`"), "{wrong}");
        }
    }

    #[test]
    fn a_login_may_hold_any_letters_and_is_never_repeated() {
        let address = ServerAddress::parse("smtp://rooms%40mail.example:p%2Fw@mail.example").unwrap();
        assert_eq!(
            address.login,
            Some(("rooms@mail.example".to_owned(), "p/w".to_owned()))
        );
        let refused = of("pop://rooms:secret@mail.example").unwrap_err();
        assert!(!refused.contains("secret"), "{refused}");
    }

    #[test]
    fn a_sender_is_asked_for() {
        assert!(sender(None).unwrap_err().contains("`mail_from`"));
        assert!(sender(Some("Amber")).unwrap_err().contains("`mail_from`"));
        assert!(sender(Some("Amber <rooms@mail.example>")).is_ok());
    }

    #[test]
    fn a_name_of_another_alphabet_is_written_in_ascii() {
        assert_eq!(
            address("mei@bücher.example").unwrap().to_string(),
            "mei@xn--bcher-kva.example"
        );
        assert!(address("nobody").is_none());
    }
}
