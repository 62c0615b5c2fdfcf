//! Figures that are told where they arise; `measure` serves them.

use std::time::Duration;

use metrics::histogram;

/// Methods told by their names; anybody may make up others, and each would be kept for ever.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// An answer was given; `route` is the pattern, never the path.
pub fn answered(method: &str, route: &str, status: u16, took: Duration) {
    let method = METHODS
        .into_iter()
        .find(|known| *known == method)
        .unwrap_or("other");
    let labels = [
        ("method", method.to_owned()),
        ("route", route.to_owned()),
        ("status", status.to_string()),
    ];
    histogram!("latchkey_http_seconds", &labels).record(took);
}
