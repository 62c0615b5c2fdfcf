//! Edits a home: sets facts over its source's values, and takes edits back (U6). Who edits has seen the home at some position: what was
//! changed after it refuses the edit. Fewer rooms than are taken for some night are refused with the bookings named (U26).

use domain::aggregate::Decide as _;
use domain::contact::seen_length;
use domain::country::Country;
use domain::id::{InventoryId, PaymentId, RegionId, UserId};
use domain::inventory::facts::{Fact, FactKey};
use domain::inventory::property::PaymentTerms;
use domain::inventory::values::FactEdit;
use domain::inventory::{Inventory, InventoryCommand, InventoryRejection};
use domain::lead::Lead;
use domain::payment::Payment;
use domain::place::Address;
use domain::region::{Region, RegionType};
use domain::room_stock::RoomStock;
use domain::wording::Wording;
use eventlog::{
    Append, Appended, CommitError, Context, EventLog, LogError, Position, StreamId, commit_together,
};

use crate::error::{ListingsError, Meanwhile};
use crate::questions::home_values::{HomeValues, read_home_values};

/// A reason is a sentence or two.
const REASON_LEAST: usize = 3;
const REASON_MAX: usize = 500;
/// Names of homes and rooms fit into a line of a page.
const NAME_MAX: usize = 200;
/// Words of a photo are a sentence or two.
const PHOTO_WORDS_MAX: usize = 300;
/// A description is a few pages at most.
const DESCRIPTION_MAX: usize = 20_000;
/// More rooms of one type than any house has.
const ROOMS_MAX: u32 = 100_000;
/// More than any rent, in minor units.
const PRICE_MAX: u64 = 1_000_000_000_000;
/// More facilities than any house has.
const FEATURES_MAX: u64 = 500;
/// More facts than a page shows.
const FACTS_MAX: usize = 500;

/// An edit of a home.
#[derive(Debug, Clone)]
pub struct EditHome {
    pub home_id: InventoryId,
    /// Where the home stood when its editor read it.
    pub position: Position,
    pub set: Vec<Fact>,
    /// Names of facts that show their source's value again.
    pub unset: Vec<String>,
    pub reason: String,
    pub by: UserId,
}

/// Edits a home.
///
/// # Errors
/// The reason as a [`ListingsError`], and whatever else stands against an append.
pub async fn edit_home(
    log: &EventLog,
    edit: &EditHome,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    check_words(edit).map_err(CommitError::Rejected)?;
    commit_together(log, context, |append| compose(log, edit, context, append)).await
}

/// Decides an edit of the home as it stands.
///
/// # Errors
/// As [`edit_home`].
pub(super) async fn compose(
    log: &EventLog,
    edit: &EditHome,
    context: &Context,
    append: Append,
) -> Result<Append, CommitError<ListingsError>> {
    let read = read_home_values(log, edit.home_id).await?;
    let read = read.ok_or(CommitError::Rejected(ListingsError::UnknownHome))?;
    refuse_changed(&read, edit.position)?;
    let home = &read.home.state;
    check_places(log, home, &edit.set).await?;
    let mut asked = find_facts(edit, home).map_err(CommitError::Rejected)?;
    let mut guarded = append.clone();
    for (room, rooms) in home.counts_after(&asked).map_err(reject)? {
        let stock = log.load::<RoomStock>(room).await?;
        let taken = stock.state.taken_above(rooms, context.at);
        asked.taken_above.push((room, taken));
        // Should the stock change meanwhile, it is asked again.
        guarded = guarded.guard(StreamId::of::<RoomStock>(room), stock.expected());
    }
    let command = InventoryCommand::EditFacts {
        edit: Box::new(asked),
    };
    let events = match home.decide(command) {
        Ok(events) if events.is_empty() => return Ok(append),
        Ok(events) => events,
        Err(InventoryRejection::BelowBooked { room, taken_above }) => {
            let bookings = name_bookings(log, &taken_above).await?;
            return Err(CommitError::Rejected(ListingsError::Booked { room, bookings }));
        }
        Err(rejection) => return Err(reject(rejection)),
    };
    guarded
        .decision(edit.home_id, &read.home, &events)
        .map_err(|error| CommitError::Log(error.into()))
}

/// Refuses an edit of a home that is shown otherwise than its editor saw it.
pub(super) fn refuse_changed(
    read: &HomeValues,
    position: Position,
) -> Result<(), CommitError<ListingsError>> {
    // Photos are arranged apart from the facts that an editor read.
    let mut changed = read.list_changed_after(position);
    changed.retain(|value| !value.shown.fact.key().is_photos());
    let mut gone = read.list_gone_after(position);
    gone.retain(|key| !key.is_photos());
    if changed.is_empty() && gone.is_empty() {
        return Ok(());
    }
    let meanwhile = Meanwhile {
        position: read.position,
        changed,
        gone,
    };
    let refused = ListingsError::ChangedMeanwhile(Box::new(meanwhile));
    Err(CommitError::Rejected(refused))
}

async fn check_places(
    log: &EventLog,
    home: &Inventory,
    set: &[Fact],
) -> Result<(), CommitError<ListingsError>> {
    let country = home.property.as_deref().map(|property| property.country);
    for fact in set {
        if let Fact::Place { region, area } = fact {
            check_place(log, country, (*region, *area)).await?;
        }
    }
    Ok(())
}

/// A home is found under a city of its own country, and under an area of that city or under none.
///
/// # Errors
/// For another place, and when the log cannot be read.
pub(super) async fn check_place(
    log: &EventLog,
    country: Option<Country>,
    (region, area): (RegionId, Option<RegionId>),
) -> Result<(), CommitError<ListingsError>> {
    let city = log.load::<Region>(region).await?.state.details;
    let city = city.filter(|city| city.region_type == RegionType::Locality);
    let city = city.ok_or(CommitError::Rejected(ListingsError::UnknownPlace))?;
    if Some(city.country) != country {
        return Err(CommitError::Rejected(ListingsError::OtherCountry));
    }
    if let Some(area) = area {
        let area = log.load::<Region>(area).await?.state.details;
        let is_within = area.is_some_and(|area| area.parent == Some(region));
        if !is_within {
            return Err(CommitError::Rejected(ListingsError::UnknownPlace));
        }
    }
    Ok(())
}

pub(crate) fn reject(rejection: InventoryRejection) -> CommitError<ListingsError> {
    CommitError::Rejected(rejection.into())
}

/// The edit in the domain's words: a name of a fact to be taken back is one that a person set.
fn find_facts(edit: &EditHome, home: &Inventory) -> Result<FactEdit, ListingsError> {
    let keys: Vec<FactKey> = home.facts().iter().map(Fact::key).collect();
    let find = |name: &String| {
        let mut named = keys.iter().filter(|key| key.to_string() == *name);
        let found = named.find(|key| home.fact_beneath(key).is_some());
        found.cloned().ok_or_else(|| ListingsError::NotSet(name.clone()))
    };
    Ok(FactEdit {
        set: edit.set.clone(),
        unset: edit.unset.iter().map(find).collect::<Result<_, _>>()?,
        by: edit.by,
        reason: edit.reason.trim().to_owned(),
        taken_above: Vec::new(),
    })
}

fn check_words(edit: &EditHome) -> Result<(), ListingsError> {
    check_reason(&edit.reason)?;
    check_count(edit.set.len() + edit.unset.len())?;
    edit.set.iter().try_for_each(check_bounds)
}

/// Facts of one edit.
pub(crate) fn check_count(facts: usize) -> Result<(), ListingsError> {
    if facts > FACTS_MAX {
        return Err(ListingsError::TooMany { max: FACTS_MAX });
    }
    Ok(())
}

/// A reason of an act: some characters, and no more than a sentence or two.
pub(super) fn check_reason(reason: &str) -> Result<(), ListingsError> {
    let reason = reason.trim();
    if seen_length(reason) < REASON_LEAST || reason.chars().count() > REASON_MAX {
        return Err(ListingsError::NoReason { max: REASON_MAX });
    }
    Ok(())
}

pub(crate) fn check_bounds(fact: &Fact) -> Result<(), ListingsError> {
    let bound_text = |text: &str, max: usize| {
        let is_within = text.chars().count() <= max;
        is_within.then_some(()).ok_or_else(|| ListingsError::TooLong {
            fact: fact.key().to_string(),
            max,
        })
    };
    let bound_number = |number: u64, max: u64| {
        let is_within = number <= max;
        is_within.then_some(()).ok_or_else(|| ListingsError::TooLarge {
            fact: fact.key().to_string(),
            max,
        })
    };
    match fact {
        Fact::Name(name) | Fact::LocalName { text: Some(name), .. } => bound_text(name, NAME_MAX),
        Fact::Description { text: Some(text), .. } => bound_text(text, DESCRIPTION_MAX),
        Fact::RoomName { name, .. } => name.texts().try_for_each(|(_, text)| bound_text(text, NAME_MAX)),
        Fact::RoomCount { rooms, .. } => bound_number(u64::from(*rooms), u64::from(ROOMS_MAX)),
        Fact::LeasePrice { price_minor, .. } => bound_number(*price_minor, PRICE_MAX),
        Fact::Address(address) => list_names(address).try_for_each(|part| bound_text(part, NAME_MAX)),
        Fact::Photos(list) | Fact::RoomPhotos { list, .. } => {
            let wordings = list.pictures().flat_map(|photo| [&photo.caption, &photo.alt]);
            let mut texts = wordings.flat_map(Wording::texts);
            texts.try_for_each(|(_, text)| bound_text(text, PHOTO_WORDS_MAX))
        }
        Fact::Facilities(features) => bound_number(features.len() as u64, FEATURES_MAX),
        Fact::Terms(terms) => list_amounts(terms).try_for_each(|amount| bound_number(amount, PRICE_MAX)),
        _ => Ok(()),
    }
}

fn list_names(address: &Address) -> impl Iterator<Item = &str> {
    let parts = [
        &address.street_number,
        &address.route,
        &address.locality,
        &address.district,
        &address.state,
        &address.country,
        &address.postal_code,
    ];
    let named = parts.into_iter().flatten();
    named.map(|part| part.long_name.as_str())
}

fn list_amounts(terms: &PaymentTerms) -> impl Iterator<Item = u64> {
    [
        terms.deposit_minor,
        terms.refundable_token_minor,
        terms.platform_fee_minor,
        terms.max_deposit_minor,
        terms.deposit_multiplier_percent.into(),
    ]
    .into_iter()
}

/// The references of the enquiries that these payments are for, each once.
pub(crate) async fn name_bookings(log: &EventLog, payments: &[PaymentId]) -> Result<Vec<String>, LogError> {
    let mut names = Vec::new();
    for payment_id in payments {
        let terms = log.load::<Payment>(*payment_id).await?.state.terms;
        let enquiry = match terms {
            Some(terms) => log.load::<Lead>(terms.lead_id).await?.state.submission,
            None => None,
        };
        let name = enquiry.map_or_else(|| payment_id.to_string(), |enquiry| enquiry.reference.clone());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests;
