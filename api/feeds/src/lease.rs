//! Reads the ways to rent a room: when, how long, for how much. Nothing is made up for a lease: without a price, a period or a
//! currency it is refused, and its sisters stand.

use chrono::NaiveDate;

use crate::build::{Around, ITEMS_MAX};
use crate::fault::Verdict;
use crate::fields::Field;
use crate::home::{Home, LeaseOption, Length, MoveIn, Room, Status, StayUnit};
use crate::node::Node;
use crate::plan::Scope;
use crate::price::{money_context, read_deposit, read_price};
use crate::reading::{Cell, Reading};
use crate::values::day::DayRead;
use crate::values::length::{LengthRead, read_length};
use crate::values::words::read_stay_unit;

const MOVE_IN_OVER: &str = "the last day to move in is over";
const STAY_OVER: &str = "the stay is over";

/// The leases of a room, those of its list, or the one that the room or the record says; then those that cannot be used.
pub(crate) fn build_leases(
    around: Around<'_>,
    reading: &mut Reading<'_>,
    home: &Home,
    room: &Room,
) -> (Vec<LeaseOption>, Vec<LeaseOption>) {
    let top = match &around.plan.leases {
        Some((_, true)) => reading.room,
        Some((_, false)) => Some(reading.home),
        None => None,
    };
    let path = around.plan.leases.as_ref().map(|(path, _)| path);
    let listed: Vec<&Node> = path.zip(top).map_or_else(Vec::new, |(path, top)| {
        let found = path.find(top).into_iter();
        found.flat_map(|found| found.node.items()).collect()
    });
    let (mut leases, mut rejected) = (Vec::new(), Vec::new());
    let mut take = |(lease, fate): (LeaseOption, Fate)| match fate {
        Fate::Taken => leases.push(lease),
        Fate::Rejected => rejected.push(lease),
        Fate::Over => {}
    };
    if listed.is_empty()
        && (around.plan.leases.is_none() || around.plan.reads_outside(Field::Price, Scope::Room))
    {
        take(build_lease(around, reading, None, "", home, room));
    }
    for (number, node) in listed.into_iter().take(ITEMS_MAX).enumerate() {
        let place = format!("lease {}: ", number + 1);
        take(build_lease(around, reading, Some(node), &place, home, room));
    }
    (leases, rejected)
}

/// The fate of a lease.
enum Fate {
    Taken,
    Rejected,
    /// Its days are over, which is no mistake of its feed.
    Over,
}

fn build_lease(
    around: Around<'_>,
    room_reading: &mut Reading<'_>,
    node: Option<&Node>,
    place: &str,
    home: &Home,
    room: &Room,
) -> (LeaseOption, Fate) {
    let mut reading = Reading {
        plan: room_reading.plan,
        home: room_reading.home,
        room: room_reading.room,
        lease: node,
        line: room_reading.line,
        verdict: Verdict::LeaseRejected,
        place: format!("{}{place}", room_reading.place),
        faults: Vec::new(),
    };
    let reading = &mut reading;
    let mut lease = LeaseOption {
        line: home.line,
        key: reading.cell(Field::LeaseId).map(|cell| cell.text),
        ..LeaseOption::default()
    };
    read_stay(reading, &mut lease);
    let money = money_context(reading, home.place.country);
    lease.price = read_price(reading, &money, around.stats);
    let priced = money.with_price(lease.price);
    lease.deposit = read_deposit(reading, &priced);
    lease.bills = reading.lease_bills(priced.context());
    lease.rooms_free = read_rooms_left(reading, room);
    lease.booking_deadline = reading.plain_day(Field::BookingDeadline);
    lease.blocked = read_blocked(reading);
    lease.is_bookable = match home.status {
        Some(Status::Let | Status::Closed) => Some(false),
        _ => reading.flag(Field::Bookable),
    };
    let wrong = reading
        .faults
        .iter()
        .filter(|fault| fault.verdict >= Verdict::LeaseRejected);
    let reasons: Vec<&str> = wrong.map(|fault| fault.reason.as_str()).collect();
    let is_over = |reason: &&str| [MOVE_IN_OVER, STAY_OVER].contains(reason);
    let fate = match &reasons[..] {
        [] => Fate::Taken,
        reasons if reasons.iter().any(is_over) => Fate::Over,
        _ => Fate::Rejected,
    };
    room_reading.faults.append(&mut reading.faults);
    (lease, fate)
}

/// When it begins, how long it lasts, when it ends.
fn read_stay(reading: &mut Reading<'_>, lease: &mut LeaseOption) {
    let today = reading.plan.today;
    let (from, start_path) = read_start(reading, lease);
    let until = reading.plain_day(Field::MoveInUntil);
    lease.end = reading.plain_day(Field::End);
    lease.length = read_stay_length(reading, lease);
    let until_path = reading.column_names(Field::MoveInUntil);
    if let Some(until) = until {
        if until < today {
            reading.wrong(&until_path, &until.to_string(), MOVE_IN_OVER);
        } else if from.is_some_and(|from| until < from) {
            reading.wrong(
                &until_path,
                &until.to_string(),
                "the last day to move in is before the first",
            );
        } else {
            lease.move_in = Some(MoveIn::Window(from.unwrap_or(today).max(today), until));
        }
    } else if let Some(day) = from.filter(|day| *day < today) {
        lease.move_in = Some(MoveIn::Now);
        if lease.end.is_none_or(|end| end >= today) {
            reading.warn(
                &start_path,
                &day.to_string(),
                "the day to move in is past: the room is free now",
            );
        }
    }
    if let Some(end) = lease.end {
        let path = reading.column_names(Field::End);
        if end < today {
            reading.wrong(&path, &end.to_string(), STAY_OVER);
        } else if from.is_some_and(|from| end <= from) {
            reading.wrong(&path, &end.to_string(), "the stay ends before it begins");
        }
    }
}

/// The first day to move in, where one is said, and the column that says it.
fn read_start(reading: &mut Reading<'_>, lease: &mut LeaseOption) -> (Option<NaiveDate>, String) {
    let Some((cell, read)) = reading.day(Field::MoveIn) else {
        return (None, String::new());
    };
    match read {
        DayRead::Day(day) => {
            lease.move_in = Some(MoveIn::Day(day));
            return (Some(day), cell.path);
        }
        DayRead::Now => lease.move_in = Some(MoveIn::Now),
        DayRead::Words => {
            reading.warn(
                &cell.path,
                &cell.text,
                "it is no day and is shown in these words: write it as 2027-10-01",
            );
            lease.move_in = Some(MoveIn::Words(cell.text));
        }
        DayRead::TwoWays(..) | DayRead::NoDay => {}
    }
    (None, String::new())
}

fn read_stay_length(reading: &mut Reading<'_>, lease: &mut LeaseOption) -> Option<Length> {
    let unit_cell = reading.cell(Field::LengthUnit);
    let unit = unit_cell.and_then(|cell| read_stay_unit(&cell.text));
    if let Some(cell) = reading.cell(Field::Length) {
        let unit = cell.unit.and_then(read_stay_unit).or(unit);
        match read_length(&cell.text, unit) {
            LengthRead::Length(length) => return Some(length),
            LengthRead::Zero => reading.wrong(&cell.path, &cell.text, "a stay of no length"),
            LengthRead::Parts => reading.wrong(
                &cell.path,
                &cell.text,
                "the length has parts of a unit: write it in whole weeks or months, such as 44 weeks",
            ),
            LengthRead::NoUnit => reading.wrong(
                &cell.path,
                &cell.text,
                "the unit of the length is not said: write unit = \"weeks\" or \"months\" into the map",
            ),
            LengthRead::Words => {
                reading.warn(
                    &cell.path,
                    &cell.text,
                    "it is no length, such as 44 weeks, and is shown in these words",
                );
                return Some(Length::Words(crate::values::html::clean_line(&cell.text)));
            }
            LengthRead::End(text) => read_end(reading, lease, &cell, &text),
        }
        return None;
    }
    let from = read_bound(reading, Field::LengthMin, unit);
    let to = read_bound(reading, Field::LengthMax, unit);
    match (from, to) {
        (None, None) => None,
        (Some((from, unit)), Some((to, other))) if unit == other && to < from => {
            let column = reading.column_names(Field::LengthMax);
            reading.wrong(
                &column,
                &to.to_string(),
                format!("the longest stay is shorter than the shortest, {from}"),
            );
            None
        }
        (from, to) => Some(Length::Between {
            least: from,
            most: to,
        }),
    }
}

/// `bis 30.09.2028` in a column of lengths.
fn read_end(reading: &mut Reading<'_>, lease: &mut LeaseOption, cell: &Cell<'_>, text: &str) {
    let orders = cell
        .column
        .map(|path| reading.plan.day_orders(path))
        .unwrap_or_default();
    match crate::values::day::read_in_orders(text, orders, reading.plan.today) {
        DayRead::Day(day) => lease.end = Some(day),
        _ => reading.wrong(
            &cell.path,
            &cell.text,
            "its last day cannot be read: write it as 2028-09-30",
        ),
    }
}

fn read_bound(reading: &mut Reading<'_>, field: Field, unit: Option<StayUnit>) -> Option<(u32, StayUnit)> {
    let cell = reading.cell(field)?;
    let unit = cell.unit.and_then(read_stay_unit).or(unit);
    match read_length(&cell.text, unit) {
        LengthRead::Length(Length::Exactly(count, unit)) => Some((count, unit)),
        // No shortest stay.
        LengthRead::Zero => None,
        LengthRead::NoUnit => {
            reading.warn(&cell.path, &cell.text, "the unit of the length is not said: write unit = \"nights\", \"weeks\" or \"months\" into the map");
            None
        }
        _ => {
            reading.warn(
                &cell.path,
                &cell.text,
                "it is no length, such as 28, and is not shown",
            );
            None
        }
    }
}

/// Blocked nights by two columns whose values belong together.
fn read_blocked(reading: &mut Reading<'_>) -> Vec<(NaiveDate, NaiveDate)> {
    let (from, until) = (
        reading.cells(Field::BlockedFrom),
        reading.cells(Field::BlockedUntil),
    );
    let mut blocked = Vec::new();
    for (place, from) in from.iter().enumerate() {
        let first = read_plain(reading, from);
        let last = until.get(place).and_then(|until| read_plain(reading, until));
        match first.zip(last) {
            Some((first, last)) if first <= last => blocked.push((first, last)),
            _ => reading.wrong(
                &from.path,
                &from.text,
                "the blocked nights have no first and last day",
            ),
        }
    }
    blocked
}

fn read_plain(reading: &Reading<'_>, cell: &Cell<'_>) -> Option<NaiveDate> {
    let orders = cell
        .column
        .map(|path| reading.plan.day_orders(path))
        .unwrap_or_default();
    match crate::values::day::read_in_orders(&cell.text, orders, reading.plan.today) {
        DayRead::Day(day) => Some(day),
        _ => None,
    }
}

fn read_rooms_left(reading: &mut Reading<'_>, room: &Room) -> Option<u32> {
    let free = reading.count(Field::RoomsLeft)?;
    if let Some(total) = room.total.filter(|total| free > *total) {
        let column = reading.column_names(Field::RoomsLeft);
        reading.wrong(
            &column,
            &free.to_string(),
            format!("{free} rooms are left of {total}"),
        );
    }
    Some(free)
}
