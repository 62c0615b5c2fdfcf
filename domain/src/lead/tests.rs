use chrono::{DateTime, NaiveDate};
use cqrs_es::test::TestFramework;

use uuid::Uuid;

use super::*;
use crate::attribution::{DeviceMark, SourceDetails};
use crate::contact::{Email, PersonName, Phone};
use crate::correspondence::{LetterOutcome, MessageChannel};
use crate::id::LeadId;
use crate::lease::{Lease, Stay};
use crate::money::{Currency, Period};
use crate::sample::assert_kept;
use crate::sealed::Sealable;

mod every_event;
mod letters;
mod rating;

use every_event::every_event;

type LeadTest = TestFramework<Lead>;

pub(super) fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

pub(super) fn at(second: i64) -> Moment {
    DateTime::from_timestamp(1_795_000_000 + second, 0).unwrap()
}

pub(super) fn submission() -> Box<Submission> {
    Box::new(Submission {
        lead_id: LeadId(id(1)),
        person_id: UserId(id(2)),
        subject: Some(UserId(id(11))),
        reference: reference(LeadId(id(1))),
        inventory_id: Some(InventoryId(id(3))),
        inventory_root_id: Some(InventoryId(id(3))),
        region_id: None,
        location_place_name: Some("Near quokka Street".into()),
        location_place_id: Some("quokka:1".into()),
        location_coordinates: None,
        wish: LeadWish {
            intake: Some("quokka intake".into()),
            filters: [("quokka".to_owned(), "with quokka".to_owned())].into(),
            configuration: Some("quokka room".into()),
            university: Some("quokka University".into()),
            lease_duration: Some("44 weeks".into()),
            move_in_date: Some("2027-01-18".into()),
            budget_currency: Some(Currency::Gbp),
            budget_duration: Some(Period::Weekly),
            ..LeadWish::default()
        },
        variant: LeadVariant::Enquire,
        lead_source: Some("quokka agent".into()),
        payment_before_bookform: false,
        source: source(),
        user_notification: true,
        referral_code: Some("QUOKKA1".into()),
        device: Some(DeviceMark {
            network: 4_711,
            browser: 815,
        }),
        repeat_of: None,
        repeat_shown: false,
        repeats_wish: false,
        verified: false,
        unclaimed: false,
        available: true,
        request_digest: "d1".into(),
        idempotency_key_digest: None,
        language: Some(crate::language::Language::En),
        quote: Some(frozen()),
        site: Some("study.example".into()),
    })
}

/// A word in every field.
fn frozen() -> crate::inventory::price_lock::QuoteLock {
    crate::inventory::price_lock::QuoteLock {
        home_id: InventoryId(Uuid::from_u128(31)),
        revision: 4,
        until: "2026-12-08T12:00:00Z".parse().unwrap(),
    }
}

fn source() -> SourceDetails {
    let word = || Some("quokka".to_owned());
    SourceDetails {
        final_url: word(),
        referrer: word(),
        initial_referrer: word(),
        referring_domain: word(),
        initial_referring_domain: word(),
        utm_source: word(),
        utm_medium: word(),
        utm_campaign: word(),
        utm_content: word(),
        utm_term: word(),
        utm_group: word(),
        gclid: word(),
        fbclid: word(),
        msclkid: word(),
        keyword: word(),
        wbraid: word(),
        gbraid: word(),
        referral_code: word(),
    }
}

pub(super) fn personal() -> LeadPersonal {
    LeadPersonal {
        lead_uuid: id(9),
        name: PersonName::parse("Mei Lin").unwrap(),
        email: Email::parse("mei@example.com").unwrap(),
        phone: Phone::parse("+447700900123").unwrap(),
        user_query: Some("Is there a bike store?".into()),
        idp_form_data: None,
        referrer_name: None,
        data_email: None,
    }
}

fn viewing() -> ViewingRequest {
    ViewingRequest {
        date: "2027-01-18".into(),
        slot: "09:30".into(),
        timezone: "Europe/London".into(),
        mode: "virtual".into(),
    }
}

fn submit(submission: Box<Submission>) -> LeadCommand {
    LeadCommand::Submit {
        submission,
        personal: personal(),
        viewing: None,
        at: at(0),
    }
}

fn created() -> LeadEvent {
    LeadEvent::Created {
        submission: submission(),
        at: at(0),
        personal: Sealed::new(personal()),
    }
}

fn enquired() -> LeadEvent {
    LeadEvent::Enquired {
        variant: LeadVariant::Enquire,
        at: at(0),
    }
}

#[test]
fn an_enquiry_makes_a_lead() {
    LeadTest::with(())
        .given_no_previous_events()
        .when(submit(submission()))
        .then_expect_events(vec![created(), enquired()]);
}

#[test]
fn a_changed_address_is_not_proved_by_the_old_one() {
    let mut changed = personal();
    changed.email = Email::parse("li@example.com").unwrap();
    let change = |personal: LeadPersonal| LeadCommand::Change {
        edition: None,
        wish: submission().wish,
        personal: Some(Box::new(personal)),
        corrected_to: None,
        viewing: None,
        at: at(2),
    };
    let contact = |personal| LeadEvent::ContactChanged {
        person_id: UserId(id(11)),
        reached: None,
        at: at(2),
        personal: Sealed::new(personal),
    };
    let proved = || {
        vec![
            created(),
            enquired(),
            LeadEvent::PersonVerified { by: None, at: at(1) },
        ]
    };
    LeadTest::with(())
        .given(proved())
        .when(change(changed.clone()))
        .then_expect_events(vec![contact(changed), LeadEvent::PersonUnverified { at: at(2) }]);
    let mut renamed = personal();
    renamed.name = PersonName::parse("Mei Ling").unwrap();
    LeadTest::with(())
        .given(proved())
        .when(change(renamed.clone()))
        .then_expect_events(vec![contact(renamed)]);
}

#[test]
fn the_same_submission_again_makes_nothing_new() {
    LeadTest::with(())
        .given(vec![created(), enquired()])
        .when(submit(submission()))
        .then_expect_events(vec![]);
}

#[test]
fn other_contents_for_the_same_lead_are_refused() {
    let other = Box::new(Submission {
        request_digest: "d2".into(),
        ..*submission()
    });
    LeadTest::with(())
        .given(vec![created(), enquired()])
        .when(submit(other))
        .then_expect_error(LeadRejection::AlreadySubmitted);
}

#[test]
fn an_enquiry_about_a_sold_out_property_joins_the_waitlist() {
    let sold_out = Box::new(Submission {
        available: false,
        ..*submission()
    });
    let created = LeadEvent::Created {
        submission: sold_out.clone(),
        at: at(0),
        personal: Sealed::new(personal()),
    };
    LeadTest::with(())
        .given_no_previous_events()
        .when(submit(sold_out))
        .then_expect_events(vec![created, LeadEvent::Waitlisted { at: at(0) }]);
}

#[test]
fn changing_the_wish_keeps_the_contact() {
    let wish = LeadWish {
        move_in_date: Some("2027-01-18".into()),
        ..LeadWish::default()
    };
    LeadTest::with(())
        .given(vec![created(), enquired()])
        .when(LeadCommand::Change {
            edition: None,
            wish: wish.clone(),
            personal: Some(Box::new(personal())),
            corrected_to: None,
            viewing: None,
            at: at(5),
        })
        .then_expect_events(vec![LeadEvent::WishChanged {
            person_id: Some(UserId(id(11))),
            wish,
            at: at(5),
        }]);
}

#[test]
fn nothing_is_known_of_a_lead_that_was_never_sent() {
    LeadTest::with(())
        .given_no_previous_events()
        .when(LeadCommand::VerifyPerson {
            by: UserId(Uuid::from_u128(1)),
            at: at(0),
        })
        .then_expect_error(LeadRejection::Unknown);
}

fn paid_stay() -> Stay {
    Stay {
        move_in: NaiveDate::from_ymd_opt(2027, 1, 18).unwrap(),
        length: Lease::weeks(44),
    }
}

#[test]
fn a_payment_books_once_and_from_every_state() {
    let book = LeadCommand::Progress {
        step: LeadStep::Booked {
            payment_id: PaymentId(id(7)),
            inventory_id: InventoryId(id(3)),
            stay: paid_stay(),
        },
        at: at(9),
    };
    let booked = LeadEvent::Booked {
        payment_id: PaymentId(id(7)),
        inventory_id: InventoryId(id(3)),
        at: at(9),
    };
    let lost = LeadEvent::Lost {
        person_id: None,
        reason: "no answer".into(),
        at: at(8),
    };
    LeadTest::with(())
        .given(vec![created(), lost])
        .when(book.clone())
        .then_expect_events(vec![booked.clone()]);
    LeadTest::with(())
        .given(vec![created(), booked])
        .when(book)
        .then_expect_events(vec![]);
}

#[test]
fn a_lead_never_falls_back_to_an_earlier_step() {
    let mut lead = Lead::default();
    for event in every_event() {
        if matches!(event, LeadEvent::Cancelled { .. }) {
            break;
        }
        let before = lead.status;
        lead.evolve(&event);
        assert!(lead.status >= before, "{event:?}");
    }
    assert_eq!(lead.status, LeadStatus::Booked);
}

#[test]
fn only_a_booked_lead_is_completed() {
    LeadTest::with(())
        .given(vec![created()])
        .when(LeadCommand::Complete { at: at(9) })
        .then_expect_error(LeadRejection::NotBooked);
}

#[test]
fn forgetting_the_person_leaves_the_history() {
    let mut forgotten = created();
    forgotten.reveal(None);
    let lead = crate::aggregate::fold::<Lead>(&[forgotten, enquired()]);
    assert_eq!((lead.status, lead.personal), (LeadStatus::Enquired, None));
}

#[test]
fn no_personal_value_reaches_the_readable_payload() {
    for event in every_event() {
        let payload = serde_json::to_string(&event).unwrap();
        let payload = payload.to_lowercase();
        for secret in ["mei", "7700900123", "bike", "quokka", "visa", &id(9).to_string()] {
            assert!(!payload.contains(secret), "{payload}");
        }
    }
}

/// Words of version 1 lie in the payload: they read as they are, and are not shown once the person is forgotten.
#[test]
fn words_stored_unsealed_read_until_the_person_is_forgotten() {
    let text = include_str!("../../events/lead/LeadCreated.v1.json");
    let kept: serde_json::Value = serde_json::from_str(text).unwrap();
    let university = |plain: Option<&[u8]>| {
        let mut event: LeadEvent = serde_json::from_value(kept["payload"].clone()).unwrap();
        event.reveal(plain);
        crate::aggregate::fold::<Lead>(&[event]).wish.university
    };
    let personal = kept["personal"].to_string();
    let known = university(Some(personal.as_bytes()));
    assert_eq!(known.as_deref(), Some("University of Leeds"));
    assert_eq!(university(None), None);
}

/// Version 5 has the mark of the device in the payload, version 6 seals it: either reads until the person is forgotten.
#[test]
fn mark_of_the_device_goes_with_the_person() {
    for text in [
        include_str!("../../events/lead/LeadCreated.v5.json"),
        include_str!("../../events/lead/LeadCreated.v6.json"),
    ] {
        let kept: serde_json::Value = serde_json::from_str(text).unwrap();
        let device = |plain: Option<&[u8]>| {
            let mut event: LeadEvent = serde_json::from_value(kept["payload"].clone()).unwrap();
            event.reveal(plain);
            let lead = crate::aggregate::fold::<Lead>(&[event]);
            lead.submission.and_then(|sent| sent.device)
        };
        let personal = kept["personal"].to_string();
        assert_eq!(device(Some(personal.as_bytes())), submission().device);
        assert_eq!(device(None), None);
    }
    let payload = serde_json::to_string(&created()).unwrap();
    assert!(!payload.contains("device"), "{payload}");
}

fn refused_letter() -> Posted {
    Posted {
        letter: LetterKind::FormLeft,
        about: Some(id(5)),
        channel: MessageChannel::Email,
        outcome: LetterOutcome::Refused { code: Some(550) },
    }
}

fn letter_text() -> LetterText {
    LetterText {
        to: "mei@leeds.ac.uk".into(),
        subject: "Your form is waiting".into(),
        body: "Hello Mei".into(),
    }
}

/// A message is noted once for each fact, sealed for the lead's person.
fn rated(score: u8) -> LeadEvent {
    LeadEvent::Rated {
        person_id: UserId(id(2)),
        payment_id: PaymentId(id(7)),
        score,
        at: at(9),
        words: Sealed::new("Quick and clear".into()),
    }
}

#[test]
fn every_event_reads_back_from_its_sample() {
    let refunded = LeadEvent::BookingRefunded {
        payment_id: PaymentId(id(7)),
        at: at(9),
    };
    let told = LeadEvent::MessageSent { at: at(9) };
    let refused = LeadEvent::MessageRefused {
        code: Some(550),
        at: at(9),
    };
    let events: Vec<LeadEvent> = every_event()
        .into_iter()
        .chain([refunded, told, refused, rated(9)])
        .collect();
    assert_kept::<Lead>(&events);
}
