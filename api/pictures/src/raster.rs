//! A drawing as pixels, in the sizes of Spec §9: for social images, mail and feeds, which show no SVG.

use jpeg_encoder::{ColorType, Encoder};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels of a picture as Spec §9 names them: `240` is a width and keeps the drawing's shape, `400x260` is filled and cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    name: &'static str,
    width: u32,
    height: Option<u32>,
}

const fn wide(name: &'static str, width: u32) -> Size {
    Size {
        name,
        width,
        height: None,
    }
}

const fn cut(name: &'static str, width: u32, height: u32) -> Size {
    Size {
        name,
        width,
        height: Some(height),
    }
}

impl Size {
    /// All sizes there are.
    pub(crate) const ALL: [Self; 7] = [
        wide("80", 80),
        wide("150", 150),
        wide("240", 240),
        cut("400x260", 400, 260),
        wide("720", 720),
        wide("1000", 1_000),
        cut("1080x720", 1_080, 720),
    ];

    fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.name == name)
    }
}

/// How pixels are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// At this quality, of 100.
    Jpeg(u8),
    Png,
}

impl Format {
    /// `jpg` takes the quality of the deployment (Spec §9).
    fn find(name: &str, quality: u8) -> Option<Self> {
        match name {
            "jpg" => Some(Self::Jpeg(quality)),
            "png" => Some(Self::Png),
            _ => None,
        }
    }

    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg(_) => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

/// What `bedroom.1080x720.jpg` asks for beside the drawing itself: the drawing's name, the size and the format.
pub(crate) fn asked(file: &str, quality: u8) -> Option<(&str, Size, Format)> {
    let (rest, format) = file.rsplit_once('.')?;
    let (stem, size) = rest.rsplit_once('.')?;
    Some((stem, Size::find(size)?, Format::find(format, quality)?))
}

/// Paints the drawing. Takes tens of milliseconds of a core: never on a thread that serves.
///
/// # Errors
/// Says what was wrong with the drawing; ours are never wrong.
pub(crate) fn paint(svg: &str, size: Size, format: Format) -> Result<Vec<u8>, String> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| error.to_string())?;
    let drawn = tree.size();
    let (width, height) = pixels(size, drawn.width(), drawn.height());
    let mut canvas =
        Pixmap::new(width, height).ok_or_else(|| format!("no picture is {width} × {height} pixels"))?;
    let (across, down) = (side(width), side(height));
    // Filled, and what sticks out on two sides is cut evenly.
    let scale = (across / drawn.width()).max(down / drawn.height());
    let shift = (
        (across - drawn.width() * scale) / 2.0,
        (down - drawn.height() * scale) / 2.0,
    );
    let place = Transform::from_scale(scale, scale).post_translate(shift.0, shift.1);
    resvg::render(&tree, place, &mut canvas.as_mut());
    match format {
        Format::Png => canvas.encode_png().map_err(|error| error.to_string()),
        Format::Jpeg(quality) => jpeg(&canvas, quality),
    }
}

fn jpeg(canvas: &Pixmap, quality: u8) -> Result<Vec<u8>, String> {
    let side = |pixels: u32| u16::try_from(pixels).map_err(|error| error.to_string());
    let mut bytes = Vec::new();
    // The drawings cover their whole canvas: there is no transparency to lose.
    Encoder::new(&mut bytes, quality)
        .encode(
            canvas.data(),
            side(canvas.width())?,
            side(canvas.height())?,
            ColorType::Rgba,
        )
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn pixels(size: Size, across: f32, down: f32) -> (u32, u32) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a positive number of pixels, at most a few thousand"
    )]
    let kept = |width: u32| (side(width) * down / across).round().max(1.0) as u32;
    (size.width, size.height.unwrap_or_else(|| kept(size.width)))
}

#[expect(clippy::cast_precision_loss, reason = "sides have four digits at most")]
const fn side(pixels: u32) -> f32 {
    pixels as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF_AND_HALF: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1080 720" width="1080" height="720"><path fill="#ff0000" d="M0 0h540v720h-540z"/><path fill="#0000ff" d="M540 0h540v720h-540z"/></svg>"##;

    fn painted(size: &str) -> Pixmap {
        let png = paint(HALF_AND_HALF, Size::find(size).unwrap(), Format::Png).unwrap();
        Pixmap::decode_png(&png).unwrap()
    }

    #[test]
    fn a_width_keeps_the_drawings_shape() {
        for (size, height) in [("80", 53), ("240", 160), ("1000", 667)] {
            assert_eq!(painted(size).height(), height, "{size}");
        }
    }

    #[test]
    fn a_width_and_height_is_filled_without_bars() {
        let canvas = painted("400x260");
        assert_eq!((canvas.width(), canvas.height()), (400, 260));
        let at = |x, y| {
            let pixel = canvas.pixel(x, y).unwrap();
            (pixel.red(), pixel.blue())
        };
        for corner in [(0, 0), (0, 259)] {
            assert_eq!(at(corner.0, corner.1), (255, 0));
        }
        for corner in [(399, 0), (399, 259)] {
            assert_eq!(at(corner.0, corner.1), (0, 255));
        }
    }

    #[test]
    fn a_jpeg_is_a_jpeg_and_lighter_where_less_is_asked_of_it() {
        let size = Size::find("1080x720").unwrap();
        let fine = paint(HALF_AND_HALF, size, Format::Jpeg(80)).unwrap();
        assert_eq!(fine.get(..3), Some(&[0xff, 0xd8, 0xff][..]));
        assert!(paint(HALF_AND_HALF, size, Format::Jpeg(20)).unwrap().len() < fine.len());
    }

    #[test]
    fn only_the_sizes_and_formats_that_exist_are_understood() {
        assert!(asked("bedroom-ensuite-room.1080x720.jpg", 80).is_some());
        for file in [
            "bedroom.svg",
            "bedroom.jpg",
            "bedroom.81.jpg",
            "bedroom.1080X720.jpg",
            "bedroom.99999x99999.png",
            "bedroom.80.gif",
            "bedroom.80.",
            ".80",
        ] {
            assert_eq!(asked(file, 80), None, "{file}");
        }
    }
}
