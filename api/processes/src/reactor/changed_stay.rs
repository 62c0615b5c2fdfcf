//! The stay that staff changed for a student, as the message about it tells: what it was, what it is, and what both cost.

use domain::id::LeadId;
use domain::inventory::Inventory;
use domain::language::Language;
use domain::lead::desk::{PricedStay, StayChange};
use domain::lead::{DeskAct, Lead, LeadEvent};
use domain::money::{Money, Period};
use eventlog::{EventLog, LogError, StreamId};
use platform::days;
use platform::forms::forms_of;
use platform::texts::text;
use uuid::Uuid;

use super::ReactorError;
use crate::home_clock::find_home_clock;

/// Events of a lead that are read at once.
const AT_ONCE: usize = 500;

/// Writes what an act changed; empty where the act is older than the record of it, or the enquiry names no home.
pub(super) async fn describe_change(
    log: &EventLog,
    language: Language,
    (lead_id, lead): (LeadId, &Lead),
    act_id: Uuid,
) -> Result<String, ReactorError> {
    let home_id = lead.submission.as_ref().and_then(|sent| sent.inventory_root_id);
    let (Some(home_id), Some(change)) = (home_id, find_change(log, lead_id, act_id).await?) else {
        return Ok(String::new());
    };
    let home = log.load::<Inventory>(home_id).await?.state;
    let before = change.before.map_or_else(
        || text(language, "mail.stay_none", &[]),
        |before| describe_stay(language, &home, &before),
    );
    let now = describe_stay(language, &home, &change.after);
    let mut told = text(
        language,
        "mail.stay_changed",
        &[("before", &before), ("now", &now)],
    );
    if let Some(until) = change.price_until {
        let clock = find_home_clock(log, language, home.property.as_deref()).await?;
        let until = days::moment(language, until, clock.as_ref());
        told.push('\n');
        told.push_str(&text(language, "mail.stay_price_until", &[("until", &until)]));
    }
    told.push_str("\n\n");
    Ok(told)
}

/// Whether the enquiry wishes for another stay by now than the one that an act changed it to.
pub(super) async fn is_changed_since(
    log: &EventLog,
    (lead_id, lead): (LeadId, &Lead),
    act_id: Uuid,
) -> Result<bool, ReactorError> {
    let change = find_change(log, lead_id, act_id).await?;
    Ok(change.is_some_and(|change| !lead.wish.fits(change.after.stay)))
}

fn describe_stay(language: Language, home: &Inventory, stay: &PricedStay) -> String {
    let room = home.rooms.iter().find(|room| room.details.id == stay.room_id);
    let room = room.map_or("", |room| room.details.name.in_language(language.code()));
    let rent = forms_of(language).write_price(Money::new(stay.rent_minor, stay.currency));
    let key = match stay.period {
        Period::Weekly => "mail.stay_weekly",
        Period::Monthly => "mail.stay_monthly",
    };
    let (from, to) = (
        days::day(language, stay.stay.move_in),
        days::day(language, stay.stay.ends()),
    );
    let values = [("room", room), ("from", &from), ("to", &to), ("rent", &rent)];
    text(language, key, &values)
}

async fn find_change(
    log: &EventLog,
    lead_id: LeadId,
    act_id: Uuid,
) -> Result<Option<StayChange>, ReactorError> {
    let stream = StreamId::of::<Lead>(lead_id);
    let mut after = 0;
    loop {
        let events = log.read_stream(&stream, after, AT_ONCE).await?;
        let Some(last) = events.last() else {
            return Ok(None);
        };
        after = last.revision;
        for record in &events {
            let event = record.decode::<Lead>().map_err(LogError::from)?;
            if let LeadEvent::ActedOn {
                act_id: found, act, ..
            } = event
                && found == act_id
            {
                return Ok(match act {
                    DeskAct::StayChanged { change } | DeskAct::RoomChanged { change, .. } => {
                        change.map(|change| *change)
                    }
                    _ => None,
                });
            }
        }
    }
}
