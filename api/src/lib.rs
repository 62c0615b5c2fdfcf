//! The server behind the binary `latchkey`: HTTP, wiring, gateways, command line. Only this room has a clock, random
//! numbers and the network.

pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod envelope;
pub mod error;
pub mod first_start;
pub mod gateway;
pub mod pages;
pub mod request;
pub mod router;
pub mod search;
pub mod search_params;
pub mod security;
pub mod site;
