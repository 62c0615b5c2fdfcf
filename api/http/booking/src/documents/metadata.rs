//! Photos without what they say beside the picture (D93): place, time, camera, thumbnails, comments. What the picture is drawn by stays:
//! colours, and which side is up.

use axum::body::Bytes;
use img_parts::ImageEXIF as _;
use img_parts::jpeg::{Jpeg, markers};
use img_parts::png::Png;

use super::bounds::Fault;

/// Parts of a PNG that say how it is drawn.
const DRAWN: [&[u8; 4]; 14] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD",
    b"pHYs", b"cICP", b"hIST",
];

/// The marker behind which nothing of the picture stands.
const END_OF_IMAGE: u8 = markers::EOI;

/// A JPEG of its picture and its colours alone. `orientation` is what its Exif said (1 to 8).
pub(super) fn without_metadata_jpeg(bytes: Bytes, orientation: u8) -> Result<Vec<u8>, Fault> {
    let mut picture = Jpeg::from_bytes(bytes).map_err(|_| Fault::Damaged)?;
    picture.segments_mut().retain(|segment| match segment.marker() {
        markers::APP0 | markers::APP14 => true,
        markers::APP2 => segment.contents().starts_with(b"ICC_PROFILE\0"),
        markers::APP1 | markers::APP3..=markers::APP13 | markers::APP15 | markers::COM => false,
        _ => true,
    });
    if orientation > 1 {
        picture.set_exif(Some(turned(orientation)));
    }
    let whole = picture.encoder().bytes();
    picture_alone(&whole).ok_or(Fault::Damaged)
}

/// A JPEG up to the end of its picture, without what stands between its scans: a video or a maker's data may follow the picture.
/// `None` where it has no end.
fn picture_alone(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let mut has_begun = false;
    loop {
        let (byte, marker) = (*bytes.get(at)?, *bytes.get(at + 1)?);
        match marker {
            _ if byte != 0xFF => {
                kept.push(byte);
                at += 1;
            }
            // A byte of filling.
            0xFF => at += 1,
            END_OF_IMAGE => {
                kept.extend([0xFF, END_OF_IMAGE]);
                return Some(kept);
            }
            // Stuffed bytes, restarts and the beginning have no length.
            0x00 | 0x01 | 0xD0..=0xD8 => {
                kept.extend([0xFF, marker]);
                at += 2;
            }
            _ => {
                let length = u16::from_be_bytes([*bytes.get(at + 2)?, *bytes.get(at + 3)?]);
                let end = at + 2 + usize::from(length);
                let segment = bytes.get(at..end)?;
                let is_told = matches!(marker, markers::APP0..=markers::APP15 | markers::COM);
                // Those before the first scan were chosen above.
                if !has_begun || !is_told {
                    kept.extend_from_slice(segment);
                }
                has_begun |= marker == markers::SOS;
                at = end;
            }
        }
    }
}

/// A PNG of its picture and its colours alone.
pub(super) fn without_metadata_png(bytes: Bytes) -> Result<Vec<u8>, Fault> {
    let mut picture = Png::from_bytes(bytes).map_err(|_| Fault::Damaged)?;
    picture
        .chunks_mut()
        .retain(|chunk| DRAWN.contains(&&chunk.kind()));
    Ok(picture.encoder().bytes().to_vec())
}

/// Exif that says which side is up and nothing else: a photo of a phone held upright lies on its side without it.
fn turned(orientation: u8) -> Bytes {
    let head: &[u8] = b"MM\0\x2A\0\0\0\x08\0\x01";
    let entry: &[u8] = &[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
    [head, entry].concat().into()
}
