//! The sites of the house: each answers under a host of its own (D112). The first one is that of `public_url`; `hosts` names others. A
//! request is served under one site, which its pages, cookies and links name; a lead keeps its site, so that mails about it lead back there.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::language::Language;
use url::Url;

use crate::config::Settings;
use crate::config::hosts::FurtherHost;
use crate::host_name::read_host;

/// The name of a site, as leads keep it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SiteId {
    /// The first site of the house, whose name is kept nowhere: it stays the first under another address.
    House,
    /// A further one, by its host.
    Further(String),
}

/// Everything that a request's host decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub id: SiteId,
    /// Scheme, host and port that links begin with; no slash at the end.
    pub origin: String,
    /// As a browser writes it: in small letters, without the usual port.
    browser_origin: String,
    /// The name without its port.
    pub host: String,
    /// The brand that pages show; the house's when unset.
    pub brand: Option<String>,
    /// The language of readers who ask for none, and of addresses that name none.
    pub language: Language,
    /// Its address in the settings names that language.
    says_language: bool,
}

impl Site {
    /// The first site of the house.
    pub fn of_house(settings: &Settings) -> Self {
        let origin = settings.public_url();
        let read = Url::parse(&origin).ok();
        Self {
            id: SiteId::House,
            browser_origin: read
                .as_ref()
                .map_or_else(|| origin.clone(), |url| url.origin().ascii_serialization()),
            host: settings.own_name(),
            brand: None,
            language: Language::default(),
            says_language: false,
            origin,
        }
    }

    fn of_further(host: FurtherHost) -> Self {
        Self {
            id: SiteId::Further(host.host.clone()),
            browser_origin: host.origin.clone(),
            origin: host.origin,
            host: host.host,
            brand: host.brand,
            language: host.language.unwrap_or_default(),
            says_language: host.language.is_some(),
        }
    }

    /// The site as requests of now find it: where its address names no language, in the first one of its brand.
    #[must_use]
    pub fn at_present(self: Arc<Self>, settings: &Settings) -> Arc<Self> {
        if self.says_language {
            return self;
        }
        let face = settings.face_of(self.brand.as_deref());
        let first = face.brand.look.first_language.as_deref();
        match first.and_then(Language::from_tag) {
            Some(language) if language != self.language => Arc::new(Self {
                language,
                ..(*self).clone()
            }),
            Some(_) | None => self,
        }
    }

    /// Whether this is what a browser says of a page of this site (`Origin`).
    pub fn is_origin(&self, said: &str) -> bool {
        said == self.origin || said == self.browser_origin
    }

    /// Whether browsers reach it over TLS: its cookies are Secure then.
    pub fn is_secure(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// The end of a cookie's attributes.
    pub fn secure_word(&self) -> &'static str {
        if self.is_secure() { "; Secure" } else { "" }
    }

    /// The name by which a lead keeps it; none for the first site.
    pub fn kept_name(&self) -> Option<&str> {
        match &self.id {
            SiteId::House => None,
            SiteId::Further(name) => Some(name),
        }
    }
}

/// All sites. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sites(Arc<Known>);

#[derive(Debug)]
struct Known {
    house: Arc<Site>,
    /// By host.
    named: BTreeMap<String, Arc<Site>>,
}

impl Sites {
    /// Those of the settings.
    pub fn of_settings(settings: &Settings) -> Self {
        let house = Arc::new(Site::of_house(settings));
        let further = settings.further_hosts();
        let mut named: BTreeMap<String, Arc<Site>> = further
            .into_iter()
            .map(|host| (host.host.clone(), Arc::new(Site::of_further(host))))
            .collect();
        let own = Url::parse(&house.origin).ok();
        if let Some(own) = own.as_ref().and_then(Url::host_str).and_then(read_host) {
            named.insert(own, house.clone());
        }
        Self(Arc::new(Known { house, named }))
    }

    /// The first site.
    pub fn house(&self) -> &Arc<Site> {
        &self.0.house
    }

    /// Whether there is no other than the first, which then answers under every name, as behind a proxy that passes none on.
    pub fn is_one(&self) -> bool {
        self.0.named.values().all(|site| site.id == SiteId::House)
    }

    /// The site of a host as a request writes it, with or without a port.
    pub fn find(&self, said: &str) -> Option<Arc<Site>> {
        self.0.named.get(&read_host(said)?).cloned()
    }

    /// The site that a lead keeps; the first one where it keeps none, or one that is no more.
    pub fn find_kept(&self, name: Option<&str>) -> &Arc<Site> {
        let named = name.and_then(|name| self.0.named.get(name));
        named.unwrap_or(&self.0.house)
    }

    /// What addresses of the house begin with.
    pub fn origins(&self) -> impl Iterator<Item = &str> {
        let named = self.0.named.values().filter(|site| site.id != SiteId::House);
        std::iter::once(&self.0.house)
            .chain(named)
            .map(|site| site.origin.as_str())
    }
}

#[cfg(test)]
mod tests {
    use domain::brand::HOUSE_BRAND;
    use domain::brand::look::BrandLook;

    use super::*;
    use crate::config::brand::ServedBrand;

    fn sites() -> Sites {
        Sites::of_settings(&Settings {
            public_url: Some("https://Rooms.example:443".to_owned()),
            hosts: "https://study.example brand=study, http://[2001:db8::1]:81".to_owned(),
            ..Settings::default()
        })
    }

    #[test]
    fn host_is_found_however_it_is_written() {
        let sites = sites();
        let further = |name: &str| Some(SiteId::Further(name.to_owned()));
        for (said, found) in [
            ("rooms.example", Some(SiteId::House)),
            ("ROOMS.Example:443", Some(SiteId::House)),
            ("study.example", further("study.example")),
            ("study.example.:8443", further("study.example")),
            ("[2001:DB8:0::1]:81", further("2001:db8::1")),
            ("[2001:db8::1]", further("2001:db8::1")),
            ("study.example.evil.example", None),
            ("evil.example", None),
            ("[study.example]", None),
            (":80", None),
            ("", None),
        ] {
            assert_eq!(sites.find(said).map(|site| site.id.clone()), found, "{said}");
        }
        assert!(!sites.is_one());
    }

    #[test]
    fn page_of_another_site_is_of_another_origin() {
        let sites = sites();
        let house = sites.house();
        assert!(house.is_origin("https://rooms.example"));
        assert!(house.is_origin("https://Rooms.example:443"));
        for other in [
            "https://study.example",
            "http://rooms.example",
            "https://rooms.example:8443",
            "null",
        ] {
            assert!(!house.is_origin(other), "{other}");
        }
    }

    #[test]
    fn kept_name_leads_back_or_to_the_house() {
        let sites = sites();
        let study = sites.find("study.example").unwrap();
        assert_eq!(sites.find_kept(study.kept_name()).origin, "https://study.example");
        assert_eq!(sites.find_kept(None).id, SiteId::House);
        assert_eq!(sites.find_kept(Some("gone.example")).id, SiteId::House);
        assert_eq!(sites.origins().count(), 3);
    }

    #[test]
    fn brand_chooses_the_language_of_a_site_that_names_none() {
        let settings = Settings {
            public_url: Some("https://rooms.example".to_owned()),
            hosts: "https://study.example language=en".to_owned(),
            ..Settings::default()
        };
        let look = BrandLook {
            first_language: Some("zh".to_owned()),
            ..BrandLook::default()
        };
        let (sites, brand) = (Sites::of_settings(&settings), ServedBrand::new(1, look, |_| None));
        let language = |host: &str| sites.find(host).unwrap().at_present(&settings).language.code();
        assert_eq!(language("rooms.example"), "en");
        settings.brands.put(HOUSE_BRAND, brand);
        assert_eq!(
            [language("rooms.example"), language("study.example")],
            ["zh", "en"]
        );
    }

    #[test]
    fn one_house_is_as_its_settings_say() {
        let settings = Settings::default();
        let sites = Sites::of_settings(&settings);
        assert!(sites.is_one());
        assert_eq!(sites.house().origin, settings.public_url());
        assert!(!sites.house().is_secure());
    }
}
