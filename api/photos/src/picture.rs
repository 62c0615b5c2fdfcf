//! Reads a picture's bytes, refuses what is none of ours, and makes the sizes in which it is shown. Nothing is believed that the sender
//! says of them: the bytes tell the format, and the header the pixels before one of them is decoded.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::photo::sizes::{PhotoSize, list_sizes};
use domain::photo::{PhotoFormat, PhotoRefusal};
use image::error::ImageError;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage};
use jpeg_encoder::{ColorType, Encoder};

use crate::making::Qualities;

/// Pixels of the largest picture: 50 megapixels.
const PIXELS_MAX: u64 = 50_000_000;
/// Bytes that a decoded picture may take: the largest one with transparency.
const DECODED_MAX: u64 = 4 * PIXELS_MAX + 1024 * 1024;
/// Longer strips are no photo, and some encoders do not take them.
const LONGEST_SHAPE: u32 = 10;
/// Wide and high enough for every size; a picture that is larger both ways is brought near this one first, which is fast.
const WORKING_WIDTH: u32 = 2_160;
const WORKING_HEIGHT: u32 = 1_440;
/// Pixels that the preview is wide.
const PREVIEW_WIDTH: u32 = 24;
const PREVIEW_QUALITY: f32 = 40.0;
/// Letters of a preview that a page carries, and a header before them.
const PREVIEW_BYTES_MAX: usize = 1_024;

/// A picture that can be shown.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Pixels, upright.
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) format: PhotoFormat,
    /// A data URL.
    pub(crate) preview: String,
    /// Files of its sizes by their names: `720.webp`.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// Reads a picture and makes its sizes. Takes up to seconds of a core: never on a thread that serves.
///
/// # Errors
/// Why it cannot be shown.
pub(crate) fn prepare(bytes: &[u8], qualities: Qualities) -> Result<Prepared, PhotoRefusal> {
    let (picture, format) = decode_picture(bytes)?;
    let (width, height) = (picture.width(), picture.height());
    if width.max(height) > width.min(height).saturating_mul(LONGEST_SHAPE) {
        return Err(PhotoRefusal::NotAPicture);
    }
    let working = shrink(picture);
    let mut files = Vec::new();
    for size in list_sizes(width, height) {
        let pixels = resize(&working, size);
        let name = size.name();
        files.push((
            format!("{name}.webp"),
            encode_webp(&pixels, f32::from(qualities.webp))?,
        ));
        files.push((format!("{name}.jpg"), encode_jpeg(&pixels, qualities.jpeg)?));
    }
    Ok(Prepared {
        width,
        height,
        format,
        preview: write_preview(&working)?,
        files,
    })
}

/// Looks at the first bytes and the header of a picture, so that its sender hears at once of most that is none of ours.
///
/// # Errors
/// Why it cannot be shown.
pub(crate) fn inspect(bytes: &[u8]) -> Result<(), PhotoRefusal> {
    open(bytes).map(|_| ())
}

/// A decoder that has read the header, and no pixel yet.
fn open(bytes: &[u8]) -> Result<(impl ImageDecoder, PhotoFormat), PhotoRefusal> {
    let format = sniff(bytes)?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), image_format(format));
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODED_MAX);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| explain(&error))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX || decoder.total_bytes() > DECODED_MAX {
        return Err(PhotoRefusal::TooManyPixels);
    }
    if width == 0 || height == 0 {
        return Err(PhotoRefusal::Damaged);
    }
    Ok((decoder, format))
}

/// The picture upright, without whatever else its file says.
///
/// # Errors
/// Why its bytes are no picture that is taken.
pub fn decode_picture(bytes: &[u8]) -> Result<(DynamicImage, PhotoFormat), PhotoRefusal> {
    let (mut decoder, format) = open(bytes)?;
    // A picture with an odd note about its orientation is shown as it lies.
    let orientation = decoder.orientation().ok();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| explain(&error))?;
    if let Some(orientation) = orientation {
        picture.apply_orientation(orientation);
    }
    Ok((picture, format))
}

/// The format by the first bytes, whatever the host and the name say.
fn sniff(bytes: &[u8]) -> Result<PhotoFormat, PhotoRefusal> {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Ok(PhotoFormat::Jpeg),
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Ok(PhotoFormat::Png),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Ok(PhotoFormat::Webp),
        // HEIC and AVIF, a box of the ISO base format each.
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => Err(PhotoRefusal::FormatNotTaken),
        _ => Err(PhotoRefusal::NotAPicture),
    }
}

const fn image_format(format: PhotoFormat) -> ImageFormat {
    match format {
        PhotoFormat::Jpeg => ImageFormat::Jpeg,
        PhotoFormat::Png => ImageFormat::Png,
        PhotoFormat::Webp => ImageFormat::WebP,
    }
}

fn explain(error: &ImageError) -> PhotoRefusal {
    match error {
        ImageError::Limits(_) => PhotoRefusal::TooManyPixels,
        _ => PhotoRefusal::Damaged,
    }
}

/// The picture near the largest size, on white where it is transparent.
fn shrink(picture: DynamicImage) -> RgbImage {
    let (width, height) = (picture.width(), picture.height());
    let scale = |side: u32, to: u32, of: u32| {
        let scaled = u64::from(side) * u64::from(to) / u64::from(of);
        u32::try_from(scaled).unwrap_or(1).max(1)
    };
    let picture = if width <= WORKING_WIDTH || height <= WORKING_HEIGHT {
        picture
    } else if u64::from(width) * u64::from(WORKING_HEIGHT) > u64::from(height) * u64::from(WORKING_WIDTH) {
        picture.thumbnail_exact(scale(width, WORKING_HEIGHT, height), WORKING_HEIGHT)
    } else {
        picture.thumbnail_exact(WORKING_WIDTH, scale(height, WORKING_WIDTH, width))
    };
    if picture.color().has_alpha() {
        lay_on_white(&picture)
    } else {
        picture.into_rgb8()
    }
}

fn lay_on_white(picture: &DynamicImage) -> RgbImage {
    let seen = picture.to_rgba8();
    RgbImage::from_fn(seen.width(), seen.height(), |x, y| {
        let [red, green, blue, alpha] = seen.get_pixel(x, y).0;
        let lay = |light: u8| {
            let light = u32::from(light) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
            u8::try_from(light / 255).unwrap_or(u8::MAX)
        };
        image::Rgb([lay(red), lay(green), lay(blue)])
    })
}

fn resize(picture: &RgbImage, size: PhotoSize) -> RgbImage {
    if !size.is_cut {
        return image::imageops::resize(picture, size.width, size.height, FilterType::CatmullRom);
    }
    // The largest part of the shape asked for, from the middle.
    let (width, height) = (u64::from(picture.width()), u64::from(picture.height()));
    let (wide, high) = (u64::from(size.width), u64::from(size.height));
    let (part_width, part_height) = if width * high > height * wide {
        (height * wide / high, height)
    } else {
        (width, width * high / wide)
    };
    let pixels = |side: u64| u32::try_from(side).unwrap_or(u32::MAX).max(1);
    let (left, top) = ((width - part_width) / 2, (height - part_height) / 2);
    let left = u32::try_from(left).unwrap_or_default();
    let top = u32::try_from(top).unwrap_or_default();
    let part = image::imageops::crop_imm(picture, left, top, pixels(part_width), pixels(part_height));
    image::imageops::resize(&part.to_image(), size.width, size.height, FilterType::CatmullRom)
}

fn encode_webp(pixels: &RgbImage, quality: f32) -> Result<Vec<u8>, PhotoRefusal> {
    let encoder = webp::Encoder::from_rgb(pixels.as_raw(), pixels.width(), pixels.height());
    let written = encoder.encode_simple(false, quality);
    Ok(written.map_err(|_| PhotoRefusal::Damaged)?.to_vec())
}

fn encode_jpeg(pixels: &RgbImage, quality: u8) -> Result<Vec<u8>, PhotoRefusal> {
    let side = |pixels: u32| u16::try_from(pixels).map_err(|_| PhotoRefusal::Damaged);
    let mut bytes = Vec::new();
    Encoder::new(&mut bytes, quality)
        .encode(
            pixels.as_raw(),
            side(pixels.width())?,
            side(pixels.height())?,
            ColorType::Rgb,
        )
        .map_err(|_| PhotoRefusal::Damaged)?;
    Ok(bytes)
}

/// A few pixels as a data URL, shown in the place of the photo until it is there.
fn write_preview(picture: &RgbImage) -> Result<String, PhotoRefusal> {
    let scaled = u64::from(picture.height()) * u64::from(PREVIEW_WIDTH) / u64::from(picture.width().max(1));
    let height = u32::try_from(scaled).unwrap_or(1).max(1);
    let small = image::imageops::resize(picture, PREVIEW_WIDTH, height, FilterType::Triangle);
    let encoded = encode_webp(&small, PREVIEW_QUALITY)?;
    if encoded.len() > PREVIEW_BYTES_MAX {
        return Ok(String::new());
    }
    Ok(format!("data:image/webp;base64,{}", STANDARD.encode(encoded)))
}

#[cfg(test)]
mod tests;
