//! What every HTTP surface is built of: requests, bodies, errors, callers, permissions, limits, the shapes of answers.
#![expect(
    clippy::unused_async,
    reason = "what a route names is asynchronous, also where it waits for nothing"
)]

pub mod answering;
pub mod body;
pub mod caller;
pub mod capability;
pub mod contract;
pub mod counters;
pub mod endpoints;
pub mod envelope;
pub mod error;
pub mod field_errors;
pub mod headers;
pub mod history_reads;
pub mod limits;
pub mod list_queries;
pub mod maintenance;
pub mod permissions;
pub mod price_lock;
pub mod proof_of_work;
pub mod recaptcha;
pub mod rejections;
pub mod request;
pub mod said;
pub mod security;
pub mod stay_price;
pub mod stopping;
pub mod streams;
