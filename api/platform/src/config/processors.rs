//! Companies that process personal data for the house, as far as the settings say: whatever is switched on is named, nothing else.

use super::Settings;

/// A company with what it does for the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Processor {
    /// The text that says what it does, with the value `name`.
    pub key: &'static str,
    pub name: String,
}

impl Settings {
    /// Everybody outside who is given personal data while these settings hold.
    pub fn processors(&self) -> Vec<Processor> {
        let own = |name: &str| Some(name.to_owned());
        let stripe = self.stripe_secret_key.as_ref().and_then(|_| own("Stripe"));
        let mail = self.smtp_url.as_deref().and_then(host_of);
        let texts = self.sms_url.as_ref().and_then(|url| host_of(&url.0));
        let people = self
            .recaptcha_site_key
            .as_ref()
            .and_then(|_| own("Google reCAPTCHA"));
        let files = self.pictures.as_deref().and_then(name_store);
        let log = self.event_log.as_ref().and_then(|_| own("KurrentDB"));
        [
            ("legal.processor_payments", stripe),
            ("legal.processor_mail", mail),
            ("legal.processor_texts", texts),
            ("legal.processor_people", people),
            ("legal.processor_pictures", files),
            ("legal.processor_log", log),
        ]
        .into_iter()
        .filter_map(|(key, name)| Some(Processor { key, name: name? }))
        .collect()
    }
}

/// The host of an address, without the password before it.
fn host_of(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = host.split(':').next()?;
    (!host.is_empty()).then(|| host.to_owned())
}

/// Whose store an address of pictures is; none of a folder.
fn name_store(address: &str) -> Option<String> {
    let (scheme, _) = address.split_once("://")?;
    let name = match scheme {
        "s3" => "S3",
        "gs" => "Google Cloud Storage",
        "az" => "Azure Blob Storage",
        _ => return None,
    };
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_named_without_its_password() {
        for (address, host) in [
            ("smtp://user:secret@mail.example:587", Some("mail.example")),
            ("https://sms.example/send?key=secret", Some("sms.example")),
            ("mail.example", None),
        ] {
            assert_eq!(host_of(address).as_deref(), host, "{address}");
        }
    }

    #[test]
    fn folders_are_nobodys_store() {
        assert_eq!(name_store("s3://house/pictures").as_deref(), Some("S3"));
        assert_eq!(name_store("/var/pictures"), None);
    }
}
