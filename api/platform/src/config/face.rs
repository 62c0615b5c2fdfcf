//! The face of the house and of its sites: what was published, under the name and the addresses that file or environment give.

use std::sync::Arc;

use domain::brand::HOUSE_BRAND;
use domain::id::BrandId;

use super::Settings;
use super::brand::{NAME, ServedBrand, ServedFace};
use super::changeable::Source;

impl Settings {
    /// The face of a brand by its key; the house's own without a key, and where nothing was published under it.
    pub fn face_of(&self, key: Option<&str>) -> ServedFace {
        let keyed = key
            .and_then(BrandId::of_key)
            .map(|brand_id| self.brands.find(brand_id));
        match keyed.filter(|brand| brand.version > 0) {
            Some(brand) => ServedFace {
                name: brand.look.name.clone().unwrap_or_else(|| self.brand_name_now()),
                brand,
                is_own: true,
            },
            None => ServedFace {
                name: self.brand_name_now(),
                brand: self.house_brand(),
                is_own: self.has_own_brand(),
            },
        }
    }

    /// The house's own brand.
    pub fn house_brand(&self) -> Arc<ServedBrand> {
        self.brands.find(HOUSE_BRAND)
    }

    /// The name that file or environment give, which wins, and which of them does.
    pub fn given_brand_name(&self) -> Option<(&str, Source)> {
        let source = *self.sources.get(NAME)?;
        Some((self.brand_name.as_str(), source))
    }

    /// The name that pages, mails and papers show.
    pub fn brand_name_now(&self) -> String {
        let published = || self.house_brand().look.name.clone();
        match self.given_brand_name() {
            Some((given, _)) => given.to_owned(),
            None => published().unwrap_or_else(|| self.brand_name.clone()),
        }
    }

    /// The address for readers who need help: what administrators, file or environment set, else what the brand says; the demo's own address stands
    /// for the face that ships alone.
    pub fn support_email_now(&self) -> Option<String> {
        self.support_email_of(&self.face_of(None))
    }

    /// The same under the face of a site.
    pub fn support_email_of(&self, face: &ServedFace) -> Option<String> {
        let (set, source) = self.present("support_email");
        if source != Source::Default || !face.is_own {
            return Some(set).filter(|set| !set.is_empty());
        }
        let support = &face.brand.look.support;
        let everywhere = support.iter().filter(|contact| contact.country.is_none());
        let mut all = everywhere.chain(support);
        all.find_map(|contact| contact.email.clone())
    }

    /// A face of the house's own: the mark that ships is then shown nowhere.
    pub fn has_own_brand(&self) -> bool {
        self.house_brand().version > 0 || self.given_brand_name().is_some()
    }

    /// Who sells, as receipts name it.
    pub fn seller(&self) -> String {
        if self.seller_name.is_empty() {
            self.brand_name_now()
        } else {
            self.seller_name.clone()
        }
    }

    /// The lines below the seller's name on papers: those of the settings, else the letterhead of the brand.
    pub fn seller_address_now(&self) -> String {
        if self.seller_address.is_empty() {
            self.house_brand().look.letterhead.join("\n")
        } else {
            self.seller_address.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::brand::look::{BrandLook, SupportContact};

    use super::*;

    fn published(name: &str) -> ServedBrand {
        let look = BrandLook {
            name: Some(name.to_owned()),
            letterhead: vec!["8 Wharf Road".to_owned(), "Bristol".to_owned()],
            ..BrandLook::default()
        };
        ServedBrand::new(2, look, |_| None)
    }

    #[test]
    fn published_name_is_shown_until_file_or_environment_give_one() {
        let mut settings = Settings::default();
        assert_eq!(settings.brand_name_now(), "Amber");
        assert!(!settings.has_own_brand());
        settings.brands.put(HOUSE_BRAND, published("Quayside"));
        assert_eq!(
            (settings.brand_name_now(), settings.seller()),
            ("Quayside".to_owned(), "Quayside".to_owned())
        );
        assert!(settings.has_own_brand());
        settings.brand_name = "Northbridge".to_owned();
        settings.sources.insert(NAME, Source::Environment);
        assert_eq!(settings.brand_name_now(), "Northbridge");
    }

    #[test]
    fn address_of_the_demo_is_not_shown_under_another_brand() {
        let settings = Settings::default();
        assert!(settings.support_email_now().is_some());
        settings.brands.put(HOUSE_BRAND, published("Quayside"));
        assert_eq!(settings.support_email_now(), None);
        let mut later = published("Quayside");
        later.version = 3;
        later.look.support = vec![SupportContact {
            email: Some("hello@quayside.example".to_owned()),
            ..SupportContact::default()
        }];
        settings.brands.put(HOUSE_BRAND, later);
        assert_eq!(
            settings.support_email_now().as_deref(),
            Some("hello@quayside.example")
        );
    }

    #[test]
    fn address_of_the_demo_is_not_shown_under_a_brand_of_a_key() {
        let settings = Settings::default();
        let mut halls = published("Halls");
        halls.look.support = vec![SupportContact {
            email: Some("hello@halls.example".to_owned()),
            ..SupportContact::default()
        }];
        settings.brands.put(BrandId::of_key("halls").unwrap(), halls);
        let email = |key| settings.support_email_of(&settings.face_of(key));
        assert_eq!(email(Some("halls")).as_deref(), Some("hello@halls.example"));
        assert_eq!(email(None), settings.support_email_now());
    }

    #[test]
    fn letterhead_stands_where_the_settings_name_no_address() {
        let mut settings = Settings::default();
        settings.brands.put(HOUSE_BRAND, published("Quayside"));
        assert_eq!(settings.seller_address_now(), "8 Wharf Road\nBristol");
        settings.seller_address = "1 High Street".to_owned();
        assert_eq!(settings.seller_address_now(), "1 High Street");
    }

    #[test]
    fn key_without_a_brand_shows_the_house() {
        let settings = Settings::default();
        settings.brands.put(HOUSE_BRAND, published("Quayside"));
        settings
            .brands
            .put(BrandId::of_key("halls").unwrap(), published("Halls"));
        let name = |key| settings.face_of(key).name;
        assert_eq!(
            [name(None), name(Some("halls")), name(Some("none"))],
            ["Quayside", "Halls", "Quayside"]
        );
    }

    #[test]
    fn earlier_version_never_takes_the_place_of_a_later_one() {
        let settings = Settings::default();
        settings.brands.put(HOUSE_BRAND, published("Quayside"));
        settings
            .brands
            .put(HOUSE_BRAND, ServedBrand::new(1, BrandLook::default(), |_| None));
        assert_eq!(settings.house_brand().version, 2);
    }
}
