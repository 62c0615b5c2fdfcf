//! Random feeds, counts, holds, bookings and cancellations of one room type against a model that counts on its fingers, week by week:
//! never oversold, and never freed while it is booked.

use std::collections::BTreeMap;

use chrono::Days;
use proptest::prelude::*;
use uuid::Uuid;

use super::story::{noon, payment};
use super::*;
use crate::inventory::facts::Fact;
use crate::inventory::let_room::{LeaseOption, LeaseTerms};
use crate::inventory::on_offer::OnOffer;
use crate::inventory::room_offer::RoomOffer;
use crate::inventory::tests::{property, room};
use crate::inventory::values::FactEdit;
use crate::inventory::{Inventory, InventoryCommand, InventoryRejection};
use crate::lease::Lease;

/// Weeks in which stays may begin.
const STARTS: u16 = 8;
/// The longest stay, in weeks.
const LONGEST: u16 = 6;
const WEEKS: u16 = STARTS + LONGEST;

/// One thing that happens to the room type.
#[derive(Debug, Clone)]
enum Step {
    /// A feed: how many rooms, if it says so, and its leases as first week, weeks and rooms that are free.
    Feed(Option<u32>, Vec<(u16, u16, u32)>),
    /// A person says how many rooms there are.
    Count(u32),
    /// The listing is taken down, or listed again.
    Listed(bool),
    Hold(u128, (u16, u16)),
    Sell(u128),
    Release(u128),
    TakeBack(u128),
    /// So many minutes pass, and what has lapsed ends.
    Wait(i64),
}

fn any_stay() -> impl Strategy<Value = (u16, u16)> {
    (0..STARTS, 1..=LONGEST)
}

fn any_step() -> impl Strategy<Value = Step> {
    let lease = (any_stay(), 0_u32..4).prop_map(|((first, weeks), free)| (first, weeks, free));
    let leases = prop::collection::vec(lease, 0..5);
    prop_oneof![
        3 => (prop::option::of(0_u32..4), leases).prop_map(|(rooms, leases)| Step::Feed(rooms, leases)),
        1 => (0_u32..4).prop_map(Step::Count),
        1 => any::<bool>().prop_map(Step::Listed),
        8 => (0_u128..12, any_stay()).prop_map(|(n, stay)| Step::Hold(n, stay)),
        4 => (0_u128..12).prop_map(Step::Sell),
        1 => (0_u128..12).prop_map(Step::Release),
        1 => (0_u128..12).prop_map(Step::TakeBack),
        1 => (1_i64..15).prop_map(Step::Wait),
    ]
}

fn stay_of((first, weeks): (u16, u16)) -> Stay {
    let begin: chrono::NaiveDate = "2027-09-11".parse().unwrap();
    Stay {
        move_in: begin + Days::new(u64::from(first) * 7),
        length: Lease::weeks(weeks),
    }
}

/// A room that somebody has.
#[derive(Debug, Clone, Copy)]
struct Had {
    stay: (u16, u16),
    /// Until when it is held; `None`: it is sold.
    until: Option<Moment>,
}

impl Had {
    fn is_in(&self, week: u16) -> bool {
        let (first, weeks) = self.stay;
        (first..first + weeks).contains(&week)
    }
}

/// Everything that a person with a calendar would know.
struct Model {
    now: Moment,
    rooms: u32,
    /// What the feed says, whatever a person says.
    of_feed: u32,
    of_person: Option<u32>,
    is_listed: bool,
    leases: BTreeMap<(u16, u16), u32>,
    had: BTreeMap<u128, Had>,
}

impl Model {
    fn count(&self, week: u16, counts: impl Fn(&Had) -> bool) -> u32 {
        let there = self.had.values().filter(|had| had.is_in(week) && counts(had));
        u32::try_from(there.count()).unwrap()
    }

    fn is_oversold(&self) -> bool {
        (0..WEEKS).any(|week| self.count(week, |had| had.until.is_none()) > self.rooms)
    }

    fn free(&self, stay: (u16, u16)) -> u32 {
        if !self.is_listed || self.is_oversold() {
            return 0;
        }
        let most = self.leases.get(&stay).copied().unwrap_or(0).min(self.rooms);
        let (first, weeks) = stay;
        let left = (first..first + weeks).map(|week| most.saturating_sub(self.count(week, |_| true)));
        left.min().unwrap()
    }

    /// Whether somebody has a week for which there would be too few rooms.
    fn is_above(&self, rooms: u32) -> bool {
        (0..WEEKS).any(|week| self.count(week, |_| true) > rooms)
    }

    fn take_feed(&mut self, rooms: Option<u32>, leases: &[(u16, u16, u32)]) {
        let most_free = leases.iter().map(|(_, _, free)| *free).max().unwrap_or(0);
        let of_feed = rooms.unwrap_or(self.of_feed.max(most_free));
        // A person's number stands until the feed changes its own; rooms that it lets free are none.
        if rooms.is_some_and(|rooms| rooms != self.of_feed) {
            self.of_person = None;
        }
        self.of_feed = of_feed;
        self.rooms = self.of_person.unwrap_or(of_feed);
        self.leases.clear();
        for (first, weeks, free) in leases {
            self.leases.entry((*first, *weeks)).or_insert(*free);
        }
    }
}

/// The room type as the product has it, beside its model.
struct Both {
    home: Inventory,
    stock: RoomStock,
    model: Model,
}

impl Both {
    fn new() -> Self {
        let mut both = Self {
            home: Inventory::default(),
            stock: RoomStock::default(),
            model: Model {
                now: noon(),
                rooms: 0,
                of_feed: 0,
                of_person: None,
                is_listed: true,
                leases: BTreeMap::new(),
                had: BTreeMap::new(),
            },
        };
        let adopt = InventoryCommand::Adopt {
            property: property(),
            rooms: vec![(room(2), RoomOffer::from(Vec::new()))],
        };
        both.list(adopt).unwrap();
        both.list(InventoryCommand::Activate).unwrap();
        both
    }

    fn list(&mut self, command: InventoryCommand) -> Result<(), InventoryRejection> {
        for event in self.home.decide(command)? {
            self.home.evolve(&event);
        }
        Ok(())
    }

    fn ask(&mut self, command: RoomStockCommand) -> Result<(), RoomStockRejection> {
        for event in self.stock.decide(command)? {
            self.stock.evolve(&event);
        }
        Ok(())
    }

    fn on_offer(&self) -> OnOffer {
        if self.home.available() {
            self.home.rooms[0].on_offer()
        } else {
            OnOffer::default()
        }
    }

    fn take(&mut self, step: Step) -> Result<(), TestCaseError> {
        match step {
            Step::Feed(rooms, leases) => {
                self.model.take_feed(rooms, &leases);
                let leases = leases.into_iter().map(|(first, weeks, free)| {
                    let stay = stay_of((first, weeks));
                    LeaseOption {
                        move_in: stay.move_in,
                        length: stay.length,
                        price_minor: 28_900,
                        rooms_available: free,
                        terms: LeaseTerms::default(),
                    }
                });
                let offer = RoomOffer {
                    rooms,
                    is_count_said: true,
                    leases: leases.collect(),
                };
                let room = room(2).id;
                self.list(InventoryCommand::OfferLeases { room, offer }).unwrap();
            }
            Step::Count(rooms) => self.count(rooms)?,
            Step::Listed(is_listed) => {
                self.model.is_listed = is_listed;
                let command = if is_listed {
                    InventoryCommand::Activate
                } else {
                    InventoryCommand::Deactivate
                };
                self.list(command).unwrap();
            }
            Step::Hold(n, stay) => self.hold(n, stay)?,
            Step::Sell(n) => self.sell(n)?,
            Step::Release(n) => {
                let payment_id = payment(n);
                self.ask(RoomStockCommand::Release { payment_id }).unwrap();
                self.model
                    .had
                    .retain(|other, had| *other != n || had.until.is_none());
            }
            Step::TakeBack(n) => {
                let payment_id = payment(n);
                self.ask(RoomStockCommand::TakeBack { payment_id }).unwrap();
                self.model
                    .had
                    .retain(|other, had| *other != n || had.until.is_some());
            }
            Step::Wait(minutes) => {
                let now = self.model.now + TimeDelta::minutes(minutes);
                self.model.now = now;
                let latest = now + TimeDelta::days(1);
                self.ask(RoomStockCommand::Expire { at: now, latest }).unwrap();
                self.model
                    .had
                    .retain(|_, had| had.until.is_none_or(|until| until > now));
            }
        }
        self.agree()
    }

    fn count(&mut self, rooms: u32) -> Result<(), TestCaseError> {
        let room = room(2).id;
        let count = Fact::RoomCount {
            room,
            rooms,
            is_said: true,
        };
        let edit = FactEdit {
            set: vec![count],
            unset: vec![],
            by: UserId(Uuid::from_u128(1)),
            reason: "Counted on site".into(),
            taken_above: vec![(room, self.stock.taken_above(rooms, self.model.now))],
        };
        let command = InventoryCommand::EditFacts { edit: Box::new(edit) };
        let is_refused = rooms != self.model.rooms && self.model.is_above(rooms);
        prop_assert_eq!(self.list(command).is_err(), is_refused);
        if !is_refused && rooms != self.model.rooms {
            self.model.rooms = rooms;
            self.model.of_person = Some(rooms);
        }
        Ok(())
    }

    fn hold(&mut self, n: u128, stay: (u16, u16)) -> Result<(), TestCaseError> {
        if self.model.had.contains_key(&n) {
            return Ok(());
        }
        let until = self.model.now + TimeDelta::minutes(HOLD_MINUTES);
        let asked = HoldRequest {
            hold_id: HoldId(Uuid::from_u128(n)),
            payment_id: payment(n),
            continues: None,
            lead_id: None,
            identity: UserId(Uuid::from_u128(n)),
            proved: true,
            stay: stay_of(stay),
            offer: self.on_offer(),
            own_elsewhere: 0,
            at: self.model.now,
            until,
        };
        let is_held = self.ask(RoomStockCommand::Hold(asked)).is_ok();
        prop_assert_eq!(is_held, self.model.free(stay) > 0, "{:?}", stay);
        if is_held {
            let until = Some(until);
            self.model.had.insert(n, Had { stay, until });
            let (first, weeks) = stay;
            for week in first..first + weeks {
                prop_assert!(self.model.count(week, |_| true) <= self.model.rooms, "oversold");
            }
        }
        Ok(())
    }

    fn sell(&mut self, n: u128) -> Result<(), TestCaseError> {
        let command = RoomStockCommand::Sell {
            payment_id: payment(n),
            continues: None,
        };
        let is_sold = self.ask(command).is_ok();
        prop_assert_eq!(is_sold, self.model.had.contains_key(&n));
        if let Some(had) = self.model.had.get_mut(&n) {
            had.until = None;
        }
        Ok(())
    }

    /// Both say the same of every room that somebody has, and of every stay that somebody might ask for.
    fn agree(&self) -> Result<(), TestCaseError> {
        let (model, stock) = (&self.model, &self.stock);
        let had = |is_sold: bool| {
            let theirs = model
                .had
                .iter()
                .filter(move |(_, had)| had.until.is_none() == is_sold);
            theirs.map(|(n, _)| payment(*n)).collect::<Vec<_>>()
        };
        prop_assert_eq!(stock.sold.keys().copied().collect::<Vec<_>>(), had(true));
        prop_assert_eq!(stock.holds.keys().copied().collect::<Vec<_>>(), had(false));
        prop_assert_eq!(self.home.rooms[0].rooms, model.rooms);
        let today = model.now.date_naive();
        prop_assert_eq!(stock.is_oversold(model.rooms, today), model.is_oversold());
        prop_assert_eq!(
            stock.sold_above(model.rooms, today).is_empty(),
            !model.is_oversold()
        );
        let offer = self.on_offer();
        for first in 0..STARTS {
            for weeks in 1..=LONGEST {
                let asked = (first, weeks);
                let stay = stay_of(asked);
                let free = model.free(asked);
                prop_assert_eq!(stock.free(stay, &offer, model.now), free, "{:?}", asked);
                let open = stock.open(stay, (offer.rooms, offer.capacity(stay)), today);
                prop_assert_eq!(open, free, "in lists, {:?}", asked);
            }
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn rooms_are_never_oversold_nor_freed_while_booked(steps in prop::collection::vec(any_step(), 1..60)) {
        let mut both = Both::new();
        for step in steps {
            both.take(step)?;
        }
    }
}
