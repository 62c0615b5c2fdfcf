//! Calls to addresses that others name leave through `api/outbound` alone, where private networks are refused and sizes and times
//! bounded. Files that call addresses of the operator's own settings are exempt by name.

use crate::checkout::{files, read, root, shown};
use crate::findings::{assert_exempted, each, once};

const OUTBOUND: &str = "api/outbound/";
/// Stripe and its stand-in, the alert webhook, reCAPTCHA, text messages.
const OWN_SETTINGS: [&str; 5] = [
    "api/gateway/stripe/src/files.rs",
    "api/gateway/stripe/standin/src/courier.rs",
    "api/health/src/alerts.rs",
    "api/http/kit/src/recaptcha.rs",
    "api/messages/src/sms_provider.rs",
];

#[test]
fn outgoing_calls_leave_through_one_crate() {
    let found = files(&root().join("api"), &["rs"])
        .into_iter()
        .map(|file| (shown(&file), read(&file)))
        .filter(|(file, text)| !file.starts_with(OUTBOUND) && calls_out(text))
        .map(|(file, _)| (file, "makes calls of its own".to_owned()));
    assert_exempted(
        &once(found),
        &each(OWN_SETTINGS),
        "call foreign addresses through `outbound::Outbound`",
    );
}

#[test]
fn outgoing_calls_law_catches_bad_samples() {
    assert!(calls_out("use reqwest::Client;"));
    assert!(calls_out("let client = reqwest::Client::new();"));
    assert!(!calls_out("use outbound::Call;"));
}

/// Whether a source names the client of HTTP.
fn calls_out(text: &str) -> bool {
    text.contains("reqwest::")
}
