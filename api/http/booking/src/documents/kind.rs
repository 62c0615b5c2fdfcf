//! What an upload is: a name or a header says nothing, and neither do its first bytes alone. A picture is decoded, a PDF has its
//! trailer, the boxes of a HEIC fill the file.

use std::io::Cursor;

use axum::body::Bytes;
use http_kit::error::{ApiError, ApiResult};
use image::{ImageFormat, ImageReader, Limits};
use tokio::sync::Semaphore;

/// Larger pictures are none that a camera or scanner makes, in pixels a side.
const SIDE_MAX: u32 = 20_000;
/// Bytes that decoding one may take.
const DECODED_MAX: u64 = 256 << 20;
/// Pictures decoded at a time, so that several large ones do not take the memory of the server.
static DECODING: Semaphore = Semaphore::const_new(2);
/// Where a PDF ends, as readers look for it: within its last bytes.
const PDF_END: usize = 1_024;
/// What HEIC files call themselves.
const HEIC: [&[u8]; 5] = [b"heic", b"heix", b"hevc", b"mif1", b"msf1"];
/// Bytes of the head of a box: its length and its name.
const BOX_HEAD: usize = 8;

/// The media type of a document that is whole; `None` for everything else.
///
/// # Errors
/// When the work is given up because the server stops.
pub(super) async fn of(bytes: Bytes) -> ApiResult<Option<&'static str>> {
    let _turn = DECODING.acquire().await.map_err(ApiError::broken)?;
    let looking = tokio::task::spawn_blocking(move || kind_of(&bytes));
    looking.await.map_err(ApiError::broken)
}

fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'%', b'P', b'D', b'F', b'-', ..] => ends_as_pdf(bytes).then_some("application/pdf"),
        [0xFF, 0xD8, 0xFF, ..] => is_picture(bytes, ImageFormat::Jpeg).then_some("image/jpeg"),
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => {
            is_picture(bytes, ImageFormat::Png).then_some("image/png")
        }
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => {
            let is_named = HEIC.iter().any(|known| brand.starts_with(known));
            (is_named && is_filled_by_boxes(bytes)).then_some("image/heic")
        }
        _ => None,
    }
}

/// Whether a PDF says where its objects are listed, and where it ends.
fn ends_as_pdf(bytes: &[u8]) -> bool {
    let end = &bytes[bytes.len().saturating_sub(PDF_END)..];
    let has = |word: &[u8]| end.windows(word.len()).any(|part| part == word);
    has(b"startxref") && has(b"%%EOF")
}

/// Whether all of it can be decoded.
fn is_picture(bytes: &[u8], format: ImageFormat) -> bool {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(DECODED_MAX);
    reader.limits(limits);
    reader.decode().is_ok()
}

/// Whether a HEIC is boxes to its end, with a description of its pictures and their bytes among them. The pictures themselves are coded
/// with HEVC, which no library here decodes.
fn is_filled_by_boxes(bytes: &[u8]) -> bool {
    let (mut rest, mut has_meta, mut has_bytes) = (bytes, false, false);
    while !rest.is_empty() {
        let Some((head, _)) = rest.split_at_checked(BOX_HEAD) else {
            return false;
        };
        let Some(length) = box_length(rest) else {
            return false;
        };
        let Some((_, behind)) = rest.split_at_checked(length) else {
            return false;
        };
        has_meta |= head.ends_with(b"meta");
        has_bytes |= head.ends_with(b"mdat");
        rest = behind;
    }
    has_meta && has_bytes
}

/// Bytes of the box that these begin with: said in 32 bits, or in 64 (1), or as many as there are (0).
fn box_length(bytes: &[u8]) -> Option<usize> {
    let short = u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?);
    let length = match short {
        0 => return Some(bytes.len()),
        1 => usize::try_from(u64::from_be_bytes(bytes.get(8..16)?.try_into().ok()?)).ok()?,
        length => usize::try_from(length).ok()?,
    };
    (length >= BOX_HEAD).then_some(length)
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, RgbImage};

    use super::*;

    fn picture(format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let picture = DynamicImage::from(RgbImage::new(8, 8));
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_document_is_whole_or_it_is_none() {
        assert_eq!(kind_of(&picture(ImageFormat::Jpeg)), Some("image/jpeg"));
        assert_eq!(kind_of(&picture(ImageFormat::Png)), Some("image/png"));
        assert_eq!(
            kind_of(b"%PDF-1.7\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n"),
            Some("application/pdf")
        );
        let heic = b"\0\0\0\x10ftypheic\0\0\0\0\0\0\0\x09meta\0\0\0\0\0mdat";
        assert_eq!(kind_of(heic), Some("image/heic"));
        let half = picture(ImageFormat::Png);
        let html = b"\xFF\xD8\xFF<html><script>alert(1)</script>";
        for bad in [
            b"<html>".as_slice(),
            html,
            &half[..half.len() / 2],
            b"%PDF-1.7 <html>",
            b"\0\0\0\x18ftypheic\0\0<html>",
            b"\0\0\0\x18ftypmp42",
        ] {
            assert_eq!(kind_of(bad), None, "{}", String::from_utf8_lossy(bad));
        }
    }
}
