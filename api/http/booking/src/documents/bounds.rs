//! Why an upload is not taken, and how large one may be.

/// Bytes of the head of a box: its length and its name.
pub(super) const BOX_HEAD: usize = 8;

/// Pixels of one picture: more than any camera of a phone makes, and less than decoding can be made to cost.
pub(super) const PIXELS_MAX: u64 = 50_000_000;

/// Why an upload is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is none of the kinds that are taken.
    Kind,
    /// It begins as one of them and is not whole.
    Damaged,
    Pixels,
    /// What it says beside its picture cannot be removed.
    Metadata,
    /// A PDF that does more than show pages.
    Active,
}

/// Bytes of the box that these begin with: said in 32 bits, or in 64 (1), or as many as there are (0).
pub(super) fn box_length(bytes: &[u8]) -> Option<usize> {
    let short = u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?);
    let length = match short {
        0 => return Some(bytes.len()),
        1 => usize::try_from(u64::from_be_bytes(bytes.get(8..16)?.try_into().ok()?)).ok()?,
        length => usize::try_from(length).ok()?,
    };
    (length >= BOX_HEAD).then_some(length)
}
