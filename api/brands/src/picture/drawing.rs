//! Drawings (SVG) as pixels. A drawing is a program that somebody else wrote: what could reach out of it, hide in it or take for ever is
//! refused before anything is drawn, and the library that draws it is given no way to a file.

use std::collections::HashMap;

use image::RgbaImage;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, Node};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use super::PictureFault;

/// Letters of the longest drawing.
const TEXT_MAX: usize = 512 * 1024;
/// Parts of the richest drawing.
const PARTS_MAX: usize = 2_000;
/// Parts that are shown once more by `use`.
const USES_MAX: usize = 50;
/// Parts within parts: each layer takes a canvas of its own while it is drawn, and room on the stack.
const DEPTH_MAX: usize = 50;
/// Masks and clips: one may stand on another, and each then takes a canvas of its own too.
const CUTS_MAX: usize = 50;

/// A drawing that may be drawn.
pub(super) struct Drawing {
    tree: Tree,
}

/// The text of a file that is a drawing, by its beginning.
pub(super) fn find_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('<').then_some(text)
}

impl Drawing {
    /// Reads a drawing.
    ///
    /// # Errors
    /// Why it is not drawn.
    pub(super) fn read(text: &str) -> Result<Self, PictureFault> {
        if text.len() > TEXT_MAX {
            return Err(PictureFault::TooComplex);
        }
        // A document with definitions of its own (DTD) is refused by the reader.
        let document = Document::parse(text).map_err(|_| PictureFault::Damaged)?;
        if document.root_element().tag_name().name() != "svg" {
            return Err(PictureFault::NotAPicture);
        }
        check(&document)?;
        let options = Options {
            image_href_resolver: ImageHrefResolver {
                resolve_data: Box::new(|_, _, _| None),
                resolve_string: Box::new(|_, _| None),
            },
            ..Options::default()
        };
        let tree = Tree::from_xmltree(&document, &options).map_err(|_| PictureFault::Damaged)?;
        Ok(Self { tree })
    }

    /// Width and height, of which only the proportion counts.
    pub(super) fn shape(&self) -> (f64, f64) {
        let size = self.tree.size();
        (f64::from(size.width()), f64::from(size.height()))
    }

    /// The drawing in so many pixels.
    ///
    /// # Errors
    /// When there is no room for them.
    pub(super) fn draw(&self, width: u32, height: u32) -> Result<RgbaImage, PictureFault> {
        let mut canvas = Pixmap::new(width, height).ok_or(PictureFault::TooManyPixels)?;
        let size = self.tree.size();
        let place = Transform::from_scale(side(width) / size.width(), side(height) / size.height());
        resvg::render(&self.tree, place, &mut canvas.as_mut());
        let pixels = canvas.pixels().iter().flat_map(|pixel| {
            let plain = pixel.demultiply();
            [plain.red(), plain.green(), plain.blue(), plain.alpha()]
        });
        RgbaImage::from_raw(width, height, pixels.collect()).ok_or(PictureFault::TooManyPixels)
    }
}

#[expect(clippy::cast_precision_loss, reason = "sides have four digits at most")]
const fn side(pixels: u32) -> f32 {
    pixels as f32
}

/// Refuses what is not drawn.
fn check(document: &Document<'_>) -> Result<(), PictureFault> {
    let parts = || document.descendants().filter(Node::is_element);
    let is_cut = |part: &Node<'_, '_>| matches!(part.tag_name().name(), "mask" | "clipPath");
    let is_deep = |part: Node<'_, '_>| part.ancestors().nth(DEPTH_MAX).is_some();
    if parts().count() > PARTS_MAX || parts().filter(is_cut).count() > CUTS_MAX || parts().any(is_deep) {
        return Err(PictureFault::TooComplex);
    }
    for part in parts() {
        check_part(&part)?;
    }
    check_uses(document)
}

fn check_part(part: &Node<'_, '_>) -> Result<(), PictureFault> {
    match part.tag_name().name() {
        "script" | "foreignObject" | "handler" | "listener" | "iframe" | "object" | "embed" => {
            return Err(PictureFault::Script);
        }
        "image" | "feImage" | "audio" | "video" => return Err(PictureFault::Outside),
        "text" | "tspan" | "textPath" => return Err(PictureFault::Text),
        // A marker is drawn at every point of a line, within another marker at every point of that too.
        "filter" | "pattern" | "marker" => return Err(PictureFault::TooComplex),
        "style" => check_style(part.text().unwrap_or_default())?,
        _ => {}
    }
    for attribute in part.attributes() {
        let (name, value) = (attribute.name().to_ascii_lowercase(), attribute.value());
        if name.starts_with("on") {
            return Err(PictureFault::Script);
        }
        if name == "href" && !value.trim_start().starts_with('#') {
            return Err(PictureFault::Outside);
        }
        check_style(value)?;
    }
    Ok(())
}

/// Styles may name parts of the drawing alone.
fn check_style(style: &str) -> Result<(), PictureFault> {
    let style = style.to_ascii_lowercase();
    let is_inside = |rest: &str| rest.trim_start_matches([' ', '"', '\'']).starts_with('#');
    let is_outside = style.split("url(").skip(1).any(|rest| !is_inside(rest));
    if is_outside || style.contains("@import") {
        return Err(PictureFault::Outside);
    }
    Ok(())
}

/// A part that is shown again may not itself show others again: ten times ten times ten would be drawn.
fn check_uses(document: &Document<'_>) -> Result<(), PictureFault> {
    let is_use = |part: &Node<'_, '_>| part.tag_name().name() == "use";
    let by_id: HashMap<&str, Node<'_, '_>> = document
        .descendants()
        .filter_map(|part| Some((part.attribute("id")?, part)))
        .collect();
    let uses: Vec<Node<'_, '_>> = document.descendants().filter(is_use).collect();
    if uses.len() > USES_MAX {
        return Err(PictureFault::TooComplex);
    }
    for part in uses {
        let mut links = part.attributes().filter(|attribute| attribute.name() == "href");
        let shown = links.find_map(|link| by_id.get(link.value().trim().trim_start_matches('#')));
        if shown.is_some_and(|shown| shown.descendants().any(|within| is_use(&within))) {
            return Err(PictureFault::TooComplex);
        }
    }
    Ok(())
}
