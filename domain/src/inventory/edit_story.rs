//! Values of a feed and of people (U6): examples, and random sequences against a model that keeps both apart on its fingers.

use std::collections::BTreeMap;

use proptest::prelude::*;
use uuid::Uuid;

use super::facts::{FactKey, Shown as _, count_shown, show_leases};
use super::let_room::LeaseOption;
use super::property::{Guarantor, PaymentTerms, Source};
use super::tests::{after, lease, property, room};
use super::*;
use crate::id::{PaymentId, UserId};
use crate::lease::{Lease, Stay};
use crate::money::Currency;

const WEEKS: [u16; 2] = [44, 51];

/// What a feed says of its home.
#[derive(Debug, Clone)]
struct Feed {
    name: String,
    guarantor: Option<Guarantor>,
    text: Option<String>,
    rooms: u32,
    /// A price for each of [`WEEKS`]; none where that lease is not let.
    prices: [Option<u64>; 2],
}

impl Feed {
    fn first() -> Self {
        Self {
            name: "Queen House".into(),
            guarantor: None,
            text: None,
            rooms: 3,
            prices: [Some(20_000), Some(19_000)],
        }
    }

    fn property(&self) -> Box<PropertyDetails> {
        let mut said = property();
        said.source = Some(Source {
            feed: "feed".into(),
            id: "1".into(),
        });
        said.name.clone_from(&self.name);
        said.guarantor = self.guarantor;
        said.description.write("zh", self.text.as_deref());
        said
    }

    fn adopt(&self) -> InventoryCommand {
        let leases = WEEKS.into_iter().zip(self.prices);
        let leases = leases.filter_map(|(weeks, price)| {
            Some(LeaseOption {
                length: Lease::weeks(weeks),
                ..lease(price?, 1)
            })
        });
        let offer = RoomOffer {
            rooms: Some(self.rooms),
            is_count_said: true,
            leases: leases.collect(),
        };
        InventoryCommand::Adopt {
            property: self.property(),
            rooms: vec![(room(2), offer)],
        }
    }

    /// Its values by fact, of those that this test changes.
    fn values(&self) -> BTreeMap<FactKey, Fact> {
        let prices = WEEKS.into_iter().zip(self.prices);
        let prices = prices.filter_map(|(weeks, price)| Some(price_of(weeks, price?)));
        let facts = [
            Fact::Name(self.name.clone()),
            Fact::Guarantor(self.guarantor),
            chinese(self.text.clone()),
            count_of(self.rooms),
        ];
        let facts = facts.into_iter().chain(prices);
        facts.map(|fact| (fact.key(), fact)).collect()
    }
}

fn chinese(text: Option<String>) -> Fact {
    Fact::Description {
        language: "zh".into(),
        text,
    }
}

fn count_of(rooms: u32) -> Fact {
    Fact::RoomCount {
        room: room(2).id,
        rooms,
        is_said: true,
    }
}

fn price_of(weeks: u16, price_minor: u64) -> Fact {
    let length = Lease::weeks(weeks);
    let stay = Stay {
        length,
        ..lease(0, 0).stay()
    };
    Fact::LeasePrice {
        room: room(2).id,
        stay,
        price_minor,
    }
}

fn edit(set: Vec<Fact>, unset: Vec<FactKey>) -> FactEdit {
    FactEdit {
        set,
        unset,
        by: UserId(Uuid::from_u128(5)),
        reason: "Seen on site".into(),
        taken_above: vec![],
    }
}

fn change(set: Vec<Fact>, unset: Vec<FactKey>) -> InventoryCommand {
    InventoryCommand::EditFacts {
        edit: Box::new(edit(set, unset)),
    }
}

fn set(fact: Fact) -> InventoryCommand {
    change(vec![fact], vec![])
}

fn unset(key: FactKey) -> InventoryCommand {
    change(vec![], vec![key])
}

fn name_of(home: &Inventory) -> &str {
    &home.property.as_deref().unwrap().name
}

#[test]
fn edit_stands_until_the_feed_changes_its_own_value() {
    let feed = Feed::first();
    let own = || set(Fact::Name("The Queen".into()));
    let home = after(vec![feed.adopt(), own()]);
    assert_eq!(name_of(&home), "The Queen");
    assert_eq!(name_of(&home.sourced()), "Queen House");
    assert_eq!(home.decide(feed.adopt()), Ok(vec![]), "the same feed again");
    // Another fact of the feed changes: the edit stands.
    let other = Feed {
        guarantor: Some(Guarantor::Local),
        ..feed.clone()
    };
    let home = after(vec![feed.adopt(), own(), other.adopt()]);
    assert_eq!(name_of(&home), "The Queen");
    assert_eq!(
        home.fact_beneath(&FactKey::Name),
        Some(&Fact::Name("Queen House".into()))
    );
    // The feed renames it: the feed wins, and goes on winning.
    let renamed = Feed {
        name: "Queen Court".into(),
        ..feed.clone()
    };
    let home = after(vec![feed.adopt(), own(), renamed.adopt()]);
    assert_eq!(
        (name_of(&home), home.fact_beneath(&FactKey::Name)),
        ("Queen Court", None)
    );
    let home = after(vec![feed.adopt(), own(), renamed.adopt(), feed.adopt()]);
    assert_eq!(name_of(&home), "Queen House");
}

#[test]
fn undone_edit_shows_the_feed_s_value_again() {
    let feed = Feed::first();
    let edited = || vec![feed.adopt(), set(Fact::Name("The Queen".into()))];
    let home = after(edited());
    let undo = unset(FactKey::Name);
    let events = home.decide(undo.clone()).unwrap();
    let back = vec![Fact::Name("Queen House".into())];
    assert!(
        matches!(&events[0], InventoryEvent::FactsUnset { facts, .. } if *facts == back),
        "{events:?}"
    );
    let home = after([edited(), vec![undo.clone()]].concat());
    assert_eq!(home, after(vec![feed.adopt()]));
    let nothing = InventoryRejection::NotSet("name".into());
    assert_eq!(home.decide(undo), Err(nothing), "undone once");
}

#[test]
fn name_in_a_language_is_added_and_taken_away() {
    let chinese = |text: Option<&str>| {
        set(Fact::LocalName {
            language: "zh".into(),
            text: text.map(str::to_owned),
        })
    };
    let feed = Feed::first();
    let name = |home: &Inventory| home.property.as_deref().unwrap().name_in("zh").to_owned();
    let home = after(vec![feed.adopt(), chinese(Some("女王公寓")), feed.adopt()]);
    assert_eq!(
        (name(&home).as_str(), name_of(&home)),
        ("女王公寓", "Queen House")
    );
    let home = after(vec![feed.adopt(), chinese(Some("女王公寓")), chinese(None)]);
    assert_eq!(name(&home), "Queen House");
    let blank = home.decide(chinese(Some(" "))).unwrap_err();
    assert_eq!(blank.code(), "inventory_field_empty");
}

#[test]
fn edit_that_says_what_is_shown_changes_nothing() {
    let home = after(vec![Feed::first().adopt()]);
    let same = set(Fact::Name("Queen House".into()));
    assert_eq!(home.decide(same), Ok(vec![]));
}

#[test]
fn amount_in_other_money_ends_a_person_s_price() {
    let feed = Feed::first();
    let terms = Fact::Terms(PaymentTerms {
        deposit_minor: 20_000,
        ..PaymentTerms::default()
    });
    let edits = change(vec![price_of(44, 18_000), terms, count_of(9)], vec![]);
    let mut dear = feed.adopt();
    if let InventoryCommand::Adopt { property, .. } = &mut dear {
        property.currency = Currency::Eur;
    }
    let home = after(vec![feed.adopt(), edits, dear]);
    let known = &home.rooms[0];
    assert_eq!((known.leases[0].price_minor, known.rooms), (20_000, 9));
    assert_eq!(home.property.as_deref().unwrap().terms, PaymentTerms::default());
}

#[test]
fn bad_values_are_refused() {
    let home = after(vec![Feed::first().adopt()]);
    let code = |command| home.decide(command).unwrap_err().code();
    assert_eq!(code(set(Fact::Name(" ".into()))), "inventory_field_empty");
    assert_eq!(code(set(chinese(Some(String::new())))), "inventory_field_empty");
    assert_eq!(code(set(price_of(44, 0))), "inventory_no_price");
    assert_eq!(code(set(price_of(26, 20_000))), "inventory_unknown_lease");
    assert_eq!(code(unset(FactKey::Guarantor)), "inventory_not_set");
    let small = Fact::Terms(PaymentTerms {
        deposit_minor: 1,
        ..PaymentTerms::default()
    });
    assert_eq!(code(set(small)), "inventory_too_small_to_charge");
    let gone = after(vec![
        Feed::first().adopt(),
        InventoryCommand::WithdrawRoom { room: room(2).id },
    ]);
    let refused = gone.decide(set(count_of(4))).unwrap_err();
    assert_eq!(refused.code(), "inventory_unknown_room");
}

/// An undo that would leave too few rooms is refused as an edit is, with those who have them.
#[test]
fn undo_below_what_is_taken_is_refused() {
    let home = after(vec![Feed::first().adopt(), set(count_of(5))]);
    let booking = PaymentId(Uuid::from_u128(7));
    let mut undo = edit(vec![], vec![FactKey::RoomCount(room(2).id)]);
    assert_eq!(home.counts_after(&undo), Ok(vec![(room(2).id, 3)]));
    undo.taken_above = vec![(room(2).id, vec![booking])];
    let refused = home.decide(InventoryCommand::EditFacts { edit: Box::new(undo) });
    let below = InventoryRejection::BelowBooked {
        room: room(2).id,
        taken_above: vec![booking],
    };
    assert_eq!(refused, Err(below));
}

/// One thing that happens to the home.
#[derive(Debug, Clone)]
enum Step {
    Feed(Feed),
    Set(Fact),
    Unset(FactKey),
}

fn any_text() -> impl Strategy<Value = Option<String>> {
    prop::option::of("[甲乙]")
}

fn any_guarantor() -> impl Strategy<Value = Option<Guarantor>> {
    prop::option::of(prop_oneof![Just(Guarantor::Local), Just(Guarantor::NotRequired)])
}

fn any_feed() -> impl Strategy<Value = Feed> {
    let price = || prop::option::of(1_u64..4);
    let prices = (price(), price()).prop_map(|(one, other)| [one, other]);
    ("[A-C]", any_guarantor(), any_text(), 1_u32..4, prices).prop_map(
        |(name, guarantor, text, rooms, prices)| Feed {
            name,
            guarantor,
            text,
            rooms,
            prices,
        },
    )
}

fn any_fact() -> impl Strategy<Value = Fact> {
    prop_oneof![
        "[A-C]".prop_map(Fact::Name),
        any_guarantor().prop_map(Fact::Guarantor),
        any_text().prop_map(chinese),
        (1_u32..4).prop_map(count_of),
        (prop::sample::select(WEEKS.to_vec()), 1_u64..4).prop_map(|(weeks, price)| price_of(weeks, price)),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => any_feed().prop_map(Step::Feed),
        3 => any_fact().prop_map(Step::Set),
        1 => any_fact().prop_map(|fact| Step::Unset(fact.key())),
    ]
}

/// Per fact: what the feed says, and what a person set.
struct Model {
    feed: BTreeMap<FactKey, Fact>,
    person: BTreeMap<FactKey, Fact>,
}

impl Model {
    fn take_feed(&mut self, feed: &Feed) {
        let new = feed.values();
        self.person.retain(|key, _| new.get(key) == self.feed.get(key));
        self.feed = new;
    }

    fn shown(&self, key: &FactKey) -> Option<&Fact> {
        self.person.get(key).or_else(|| self.feed.get(key))
    }

    /// Whether the edit is taken.
    fn set(&mut self, fact: &Fact) -> bool {
        let key = fact.key();
        let shown = self.shown(&key).cloned();
        if shown.is_none() {
            return false;
        }
        if shown.as_ref() != Some(fact) {
            self.person.insert(key, fact.clone());
        }
        true
    }
}

/// What a reader knows that keeps nothing but what it shows: each event alone says it.
#[derive(Default)]
struct Reader {
    name: String,
    rooms: u32,
    prices: Vec<u64>,
}

impl Reader {
    fn take(&mut self, event: &InventoryEvent) {
        match event {
            InventoryEvent::PropertyListed { property } => self.name.clone_from(&property.name),
            InventoryEvent::PropertyDetailsChanged { property, set } => {
                self.name = (**property).clone().with_facts(set).name;
            }
            InventoryEvent::RoomPriced {
                room,
                rooms,
                leases,
                set,
                ..
            } => {
                self.rooms = count_shown(*room, rooms.unwrap(), set);
                let leases = show_leases(*room, leases.clone(), set);
                self.prices = leases.iter().map(|lease| lease.price_minor).collect();
            }
            _ => {}
        }
    }
}

proptest! {
    #[test]
    fn values_of_feed_and_person_stay_apart(steps in prop::collection::vec(any_step(), 1..40)) {
        let (mut home, mut reader) = (Inventory::default(), Reader::default());
        let mut model = Model { feed: BTreeMap::new(), person: BTreeMap::new() };
        for step in std::iter::once(Step::Feed(Feed::first())).chain(steps) {
            let (command, is_taken) = match step {
                Step::Feed(feed) => {
                    model.take_feed(&feed);
                    (feed.adopt(), true)
                }
                Step::Set(fact) => {
                    let is_taken = model.set(&fact);
                    (set(fact), is_taken)
                }
                Step::Unset(key) => {
                    let is_taken = model.person.remove(&key).is_some();
                    (unset(key), is_taken)
                }
            };
            let decided = home.decide(command);
            prop_assert_eq!(decided.is_ok(), is_taken);
            for event in decided.unwrap_or_default() {
                home.evolve(&event);
                reader.take(&event);
            }
            let source = home.sourced();
            for key in model.feed.keys() {
                prop_assert_eq!(home.fact(key), model.shown(key).cloned());
                prop_assert_eq!(source.fact(key), model.feed.get(key).cloned());
                prop_assert_eq!(home.fact_beneath(key).is_some(), model.person.contains_key(key));
            }
            prop_assert_eq!(&reader.name, name_of(&home));
            let known = &home.rooms[0];
            let prices: Vec<u64> = known.prices_minor().collect();
            prop_assert_eq!((reader.rooms, &reader.prices), (known.rooms, &prices));
        }
    }
}
