//! Messages to people: the outbox that keeps them, and the carriers that take them out of the house. A mail server is the one there
//! is; a provider of text messages is another [`Carrier`]. Knows no HTTP and decides nothing.

mod carrier;
pub mod delivery;
pub mod mail_page;
pub mod mail_server;
mod outbox;

pub use carrier::{Carrier, Failure, LONGEST, Outgoing};
pub use outbox::{CODE_LIFE_S, Channel, Message, Outbox, Sent, blank_used, erase, otp_key, recipients};
