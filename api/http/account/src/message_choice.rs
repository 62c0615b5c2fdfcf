//! Choices of a person about the messages they get (D137): reminders or none, in which language, by which way. Codes, receipts and
//! what ends a booking are no matter of choice.

use std::sync::Arc;

use axum::extract::State;
use domain::correspondence::{MessageChannel, MessageChoice};
use domain::language::Language;
use domain::user::{User, UserCommand};
use eventlog::{Actor, commit};
use http_kit::body::Body;
use http_kit::caller::Person;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::LoggedIn, routes!(message_settings, choose_messages))
}

/// A way that messages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageWay {
    Email,
    Sms,
    Whatsapp,
}

/// Choices of a person about messages, and what may be chosen.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessageSettings {
    reminders: bool,
    /// A language of the site's pages; null: the language of what the message is about.
    language: Option<String>,
    channel: MessageWay,
    /// Ways that lead somewhere: text messages need a number that a code has proved.
    channels: Vec<MessageWay>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "reminders": false, "language": Language::default().code(), "channel": "email" }))]
pub struct MessageSettingsRequest {
    reminders: bool,
    language: Option<String>,
    channel: String,
}

/// Shows what the caller chose about messages.
///
/// # Errors
/// 401 without a login.
#[utoipa::path(get, path = "/api/v0/users/message_settings",
    responses((status = 200, body = Success<MessageSettings>), (status = 401)))]
pub async fn message_settings(
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    person: Person,
) -> ApiResult<Success<MessageSettings>> {
    Ok(Success::new(shown(person.user.messages, &person.user, &settings)))
}

/// Chooses anew; the same again changes nothing.
///
/// # Errors
/// 401 without a login, 422 for a language that is not served or a way that leads nowhere.
#[utoipa::path(put, path = "/api/v0/users/message_settings", request_body = MessageSettingsRequest,
    responses((status = 200, body = Success<MessageSettings>), (status = 401), (status = 422)))]
pub async fn choose_messages(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    person: Person,
    Body(request): Body<MessageSettingsRequest>,
) -> ApiResult<Success<MessageSettings>> {
    let choice = choice_of(&request, &person.user, &settings)?;
    let command = UserCommand::ChooseMessages {
        choice,
        at: clock::now(),
    };
    let asked = context.command(Actor::student(person.user_id.0), &request);
    let chosen = commit::<User>(&records.log, person.user_id, command, &asked).await?;
    records.answers_for(chosen.position);
    let answer = shown(chosen.state.messages, &chosen.state, &settings);
    Ok(Success::at(answer, chosen.position))
}

fn choice_of(request: &MessageSettingsRequest, user: &User, settings: &Settings) -> ApiResult<MessageChoice> {
    let language = match request.language.as_deref() {
        None => None,
        Some(tag) => Some(Language::from_tag(tag).ok_or_else(|| {
            ApiError::invalid_field("language", "language", say("refusal.message_language"))
        })?),
    };
    let channel = MessageChannel::from_key(&request.channel)
        .filter(|channel| ways(user, settings).contains(&way(*channel)))
        .ok_or_else(|| ApiError::invalid_field("channel", "channel", say("refusal.message_channel")))?;
    Ok(MessageChoice {
        reminders: request.reminders,
        language,
        channel,
    })
}

fn shown(choice: MessageChoice, user: &User, settings: &Settings) -> MessageSettings {
    MessageSettings {
        reminders: choice.reminders,
        language: choice.language.map(|language| language.code().to_owned()),
        channel: way(choice.channel),
        channels: ways(user, settings),
    }
}

fn ways(user: &User, settings: &Settings) -> Vec<MessageWay> {
    if user.phone.is_some() && settings.texts_arrive() {
        vec![MessageWay::Email, MessageWay::Sms, MessageWay::Whatsapp]
    } else {
        vec![MessageWay::Email]
    }
}

const fn way(channel: MessageChannel) -> MessageWay {
    match channel {
        MessageChannel::Email => MessageWay::Email,
        MessageChannel::Sms => MessageWay::Sms,
        MessageChannel::WhatsApp => MessageWay::Whatsapp,
    }
}
