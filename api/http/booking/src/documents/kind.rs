//! What an upload is: a name or a header says nothing, and neither do its first bytes alone. A picture is decoded, a PDF has its
//! trailer, the boxes of a HEIC fill the file. Photos are kept without what they say beside their picture.

use std::io::Cursor;

use axum::body::Bytes;
use http_kit::error::{ApiError, ApiResult};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits};
use tokio::sync::Semaphore;

use super::bounds::{BOX_HEAD, Fault, PIXELS_MAX, box_length};
use super::{active, heic, metadata};

/// Larger pictures are none that a camera or scanner makes, in pixels a side.
const SIDE_MAX: u32 = 20_000;
/// Bytes that decoding one may take.
const DECODED_MAX: u64 = 256 << 20;
/// Pictures decoded at a time, so that several large ones do not take the memory of the server.
static DECODING: Semaphore = Semaphore::const_new(2);
const PDF_MARK: &[u8] = b"%PDF-";
/// Where a PDF begins, as readers look for it: report servers write a byte order mark or a line break before it.
const PDF_BEGIN: usize = 1_024;
/// Where a PDF ends, as readers look for it: within its last bytes.
const PDF_END: usize = 1_024;
/// Brands of HEIC files.
const HEIC: [&[u8]; 5] = [b"heic", b"heix", b"hevc", b"mif1", b"msf1"];

/// A document that is whole, as it is kept: photos without place, time and camera.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) media_type: &'static str,
    pub(super) bytes: Vec<u8>,
}

/// What an upload is, and what of it is kept.
///
/// # Errors
/// When the work is given up because the server stops; the inner one says why it is not taken.
pub(super) async fn of(bytes: Bytes) -> ApiResult<Result<Taken, Fault>> {
    let turn = DECODING.acquire().await.map_err(ApiError::broken)?;
    // The turn goes along: the work goes on when its request is given up.
    let looking = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        taken(bytes)
    });
    looking.await.map_err(ApiError::broken)
}

fn taken(bytes: Bytes) -> Result<Taken, Fault> {
    match &*bytes {
        [0xFF, 0xD8, 0xFF, ..] => {
            let orientation = decode(&bytes, ImageFormat::Jpeg)?;
            Ok(Taken {
                media_type: "image/jpeg",
                bytes: metadata::without_metadata_jpeg(bytes, orientation)?,
            })
        }
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => {
            decode(&bytes, ImageFormat::Png)?;
            Ok(Taken {
                media_type: "image/png",
                bytes: metadata::without_metadata_png(bytes)?,
            })
        }
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..]
            if HEIC.iter().any(|known| brand.starts_with(known)) =>
        {
            if !is_filled_by_boxes(&bytes) {
                return Err(Fault::Damaged);
            }
            Ok(Taken {
                media_type: "image/heic",
                bytes: heic::without_metadata(bytes.to_vec())?,
            })
        }
        _ if !begins_as_pdf(&bytes) => Err(Fault::Kind),
        _ if active::is_active(&bytes) => Err(Fault::Active),
        _ => match end_of_pdf(&bytes) {
            Some(end) => Ok(Taken {
                media_type: "application/pdf",
                bytes: bytes[..end].to_vec(),
            }),
            None => Err(Fault::Damaged),
        },
    }
}

fn begins_as_pdf(bytes: &[u8]) -> bool {
    let begin = &bytes[..bytes.len().min(PDF_BEGIN)];
    begin.windows(PDF_MARK.len()).any(|part| part == PDF_MARK)
}

/// Where a PDF ends that says where its objects are listed: behind its last mark and that line's end. What stands there may be a page of
/// another kind, and is no part of the document.
fn end_of_pdf(bytes: &[u8]) -> Option<usize> {
    const MARK: &[u8] = b"%%EOF";
    let from = bytes.len().saturating_sub(PDF_END);
    let end = &bytes[from..];
    let find = |word: &[u8]| end.windows(word.len()).rposition(|part| part == word);
    find(b"startxref")?;
    let behind = from + find(MARK)? + MARK.len();
    let line_end = match &bytes[behind..] {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    };
    Some(behind + line_end)
}

/// Decodes all of it and answers which side is up (Exif, 1 to 8). Its size is read first: a file of some kilobytes can say that it
/// has billions of pixels.
fn decode(bytes: &[u8], format: ImageFormat) -> Result<u8, Fault> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(DECODED_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| match error {
        ImageError::Limits(_) => Fault::Pixels,
        _ => Fault::Damaged,
    })?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX || decoder.total_bytes() > DECODED_MAX {
        return Err(Fault::Pixels);
    }
    let orientation = decoder.orientation().map_or(1, Orientation::to_exif);
    DynamicImage::from_decoder(decoder).map_err(|_| Fault::Damaged)?;
    Ok(orientation)
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

#[cfg(test)]
mod tests {
    use image::RgbImage;

    use super::*;

    fn picture(format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let picture = DynamicImage::from(RgbImage::new(8, 8));
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn kind_of(bytes: &[u8]) -> Result<&'static str, Fault> {
        taken(Bytes::copy_from_slice(bytes)).map(|taken| taken.media_type)
    }

    fn holds(bytes: &[u8], word: &[u8]) -> bool {
        bytes.windows(word.len()).any(|part| part == word)
    }

    /// A JPEG with a segment behind its first two bytes.
    fn jpeg_with(marker: u8, contents: &[u8]) -> Vec<u8> {
        let plain = picture(ImageFormat::Jpeg);
        let length = u16::try_from(contents.len() + 2).unwrap().to_be_bytes();
        [&plain[..2], &[0xFF, marker], &length, contents, &plain[2..]].concat()
    }

    /// Exif that says: lies on its side, taken at a place.
    const EXIF: &[u8] =
        b"Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0GPS 51.5 -0.1";

    #[test]
    fn a_document_is_whole_or_it_is_none() {
        assert_eq!(kind_of(&picture(ImageFormat::Jpeg)), Ok("image/jpeg"));
        assert_eq!(kind_of(&picture(ImageFormat::Png)), Ok("image/png"));
        let pdf = b"%PDF-1.7\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n";
        assert_eq!(kind_of(pdf), Ok("application/pdf"));
        for before in [
            b"\xEF\xBB\xBF".as_slice(),
            b"\r\n",
            &[b' '; PDF_BEGIN - PDF_MARK.len()],
        ] {
            assert_eq!(kind_of(&[before, pdf].concat()), Ok("application/pdf"));
        }
        assert_eq!(
            kind_of(&[&[b' '; PDF_BEGIN], &pdf[..]].concat()),
            Err(Fault::Kind)
        );
        for behind in [&b""[..], b"<html>", b"\n\n<script>alert(1)</script>", b"\0\0"] {
            let taken = taken([pdf.as_slice(), behind].concat().into()).unwrap();
            assert_eq!(taken.bytes, pdf, "what stands behind the end is kept");
        }
        assert_eq!(kind_of(&heic::tests::photo(4_000)), Ok("image/heic"));
        let half = picture(ImageFormat::Png);
        let html = b"\xFF\xD8\xFF<html><script>alert(1)</script>";
        for (bad, fault) in [
            (b"<html>".as_slice(), Fault::Kind),
            (html, Fault::Damaged),
            (&half[..half.len() / 2], Fault::Damaged),
            (b"%PDF-1.7 <html>", Fault::Damaged),
            (b"\0\0\0\x18ftypheic\0\0<html>", Fault::Damaged),
            (b"\0\0\0\x18ftypmp42", Fault::Kind),
        ] {
            assert_eq!(kind_of(bad), Err(fault), "{}", String::from_utf8_lossy(bad));
        }
    }

    #[test]
    fn photos_lose_place_and_camera_and_keep_their_side() {
        for (marker, contents) in [
            (0xE1, EXIF),
            (0xE1, b"http://ns.adobe.com/xap/1.0/\0GPS"),
            (0xFE, b"GPS"),
            (0xED, b"GPS"),
        ] {
            let sent = jpeg_with(marker, contents);
            let kept = taken(sent.clone().into()).unwrap().bytes;
            assert!(holds(&sent, b"GPS") && !holds(&kept, b"GPS"), "{marker:x}");
            assert_eq!(decode(&kept, ImageFormat::Jpeg), decode(&sent, ImageFormat::Jpeg));
        }
        assert_eq!(decode(&jpeg_with(0xE1, EXIF), ImageFormat::Jpeg), Ok(6));
        let behind = [picture(ImageFormat::Jpeg), b"GPS".to_vec()].concat();
        assert!(!holds(&taken(behind.into()).unwrap().bytes, b"GPS"));
        let plain = picture(ImageFormat::Png);
        let text = b"\0\0\0\x0BtEXtPlace\0GPS 5\x19\xA8\xE8\x97";
        let sent = [&plain[..33], text, &plain[33..]].concat();
        let kept = img_parts::png::Png::from_bytes(
            metadata::without_metadata_png(sent.clone().into())
                .unwrap()
                .into(),
        );
        assert!(
            holds(&sent, b"GPS")
                && kept
                    .unwrap()
                    .chunks()
                    .iter()
                    .all(|chunk| &chunk.kind() != b"tEXt")
        );
    }

    /// A PNG of some hundred bytes that says it has 400 million pixels.
    #[test]
    fn pictures_of_too_many_pixels_are_not_decoded() {
        let mut bomb = picture(ImageFormat::Png);
        bomb[16..24].copy_from_slice(&[0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20]);
        let sum = crc(&bomb[12..29]).to_be_bytes();
        bomb[29..33].copy_from_slice(&sum);
        assert_eq!(kind_of(&bomb), Err(Fault::Pixels));
    }

    /// The check sum of a chunk of a PNG.
    fn crc(bytes: &[u8]) -> u32 {
        let sum = bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
                if sum & 1 == 1 {
                    sum >> 1 ^ 0xEDB8_8320
                } else {
                    sum >> 1
                }
            })
        });
        !sum
    }
}
