//! Pages of words (Spec §2, D17): texts of the house, help, and addresses that lead on. Blog and map of the site have files of their own.

use ::content::{
    BLOG, BlockKind, PAGES, PageRule, Shelf, ShippedText, TextBlock, TextRun, Values, find_rule, find_text,
    read_blocks,
};
use axum::http::StatusCode;
use chrono::DateTime;
use domain::language::Language;
use domain::own_text::{PageText, list_languages};
use http_kit::error::ApiError;
use platform::days;
use platform::texts::text;
use projections::own_text;
use serde::Serialize;
use serde_json::{Value, json};

use super::head::Head;
use super::home;
use super::page::{Address, Outcome, Page, Render, written};
use super::sources::PageSources;
use super::{blog, site_map};
use crate::brand::face_of;
use crate::payload_shapes::content::{ContentPage, HelpPage, HelpQuestion, HelpTopic, PageLink};

/// The page of words at an address; none where the address names none.
///
/// # Errors
/// When the texts of the house cannot be read.
pub(super) async fn resolve(
    sources: &PageSources,
    address: &Address<'_>,
    parts: &[&str],
) -> Result<Option<Outcome>, ApiError> {
    let lang = address.lang;
    if let ["help"] = parts {
        return show_help(sources, lang).await;
    }
    if let [key] = parts
        && let Some(rule) = find_rule(key)
    {
        return show_text(sources, lang, rule).await;
    }
    Ok(find_tool(sources, lang, parts))
}

/// Pages that gather texts, and addresses that lead on.
fn find_tool(sources: &PageSources, lang: Language, parts: &[&str]) -> Option<Outcome> {
    match parts {
        // D5: the home page, whose canonical address is `/`.
        ["index"] => Some(Outcome::Page(Box::new(home::page(sources, lang)))),
        // D15: reviews belong to bookings.
        ["UserReviewScreen"] => Some(lead_to("/profile/leads?review=1")),
        // D17: the account of whoever asks.
        ["dashboard"] => Some(lead_to("/profile")),
        ["sitemap"] => Some(site_map::show_map(sources, lang)),
        [BLOG, rest @ ..] => blog::resolve(sources, lang, rest),
        _ => None,
    }
}

/// Another place for now (D8).
fn lead_to(path: &str) -> Outcome {
    Outcome::Redirect {
        status: StatusCode::FOUND,
        to: path.to_owned(),
    }
}

/// Values that texts name.
pub(crate) fn find_values(sources: &PageSources, lang: Language) -> Values {
    let (settings, face) = (&sources.settings, face_of(sources));
    let email = settings.support_email_of(&face).unwrap_or_default();
    Values::new([
        ("brand", face.name),
        ("hold", days::lasting(lang, settings.hold_seconds)),
        ("seller", settings.seller()),
        ("seller_address", join_lines(&settings.seller_address_now())),
        ("support_email", email),
    ])
}

/// An address of several lines in one.
fn join_lines(address: &str) -> String {
    let lines = address.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(", ")
}

/// A text with the values that it names.
pub(crate) struct FilledText {
    source: Source,
    values: Values,
}

enum Source {
    Shipped(ShippedText),
    /// Of the house.
    Own(PageText),
}

impl FilledText {
    /// The text that ships for a page, in a language.
    pub(crate) fn find(sources: &PageSources, lang: Language, slug: &str) -> Option<Self> {
        Some(Self::new(sources, lang, find_text(lang, slug)?))
    }

    /// A text that ships, read by somebody of the language.
    pub(crate) fn new(sources: &PageSources, lang: Language, text: ShippedText) -> Self {
        Self {
            source: Source::Shipped(text),
            values: find_values(sources, lang),
        }
    }

    /// A text of the house, read by somebody of the language.
    fn own(sources: &PageSources, lang: Language, text: PageText) -> Self {
        Self {
            source: Source::Own(text),
            values: find_values(sources, lang),
        }
    }

    /// A value of its head.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let said: &str = match (&self.source, name) {
            (Source::Shipped(text), _) => text.field(name)?,
            (Source::Own(text), "title") => &text.title,
            (Source::Own(text), "description") => &text.description,
            (Source::Own(text), "lead") => &text.lead,
            (Source::Own(text), "act") => &text.act,
            (Source::Own(_), _) => return None,
        };
        self.values.fill(said).filter(|said| !said.is_empty())
    }

    pub(crate) fn title(&self) -> String {
        self.field("title").unwrap_or_default()
    }

    pub(crate) fn description(&self) -> String {
        self.field("description").unwrap_or_default()
    }

    pub(crate) fn blocks(&self) -> Vec<TextBlock> {
        let body: &str = match &self.source {
            Source::Shipped(text) => text.body,
            Source::Own(text) => &text.body,
        };
        read_blocks(body, &self.values)
    }
}

/// Pages that say what holds: once the house wrote one, no reader is shown the text that ships, whatever their language.
const LAW: [&str; 4] = ["terms", "privacy", "imprint", "cookies"];

/// The text that the house shows for a page in place of the one that ships, with its day.
async fn find_own(
    sources: &PageSources,
    lang: Language,
    page: &str,
) -> Result<Option<(FilledText, String)>, ApiError> {
    let readers = sources.records.read.readers();
    let holds_for_all = LAW.contains(&page);
    let mut shown = None;
    for asked in list_languages(lang).filter(|asked| holds_for_all || *asked == lang) {
        shown = own_text::find_shown(readers, page, asked).await?;
        if shown.is_some() {
            break;
        }
    }
    Ok(shown.map(|shown| {
        let published = DateTime::from_timestamp_millis(shown.published_at).unwrap_or_default();
        let text = FilledText::own(sources, lang, shown.text);
        (text, published.date_naive().to_string())
    }))
}

/// The terms or the privacy notice as the house wrote them, in the reader's language, else in one in which it did.
pub(super) async fn show_own_legal(
    sources: &PageSources,
    lang: Language,
    name: &'static str,
) -> Result<Option<Outcome>, ApiError> {
    let own = find_own(sources, lang, name).await?;
    Ok(own.map(|own| draw_text(sources, lang, name_page(name), own)))
}

/// A page of words that stands in no list of them, on the shelf of help.
const fn name_page(key: &'static str) -> PageRule {
    PageRule {
        key,
        shelf: Shelf::Help,
        act: None,
        form: None,
    }
}

/// A page that search engines read, printed on the server.
pub(super) fn draw(route: &'static str, head: Head, shown: &impl Serialize, json_ld: Vec<Value>) -> Outcome {
    Outcome::Page(Box::new(Page {
        route,
        head,
        data: written(shown),
        json_ld,
        render: Render::Server,
        preload_image: None,
    }))
}

async fn show_text(
    sources: &PageSources,
    lang: Language,
    rule: PageRule,
) -> Result<Option<Outcome>, ApiError> {
    let own = find_own(sources, lang, rule.key).await?;
    let shipped = || Some((FilledText::find(sources, lang, rule.key)?, String::new()));
    let found = own.or_else(shipped);
    Ok(found.map(|text| draw_text(sources, lang, rule, text)))
}

/// A page with its text and the day from which it holds, which is empty of one that ships.
fn draw_text(
    sources: &PageSources,
    lang: Language,
    rule: PageRule,
    (text, holds_from): (FilledText, String),
) -> Outcome {
    let act = rule.act.and_then(|href| {
        let name = text.field("act")?;
        Some(link(name, href))
    });
    let shown = ContentPage {
        key: rule.key,
        title: text.title(),
        lead: text.field("lead"),
        holds_from: (!holds_from.is_empty()).then_some(holds_from),
        blocks: text.blocks(),
        act,
        form: rule.form,
        more: list_neighbours(sources, lang, rule),
    };
    let path = format!("/{}", rule.key);
    let head = Head::listed(sources, lang, &shown.title, text.description(), &path);
    draw("content", head, &shown, Vec::new())
}

pub(super) fn link(name: String, href: &str) -> PageLink {
    PageLink {
        name,
        href: href.to_owned(),
    }
}

/// The link to a page of words, by the title of its text.
pub(super) fn link_to(sources: &PageSources, lang: Language, key: &str) -> Option<PageLink> {
    let text = FilledText::find(sources, lang, key)?;
    Some(link(text.title(), &format!("/{key}")))
}

/// Other pages of the shelf.
fn list_neighbours(sources: &PageSources, lang: Language, rule: PageRule) -> Vec<PageLink> {
    let on_shelf = PAGES
        .into_iter()
        .filter(|page| page.shelf == rule.shelf && page.key != rule.key);
    on_shelf
        .filter_map(|page| link_to(sources, lang, page.key))
        .collect()
}

/// The two pages that a login accepts, as other pages link to them.
pub(super) fn legal_links(sources: &PageSources, lang: Language) -> [PageLink; 2] {
    let brand = face_of(sources).name;
    let values = [("brand", brand.as_str())];
    ["terms", "privacy"].map(|name| {
        let title = text(lang, &format!("legal.{name}_title"), &values);
        link(title, &format!("/{name}"))
    })
}

async fn show_help(sources: &PageSources, lang: Language) -> Result<Option<Outcome>, ApiError> {
    let own = find_own(sources, lang, "help").await?;
    let shipped = || Some((FilledText::find(sources, lang, "help")?, String::new()));
    let Some((text, holds_from)) = own.or_else(shipped) else {
        return Ok(None);
    };
    let blocks = text.blocks();
    if !is_sorted(&blocks) {
        let rule = name_page("help");
        return Ok(Some(draw_text(sources, lang, rule, (text, holds_from))));
    }
    let shown = HelpPage {
        title: text.title(),
        lead: text.field("lead"),
        topics: sort_by_topic(blocks),
    };
    let head = Head::listed(sources, lang, &shown.title, text.description(), "/help");
    let questions = describe_questions(&shown.topics);
    Ok(Some(draw("help", head, &shown, vec![questions])))
}

/// Says that each block of a text belongs to a question of a section, so that topics leave none of it out.
fn is_sorted(blocks: &[TextBlock]) -> bool {
    let mut last_heading = None;
    blocks.iter().all(|block| match block.kind {
        BlockKind::Section => {
            last_heading = Some(BlockKind::Section);
            true
        }
        BlockKind::Question => last_heading.replace(block.kind).is_some(),
        _ => last_heading == Some(BlockKind::Question),
    })
}

/// A text of sections and questions as topics.
fn sort_by_topic(blocks: Vec<TextBlock>) -> Vec<HelpTopic> {
    let mut topics: Vec<HelpTopic> = Vec::new();
    for block in blocks {
        let id = block.id.clone().unwrap_or_default();
        match (block.kind, topics.last_mut()) {
            (BlockKind::Section, _) => topics.push(HelpTopic {
                id,
                name: join_words(&block.runs),
                questions: Vec::new(),
            }),
            (BlockKind::Question, Some(topic)) => topic.questions.push(HelpQuestion {
                id,
                question: join_words(&block.runs),
                answer: Vec::new(),
            }),
            (_, Some(topic)) => {
                if let Some(question) = topic.questions.last_mut() {
                    question.answer.push(block);
                }
            }
            (_, None) => {}
        }
    }
    topics
}

pub(super) fn join_words(runs: &[TextRun]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

/// <https://schema.org/FAQPage>.
fn describe_questions(topics: &[HelpTopic]) -> Value {
    let questions = topics.iter().flat_map(|topic| &topic.questions);
    let described: Vec<Value> = questions
        .map(|question| {
            let words: Vec<String> = question
                .answer
                .iter()
                .flat_map(|block| std::iter::once(&block.runs).chain(&block.items))
                .map(|runs| join_words(runs))
                .filter(|words| !words.is_empty())
                .collect();
            json!({
                "@type": "Question",
                "name": question.question,
                "acceptedAnswer": { "@type": "Answer", "text": words.join(" ") },
            })
        })
        .collect();
    json!({ "@context": "https://schema.org", "@type": "FAQPage", "mainEntity": described })
}
