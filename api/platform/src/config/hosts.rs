//! Further hosts of the house (`hosts`): addresses between commas, each with words behind it.

use std::collections::BTreeSet;

use domain::id::BrandId;
use domain::language::Language;
use url::Url;

use super::Settings;
use super::check::is_root_of_a_site;
use crate::host_name::read_host;

/// A host that serves a site of its own beside the house's first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurtherHost {
    /// Scheme, host and port, as browsers write them.
    pub origin: String,
    /// The name without its port.
    pub host: String,
    /// The brand that its pages show; the house's when unset.
    pub brand: Option<String>,
    /// The language of readers who ask for none.
    pub language: Option<Language>,
}

impl Settings {
    /// Hosts beside that of `public_url`; none where the setting cannot be read, which stops the start.
    pub fn further_hosts(&self) -> Vec<FurtherHost> {
        read_hosts(&self.hosts).unwrap_or_default()
    }
}

pub(super) fn check(settings: &Settings) -> Result<(), String> {
    let hosts = read_hosts(&settings.hosts)?;
    if hosts.is_empty() {
        return Ok(());
    }
    let Some(public) = &settings.public_url else {
        return Err(
            "the setting `hosts` goes with `public_url`: beside others, the first site needs a name of its own".to_owned(),
        );
    };
    let first = Url::parse(public).ok();
    let mut names: BTreeSet<String> = first
        .as_ref()
        .and_then(Url::host_str)
        .and_then(read_host)
        .into_iter()
        .collect();
    for FurtherHost { host, .. } in hosts {
        if names.contains(&host) {
            return Err(format!(
                "the setting `hosts` names `{host}`, which `public_url` or another of its addresses names too: cookies know no \
                 ports, so each site needs a name of its own"
            ));
        }
        names.insert(host);
    }
    Ok(())
}

/// The hosts between commas, or a sentence about the first that is none.
fn read_hosts(text: &str) -> Result<Vec<FurtherHost>, String> {
    let written = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    written
        .map(|part| {
            read_one(part).ok_or_else(|| {
                format!(
                    "the setting `hosts` holds `{part}`: it takes addresses such as https://study.example between commas, with \
                     nothing behind the host but a space and `brand=KEY` or `language=CODE`"
                )
            })
        })
        .collect()
}

fn read_one(part: &str) -> Option<FurtherHost> {
    let mut words = part.split_whitespace();
    let address = words.next().filter(|address| is_root_of_a_site(address))?;
    let url = Url::parse(address).ok()?;
    let mut read = FurtherHost {
        origin: url.origin().ascii_serialization(),
        host: read_host(url.host_str()?)?,
        brand: None,
        language: None,
    };
    for word in words {
        match word.split_once('=')? {
            ("brand", key) if read.brand.is_none() && is_key(key) => read.brand = Some(key.to_owned()),
            ("language", tag) if read.language.is_none() => read.language = Some(Language::from_tag(tag)?),
            _ => return None,
        }
    }
    Some(read)
}

/// A key that the command line would refuse would show the house's face without a word.
fn is_key(text: &str) -> bool {
    BrandId::of_key(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(hosts: &str) -> Result<(), String> {
        check(&Settings {
            public_url: Some("https://rooms.example".to_owned()),
            hosts: hosts.to_owned(),
            ..Settings::default()
        })
    }

    #[test]
    fn hosts_are_read_with_their_words() {
        let hosts =
            read_hosts("https://Study.Example:8443 brand=study language=zh, http://[::1]:8080/,").unwrap();
        let [study, local] = &hosts[..] else {
            panic!("{hosts:?}");
        };
        assert_eq!(
            (study.origin.as_str(), study.host.as_str()),
            ("https://study.example:8443", "study.example")
        );
        assert_eq!(study.brand.as_deref(), Some("study"));
        assert_eq!(study.language.map(Language::code), Some("zh"));
        assert_eq!((local.host.as_str(), &local.brand), ("::1", &None));
        assert!(read_hosts(" , ").unwrap().is_empty());
    }

    #[test]
    fn address_that_is_no_host_is_named() {
        for wrong in [
            "study.example",
            "ftp://study.example",
            "https://study.example/rooms",
            "https://study.example colour=red",
            "https://study.example brand=",
            "https://study.example brand=a brand=b",
            "https://study.example brand=a-key-of-one-letter-more-than-a-brand-has",
            "https://study.example language=tlh",
        ] {
            let said = checked(wrong).unwrap_err();
            assert!(said.contains("`hosts`") && said.contains(wrong), "{said}");
        }
        assert_eq!(checked("https://study.example"), Ok(()));
    }

    #[test]
    fn two_sites_of_one_name_are_refused() {
        for wrong in [
            "https://rooms.example:8443",
            "https://ROOMS.example.",
            "https://study.example,http://study.example:81",
        ] {
            assert!(checked(wrong).unwrap_err().contains("cookies"), "{wrong}");
        }
        let alone = Settings {
            hosts: "https://study.example".to_owned(),
            ..Settings::default()
        };
        assert!(check(&alone).unwrap_err().contains("`public_url`"));
    }
}
