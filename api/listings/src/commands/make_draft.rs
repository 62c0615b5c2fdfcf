//! Makes a home by staff: the same inventory as a feed's, in state draft.

use domain::aggregate::Decide as _;
use domain::id::{InventoryId, UserId};
use domain::inventory::facts::Fact;
use domain::inventory::let_room::RoomDetails;
use domain::inventory::property::PropertyDetails;
use domain::inventory::room_offer::RoomOffer;
use domain::inventory::{Inventory, InventoryCommand, Reasoned};
use eventlog::{Append, Appended, CommitError, Context, EventLog, commit_together};

use super::change_rooms::check_room;
use super::claim_address::{claim_address, move_to_address};
use super::edit_home::{check_bounds, check_place, check_reason, reject};
use crate::error::ListingsError;

/// Room types of one home, more than any has.
const ROOM_TYPES_MAX: usize = 500;

/// A home as its maker describes it.
#[derive(Debug, Clone)]
pub struct NewHome {
    pub home_id: InventoryId,
    pub property: Box<PropertyDetails>,
    pub rooms: Vec<(RoomDetails, RoomOffer)>,
    pub reason: String,
    pub by: UserId,
}

/// Makes it.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn make_draft(
    log: &EventLog,
    asked: &NewHome,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    check_reason(&asked.reason).map_err(CommitError::Rejected)?;
    check_sizes(asked).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose(log, asked, append)).await
}

async fn compose(
    log: &EventLog,
    asked: &NewHome,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let property = &asked.property;
    check_place(log, Some(property.country), (property.region, property.area)).await?;
    let home = log.load::<Inventory>(asked.home_id).await?;
    let (mut property, mut rooms) = (asked.property.clone(), asked.rooms.clone());
    let append = if home.state.property.is_none() {
        let wanted = (asked.home_id, property.canonical_name.as_str());
        let (address, append) = claim_address(log, wanted, append).await?;
        move_to_address(&mut property, rooms.iter_mut().map(|(room, _)| room), address);
        append
    } else {
        append
    };
    let reasoned = Reasoned {
        command: InventoryCommand::Adopt { property, rooms },
        by: asked.by,
        reason: asked.reason.trim().to_owned(),
    };
    let command = InventoryCommand::Reasoned(Box::new(reasoned));
    let events = home.state.decide(command).map_err(reject)?;
    if events.is_empty() {
        return Ok(append);
    }
    let decided = append.decision(asked.home_id, &home, &events);
    decided.map_err(|error| CommitError::Log(error.into()))
}

fn check_sizes(asked: &NewHome) -> Result<(), ListingsError> {
    let property = &asked.property;
    let texts = property.description.texts();
    let descriptions = texts.map(|(language, text)| Fact::Description {
        language: language.to_owned(),
        text: Some(text.to_owned()),
    });
    let facts = [
        Fact::Name(property.name.clone()),
        Fact::Address(Box::new(property.address.clone())),
        Fact::Facilities(property.features.clone()),
        Fact::Terms(property.terms.clone()),
    ];
    let facts: Vec<Fact> = facts.into_iter().chain(descriptions).collect();
    facts.iter().try_for_each(check_bounds)?;
    if asked.rooms.len() > ROOM_TYPES_MAX {
        return Err(ListingsError::TooMany { max: ROOM_TYPES_MAX });
    }
    let mut rooms = asked.rooms.iter();
    rooms.try_for_each(|(room, offer)| check_room(room, offer))
}
