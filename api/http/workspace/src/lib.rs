//! The HTTP surface of the staff: leads, history, read models, grants, finance.

use std::sync::Arc;

use ::photos::store::PhotoStore;
use account::mirror::room::Mirrors;
use account::otp::Codes;
use eventlog::EventLog;
use gateway::PaymentGateway;
use health::background::Background;
use health::files_watch::FilesWatch;
use health::integrity::ChainCheck;
use health::notary::Notary;
use http_kit::caller::Sessions;
use http_kit::endpoints::Endpoints;
use http_kit::limits::Limits;
use http_kit::stopping::Stopping;
use http_kit::streams::Streams;
use intake::commands::IntakeDesk;
use intake::scheduled::ScheduleDesk;
use messages::Outbox;
use platform::config::Settings;
use platform::desk::Desk;
use platform::sites::Sites;
use processes::document_store::DocumentStore;
use records::Records;

pub mod acts;
pub mod brand;
pub mod case_acts;
pub mod case_files;
pub mod cases;
mod colleagues;
pub mod desk;
pub mod desk_acts;
pub mod desk_live;
pub mod desk_report;
mod desk_stays;
pub mod event;
pub mod export;
pub mod feed_health;
mod feed_refusals;
pub mod feed_schedules;
pub mod feed_uploads;
pub mod finance;
pub mod forgetting;
pub mod forms;
pub mod grants;
pub mod history;
mod history_words;
pub mod homes;
pub mod house_texts;
pub mod import_photos;
pub mod imports;
mod lead_dates;
pub mod lead_filters;
pub mod lead_views;
pub mod lead_words;
pub mod leads;
pub mod letters;
pub mod mirror;
mod named_values;
pub mod outline;
pub mod payment_links;
pub mod photos;
pub mod places;
pub mod presence;
pub mod read_models;
pub mod reads;
mod redacted_history;
pub mod referrals;
pub mod second_factors;
pub mod segment_alarms;
pub mod segments;
pub mod settings;
mod staff_names;
pub mod system_health;
pub mod templates;
pub mod waitlists;
pub mod what_if;
pub mod why;

http_kit::services! {
    background: Background,
    chain: Arc<ChainCheck>,
    codes: Codes,
    desk: Desk,
    documents: DocumentStore,
    feed_schedule: ScheduleDesk,
    files: Arc<FilesWatch>,
    gateway: Arc<dyn PaymentGateway>,
    intake: IntakeDesk,
    limits: Limits,
    log: EventLog,
    mirrors: Mirrors,
    notary: Notary,
    outbox: Outbox,
    photo_store: PhotoStore,
    presence: presence::Presence,
    records: Records,
    sessions: Sessions,
    settings: Arc<Settings>,
    sites: Sites,
    stopping: Stopping,
    streams: Streams,
}

/// Every route of this surface, and who may call it.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .merge(acts::endpoints())
        .merge(brand::endpoints())
        .merge(case_acts::endpoints())
        .merge(case_files::endpoints())
        .merge(cases::endpoints())
        .merge(desk::endpoints())
        .merge(desk_acts::endpoints())
        .merge(desk_live::endpoints())
        .merge(desk_report::endpoints())
        .merge(event::endpoints())
        .merge(export::endpoints())
        .merge(feed_schedules::endpoints())
        .merge(feed_uploads::endpoints())
        .merge(finance::endpoints())
        .merge(forgetting::endpoints())
        .merge(forms::endpoints())
        .merge(grants::endpoints())
        .merge(history::endpoints())
        .merge(homes::endpoints())
        .merge(house_texts::endpoints())
        .merge(import_photos::endpoints())
        .merge(imports::endpoints())
        .merge(lead_views::endpoints())
        .merge(leads::endpoints())
        .merge(letters::endpoints())
        .merge(mirror::endpoints())
        .merge(payment_links::endpoints())
        .merge(photos::endpoints())
        .merge(places::endpoints())
        .merge(read_models::endpoints())
        .merge(reads::endpoints())
        .merge(referrals::endpoints())
        .merge(second_factors::endpoints())
        .merge(segments::endpoints())
        .merge(settings::endpoints())
        .merge(system_health::endpoints())
        .merge(templates::endpoints())
        .merge(waitlists::endpoints())
        .merge(what_if::endpoints())
        .merge(why::endpoints())
}
