//! The brand that readers see: what was published in the workspace, and the name that file or environment give, which wins.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::brand::colour::{Colour, SHIPPED};
use domain::brand::look::BrandLook;
use domain::id::BrandId;
use domain::photo::ContentHash;
use parking_lot::RwLock;

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
