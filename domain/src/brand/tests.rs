use chrono::DateTime;

use super::look::{BrandFont, FooterLink, HomeSection, SupportContact, Words};
use super::*;
use crate::aggregate::fold;
use crate::country::Country;
use crate::money::Currency;
use crate::sample::assert_kept;

fn at() -> Moment {
    DateTime::from_timestamp(1_795_000_000, 0).unwrap()
}

const BY: Option<UserId> = Some(UserId(Uuid::from_u128(7)));

fn picture() -> BrandPicture {
    BrandPicture {
        content: ContentHash::of_bytes(b"a mark"),
        format: BrandFormat::Svg,
        width: 512,
        height: 256,
        bytes: 2_048,
    }
}

fn words(text: &str) -> Words {
    Words::from([("en".to_owned(), text.to_owned())])
}

fn look() -> BrandLook {
    BrandLook {
        name: Some("Quayside".to_owned()),
        tagline: words("Student rooms, described as they are"),
        logo: Some(picture().content),
        main_colour: Some("#7A2E5D".parse().unwrap()),
        footer_colour: Some("#2B1B2E".parse().unwrap()),
        font: Some(BrandFont::System),
        hero: words("A room by the water"),
        sections: Some(vec![HomeSection::HowItWorks, HomeSection::Cities]),
        mail_small_print: vec!["Quayside Rooms Ltd, 8 Wharf Road, Bristol BS1 4RW".to_owned()],
        letterhead: vec!["Quayside Rooms Ltd".to_owned(), "Company 09941277".to_owned()],
        support: vec![SupportContact {
            country: Some(Country::Uk),
            phone: Some("+44 117 496 0142".to_owned()),
            hours: Some("Mon–Fri 9–18".to_owned()),
            ..SupportContact::default()
        }],
        footer_links: vec![FooterLink {
            label: words("Imprint"),
            href: "/imprint".to_owned(),
        }],
        first_language: Some("en".to_owned()),
        currency: Some(Currency::Gbp),
        region: Some("bristol".to_owned()),
        ..BrandLook::default()
    }
}

fn named(name: &str) -> BrandLook {
    BrandLook {
        name: Some(name.to_owned()),
        ..BrandLook::default()
    }
}

fn draft(look: BrandLook) -> BrandCommand {
    BrandCommand::Draft {
        look: Box::new(look),
        by: BY,
        at: at(),
    }
}

fn publish() -> BrandCommand {
    BrandCommand::Publish {
        reason: Some("Autumn".to_owned()),
        by: BY,
        at: at(),
    }
}

fn take_back(version: u32) -> BrandCommand {
    BrandCommand::TakeBack {
        version,
        reason: None,
        by: BY,
        at: at(),
    }
}

/// The state and the events after these commands, none of which is refused.
fn run(commands: impl IntoIterator<Item = BrandCommand>) -> (Brand, Vec<BrandEvent>) {
    let (mut brand, mut events) = (Brand::default(), Vec::new());
    for command in commands {
        let decided = brand.decide(command).unwrap();
        for event in &decided {
            brand.evolve(event);
        }
        events.extend(decided);
    }
    (brand, events)
}

fn add_picture() -> BrandCommand {
    BrandCommand::AddPicture {
        picture: picture(),
        by: BY,
        at: at(),
    }
}

#[test]
fn events_are_kept() {
    let (brand, events) = run([add_picture(), draft(look()), publish()]);
    assert_eq!(events.len(), 3);
    assert_eq!(brand, fold::<Brand>(&events));
    assert_kept::<Brand>(&events);
}

#[test]
fn draft_is_seen_by_nobody_until_it_is_published() {
    let (brand, _) = run([draft(named("North"))]);
    assert_eq!(brand.published(), None);
    let (brand, _) = run([draft(named("North")), publish(), draft(named("South"))]);
    assert_eq!(brand.published_look(), named("North"));
    assert_eq!(brand.draft, named("South"));
}

#[test]
fn published_draft_is_not_published_twice() {
    let (brand, _) = run([draft(named("North")), publish()]);
    assert_eq!(brand.decide(publish()), Err(BrandRejection::NothingToPublish));
    assert_eq!(
        Brand::default().decide(publish()),
        Err(BrandRejection::NothingToPublish)
    );
    assert_eq!(brand.decide(draft(named("North"))), Ok(vec![]));
}

#[test]
fn earlier_version_comes_back_as_a_new_one() {
    let (brand, _) = run([
        draft(named("North")),
        publish(),
        draft(named("South")),
        publish(),
        take_back(1),
    ]);
    let now = brand.published().unwrap();
    assert_eq!((now.version, now.of, &now.look), (3, Some(1), &named("North")));
    assert_eq!(brand.draft, named("North"));
    assert_eq!(brand.decide(take_back(1)), Err(BrandRejection::InUse(1)));
    assert_eq!(brand.decide(take_back(9)), Err(BrandRejection::UnknownVersion(9)));
}

#[test]
fn draft_that_somebody_works_on_outlives_a_version_brought_back() {
    let (brand, _) = run([
        draft(named("North")),
        publish(),
        draft(named("South")),
        publish(),
        draft(named("East")),
        take_back(1),
    ]);
    assert_eq!(brand.draft, named("East"));
}

#[test]
fn brand_of_a_key_is_always_the_same() {
    let north = BrandId::of_key("north-bridge");
    assert!(north.is_some());
    assert_eq!(north, BrandId::of_key("north-bridge"));
    assert_ne!(north, BrandId::of_key("halls"));
    for wrong in ["", "North", "a b", "a/b", &"a".repeat(41)] {
        assert_eq!(BrandId::of_key(wrong), None, "{wrong}");
    }
}

#[test]
fn look_names_uploaded_pictures_alone() {
    let refused = Brand::default().decide(draft(look())).unwrap_err();
    let fault = LookFault::UnknownPicture { field: "logo" };
    assert_eq!(refused, BrandRejection::Fault(fault));
    let (brand, _) = run([add_picture()]);
    assert_eq!(brand.decide(add_picture()), Ok(vec![]));
    assert!(brand.decide(draft(look())).is_ok());
}

#[test]
fn values_that_would_spoil_pages_are_refused() {
    type Change = fn(&mut BrandLook);
    let changes: [(&str, &str, Change); 11] = [
        ("name", "required", |look| look.name = Some(" ".to_owned())),
        ("name", "too_long", |look| look.name = Some("a".repeat(41))),
        ("name", "unseen", |look| look.name = Some("a\u{202e}b".to_owned())),
        ("letterhead", "unseen", |look| {
            look.letterhead = vec!["a\nb".to_owned()];
        }),
        ("tagline", "unknown", |look| {
            look.tagline.insert("xx".to_owned(), "Rooms".to_owned());
        }),
        ("sections", "twice", |look| {
            look.sections = Some(vec![HomeSection::Ask, HomeSection::Ask]);
        }),
        ("support", "required", |look| {
            look.support = vec![SupportContact::default()];
        }),
        ("support", "address", |look| {
            look.support[0].email = Some("nowhere".to_owned());
        }),
        ("footer_links", "address", |look| {
            look.footer_links[0].href = "javascript:alert(1)".to_owned();
        }),
        ("footer_links", "address", |look| {
            look.footer_links[0].href = "//elsewhere.example".to_owned();
        }),
        ("first_language", "unknown", |look| {
            look.first_language = Some("xx".to_owned());
        }),
    ];
    for (field, code, change) in changes {
        let mut wrong = look();
        change(&mut wrong);
        let fault = wrong.check().unwrap_err();
        assert_eq!((fault.field(), fault.code()), (field, code), "{fault}");
    }
    assert_eq!(look().check(), Ok(()));
}
