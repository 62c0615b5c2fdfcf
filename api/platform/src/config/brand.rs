//! The brand that readers see: what was published in the workspace, and the name that file or environment give, which wins.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::brand::HOUSE_BRAND;
use domain::brand::colour::{Colour, SHIPPED};
use domain::brand::look::BrandLook;
use domain::id::BrandId;
use domain::photo::ContentHash;
use parking_lot::RwLock;

use super::Settings;
use super::changeable::Source;
use crate::palette::Palette;

/// The setting that gives the brand's name.
pub(super) const NAME: &str = "brand_name";

/// The beginning of the folder of marks that are drawn for a brand that uploaded none; the digits of their colour follow.
pub const DRAWN: &str = "mark-";
/// The file of a picture that heads of pages and mails show.
pub const LOGO_FILE: &str = "logo.png";
/// The file of a mark that stands there without one: a square of [`MARK_SIDE`] pixels.
pub const MARK_FILE: &str = "icon-192.png";
pub const MARK_SIDE: u32 = 192;

/// A brand as it is served.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedBrand {
    /// 0: nothing was published, everything is as it ships.
    pub version: u32,
    pub look: BrandLook,
    /// `None` where the brand chose no colour.
    pub palette: Option<Palette>,
    /// Width and height of its pictures.
    pixels: BTreeMap<ContentHash, (u32, u32)>,
}

impl ServedBrand {
    /// A version of a brand, whose pictures have so many pixels.
    pub fn new(
        version: u32,
        look: BrandLook,
        find_pixels: impl Fn(ContentHash) -> Option<(u32, u32)>,
    ) -> Self {
        let palette = Palette::of_look(&look);
        let pixels = look
            .pictures()
            .filter_map(|(_, content)| Some((content, find_pixels(content)?)))
            .collect();
        Self {
            version,
            look,
            palette,
            pixels,
        }
    }

    /// The address of a picture within the site, with its pixels; of the drawn mark where there is no such picture.
    pub fn mark(&self, content: Option<ContentHash>) -> (String, u32, u32) {
        let kept = content.and_then(|content| Some((content, self.pixels(content)?)));
        match kept {
            Some((content, (width, height))) => (format!("/brand/{content}/{LOGO_FILE}"), width, height),
            None => (self.drawn(MARK_FILE), MARK_SIDE, MARK_SIDE),
        }
    }

    /// The address of a drawn mark, which names its colour.
    pub fn drawn(&self, file: &str) -> String {
        let colour = self.mark_colour().to_string();
        format!("/brand/{DRAWN}{}/{file}", colour.trim_start_matches('#'))
    }

    /// The colour of a drawn mark.
    pub fn mark_colour(&self) -> Colour {
        self.palette.map_or(SHIPPED, |palette| palette.act)
    }

    /// Width and height of a picture of the look.
    pub fn pixels(&self, content: ContentHash) -> Option<(u32, u32)> {
        self.pixels.get(&content).copied()
    }
}

/// Brands that were published, shared by everything in the process that reads the settings.
#[derive(Debug, Clone, Default)]
pub struct ServedBrands(Arc<RwLock<BTreeMap<BrandId, Arc<ServedBrand>>>>);

impl ServedBrands {
    /// Serves a version, unless a later one is served.
    pub fn put(&self, brand_id: BrandId, brand: ServedBrand) {
        let mut served = self.0.write();
        let is_later = served
            .get(&brand_id)
            .is_none_or(|known| known.version < brand.version);
        if is_later {
            served.insert(brand_id, Arc::new(brand));
        }
    }

    /// A brand; as the house ships it where nothing was published.
    pub fn find(&self, brand_id: BrandId) -> Arc<ServedBrand> {
        self.0.read().get(&brand_id).cloned().unwrap_or_default()
    }
}

/// The face under which a site is served.
#[derive(Debug, Clone)]
pub struct ServedFace {
    pub name: String,
    pub brand: Arc<ServedBrand>,
    /// Another than the one that ships.
    pub is_own: bool,
}

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
    use domain::brand::look::SupportContact;

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
