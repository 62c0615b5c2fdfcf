//! The brand on a page: marks, words, colours and contacts, and the files of its marks. Nothing of it is there while the house shows the face
//! that ships.

use std::fmt::Write as _;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use brands::picture::{ICONS, SHARED_FILE, draw_mark};
use domain::brand::colour::Colour;
use domain::brand::look::{BrandFont, BrandLook, HomeSection};
use domain::language::Language;
use domain::photo::ContentHash;
use http_kit::contract::words::{CountryWord, HomeSectionWord};
use http_kit::endpoints::{Endpoints, Method};
use http_kit::error::ApiError;
use http_kit::permissions::Access;
use http_kit::said::say;
use photos::store::PhotoStore;
use platform::config::brand::{DRAWN, LOGO_FILE, ServedBrand, ServedFace};
use platform::palette::Palette;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Services;
use crate::pages::sources::PageSources;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().undocumented(Access::Open, Method::GET, "/brand/{content}/{file}", brand_file)
}

/// A picture never changes under its address, which names its content or its colour.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";
/// Readers' own fonts, with those of Chinese.
const SYSTEM_FONT: &str = "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",Arial,\"PingFang SC\",\"Hiragino Sans GB\",\
    \"Microsoft YaHei\",\"Noto Sans CJK SC\",sans-serif";

/// A picture with its pixels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BrandMark {
    pub url: String,
    pub width: u32,
    pub height: u32,
}

/// Ways to reach the house from a country.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShownBrandContact)]
pub struct ShownContact {
    /// Null: from everywhere else.
    #[schema(value_type = Option<CountryWord>)]
    country: Option<&'static str>,
    phone: Option<String>,
    email: Option<String>,
    chat: Option<String>,
    hours: Option<String>,
}

/// A link of the footer, in the reader's language.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShownBrandLink)]
pub struct ShownLink {
    label: String,
    href: String,
}

/// The face of the house in the reader's language; what it does not say is as the house ships it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShownBrand {
    tagline: Option<String>,
    hero: Option<String>,
    hero_lede: Option<String>,
    /// The logo, or a plain shape in the brand's colour.
    mark: BrandMark,
    /// On dark grounds; the same where there is no other.
    mark_dark: BrandMark,
    /// Square, the smallest first.
    icons: Vec<BrandMark>,
    /// Whole address of the picture of links that are shared.
    shared: Option<String>,
    theme_colour: Option<String>,
    /// Custom properties over those that ship, as the head's `style` element has them.
    style: Option<String>,
    #[schema(value_type = Option<Vec<HomeSectionWord>>)]
    sections: Option<Vec<&'static str>>,
    support: Vec<ShownContact>,
    links: Vec<ShownLink>,
}

/// The face under which a page is served; every page asks here.
pub(crate) fn face_of(sources: &PageSources) -> ServedFace {
    sources.settings.face_of(sources.site.brand.as_deref())
}

/// The brand as a page shows it; `None` for the face that ships.
pub(crate) fn show_brand(sources: &PageSources, lang: Language) -> Option<ShownBrand> {
    let ServedFace { brand, is_own, .. } = face_of(sources);
    if !is_own {
        return None;
    }
    let look = &brand.look;
    let words = |words| BrandLook::say(words, lang).map(ToOwned::to_owned);
    let mark = find_mark(&brand, look.logo);
    let shared = look
        .social_picture
        .map(|content| format!("{}/brand/{content}/{SHARED_FILE}", sources.site.origin));
    let sections = look.sections.as_ref();
    Some(ShownBrand {
        tagline: words(&look.tagline),
        hero: words(&look.hero),
        hero_lede: words(&look.hero_lede),
        mark_dark: look
            .logo_dark
            .map_or_else(|| mark.clone(), |content| find_mark(&brand, Some(content))),
        mark,
        icons: list_icons(&brand),
        shared,
        theme_colour: brand.palette.map(|palette| palette.brand.to_string()),
        style: write_style(&brand),
        sections: sections.map(|sections| sections.iter().copied().map(HomeSection::key).collect()),
        support: look.support.iter().map(show_contact).collect(),
        links: look
            .footer_links
            .iter()
            .filter_map(|link| {
                Some(ShownLink {
                    label: BrandLook::say(&link.label, lang)?.to_owned(),
                    href: link.href.clone(),
                })
            })
            .collect(),
    })
}

fn show_contact(contact: &domain::brand::look::SupportContact) -> ShownContact {
    ShownContact {
        country: contact.country.map(domain::country::Country::key),
        phone: contact.phone.clone(),
        email: contact.email.clone(),
        chat: contact.chat.clone(),
        hours: contact.hours.clone(),
    }
}

fn find_mark(brand: &ServedBrand, content: Option<ContentHash>) -> BrandMark {
    let (url, width, height) = brand.mark(content);
    BrandMark { url, width, height }
}

/// Square marks of the brand for tabs and devices, the smallest first.
pub(crate) fn list_icons(brand: &ServedBrand) -> Vec<BrandMark> {
    let look = &brand.look;
    let tab = look.favicon.or(look.logo);
    let device = look.app_icon.or(look.favicon).or(look.logo);
    let icon = |(place, (side, file)): (usize, (u32, &str))| {
        // The first is the tab's.
        let content = if place == 0 { tab } else { device };
        BrandMark {
            url: content.map_or_else(|| brand.drawn(file), |content| format!("/brand/{content}/{file}")),
            width: side,
            height: side,
        }
    };
    ICONS.into_iter().enumerate().map(icon).collect()
}

/// Custom properties over those that ship. Values are colours and fonts of ours: nothing that somebody typed stands in it.
fn write_style(brand: &ServedBrand) -> Option<String> {
    let mut style = String::new();
    if let Some(palette) = brand.palette {
        write_colours(&palette, &mut style);
        if brand.look.footer_colour.is_some() {
            write_footer(&palette, &mut style);
        }
    }
    if brand.look.font == Some(BrandFont::System) {
        let _ = write!(style, ":root{{--font:{SYSTEM_FONT}}}");
    }
    (!style.is_empty()).then_some(style)
}

/// The brand's own tokens, and the colour of action that ships in all its shades: each shade stays readable where pages set text in it.
fn write_colours(palette: &Palette, style: &mut String) {
    let shipped = [
        ("teal-25", palette.act_tint),
        ("teal-50", palette.act_tint),
        ("teal-100", palette.act_tint),
        ("teal-300", palette.act_edge),
        ("teal-500", palette.act_edge),
        ("teal-700", palette.act_line),
        ("teal-800", palette.act_line),
        ("teal-900", palette.act_line),
    ];
    let footer = |name: &str| name.starts_with("foot");
    let own = palette.tokens().into_iter().filter(|(name, _)| !footer(name));
    style.push_str(":root{");
    for (name, colour) in own.chain(shipped) {
        let _ = write!(style, "--{name}:{colour};");
    }
    style.push('}');
}

/// Everything in the footer takes its text from the ground that the brand chose.
fn write_footer(palette: &Palette, style: &mut String) {
    let (ground, text, soft) = (palette.foot, palette.foot_text, palette.foot_soft);
    let _ = write!(
        style,
        ".site-foot{{--foot:{ground};--foot-text:{text};--foot-soft:{soft};--paper:{ground};--white:{ground};--ink-900:{text};\
         --ink-700:{text};--ink-500:{soft};--line-200:{soft};--teal-700:{text};background:{ground};color:{text}}}"
    );
}

/// `GET /brand/{content}/{file}`: a size of a picture by the hash of its original, or a mark that is drawn, in whichever colour: mails and
/// devices name that of their day.
pub async fn brand_file(
    State(store): State<PhotoStore>,
    Path((content, file)): Path<(String, String)>,
) -> Response {
    if let Some(digits) = content.strip_prefix(DRAWN) {
        return match format!("#{digits}").parse::<Colour>() {
            Ok(colour) => draw_file(colour, file).await,
            Err(_) => refuse(),
        };
    }
    let (Ok(content), Some(media_type)) = (content.parse::<ContentHash>(), find_media_type(&file)) else {
        return refuse();
    };
    match store.get_size(content, &file).await {
        Ok(Some(bytes)) => answer(bytes, media_type, FOR_GOOD),
        Ok(None) => refuse(),
        Err(error) => ApiError::broken(error).into_response(),
    }
}

async fn draw_file(colour: Colour, file: String) -> Response {
    let drawing = tokio::task::spawn_blocking(move || draw_mark(colour, &file));
    match drawing.await {
        Ok(Some(Ok(bytes))) => answer(bytes, "image/png", FOR_GOOD),
        Ok(None) => refuse(),
        Ok(Some(Err(fault))) => ApiError::broken(fault).into_response(),
        Err(error) => ApiError::broken(error).into_response(),
    }
}

/// The media type of a file that is made of pictures of brands: nothing else of the store is given out here.
fn find_media_type(file: &str) -> Option<&'static str> {
    let is_icon = ICONS.iter().any(|(_, name)| *name == file);
    match file {
        SHARED_FILE => Some("image/jpeg"),
        LOGO_FILE => Some("image/png"),
        _ => is_icon.then_some("image/png"),
    }
}

fn answer(bytes: impl IntoResponse, media_type: &'static str, kept: &'static str) -> Response {
    let mut answer = bytes.into_response();
    let told = answer.headers_mut();
    told.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    told.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    answer
}

fn refuse() -> Response {
    ApiError::not_found(say("refusal.no_picture")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brand(look: BrandLook) -> ServedBrand {
        ServedBrand::new(3, look, |_| Some((320, 160)))
    }

    #[test]
    fn style_holds_colours_alone() {
        let look = BrandLook {
            main_colour: Some("#E8743B".parse().unwrap()),
            footer_colour: Some("#2B1B2E".parse().unwrap()),
            ..BrandLook::default()
        };
        let style = write_style(&brand(look)).unwrap();
        assert!(style.contains("--act:#C55017;"), "{style}");
        assert!(style.contains("--teal-700:#B74A15;"), "{style}");
        assert!(style.contains(".site-foot{--foot:#2B1B2E;"), "{style}");
        assert!(!style.contains(['<', '>', '&', '\\']), "{style}");
        assert_eq!(write_style(&brand(BrandLook::default())), None);
    }

    #[test]
    fn brand_without_a_logo_shows_a_drawn_mark() {
        let mark = find_mark(&brand(BrandLook::default()), None);
        assert_eq!(
            (mark.url.as_str(), mark.width),
            ("/brand/mark-0B5D5E/icon-192.png", 192)
        );
        let logo = ContentHash::of_bytes(b"logo");
        let look = BrandLook {
            logo: Some(logo),
            ..BrandLook::default()
        };
        let brand = brand(look);
        assert_eq!(
            find_mark(&brand, Some(logo)).url,
            format!("/brand/{logo}/logo.png")
        );
        assert_eq!(list_icons(&brand)[0].url, format!("/brand/{logo}/icon-32.png"));
    }

    #[test]
    fn files_of_brands_alone_are_given_out() {
        assert_eq!(find_media_type("icon-180.png"), Some("image/png"));
        for wrong in ["720.webp", "original", "../logo.png", "logo.svg", ""] {
            assert_eq!(find_media_type(wrong), None, "{wrong}");
        }
    }
}
