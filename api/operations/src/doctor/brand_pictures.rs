//! Sentences of the doctor on pictures of brands: those that pages and mails name and the picture store has not.

use ::photos::store::PhotoStore;
use platform::config::Settings;
use platform::config::brand::LOGO_FILE;
use projections::brands::list_pixels;
use projections::store::ReadStore;

use super::finding::Finding;

const WHAT: &str = "brand";

/// Looks for the pictures of brands in their store. Nothing is said where there is none.
pub(super) async fn of_brand_pictures(settings: &Settings, store: &ReadStore) -> Vec<Finding> {
    let Ok(pictures) = list_pixels(store.readers()).await else {
        // Said of the read models.
        return Vec::new();
    };
    if pictures.is_empty() {
        return Vec::new();
    }
    let kept = match PhotoStore::open(settings) {
        Ok(kept) => kept,
        Err(said) => return vec![Finding::wrong(WHAT, said)],
    };
    let mut missing = Vec::new();
    for content in pictures.keys() {
        match kept.get_size(*content, LOGO_FILE).await {
            Ok(Some(_)) => {}
            Ok(None) => missing.push(content.to_string()),
            Err(error) => return vec![Finding::wrong(WHAT, error.to_string())],
        }
    }
    if missing.is_empty() {
        let count = pictures.len();
        return vec![Finding::fine(
            WHAT,
            format!("{count} pictures of the brand are in their store"),
        )];
    }
    let said = format!(
        "{} of {} pictures of the brand are not in their store, and are shown as broken: take them from a backup, or upload them again \
         (docs/operations/brand.md); their hashes begin with {}",
        missing.len(),
        pictures.len(),
        missing.join(", ")
    );
    vec![Finding::wrong(WHAT, said)]
}
