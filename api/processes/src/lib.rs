//! What happens beside the answers: the reactor with its timers, erasure, and use cases that several HTTP surfaces share.

pub mod accounts;
pub mod bank_money;
pub mod bank_statements;
pub mod case_link;
pub mod dated_link;
pub mod document_link;
pub mod document_store;
pub mod enquiry_link;
pub mod erasure;
pub mod evidence;
pub mod handles;
pub mod home_clock;
pub mod late_answers;
pub mod lead_history;
pub mod login_codes;
pub mod message_language;
pub mod payment_ends;
pub mod payment_room;
pub mod payment_token;
pub mod provider_account;
pub mod reactor;
pub mod receipt_link;
pub mod reconciliation;
pub mod site_settings;
pub mod unsubscribe;
pub mod waiting;
