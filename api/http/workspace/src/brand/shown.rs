//! A brand in the words of the document.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use brands::picture::{ICONS, SHARED_FILE};
use brands::questions::brand_state::{BrandState, Contrast, measure_contrasts, read_brand};
use domain::brand::look::BrandLook;
use domain::brand::{BrandPicture, HOUSE_BRAND};
use domain::id::UserId;
use http_kit::contract::words::{
    BrandFontWord, BrandFormatWord, ContrastPlaceWord, CountryWord, HomeSectionWord, SettingSourceWord,
};
use http_kit::error::{ApiError, ApiResult};
use platform::config::Settings;
use platform::config::brand::LOGO_FILE;
use platform::palette::Palette;
use projections::payment_audit::instant;
use records::Records;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::staff_names::staff_name;

/// Everything that a brand may say of itself; what it does not say is null, and as the house ships it.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BrandValues {
    name: Option<String>,
    /// By the tag of its language, as all texts; in a change null takes one away.
    tagline: Option<BTreeMap<String, Option<String>>>,
    /// The picture's content, as its upload answers; on white. Marks of tabs and devices are made of it unless they are given.
    logo: Option<String>,
    logo_dark: Option<String>,
    favicon: Option<String>,
    app_icon: Option<String>,
    /// For links that are shared.
    social_picture: Option<String>,
    /// `#7A2E5D`, as all colours.
    main_colour: Option<String>,
    /// The main colour where it is null.
    button_colour: Option<String>,
    footer_colour: Option<String>,
    #[schema(value_type = Option<BrandFontWord>)]
    font: Option<String>,
    /// The heading of the home page.
    hero: Option<BTreeMap<String, Option<String>>>,
    /// The sentence below it.
    hero_lede: Option<BTreeMap<String, Option<String>>>,
    /// Sections of the home page that are shown, in their order; null for all.
    #[schema(value_type = Option<Vec<HomeSectionWord>>)]
    sections: Option<Vec<String>>,
    /// Under every mail, a line each.
    mail_small_print: Option<Vec<String>>,
    /// At the head of papers, a line each.
    letterhead: Option<Vec<String>>,
    support: Option<Vec<BrandContact>>,
    footer_links: Option<Vec<BrandLink>>,
    /// Language of readers who chose none.
    first_language: Option<String>,
    /// ISO 4217.
    currency: Option<String>,
    /// The place that searches begin with, by its name in addresses.
    region: Option<String>,
}

/// Ways to reach the house from a country.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BrandContact {
    /// Null: from everywhere else.
    #[schema(value_type = Option<CountryWord>)]
    country: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    /// A name in a chat program.
    chat: Option<String>,
    hours: Option<String>,
}

/// A link of the footer.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandLink {
    label: BTreeMap<String, String>,
    /// A path of the site, or an `https` address.
    href: String,
}

impl BrandValues {
    /// The look in the words of the document; both name their values alike.
    pub(super) fn of(look: &BrandLook) -> ApiResult<Self> {
        let value = serde_json::to_value(look).map_err(ApiError::broken)?;
        serde_json::from_value(value).map_err(ApiError::broken)
    }
}

/// A text on a colour of the brand.
#[derive(Debug, Serialize, ToSchema)]
pub struct BrandContrast {
    #[schema(value_type = ContrastPlaceWord)]
    place: &'static str,
    text: String,
    ground: String,
    /// From 1 to 21; 4.5 is needed.
    ratio: f64,
    /// The colour that was chosen, where it gives way to `ground`: the nearest that can be read.
    chosen: Option<String>,
    chosen_ratio: Option<f64>,
}

impl From<Contrast> for BrandContrast {
    fn from(contrast: Contrast) -> Self {
        Self {
            place: contrast.place.key(),
            text: contrast.text.to_string(),
            ground: contrast.ground.to_string(),
            ratio: round(contrast.ratio),
            chosen: contrast.chosen.map(|(chosen, _)| chosen.to_string()),
            chosen_ratio: contrast.chosen.map(|(_, ratio)| round(ratio)),
        }
    }
}

/// Two digits, cut: a contrast of 4.499 is not 4.5.
fn round(ratio: f64) -> f64 {
    (ratio * 100.0).floor() / 100.0
}

/// Colours of a look, and how well they can be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct BrandColours {
    /// Custom properties of pages without their dashes (`act-hover`), with their colours; none where the look chooses no colour.
    tokens: BTreeMap<String, String>,
    contrasts: Vec<BrandContrast>,
}

impl BrandColours {
    pub(super) fn of(look: &BrandLook) -> Self {
        let palette = Palette::of_look(look);
        let tokens = palette.iter().flat_map(Palette::tokens);
        Self {
            tokens: tokens
                .map(|(name, colour)| (name.to_owned(), colour.to_string()))
                .collect(),
            contrasts: measure_contrasts(look).into_iter().map(Into::into).collect(),
        }
    }
}

/// A picture of a brand, in its sizes.
#[derive(Debug, Serialize, ToSchema)]
pub struct BrandPictureView {
    /// Names it in the values of a draft.
    content: String,
    #[schema(value_type = BrandFormatWord)]
    format: &'static str,
    /// Pixels of `url`.
    width: u32,
    height: u32,
    /// The picture as heads of pages and mails show it.
    url: String,
    /// Square, for tabs and devices; the smallest first.
    icons: Vec<String>,
    /// For links that are shared.
    shared: String,
}

impl From<&BrandPicture> for BrandPictureView {
    fn from(picture: &BrandPicture) -> Self {
        let url = |file: &str| format!("/brand/{}/{file}", picture.content);
        Self {
            content: picture.content.to_string(),
            format: picture.format.key(),
            width: picture.width,
            height: picture.height,
            url: url(LOGO_FILE),
            icons: ICONS.iter().map(|(_, file)| url(file)).collect(),
            shared: url(SHARED_FILE),
        }
    }
}

/// A value that file or environment give: it wins over what is published.
#[derive(Debug, Serialize, ToSchema)]
pub struct GivenBrandValue {
    name: &'static str,
    value: String,
    #[schema(value_type = SettingSourceWord)]
    source: &'static str,
}

/// The house's brand: the draft, and what readers see.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Brand)]
pub struct BrandView {
    /// Of its last event: a change names it.
    revision: u64,
    draft: BrandValues,
    /// Values of the draft that readers do not see yet.
    changed: Vec<String>,
    drafted_by: Option<String>,
    /// RFC 3339, as all times.
    drafted_at: Option<String>,
    /// Of the draft.
    colours: BrandColours,
    /// Null while nothing was published.
    published: Option<BrandVersionView>,
    /// Values that file or environment give.
    given: Vec<GivenBrandValue>,
    pictures: Vec<BrandPictureView>,
}

/// A version that readers saw, or see.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BrandVersion)]
pub struct BrandVersionView {
    version: u32,
    values: BrandValues,
    /// Values that differ from the version before.
    changed: Vec<String>,
    /// The version that was brought back.
    of: Option<u32>,
    /// Null for the command line.
    by: Option<String>,
    at: String,
    /// For colleagues; null where nobody said why.
    reason: Option<String>,
}

/// Names of the values in which two looks differ.
fn compare(one: &BrandLook, other: &BrandLook) -> ApiResult<Vec<String>> {
    let values = |look: &BrandLook| -> ApiResult<Map<String, Value>> {
        let value = serde_json::to_value(look).map_err(ApiError::broken)?;
        serde_json::from_value(value).map_err(ApiError::broken)
    };
    let (one, other) = (values(one)?, values(other)?);
    let names = brands::commands::change_draft::VALUES.iter();
    let differing = names.filter(|name| one.get(**name) != other.get(**name));
    Ok(differing.map(|name| (*name).to_owned()).collect())
}

/// Shows a brand; names of colleagues are looked up once.
pub(super) struct Showing<'s> {
    records: &'s Records,
    settings: &'s Arc<Settings>,
    names: HashMap<String, String>,
}

impl<'s> Showing<'s> {
    pub(super) fn new(records: &'s Records, settings: &'s Arc<Settings>) -> Self {
        Self {
            records,
            settings,
            names: HashMap::new(),
        }
    }

    async fn name_author(&mut self, by: Option<UserId>) -> ApiResult<Option<String>> {
        let Some(by) = by else { return Ok(None) };
        let id = by.to_string();
        let name = staff_name(&self.records.log, self.settings, &id, &mut self.names).await?;
        Ok(Some(name))
    }

    /// The house's brand as it stands.
    pub(super) async fn show_house(&mut self) -> ApiResult<BrandView> {
        let state = read_brand(&self.records.log, HOUSE_BRAND).await?;
        let brand = &state.brand;
        let (by, at) = brand.drafted.map_or((None, None), |(by, at)| (by, Some(at)));
        let given = self.settings.given_brand_name();
        Ok(BrandView {
            revision: state.revision,
            draft: BrandValues::of(&brand.draft)?,
            changed: compare(&brand.draft, &brand.published_look())?,
            drafted_by: self.name_author(by).await?,
            drafted_at: at.map(instant),
            colours: BrandColours::of(&brand.draft),
            published: self.list_versions(&state, 1).await?.pop(),
            given: given
                .map(|(value, source)| GivenBrandValue {
                    name: "name",
                    value: value.to_owned(),
                    source: source.key(),
                })
                .into_iter()
                .collect(),
            pictures: brand.pictures.values().map(Into::into).collect(),
        })
    }

    /// Versions, the newest first; at most so many.
    pub(super) async fn list_versions(
        &mut self,
        state: &BrandState,
        most: usize,
    ) -> ApiResult<Vec<BrandVersionView>> {
        let mut shown = Vec::new();
        for (version, reason) in state.history().take(most) {
            let before = state.brand.version(version.version.saturating_sub(1));
            let before = before.map(|before| before.look.clone()).unwrap_or_default();
            shown.push(BrandVersionView {
                version: version.version,
                values: BrandValues::of(&version.look)?,
                changed: compare(&version.look, &before)?,
                of: version.of,
                by: self.name_author(version.by).await?,
                at: instant(version.at),
                reason: reason.map(ToOwned::to_owned),
            });
        }
        Ok(shown)
    }
}
