//! What a handler may ask for, by its type. In a read of the past, records and log are those of that time.

use std::sync::Arc;

use account::mirror::room::Mirrors;
use account::otp::Codes;
use axum::extract::FromRef;
use booking::payments::Payments;
use booking::receipts::ReceiptOffice;
use booking::sandbox_pages::TestGateway;
use eventlog::EventLog;
use gateway::PaymentGateway;
use gateway_sandbox::Sandbox;
use health::background::Background;
use health::files_watch::FilesWatch;
use health::integrity::ChainCheck;
use health::notary::Notary;
use http_kit::caller::Sessions;
use http_kit::limits::Limits;
use http_kit::recaptcha::Recaptcha;
use http_kit::stopping::Stopping;
use http_kit::streams::Streams;
use intake::commands::IntakeDesk;
use intake::scheduled::ScheduleDesk;
use messages::Outbox;
use pages::pages::sources::PageSources;
use pages::site::PagePrinter;
use photos::store::PhotoStore;
use pictures::Pictures;
use platform::config::Settings;
use platform::desk::Desk;
use platform::sites::Sites;
use processes::document_store::DocumentStore;
use records::Records;
use search_index::SearchIndex;
use shop::views::Views;
use workspace::presence::Presence;

use crate::app::App;

/// Lets handlers ask for a service by its type.
macro_rules! served {
    ($($service:ty: $field:ident $(. $inner:ident)*),* $(,)?) => {
        $(impl FromRef<App> for $service {
            fn from_ref(app: &App) -> Self {
                app.$field $(. $inner)*.clone()
            }
        })*
    };
}

served! {
    Arc<Settings>: settings,
    Sites: sites,
    Arc<SearchIndex>: records.catalogue,
    Sessions: sessions,
    Codes: codes,
    Outbox: outbox,
    DocumentStore: documents,
    Limits: limits,
    Recaptcha: recaptcha,
    Streams: streams,
    Views: views,
    PhotoStore: photos,
    IntakeDesk: intake,
    ScheduleDesk: feed_schedule,
    Arc<Pictures>: pictures,
    Arc<dyn PaymentGateway>: payments.gateway,
    PageSources: pages,
    Arc<PagePrinter>: printer,
    TestGateway: test_gateway,
    Option<Sandbox>: sandbox,
    Arc<ChainCheck>: chain,
    Notary: notary,
    Arc<FilesWatch>: files,
    ReceiptOffice: receipts,
    Background: background,
    Stopping: stopping,
    Desk: desk,
    Presence: presence,
    Mirrors: mirrors,
}

impl FromRef<App> for Records {
    fn from_ref(app: &App) -> Self {
        app.earlier.as_ref().unwrap_or(&app.records).clone()
    }
}

impl FromRef<App> for EventLog {
    fn from_ref(app: &App) -> Self {
        Records::from_ref(app).log
    }
}

impl FromRef<App> for Payments {
    fn from_ref(app: &App) -> Self {
        Self {
            records: Records::from_ref(app),
            ..app.payments.clone()
        }
    }
}
