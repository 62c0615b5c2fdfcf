//! Markdown as blocks of a page: headings, paragraphs, lists and quotes, with strong words and links. No HTML is passed on: a tag in a
//! text is shown as its letters. Links lead into this site, to other sites, to an e-mail address or a phone.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde::Serialize;
use utoipa::ToSchema;

use crate::Values;

/// Headings of this level and above begin a section.
const SECTION_LEVEL: usize = 2;

/// Form of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// Heading of a section.
    Section,
    /// Heading below a section; on the page of help a question.
    Question,
    Paragraph,
    Bullets,
    Steps,
    Quote,
}

/// One block of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TextBlock {
    pub kind: BlockKind,
    /// By which an address names a heading.
    pub id: Option<String>,
    pub runs: Vec<TextRun>,
    /// Of lists.
    pub items: Vec<Vec<TextRun>>,
    /// The number of the first step; steps that another block interrupts go on counting.
    pub first: Option<u64>,
}

/// Words of one look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TextRun {
    pub text: String,
    pub is_strong: bool,
    /// Where the words lead.
    pub href: Option<String>,
}

/// The blocks of a Markdown text with its values.
pub fn read_blocks(markdown: &str, values: &Values) -> Vec<TextBlock> {
    let mut reader = Reader::new(values);
    for event in Parser::new_ext(markdown, Options::ENABLE_HEADING_ATTRIBUTES) {
        match event {
            Event::Start(tag) => reader.open(tag),
            Event::End(tag) => reader.close(tag),
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                reader.add_words(&text);
            }
            Event::SoftBreak | Event::HardBreak => reader.add_words(" "),
            // Not part of the subset.
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }
    reader.blocks
}

/// Blocks read so far, with what is open.
struct Reader<'v> {
    values: &'v Values,
    blocks: Vec<TextBlock>,
    runs: Vec<TextRun>,
    items: Vec<Vec<TextRun>>,
    /// The number with which the outermost list begins; none where it has bullets.
    list: Option<u64>,
    lists: usize,
    quotes: usize,
    strong: usize,
    hrefs: Vec<Option<String>>,
    heading: Option<String>,
    headings: usize,
}

impl<'v> Reader<'v> {
    fn new(values: &'v Values) -> Self {
        Self {
            values,
            blocks: Vec::new(),
            runs: Vec::new(),
            items: Vec::new(),
            list: None,
            lists: 0,
            quotes: 0,
            strong: 0,
            hrefs: Vec::new(),
            heading: None,
            headings: 0,
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { id, .. } => self.heading = id.map(|id| id.to_string()),
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::List(first) => {
                self.end_item();
                if self.lists == 0 {
                    self.list = first;
                }
                self.lists += 1;
            }
            Tag::Strong => self.strong += 1,
            Tag::Link { dest_url, .. } => self.hrefs.push(safe_href(&dest_url)),
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::List(_) => {
                self.lists = self.lists.saturating_sub(1);
                if self.lists == 0 {
                    self.end_list();
                }
            }
            TagEnd::Item => self.end_item(),
            TagEnd::Paragraph | TagEnd::CodeBlock | TagEnd::HtmlBlock => self.end_paragraph(),
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Link => drop(self.hrefs.pop()),
            _ => {}
        }
    }

    fn add_words(&mut self, words: &str) {
        let href = self.hrefs.last().cloned().flatten();
        let is_strong = self.strong > 0;
        match self.runs.last_mut() {
            Some(last) if last.is_strong == is_strong && last.href == href => last.text.push_str(words),
            _ => self.runs.push(TextRun {
                text: words.to_owned(),
                is_strong,
                href,
            }),
        }
    }

    fn end_heading(&mut self, level: HeadingLevel) {
        self.headings += 1;
        let id = self.heading.take();
        let id = id.unwrap_or_else(|| format!("part-{}", self.headings));
        let kind = if level as usize <= SECTION_LEVEL {
            BlockKind::Section
        } else {
            BlockKind::Question
        };
        let runs = std::mem::take(&mut self.runs);
        self.push(kind, Some(id), runs);
    }

    fn end_paragraph(&mut self) {
        if self.lists > 0 {
            self.add_words(" ");
            return;
        }
        let kind = if self.quotes > 0 {
            BlockKind::Quote
        } else {
            BlockKind::Paragraph
        };
        let runs = std::mem::take(&mut self.runs);
        self.push(kind, None, runs);
    }

    fn end_item(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        if let Some(runs) = self.fill(runs) {
            self.items.push(runs);
        }
    }

    fn end_list(&mut self) {
        let items = std::mem::take(&mut self.items);
        if items.is_empty() {
            return;
        }
        self.blocks.push(TextBlock {
            kind: self.list.map_or(BlockKind::Bullets, |_| BlockKind::Steps),
            id: None,
            runs: Vec::new(),
            items,
            first: self.list,
        });
    }

    fn push(&mut self, kind: BlockKind, id: Option<String>, runs: Vec<TextRun>) {
        if let Some(runs) = self.fill(runs) {
            self.blocks.push(TextBlock {
                kind,
                id,
                runs,
                items: Vec::new(),
                first: None,
            });
        }
    }

    /// Runs with their values; none where nothing is left to say.
    fn fill(&self, runs: Vec<TextRun>) -> Option<Vec<TextRun>> {
        let mut filled = Vec::with_capacity(runs.len());
        for run in runs {
            let href = match run.href {
                Some(href) => Some(self.values.fill(&href)?),
                None => None,
            };
            filled.push(TextRun {
                text: self.values.fill(&run.text)?,
                href,
                ..run
            });
        }
        if let Some(last) = filled.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        filled.retain(|run| !run.text.is_empty());
        (!filled.is_empty()).then_some(filled)
    }
}

/// An address that a link may have; words of any other link stay words.
fn safe_href(href: &str) -> Option<String> {
    let leads_in = href.starts_with('/') && !href.starts_with("//") && !href.contains('\\');
    let leads_out = ["https://", "http://", "mailto:", "tel:", "#"]
        .iter()
        .any(|start| href.starts_with(start));
    (leads_in || leads_out).then(|| href.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(markdown: &str) -> Vec<TextBlock> {
        let values = Values::new([("brand", "Amber".to_owned()), ("support_email", String::new())]);
        read_blocks(markdown, &values)
    }

    fn said(runs: &[TextRun]) -> String {
        runs.iter().map(|run| run.text.as_str()).collect()
    }

    #[test]
    fn blocks_keep_their_order_and_form() {
        let blocks = read(
            "## Fees {#fees}\n\nOne **line**\ngoes on.\n\n### When?\n\n1. Look\n2. Pay\n\n- a\n  - b\n\n> Said\n",
        );
        let kinds: Vec<BlockKind> = blocks.iter().map(|block| block.kind).collect();
        assert_eq!(
            kinds,
            [
                BlockKind::Section,
                BlockKind::Paragraph,
                BlockKind::Question,
                BlockKind::Steps,
                BlockKind::Bullets,
                BlockKind::Quote
            ]
        );
        assert_eq!(blocks[0].id.as_deref(), Some("fees"));
        assert_eq!(blocks[2].id.as_deref(), Some("part-2"));
        assert_eq!(said(&blocks[1].runs), "One line goes on.");
        assert!(blocks[1].runs[1].is_strong);
        let items: Vec<String> = blocks[4].items.iter().map(|item| said(item)).collect();
        assert_eq!(items, ["a", "b"]);
    }

    #[test]
    fn values_are_filled_and_what_lacks_one_is_left_out() {
        let blocks = read("{brand} is here.\n\nWrite to {support_email}.\n\n- {brand}\n- {support_email}\n");
        assert_eq!(blocks.len(), 2);
        assert_eq!(said(&blocks[0].runs), "Amber is here.");
        assert_eq!(blocks[1].items.len(), 1);
    }

    #[test]
    fn markup_stays_letters_and_links_lead_only_where_they_may() {
        let blocks =
            read("<b onclick=\"x()\">bold</b>\n\n[a](javascript:alert(1)) [b](//evil.example) [c](/help)\n");
        assert!(said(&blocks[0].runs).contains("<b onclick"));
        let hrefs: Vec<_> = blocks[1]
            .runs
            .iter()
            .filter_map(|run| run.href.as_deref())
            .collect();
        assert_eq!(hrefs, ["/help"]);
        let block = read("<script>alert(1)</script>\n");
        assert!(said(&block[0].runs).contains("<script>"));
    }
}
