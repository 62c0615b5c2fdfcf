//! What is wrong with a setting, in a sentence for the operator.

use figment::error::Kind;

/// Settings that take an address with its port; what the parser says of those does not tell how to write one.
const ADDRESSES: [&str; 2] = ["listen", "metrics_listen"];
/// Settings whose value is never repeated: keys, and addresses that may hold a password.
pub(super) const HIDDEN: [&str; 10] = [
    "alert_url",
    "database",
    "event_log",
    "keys_database",
    "recaptcha_secret_key",
    "recaptcha_v2_secret_key",
    "sms_url",
    "smtp_url",
    "stripe_secret_key",
    "stripe_webhook_secret",
];

/// Names the setting and what it takes.
pub(super) fn sentence(error: &figment::Error) -> String {
    let path = error.path.join(".");
    let kind = match &error.kind {
        Kind::UnknownField(name, _) => {
            return format!("there is no setting `{name}`: docs/reference/settings.md lists all there are");
        }
        Kind::InvalidType(..) | Kind::InvalidValue(..) if HIDDEN.contains(&path.as_str()) => {
            "it takes text, in quotation marks".to_owned()
        }
        Kind::InvalidType(actual, expected) | Kind::InvalidValue(actual, expected) => {
            let expected = expected.trim_matches('`');
            format!("it is {actual}, and takes {}", words(expected))
        }
        Kind::Message(_) if ADDRESSES.contains(&path.as_str()) => {
            format!("it takes {}", words("socket address"))
        }
        Kind::UnknownVariant(word, known) => format!("it is `{word}`, and takes `{}`", known.join("` or `")),
        other => other.to_string(),
    };
    match path.as_str() {
        "" => format!("a setting is wrong: {kind}"),
        name => format!("the setting `{name}` is wrong: {kind}"),
    }
}

/// What a setting takes, without the names of types.
fn words(expected: &str) -> String {
    match expected {
        "a boolean" => "`true` or `false`, `1` or `0`".to_owned(),
        "a string" => "text, in quotation marks".to_owned(),
        "socket address" => "an address with its port such as `127.0.0.1:8080`".to_owned(),
        other => other.replace("``", "`"),
    }
}
