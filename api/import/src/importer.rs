//! Writes homes into the log: what one of them changes is decided in one place, and the changes of many are written together.

use std::collections::BTreeSet;

use domain::aggregate::Decide;
use domain::home_address::{HomeAddress, HomeAddressEvent};
use domain::id::{HomeAddressId, InventoryId};
use domain::inventory::property::PropertyDetails;
use domain::inventory::room_offer::RoomOffer;
use domain::inventory::state::{ClosedBy, HomeState};
use domain::inventory::{
    Inventory, InventoryCommand, InventoryEvent, InventoryRejection, let_room::RoomDetails,
};
use domain::region::{Region, RegionCommand};
use eventlog::{Append, CodecError, EventLog, Expected, Loaded, commit};
use feeds::{Entry, Fault, Home, Outcome, Status, Verdict};

use crate::addresses::Addresses;
use crate::beside::PhotoFolder;
use crate::home::{Listing, Origin, read_listing};
use crate::missing::{MissingHome, NamedHomes};
use crate::places::opening::write_opened;
use crate::places::{self, Gazetteer, named_id};
use crate::report::{ReportLine, ReportLines, note};
use crate::room_ids::give_ids;
use crate::run::RunMark;
use crate::unkept::list_unkept;
use crate::waiting::{SaidHome, WaitingHome, is_paused_by_feed, tell_refused, write_homes};
use crate::{Run, Tally, booked};

/// Homes decided before they are written together; a cut-off import loses at most these.
const BATCH: usize = 500;

/// The outcome of one home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    Added,
    Changed,
    Unchanged,
    Rejected,
    LeftOut,
}

/// An import on its way.
pub(super) struct Importer<'a> {
    log: &'a EventLog,
    feed: &'a str,
    run: Run,
    mark: RunMark,
    pub(super) gazetteer: Gazetteer,
    /// Where photos lie that the file names by paths.
    pub(super) beside: Option<&'a PhotoFolder>,
    /// Homes that the feed names, rejected ones too.
    pub(super) named: NamedHomes,
    /// Facts of taken homes that have no place in the house.
    pub(super) unkept: BTreeSet<&'static str>,
    addresses: Addresses,
    waiting: Vec<WaitingHome>,
    /// Homes that are let and that the feed closes.
    pub(super) closing: Vec<MissingHome>,
    pub(super) tally: Tally,
    /// The tally when everything before was written last.
    pub(super) settled: Tally,
}

impl<'a> Importer<'a> {
    pub(super) async fn new(
        log: &'a EventLog,
        feed: &'a str,
        (run, mark): (Run, RunMark),
    ) -> Result<Self, String> {
        Ok(Self {
            log,
            feed,
            run,
            mark,
            gazetteer: Gazetteer::read(log).await?,
            beside: None,
            named: NamedHomes::default(),
            unkept: BTreeSet::new(),
            addresses: Addresses::default(),
            waiting: Vec::new(),
            closing: Vec::new(),
            tally: Tally::default(),
            settled: Tally::default(),
        })
    }

    /// Takes one home of the feed in, and tells its outcome with everything that is to be said of it.
    pub(super) async fn take_entry(
        &mut self,
        entry: Entry,
        report: &mut impl ReportLines,
    ) -> Result<(), String> {
        let Entry {
            line,
            id,
            outcome,
            mut faults,
        } = entry;
        let inventory = InventoryId(named_id(&["inventory", self.feed, &id]));
        self.named.note(self.feed, &id);
        let became = match outcome {
            Outcome::Taken(mut home) => {
                if let Some(beside) = self.beside {
                    beside.take(self.log, &mut home, self.run.dry_run).await?;
                }
                self.take_home(inventory, &home, &mut faults).await?
            }
            Outcome::LeftOut => Became::LeftOut,
            Outcome::Rejected => Became::Rejected,
        };
        self.tally.homes += 1;
        let (count, word) = match became {
            Became::Added => (&mut self.tally.added, "added"),
            Became::Changed => (&mut self.tally.changed, "changed"),
            Became::Unchanged => (&mut self.tally.unchanged, "unchanged"),
            Became::Rejected => (&mut self.tally.rejected, "rejected"),
            Became::LeftOut => (&mut self.tally.left_out, "left out"),
        };
        *count += 1;
        tell_home(report, (line, id.as_str(), word), faults)?;
        if self.waiting.len() >= BATCH {
            self.flush().await?;
        }
        Ok(())
    }

    /// Decides what the home changes; the rules' own rejections name it as its reader's do. A home that is taken in may leave bookings
    /// without a room: each such room type is told.
    async fn take_home(
        &mut self,
        id: InventoryId,
        home: &Home,
        faults: &mut Vec<Fault>,
    ) -> Result<Became, String> {
        let loaded: Loaded<Inventory> = self.log.load(id).await.map_err(|error| error.to_string())?;
        if home.status == Some(Status::Closed) && is_open(loaded.state.state) {
            self.closing.push(MissingHome {
                home_id: id,
                id: home.id.clone(),
            });
            return Ok(Became::Changed);
        }
        let Some(listing) = self.read_home(home, faults) else {
            return Ok(Became::Rejected);
        };
        let Listing {
            mut property, rooms, ..
        } = listing;
        property.canonical_name = if let Some(known) = loaded.state.property.as_deref() {
            // Links to it stay, whatever its feed calls it now.
            known.canonical_name.clone()
        } else {
            let wanted = &property.canonical_name;
            self.addresses.choose(self.log, id, wanted).await?
        };
        let known = loaded.state.sourced();
        let rooms = give_ids(&known, (self.origin(), home, &property), rooms, faults);
        let is_ours = is_paused_by_feed(self.log, id, &loaded.state, home.status).await;
        let is_ours = is_ours.map_err(|error| error.to_string())?;
        if is_let(home.status) && !is_ours && is_kept_shut(loaded.state.state) {
            let reason =
                "a person has paused or closed the home here, and it stays so: reopen it in the workspace";
            faults.push(note(home.line, "status", "", reason));
        }
        let said = SaidHome {
            property,
            rooms,
            status: home.status,
        };
        let events = match said.decide(&loaded.state, is_ours) {
            Ok(events) => events,
            Err(rejection) => {
                faults.push(Fault {
                    verdict: Verdict::HomeRejected,
                    ..note(home.line, "", "", rejection.to_string())
                });
                return Ok(Became::Rejected);
            }
        };
        let told = booked::explain_too_few(self.log, &loaded.state, &events, self.run.today).await;
        let told = told.map_err(|error| error.to_string())?;
        self.tally.closed += told.len() as u64;
        for reason in told {
            faults.push(note(home.line, "rooms_total", "", reason));
        }
        self.unkept.extend(list_unkept(home));
        self.write((id, said), &loaded, &events)?;
        Ok(match (loaded.state.property.is_none(), events.is_empty()) {
            (true, _) => Became::Added,
            (false, true) => Became::Unchanged,
            (false, false) => Became::Changed,
        })
    }

    const fn origin(&self) -> Origin<'a> {
        Origin {
            feed: self.feed,
            today: self.run.today,
        }
    }

    /// Reads a home as a listing, and notes everything that is to be said of it; nothing for one that cannot be listed.
    pub(super) fn read_home(&mut self, home: &Home, faults: &mut Vec<Fault>) -> Option<Listing> {
        let opened = self.gazetteer.count_opened();
        match read_listing(home, self.origin(), &mut self.gazetteer) {
            Ok(mut listing) => {
                faults.append(&mut listing.notes);
                faults.extend(self.tell_opened(home, opened));
                Some(listing)
            }
            Err(fault) => {
                faults.push(fault);
                None
            }
        }
    }

    /// Names the cities that a home has opened: a city that is mistyped is one nobody looks for.
    fn tell_opened(&self, home: &Home, from: usize) -> Vec<Fault> {
        let cities = self.gazetteer.list_opened_cities(from);
        let tell = |(name, is_known): (&str, bool)| {
            let reason = if is_known {
                "the city is opened with this home"
            } else {
                "no city of this name is known in the country, and it is opened in the middle of its homes: mend the name if it is mistyped"
            };
            note(home.line, "city", name, reason)
        };
        cities.map(tell).collect()
    }

    /// Puts the events of a home among those that are written together.
    fn write(
        &mut self,
        (id, said): (InventoryId, SaidHome),
        loaded: &Loaded<Inventory>,
        events: &[InventoryEvent],
    ) -> Result<(), String> {
        if events.is_empty() || self.run.dry_run {
            return Ok(());
        }
        let append = Append::new(&self.mark.context());
        let append = append.decision(id, loaded, events).and_then(|append| {
            if loaded.state.property.is_some() {
                return Ok(append);
            }
            claim_unseen(append, id, &said.property.canonical_name)
        });
        let append = append.map_err(|error| error.to_string())?;
        self.waiting.push(WaitingHome { id, said, append });
        Ok(())
    }

    /// Writes what waits: the places first, since homes name them.
    pub(super) async fn flush(&mut self) -> Result<(), String> {
        let opened = self.gazetteer.take_opened();
        self.tally.cities += opened.iter().filter(|opened| opened.is_city()).count() as u64;
        if self.run.dry_run {
            self.settled = self.tally;
            return Ok(());
        }
        for (id, region) in self.gazetteer.take_corrected() {
            let context = self.mark.context();
            let region = Box::new(region);
            let described =
                commit::<Region>(self.log, id, RegionCommand::Describe { region }, &context).await;
            described.map_err(|error| format!("a city's time zone cannot be corrected: {error}"))?;
        }
        let opened = places::appends(opened, &self.mark.context())?;
        let written = write_opened(self.log, opened).await;
        written.map_err(|error| tell_refused(&error))?;
        write_homes(self.log, self.mark, std::mem::take(&mut self.waiting)).await?;
        self.settled = self.tally;
        Ok(())
    }
}

/// Adds the claim of a new home to its address. Where another run claimed it since, the home is decided anew.
fn claim_unseen(append: Append, home: InventoryId, address: &str) -> Result<Append, CodecError> {
    let claimed = [HomeAddressEvent::Claimed { home }];
    append.events::<HomeAddress>(HomeAddressId::of(address), Expected::Revision(0), &claimed)
}

/// Decides the events by which the log says of a home what its feed says: the one place where a home becomes commands.
pub(crate) fn decide_home(
    known: &Inventory,
    property: Box<PropertyDetails>,
    rooms: Vec<(RoomDetails, RoomOffer)>,
    said: Option<Status>,
    is_paused_by_feed: bool,
) -> Result<Vec<InventoryEvent>, InventoryRejection> {
    let mut events = known.decide(InventoryCommand::Adopt { property, rooms })?;
    let mut steps = list_steps(known, said, is_paused_by_feed);
    steps.extend(mark_let_out(known, said));
    if steps.is_empty() {
        return Ok(events);
    }
    let mut home = known.clone();
    for event in &events {
        home.evolve(event);
    }
    for step in steps {
        let more = home.decide(step)?;
        for event in &more {
            home.evolve(event);
        }
        events.extend(more);
    }
    Ok(events)
}

/// The commands by which a home gets the state that its feed says. One that says nothing lets a new home, and one that the feed closed
/// before; a state that a person gave stays.
fn list_steps(known: &Inventory, said: Option<Status>, is_paused_by_feed: bool) -> Vec<InventoryCommand> {
    let pause = || InventoryCommand::Pause { reopens_on: None };
    let close = || InventoryCommand::Close { by: ClosedBy::Feed };
    let is_new = known.property.is_none();
    match (known.state, said) {
        (HomeState::Draft, Some(Status::Paused)) if is_new => vec![InventoryCommand::Activate, pause()],
        (HomeState::Draft, Some(Status::Closed)) if is_new => vec![InventoryCommand::Activate, close()],
        (HomeState::Draft, _) if is_new => vec![InventoryCommand::Activate],
        (HomeState::Active, Some(Status::Paused)) => vec![pause()],
        (HomeState::Active | HomeState::Paused { .. }, Some(Status::Closed)) => vec![close()],
        (HomeState::Paused { .. }, _) if is_paused_by_feed => vec![InventoryCommand::Reopen],
        (HomeState::Closed { by: ClosedBy::Feed }, Some(Status::Paused)) => {
            vec![InventoryCommand::Reopen, pause()]
        }
        (HomeState::Closed { by: ClosedBy::Feed }, None | Some(Status::Active | Status::Let)) => {
            vec![InventoryCommand::Reopen]
        }
        _ => Vec::new(),
    }
}

/// The command by which a home that is let for now is shown and not to be had, or is to be had again.
fn mark_let_out(known: &Inventory, said: Option<Status>) -> Option<InventoryCommand> {
    match (said, known.marked_unavailable) {
        (Some(Status::Let), false) => Some(InventoryCommand::MarkUnavailable),
        (None | Some(Status::Active), true) => Some(InventoryCommand::MarkAvailable),
        _ => None,
    }
}

/// Whether a home stays shut whatever its feed says: its pause, or its end, is a person's.
const fn is_kept_shut(state: HomeState) -> bool {
    match state {
        HomeState::Paused { .. } => true,
        HomeState::Closed { by } => !matches!(by, ClosedBy::Feed),
        HomeState::Draft
        | HomeState::InReview
        | HomeState::ChangesAsked
        | HomeState::Active
        | HomeState::Deleted => false,
    }
}

/// Says whether a feed can close a home of this state.
const fn is_open(state: HomeState) -> bool {
    matches!(state, HomeState::Active | HomeState::Paused { .. })
}

/// Whether the feed says outright that a home is let.
pub(crate) const fn is_let(said: Option<Status>) -> bool {
    matches!(said, Some(Status::Active | Status::Let))
}

/// Tells the outcome of a home, then what is to be said of it. The faults of one that is not taken are its outcome.
fn tell_home(
    report: &mut impl ReportLines,
    (line, id, word): (u64, &str, &'static str),
    faults: Vec<Fault>,
) -> Result<(), String> {
    let is_said = faults.iter().any(|fault| describe_verdict(fault.verdict) == word);
    if !is_said {
        report.tell(&ReportLine {
            line,
            home: id.to_owned(),
            outcome: word,
            path: String::new(),
            value: String::new(),
            reason: String::new(),
        })?;
    }
    for fault in faults {
        report.tell(&ReportLine {
            line: fault.line,
            home: id.to_owned(),
            outcome: describe_verdict(fault.verdict),
            path: fault.path,
            value: fault.value,
            reason: fault.reason,
        })?;
    }
    Ok(())
}

pub(super) const fn describe_verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Warned => "note",
        Verdict::LeftOut => "left out",
        Verdict::LeaseRejected => "lease rejected",
        Verdict::RoomRejected => "room rejected",
        Verdict::HomeRejected => "rejected",
    }
}

#[cfg(test)]
mod tests {
    use domain::aggregate::fold;

    use super::*;

    /// A home in a state, of which nothing else matters here.
    fn home_in(state: HomeState) -> Inventory {
        let listed = include_str!("../../../domain/events/inventory/PropertyListed.v2.json");
        let sample: serde_json::Value = serde_json::from_str(listed).unwrap();
        let event: InventoryEvent = serde_json::from_value(sample["payload"].clone()).unwrap();
        let mut home = fold::<Inventory>(&[event]);
        home.state = state;
        home
    }

    #[test]
    fn state_of_a_feed_moves_what_a_feed_has_moved() {
        use InventoryCommand as C;
        let pause = C::Pause { reopens_on: None };
        let close = C::Close { by: ClosedBy::Feed };
        let paused = HomeState::Paused { reopens_on: None };
        let closed = |by| HomeState::Closed { by };
        for (state, said, is_ours, steps) in [
            (HomeState::Active, None, false, vec![]),
            (HomeState::Active, Some(Status::Let), false, vec![]),
            (
                HomeState::Active,
                Some(Status::Paused),
                false,
                vec![pause.clone()],
            ),
            (paused, Some(Status::Active), true, vec![C::Reopen]),
            (paused, Some(Status::Active), false, vec![]),
            (paused, Some(Status::Closed), false, vec![close.clone()]),
            (closed(ClosedBy::Feed), None, false, vec![C::Reopen]),
            (
                closed(ClosedBy::Feed),
                Some(Status::Paused),
                false,
                vec![C::Reopen, pause.clone()],
            ),
            (closed(ClosedBy::Staff), Some(Status::Active), false, vec![]),
            (HomeState::InReview, Some(Status::Active), false, vec![]),
            (HomeState::Draft, Some(Status::Active), false, vec![]),
        ] {
            assert_eq!(
                list_steps(&home_in(state), said, is_ours),
                steps,
                "{state:?} {said:?}"
            );
        }
        let marked = |marked_unavailable, said| {
            let mut known = home_in(HomeState::Active);
            known.marked_unavailable = marked_unavailable;
            mark_let_out(&known, said)
        };
        assert_eq!(marked(false, Some(Status::Let)), Some(C::MarkUnavailable));
        assert_eq!(marked(true, Some(Status::Let)), None);
        assert_eq!(marked(true, None), Some(C::MarkAvailable));
        assert_eq!(marked(true, Some(Status::Paused)), None);
        let new = |said| list_steps(&Inventory::default(), said, false);
        assert_eq!(new(None), [C::Activate]);
        assert_eq!(new(Some(Status::Paused)), [C::Activate, pause]);
        assert_eq!(new(Some(Status::Closed)), [C::Activate, close]);
    }
}
