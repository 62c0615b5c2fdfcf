//! Pictures of brands: looked at, and made into the sizes in which pages, mails and devices show them. A drawing (SVG) is drawn to pixels;
//! the drawing itself is never served.

use std::io::Cursor;

use domain::brand::BrandFormat;
use domain::photo::{PhotoFormat, PhotoRefusal};
use image::imageops::{FilterType, overlay, resize};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use photos::decode_picture;
use platform::config::brand::{LOGO_FILE, MARK_FILE, MARK_SIDE};
use thiserror::Error;

mod drawing;
mod mark;

use drawing::Drawing;
pub use mark::draw_mark;

/// Longer strips are no mark of a brand.
const LONGEST_SHAPE: f64 = 10.0;
/// Beside the head's name, in mails and on papers: fitted in here.
const LOGO: (u32, u32) = (640, 160);
/// A picture for links that are shared.
const SHARED: (u32, u32) = (1_200, 630);

/// The file of links that are shared.
pub const SHARED_FILE: &str = "share.jpg";
/// Square files of tabs and devices, by their side in pixels.
pub const ICONS: [(u32, &str); 4] = [
    (32, "icon-32.png"),
    (180, "icon-180.png"),
    (MARK_SIDE, MARK_FILE),
    (512, "icon-512.png"),
];
/// The icon of devices that lay it on black where it is transparent.
const OPAQUE_ICON: u32 = 180;

/// Why a file is no picture of a brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PictureFault {
    #[error("the file has more than 5 MB")]
    TooLarge,
    #[error("the picture has too many pixels")]
    TooManyPixels,
    #[error("the file is no PNG, JPEG, WebP or SVG")]
    NotAPicture,
    #[error("the picture breaks off, or contradicts itself")]
    Damaged,
    #[error("the picture is more than ten times as wide as high, or as high as wide")]
    TooLong,
    #[error("the drawing holds a script")]
    Script,
    #[error("the drawing shows something from elsewhere, or a picture within")]
    Outside,
    #[error("the drawing holds text: text has to be turned into paths")]
    Text,
    #[error("the drawing has too many parts, or effects that are not drawn")]
    TooComplex,
}

impl PictureFault {
    /// Every fault.
    pub const ALL: [Self; 9] = [
        Self::TooLarge,
        Self::TooManyPixels,
        Self::NotAPicture,
        Self::Damaged,
        Self::TooLong,
        Self::Script,
        Self::Outside,
        Self::Text,
        Self::TooComplex,
    ];

    /// The code programs read.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::TooManyPixels => "too_many_pixels",
            Self::NotAPicture => "not_a_picture",
            Self::Damaged => "damaged",
            Self::TooLong => "too_long",
            Self::Script => "script",
            Self::Outside => "outside",
            Self::Text => "text",
            Self::TooComplex => "too_complex",
        }
    }
}

impl From<PhotoRefusal> for PictureFault {
    fn from(refusal: PhotoRefusal) -> Self {
        match refusal {
            PhotoRefusal::TooLarge => Self::TooLarge,
            PhotoRefusal::TooManyPixels => Self::TooManyPixels,
            PhotoRefusal::FormatNotTaken | PhotoRefusal::NotAPicture => Self::NotAPicture,
            PhotoRefusal::Damaged
            | PhotoRefusal::Gone
            | PhotoRefusal::Unreachable
            | PhotoRefusal::NotPermitted => Self::Damaged,
        }
    }
}

/// A picture that can be shown.
pub(crate) struct MadePicture {
    pub(crate) format: BrandFormat,
    /// Pixels of the logo's file.
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Files of its sizes by their names.
    pub(crate) files: Vec<(&'static str, Vec<u8>)>,
}

/// The motif of all sizes.
enum Motif {
    Pixels(RgbaImage),
    Drawn(Box<Drawing>),
}

/// Reads a file and makes its sizes. Takes up to seconds of a core: never on a thread that serves.
///
/// # Errors
/// Why it cannot be shown.
pub(crate) fn make_picture(bytes: &[u8]) -> Result<MadePicture, PictureFault> {
    let (motif, format) = read_motif(bytes)?;
    let (wide, high) = motif.shape();
    if wide.max(high) > wide.min(high) * LONGEST_SHAPE {
        return Err(PictureFault::TooLong);
    }
    let logo = motif.fit(LOGO, false)?;
    let (width, height) = logo.dimensions();
    let mut files = vec![(LOGO_FILE, write_png(logo)?)];
    for (side, file) in ICONS {
        let ground = if side == OPAQUE_ICON {
            Rgba([255; 4])
        } else {
            Rgba([0; 4])
        };
        files.push((file, write_png(motif.lay_on((side, side), ground)?)?));
    }
    let shared = motif.lay_on(SHARED, Rgba([255; 4]))?;
    files.push((SHARED_FILE, write_jpeg(shared)?));
    Ok(MadePicture {
        format,
        width,
        height,
        files,
    })
}

fn read_motif(bytes: &[u8]) -> Result<(Motif, BrandFormat), PictureFault> {
    if let Some(text) = drawing::find_text(bytes) {
        return Ok((Motif::Drawn(Box::new(Drawing::read(text)?)), BrandFormat::Svg));
    }
    let (picture, format) = decode_picture(bytes)?;
    let format = match format {
        PhotoFormat::Jpeg => BrandFormat::Jpeg,
        PhotoFormat::Png => BrandFormat::Png,
        PhotoFormat::Webp => BrandFormat::Webp,
    };
    Ok((Motif::Pixels(picture.into_rgba8()), format))
}

impl Motif {
    fn shape(&self) -> (f64, f64) {
        match self {
            Self::Pixels(pixels) => (f64::from(pixels.width()), f64::from(pixels.height())),
            Self::Drawn(drawing) => drawing.shape(),
        }
    }

    /// The motif whole within a frame; blown up only where `may_grow` says so, or where it is drawn.
    fn fit(&self, frame: (u32, u32), may_grow: bool) -> Result<RgbaImage, PictureFault> {
        let (wide, high) = self.shape();
        let scale = (f64::from(frame.0) / wide).min(f64::from(frame.1) / high);
        let scale = match self {
            Self::Pixels(_) if !may_grow => scale.min(1.0),
            Self::Pixels(_) | Self::Drawn(_) => scale,
        };
        let (width, height) = (
            count_pixels(wide * scale, frame.0),
            count_pixels(high * scale, frame.1),
        );
        match self {
            Self::Pixels(pixels) => Ok(resize(pixels, width, height, FilterType::CatmullRom)),
            Self::Drawn(drawing) => drawing.draw(width, height),
        }
    }

    /// The motif in the middle of a ground.
    fn lay_on(&self, frame: (u32, u32), ground: Rgba<u8>) -> Result<RgbaImage, PictureFault> {
        let shown = self.fit(frame, true)?;
        let mut sheet = RgbaImage::from_pixel(frame.0, frame.1, ground);
        let middle = |room: u32, taken: u32| i64::from(room.saturating_sub(taken) / 2);
        let (left, top) = (middle(frame.0, shown.width()), middle(frame.1, shown.height()));
        overlay(&mut sheet, &shown, left, top);
        Ok(sheet)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a positive number of pixels within the frame"
)]
fn count_pixels(side: f64, most: u32) -> u32 {
    (side.round() as u32).clamp(1, most)
}

fn write_png(picture: RgbaImage) -> Result<Vec<u8>, PictureFault> {
    write_file(&DynamicImage::ImageRgba8(picture), ImageFormat::Png)
}

fn write_jpeg(picture: RgbaImage) -> Result<Vec<u8>, PictureFault> {
    let opaque = DynamicImage::ImageRgba8(picture).into_rgb8();
    write_file(&DynamicImage::ImageRgb8(opaque), ImageFormat::Jpeg)
}

fn write_file(picture: &DynamicImage, format: ImageFormat) -> Result<Vec<u8>, PictureFault> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, format)
        .map_err(|_| PictureFault::Damaged)?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests;
