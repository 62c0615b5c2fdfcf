use chrono::TimeDelta;
use domain::id::HoldId;
use domain::inventory::on_offer::OnOffer;
use domain::lease::Stay;
use domain::room_stock::{HoldRequest, RoomStockCommand};
use eventlog::{Actor, commit};
use uuid::Uuid;

use super::*;
use crate::trial::{EDITOR, HOME, ROOM, context, let_home};

async fn hold(log: &EventLog, n: u128, stay: Stay) {
    let at = context().at;
    let hold = RoomStockCommand::Hold(HoldRequest {
        hold_id: HoldId(Uuid::from_u128(n)),
        payment_id: PaymentId(Uuid::from_u128(n)),
        continues: None,
        lead_id: None,
        identity: UserId(Uuid::from_u128(n)),
        proved: true,
        stay,
        offer: OnOffer::only(stay, 3),
        own_elsewhere: 0,
        at,
        until: at + TimeDelta::minutes(10),
    });
    commit::<RoomStock>(log, ROOM, hold, &context()).await.unwrap();
}

async fn position(log: &EventLog) -> Position {
    read_home_values(log, HOME).await.unwrap().unwrap().position
}

async fn change(
    log: &EventLog,
    (set, unset): (Vec<Fact>, Vec<&str>),
    position: Position,
    context: &Context,
) -> Result<Appended, CommitError<ListingsError>> {
    let edit = EditHome {
        home_id: HOME,
        position,
        set,
        unset: unset.into_iter().map(str::to_owned).collect(),
        reason: "Counted on site".into(),
        by: EDITOR,
    };
    edit_home(log, &edit, context).await
}

fn count(rooms: u32) -> (Vec<Fact>, Vec<&'static str>) {
    let count = Fact::RoomCount {
        room: ROOM,
        rooms,
        is_said: true,
    };
    (vec![count], vec![])
}

fn refusal(edited: Result<Appended, CommitError<ListingsError>>) -> ListingsError {
    match edited {
        Err(CommitError::Rejected(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

async fn rooms(log: &EventLog) -> u32 {
    log.load::<Inventory>(HOME).await.unwrap().state.rooms[0].rooms
}

#[tokio::test]
async fn count_below_what_is_taken_is_refused_with_names() {
    let log = EventLog::memory();
    let stay = let_home(&log).await;
    hold(&log, 7, stay).await;
    hold(&log, 8, stay).await;
    let sell = RoomStockCommand::Sell {
        payment_id: PaymentId(Uuid::from_u128(8)),
        continues: None,
    };
    commit::<RoomStock>(&log, ROOM, sell, &context()).await.unwrap();
    let at = position(&log).await;
    let refused = refusal(change(&log, count(1), at, &context()).await);
    let bookings = [8, 7].map(|n| PaymentId(Uuid::from_u128(n)).to_string());
    let booked = ListingsError::Booked {
        room: ROOM,
        bookings: bookings.to_vec(),
    };
    assert_eq!(refused, booked);
    assert_eq!(rooms(&log).await, 3);
    change(&log, count(2), at, &context()).await.unwrap();
    assert_eq!(rooms(&log).await, 2);
    // Ten minutes later the hold is over.
    let later = Context::new(context().at + TimeDelta::minutes(10), Actor::staff(EDITOR.0));
    let at = position(&log).await;
    change(&log, count(1), at, &later).await.unwrap();
    assert_eq!(rooms(&log).await, 1);
}

#[tokio::test]
async fn second_editor_is_told_what_the_first_one_changed() {
    let log = EventLog::memory();
    let_home(&log).await;
    let seen = position(&log).await;
    let name = |name: &str| (vec![Fact::Name(name.to_owned())], vec![]);
    change(&log, name("Row House"), seen, &context()).await.unwrap();
    let refused = refusal(change(&log, count(5), seen, &context()).await);
    let ListingsError::ChangedMeanwhile(meanwhile) = refused else {
        panic!("{refused:?}");
    };
    let changed: Vec<_> = meanwhile.changed.iter().map(|value| &value.shown.fact).collect();
    assert_eq!(changed, [&Fact::Name("Row House".into())]);
    change(&log, count(5), meanwhile.position, &context())
        .await
        .unwrap();
    assert_eq!(rooms(&log).await, 5);
}

/// A lease that is let no longer, and a room that is withdrawn, refuse what was decided before: nothing else shows that they ended.
#[tokio::test]
async fn edits_of_before_a_fact_ended_are_told_which() {
    let log = EventLog::memory();
    let stay = let_home(&log).await;
    let seen = position(&log).await;
    let silent = InventoryCommand::OfferLeases {
        room: ROOM,
        offer: Vec::<domain::inventory::let_room::LeaseOption>::new().into(),
    };
    commit::<Inventory>(&log, HOME, silent, &context()).await.unwrap();
    let late = || (vec![Fact::Name("Row House".into())], vec![]);
    let ended = |refused: ListingsError| match refused {
        ListingsError::ChangedMeanwhile(meanwhile) => (meanwhile.gone, meanwhile.position),
        other => panic!("{other:?}"),
    };
    let (gone, now) = ended(refusal(change(&log, late(), seen, &context()).await));
    assert!(gone.contains(&FactKey::LeasePrice(ROOM, stay)), "{gone:?}");
    change(&log, late(), now, &context()).await.unwrap();

    let seen = position(&log).await;
    let withdraw = InventoryCommand::WithdrawRoom { room: ROOM };
    commit::<Inventory>(&log, HOME, withdraw, &context())
        .await
        .unwrap();
    let (gone, _) = ended(refusal(change(&log, count(2), seen, &context()).await));
    for fact in [FactKey::RoomCount(ROOM), FactKey::RoomName(ROOM)] {
        assert!(gone.contains(&fact), "{gone:?}");
    }
}

#[tokio::test]
async fn values_say_who_set_them_and_what_the_source_says() {
    let log = EventLog::memory();
    let_home(&log).await;
    let seen = position(&log).await;
    let set = (vec![Fact::Name("Row House".into())], vec![]);
    change(&log, set, seen, &context()).await.unwrap();
    let read = read_home_values(&log, HOME).await.unwrap().unwrap();
    let named = |value: &&crate::questions::home_values::HomeValue| value.shown.fact.key() == FactKey::Name;
    let name = read.values.iter().find(named).unwrap();
    let edited = name.edited.as_ref().unwrap();
    assert_eq!(edited.reason.as_deref(), Some("Counted on site"));
    assert_eq!(edited.origin.actor, Actor::staff(EDITOR.0));
    let source = name.source.as_ref().unwrap();
    assert_eq!(source.fact, Fact::Name("Bloomsbury Row".into()));
    assert!(source.origin.position <= seen);
    // Taken back, the source's value is shown again; a second time there is nothing to take back.
    let undo = || (vec![], vec!["name"]);
    let at = read.position;
    change(&log, undo(), at, &context()).await.unwrap();
    let home = log.load::<Inventory>(HOME).await.unwrap().state;
    assert_eq!(home.property.unwrap().name, "Bloomsbury Row");
    let at = position(&log).await;
    let refused = refusal(change(&log, undo(), at, &context()).await);
    assert_eq!(refused, ListingsError::NotSet("name".into()));
}

#[tokio::test]
async fn edits_without_a_reason_or_beyond_bounds_are_refused() {
    let log = EventLog::memory();
    let_home(&log).await;
    let at = position(&log).await;
    let too_much = Fact::Name("x".repeat(NAME_MAX + 1));
    let refused = refusal(change(&log, (vec![too_much], vec![]), at, &context()).await);
    let fact = "name".to_owned();
    assert_eq!(refused, ListingsError::TooLong { fact, max: NAME_MAX });
    let silent = EditHome {
        home_id: HOME,
        position: at,
        set: count(4).0,
        unset: vec![],
        reason: "\u{200b} ".into(),
        by: EDITOR,
    };
    let refused = refusal(edit_home(&log, &silent, &context()).await);
    assert_eq!(refused, ListingsError::NoReason { max: REASON_MAX });
    let elsewhere = EditHome {
        home_id: ROOM,
        reason: "Counted on site".into(),
        ..silent
    };
    let refused = refusal(edit_home(&log, &elsewhere, &context()).await);
    assert_eq!(refused, ListingsError::UnknownHome);
    assert_eq!(rooms(&log).await, 3);
}
