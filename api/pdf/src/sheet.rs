//! Sets blocks from top to bottom on A4 pages. All measures are points.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point};
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;

use crate::font::Typeface;
use crate::{Amount, Block, PdfError};

const PAGE: (f32, f32) = (595.0, 842.0);
const MARGIN: f32 = 56.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const BOTTOM: f32 = PAGE.1 - 72.0;
const LEADING: f32 = 1.45;
const BODY: f32 = 10.5;
const SMALL: f32 = 8.5;
/// Where values of facts begin.
const VALUES: f32 = 150.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ink {
    Dark,
    Grey,
}

/// Something on a page.
enum Mark {
    Text {
        x: f32,
        y: f32,
        size: f32,
        ink: Ink,
        text: String,
    },
    Rule {
        y: f32,
    },
}

/// Pages that are being set.
pub(crate) struct Sheets<'f> {
    face: &'f Typeface,
    footer: String,
    pages: Vec<Vec<Mark>>,
    /// How far down the last page is filled.
    y: f32,
}

impl<'f> Sheets<'f> {
    pub(crate) fn new(face: &'f Typeface, footer: &str) -> Self {
        Self {
            face,
            footer: footer.to_owned(),
            pages: vec![Vec::new()],
            y: MARGIN,
        }
    }

    pub(crate) fn set(&mut self, block: &Block) {
        match block {
            Block::Title(text) => {
                self.paragraph(text, 20.0, Ink::Dark);
                self.y += 8.0;
            }
            Block::Heading(text) => {
                self.y += 12.0;
                // A heading does not end a page.
                self.make_room(60.0);
                self.paragraph(text, 12.5, Ink::Dark);
                self.y += 2.0;
            }
            Block::Text(text) => {
                self.paragraph(text, BODY, Ink::Dark);
                self.y += 4.0;
            }
            Block::Note(text) => {
                self.paragraph(text, SMALL, Ink::Grey);
                self.y += 4.0;
            }
            Block::Facts(facts) => {
                for (name, value) in facts {
                    let cells = [
                        (0.0, VALUES - 10.0, name.as_str(), Ink::Grey),
                        (VALUES, WIDTH - VALUES, value, Ink::Dark),
                    ];
                    self.row(&cells, BODY);
                }
                self.y += 8.0;
            }
            Block::Amounts(amounts) => {
                for amount in amounts {
                    self.amount(amount);
                }
                self.y += 8.0;
            }
            Block::Table { widths, rows } => self.table(widths, rows),
        }
    }

    fn paragraph(&mut self, text: &str, size: f32, ink: Ink) {
        self.row(&[(0.0, WIDTH, text, ink)], size);
    }

    /// Cells side by side, each with its left edge and its width; as high as the highest.
    fn row(&mut self, cells: &[(f32, f32, &str, Ink)], size: f32) {
        let set = cells
            .iter()
            .map(|(x, room, text, ink)| (*x, *ink, self.face.lines(text, size, *room)));
        let set: Vec<_> = set.collect();
        let count = set.iter().map(|(_, _, lines)| lines.len()).max().unwrap_or(0);
        for number in 0..count {
            self.make_room(size * LEADING);
            for (x, ink, lines) in &set {
                if let Some(text) = lines.get(number) {
                    self.mark(MARGIN + x, size, *ink, text.clone());
                }
            }
            self.y += size * LEADING;
        }
    }

    fn amount(&mut self, amount: &Amount) {
        let size = if amount.is_total { 12.5 } else { BODY };
        if amount.is_total {
            self.y += 4.0;
            self.make_room(size * LEADING + 6.0);
            self.rule();
            self.y += 6.0;
        }
        let figure = self.face.drawable(&amount.amount);
        let width = self.face.width(&figure, size);
        let lines = self
            .face
            .lines(&amount.label, size, (WIDTH - width - 16.0).max(80.0));
        for (number, line) in lines.into_iter().enumerate() {
            self.make_room(size * LEADING);
            self.mark(MARGIN, size, Ink::Dark, line);
            if number == 0 {
                self.mark(MARGIN + WIDTH - width, size, Ink::Dark, figure.clone());
            }
            self.y += size * LEADING;
        }
    }

    fn table(&mut self, widths: &[u16], rows: &[Vec<String>]) {
        let whole: f32 = widths.iter().copied().map(f32::from).sum();
        for (number, row) in rows.iter().enumerate() {
            let ink = if number == 0 { Ink::Grey } else { Ink::Dark };
            let mut x = 0.0;
            let mut cells = Vec::new();
            for (width, text) in widths.iter().zip(row) {
                let room = WIDTH * f32::from(*width) / whole;
                cells.push((x, room - 8.0, text.as_str(), ink));
                x += room;
            }
            self.row(&cells, SMALL);
            self.y += 2.0;
            if number == 0 {
                self.rule();
                self.y += 4.0;
            }
        }
        self.y += 8.0;
    }

    fn make_room(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.pages.push(Vec::new());
            self.y = MARGIN;
        }
    }

    fn mark(&mut self, x: f32, size: f32, ink: Ink, text: String) {
        let y = self.y + size;
        if let Some(page) = self.pages.last_mut() {
            page.push(Mark::Text {
                x,
                y,
                size,
                ink,
                text,
            });
        }
    }

    fn rule(&mut self) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.push(Mark::Rule { y });
        }
    }

    /// Draws the pages into a document.
    pub(crate) fn draw(self, document: &mut Document) -> Result<(), PdfError> {
        let settings = || {
            PageSettings::from_wh(PAGE.0, PAGE.1)
                .ok_or_else(|| PdfError::Writing("the page has no size".to_owned()))
        };
        let count = self.pages.len();
        for (number, marks) in self.pages.into_iter().enumerate() {
            let mut page = document.start_page_with(settings()?);
            let mut surface = page.surface();
            for mark in marks {
                draw(&mut surface, self.face, mark);
            }
            let foot = |x, text| Mark::Text {
                x,
                y: PAGE.1 - 40.0,
                size: SMALL,
                ink: Ink::Grey,
                text,
            };
            let place = format!("{} / {count}", number + 1);
            let right = MARGIN + WIDTH - self.face.width(&place, SMALL);
            draw(
                &mut surface,
                self.face,
                foot(MARGIN, self.face.drawable(&self.footer)),
            );
            draw(&mut surface, self.face, foot(right, place));
            surface.finish();
            page.finish();
        }
        Ok(())
    }
}

fn color(ink: Ink) -> rgb::Color {
    match ink {
        Ink::Dark => rgb::Color::new(0x17, 0x18, 0x1C),
        Ink::Grey => rgb::Color::new(0x5B, 0x5E, 0x66),
    }
}

fn draw(surface: &mut Surface<'_>, face: &Typeface, mark: Mark) {
    match mark {
        Mark::Text {
            x,
            y,
            size,
            ink,
            text,
        } => {
            surface.set_stroke(None);
            surface.set_fill(Some(Fill {
                paint: color(ink).into(),
                opacity: NormalizedF32::ONE,
                rule: FillRule::default(),
            }));
            let mut x = x;
            for run in face.shape(&text) {
                let at = Point::from_xy(x, y);
                surface.draw_glyphs(at, &run.glyphs, run.font, &run.text, size, false);
                x += run.advance * size;
            }
        }
        Mark::Rule { y } => {
            let mut line = PathBuilder::new();
            line.move_to(MARGIN, y);
            line.line_to(MARGIN + WIDTH, y);
            if let Some(path) = line.finish() {
                surface.set_fill(None);
                surface.set_stroke(Some(Stroke {
                    paint: rgb::Color::new(0xC8, 0xCA, 0xD0).into(),
                    width: 0.75,
                    ..Stroke::default()
                }));
                surface.draw_path(&path);
            }
        }
    }
}
