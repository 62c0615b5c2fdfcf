//! A lead's history folded apart from the read models: for events of a branch, which no projector follows (row N3).

use domain::id::LeadId;
use eventlog::RecordedEvent;
use tables::Place;

use super::LeadTimelines;
use super::pages::{page, positions};
use super::query::Placed;
use crate::run::{Projection as _, ProjectionError};
use crate::store::ReadStore;

/// The sentences of `added`, with the fields that they change, told after `before`: both are events of the lead's streams in the
/// order of their positions. `place` is an empty folder that the caller removes.
///
/// # Errors
/// When the folder cannot be used or an event cannot be read.
pub async fn told_apart(
    place: &Place,
    lead_id: LeadId,
    (before, added): (&[RecordedEvent], &[RecordedEvent]),
) -> Result<Vec<Placed>, ProjectionError> {
    let store = ReadStore::open(place).await?;
    let mut folding = store.writer().begin().await?;
    LeadTimelines.apply(&mut folding, before).await?;
    LeadTimelines.apply(&mut folding, added).await?;
    folding.commit().await?;
    let positions = positions(store.readers(), lead_id).await?;
    let told = page(
        store.readers(),
        lead_id,
        &positions,
        (before.len() + 1, added.len()),
    )
    .await;
    store.close().await;
    Ok(told?)
}
