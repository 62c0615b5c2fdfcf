//! The embedded font, and how wide its characters are.

use krilla::text::Font;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};

use crate::PdfError;

/// Noto Sans SC with the characters of GB 2312 and of Europe's alphabets; `scripts/receipt_font.py` makes it.
const BYTES: &[u8] = include_bytes!("../font/NotoSansSC-reduced.ttf");

/// In the place of a character that the font lacks.
const SUBSTITUTE: char = '□';

/// The font, ready to be measured and drawn.
pub(crate) struct Typeface {
    pub(crate) font: Font,
    widths: FontRef<'static>,
}

impl Typeface {
    pub(crate) fn embedded() -> Result<Self, PdfError> {
        let font = Font::new(BYTES.into(), 0).ok_or(PdfError::Font)?;
        let widths = FontRef::new(BYTES).map_err(|_| PdfError::Font)?;
        Ok(Self { font, widths })
    }

    /// The text as it can be drawn: white space as spaces, nothing invisible, a box for what the font lacks.
    pub(crate) fn drawable(&self, text: &str) -> String {
        let characters = self.widths.charmap();
        let drawn = text.chars().filter_map(|character| match character {
            _ if character.is_whitespace() => Some(' '),
            _ if character.is_control() => None,
            _ if characters.map(character).is_some() => Some(character),
            _ => Some(SUBSTITUTE),
        });
        drawn.collect()
    }

    /// How wide drawable text is, in points.
    pub(crate) fn width(&self, text: &str, size: f32) -> f32 {
        let characters = self.widths.charmap();
        let metrics = self.widths.glyph_metrics(Size::new(size), LocationRef::default());
        let advance = |character| metrics.advance_width(characters.map(character)?);
        text.chars().filter_map(advance).sum()
    }

    /// Text in lines of at most `room` points. Chinese breaks between any two characters, all else between words; a word that is
    /// wider than the line breaks where it must.
    pub(crate) fn lines(&self, text: &str, size: f32, room: f32) -> Vec<String> {
        let text = self.drawable(text);
        let (mut lines, mut line) = (Vec::new(), String::new());
        for piece in pieces(&text) {
            if self.width(&line, size) + self.width(piece.trim_end(), size) <= room {
                line.push_str(piece);
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
            }
            for character in piece.chars() {
                if !line.is_empty()
                    && self.width(&line, size) + self.width(character.encode_utf8(&mut [0; 4]), size) > room
                {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(character);
            }
        }
        lines.push(line.trim_end().to_owned());
        lines
    }
}

/// What may stand on a line of its own.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut begin) = (Vec::new(), 0);
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let end = at + character.len_utf8();
        let next = characters.peek().map(|(_, next)| *next);
        let ends = character == ' ' || is_ideograph(character) && !next.is_some_and(closes);
        if ends || next.is_some_and(is_ideograph) {
            pieces.push(&text[begin..end]);
            begin = end;
        }
    }
    pieces.push(&text[begin..]);
    pieces
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}')
        && !closes(character)
}

/// Punctuation that stays with what it follows.
fn closes(character: char) -> bool {
    "，。：；、）》！？”’".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_has_the_letters_of_all_five_languages() {
        let face = Typeface::embedded().unwrap();
        let text = "üöäñéèçßœŁřőșĐ€£$₹₩ 收据退款单：，。（）";
        assert_eq!(face.drawable(text), text);
        assert_eq!(face.drawable("a\u{1F600}b"), "a□b");
    }

    #[test]
    fn lines_break_between_words_and_characters() {
        let face = Typeface::embedded().unwrap();
        let english = face.lines("one two three four five six seven", 10.0, 60.0);
        assert!(
            english.len() > 2 && english.iter().all(|line| face.width(line, 10.0) <= 60.0),
            "{english:?}"
        );
        assert_eq!(english.join(" "), "one two three four five six seven");
        let chinese = face.lines("这是一张收据，请妥善保存。", 10.0, 60.0);
        assert!(
            chinese.len() > 2 && chinese.iter().all(|line| !line.starts_with('，')),
            "{chinese:?}"
        );
        assert_eq!(
            face.lines("0123456789012345678901234567890", 10.0, 60.0).concat(),
            "0123456789012345678901234567890"
        );
    }
}
