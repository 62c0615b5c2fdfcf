//! Homes that are decided and wait to be written together. Staff may change one of them before it is: then it is decided anew, on the home
//! as they left it, so that both stand (U6).

use std::fmt::Display;

use domain::id::InventoryId;
use domain::inventory::let_room::RoomDetails;
use domain::inventory::property::PropertyDetails;
use domain::inventory::room_offer::RoomOffer;
use domain::inventory::state::HomeState;
use domain::inventory::{Inventory, InventoryEvent, InventoryRejection};
use eventlog::{Actor, Append, AppendError, CommitError, EventLog, LogError, StreamId, commit_together};
use feeds::Status;
use listings::commands::claim_address::{claim_address, move_to_address};

use crate::importer::{decide_home, is_let};
use crate::run::RunMark;

/// Events of a home that are read at once.
const PAGE: usize = 500;

/// A home as its feed says it.
#[derive(Debug, Clone)]
pub(crate) struct SaidHome {
    pub(crate) property: Box<PropertyDetails>,
    pub(crate) rooms: Vec<(RoomDetails, RoomOffer)>,
    pub(crate) status: Option<Status>,
}

impl SaidHome {
    /// Decides what it changes.
    ///
    /// # Errors
    /// The rule that stands against it.
    pub(crate) fn decide(
        &self,
        known: &Inventory,
        is_paused_by_feed: bool,
    ) -> Result<Vec<InventoryEvent>, InventoryRejection> {
        let (property, rooms) = (self.property.clone(), self.rooms.clone());
        decide_home(known, property, rooms, self.status, is_paused_by_feed)
    }
}

/// A home that waits, with what it changes.
#[derive(Debug)]
pub(crate) struct WaitingHome {
    pub(crate) id: InventoryId,
    pub(crate) said: SaidHome,
    pub(crate) append: Append,
}

/// Writes homes together; where somebody changed one of them meanwhile, each by itself.
///
/// # Errors
/// One sentence when the log refuses them.
pub(crate) async fn write_homes(
    log: &EventLog,
    mark: RunMark,
    homes: Vec<WaitingHome>,
) -> Result<(), String> {
    let waiting = homes.into_iter().map(|home| ((home.id, home.said), home.append));
    let (homes, appends): (Vec<_>, Vec<_>) = waiting.unzip();
    match log.append_many(appends).await {
        Ok(_) => return Ok(()),
        Err(AppendError::Conflict { .. }) => {}
        Err(error) => return Err(tell_refused(&error)),
    }
    // One that is written already changes nothing any more.
    for (id, said) in &homes {
        let context = mark.context();
        let anew = |append| decide_anew(log, (*id, said), append);
        match commit_together(log, &context, anew).await {
            // A home that was merged meanwhile is rejected by the next run, which names it.
            Ok(_) | Err(CommitError::Rejected(_)) => {}
            Err(error) => return Err(tell_refused(&error)),
        }
    }
    Ok(())
}

async fn decide_anew(
    log: &EventLog,
    (id, said): (InventoryId, &SaidHome),
    append: Append,
) -> Result<Append, CommitError<InventoryRejection>> {
    let home = log.load::<Inventory>(id).await?;
    let (said, append) = address_anew(log, (id, said), &home.state, append).await?;
    let is_ours = is_paused_by_feed(log, id, &home.state, said.status).await?;
    let events = said.decide(&home.state, is_ours).map_err(CommitError::Rejected)?;
    if events.is_empty() {
        return Ok(append);
    }
    let decided = append.decision(id, &home, &events);
    decided.map_err(|error| CommitError::Log(error.into()))
}

/// Gives a new home an address that nobody claimed since it was decided; one that the house has by now keeps its own.
async fn address_anew(
    log: &EventLog,
    (id, said): (InventoryId, &SaidHome),
    known: &Inventory,
    append: Append,
) -> Result<(SaidHome, Append), LogError> {
    let mut said = said.clone();
    let (address, append) = match known.property.as_deref() {
        Some(known) => (known.canonical_name.clone(), append),
        None => claim_address(log, (id, &said.property.canonical_name), append).await?,
    };
    let rooms = said.rooms.iter_mut().map(|(room, _)| room);
    move_to_address(&mut said.property, rooms, address);
    Ok((said, append))
}

/// Says why the log did not take what waits.
pub(crate) fn tell_refused(error: &impl Display) -> String {
    format!("the log refused a batch: {error}. Run the same import again to continue")
}

/// Whether the feed that says now that a paused home is let has paused it: a person's pause is not lifted by a feed.
///
/// # Errors
/// When the log cannot be read.
pub(crate) async fn is_paused_by_feed(
    log: &EventLog,
    id: InventoryId,
    known: &Inventory,
    said: Option<Status>,
) -> Result<bool, LogError> {
    if !matches!(known.state, HomeState::Paused { .. }) || !is_let(said) {
        return Ok(false);
    }
    let stream = StreamId::of::<Inventory>(id);
    let (mut after, mut is_ours) = (0, false);
    loop {
        let events = log.read_stream(&stream, after, PAGE).await?;
        let Some(last) = events.last() else {
            return Ok(is_ours);
        };
        after = last.revision;
        let mut pauses = events
            .iter()
            .filter(|event| ["PropertyPaused", "PropertyDeactivated"].contains(&event.event_type.as_str()));
        is_ours = pauses
            .next_back()
            .map_or(is_ours, |event| event.actor == Actor::SYSTEM);
    }
}

#[cfg(test)]
mod tests;
