//! The HTTP surface of a booking: enquiries, booking forms, documents, payments, receipts, notices of the gateway.

use std::sync::Arc;

use eventlog::EventLog;
use gateway::PaymentGateway;
use gateway_sandbox::Sandbox;
use health::notary::Notary;
use http_kit::caller::Sessions;
use http_kit::endpoints::Endpoints;
use http_kit::limits::Limits;
use http_kit::proof_of_work;
use http_kit::recaptcha::Recaptcha;
use http_kit::stopping::Stopping;
use http_kit::streams::Streams;
use messages::Outbox;
use platform::config::Settings;
use processes::document_store::DocumentStore;
use records::Records;

pub mod attachments;
pub mod booking_forms;
pub mod document_links;
pub mod documents;
pub mod earlier_answers;
pub mod leads;
pub mod payments;
pub mod pull;
pub mod ratings;
pub mod receipts;
pub mod sandbox_pages;
pub mod webhooks;

http_kit::services! {
    documents: DocumentStore,
    gateway: Arc<dyn PaymentGateway>,
    limits: Limits,
    log: EventLog,
    notary: Notary,
    outbox: Outbox,
    payments: payments::Payments,
    receipts: receipts::ReceiptOffice,
    recaptcha: Recaptcha,
    records: Records,
    sandbox: Option<Sandbox>,
    sessions: Sessions,
    settings: Arc<Settings>,
    stopping: Stopping,
    streams: Streams,
    test_gateway: sandbox_pages::TestGateway,
}

/// Every route of this surface, and who may call it.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .merge(booking_forms::endpoints())
        .merge(document_links::endpoints())
        .merge(documents::endpoints())
        .merge(earlier_answers::endpoints())
        .merge(leads::endpoints())
        .merge(payments::endpoints())
        .merge(pull::endpoints())
        .merge(ratings::endpoints())
        .merge(receipts::endpoints())
        .merge(sandbox_pages::endpoints())
        .merge(webhooks::endpoints())
        .merge(proof_of_work::endpoints())
}
