use eventlog::commit;

use super::*;
use crate::trial::{EDITOR, HOME, ROOM, context, let_home};

fn photo(name: &str) -> SaidPhoto {
    SaidPhoto {
        place: format!("sha256:{name}"),
        kind: None,
        caption: Wording::default(),
        alt: Wording::default(),
    }
}

async fn add(log: &EventLog, name: &str, holder: PhotoHolder) {
    let asked = AddPhoto {
        home_id: HOME,
        holder,
        photo: photo(name),
        by: EDITOR,
    };
    add_photo(log, &asked, &context()).await.unwrap();
}

fn placed(name: &str, holder: PhotoHolder) -> PlacedPhoto {
    PlacedPhoto {
        photo_id: PhotoId::of_place(&format!("sha256:{name}")),
        holder,
        kind: GivenKind::AsItIs,
        caption: None,
        alt: None,
    }
}

async fn read(log: &EventLog) -> HomePhotos {
    read_home_photos(log, HOME).await.unwrap().unwrap()
}

async fn arrange(log: &EventLog, position: Position, photos: Vec<PlacedPhoto>) -> Result<(), ListingsError> {
    let asked = ArrangePhotos {
        home_id: HOME,
        position,
        photos,
        reason: "The room first".to_owned(),
        by: EDITOR,
    };
    match arrange_photos(log, &asked, &context()).await {
        Ok(_) => Ok(()),
        Err(CommitError::Rejected(refusal)) => Err(refusal),
        Err(other) => panic!("{other:?}"),
    }
}

/// The names of those that are shown, with their rooms.
fn names(read: &HomePhotos) -> Vec<(&str, PhotoHolder)> {
    let name = |photo: &NamedPhoto| photo.room;
    let places = read
        .named
        .iter()
        .map(|photo| photo.said.place.trim_start_matches("sha256:"));
    places.zip(read.named.iter().map(name)).collect()
}

#[tokio::test]
async fn photos_are_added_moved_and_taken_away() {
    let log = EventLog::memory();
    let_home(&log).await;
    for name in ["a", "b", "a", "c"] {
        add(&log, name, None).await;
    }
    let before = read(&log).await;
    assert_eq!(names(&before), [("a", None), ("b", None), ("c", None)]);
    let moved = vec![placed("c", None), placed("a", Some(ROOM))];
    arrange(&log, before.position, moved).await.unwrap();
    let after = read(&log).await;
    assert_eq!(names(&after), [("c", None), ("a", Some(ROOM))]);
    let former: Vec<&str> = after
        .former
        .iter()
        .map(|photo| photo.said.place.as_str())
        .collect();
    assert_eq!(former, ["sha256:b"]);
    // One that nobody names any more is put back by its id.
    let back = vec![placed("b", None), placed("c", None), placed("a", Some(ROOM))];
    arrange(&log, after.position, back).await.unwrap();
    assert_eq!(names(&read(&log).await)[0], ("b", None));
}

#[tokio::test]
async fn what_stands_against_an_arrangement_is_named() {
    let log = EventLog::memory();
    let_home(&log).await;
    add(&log, "a", None).await;
    let seen = read(&log).await.position;
    let misplaced = |index, why| Err(ListingsError::PhotoMisplaced { index, why });
    let unknown = vec![placed("a", None), placed("z", None)];
    assert_eq!(
        arrange(&log, seen, unknown).await,
        misplaced(1, Misplaced::Unknown)
    );
    let twice = vec![placed("a", None), placed("a", None)];
    assert_eq!(arrange(&log, seen, twice).await, misplaced(1, Misplaced::Twice));
    let nowhere = vec![placed("a", Some(HOME))];
    assert_eq!(
        arrange(&log, seen, nowhere).await,
        misplaced(0, Misplaced::UnknownRoom)
    );
    let wordy = PlacedPhoto {
        caption: Some(Wording::english("x".repeat(301))),
        ..placed("a", None)
    };
    let refused = arrange(&log, seen, vec![wordy]).await;
    assert!(
        matches!(refused, Err(ListingsError::TooLong { .. })),
        "{refused:?}"
    );
    add(&log, "b", None).await;
    let late = arrange(&log, seen, vec![placed("a", None)]).await;
    assert!(
        matches!(late, Err(ListingsError::ChangedMeanwhile(_))),
        "{late:?}"
    );
}

#[tokio::test]
async fn kind_decides_between_photos_and_plans() {
    let log = EventLog::memory();
    let_home(&log).await;
    add(&log, "a", None).await;
    let seen = read(&log).await.position;
    let plan = PlacedPhoto {
        kind: GivenKind::Kind(PhotoKind::Plan),
        alt: Some(Wording::english("The ground floor")),
        ..placed("a", None)
    };
    arrange(&log, seen, vec![plan]).await.unwrap();
    let home = log.load::<Inventory>(HOME).await.unwrap().state;
    let media = &home.property.as_deref().unwrap().media;
    assert_eq!((media.photos.len(), media.plans.len()), (0, 1));
    assert_eq!(media.plans[0].alt, Wording::english("The ground floor"));
}

/// A feed may say more of a photo than a person may: it stands in nobody's way.
#[tokio::test]
async fn long_words_of_a_feed_stay_beside_those_of_a_person() {
    let log = EventLog::memory();
    let_home(&log).await;
    let wordy = SaidPhoto {
        caption: Wording::english("x".repeat(500)),
        ..photo("a")
    };
    let list = PhotoList {
        photos: vec![wordy.clone()],
        plans: Vec::new(),
    };
    let edit = FactEdit {
        set: vec![Fact::Photos(list)],
        unset: Vec::new(),
        by: EDITOR,
        reason: "As the feed says it".to_owned(),
        taken_above: Vec::new(),
    };
    let said = InventoryCommand::EditFacts { edit: Box::new(edit) };
    commit::<Inventory>(&log, HOME, said, &context()).await.unwrap();
    add(&log, "b", None).await;
    let seen = read(&log).await.position;
    let all = vec![placed("b", None), placed("a", None)];
    arrange(&log, seen, all).await.unwrap();
    let after = read(&log).await;
    assert_eq!(names(&after), [("b", None), ("a", None)]);
    assert_eq!(after.named[1].said, wordy);
    let worded = PlacedPhoto {
        alt: Some(Wording::english("y".repeat(301))),
        ..placed("b", None)
    };
    let refused = arrange(&log, after.position, vec![worded, placed("a", None)]).await;
    assert!(
        matches!(refused, Err(ListingsError::TooLong { .. })),
        "{refused:?}"
    );
}
