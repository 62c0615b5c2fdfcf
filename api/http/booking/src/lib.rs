//! The HTTP surface of a booking: enquiries, booking forms, documents, payments, receipts, notices of the gateway.

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
