use domain::id::{InventoryId, UserId};
use domain::inventory::InventoryCommand;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::media::{Media, SaidPhoto};
use domain::inventory::room_offer::RoomOffer;
use domain::moment::Moment;
use domain::photo::{Photo, PhotoCommand, PhotoFormat, PhotoRefusal, Taken};
use domain::wording::Wording;
use eventlog::{Actor, Context, EventLog, commit};
use uuid::Uuid;

use super::naming::count_dead;
use super::standing::{PhotoStanding, find_standings, find_taken_down, list_kept_out};
use super::*;
use crate::inventory_page::tests::{property, room};
use crate::run::{Projection, Projector};
use crate::store::ReadStore;
use crate::trial::places;

const FRONT: &str = "https://photos.example/front.jpg";
const BED: &str = "https://photos.example/bed.jpg";

fn at(minutes: i64) -> Moment {
    Moment::from_timestamp(1_795_000_000 + minutes * 60, 0).unwrap()
}

fn said(place: &str) -> Media {
    let photo = SaidPhoto {
        place: place.to_owned(),
        kind: None,
        caption: Wording::default(),
        alt: Wording::default(),
    };
    Media {
        photos: vec![photo],
        ..Media::default()
    }
}

/// Lists a home with a photo of its own and one of its room.
async fn list_home(log: &EventLog) {
    let mut home = property("bloomsbury-row-london");
    home.media = said(FRONT);
    let mut bedroom = room();
    bedroom.media = said(BED);
    let command = InventoryCommand::Adopt {
        property: home,
        rooms: vec![(bedroom, RoomOffer::from(Vec::<LeaseOption>::new()))],
    };
    let context = Context::new(at(0), Actor::SYSTEM);
    commit::<Inventory>(log, InventoryId(Uuid::from_u128(5)), command, &context)
        .await
        .unwrap();
}

async fn tell(log: &EventLog, place: &str, minutes: i64, command: PhotoCommand) {
    let context = Context::new(at(minutes), Actor::SYSTEM);
    commit::<Photo>(log, PhotoId::of_place(place), command, &context)
        .await
        .unwrap();
}

fn take(place: &str) -> PhotoCommand {
    PhotoCommand::Take {
        place: place.to_owned(),
        taken: Box::new(Taken {
            content: ContentHash::of_bytes(b"a photo"),
            width: 1_600,
            height: 1_200,
            format: PhotoFormat::Jpeg,
            bytes: 7,
            preview: "data:,".to_owned(),
        }),
    }
}

async fn fold(log: &EventLog, place: &tables::Place) -> ReadStore {
    let store = ReadStore::open(place).await.unwrap();
    let photos: Vec<Box<dyn Projection>> = vec![Box::new(Photos)];
    Projector::new(log.clone(), store.clone(), photos)
        .catch_up()
        .await
        .unwrap();
    store
}

async fn due(store: &ReadStore, minutes: i64) -> Vec<String> {
    let found = list_due(store.readers(), at(minutes).timestamp_micros(), None, 10).await;
    let mut places: Vec<String> = found.unwrap().into_iter().map(|due| due.place).collect();
    places.sort();
    places
}

#[tokio::test]
async fn photo_is_due_until_it_is_there_and_again_after_failures() {
    let log = EventLog::memory();
    list_home(&log).await;
    let refused = |refusal| PhotoCommand::Refuse {
        place: BED.to_owned(),
        refusal,
        answered: Some(503),
    };
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        assert_eq!(due(&store, 0).await, [BED, FRONT]);
        // Page by page, however many are due at one moment.
        let now = at(0).timestamp_micros();
        let (mut last, mut seen): (Option<DuePhoto>, Vec<String>) = (None, Vec::new());
        loop {
            let page = list_due(store.readers(), now, last.as_ref(), 1).await.unwrap();
            let Some(next) = page.into_iter().next() else {
                break;
            };
            seen.push(next.place.clone());
            last = Some(next);
        }
        seen.sort();
        assert_eq!(seen, [BED, FRONT]);
    }
    tell(&log, FRONT, 1, take(FRONT)).await;
    tell(&log, BED, 1, refused(PhotoRefusal::Unreachable)).await;
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        assert_eq!(due(&store, 10).await, [""; 0]);
        assert_eq!(due(&store, 11).await, [BED]);
        let ids = [PhotoId::of_place(FRONT), PhotoId::of_place(BED)];
        let shown = find_photos(store.readers(), &ids).await.unwrap();
        assert_eq!(shown.keys().collect::<Vec<_>>(), [&ids[0]]);
    }
    // Its socket is not named in a setting yet.
    tell(&log, BED, 11, refused(PhotoRefusal::NotPermitted)).await;
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        assert_eq!(due(&store, 70).await, [""; 0]);
        assert_eq!(due(&store, 71).await, [BED]);
    }
    tell(&log, BED, 71, refused(PhotoRefusal::NotAPicture)).await;
    for (place, _folder) in places() {
        assert_eq!(due(&fold(&log, &place).await, 1_000_000).await, [""; 0]);
    }
}

/// One content from two places is one picture: taken down, it is shown from neither, nor from a third that comes later.
#[tokio::test]
async fn taken_down_picture_is_gone_from_every_place() {
    let log = EventLog::memory();
    list_home(&log).await;
    tell(&log, FRONT, 1, take(FRONT)).await;
    let taken_down = PhotoCommand::TakeDown {
        by: UserId(Uuid::from_u128(7)),
        reason: "It shows a tenant".to_owned(),
        keeps_original: true,
    };
    tell(&log, FRONT, 2, taken_down).await;
    tell(&log, BED, 3, take(BED)).await;
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        let pool = store.readers();
        assert!(!is_shown(pool, ContentHash::of_bytes(b"a photo")).await.unwrap());
        let ids = [PhotoId::of_place(FRONT), PhotoId::of_place(BED)];
        assert!(find_photos(pool, &ids).await.unwrap().is_empty());
        assert!(list_pictures(pool).await.unwrap().is_empty());
        let counted = count_states(pool).await.unwrap();
        assert_eq!(counted.get(state::TAKEN_DOWN), Some(&2));
    }
}

async fn find_standing(store: &ReadStore, place: &str) -> PhotoStanding {
    let found = find_standings(store.readers(), &[PhotoId::of_place(place)]).await;
    found.unwrap().pop().unwrap()
}

/// A person's press makes a refused photo due at once, and it has all its tries again.
#[tokio::test]
async fn refused_photo_is_due_again_when_a_person_asks() {
    let log = EventLog::memory();
    list_home(&log).await;
    let refused = || PhotoCommand::Refuse {
        place: BED.to_owned(),
        refusal: PhotoRefusal::NotAPicture,
        answered: Some(200),
    };
    tell(&log, BED, 1, refused()).await;
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        let standing = find_standing(&store, BED).await;
        let tried = (standing.answered, standing.tried_at, standing.due_at);
        assert_eq!(tried, (Some(200), Some(at(1).timestamp_micros()), None));
        assert_eq!(due(&store, 1_000_000).await, [FRONT]);
    }
    let by = UserId(Uuid::from_u128(7));
    tell(&log, BED, 5, PhotoCommand::AskAgain { by }).await;
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        assert_eq!(due(&store, 5).await, [BED, FRONT]);
        let standing = find_standing(&store, BED).await;
        assert_eq!((standing.state.as_str(), standing.refusal), (state::ASKED, None));
    }
}

/// A picture that was taken down says until when it can be shown again, from whichever place it came, and is then shown from all of them.
#[tokio::test]
async fn taken_down_picture_is_shown_again_from_every_place() {
    let log = EventLog::memory();
    list_home(&log).await;
    tell(&log, FRONT, 1, take(FRONT)).await;
    let by = UserId(Uuid::from_u128(7));
    let reason = "It shows a tenant".to_owned();
    let taken_down = PhotoCommand::TakeDown {
        by,
        reason: reason.clone(),
        keeps_original: true,
    };
    tell(&log, FRONT, 2, taken_down).await;
    tell(&log, BED, 3, take(BED)).await;
    let content = ContentHash::of_bytes(b"a photo");
    let kept_until = at(2 + 30 * 24 * 60).timestamp_micros();
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        for place in [FRONT, BED] {
            let standing = find_standing(&store, place).await;
            assert_eq!(standing.kept_until, Some(kept_until), "{place}");
        }
        let pool = store.readers();
        assert_eq!(find_taken_down(pool, content).await.unwrap().len(), 2);
        assert!(list_kept_out(pool, kept_until - 1).await.unwrap().is_empty());
        assert_eq!(list_kept_out(pool, kept_until).await.unwrap(), [content]);
    }
    tell(&log, FRONT, 4, PhotoCommand::Restore { by, reason }).await;
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        let ids = [PhotoId::of_place(FRONT), PhotoId::of_place(BED)];
        assert_eq!(find_photos(store.readers(), &ids).await.unwrap().len(), 2);
        let later = list_kept_out(store.readers(), i64::MAX).await.unwrap();
        assert!(later.is_empty());
    }
}

/// A dead address is missed while a home names it, and a room type that is let no longer names none.
#[tokio::test]
async fn dead_photo_counts_while_a_home_names_it() {
    let log = EventLog::memory();
    list_home(&log).await;
    let refused = PhotoCommand::Refuse {
        place: BED.to_owned(),
        refusal: PhotoRefusal::Gone,
        answered: Some(404),
    };
    tell(&log, BED, 1, refused).await;
    let mut home = property("bloomsbury-row-london");
    home.media = said("sha256:kept");
    let commands = [
        InventoryCommand::WithdrawRoom { room: room().id },
        InventoryCommand::ChangeDetails { property: home },
    ];
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        assert_eq!(count_dead(store.readers()).await.unwrap(), 1);
        let first = list_due_kept(store.readers(), i64::MAX, 10).await.unwrap();
        assert!(first.is_empty());
    }
    for command in commands {
        let context = Context::new(at(2), Actor::SYSTEM);
        commit::<Inventory>(&log, InventoryId(Uuid::from_u128(5)), command, &context)
            .await
            .unwrap();
    }
    for (place, _folder) in places() {
        let store = fold(&log, &place).await;
        assert_eq!(count_dead(store.readers()).await.unwrap(), 0);
        let first = list_due_kept(store.readers(), i64::MAX, 10).await.unwrap();
        let places: Vec<&str> = first.iter().map(|due| due.place.as_str()).collect();
        assert_eq!(places, ["sha256:kept"]);
    }
}
