use crate::aggregate::Decide as _;
use uuid::Uuid;

use super::super::facts::{Fact, FactKey};
use super::super::media::PhotoKind;
use super::super::property::Source;
use super::super::room_offer::RoomOffer;
use super::super::tests::{after, lease, property, room};
use super::super::values::FactEdit;
use super::super::{Inventory, InventoryCommand};
use super::*;
use crate::id::UserId;
use crate::wording::Wording;

const UPLOAD: &str = "sha256:upload";

fn list(places: &[&str]) -> PhotoList {
    PhotoList {
        photos: places.iter().map(|place| SaidPhoto::bare(place, None)).collect(),
        plans: Vec::new(),
    }
}

fn places(list: &PhotoList) -> Vec<&str> {
    list.pictures().map(|photo| photo.place.as_str()).collect()
}

fn captioned(place: &str, caption: &str) -> SaidPhoto {
    SaidPhoto {
        caption: Wording::english(caption),
        ..SaidPhoto::bare(place, None)
    }
}

#[test]
fn order_and_uploads_of_a_person_stand_over_their_source() {
    let set = list(&["b", UPLOAD, "a"]);
    let met = set.meet(&list(&["a", "b"]), &list(&["a", "b", "c"]));
    assert_eq!(places(&met), ["b", UPLOAD, "a", "c"]);
    let met = set.meet(&list(&["a", "b"]), &list(&["a"]));
    assert_eq!(places(&met), [UPLOAD, "a"]);
    let met = set.meet(&list(&["a", "b"]), &PhotoList::default());
    assert_eq!(places(&met), [UPLOAD], "uploads are never dropped");
}

#[test]
fn source_wins_where_it_changes_its_own_order_and_words() {
    let set = list(&[UPLOAD, "c", "a", "b"]);
    let met = set.meet(&list(&["a", "b", "c"]), &list(&["b", "a", "c"]));
    assert_eq!(places(&met), ["b", "a", "c", UPLOAD]);
    let set = PhotoList {
        photos: vec![captioned("b", "Ours"), captioned("a", "Ours")],
        plans: Vec::new(),
    };
    let now = PhotoList {
        photos: vec![SaidPhoto::bare("a", None), captioned("b", "Theirs")],
        plans: Vec::new(),
    };
    let met = set.meet(&list(&["a", "b"]), &now);
    assert_eq!(met.photos, [captioned("b", "Theirs"), captioned("a", "Ours")]);
    // One that the source calls a plan now stands among the plans.
    let now = PhotoList {
        photos: vec![SaidPhoto::bare("a", None)],
        plans: vec![SaidPhoto::bare("b", Some(PhotoKind::Plan))],
    };
    let met = set.meet(&list(&["a", "b"]), &now);
    assert_eq!((met.photos.len(), met.plans), (1, now.plans));
}

#[test]
fn photo_that_was_taken_away_comes_back_once_its_source_changes() {
    let set = list(&["a"]);
    let met = set.meet(&list(&["a", "b"]), &list(&["a", "b", "c"]));
    assert_eq!(places(&met), ["a", "c"]);
    let now = PhotoList {
        photos: vec![SaidPhoto::bare("a", None), captioned("b", "New")],
        plans: Vec::new(),
    };
    assert_eq!(places(&set.meet(&list(&["a", "b"]), &now)), ["a", "b"]);
}

fn adopt(places: &[&str]) -> InventoryCommand {
    let mut said = property();
    said.source = Some(Source {
        feed: "feed".into(),
        id: "1".into(),
    });
    list(places).write_to(&mut said.media);
    let offer = RoomOffer {
        rooms: Some(3),
        is_count_said: true,
        leases: vec![lease(20_000, 1)],
    };
    InventoryCommand::Adopt {
        property: said,
        rooms: vec![(room(2), offer)],
    }
}

fn arrange(facts: Vec<Fact>) -> InventoryCommand {
    InventoryCommand::EditFacts {
        edit: Box::new(FactEdit {
            set: facts,
            unset: Vec::new(),
            by: UserId(Uuid::from_u128(5)),
            reason: "The room first".into(),
            taken_above: Vec::new(),
        }),
    }
}

fn shown(home: &Inventory) -> PhotoList {
    PhotoList::of(&home.property.as_deref().unwrap().media)
}

#[test]
fn arrangement_of_a_home_meets_its_feed() {
    let set = || arrange(vec![Fact::Photos(list(&["b", UPLOAD, "a"]))]);
    let home = after(vec![adopt(&["a", "b"]), set()]);
    assert_eq!(places(&shown(&home)), ["b", UPLOAD, "a"]);
    assert_eq!(home.decide(adopt(&["a", "b"])), Ok(vec![]), "the same feed again");
    let home = after(vec![adopt(&["a", "b"]), set(), adopt(&["a", "b", "c"])]);
    assert_eq!(places(&shown(&home)), ["b", UPLOAD, "a", "c"]);
    let beneath = home.fact_beneath(&FactKey::Photos);
    assert_eq!(beneath, Some(&Fact::Photos(list(&["a", "b", "c"]))));
    let home = after(vec![adopt(&["a", "b"]), set(), adopt(&["a"]), adopt(&[])]);
    assert_eq!(places(&shown(&home)), [UPLOAD]);
}

#[test]
fn photo_moves_to_a_room_and_stays_there() {
    let to = room(2).id;
    let moved = arrange(vec![
        Fact::Photos(list(&["a"])),
        Fact::RoomPhotos {
            room: to,
            list: list(&["b"]),
        },
    ]);
    let home = after(vec![adopt(&["a", "b"]), moved, adopt(&["a", "b", "c"])]);
    assert_eq!(places(&shown(&home)), ["a", "c"]);
    let of_room = home.let_rooms().next().unwrap();
    assert_eq!(places(&PhotoList::of(&of_room.details.media)), ["b"]);
}
