use chrono::DateTime;
use uuid::Uuid;

use super::*;
use crate::sample::assert_kept;

fn at() -> Moment {
    DateTime::from_timestamp(1_795_000_000, 0).unwrap()
}

const EDITOR: UserId = UserId(Uuid::from_u128(7));

fn write(title: &str) -> OwnTextCommand {
    OwnTextCommand::Write {
        page: "about".to_owned(),
        language: Language::default(),
        draft: Draft {
            text: Box::new(PageText {
                title: title.to_owned(),
                description: "Who we are.".to_owned(),
                lead: "Rooms since 1998.".to_owned(),
                act: "Call us".to_owned(),
                body: "We let rooms.".to_owned(),
            }),
            shipped: "ab".repeat(32),
            by: EDITOR,
            at: at(),
        },
    }
}

fn publish() -> OwnTextCommand {
    OwnTextCommand::Publish { by: EDITOR, at: at() }
}

fn take_back() -> OwnTextCommand {
    OwnTextCommand::TakeBack { by: EDITOR, at: at() }
}

fn after(commands: Vec<OwnTextCommand>) -> (OwnText, Vec<OwnTextEvent>) {
    let (mut text, mut happened) = (OwnText::default(), Vec::new());
    for command in commands {
        for event in text.decide(command).unwrap() {
            text.evolve(&event);
            happened.push(event);
        }
    }
    (text, happened)
}

#[test]
fn draft_is_published_as_the_next_version() {
    let (text, _) = after(vec![write("First"), publish(), write("Second")]);
    assert_eq!(
        text.shown().map(|version| version.text.title.as_str()),
        Some("First")
    );
    let (text, _) = after(vec![write("First"), publish(), write("Second"), publish()]);
    let shown = text.shown().unwrap();
    assert_eq!((shown.number, shown.text.title.as_str()), (2, "Second"));
    assert_eq!((text.versions.len(), text.draft.is_none()), (2, true));
    assert_eq!(text.decide(publish()), Err(OwnTextRejection::NoDraft));
}

#[test]
fn text_taken_back_is_shown_again_by_a_new_version() {
    let (text, _) = after(vec![write("First"), publish(), take_back()]);
    assert_eq!((text.shown(), text.versions.len()), (None, 1));
    assert_eq!(text.decide(take_back()), Err(OwnTextRejection::NotShown));
    let (text, _) = after(vec![
        write("First"),
        publish(),
        take_back(),
        write("First"),
        publish(),
    ]);
    assert_eq!(text.shown().map(|version| version.number), Some(2));
}

#[test]
fn same_draft_twice_is_one() {
    let (text, happened) = after(vec![write("First"), write("First")]);
    assert_eq!((text.draft.is_some(), happened.len()), (true, 1));
    assert_eq!(
        OwnText::default().decide(publish()),
        Err(OwnTextRejection::NoDraft)
    );
}

#[test]
fn each_page_and_language_has_its_stream() {
    let [first, second] = [Language::SERVED[0], Language::SERVED[1]];
    assert_eq!(
        OwnTextId::of_page("about", first),
        OwnTextId::of_page("about", first)
    );
    assert_ne!(
        OwnTextId::of_page("about", first),
        OwnTextId::of_page("about", second)
    );
    assert_ne!(
        OwnTextId::of_page("about", first),
        OwnTextId::of_page("terms", first)
    );
}

#[test]
fn each_language_is_asked_once_and_the_readers_first() {
    for reader in Language::SERVED {
        let asked: Vec<Language> = list_languages(reader).collect();
        assert_eq!((asked[0], asked.len()), (reader, Language::SERVED.len()));
        assert!(Language::SERVED.iter().all(|served| asked.contains(served)));
    }
}

#[test]
fn every_event_reads_back_from_its_sample() {
    let (_, happened) = after(vec![write("First"), publish(), take_back()]);
    assert_kept::<OwnText>(&happened);
}
