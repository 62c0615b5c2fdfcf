//! The packed file: lines that name form, date, sources and licences, one line for each block (first byte, length, length when opened,
//! name), an empty line, and the blocks. A block is opened for each question and dropped with its answer. The file is compiled in, and a
//! test opens every block: one that cannot be opened does not ship, and is read as empty.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

/// Made by `scripts/pack_places.py`.
pub(crate) const FILE: &[u8] = include_bytes!("../facts/places.pack");

/// One compressed block.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) holds: Holds,
    packed: &'static [u8],
    /// Bytes when opened.
    pub(crate) length: usize,
}

/// The records of a block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Countries,
    /// Places of the country with this code.
    Places(&'static str),
    /// Keys of names in their order, from this one on.
    Keys(&'static str),
}

impl Block {
    /// Decompresses the block.
    pub(crate) fn open(&self) -> String {
        let mut text = String::with_capacity(self.length);
        match DeflateDecoder::new(self.packed).read_to_string(&mut text) {
            Ok(_) => text,
            Err(_) => String::new(),
        }
    }
}

/// The directory of the file.
#[derive(Debug)]
pub(crate) struct Pack {
    /// The lines about form, date, sources and licences.
    pub(crate) sources: Vec<&'static str>,
    pub(crate) blocks: Vec<Block>,
    /// The number of the first block of keys; all behind it are of keys too.
    keys: usize,
}

impl Pack {
    pub(crate) fn read(file: &'static [u8]) -> Self {
        let end = file
            .windows(2)
            .position(|pair| pair == b"\n\n")
            .unwrap_or_default();
        let head = std::str::from_utf8(&file[..end]).unwrap_or_default();
        let body = file.get(end + 2..).unwrap_or_default();
        let is_block = |line: &&str| line.starts_with(|letter: char| letter.is_ascii_digit());
        let (blocks, sources): (Vec<&'static str>, Vec<&'static str>) = head.lines().partition(is_block);
        let blocks: Vec<Block> = blocks
            .into_iter()
            .filter_map(|line| read_block(line, body))
            .collect();
        let keys = blocks.partition_point(|block| !matches!(block.holds, Holds::Keys(_)));
        Self {
            sources,
            blocks,
            keys,
        }
    }

    /// The blocks that hold a key and those behind it.
    pub(crate) fn keys_from(&self, key: &str) -> &[Block] {
        let keys = self.blocks.get(self.keys..).unwrap_or_default();
        let behind = keys.partition_point(|block| matches!(block.holds, Holds::Keys(first) if first <= key));
        &keys[behind.saturating_sub(1)..]
    }
}

fn read_block(line: &'static str, body: &'static [u8]) -> Option<Block> {
    let mut fields = line.splitn(4, ' ');
    let mut number = || fields.next()?.parse::<usize>().ok();
    let (start, packed, length) = (number()?, number()?, number()?);
    let (kind, name) = fields.next()?.split_once(' ')?;
    let holds = match kind {
        "countries" => Holds::Countries,
        "places" => Holds::Places(name),
        "keys" => Holds::Keys(name),
        _ => return None,
    };
    Some(Block {
        holds,
        packed: body.get(start..start + packed)?,
        length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit for what the facts add to the binary.
    const MOST_BYTES: usize = 2_000_000;

    #[test]
    fn packed_facts_are_at_most_two_megabytes() {
        assert!(FILE.len() <= MOST_BYTES, "{} bytes", FILE.len());
    }

    #[test]
    fn every_block_of_the_pack_opens_in_full() {
        let pack = Pack::read(FILE);
        assert!(pack.blocks.len() > 300, "{} blocks", pack.blocks.len());
        for block in &pack.blocks {
            assert_eq!(block.open().len(), block.length, "{:?}", block.holds);
        }
    }

    #[test]
    fn the_pack_names_its_sources_licences_and_date() {
        let sources = Pack::read(FILE).sources.join("\n");
        for named in [
            "2026-11-20",
            "geonames.org), CC BY 4.0",
            "ror.org), CC0 1.0",
            "ODC-PDDL 1.0",
        ] {
            assert!(sources.contains(named), "{named}: {sources}");
        }
    }
}
