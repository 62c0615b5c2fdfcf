//! Trees of hashes as RFC 6962 builds them: one value stands for a whole list, and a short path shows that something is
//! in it. Leaves and inner nodes are hashed apart, so that neither can be taken for the other.

use sha2::{Digest as _, Sha256};

use crate::event::Hash;

fn leaf(value: &Hash) -> Hash {
    Sha256::new()
        .chain_update([0])
        .chain_update(value)
        .finalize()
        .into()
}

fn node(left: &Hash, right: &Hash) -> Hash {
    Sha256::new()
        .chain_update([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// Where a list of this length is split: the largest power of two below it.
fn split(length: usize) -> usize {
    length.div_ceil(2).next_power_of_two()
}

/// The root of a list.
pub fn root(values: &[Hash]) -> Hash {
    match values {
        [] => Sha256::digest([]).into(),
        [only] => leaf(only),
        more => {
            let (left, right) = more.split_at(split(more.len()));
            node(&root(left), &root(right))
        }
    }
}

/// The roots of full subtrees of a list that grows, from the largest to the smallest: the root of what it holds so far
/// takes few hashes at any time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frontier {
    peaks: Vec<(usize, Hash)>,
}

impl Frontier {
    pub(crate) fn push(&mut self, value: &Hash) {
        let mut grown = (1, leaf(value));
        while let Some((size, left)) = self.peaks.pop_if(|(size, _)| *size == grown.0) {
            grown = (size + grown.0, node(&left, &grown.1));
        }
        self.peaks.push(grown);
    }

    pub(crate) fn root(&self) -> Hash {
        let mut peaks = self.peaks.iter().rev().map(|(_, hash)| *hash);
        let Some(last) = peaks.next() else {
            return root(&[]);
        };
        peaks.fold(last, |right, left| node(&left, &right))
    }
}

/// What has to be added to the value at `index`, from the leaf up, to come to the root. Empty outside of the list.
pub(crate) fn path(values: &[Hash], index: usize) -> Vec<Hash> {
    if index >= values.len() || values.len() < 2 {
        return Vec::new();
    }
    let (left, right) = values.split_at(split(values.len()));
    let (mut path, other) = if index < left.len() {
        (path(left, index), right)
    } else {
        (path(right, index - left.len()), left)
    };
    path.push(root(other));
    path
}

/// The root of a list of `size` values that has `value` at `index`, as its path says; `None` where the path does not fit
/// such a list.
pub(crate) fn root_by(value: &Hash, index: usize, size: usize, path: &[Hash]) -> Option<Hash> {
    if index >= size {
        return None;
    }
    let Some((other, below)) = path.split_last() else {
        return (size == 1).then(|| leaf(value));
    };
    if size == 1 {
        return None;
    }
    let left = split(size);
    if index < left {
        Some(node(&root_by(value, index, left, below)?, other))
    } else {
        Some(node(other, &root_by(value, index - left, size - left, below)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(count: u8) -> Vec<Hash> {
        (0..count).map(|it| [it; 32]).collect()
    }

    #[test]
    fn roots_are_those_of_the_standard() {
        // RFC 6962 2.1: the hash of nothing; a leaf is hashed behind a zero, a node behind a one.
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex::encode(root(&[])), nothing);
        let (a, b, c) = ([7; 32], [8; 32], [9; 32]);
        assert_eq!(root(&[a]), leaf(&a));
        assert_eq!(root(&[a, b, c]), node(&node(&leaf(&a), &leaf(&b)), &leaf(&c)));
    }

    /// Every path of every small list leads to its root and to no other.
    #[test]
    fn merkle_path_leads_to_its_own_root_only() {
        let mut grown = Frontier::default();
        assert_eq!(grown.root(), root(&[]));
        for count in 1..=33 {
            let values = values(count);
            let whole = root(&values);
            grown.push(&[count - 1; 32]);
            assert_eq!(grown.root(), whole, "{count} values");
            for (index, value) in values.iter().enumerate() {
                let path = path(&values, index);
                assert_eq!(root_by(value, index, values.len(), &path), Some(whole));
                assert_ne!(root_by(&[99; 32], index, values.len(), &path), Some(whole));
                let elsewhere = (index + 1) % values.len();
                if elsewhere != index {
                    assert_ne!(root_by(value, elsewhere, values.len(), &path), Some(whole));
                }
                let longer = [path.clone(), vec![whole]].concat();
                assert_ne!(root_by(value, index, values.len(), &longer), Some(whole));
            }
        }
        assert_eq!(root_by(&[1; 32], 1, 1, &[]), None);
    }
}
