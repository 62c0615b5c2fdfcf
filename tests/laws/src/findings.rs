//! What a law says of what it has found.

/// Fails with every finding and the way out.
#[track_caller]
pub(crate) fn assert_none(broken: impl Iterator<Item = String>, advice: &str) {
    let broken: Vec<_> = broken.collect();
    assert!(broken.is_empty(), "{}\n{advice}", broken.join("\n"));
}
