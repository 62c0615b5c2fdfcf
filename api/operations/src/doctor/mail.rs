//! What the doctor says of the mail server, of the provider of text messages, and of the messages that wait for them.

use messages::delivery;
use messages::mail_server::MailServer;
use messages::sms_provider::SmsProvider;
use platform::config::Settings;
use tables::Place;

use super::finding::Finding;

/// Connects and logs in, as sending does.
pub(super) async fn of_server(settings: &Settings) -> Finding {
    match MailServer::of_settings(settings) {
        Ok(Some(server)) => match server.answers().await {
            Ok(()) => Finding::fine("mail", "the mail server answers"),
            Err(problem) => Finding::wrong("mail", format!("the mail server of `smtp_url`: {problem}")),
        },
        Ok(None) if settings.dev_tools() => {
            Finding::fine("mail", "there is no mail server: messages stay at /dev/outbox")
        }
        Ok(None) => Finding::wrong(
            "mail",
            "no login code can be sent: set `smtp_url` and `mail_from`; administrators log in by the link that `latchkey grant` prints",
        ),
        Err(problem) => Finding::wrong("mail", problem),
    }
}

/// Whether a code can be sent to a phone; asks the provider where there is one.
pub(super) async fn of_texts(settings: &Settings) -> Finding {
    match SmsProvider::of_settings(settings) {
        Ok(Some(provider)) => match provider.answers().await {
            Ok(()) => Finding::fine("phones", "the provider of text messages answers"),
            Err(problem) => Finding::wrong(
                "phones",
                format!("the provider of text messages of `sms_url`: {problem}"),
            ),
        },
        Ok(None) if settings.texts_arrive() => Finding::fine(
            "phones",
            "text messages have no provider: they stay at /dev/outbox",
        ),
        Ok(None) => Finding::look(
            "phones",
            "text messages have no provider: nobody can log in with a phone number, and the login page says to use the e-mail address",
        ),
        Err(problem) => Finding::wrong("phones", problem),
    }
}

/// Counts what waits and what was refused.
pub(super) async fn of_messages(place: &Place) -> Finding {
    if let Place::Folder(folder) = place
        && !folder.join("desk.db").is_file()
    {
        return Finding::fine("messages", "none was written yet");
    }
    match delivery::counts(place).await {
        Ok((waiting, 0)) => Finding::fine(
            "messages",
            format!("{waiting} wait for the mail server, none was refused"),
        ),
        Ok((waiting, refused)) => Finding::look(
            "messages",
            format!(
                "{refused} were refused within a month: the leads' histories say which; {waiting} wait for the mail server"
            ),
        ),
        Err(error) => Finding::wrong("messages", format!("they cannot be read: {error}")),
    }
}
