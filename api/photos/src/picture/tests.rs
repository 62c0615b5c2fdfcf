use image::{Rgb, Rgba, RgbaImage};

use super::*;

const QUALITIES: Qualities = Qualities { jpeg: 80, webp: 75 };
/// A note about orientation and a camera's maker, as phones write it: turn right.
const EXIF_TURNED: &[u8] =
    b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x02\x01\x0f\0\x02\0\0\0\x04Rico\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

/// Dark on its left half, light on its right one.
fn halves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 {
            Rgb([20, 20, 20])
        } else {
            Rgb([230, 230, 230])
        }
    })
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encode_jpeg(&halves(width, height), 80).unwrap()
}

/// The same with a note in front, right behind the first marker.
fn with_exif(jpeg: &[u8]) -> Vec<u8> {
    let length = u16::try_from(EXIF_TURNED.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, EXIF_TURNED, &jpeg[2..]].concat()
}

fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn prepared(bytes: &[u8]) -> Prepared {
    prepare(bytes, QUALITIES).unwrap()
}

fn refusal(bytes: &[u8]) -> PhotoRefusal {
    prepare(bytes, QUALITIES).unwrap_err()
}

#[test]
fn photo_is_made_into_its_sizes() {
    let photo = prepared(&jpeg(1_200, 900));
    assert_eq!(
        (photo.width, photo.height, photo.format),
        (1_200, 900, PhotoFormat::Jpeg)
    );
    let names: Vec<&str> = photo.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(&names[..4], ["80.webp", "80.jpg", "150.webp", "150.jpg"]);
    assert_eq!(names.len(), 16);
    for (name, bytes) in &photo.files {
        let shown = image::load_from_memory(bytes).unwrap();
        let size = name.split('.').next().unwrap();
        let expected = if let Some((width, height)) = size.split_once('x') {
            (width.parse().unwrap(), height.parse().unwrap())
        } else {
            let width: u32 = size.parse().unwrap();
            (width, (width * 900).div_ceil(1_200))
        };
        assert_eq!((shown.width(), shown.height()), expected, "{name}");
    }
    assert!(
        photo.preview.starts_with("data:image/webp;base64,"),
        "{}",
        photo.preview
    );
    assert!(photo.preview.len() < 1_500);
}

/// A phone held upright writes a lying picture with a note. Shown, it stands, and the note is gone with all that it says.
#[test]
fn photo_is_turned_upright_and_says_nothing_else() {
    let noted = with_exif(&jpeg(400, 300));
    let photo = prepared(&noted);
    assert_eq!((photo.width, photo.height), (300, 400));
    for (name, bytes) in &photo.files {
        let says = |words: &[u8]| bytes.windows(words.len()).any(|part| part == words);
        assert!(!says(b"Exif") && !says(b"Rico"), "{name}");
    }
    let (_, smallest) = &photo.files[0];
    let shown = image::load_from_memory(smallest).unwrap().into_rgb8();
    let (top, bottom) = (
        shown.get_pixel(40, 5).0[0],
        shown.get_pixel(40, shown.height() - 5).0[0],
    );
    assert!(
        top < 80 && bottom > 180,
        "the left half is on top: {top} {bottom}"
    );
}

#[test]
fn formats_are_told_by_their_bytes() {
    assert_eq!(prepared(&png(&halves(100, 80).into())).format, PhotoFormat::Png);
    let webp = encode_webp(&halves(100, 80), 75.0).unwrap();
    assert_eq!(prepared(&webp).format, PhotoFormat::Webp);
    for (bytes, expected) in [
        (&b"\0\0\0\x18ftypheic\0\0\0\0"[..], PhotoRefusal::FormatNotTaken),
        (&b"\0\0\0\x1cftypavif\0\0\0\0"[..], PhotoRefusal::FormatNotTaken),
        (
            &b"<!doctype html><title>Not here</title>"[..],
            PhotoRefusal::NotAPicture,
        ),
        (
            &b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"[..],
            PhotoRefusal::NotAPicture,
        ),
        (&b"GIF89a"[..], PhotoRefusal::NotAPicture),
        (&b""[..], PhotoRefusal::NotAPicture),
        (&b"\xff\xd8\xff"[..], PhotoRefusal::Damaged),
    ] {
        assert_eq!(refusal(bytes), expected, "{}", String::from_utf8_lossy(bytes));
    }
    let whole = png(&halves(100, 80).into());
    assert_eq!(refusal(&whole[..whole.len() / 2]), PhotoRefusal::Damaged);
}

/// A header of 64 megapixels before a few bytes.
#[test]
fn bomb_is_refused_by_its_header() {
    let mut bytes = jpeg(64, 64);
    let frame = bytes
        .windows(2)
        .position(|marker| marker == [0xff, 0xc0])
        .unwrap();
    let side = 8_000_u16.to_be_bytes();
    bytes[frame + 5..frame + 7].copy_from_slice(&side);
    bytes[frame + 7..frame + 9].copy_from_slice(&side);
    assert_eq!(refusal(&bytes), PhotoRefusal::TooManyPixels);
}

/// The copy that the sizes are made of is no smaller than any of them, unless the picture itself is.
#[test]
fn no_size_is_blown_up_from_a_smaller_copy() {
    for ((width, height), expected) in [
        ((3_000, 2_000), (2_160, 1_440)),
        ((3_000, 3_000), (2_160, 2_160)),
        ((4_000, 1_600), (3_600, 1_440)),
        ((4_000, 800), (4_000, 800)),
        ((1_000, 3_000), (1_000, 3_000)),
    ] {
        let working = shrink(RgbImage::new(width, height).into());
        assert_eq!(working.dimensions(), expected, "{width} x {height}");
    }
}

#[test]
fn strip_is_no_photo() {
    assert_eq!(refusal(&jpeg(1_100, 100)), PhotoRefusal::NotAPicture);
    assert_eq!(prepared(&jpeg(1_000, 100)).height, 100);
}

#[test]
fn transparency_is_shown_on_white() {
    let clear = RgbaImage::from_pixel(100, 80, Rgba([0, 0, 0, 0]));
    let photo = prepared(&png(&clear.into()));
    let (_, smallest) = &photo.files[0];
    let shown = image::load_from_memory(smallest).unwrap().into_rgb8();
    assert!(shown.get_pixel(10, 10).0.iter().all(|light| *light > 250));
}
