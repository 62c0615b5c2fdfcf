//! Which pages of words there are, on which shelf they stand, and what one can do on them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::forms::ContactForm;

/// Pages that belong together in the footer and on the site map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    Students,
    House,
    Help,
}

impl Shelf {
    pub const ALL: [Self; 3] = [Self::Students, Self::House, Self::Help];
}

/// A page of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRule {
    /// Its path without the slash, and the name of its text.
    pub key: &'static str,
    pub shelf: Shelf,
    /// Where its button leads; a page with a form has none.
    pub act: Option<&'static str>,
    pub form: Option<ContactForm>,
}

const fn lead_on(key: &'static str, shelf: Shelf, act: &'static str) -> PageRule {
    PageRule {
        key,
        shelf,
        act: Some(act),
        form: None,
    }
}

const fn ask_with(key: &'static str, shelf: Shelf, form: ContactForm) -> PageRule {
    PageRule {
        key,
        shelf,
        act: None,
        form: Some(form),
    }
}

/// Every page of words but help, blog and the two that a login accepts, in the order of the site map (Spec §2).
pub const PAGES: [PageRule; 15] = [
    lead_on("how-it-works", Shelf::Students, "/"),
    ask_with("group-booking", Shelf::Students, ContactForm::GroupBooking),
    lead_on("scholarship", Shelf::Students, "/blog"),
    lead_on("exams", Shelf::Students, "/how-it-works"),
    lead_on("ambassador", Shelf::Students, "/contact"),
    lead_on("about", Shelf::House, "/how-it-works"),
    lead_on("career", Shelf::House, "/contact"),
    lead_on("news", Shelf::House, "/blog"),
    lead_on("media", Shelf::House, "/contact"),
    lead_on("podcast", Shelf::House, "/contact"),
    ask_with("partner", Shelf::House, ContactForm::Partner),
    ask_with(
        "university-partnerships",
        Shelf::House,
        ContactForm::UniversityPartnerships,
    ),
    ask_with("contact", Shelf::Help, ContactForm::Contact),
    lead_on("cookies", Shelf::Help, "/privacy"),
    lead_on("imprint", Shelf::Help, "/contact"),
];

/// The page of a path's only part.
pub fn find_rule(key: &str) -> Option<PageRule> {
    PAGES.into_iter().find(|page| page.key == key)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use domain::language::Language;

    use super::*;
    use crate::{BLOG, find_text, list_posts};

    /// Sentences of a text, by which two texts are compared.
    fn sentences(text: &str) -> Vec<String> {
        let parts = text.split(['.', '?', '!', '\n', '。', '？', '！']);
        let said = parts.map(|part| {
            part.trim_matches(|letter: char| !letter.is_alphanumeric())
                .to_lowercase()
        });
        said.filter(|part| part.chars().count() > 5).collect()
    }

    #[test]
    fn pages_have_a_text_in_every_served_language() {
        for lang in Language::SERVED {
            for page in PAGES {
                let text = find_text(lang, page.key).expect(page.key);
                assert_eq!(text.language, lang, "{}", page.key);
                assert_eq!(text.field("act").is_some(), page.act.is_some(), "{}", page.key);
                let length = |name: &str| text.field(name).unwrap_or_default().chars().count();
                assert!((1..=55).contains(&length("title")), "{}", page.key);
                assert!((20..=155).contains(&length("description")), "{}", page.key);
                assert!(length("lead") > 10, "{}", page.key);
            }
            assert!(find_text(lang, "help").is_some_and(|text| text.language == lang));
            assert!(find_text(lang, BLOG).is_some_and(|text| text.language == lang));
        }
    }

    /// Names under which pages of the shop keep something in a browser.
    fn list_kept(folder: &Path, names: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("workspace") && !path.ends_with("contract") {
                    list_kept(&path, names);
                }
                continue;
            }
            let source = fs::read_to_string(&path).unwrap_or_default();
            for quoted in ["\"latchkey.", "`latchkey."] {
                names.extend(source.split(quoted).skip(1).map(|rest| {
                    let is_named = |letter: &char| letter.is_ascii_lowercase() || *letter == '_';
                    format!(
                        "latchkey.{}",
                        rest.chars().take_while(is_named).collect::<String>()
                    )
                }));
            }
        }
    }

    /// The page says that it names everything.
    #[test]
    fn cookies_page_names_what_browsers_keep() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
        let mut kept = BTreeSet::from(["lead_form_part_one", "lead_form_part_two"].map(str::to_owned));
        list_kept(&sources, &mut kept);
        assert!(kept.contains("latchkey.source"), "{kept:?}");
        for lang in Language::SERVED {
            let page = find_text(lang, "cookies").unwrap().body;
            for name in &kept {
                assert!(page.contains(&format!("**{name}**")), "{} of {name}", lang.code());
            }
        }
    }

    #[test]
    fn posts_of_every_language_are_the_same_ones() {
        let slugs = |lang| {
            list_posts(lang)
                .into_iter()
                .map(|post| post.slug)
                .collect::<Vec<_>>()
        };
        let first = slugs(Language::default());
        assert!(!first.is_empty());
        for lang in Language::SERVED {
            assert_eq!(slugs(lang), first, "{}", lang.code());
            for post in list_posts(lang) {
                assert_eq!(post.language, lang, "{}", post.slug);
                assert!(post.field("date").is_some(), "{}", post.slug);
                assert!(post.field("tags").is_some(), "{}", post.slug);
            }
        }
    }

    #[test]
    fn no_two_pages_share_half_their_sentences() {
        for lang in Language::SERVED {
            let texts: Vec<_> = PAGES
                .iter()
                .filter_map(|page| Some((page.key, sentences(find_text(lang, page.key)?.body))))
                .collect();
            for (at, (one, said)) in texts.iter().enumerate() {
                assert!(said.len() >= 5, "{one} says {} sentences", said.len());
                for (other, heard) in &texts[at + 1..] {
                    let shared = said.iter().filter(|sentence| heard.contains(sentence)).count();
                    assert!(shared * 2 < said.len().min(heard.len()), "{one} and {other}");
                }
            }
        }
    }
}
