//! Reads an edit of a home as facts in the domain's words.

use chrono::NaiveDate;
use domain::contact::shown_name;
use domain::id::InventoryId;
use domain::inventory::facts::Fact;
use domain::inventory::property::Guarantor;
use domain::language::Language;
use domain::lease::{Lease, Stay};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::{say, unknown_value};

use super::{BillsSaid, GuarantorSaid, HomeEdit, LeaseEdit, RoomEdit};

/// The facts that an edit sets.
///
/// # Errors
/// 422 naming the field that cannot be read.
pub(super) fn read_facts(body: &HomeEdit) -> ApiResult<Vec<Fact>> {
    let mut facts = Vec::new();
    // On one line, and without unseen signs.
    let name = body.name.as_deref();
    facts.extend(name.map(|name| Fact::Name(shown_name(name, usize::MAX))));
    for (tag, text) in &body.description {
        let language = Language::from_code(tag);
        let language = language.ok_or_else(|| {
            let field = format!("description/{tag}");
            ApiError::invalid_field(field, "unknown", unknown_value("description", tag))
        })?;
        facts.push(Fact::Description {
            language: language.code().to_owned(),
            text: text.as_deref().map(clean_text),
        });
    }
    facts.extend(body.guarantor.map(|said| Fact::Guarantor(read_guarantor(said))));
    facts.extend(body.bills.map(|said| Fact::BillsIncluded(read_bills(said))));
    for (place, room) in body.rooms.iter().enumerate() {
        read_room(&format!("rooms/{place}"), room, &mut facts)?;
    }
    Ok(facts)
}

/// A text of several lines without control characters.
fn clean_text(text: &str) -> String {
    let is_kept = |c: &char| matches!(c, '\n' | '\t') || !c.is_control();
    let kept: String = text.chars().filter(is_kept).collect();
    kept.trim().to_owned()
}

const fn read_guarantor(said: GuarantorSaid) -> Option<Guarantor> {
    match said {
        GuarantorSaid::Local => Some(Guarantor::Local),
        GuarantorSaid::International => Some(Guarantor::International),
        GuarantorSaid::NotRequired => Some(Guarantor::NotRequired),
        GuarantorSaid::NotSaid => None,
    }
}

const fn read_bills(said: BillsSaid) -> Option<bool> {
    match said {
        BillsSaid::Included => Some(true),
        BillsSaid::Apart => Some(false),
        BillsSaid::NotSaid => None,
    }
}

fn read_room(path: &str, edit: &RoomEdit, facts: &mut Vec<Fact>) -> ApiResult<()> {
    let room: InventoryId = edit.room_id.parse().map_err(|_| {
        let field = format!("{path}/room_id");
        ApiError::invalid_field(field, "unknown", say("refusal.no_room"))
    })?;
    facts.extend(edit.count.map(|rooms| Fact::RoomCount {
        room,
        rooms,
        is_said: true,
    }));
    for (place, lease) in edit.leases.iter().enumerate() {
        facts.push(Fact::LeasePrice {
            room,
            stay: read_stay(&format!("{path}/leases/{place}"), lease)?,
            price_minor: lease.price_minor,
        });
    }
    Ok(())
}

fn read_stay(path: &str, lease: &LeaseEdit) -> ApiResult<Stay> {
    let move_in: NaiveDate = lease.move_in.parse().map_err(|_| {
        let field = format!("{path}/move_in");
        ApiError::invalid_field(field, "date_format", say("validation.date_format"))
    })?;
    let length = Lease::read(&lease.length).ok_or_else(|| {
        let field = format!("{path}/length");
        ApiError::invalid_field(field, "unknown", unknown_value("length", &lease.length))
    })?;
    Ok(Stay { move_in, length })
}
