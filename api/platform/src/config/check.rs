//! Which settings are refused, and how that is said.

use super::recaptcha::RecaptchaKeys;
use super::stripe::StripeAccount;
use super::{Settings, changeable, fee, is_postgres};

impl Settings {
    pub(super) fn check(self) -> Result<Self, String> {
        // What is wrong may hold a password: it is not repeated.
        if !self.database.starts_with("sqlite:") && !is_postgres(&self.database) {
            return Err(
                "the setting `database` takes `sqlite:` or `postgres://user:password@host/name`".to_owned(),
            );
        }
        if let Some(keys) = &self.keys_database {
            if !is_postgres(keys) {
                return Err(
                    "the setting `keys_database` takes `postgres://user:password@host/name`".to_owned(),
                );
            }
            if !is_postgres(&self.database) {
                return Err(
                    "the setting `keys_database` goes with a `database` in PostgreSQL: here keys lie in the data folder"
                        .to_owned(),
                );
            }
        }
        // Not repeated in the sentence: it may hold a password.
        if self.event_log.as_deref().is_some_and(|url| !is_kurrentdb(url)) {
            return Err(
                "the setting `event_log` is no address of a KurrentDB server: write one such as \
                 kurrentdb://user:password@node.example:2113?tls=true, or leave it out"
                    .to_owned(),
            );
        }
        if domain::contact::is_blank(&self.brand_name) {
            return Err("the setting `brand_name` is empty: pages need a name to show".to_owned());
        }
        self.has_no_zero()?;
        fee::check(&self)?;
        if changeable::roles_in(&self.second_factor_roles).is_none() {
            return Err("the setting `second_factor_roles` takes support, finance and admin, with commas between them".to_owned());
        }
        StripeAccount::of_settings(&self)?;
        RecaptchaKeys::of_settings(&self)?;
        self.has_addresses()?;
        self.has_addresses_of_the_web()?;
        if self.dev_tools == Some(true) && self.takes_real_money() {
            return Err(
                "the setting `dev_tools` cannot be on with Stripe's live keys: codes would lie open beside real payments".to_owned(),
            );
        }
        if self.dev_tools == Some(true) && !self.listen.ip().is_loopback() {
            return Err(
                "the setting `dev_tools` cannot be on while `listen` is not a loopback address".to_owned(),
            );
        }
        if self.demo_catalogue == Some(true) && !self.takes_demo_homes() {
            return Err(
                "the setting `demo_catalogue` cannot be on where others look for homes: its homes are invented, and go with \
                 `dev_tools` and a public address on this machine"
                    .to_owned(),
            );
        }
        Ok(self)
    }

    fn has_addresses_of_the_web(&self) -> Result<(), String> {
        if self
            .public_url
            .as_ref()
            .is_some_and(|url| !url.starts_with("http://") && !url.starts_with("https://"))
        {
            return Err("the setting `public_url` must begin with http:// or https://".to_owned());
        }
        let is_written = |letter: char| letter.is_ascii_alphanumeric() || "-._~:/[]%".contains(letter);
        if let Some(url) = self
            .public_url
            .as_ref()
            .filter(|url| !url.chars().all(is_written))
        {
            return Err(format!(
                "the setting `public_url` is `{url}`: write an address such as https://rooms.example"
            ));
        }
        if self
            .alert_url
            .as_ref()
            .is_some_and(|url| !url.0.starts_with("https://") && !url.0.starts_with("http://"))
        {
            return Err(
                "the setting `alert_url` takes an address such as https://hooks.example/secret".to_owned(),
            );
        }
        Ok(())
    }

    fn has_addresses(&self) -> Result<(), String> {
        let addresses = [
            ("finance_email", &self.finance_email, "finance@rooms.example"),
            ("desk_email", &self.desk_email, "desk@rooms.example"),
        ];
        let wrong = addresses
            .into_iter()
            .find(|(_, given, _)| !given.is_empty() && !given.contains('@'));
        wrong.map_or(Ok(()), |(name, _, example)| {
            Err(format!("the setting `{name}` takes one address, {example}"))
        })
    }

    fn has_no_zero(&self) -> Result<(), String> {
        let zeros = [
            ("hold_seconds", self.hold_seconds == 0),
            ("client_wait_seconds", self.client_wait_seconds == 0),
            ("connections_per_address", self.connections_per_address == 0),
        ];
        let zero = zeros.into_iter().find(|(_, is_zero)| *is_zero);
        zero.map_or(Ok(()), |(name, _)| {
            Err(format!("the setting `{name}` is 0: write 1 or more"))
        })
    }
}

/// Whether this is written as an address of a KurrentDB server is.
fn is_kurrentdb(url: &str) -> bool {
    let scheme = url.split("://").next().unwrap_or_default();
    let scheme = scheme.strip_suffix("+discover").unwrap_or(scheme);
    url.contains("://") && ["kurrentdb", "kurrent", "kdb", "esdb"].contains(&scheme)
}
