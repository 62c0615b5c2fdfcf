//! What a HEIC says beside its picture: where and when it was taken, with which camera. No library here rewrites HEIC, so the bytes
//! of those items are overwritten with zeros where they lie (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12); the picture and its
//! orientation, a property of their own, stay. What cannot be followed to its end is refused.

use std::ops::Range;

use super::bounds::{Fault, PIXELS_MAX, box_length};

/// Bytes of the head of a box: its length and its name.
const HEAD: usize = 8;
/// Version and flags at the beginning of a full box.
const FULL: usize = 4;
/// Items of one file; a photo has a grid of some dozens.
const ITEMS_MAX: u64 = 4_096;
/// Kinds of items that are no picture: Exif, and XMP as a MIME type.
const PRIVATE: [&[u8]; 3] = [b"Exif", b"mime", b"uri "];

/// One box: its name, and where its contents lie.
struct Part {
    name: [u8; 4],
    contents: Range<usize>,
}

/// The same file without Exif and XMP.
///
/// # Errors
/// [`Fault::Metadata`] where they cannot be found for certain, [`Fault::Pixels`] where a picture is too large.
pub(super) fn without_metadata(mut bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
    let parts = parts(&bytes, 0..bytes.len()).ok_or(Fault::Damaged)?;
    // A sequence of pictures has places of its own for them.
    if parts.iter().any(|part| &part.name == b"moov") {
        return Err(Fault::Metadata);
    }
    let meta = parts
        .iter()
        .find(|part| &part.name == b"meta")
        .ok_or(Fault::Damaged)?;
    let inner = meta.contents.start + FULL..meta.contents.end;
    let inside = self::parts(&bytes, inner).ok_or(Fault::Damaged)?;
    refuse_many_pixels(&bytes, &inside)?;
    let mut private = private_bytes(&bytes, &inside).ok_or(Fault::Metadata)?;
    let boxes = parts.iter().chain(&inside);
    private.extend(
        boxes
            .filter(|part| &part.name == b"uuid")
            .map(|part| part.contents.clone()),
    );
    // Bytes that two items share are no photo's, and writing them again and again would take for ever.
    private.sort_unstable_by_key(|range| range.start);
    if private.windows(2).any(|pair| pair[0].end > pair[1].start) {
        return Err(Fault::Metadata);
    }
    for range in private {
        bytes.get_mut(range).ok_or(Fault::Metadata)?.fill(0);
    }
    Ok(bytes)
}

/// The boxes that fill a range; `None` where they do not.
fn parts(bytes: &[u8], within: Range<usize>) -> Option<Vec<Part>> {
    let (mut at, mut parts) = (within.start, Vec::new());
    while at < within.end {
        let rest = bytes.get(at..within.end)?;
        let length = box_length(rest).filter(|length| *length <= rest.len())?;
        let wide = rest.starts_with(&[0, 0, 0, 1]);
        let head = if wide { HEAD * 2 } else { HEAD };
        parts.push(Part {
            name: rest.get(4..HEAD)?.try_into().ok()?,
            contents: at + head.min(length)..at + length,
        });
        at += length;
    }
    Some(parts)
}

/// Sizes stand in the properties of the items, before anything is decoded.
fn refuse_many_pixels(bytes: &[u8], inside: &[Part]) -> Result<(), Fault> {
    let Some(properties) = inside.iter().find(|part| &part.name == b"iprp") else {
        return Err(Fault::Damaged);
    };
    let containers = parts(bytes, properties.contents.clone()).ok_or(Fault::Damaged)?;
    let container = containers
        .iter()
        .find(|part| &part.name == b"ipco")
        .ok_or(Fault::Damaged)?;
    let sizes = parts(bytes, container.contents.clone()).ok_or(Fault::Damaged)?;
    for size in sizes.iter().filter(|part| &part.name == b"ispe") {
        let mut fields = Fields::of(bytes, size.contents.start + FULL..size.contents.end);
        let (Some(width), Some(height)) = (fields.number(4), fields.number(4)) else {
            return Err(Fault::Damaged);
        };
        if width.saturating_mul(height) > PIXELS_MAX {
            return Err(Fault::Pixels);
        }
    }
    Ok(())
}

/// Where the items that are no picture lie.
fn private_bytes(bytes: &[u8], inside: &[Part]) -> Option<Vec<Range<usize>>> {
    let named = |name: &[u8; 4]| inside.iter().find(|part| part.name == *name);
    let private = private_items(bytes, named(b"iinf")?)?;
    let mut ranges = Vec::new();
    for (item, extents) in extents(bytes, named(b"iloc")?, named(b"idat"))? {
        if private.contains(&item) {
            ranges.extend(extents);
        }
    }
    Some(ranges)
}

fn private_items(bytes: &[u8], infos: &Part) -> Option<Vec<u64>> {
    let mut fields = Fields::of(bytes, infos.contents.clone());
    let version = fields.number(1)?;
    fields.number(3)?;
    let count = fields.number(if version == 0 { 2 } else { 4 })?;
    let entries = parts(bytes, fields.at..infos.contents.end)?;
    if entries.len() as u64 != count {
        return None;
    }
    let mut private = Vec::new();
    for entry in entries {
        let mut fields = Fields::of(bytes, entry.contents.clone());
        let version = fields.number(1)?;
        fields.number(3)?;
        let item = fields.number(match version {
            2 => 2,
            3 => 4,
            _ => return None,
        })?;
        fields.number(2)?;
        let kind = bytes.get(fields.at..fields.at + 4)?;
        if PRIVATE.contains(&kind) {
            private.push(item);
        }
    }
    Some(private)
}

/// Every item with the ranges of its bytes.
fn extents(bytes: &[u8], places: &Part, item_data: Option<&Part>) -> Option<Vec<(u64, Vec<Range<usize>>)>> {
    let mut fields = Fields::of(bytes, places.contents.clone());
    let version = fields.number(1)?;
    fields.number(3)?;
    let (sizes, more) = (fields.number(1)?, fields.number(1)?);
    let (of_offset, of_length, of_base) = (sizes >> 4, sizes & 15, more >> 4);
    let of_index = if version == 0 { 0 } else { more & 15 };
    let count = fields.number(if version < 2 { 2 } else { 4 })?;
    let mut items = Vec::new();
    for _ in 0..Some(count).filter(|count| *count <= ITEMS_MAX)? {
        let item = fields.number(if version < 2 { 2 } else { 4 })?;
        let method = if version == 0 { 0 } else { fields.number(2)? & 15 };
        // Bytes in another file.
        if fields.number(2)? != 0 {
            return None;
        }
        let origin = match method {
            0 => 0,
            1 => item_data?.contents.start,
            _ => return None,
        };
        let base = usize::try_from(fields.number(of_base)?).ok()?;
        let mut ranges = Vec::new();
        for _ in 0..Some(fields.number(2)?).filter(|count| *count <= ITEMS_MAX)? {
            fields.number(of_index)?;
            let offset = usize::try_from(fields.number(of_offset)?).ok()?;
            let length = usize::try_from(fields.number(of_length)?).ok()?;
            let start = origin.checked_add(base)?.checked_add(offset)?;
            // A length of zero is the whole file.
            let end = start.checked_add(Some(length).filter(|length| *length > 0)?)?;
            ranges.push(start..end);
        }
        items.push((item, ranges));
    }
    Some(items)
}

/// Numbers read one after the other.
struct Fields<'b> {
    bytes: &'b [u8],
    at: usize,
    end: usize,
}

impl<'b> Fields<'b> {
    fn of(bytes: &'b [u8], range: Range<usize>) -> Self {
        Self {
            bytes,
            at: range.start,
            end: range.end,
        }
    }

    /// The next number of so many bytes, the highest first; 0 for none.
    fn number(&mut self, size: u64) -> Option<u64> {
        let end = self.at.checked_add(usize::try_from(size).ok()?)?;
        if end > self.end || size > 8 {
            return None;
        }
        let read = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(read.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn boxed(name: &[u8], contents: &[u8]) -> Vec<u8> {
        let length = u32::try_from(contents.len() + HEAD).unwrap();
        [&length.to_be_bytes(), name, contents].concat()
    }

    fn entry(item: u8, kind: &[u8]) -> Vec<u8> {
        boxed(b"infe", &[&[2, 0, 0, 0, 0, item, 0, 0], kind, b"\0"].concat())
    }

    /// A photo of one item with an Exif item behind it.
    pub(in super::super) fn photo(width: u32) -> Vec<u8> {
        let kind = boxed(b"ftyp", b"heic\0\0\0\0mif1heic");
        let infos = [b"\0\0\0\0\0\x02".to_vec(), entry(1, b"hvc1"), entry(2, b"Exif")].concat();
        let size = [
            b"\0\0\0\0".as_slice(),
            &width.to_be_bytes(),
            &3_000_u32.to_be_bytes(),
        ]
        .concat();
        let properties = boxed(b"iprp", &boxed(b"ipco", &boxed(b"ispe", &size)));
        let place = |item: u8, at: usize, length: u8| {
            let at = u32::try_from(at).unwrap().to_be_bytes();
            [&[0, item, 0, 0, 0, 1], at.as_slice(), &[0, 0, 0, length]].concat()
        };
        let meta = |at: usize| {
            let places = [
                b"\0\0\0\0\x44\0\0\x02".to_vec(),
                place(1, at, 7),
                place(2, at + 7, 14),
            ]
            .concat();
            let inside = [
                boxed(b"iinf", &infos),
                properties.clone(),
                boxed(b"iloc", &places),
            ]
            .concat();
            boxed(b"meta", &[b"\0\0\0\0".to_vec(), inside].concat())
        };
        let at = kind.len() + meta(0).len() + HEAD;
        [kind, meta(at), boxed(b"mdat", b"picture GPS 51.5 -0.1 ")].concat()
    }

    #[test]
    fn exif_of_a_heic_is_gone_and_its_picture_stays() {
        let clean = without_metadata(photo(4_000)).unwrap();
        let text = String::from_utf8_lossy(&clean).into_owned();
        assert!(
            text.contains("picture") && !text.contains("GPS") && !text.contains("51.5"),
            "{text}"
        );
        assert_eq!(clean.len(), photo(4_000).len());
    }

    #[test]
    fn heic_that_cannot_be_followed_is_refused() {
        assert_eq!(without_metadata(photo(40_000)), Err(Fault::Pixels));
        let whole = photo(4_000);
        for cut in 0..whole.len() {
            assert!(without_metadata(whole[..cut].to_vec()).is_err(), "{cut}");
        }
        let sequence = [whole, boxed(b"moov", b"")].concat();
        assert_eq!(without_metadata(sequence), Err(Fault::Metadata));
    }
}
