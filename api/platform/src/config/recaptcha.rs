//! The settings of reCAPTCHA (D69, D70): all four keys or none.

use url::Url;

use super::stripe::Hidden;
use super::{Settings, Variant};

/// Where Google says whether a token is good.
const VERIFY_URL: &str = "https://www.google.com/recaptcha/api/siteverify";

/// The two pairs of keys: the unseen score (v3), and the visual challenge after a low one (v2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecaptchaKeys {
    /// Public: browsers ask for tokens with it.
    pub site_key: String,
    pub secret_key: Hidden,
    /// Public, as the first.
    pub v2_site_key: String,
    pub v2_secret_key: Hidden,
    pub verify_url: String,
}

impl RecaptchaKeys {
    /// The keys of the settings; `None` where they name none, and in the China variant, whose browsers do not reach Google.
    ///
    /// # Errors
    /// One sentence naming the wrong setting, never its value.
    pub fn of_settings(settings: &Settings) -> Result<Option<Self>, String> {
        let given = [
            ("recaptcha_site_key", settings.recaptcha_site_key.is_some()),
            ("recaptcha_secret_key", settings.recaptcha_secret_key.is_some()),
            ("recaptcha_v2_site_key", settings.recaptcha_v2_site_key.is_some()),
            (
                "recaptcha_v2_secret_key",
                settings.recaptcha_v2_secret_key.is_some(),
            ),
        ];
        let missing: Vec<String> = given
            .iter()
            .filter(|(_, is_given)| !is_given)
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let (Some(site_key), Some(secret_key), Some(v2_site_key), Some(v2_secret_key)) = (
            &settings.recaptcha_site_key,
            &settings.recaptcha_secret_key,
            &settings.recaptcha_v2_site_key,
            &settings.recaptcha_v2_secret_key,
        ) else {
            let is_begun = missing.len() < given.len() || settings.recaptcha_verify_url.is_some();
            return if is_begun {
                Err(format!(
                    "reCAPTCHA also needs {}: set the four `recaptcha_…_key` together, or none of them",
                    missing.join(" and ")
                ))
            } else {
                Ok(None)
            };
        };
        for (name, key) in [
            ("recaptcha_site_key", site_key),
            ("recaptcha_v2_site_key", v2_site_key),
        ] {
            if !is_key(key) {
                return Err(format!(
                    "the setting `{name}` is no such key: copy it whole from the reCAPTCHA console"
                ));
            }
        }
        let verify_url = verify_url(settings.recaptcha_verify_url.as_deref())?;
        Ok((settings.variant == Variant::Standard).then(|| Self {
            site_key: site_key.clone(),
            secret_key: secret_key.clone(),
            v2_site_key: v2_site_key.clone(),
            v2_secret_key: v2_secret_key.clone(),
            verify_url,
        }))
    }
}

/// Letters that may stand in an address and in a page as they are.
fn is_key(key: &str) -> bool {
    !key.is_empty()
        && key
            .bytes()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == b'_' || letter == b'-')
}

fn verify_url(given: Option<&str>) -> Result<String, String> {
    let Some(given) = given else {
        return Ok(VERIFY_URL.to_owned());
    };
    let url = Url::parse(given).ok();
    let is_good = url.is_some_and(|url| {
        let host = url.host_str().unwrap_or_default();
        let is_here = host == "localhost" || host == "127.0.0.1" || host == "[::1]";
        url.scheme() == "https" || (url.scheme() == "http" && is_here)
    });
    if is_good {
        Ok(given.to_owned())
    } else {
        Err(
            "the setting `recaptcha_verify_url` takes an address that begins with https://, or http:// on this machine"
                .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole() -> Settings {
        Settings {
            recaptcha_site_key: Some("site-3".to_owned()),
            recaptcha_secret_key: Some(Hidden("s3cret".to_owned())),
            recaptcha_v2_site_key: Some("site-2".to_owned()),
            recaptcha_v2_secret_key: Some(Hidden("s2cret".to_owned())),
            ..Settings::default()
        }
    }

    #[test]
    fn recaptcha_keys_go_together_or_not_at_all() {
        assert_eq!(RecaptchaKeys::of_settings(&Settings::default()), Ok(None));
        let keys = RecaptchaKeys::of_settings(&whole()).unwrap().unwrap();
        assert_eq!(keys.verify_url, VERIFY_URL);
        let half = Settings {
            recaptcha_v2_secret_key: None,
            ..whole()
        };
        let said = RecaptchaKeys::of_settings(&half).unwrap_err();
        assert!(
            said.contains("`recaptcha_v2_secret_key`") && !said.contains("s3cret"),
            "{said}"
        );
        let china = Settings {
            variant: Variant::China,
            ..whole()
        };
        assert_eq!(RecaptchaKeys::of_settings(&china), Ok(None));
        let open = Settings {
            recaptcha_verify_url: Some("http://verify.example".to_owned()),
            ..whole()
        };
        assert!(
            RecaptchaKeys::of_settings(&open)
                .unwrap_err()
                .contains("`recaptcha_verify_url`")
        );
    }
}
