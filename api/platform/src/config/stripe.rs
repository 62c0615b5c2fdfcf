//! The settings of a Stripe account: all three keys or none, of one mode, and never shown.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Settings;

/// Webhook secrets accepted at once: the one in use, and its successor while it is renewed.
const WEBHOOK_SECRETS_MAX: usize = 2;
/// Where Stripe itself answers.
const API_BASE: &str = "https://api.stripe.com/";

/// A setting that is never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hidden(pub String);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// Whether money moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Test,
    Live,
}

impl Mode {
    /// As keys and people write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Live => "live",
        }
    }
}

/// A Stripe account, as the settings name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripeAccount {
    pub secret_key: Hidden,
    /// Public by nature: browsers get it.
    pub publishable_key: String,
    pub webhook_secrets: Vec<Hidden>,
    /// Where the API answers, with a slash at the end.
    pub api_base: String,
    pub mode: Mode,
}

/// Names the setting without its value.
fn wrong(name: &str, way_out: &str) -> String {
    format!("the setting `{name}` {way_out}")
}

impl StripeAccount {
    /// The account of the settings; `None` where they name none, and the sandbox takes the payments.
    ///
    /// # Errors
    /// One sentence naming the wrong setting, never its value.
    pub fn of_settings(settings: &Settings) -> Result<Option<Self>, String> {
        let given = [
            ("stripe_secret_key", settings.stripe_secret_key.is_some()),
            (
                "stripe_publishable_key",
                settings.stripe_publishable_key.is_some(),
            ),
            ("stripe_webhook_secret", settings.stripe_webhook_secret.is_some()),
        ];
        let missing: Vec<String> = given
            .iter()
            .filter(|(_, is_given)| !is_given)
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let (Some(secret_key), Some(publishable_key), Some(webhook_secrets)) = (
            &settings.stripe_secret_key,
            &settings.stripe_publishable_key,
            &settings.stripe_webhook_secret,
        ) else {
            let is_begun = missing.len() < given.len() || settings.stripe_api_base.is_some();
            return if is_begun {
                Err(format!(
                    "payments through Stripe also need {}: set `stripe_secret_key`, `stripe_publishable_key` and \
                     `stripe_webhook_secret` together, or none of them",
                    missing.join(" and ")
                ))
            } else {
                Ok(None)
            };
        };
        let mode = mode_of("stripe_secret_key", &secret_key.0, &["sk", "rk"])?;
        let public_mode = mode_of("stripe_publishable_key", publishable_key, &["pk"])?;
        if mode != public_mode {
            return Err(format!(
                "the settings `stripe_secret_key` and `stripe_publishable_key` do not belong together: the first is of {} mode, the \
                 second of {} mode; take both from the same page of Stripe's dashboard",
                mode.name(),
                public_mode.name()
            ));
        }
        Ok(Some(Self {
            secret_key: secret_key.clone(),
            publishable_key: publishable_key.clone(),
            webhook_secrets: secrets_of(&webhook_secrets.0)?,
            api_base: base_of(settings.stripe_api_base.as_deref(), mode)?,
            mode,
        }))
    }
}

impl Settings {
    /// Whether cards are really charged: no invented home is let then, and no code lies open.
    pub(super) fn takes_real_money(&self) -> bool {
        let key = self.stripe_secret_key.as_ref().map(|key| key.0.as_str());
        key.is_some_and(|key| ["sk_live_", "rk_live_"].iter().any(|live| key.starts_with(live)))
    }
}

/// The mode that a key of one of these kinds names.
fn mode_of(name: &str, key: &str, kinds: &[&str]) -> Result<Mode, String> {
    let begins = |mode: Mode| {
        let of_kind = |kind: &&str| {
            let rest = key.strip_prefix(&format!("{kind}_{}_", mode.name()));
            rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_of_a_key))
        };
        kinds.iter().any(of_kind)
    };
    [Mode::Test, Mode::Live]
        .into_iter()
        .find(|mode| begins(*mode))
        .ok_or_else(|| {
            let kind = kinds.first().copied().unwrap_or_default();
            wrong(
                name,
                &format!("is no such key: it begins with {kind}_test_ or {kind}_live_; copy it whole from Stripe's dashboard"),
            )
        })
}

const fn is_of_a_key(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || letter == b'_'
}

fn secrets_of(written: &str) -> Result<Vec<Hidden>, String> {
    let secrets: Vec<&str> = written.split(',').map(str::trim).collect();
    let is_secret = |secret: &&str| {
        let rest = secret.strip_prefix("whsec_");
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|letter| letter.is_ascii_graphic()))
    };
    if secrets.len() > WEBHOOK_SECRETS_MAX || !secrets.iter().all(is_secret) {
        return Err(wrong(
            "stripe_webhook_secret",
            "takes the signing secret of the webhook endpoint, which begins with whsec_, or two with a comma between them while \
             it is renewed",
        ));
    }
    Ok(secrets
        .into_iter()
        .map(|secret| Hidden(secret.to_owned()))
        .collect())
}

/// Anything but Stripe's own address is for tests: no live key goes there, and no key travels in the clear.
fn base_of(written: Option<&str>, mode: Mode) -> Result<String, String> {
    let Some(written) = written else {
        return Ok(API_BASE.to_owned());
    };
    let base = format!("{}/", written.trim_end_matches('/'));
    let host = base.split("://").nth(1).unwrap_or_default();
    let host = host.split(['/', ':']).next().unwrap_or_default();
    let is_here = host == "localhost" || host == "127.0.0.1";
    let is_safe = base.starts_with("https://") || (base.starts_with("http://") && is_here);
    let is_written = !host.is_empty()
        && base
            .bytes()
            .all(|letter| letter.is_ascii_graphic() && letter != b'@');
    if !is_safe || !is_written {
        return Err(wrong(
            "stripe_api_base",
            "takes an address with https://, or http://127.0.0.1 with its port for tests; leave it out for Stripe itself",
        ));
    }
    if mode == Mode::Live && base != API_BASE {
        return Err(wrong(
            "stripe_api_base",
            "is for tests: live keys go to Stripe alone; leave it out",
        ));
    }
    Ok(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(secret: &str, publishable: &str, webhook: &str) -> Settings {
        let hidden = |text: &str| (!text.is_empty()).then(|| Hidden(text.to_owned()));
        Settings {
            stripe_secret_key: hidden(secret),
            stripe_publishable_key: (!publishable.is_empty()).then(|| publishable.to_owned()),
            stripe_webhook_secret: hidden(webhook),
            ..Settings::default()
        }
    }

    fn refused(settings: &Settings) -> String {
        StripeAccount::of_settings(settings).unwrap_err()
    }

    #[test]
    fn keys_are_given_all_together_or_not_at_all() {
        assert_eq!(StripeAccount::of_settings(&Settings::default()), Ok(None));
        let account = StripeAccount::of_settings(&keys("sk_test_1", "pk_test_1", "whsec_1"));
        let account = account.unwrap().unwrap();
        assert_eq!(
            (account.mode, account.api_base.as_str()),
            (Mode::Test, "https://api.stripe.com/")
        );
        let said = refused(&keys("sk_test_1", "", ""));
        assert!(
            said.contains("`stripe_publishable_key` and `stripe_webhook_secret`"),
            "{said}"
        );
        let base_alone = Settings {
            stripe_api_base: Some("http://127.0.0.1:1".to_owned()),
            ..Settings::default()
        };
        assert!(refused(&base_alone).contains("`stripe_secret_key`"));
    }

    #[test]
    fn keys_of_two_modes_are_refused_without_being_shown() {
        let mixed = [
            ("sk_live_s3cret", "pk_test_1", "whsec_1", "stripe_publishable_key"),
            ("rk_test_s3cret", "pk_live_1", "whsec_1", "stripe_secret_key"),
            ("pk_test_s3cret", "pk_test_1", "whsec_1", "stripe_secret_key"),
            ("sk_test_", "pk_test_1", "whsec_1", "stripe_secret_key"),
            ("sk_test_s3cret", "sk_test_1", "whsec_1", "stripe_publishable_key"),
            ("sk_test_1", "pk_test_1", "s3cret", "stripe_webhook_secret"),
            ("sk_test_1", "pk_test_1", "whsec_1,", "stripe_webhook_secret"),
            (
                "sk_test_1",
                "pk_test_1",
                "whsec_1,whsec_2,whsec_3",
                "stripe_webhook_secret",
            ),
        ];
        for (secret, publishable, webhook, named) in mixed {
            let said = refused(&keys(secret, publishable, webhook));
            assert!(
                said.contains(&format!("`{named}`")) && !said.contains("s3cret"),
                "{said}"
            );
        }
        let shown = format!("{:?}", keys("sk_test_s3cret", "pk_test_1", "whsec_s3cret"));
        assert!(!shown.contains("s3cret"), "{shown}");
    }

    #[test]
    fn live_keys_switch_developers_tools_and_invented_homes_off() {
        let test = keys("sk_test_1", "pk_test_1", "whsec_1");
        assert!(test.dev_tools() && test.wants_demo_homes());
        let live = keys("rk_live_1", "pk_live_1", "whsec_1");
        assert!(!live.dev_tools() && !live.wants_demo_homes());
        let both = Settings {
            dev_tools: Some(true),
            ..live
        };
        assert!(both.check().unwrap_err().contains("`dev_tools`"));
    }

    #[test]
    fn webhook_secrets_are_two_while_one_is_renewed() {
        let account = StripeAccount::of_settings(&keys("rk_live_1", "pk_live_1", "whsec_old, whsec_new"));
        let account = account.unwrap().unwrap();
        let secrets: Vec<&str> = account
            .webhook_secrets
            .iter()
            .map(|secret| secret.0.as_str())
            .collect();
        assert_eq!(
            (account.mode, secrets),
            (Mode::Live, vec!["whsec_old", "whsec_new"])
        );
    }

    #[test]
    fn another_address_is_for_tests_and_never_in_the_clear() {
        let at = |mode: &str, base: &str| Settings {
            stripe_api_base: Some(base.to_owned()),
            ..keys(&format!("sk_{mode}_1"), &format!("pk_{mode}_1"), "whsec_1")
        };
        let base = |settings: &Settings| {
            StripeAccount::of_settings(settings).map(|account| account.unwrap().api_base)
        };
        assert_eq!(
            base(&at("test", "http://127.0.0.1:8420")).unwrap(),
            "http://127.0.0.1:8420/"
        );
        for wrong in [
            "http://stripe.example",
            "ftp://127.0.0.1",
            "127.0.0.1:1",
            "https://",
            "https://a b",
            "https://u:p@a.example",
            "http://127.0.0.1.example",
        ] {
            assert!(
                base(&at("test", wrong))
                    .unwrap_err()
                    .contains("`stripe_api_base`"),
                "{wrong}"
            );
        }
        assert!(
            base(&at("live", "http://127.0.0.1:1"))
                .unwrap_err()
                .contains("live keys")
        );
        assert!(base(&at("live", "https://api.stripe.com")).is_ok());
    }
}
