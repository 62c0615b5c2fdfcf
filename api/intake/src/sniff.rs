//! Tells by its beginning that a file is no feed, before anybody maps its columns.

use fetching::fetch::is_web_page;

use crate::error::NoFeed;

/// Bytes that are looked at.
pub(crate) const BEGINNING: usize = 2_048;

/// Beginnings of packed files; a spreadsheet of today is a zip.
const PACKED: [&[u8]; 7] = [
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\x28\xb5\x2f\xfd",
];
/// Beginnings of other kinds: old spreadsheets, papers, pictures.
const OTHER: [&[u8]; 6] = [
    b"\xd0\xcf\x11\xe0",
    b"%PDF",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"Rar!",
];

/// Checks the beginning of a file.
///
/// # Errors
/// Why it is no feed.
pub(crate) fn check_beginning(beginning: &[u8]) -> Result<(), NoFeed> {
    let begins = |marks: &[&[u8]]| marks.iter().any(|mark| beginning.starts_with(mark));
    if beginning.iter().all(u8::is_ascii_whitespace) {
        return Err(NoFeed::Empty);
    }
    if begins(&PACKED) {
        return Err(NoFeed::Packed);
    }
    if begins(&OTHER) || has_stray_zeros(beginning) {
        return Err(NoFeed::OtherKind);
    }
    if is_web_page(beginning, None) {
        return Err(NoFeed::WebPage);
    }
    Ok(())
}

/// Whether it has zero bytes where no text has them: UTF-16 has them from its first letter on.
fn has_stray_zeros(beginning: &[u8]) -> bool {
    let is_wide = matches!(
        beginning,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=255, ..] | [1..=255, 0, ..]
    );
    !is_wide && beginning.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_feeds_are_told_by_their_beginning() {
        let wide: Vec<u8> = "id,name".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let cases: [(&[u8], Result<(), NoFeed>); 13] = [
            (b"id,name\n1,<html>", Ok(())),
            (b"[{\"id\": 1}]", Ok(())),
            (b"<?xml version='1.0'?><homes/>", Ok(())),
            (b"id,name\nM\xfcller", Ok(())),
            (&wide, Ok(())),
            (b"", Err(NoFeed::Empty)),
            (b" \r\n\t", Err(NoFeed::Empty)),
            (b"<!DOCTYPE html><title>Log in</title>", Err(NoFeed::WebPage)),
            (b"\x1f\x8b\x08\x00", Err(NoFeed::Packed)),
            (b"PK\x03\x04\x14", Err(NoFeed::Packed)),
            (b"%PDF-1.7", Err(NoFeed::OtherKind)),
            (b"\xd0\xcf\x11\xe0\xa1", Err(NoFeed::OtherKind)),
            (b"abc\0def", Err(NoFeed::OtherKind)),
        ];
        for (beginning, found) in cases {
            assert_eq!(check_beginning(beginning), found, "{beginning:?}");
        }
    }
}
