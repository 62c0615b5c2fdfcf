//! Sentences of the doctor on photos: whether their store answers, which pictures are not in it or not whole, and how many could not be had.

use ::photos::store::{BrokenPicture, PhotoStore, StoreError};
use domain::photo::ContentHash;
use platform::config::Settings;
use projections::brands::list_pixels;
use projections::photo::{KeptPicture, count_states, list_pictures, state};
use projections::store::ReadStore;

use super::finding::Finding;

const WHAT: &str = "photos";
/// Pictures that are named where they are not in the store.
const NAMED_MAX: usize = 5;

/// Looks for the original and every size of each picture of homes that is shown, and for the original of those of brands. Nothing is said
/// where there is none.
pub(super) async fn of_photos(settings: &Settings, store: &ReadStore) -> Vec<Finding> {
    let pool = store.readers();
    let asked = (
        count_states(pool).await,
        list_pictures(pool).await,
        list_pixels(pool).await,
    );
    let (Ok(counted), Ok(pictures), Ok(of_brands)) = asked else {
        // Said of the read models.
        return Vec::new();
    };
    if counted.is_empty() && of_brands.is_empty() {
        return Vec::new();
    }
    let count = pictures.len() + of_brands.len();
    let broken = match PhotoStore::open(settings) {
        Ok(photos) => list_broken(&photos, pictures, of_brands.into_keys().collect()).await,
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

async fn list_broken(
    photos: &PhotoStore,
    of_homes: Vec<KeptPicture>,
    of_brands: Vec<ContentHash>,
) -> Result<Vec<BrokenPicture>, StoreError> {
    let mut broken = photos.list_broken(of_homes).await?;
    let missing = photos.list_missing(of_brands).await?;
    broken.extend(missing.into_iter().map(|content| BrokenPicture {
        content,
        has_original: false,
    }));
    Ok(broken)
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
