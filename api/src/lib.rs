//! The server behind the binary `latchkey`: HTTP, wiring, gateways, command line. Only this room has a clock, random
//! numbers and the network.

pub mod activity;
pub mod app;
pub mod booking_forms;
pub mod caller;
pub mod cli;
pub mod clock;
pub mod config;
pub mod desk;
pub mod envelope;
pub mod error;
pub mod first_start;
pub mod gateway;
pub mod grant;
pub mod histories;
pub mod leads;
pub mod limits;
pub mod listing;
pub mod login;
pub mod messenger;
pub mod otp;
pub mod outbox_pages;
pub mod pages;
pub mod permissions;
pub mod request;
pub mod router;
pub mod search;
pub mod search_params;
pub mod security;
pub mod shortlists;
pub mod site;
pub mod texts;
pub mod workspace_history;
pub mod workspace_leads;
