//! Reads the settings of a file and of the environment.

use std::path::Path;

use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};

use super::environment::AsWritten;
use super::sentence::sentence;
use super::{Settings, changeable};

impl Settings {
    /// Reads `latchkey.toml` (when there) and the environment.
    ///
    /// # Errors
    /// One sentence naming the wrong setting.
    pub fn load(file: &Path) -> Result<Self, String> {
        let given = Figment::from(Serialized::defaults(Self::default()))
            .merge(Toml::file(file))
            .merge(AsWritten(
                Env::prefixed("LATCHKEY_")
                    .map(|name| name.as_str().to_lowercase().into())
                    .ignore(&[
                        "log",
                        "log_format",
                        "binary",
                        "planted_fault",
                        "target_dir",
                        "backend",
                    ])
                    // Left empty in a file of a service's environment, they are left out.
                    .filter(|name| !is_left_empty(name.as_str()))
                    // Switches of the test suite, which a server started by a test inherits.
                    .filter(|name| !name.as_str().to_lowercase().starts_with("test_")),
            ));
        let settings: Self = given.extract().map_err(|error| sentence(&error))?;
        let sources = changeable::sources_of(&given);
        Self { sources, ..settings }.check()
    }
}

/// Whether a setting that may be left out is there without a value.
fn is_left_empty(name: &str) -> bool {
    let optional = [
        "heads_dir",
        "keys_database",
        "event_log",
        "public_url",
        "dev_tools",
        "demo_catalogue",
        "feeds",
        "pictures",
        "fetch_photos",
        "maintenance",
        "trusted_proxy",
        "metrics_listen",
        "sms_url",
        "alert_url",
        "recaptcha_site_key",
        "recaptcha_secret_key",
        "recaptcha_v2_site_key",
        "recaptcha_v2_secret_key",
        "recaptcha_verify_url",
        "stripe_secret_key",
        "stripe_publishable_key",
        "stripe_webhook_secret",
        "stripe_api_base",
    ];
    let name = name.to_lowercase();
    optional.contains(&&*name)
        && std::env::var_os(format!("LATCHKEY_{}", name.to_uppercase())).is_some_and(|value| value.is_empty())
}
