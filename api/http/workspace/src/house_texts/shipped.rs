//! The text that ships for a page: of most the Markdown of `content`, of the two that a login accepts what `i18n/` says.

use ::content::{PAGES, find_text};
use domain::language::Language;
use domain::own_text::PageText;
use domain::photo::ContentHash;
use platform::config::Settings;
use platform::texts::text;

/// Pages that a login accepts, with the number of their sections.
const LEGAL: [(&str, u32); 2] = [("terms", 7), ("privacy", 6)];

/// Every page whose text the house may write.
pub(super) fn list_pages() -> impl Iterator<Item = &'static str> {
    let words = PAGES.into_iter().map(|page| page.key);
    words.chain(["help"]).chain(LEGAL.map(|(page, _)| page))
}

/// The text that ships for a page in a language.
pub(super) fn find_shipped(settings: &Settings, page: &str, language: Language) -> Option<PageText> {
    if let Some((_, sections)) = LEGAL.into_iter().find(|(legal, _)| *legal == page) {
        return Some(write_legal(settings, (page, sections), language));
    }
    let shipped = find_text(language, page)?;
    let field = |name: &str| shipped.field(name).unwrap_or_default().to_owned();
    Some(PageText {
        title: field("title"),
        description: field("description"),
        lead: field("lead"),
        act: field("act"),
        body: shipped.body.trim().to_owned(),
    })
}

/// A legal text as Markdown, each clause a section; the privacy notice ends with who processes data for the house today.
fn write_legal(settings: &Settings, (page, sections): (&str, u32), language: Language) -> PageText {
    let said = |part: &str| {
        let values = [("brand", "{brand}"), ("hold", "{hold}")];
        text(language, &format!("legal.{page}_{part}"), &values)
    };
    let mut body: Vec<String> = (1..=sections)
        .map(|number| {
            let (title, words) = (said(&format!("{number}_title")), said(&format!("{number}_text")));
            format!("## {title}\n\n{words}")
        })
        .collect();
    if page == "privacy" {
        let title = text(language, "legal.processors_title", &[]);
        let named: Vec<String> = settings
            .processors()
            .iter()
            .map(|processor| {
                format!(
                    "- {}",
                    text(language, processor.key, &[("name", processor.name.as_str())])
                )
            })
            .collect();
        if !named.is_empty() {
            body.push(format!("## {title}\n\n{}", named.join("\n")));
        }
    }
    PageText {
        title: said("title"),
        description: said("description"),
        lead: String::new(),
        act: String::new(),
        body: body.join("\n\n"),
    }
}

/// The hash of a text, by which a later wording is told from an earlier one.
pub(super) fn hash_text(text: &PageText) -> String {
    let parts = [&text.title, &text.description, &text.lead, &text.act, &text.body];
    let joined = parts.map(String::as_str).join("\n");
    ContentHash::of_bytes(joined.as_bytes()).to_string()
}
