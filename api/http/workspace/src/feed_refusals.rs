//! Refusals of what staff ask of feeds, as answers.

use axum::http::StatusCode;
use http_kit::error::ApiError;
use http_kit::said::{Said, say};
use intake::error::{IntakeError, NoFeed};

const MEGABYTE: u64 = 1024 * 1024;

/// A refusal as an answer: what is not there, what stands against it, or the field that cannot be used.
pub(crate) fn refuse(error: IntakeError) -> ApiError {
    match error {
        IntakeError::UnknownUpload => ApiError::not_found(say("refusal.no_upload")),
        IntakeError::UnknownFeed => ApiError::not_found(say("refusal.no_feed")),
        IntakeError::Busy => ApiError::conflict("upload_busy", say("refusal.upload_busy")),
        IntakeError::Moved => ApiError::conflict("feed_moved", say("refusal.feed_moved")),
        IntakeError::NotLooked => ApiError::conflict("not_looked", say("refusal.not_looked")),
        IntakeError::Paused => ApiError::conflict("feed_paused", say("refusal.feed_paused")),
        IntakeError::OfSetting => ApiError::conflict("set_in_settings", say("refusal.set_in_settings")),
        IntakeError::FeedName => refuse_field("feed", "feed_name", say("refusal.feed_name")),
        IntakeError::SharedName => {
            refuse_field("missing", "feed_shared_name", say("refusal.feed_shared_name"))
        }
        IntakeError::Address => refuse_field("url", "feed_address", say("refusal.feed_address")),
        IntakeError::Interval => refuse_field("every", "feed_interval", say("refusal.feed_interval")),
        IntakeError::Map(reason) => {
            let said = say("refusal.feed_map").with_sentence("reason", &reason);
            refuse_field("map", "map", said)
        }
        IntakeError::Fetch(reason) => {
            let said = say("refusal.feed_fetch").with_sentence("reason", &reason);
            refuse_field("url", "feed_fetch", said)
        }
        IntakeError::NoFeed(why) => refuse_file(why),
        IntakeError::TooLarge(most) => {
            let said = say("refusal.feed_too_large").with("max", most / MEGABYTE);
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", said)
        }
        IntakeError::Database(error) => error.into(),
        IntakeError::File(error) => error.into(),
    }
}

fn refuse_field(name: &'static str, code: &'static str, said: Said) -> ApiError {
    ApiError::invalid_field(name, code, said)
}

fn refuse_file(why: NoFeed) -> ApiError {
    let (code, said) = match why {
        NoFeed::Empty => ("empty", say("refusal.feed_empty")),
        NoFeed::WebPage => ("web_page", say("refusal.feed_web_page")),
        NoFeed::Packed => ("packed", say("refusal.feed_packed")),
        NoFeed::OtherKind => ("not_a_feed", say("refusal.feed_other_kind")),
    };
    refuse_field("file", code, said)
}
