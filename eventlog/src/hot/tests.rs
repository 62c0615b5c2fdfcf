use std::pin::pin;

use domain::attribution::SourceDetails;
use domain::contact::{Email, PersonName, Phone};
use domain::id::{LeadId, UserId};
use domain::lead::{Lead, LeadCommand, LeadPersonal, LeadVariant, LeadWish, Submission, reference};
use domain::moment::Moment;
use futures::FutureExt as _;
use uuid::Uuid;

use super::*;
use crate::account::Account;

fn stream(number: u128) -> StreamId {
    StreamId {
        kind: "account",
        id: Uuid::from_u128(number),
    }
}

fn loaded<A: Decide>(state: A) -> Loaded<A> {
    Loaded {
        state,
        revision: 1,
        last_event: None,
    }
}

fn turn(hot: &HotStates, number: u128) -> Turn<'_> {
    hot.turn(stream(number))
        .now_or_never()
        .expect("nobody is before us")
}

fn keep<A: Decide>(hot: &HotStates, number: u128, state: &A) {
    turn(hot, number).put(loaded(state.clone()), 0);
}

fn is_kept<A: Decide>(hot: &HotStates, number: u128) -> bool {
    matches!(turn(hot, number).take::<A>(), Known::State(_))
}

/// A lead with all that an enquiry says.
fn lead() -> Lead {
    let lead_id = LeadId(Uuid::from_u128(1));
    let at = Moment::from_timestamp_micros(0).expect("a time");
    let submit = LeadCommand::Submit {
        submission: Box::new(Submission {
            lead_id,
            person_id: UserId(Uuid::from_u128(2)),
            subject: None,
            reference: reference(lead_id),
            inventory_id: None,
            inventory_root_id: None,
            region_id: None,
            location_place_name: None,
            location_place_id: None,
            location_coordinates: None,
            wish: LeadWish {
                budget: Some(275),
                intake: Some("july_to_september".to_owned()),
                university: Some("University of Somewhere, Main Campus".to_owned()),
                ..LeadWish::default()
            },
            variant: LeadVariant::Enquire,
            lead_source: Some("property_page_book_now".to_owned()),
            payment_before_bookform: false,
            source: SourceDetails {
                final_url: Some("https://www.example.com/".repeat(4)),
                referrer: Some("https://www.search.example/".repeat(2)),
                ..SourceDetails::default()
            },
            user_notification: true,
            referral_code: None,
            device: None,
            repeat_of: None,
            repeat_shown: false,
            repeats_wish: false,
            verified: false,
            unclaimed: true,
            available: true,
            request_digest: "5".repeat(64),
            idempotency_key_digest: None,
            language: None,
            quote: None,
            site: None,
        }),
        personal: LeadPersonal {
            lead_uuid: Uuid::from_u128(3),
            name: PersonName::parse("Ada Lovelace").expect("a name"),
            email: Email::parse("ada@example-university.example").expect("an address"),
            phone: Phone::parse("+447700900123").expect("a number"),
            user_query: Some("Is there a desk in the room?".to_owned()),
            idp_form_data: None,
            referrer_name: None,
            data_email: None,
        },
        viewing: None,
        at,
    };
    let events = Lead::default().decide(submit).expect("a lead");
    domain::aggregate::fold(&events)
}

#[test]
fn twenty_thousand_leads_stay_at_hand() {
    let (hot, lead) = (HotStates::default(), lead());
    for number in 0..20_000 {
        keep(&hot, number, &lead);
    }
    for round in 0..3 {
        for number in 0..20_000 {
            let mut turn = turn(&hot, number);
            let Known::State(kept) = turn.take::<Lead>() else {
                panic!("lead {number} is gone in round {round}");
            };
            turn.put(kept, 140);
        }
    }
}

/// However many streams are busy the states come to so many bytes.
#[test]
fn hot_states_stay_within_their_bytes() {
    let hot = HotStates::default();
    for number in 0..400_000 {
        keep(&hot, number, &Account::default());
    }
    assert!(is_kept::<Account>(&hot, 399_999), "the latest is kept");
    let bytes = |shard: &Shard| {
        let states = shard.states.lock();
        let kept = states.of.values().map(|kept| kept.size.bytes).sum::<usize>();
        assert_eq!(states.bytes, kept, "the sum is kept true");
        assert!(
            states.used.len() <= 2 * states.of.len() + SLACK,
            "the line of use is short"
        );
        kept
    };
    let kept: usize = hot.shards.iter().map(bytes).sum();
    assert!(kept <= KEPT, "{kept} bytes are kept");
    assert!(kept >= KEPT / 10 * 9, "only {kept} bytes are kept");
}

#[test]
fn a_state_that_grows_counts_for_what_it_came_to() {
    let hot = HotStates::default();
    keep(&hot, 1, &Account::default());
    let mut first = turn(&hot, 1);
    let Known::State(account) = first.take::<Account>() else {
        panic!("it is kept")
    };
    first.put(account, OF_SHARD / 2);
    drop(first);
    let bytes = hot.shard(stream(1)).states.lock().bytes;
    assert!(bytes < 1_000, "it is measured again instead of believed: {bytes}");
}

#[test]
fn a_stream_waits_for_its_own_turn_and_no_other() {
    let hot = HotStates::default();
    let first = turn(&hot, 0);
    let others: Vec<_> = (1..1_000).map(|number| turn(&hot, number)).collect();
    let mut second = pin!(hot.turn(stream(0)));
    assert!(second.as_mut().now_or_never().is_none(), "two have one turn");
    drop((first, others));
    assert!(second.now_or_never().is_some(), "the turn is not passed on");
}

#[test]
fn nothing_is_left_of_those_who_had_a_turn_or_gave_up() {
    let hot = HotStates::default();
    let first = turn(&hot, 0);
    assert!(hot.turn(stream(0)).now_or_never().is_none(), "two have one turn");
    drop(first);
    drop((0..1_000).map(|number| turn(&hot, number)).collect::<Vec<_>>());
    let lines: usize = hot.shards.iter().map(|shard| shard.turns.lock().len()).sum();
    assert_eq!(lines, 0, "lines that nobody stands in");
}

/// A state that was out when all were let go of does not come back.
#[test]
fn hot_state_out_during_eviction_does_not_come_back() {
    let hot = HotStates::default();
    keep(&hot, 1, &Account::default());
    let mut deciding = turn(&hot, 1);
    let Known::State(state) = deciding.take::<Account>() else {
        panic!("it is kept")
    };
    hot.clear();
    deciding.put(state, 0);
    drop(deciding);
    assert!(!is_kept::<Account>(&hot, 1), "it is back");
}

#[test]
fn of_a_state_that_was_evicted_it_is_known_that_it_must_be_read() {
    let hot = HotStates::default();
    assert!(matches!(turn(&hot, 1).take::<Account>(), Known::Nothing));
    keep(&hot, 1, &Account::default());
    hot.evict(stream(1));
    assert!(matches!(turn(&hot, 1).take::<Account>(), Known::ToBeRead));
}
