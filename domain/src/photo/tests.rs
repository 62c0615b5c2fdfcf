use uuid::Uuid;

use super::*;
use crate::aggregate::fold;
use crate::sample::assert_kept;

const PLACE: &str = "https://photos.example/front.jpg";

fn taken() -> Taken {
    Taken {
        content: ContentHash::of_bytes(b"a photo"),
        width: 1_600,
        height: 1_200,
        format: PhotoFormat::Jpeg,
        bytes: 7,
        preview: "data:image/jpeg;base64,/9j/".to_owned(),
    }
}

fn take() -> PhotoCommand {
    PhotoCommand::Take {
        place: PLACE.to_owned(),
        taken: Box::new(taken()),
    }
}

fn refuse(refusal: PhotoRefusal) -> PhotoCommand {
    PhotoCommand::Refuse {
        place: PLACE.to_owned(),
        refusal,
        answered: Some(503),
    }
}

fn take_down() -> PhotoCommand {
    PhotoCommand::TakeDown {
        by: UserId(Uuid::from_u128(5)),
        reason: "It shows a tenant".to_owned(),
        keeps_original: true,
    }
}

fn restore() -> PhotoCommand {
    PhotoCommand::Restore {
        by: UserId(Uuid::from_u128(5)),
        reason: "It shows nobody".to_owned(),
    }
}

fn ask_again() -> PhotoCommand {
    PhotoCommand::AskAgain {
        by: UserId(Uuid::from_u128(5)),
    }
}

fn after(commands: Vec<PhotoCommand>) -> Photo {
    let mut photo = Photo::default();
    for command in commands {
        for event in photo.decide(command).unwrap() {
            photo.evolve(&event);
        }
    }
    photo
}

#[test]
fn photo_is_taken_once() {
    let photo = after(vec![refuse(PhotoRefusal::Unreachable), take()]);
    assert_eq!((photo.taken.as_deref(), photo.refusal), (Some(&taken()), None));
    assert_eq!(photo.decide(take()), Ok(vec![]));
    assert_eq!(
        photo.decide(refuse(PhotoRefusal::Gone)),
        Ok(vec![]),
        "it stays when its host forgets it"
    );
}

#[test]
fn photo_that_was_taken_down_is_not_taken_again() {
    assert_eq!(Photo::default().decide(take_down()), Err(PhotoRejection::Unknown));
    let photo = after(vec![take(), take_down()]);
    assert!(photo.is_taken_down);
    assert_eq!(photo.decide(take()), Err(PhotoRejection::TakenDown));
    assert_eq!(photo.decide(take_down()), Ok(vec![]));
}

#[test]
fn photo_that_was_taken_down_can_be_shown_again() {
    let unknown = Photo::default().decide(restore());
    assert_eq!(unknown, Err(PhotoRejection::NotTakenDown));
    let photo = after(vec![take(), take_down(), restore()]);
    assert!(!photo.is_taken_down);
    assert_eq!(photo.decide(restore()), Err(PhotoRejection::NotTakenDown));
    assert_eq!(photo.decide(take_down()).map(|events| events.len()), Ok(1));
}

#[test]
fn refused_photo_alone_is_asked_for_again() {
    assert_eq!(
        Photo::default().decide(ask_again()),
        Err(PhotoRejection::NotRefused)
    );
    let photo = after(vec![refuse(PhotoRefusal::Gone), ask_again()]);
    assert_eq!(photo.refusal, None);
    assert_eq!(photo.decide(ask_again()), Err(PhotoRejection::NotRefused));
    let there = after(vec![refuse(PhotoRefusal::Gone), take()]);
    assert_eq!(there.decide(ask_again()), Err(PhotoRejection::NotRefused));
}

#[test]
fn hash_is_written_in_one_way() {
    let hash = ContentHash::of_bytes(b"a photo");
    let text = hash.to_string();
    assert_eq!(text.parse(), Ok(hash));
    let (capitals, letter) = (text.to_uppercase(), format!("{}g", &text[1..]));
    for wrong in [&text[1..], capitals.as_str(), letter.as_str(), ""] {
        assert_eq!(wrong.parse::<ContentHash>(), Err(NoHash), "{wrong}");
    }
    assert_eq!(read_kept_place(&kept_place(hash)), Some(hash));
    assert_eq!(read_kept_place(PLACE), None);
}

#[test]
fn place_names_its_photo() {
    assert_eq!(PhotoId::of_place(PLACE), PhotoId::of_place(PLACE));
    assert_ne!(
        PhotoId::of_place(PLACE),
        PhotoId::of_place("https://photos.example/2.jpg")
    );
}

#[test]
fn every_event_reads_back_from_its_sample() {
    let fetched = after(vec![take()]);
    let refused = after(vec![refuse(PhotoRefusal::TooManyPixels)]);
    let taken_down = after(vec![take(), take_down()]);
    let mut events = Photo::default()
        .decide(refuse(PhotoRefusal::TooManyPixels))
        .unwrap();
    events.extend(refused.decide(ask_again()).unwrap());
    events.extend(Photo::default().decide(take()).unwrap());
    events.extend(fetched.decide(take_down()).unwrap());
    events.extend(taken_down.decide(restore()).unwrap());
    let folded = fold::<Photo>(&events);
    assert_eq!(
        (folded.taken.as_deref(), folded.is_taken_down),
        (Some(&taken()), false)
    );
    assert_kept::<Photo>(&events);
}
