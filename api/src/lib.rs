//! The wiring of the server behind the binary `latchkey`: its services, its routes, its command line.

mod alerting;
pub mod app;
pub mod as_of;
pub mod cli;
pub mod contract;
pub mod dev_clock;
mod on_duty;
mod opening;
pub mod outbox_pages;
pub mod payment_provider;
#[cfg(test)]
mod permission_matrix;
pub mod router;
mod services;
pub mod stripe_command;
pub mod tidying;
