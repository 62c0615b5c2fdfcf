//! The head of a page: title rules of Spec §5 in the order of D140, description, canonical, robots.

use domain::language::Language;
use serde::Serialize;

use crate::brand::face_of;
use crate::pages::page::Address;
use crate::pages::sources::PageSources;

/// Search engines leave such a page alone.
pub(super) const NOT_LISTED: &str = "noindex,nofollow";
/// Spec §5: a shorter prefix gets the brand appended.
const BRAND_BELOW: usize = 55;
/// Spec §5: a shorter title is padded.
const PAD_BELOW: usize = 28;
const PADDING: &str = " | Student Housing";

#[derive(Debug, Clone, Serialize)]
pub struct Head {
    pub title: String,
    pub description: String,
    pub keywords: Option<String>,
    pub canonical: Option<String>,
    pub robots: &'static str,
    pub prev: Option<String>,
    pub next: Option<String>,
    pub image: Option<String>,
    pub alternates: Vec<Alternate>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Alternate {
    pub lang: &'static str,
    pub href: String,
    /// The site's own language, which its addresses show without naming it.
    #[serde(skip)]
    pub is_usual: bool,
}

impl Head {
    /// A page that search engines may list under `path`.
    pub fn listed(
        sources: &PageSources,
        lang: Language,
        prefix: &str,
        description: impl Into<String>,
        path: &str,
    ) -> Self {
        Self {
            title: title(prefix, &face_of(sources).name),
            description: description.into(),
            keywords: None,
            canonical: Some(href(sources, lang, path)),
            robots: "index,follow",
            prev: None,
            next: None,
            image: None,
            alternates: Language::SERVED
                .into_iter()
                .map(|lang| Alternate {
                    lang: lang.code(),
                    href: href(sources, lang, path),
                    is_usual: lang == sources.site.language,
                })
                .collect(),
        }
    }

    /// A page for one person or one moment: not indexed, no canonical.
    pub fn private(sources: &PageSources, prefix: &str) -> Self {
        Self {
            title: title(prefix, &face_of(sources).name),
            description: String::new(),
            keywords: None,
            canonical: None,
            robots: NOT_LISTED,
            prev: None,
            next: None,
            image: None,
            alternates: Vec::new(),
        }
    }

    /// Page 404 and 500.
    pub fn of_error(sources: &PageSources, prefix: &str, _address: &Address<'_>) -> Self {
        Self::private(sources, prefix)
    }
}

/// The whole address of a page in a language: the site's own is what an address without one shows to a search engine.
pub fn href(sources: &PageSources, lang: Language, path: &str) -> String {
    let base = &sources.site.origin;
    let joint = if path.contains('?') { '&' } else { '?' };
    if lang == sources.site.language {
        return format!("{base}{path}");
    }
    format!("{base}{path}{joint}lang={}", lang.code())
}

/// Brand suffix first, padding second (D140).
pub fn title(prefix: &str, brand: &str) -> String {
    let mut title = prefix.to_owned();
    if title.chars().count() < BRAND_BELOW && !title.contains(brand) {
        title = format!("{title} | {brand}");
    }
    if title.chars().count() < PAD_BELOW {
        title.push_str(PADDING);
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_title_gets_the_brand_and_the_padding() {
        assert_eq!(title("Payments", "Amber"), "Payments | Amber | Student Housing");
    }

    #[test]
    fn a_long_title_stays_as_it_is() {
        let long = "Student accommodation in Newcastle upon Tyne near the university";
        assert_eq!(title(long, "Amber"), long);
    }

    #[test]
    fn a_title_that_names_the_brand_does_not_name_it_twice() {
        assert_eq!(
            title("Amber student rooms all over London", "Amber"),
            "Amber student rooms all over London"
        );
    }
}
