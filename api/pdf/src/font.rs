//! The embedded fonts: which of them draws a character, how text is shaped, and how wide it becomes.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, UnicodeBuffer};
use unicode_bidi::{BidiInfo, Level};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::PdfError;

/// In the order in which they are asked for a character. The first has the characters of GB 2312 and of Europe's alphabets;
/// `scripts/receipt_font.py` makes it, `scripts/script_fonts.py` the others.
const FONTS: [&[u8]; 7] = [
    include_bytes!("../font/NotoSansSC-reduced.ttf"),
    include_bytes!("../font/NotoSansTC-reduced.ttf"),
    include_bytes!("../font/NotoSansKR-reduced.ttf"),
    include_bytes!("../font/NotoSansArabic-reduced.ttf"),
    include_bytes!("../font/NotoSansHebrew-reduced.ttf"),
    include_bytes!("../font/NotoSansThai-reduced.ttf"),
    include_bytes!("../font/NotoSansDevanagari-reduced.ttf"),
];

/// In the place of a character that the fonts lack and that has no Latin transliteration.
const SUBSTITUTE: &str = "□";

/// Rare forms that names are written with, and the common form of each, which the fonts have. Their Latin reading would be a Chinese one.
const COMMON_FORMS: [(char, char); 5] = [
    ('髙', '高'),
    ('﨑', '崎'),
    ('𠮷', '吉'),
    ('栁', '柳'),
    ('濵', '濱'),
];

/// One font, to be drawn with and to shape with.
struct Face {
    font: Font,
    shaper: rustybuzz::Face<'static>,
}

impl Face {
    fn has(&self, character: char) -> bool {
        self.shaper.glyph_index(character).is_some()
    }
}

/// Shaped text of one font and direction.
pub(crate) struct Run {
    pub(crate) font: Font,
    pub(crate) text: String,
    pub(crate) glyphs: Vec<KrillaGlyph>,
    /// In parts of the font's size.
    pub(crate) advance: f32,
}

/// The fonts, ready to shape text.
pub(crate) struct Typeface {
    faces: Vec<Face>,
}

impl Typeface {
    pub(crate) fn embedded() -> Result<Self, PdfError> {
        let face = |bytes: &'static [u8]| {
            Some(Face {
                font: Font::new(bytes.into(), 0)?,
                shaper: rustybuzz::Face::from_slice(bytes, 0)?,
            })
        };
        let faces: Option<Vec<Face>> = FONTS.into_iter().map(face).collect();
        Ok(Self {
            faces: faces.ok_or(PdfError::Font)?,
        })
    }

    /// The text as it can be drawn: white space as spaces, nothing invisible that could turn the order of what follows, and what the
    /// fonts lack in its common form or in Latin letters. Emoji are left out, unless there is nothing else.
    pub(crate) fn drawable(&self, text: &str) -> String {
        let mut drawn = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                _ if character.is_whitespace() => drawn.push(' '),
                _ if character.is_control() || is_invisible(character) => {}
                _ if is_joiner(character) || self.faces.iter().any(|face| face.has(character)) => {
                    drawn.push(character);
                }
                _ => drawn.push_str(&self.replaced(character)),
            }
        }
        if drawn.trim().is_empty() && !text.trim().is_empty() {
            drawn.push_str(SUBSTITUTE);
        }
        drawn
    }

    /// What stands in the place of a character that the fonts lack.
    fn replaced(&self, character: char) -> String {
        let common = COMMON_FORMS.iter().find(|(rare, _)| *rare == character);
        if let Some((_, common)) =
            common.filter(|(_, common)| self.faces.iter().any(|face| face.has(*common)))
        {
            return common.to_string();
        }
        match any_ascii::any_ascii_char(character) {
            // A sign that belongs to the letter before it, such as one that takes its vowel away.
            "" if is_combining(character) => String::new(),
            "" => SUBSTITUTE.to_owned(),
            emoji if emoji.len() > 2 && emoji.starts_with(':') && emoji.ends_with(':') => String::new(),
            latin => latin.to_owned(),
        }
    }

    /// Drawable text as glyphs, from left to right on the page.
    pub(crate) fn shape(&self, text: &str) -> Vec<Run> {
        let order = BidiInfo::new(text, Some(Level::ltr()));
        let mut runs = Vec::new();
        for paragraph in &order.paragraphs {
            let (levels, ranges) = order.visual_runs(paragraph, paragraph.range.clone());
            for range in ranges {
                let is_rtl = levels.get(range.start).is_some_and(Level::is_rtl);
                let parts = self.by_face(&text[range]);
                let shaped = parts.into_iter().map(|(face, part)| shaped(face, part, is_rtl));
                if is_rtl {
                    runs.extend(shaped.rev());
                } else {
                    runs.extend(shaped);
                }
            }
        }
        runs
    }

    /// The text in parts of one font each, in its own order. A font goes on as long as it has the characters: a space does not end it.
    fn by_face<'t>(&self, text: &'t str) -> Vec<(&Face, &'t str)> {
        let (mut parts, mut begin) = (Vec::new(), 0);
        let mut current: Option<&Face> = None;
        for (at, character) in text.char_indices() {
            if is_joiner(character) || current.is_some_and(|face| face.has(character)) {
                continue;
            }
            let next = self.faces.iter().find(|face| face.has(character));
            if let Some(face) = current.filter(|_| at > begin) {
                parts.push((face, &text[begin..at]));
                begin = at;
            }
            current = next.or_else(|| self.faces.first());
        }
        parts.extend(current.map(|face| (face, &text[begin..])));
        parts
    }

    /// How wide drawable text is, in points.
    pub(crate) fn width(&self, text: &str, size: f32) -> f32 {
        self.shape(text).iter().map(|run| run.advance * size).sum()
    }

    /// Text in lines of at most `room` points. Chinese breaks between any two characters, all else between words; a word that is
    /// wider than the line breaks where it must.
    pub(crate) fn lines(&self, text: &str, size: f32, room: f32) -> Vec<String> {
        let text = self.drawable(text);
        let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0.0);
        for piece in pieces(&text) {
            if used + self.width(piece.trim_end(), size) <= room {
                line.push_str(piece);
                used += self.width(piece, size);
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                used = 0.0;
            }
            for character in piece.graphemes(true) {
                let width = self.width(character, size);
                if !line.is_empty() && used + width > room {
                    lines.push(std::mem::take(&mut line));
                    used = 0.0;
                }
                line.push_str(character);
                used += width;
            }
        }
        lines.push(line.trim_end().to_owned());
        lines
    }
}

/// Shapes text of one font and direction.
fn shaped(face: &Face, text: &str, is_rtl: bool) -> Run {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    buffer.set_direction(if is_rtl {
        Direction::RightToLeft
    } else {
        Direction::LeftToRight
    });
    let output = rustybuzz::shape(&face.shaper, &[], buffer);
    let mut starts: Vec<usize> = output
        .glyph_infos()
        .iter()
        .map(|glyph| glyph.cluster as usize)
        .collect();
    starts.sort_unstable();
    let units = face.font.units_per_em();
    #[expect(clippy::cast_precision_loss, reason = "units of a font are small")]
    let ems = |value: i32| value as f32 / units;
    let shaped = output.glyph_infos().iter().zip(output.glyph_positions());
    let glyphs: Vec<KrillaGlyph> = shaped
        .map(|(glyph, position)| {
            let start = glyph.cluster as usize;
            let after = starts.partition_point(|other| *other <= start);
            KrillaGlyph::new(
                GlyphId::new(glyph.glyph_id),
                ems(position.x_advance),
                ems(position.x_offset),
                ems(position.y_offset),
                ems(position.y_advance),
                start..starts.get(after).copied().unwrap_or(text.len()),
                None,
            )
        })
        .collect();
    let advances = output.glyph_positions().iter().map(|position| position.x_advance);
    Run {
        font: face.font.clone(),
        text: text.to_owned(),
        advance: ems(advances.sum()),
        glyphs,
    }
}

/// What joins letters or keeps them apart, without a shape of its own.
fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}')
}

/// Characters that only change how others are shown: marks of direction, selectors of variants.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
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

/// Whether a character is a sign that belongs to the letter before it.
fn is_combining(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_has_the_letters_of_all_five_languages() {
        let face = Typeface::embedded().unwrap();
        let text = "üöäñéèçßœŁřőșĐ€£$₹₩ 收据退款单：，。（）";
        assert_eq!(face.drawable(text), text);
        assert_eq!(face.drawable("a\u{10FFFF}b"), "a□b");
    }

    #[test]
    fn names_of_other_scripts_are_drawn_in_their_letters() {
        let face = Typeface::embedded().unwrap();
        for name in [
            "김철수",
            "สมชาย ใจดี",
            "प्रिया शर्मा",
            "محمد الفاروق",
            "דוד כהן",
            "陳黃國龍",
            "Nguyễn Đức",
            "Оксана",
        ] {
            assert_eq!(face.drawable(name), name);
            let glyphs: Vec<_> = face.shape(name).into_iter().flat_map(|run| run.glyphs).collect();
            assert!(glyphs.iter().all(|glyph| glyph.glyph_id.to_u32() != 0), "{name}");
        }
    }

    /// Letters of scripts without a font are written in Latin letters, without a box for signs above and below them; rare forms of names
    /// in their common form, emoji not at all.
    #[test]
    fn lacking_characters_are_transliterated() {
        let face = Typeface::embedded().unwrap();
        for name in ["রহিম", "মোহাম্মদ", "தமிழ்செல்வி", "සුනිල්", "អ្នកតារា", "အောင်ဆန်းစုကြည်"]
        {
            let drawn = face.drawable(name);
            assert!(drawn.is_ascii() && !drawn.is_empty(), "{name}: {drawn}");
        }
        assert_eq!(face.drawable("髙橋 﨑子"), "高橋 崎子");
        assert_eq!(face.drawable("\u{20BB7}田"), "吉田");
        assert_eq!(face.drawable("Zoë 🎓"), "Zoë ");
        assert_eq!(face.drawable("🎓"), SUBSTITUTE);
    }

    /// Arabic letters take other shapes where they join, and stand from right to left.
    #[test]
    fn arabic_is_joined_and_set_from_right_to_left() {
        let face = Typeface::embedded().unwrap();
        let ids = |text: &str| -> Vec<u32> {
            let glyphs = face.shape(text).into_iter().flat_map(|run| run.glyphs);
            glyphs.map(|glyph| glyph.glyph_id.to_u32()).collect()
        };
        let apart: Vec<u32> = "محمد"
            .chars()
            .rev()
            .flat_map(|letter| ids(&letter.to_string()))
            .collect();
        assert_ne!(ids("محمد"), apart);
        let runs = face.shape("A محمد B");
        let texts: Vec<&str> = runs.iter().map(|run| run.text.as_str()).collect();
        assert_eq!(texts, ["A ", "محمد", " B"]);
        let starts: Vec<usize> = runs[1]
            .glyphs
            .iter()
            .map(|glyph| glyph.text_range.start)
            .collect();
        assert!(starts.is_sorted_by(|a, b| a >= b), "{starts:?}");
        assert_eq!(face.drawable("a\u{202E}b"), "ab");
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
