//! The HTTP surface of an account: codes, login, histories, being forgotten.

use std::sync::Arc;

use eventlog::EventLog;
use http_kit::caller::Sessions;
use http_kit::endpoints::Endpoints;
use http_kit::limits::Limits;
use http_kit::recaptcha::Recaptcha;
use http_kit::stopping::Stopping;
use http_kit::streams::Streams;
use messages::Outbox;
use platform::config::Settings;
use processes::document_store::DocumentStore;
use records::Records;

pub mod case_files;
pub mod cases;
pub mod contact;
pub mod data_reads;
pub mod forgetting;
pub mod histories;
pub mod login;
pub mod message_choice;
pub mod mirror;
pub mod otp;
mod recipient;
pub mod second_factor;
pub mod unsubscribe;

http_kit::services! {
    codes: otp::Codes,
    documents: DocumentStore,
    limits: Limits,
    log: EventLog,
    mirrors: mirror::room::Mirrors,
    outbox: Outbox,
    recaptcha: Recaptcha,
    records: Records,
    sessions: Sessions,
    settings: Arc<Settings>,
    stopping: Stopping,
    streams: Streams,
}

/// Every route of this surface, and who may call it.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .merge(case_files::endpoints())
        .merge(cases::endpoints())
        .merge(contact::endpoints())
        .merge(data_reads::endpoints())
        .merge(forgetting::endpoints())
        .merge(histories::endpoints())
        .merge(login::endpoints())
        .merge(message_choice::endpoints())
        .merge(mirror::endpoints())
        .merge(second_factor::endpoints())
        .merge(unsubscribe::endpoints())
}
