//! Whether a PDF does something by itself: scripts, launched programs, files inside it, forms that send. A form's document is looked at
//! by support and providers, who would run what it carries.
//!
//! Names are read in the whole file, so that no list of objects hides one, and in streams of objects, which are compressed. Such a stream
//! that cannot be read here, e.g. one under a password, counts as active.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

/// Names of actions and objects (ISO 32000) that make a PDF more than pages, and of the encryption under which nothing can be looked at.
const ACTIVE: [&[u8]; 15] = [
    b"Encrypt",
    b"JavaScript",
    b"Launch",
    b"EmbeddedFile",
    b"EmbeddedFiles",
    b"RichMedia",
    b"XFA",
    b"SubmitForm",
    b"ImportData",
    b"GoToE",
    b"GoToR",
    b"Thread",
    b"Sound",
    b"Movie",
    b"Rendition",
];
/// Bytes that the streams of objects of one PDF may hold together; those of real documents hold some hundred kilobytes.
const OBJECTS_MAX: u64 = 32 << 20;
/// Bytes before and after a stream's type in which the rest of its dictionary stands.
const DICTIONARY_MAX: usize = 4_096;

/// Streams of objects that one PDF may have.
const STREAMS_MAX: usize = 10_000;

/// Whether the PDF is active, or cannot be shown not to be.
pub(super) fn is_active(pdf: &[u8]) -> bool {
    let (mut left, mut streams) = (OBJECTS_MAX, 0);
    for (at, name) in names(pdf) {
        if ACTIVE.contains(&&*name) {
            return true;
        }
        // Readers know a stream of objects by its reference, and not all ask for its type. `First` stands in each, and in outlines.
        if name == b"ObjStm" || name == b"First" && is_in_stream(pdf, at) {
            streams += 1;
            if streams > STREAMS_MAX || !is_plain(pdf, at, &mut left) {
                return true;
            }
        }
    }
    false
}

/// Whether what stands at `at` is in the dictionary of a stream, not of an object without one.
fn is_in_stream(pdf: &[u8], at: usize) -> bool {
    let after = &pdf[at..pdf.len().min(at + DICTIONARY_MAX)];
    let stream = first(after, b"stream");
    stream.is_some_and(|stream| first(after, b"endobj").is_none_or(|end| stream < end))
}

/// Whether the stream of objects whose type is named at `at` can be read and names nothing active.
fn is_plain(pdf: &[u8], at: usize, left: &mut u64) -> bool {
    let before = &pdf[at.saturating_sub(DICTIONARY_MAX)..at];
    let after = &pdf[at..pdf.len().min(at + DICTIONARY_MAX)];
    let (Some(begin), Some(end)) = (last(before, b"obj"), first(after, b"stream")) else {
        // A dictionary that is not to be seen whole.
        return false;
    };
    let dictionary = [&before[begin..], &after[..end]].concat();
    let words: Vec<Vec<u8>> = names(&dictionary).map(|(_, name)| name).collect();
    let has = |word: &[u8]| words.iter().filter(|name| *name == word).count();
    if has(b"Filter") == 0 {
        // Not compressed: its names are read with those of the file.
        return true;
    }
    let other_filter = words
        .iter()
        .any(|name| name.ends_with(b"Decode") && name != b"FlateDecode" || name == b"Crypt");
    if other_filter || has(b"FlateDecode") > 1 || has(b"Predictor") > 0 {
        return false;
    }
    let mut bytes = &pdf[at + end + b"stream".len()..];
    while let [b'\r' | b'\n', rest @ ..] = bytes {
        bytes = rest;
    }
    let mut objects = Vec::new();
    let read = ZlibDecoder::new(bytes).take(*left).read_to_end(&mut objects);
    *left = left.saturating_sub(objects.len() as u64);
    read.is_ok() && *left > 0 && !names(&objects).any(|(_, name)| ACTIVE.contains(&&*name))
}

/// The names of a piece of a PDF with where they begin; `#41` in a name is `A`.
fn names(bytes: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> + '_ {
    let slashes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.map(|(at, _)| (at, name_at(&bytes[at + 1..])))
}

/// A name behind its slash; longer ones than those that are looked for are cut.
fn name_at(bytes: &[u8]) -> Vec<u8> {
    let mut name = Vec::new();
    let mut rest = bytes;
    while name.len() < 32 {
        match rest {
            [b'#', high, low, behind @ ..] if digit(*high).is_some() && digit(*low).is_some() => {
                name.extend(digit(*high).zip(digit(*low)).map(|(high, low)| high << 4 | low));
                rest = behind;
            }
            [byte, behind @ ..] if byte.is_ascii_graphic() && !b"()<>[]{}/%".contains(byte) => {
                name.push(*byte);
                rest = behind;
            }
            _ => break,
        }
    }
    name
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

fn first(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|part| part == word)
}

fn last(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).rposition(|part| part == word)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn packed(objects: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(objects).unwrap();
        encoder.finish().unwrap()
    }

    /// A PDF with a stream of objects under these entries of its dictionary.
    fn with_stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
        with_untyped(&format!("{entries} /Type /ObjStm"), bytes)
    }

    /// The same without a type, by which not all readers know it.
    fn with_untyped(entries: &str, bytes: &[u8]) -> Vec<u8> {
        let head = format!("%PDF-1.7\n4 0 obj\n<< {entries} /N 1 /First 4 >>\nstream\r\n");
        [
            head.as_bytes(),
            bytes,
            b"\nendstream\nendobj\nstartxref\n9\n%%EOF\n",
        ]
        .concat()
    }

    #[test]
    fn pages_forms_and_links_are_not_active() {
        let plain = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /OpenAction [3 0 R /Fit] /AcroForm << /Fields [] >> >>\nendobj";
        assert!(!is_active(plain));
        let objects =
            packed(b"1 0 << /Type /Page /Annots [<< /A << /S /URI /URI (https://example.com) >> >>] >>");
        assert!(!is_active(&with_stream("/Filter /FlateDecode", &objects)));
        assert!(!is_active(&with_stream("", b"1 0 << /Type /Page >>")));
        let outlines = b"%PDF-1.7\n2 0 obj\n<< /Type /Outlines /First 3 0 R /Last 4 0 R >>\nendobj\n5 0 obj\n<< /Length 2 /Filter \
            /DCTDecode >>\nstream\nab\nendstream\nendobj";
        assert!(!is_active(outlines));
    }

    #[test]
    fn scripts_launches_and_files_are_active() {
        for action in [
            "/S /JavaScript /JS (app.alert(1))",
            "/S /J#61vaScript",
            "/S/Launch/F(cmd.exe)",
            "/Type /EmbeddedFile",
            "/Names << /EmbeddedFiles 5 0 R >>",
            "/XFA 6 0 R",
            "/OpenAction << /S /GoToR /F (\\\\\\\\server\\\\share) >>",
            "/S /Rendition /R 7 0 R",
        ] {
            let pdf = format!("%PDF-1.7\n1 0 obj\n<< {action} >>\nendobj");
            assert!(is_active(pdf.as_bytes()), "{action}");
            let objects = packed(format!("1 0 << {action} >>").as_bytes());
            assert!(
                is_active(&with_stream("/Filter /FlateDecode", &objects)),
                "{action} packed"
            );
            for named in ["", "/Type /Other", "/Fir#73t 4"] {
                let entries = format!("/Filter /FlateDecode {named}");
                assert!(is_active(&with_untyped(&entries, &objects)), "{action} {named}");
            }
        }
    }

    /// Other codings, passwords and bombs cannot be looked into.
    #[test]
    fn unreadable_streams_of_objects_are_active() {
        assert!(is_active(b"%PDF-1.4\ntrailer\n<< /Root 1 0 R /Encrypt 9 0 R >>"));
        let objects = packed(b"1 0 << /Type /Page >>");
        for entries in [
            "/Filter [/ASCIIHexDecode /FlateDecode]",
            "/Filter [/FlateDecode /FlateDecode]",
            "/Filter /FlateDecode /DecodeParms << /Predictor 12 >>",
            "/Filter [/Crypt /FlateDecode]",
        ] {
            assert!(is_active(&with_stream(entries, &objects)), "{entries}");
        }
        assert!(is_active(&with_stream(
            "/Filter /FlateDecode",
            b"sealed with a password"
        )));
        let bomb = packed(&vec![b' '; 40 << 20]);
        assert!(bomb.len() < 100_000 && is_active(&with_stream("/Filter /FlateDecode", &bomb)));
    }
}
