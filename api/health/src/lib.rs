//! Whether the server is well: readiness, figures for Prometheus, signed heads, checks of the stored history and its files.
#![expect(
    clippy::unused_async,
    reason = "what a route names is asynchronous, also where it waits for nothing"
)]

pub mod alerts;
pub mod background;
pub mod files_watch;
pub mod integrity;
pub mod last_backup;
pub mod measure;
pub mod notary;
pub mod readiness;
