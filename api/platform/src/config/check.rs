//! Which settings are refused, and how that is said.

use domain::contact::Email;
use url::Url;

use super::recaptcha::RecaptchaKeys;
use super::stripe::StripeAccount;
use super::{Settings, changeable, countries, fee, feeds, hosts, is_postgres};

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
        self.check_bounds()?;
        fee::check(&self)?;
        countries::check("open_countries", &self.open_countries)?;
        feeds::check(&self)?;
        StripeAccount::of_settings(&self)?;
        RecaptchaKeys::of_settings(&self)?;
        self.has_addresses()?;
        self.has_addresses_of_the_web()?;
        hosts::check(&self)?;
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
        if let Some(url) = self.public_url.as_ref().filter(|url| !is_root_of_a_site(url)) {
            return Err(format!(
                "the setting `public_url` is `{url}`: write http:// or https:// and a host, with nothing behind it, such as \
                 https://rooms.example"
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

    /// Addresses of mail and the domain of staff.
    fn has_addresses(&self) -> Result<(), String> {
        if !self.finance_email.is_empty() && Email::parse(&self.finance_email).is_err() {
            return Err("the setting `finance_email` takes one address, finance@rooms.example".to_owned());
        }
        let domain = self.staff_email_domain.trim();
        if !domain.is_empty() && Email::parse(&format!("somebody@{domain}")).is_err() {
            return Err(format!(
                "the setting `staff_email_domain` is `{domain}`: write the part after the @, such as rooms.example"
            ));
        }
        if self.mail_from.is_some() && self.smtp_url.is_none() {
            return Err(
                "the setting `mail_from` goes with `smtp_url`: without a mail server no mail comes from it"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// The bounds of numbers; where the workspace changes a setting, they are the same there.
    fn check_bounds(&self) -> Result<(), String> {
        let numbers = [
            ("hold_seconds", u64::from(self.hold_seconds), 1, 86_400),
            (
                "client_wait_seconds",
                u64::from(self.client_wait_seconds),
                1,
                3_600,
            ),
            (
                "connections_per_address",
                self.connections_per_address as u64,
                1,
                1_000_000,
            ),
            (
                "provider_fee_permille",
                u64::from(self.provider_fee_permille),
                0,
                1_000,
            ),
        ];
        for (name, given, least, most) in numbers {
            if !(least..=most).contains(&given) {
                return Err(format!(
                    "the setting `{name}` is {given}: it takes a whole number from {least} to {most}"
                ));
            }
        }
        for setting in changeable::CHANGEABLE {
            let given = self.without_here(setting.name);
            if setting.read(&given).is_err() {
                return Err(format!(
                    "the setting `{}` is `{given}`: it takes {}",
                    setting.name,
                    setting.bounds()
                ));
            }
        }
        Ok(())
    }
}

/// Whether this is the address of a whole site: a scheme of the web, a host, and a port at most.
pub(super) fn is_root_of_a_site(url: &str) -> bool {
    let is_written = |letter: char| letter.is_ascii_alphanumeric() || "-._~:/[]%".contains(letter);
    let begins = url.starts_with("http://") || url.starts_with("https://");
    let read = Url::parse(url)
        .ok()
        .filter(|_| begins && url.chars().all(is_written));
    read.is_some_and(|read| {
        let is_bare = read.path() == "/" && read.username().is_empty();
        is_bare && read.host_str().is_some_and(|host| !host.is_empty())
    })
}

/// Whether this is written as an address of a KurrentDB server is.
fn is_kurrentdb(url: &str) -> bool {
    let scheme = url.split("://").next().unwrap_or_default();
    let scheme = scheme.strip_suffix("+discover").unwrap_or(scheme);
    url.contains("://") && ["kurrentdb", "kurrent", "kdb", "esdb"].contains(&scheme)
}
