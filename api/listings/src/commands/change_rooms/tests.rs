use super::*;
use crate::commands::edit_home::{EditHome, edit_home};
use crate::trial::{EDITOR, HOME, ROOM, context, let_home};

async fn position(log: &EventLog) -> Position {
    read_home_values(log, HOME).await.unwrap().unwrap().position
}

async fn leases(log: &EventLog) -> Vec<LeaseOption> {
    let home = log.load::<Inventory>(HOME).await.unwrap().state;
    home.rooms[0].leases.clone()
}

/// The list is the newer word, also where it goes back to what stood before the edit.
#[tokio::test]
async fn list_of_leases_is_shown_as_sent_after_an_edit_of_a_price() {
    let log = EventLog::memory();
    let stay = let_home(&log).await;
    let first = leases(&log).await;
    let dearer = first[0].price_minor + 1_000;
    let price = Fact::LeasePrice {
        room: ROOM,
        stay,
        price_minor: dearer,
    };
    let edit = EditHome {
        home_id: HOME,
        position: position(&log).await,
        set: vec![price],
        unset: vec![],
        reason: "Prices of next year".into(),
        by: EDITOR,
    };
    edit_home(&log, &edit, &context()).await.unwrap();
    assert_eq!(leases(&log).await[0].price_minor, dearer);
    let asked = ChangeRooms {
        home_id: HOME,
        position: position(&log).await,
        change: RoomChange::Leases {
            room: ROOM,
            leases: first.clone(),
        },
        reason: "The old prices again".into(),
        by: EDITOR,
    };
    change_rooms(&log, &asked, &context()).await.unwrap();
    assert_eq!(leases(&log).await, first);
}
