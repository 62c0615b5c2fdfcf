//! The mark of a brand that uploaded none: a plain shape in its colour, so that no tab shows another's.

use domain::brand::colour::Colour;
use platform::palette::Legible as _;

use super::drawing::Drawing;
use super::{ICONS, PictureFault, write_png};

/// Draws the mark as an icon of one of [`ICONS`]; `None` for a file that is none.
///
/// # Errors
/// Never for the shape itself.
pub fn draw_mark(colour: Colour, file: &str) -> Option<Result<Vec<u8>, PictureFault>> {
    let (side, _) = ICONS.into_iter().find(|(_, name)| *name == file)?;
    Some(draw(colour, side))
}

fn draw(colour: Colour, side: u32) -> Result<Vec<u8>, PictureFault> {
    let text = colour.text();
    let shape = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 34 34\"><rect width=\"34\" height=\"34\" rx=\"9\" fill=\"{colour}\"/>\
         <path d=\"M9 17 17 10l8 7v7H9Z\" fill=\"{text}\"/></svg>"
    );
    write_png(Drawing::read(&shape)?.draw(side, side)?)
}
