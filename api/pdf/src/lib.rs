//! Papers as PDF: headings, facts, tables of amounts and attached files on A4 pages, in embedded fonts of which each file
//! carries the characters that it uses. Equal papers make equal bytes.

mod font;
mod sheet;

use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::metadata::{DateTime, Metadata};
use krilla::{Document, SerializeSettings};

use font::Typeface;
use sheet::Sheets;

/// Why a paper could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    #[error("the embedded font cannot be read")]
    Font,
    #[error("the file `{0}` cannot be attached: its name is taken or its type is none")]
    Attachment(String),
    #[error("the PDF cannot be written: {0}")]
    Writing(String),
}

/// When a paper was made, in UTC; written into the file, never read from a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Made {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
}

/// A row of a [`Block::Amounts`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    pub label: String,
    pub amount: String,
    /// Set larger, under a rule.
    pub is_total: bool,
}

/// A piece of a paper, set below the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    Title(String),
    Heading(String),
    Text(String),
    /// In small grey letters.
    Note(String),
    /// Name and value side by side.
    Facts(Vec<(String, String)>),
    /// Label on the left, amount on the right edge.
    Amounts(Vec<Amount>),
    /// Rows of as many cells as there are widths; the first row is the head. Widths are parts of the page.
    Table {
        widths: Vec<u16>,
        rows: Vec<Vec<String>>,
    },
}

/// A file inside the PDF, stored as it is, so that it is found in the bytes without a PDF reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub name: String,
    pub media_type: &'static str,
    pub description: String,
    pub bytes: Vec<u8>,
}

/// What a PDF file consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    pub title: String,
    /// Who gives it out.
    pub author: String,
    /// BCP 47.
    pub language: String,
    pub made: Made,
    pub blocks: Vec<Block>,
    /// At the foot of each page, before the page's number.
    pub footer: String,
    pub attachments: Vec<Attachment>,
}

/// The paper as the bytes of a PDF file. A character that the fonts lack is written in Latin
/// letters, and one that has no transliteration as an empty box (□).
///
/// # Errors
/// When an attachment cannot be taken, or the library refuses the document.
pub fn write(paper: &Paper) -> Result<Vec<u8>, PdfError> {
    let face = Typeface::embedded()?;
    let configuration = ConfigurationBuilder::new()
        .with_version(PdfVersion::Pdf17)
        .finish();
    let mut document = Document::new_with(SerializeSettings {
        configuration: configuration.map_err(|error| PdfError::Writing(format!("{error:?}")))?,
        ..SerializeSettings::default()
    });
    let mut sheets = Sheets::new(&face, &paper.footer);
    for block in &paper.blocks {
        sheets.set(block);
    }
    sheets.draw(&mut document)?;
    document.set_metadata(
        Metadata::new()
            .title(paper.title.clone())
            .authors(vec![paper.author.clone()])
            .language(paper.language.clone())
            .producer("Latchkey".to_owned())
            .creation_date(date(paper.made)),
    );
    for attachment in &paper.attachments {
        let refused = || PdfError::Attachment(attachment.name.clone());
        let file = EmbeddedFile {
            path: attachment.name.clone(),
            mime_type: Some(MimeType::new(attachment.media_type).ok_or_else(refused)?),
            description: Some(attachment.description.clone()),
            association_kind: AssociationKind::Data,
            data: attachment.bytes.clone().into(),
            modification_date: Some(date(paper.made)),
            compress: Some(false),
            location: None,
        };
        document.embed_file(file).ok_or_else(refused)?;
    }
    document
        .finish()
        .map_err(|error| PdfError::Writing(format!("{error:?}")))
}

fn date(made: Made) -> DateTime {
    DateTime::new(made.year)
        .month(made.month)
        .day(made.day)
        .hour(made.hour)
        .minute(made.minute)
        .second(made.second)
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(text: &str) -> Paper {
        Paper {
            title: "Receipt".to_owned(),
            author: "Amber".to_owned(),
            language: "zh".to_owned(),
            made: Made {
                year: 2026,
                month: 11,
                day: 25,
                hour: 1,
                minute: 2,
                second: 3,
            },
            blocks: vec![
                Block::Title(text.to_owned()),
                Block::Facts(vec![("付款人".to_owned(), "Łukasz Müßigbrodt".to_owned())]),
                Block::Amounts(vec![Amount {
                    label: "Total".to_owned(),
                    amount: "EUR 259.07".to_owned(),
                    is_total: true,
                }]),
            ],
            footer: "R-1".to_owned(),
            attachments: vec![Attachment {
                name: "proof.json".to_owned(),
                media_type: "application/json",
                description: "proof".to_owned(),
                bytes: br#"{"format":"test"}"#.to_vec(),
            }],
        }
    }

    #[test]
    fn equal_papers_make_equal_bytes() {
        let first = write(&paper("Receipt 收据 ñ é ß € £")).unwrap();
        assert_eq!(first, write(&paper("Receipt 收据 ñ é ß € £")).unwrap());
        assert_ne!(first, write(&paper("Receipt 收据 ñ é ß € ₩")).unwrap());
        assert!(first.starts_with(b"%PDF-1.7"));
        assert!(
            first.len() < 60_000,
            "the font is not embedded whole: {}",
            first.len()
        );
    }

    #[test]
    fn attachment_lies_in_the_file_as_it_is() {
        let written = write(&paper("Receipt")).unwrap();
        let wanted = br#"{"format":"test"}"#;
        assert!(written.windows(wanted.len()).any(|bytes| bytes == wanted));
    }

    /// Emoji, control characters and empty text change nothing but what is seen.
    #[test]
    fn characters_that_the_font_lacks_do_not_fail() {
        for text in ["", "\u{1F600} \u{0}\n\t\u{10FFFF}", "ไทย العربية 한국"] {
            assert!(write(&paper(text)).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn long_papers_go_on_with_another_page() {
        let mut long = paper("Receipt");
        long.blocks = (0..200).map(|n| Block::Text(format!("line {n}"))).collect();
        let written = write(&long).unwrap();
        let text = String::from_utf8_lossy(&written).into_owned();
        assert!(text.contains("/Count 4") || text.contains("/Count 5") || text.contains("/Count 6"));
    }
}
