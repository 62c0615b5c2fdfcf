//! Messages to people: the outbox that keeps them, and the carriers that take them out of the house. A mail server
//! and a provider of text messages are [`Carrier`]s. Knows no HTTP and decides nothing.

mod brand_face;
mod carrier;
pub mod delivery;
mod dropped;
pub mod mail_page;
pub mod mail_server;
mod outbox;
pub mod sms_provider;

pub use carrier::{Carrier, Failure, LONGEST, Outgoing};
pub use outbox::{
    CODE_LIFE_S, Carriers, Channel, Message, Outbox, Sent, blank_used, erase, otp_key, recipients,
};
