//! Sentences of the doctor on photos: whether their store answers, which pictures are not in it or not whole, and how many could not be had.

use ::photos::store::{BrokenPicture, PhotoStore};
use platform::config::Settings;
use projections::photo::{count_states, list_pictures, state};
use projections::store::ReadStore;

use super::finding::Finding;

const WHAT: &str = "photos";
/// Pictures that are named where they are not in the store.
const NAMED_MAX: usize = 5;

/// Looks for the original and every size of each picture that is shown. Nothing is said where no home has a photo.
pub(super) async fn of_photos(settings: &Settings, store: &ReadStore) -> Vec<Finding> {
    let pool = store.readers();
    let (Ok(counted), Ok(pictures)) = (count_states(pool).await, list_pictures(pool).await) else {
        // Said of the read models.
        return Vec::new();
    };
    if counted.is_empty() {
        return Vec::new();
    }
    let count = pictures.len();
    let broken = match PhotoStore::open(settings) {
        Ok(photos) => photos.list_broken(pictures).await,
        Err(said) => return vec![Finding::wrong(WHAT, said)],
    };
    let mut findings = match broken {
        Err(error) => vec![Finding::wrong(WHAT, error.to_string())],
        Ok(broken) => tell_broken(&broken, count),
    };
    let refused = counted.get(state::REFUSED).copied().unwrap_or_default();
    if refused > 0 {
        let said = format!(
            "{refused} photos of homes could not be had: the workspace says of each home which, and why"
        );
        findings.push(Finding::look(WHAT, said));
    }
    findings
}

fn tell_broken(broken: &[BrokenPicture], count: usize) -> Vec<Finding> {
    if broken.is_empty() {
        return vec![Finding::fine(
            WHAT,
            format!("{count} pictures are in their store, in every size"),
        )];
    }
    let (cut, gone): (Vec<_>, Vec<_>) = broken.iter().partition(|picture| picture.has_original);
    let mut findings = Vec::new();
    if !gone.is_empty() {
        let said = format!(
            "{} of {count} pictures are not in their store, and are shown as broken: take them from a backup \
             (docs/operations/photos.md); their hashes begin with {}",
            gone.len(),
            name_some(&gone)
        );
        findings.push(Finding::wrong(WHAT, said));
    }
    if !cut.is_empty() {
        let said = format!(
            "{} of {count} pictures lack a size: a server with a folder of photos makes it anew when it starts, into a bucket it is \
             copied (docs/operations/photos.md); their hashes begin with {}",
            cut.len(),
            name_some(&cut)
        );
        findings.push(Finding::wrong(WHAT, said));
    }
    findings
}

fn name_some(broken: &[&BrokenPicture]) -> String {
    let some = broken.iter().take(NAMED_MAX);
    let named: Vec<String> = some.map(|picture| picture.content.to_string()).collect();
    named.join(", ")
}
