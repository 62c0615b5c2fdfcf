//! Sentences of the doctor on photos: whether their store answers, which pictures are not in it, and how many could not be had.

use ::photos::store::PhotoStore;
use platform::config::Settings;
use projections::photo::{count_states, list_contents, state};
use projections::store::ReadStore;

use super::finding::Finding;

const WHAT: &str = "photos";
/// Pictures that are named where they are not in the store.
const NAMED_MAX: usize = 5;

/// Looks for the original of each picture that is shown. Nothing is said where no home has a photo.
pub(super) async fn of_photos(settings: &Settings, store: &ReadStore) -> Vec<Finding> {
    let pool = store.readers();
    let (Ok(counted), Ok(contents)) = (count_states(pool).await, list_contents(pool).await) else {
        // Said of the read models.
        return Vec::new();
    };
    if counted.is_empty() {
        return Vec::new();
    }
    let pictures = contents.len();
    let missing = match PhotoStore::open(settings) {
        Ok(photos) => photos.list_missing(contents).await,
        Err(said) => return vec![Finding::wrong(WHAT, said)],
    };
    let mut findings = match missing {
        Err(error) => vec![Finding::wrong(WHAT, error.to_string())],
        Ok(missing) if missing.is_empty() => {
            vec![Finding::fine(
                WHAT,
                format!("{pictures} pictures are in their store"),
            )]
        }
        Ok(missing) => {
            let named: Vec<String> = missing.iter().take(NAMED_MAX).map(ToString::to_string).collect();
            let said = format!(
                "{} of {pictures} pictures are not in their store, and are shown as broken: take them from a backup \
                 (docs/operations/photos.md); their hashes begin with {}",
                missing.len(),
                named.join(", ")
            );
            vec![Finding::wrong(WHAT, said)]
        }
    };
    let count = |word: &str| counted.get(word).copied().unwrap_or_default();
    let refused = count(state::REFUSED);
    if refused > 0 {
        let said = format!(
            "{refused} photos of homes could not be had: the workspace says of each home which, and why"
        );
        findings.push(Finding::look(WHAT, said));
    }
    findings
}
