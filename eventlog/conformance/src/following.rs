//! A reader that follows by position sees every event once, in order, while others write.

use domain::id::UserId;
use domain::sealed::Sealed;
use futures::future::join_all;
use uuid::Uuid;

use super::account::{Account, AccountCommand as Command, AccountEvent};
use super::{Ground, account, count, direct, every_engine, part, places, somebody, stored, stream};
use eventlog::EventLog;
use eventlog::LogError;
use eventlog::append::{Append, Expected};
use eventlog::commit::commit;
use eventlog::fact::Fact;
use eventlog::verify::{Anchor, Verdict};

every_engine![($) following;
    reader_neither_skips_nor_repeats_beside_64_writers,
    a_stream_is_read_in_pages,
    a_log_that_was_only_written_verifies,
    a_reader_may_begin_anywhere_however_long_ago,
    two_writing_processes_hide_nothing_from_readers,
    events_of_another_process_are_read_in_their_place_at_once,
    a_fold_meets_what_a_reader_reads,
    what_one_request_did_is_found_in_every_stream,
];

const WRITERS: u64 = 64;
const EACH: u64 = 40;

async fn write(log: &EventLog, writer: u64) {
    for round in 0..EACH {
        let id = account(u128::from(writer * 7 + round % 5));
        commit::<Account>(log, id, Command::Deposit(1), &somebody())
            .await
            .expect("committed");
    }
}

/// Follows the log in pages of `page` until it has seen `count` events, and says their positions.
async fn follow(log: EventLog, page: usize, count: u64) -> Vec<u64> {
    let mut news = log.watch();
    let mut seen = Vec::new();
    while (seen.len() as u64) < count {
        let after = seen.last().copied().unwrap_or(0);
        let events = log.read_all(after, page).await.expect("readable");
        if events.is_empty() {
            news.changed().await.expect("the log lives");
        }
        seen.extend(events.iter().map(|it| it.position));
    }
    seen
}

/// A reader never skips and never repeats while sixty four write.
async fn reader_neither_skips_nor_repeats_beside_64_writers(ground: Ground) {
    let log = ground.log().await;
    let all = WRITERS * EACH;
    let readers = [1, 7, 1_000].map(|page| tokio::spawn(follow(log.clone(), page, all)));
    let writers = (0..WRITERS).map(|writer| {
        let log = log.clone();
        tokio::spawn(async move { write(&log, writer).await })
    });
    for writer in join_all(writers).await {
        writer.expect("the writer finishes");
    }
    let written = places(&log).await;
    assert_eq!(written.len() as u64, all);
    for reader in join_all(readers).await {
        assert_eq!(reader.expect("the reader finishes"), written);
    }
    drop(log);
    // The same from what was kept, without anything in memory.
    let kept = ground.log().await;
    assert_eq!(follow(kept.clone(), 97, all).await, written);
    assert_eq!(count(&kept).await, all);
}

async fn a_stream_is_read_in_pages(ground: Ground) {
    let log = ground.log().await;
    for round in 0..10 {
        commit::<Account>(&log, account(round % 2), Command::Deposit(1), &somebody())
            .await
            .expect("committed");
    }
    let page = log
        .read_stream(&stream(account(1)), 2, 2)
        .await
        .expect("readable");
    let places = places(&log).await;
    assert_eq!(
        page.iter()
            .map(|it| (it.revision, it.position))
            .collect::<Vec<_>>(),
        [(3, places[5]), (4, places[7])]
    );
    assert!(
        log.read_stream(&stream(account(3)), 0, 10)
            .await
            .expect("readable")
            .is_empty()
    );
}

async fn a_log_that_was_only_written_verifies(ground: Ground) {
    let log = ground.log().await;
    if !log.capabilities().chain {
        let refused = log.verify(Anchor::GENESIS).await;
        assert!(matches!(&refused, Err(LogError::Refused(_))), "{refused:?}");
        return;
    }
    assert_eq!(
        log.verify(Anchor::GENESIS).await.expect("readable"),
        Verdict::Intact(Anchor::GENESIS)
    );
    write(&log, 1).await;
    let Verdict::Intact(middle) = log.verify(Anchor::GENESIS).await.expect("readable") else {
        panic!("nobody touched it")
    };
    assert_eq!(middle.position, EACH);
    write(&log, 2).await;
    let Verdict::Intact(end) = log.verify(middle).await.expect("readable") else {
        panic!("nobody touched it")
    };
    assert_eq!(
        log.verify(Anchor::GENESIS).await.expect("readable"),
        Verdict::Intact(end)
    );
    assert_eq!(end.position, 2 * EACH);
}

async fn a_reader_may_begin_anywhere_however_long_ago(ground: Ground) {
    let log = ground.log().await;
    let deposit = [AccountEvent::Deposited { amount: 1 }];
    // More than is kept in memory for readers.
    let appends = (0..6_000)
        .map(|it| direct(account(it % 50), Expected::Any, &deposit))
        .collect();
    log.append_many(appends).await.expect("written");
    let places = places(&log).await;
    assert_eq!(places.len(), 6_000);
    // At either end, where what is in memory begins, and everywhere in between.
    let edges = [0, 6_000 - 4_096, 5_999];
    let near = |before: &usize| edges.iter().any(|edge: &usize| edge.abs_diff(*before) < 6);
    for before in (0..6_000).filter(|it| it % 53 == 0 || near(it)) {
        let after = if before == 0 { 0 } else { places[before - 1] };
        let seen: Vec<u64> = log
            .read_all(after, 3)
            .await
            .expect("readable")
            .iter()
            .map(|it| it.position)
            .collect();
        assert_eq!(seen, places[before..6_000.min(before + 3)]);
    }
}

/// Two processes may write to one log and readers of either miss nothing.
async fn two_writing_processes_hide_nothing_from_readers(ground: Ground) {
    let logs = [ground.log().await, ground.log().await];
    let end = 2 * 8 * EACH;
    let readers = logs.clone().map(|log| tokio::spawn(follow(log, 50, end)));
    let writers = (0..16).map(|writer| {
        let log = logs[writer % 2].clone();
        tokio::spawn(async move { write(&log, writer as u64 / 4).await })
    });
    for writer in join_all(writers).await {
        writer.expect("the writer finishes");
    }
    for reader in join_all(readers).await {
        assert_eq!(reader.expect("the reader finishes"), places(&logs[0]).await);
    }
    assert_eq!(count(&logs[1]).await, end);
    if logs[0].capabilities().chain {
        let verdict = logs[0].verify(Anchor::GENESIS).await;
        assert!(matches!(verdict, Ok(Verdict::Intact(whole)) if whole.position == end));
    }
}

async fn events_of_another_process_are_read_in_their_place_at_once(ground: Ground) {
    let logs = [ground.log().await, ground.log().await];
    let mut places = vec![0];
    for number in 1..=60_usize {
        let log = &logs[number % 2];
        let deposit = direct(
            account(1),
            Expected::Any,
            &[AccountEvent::Deposited { amount: 1 }],
        );
        places.push(log.append(deposit).await.expect("written").last);
        let from = number.saturating_sub(5);
        let seen: Vec<u64> = log
            .read_all(places[from], 10)
            .await
            .expect("readable")
            .iter()
            .map(|it| it.position)
            .collect();
        assert_eq!(seen, places[from + 1..]);
    }
    assert_eq!(count(&logs[0]).await, 60);
}

/// All that a fold is given, as text, with the event itself.
fn told(fact: &Fact<'_>) -> String {
    let event = fact.decode::<Account>().expect("an event of this aggregate");
    let place = (fact.position, fact.stream, fact.revision, fact.event_id);
    let shape = (fact.event_type, fact.schema_version, fact.subject_id);
    format!(
        "{place:?} {shape:?} {:?} {:?} {event:?}",
        fact.payload, fact.sealed
    )
}

async fn a_fold_meets_what_a_reader_reads(ground: Ground) {
    let log = ground.log().await;
    for number in 0..12 {
        let about = UserId(Uuid::from_u128(number));
        let noted = AccountEvent::Noted {
            about,
            note: Sealed::new(format!("note {number}")),
        };
        let events = [noted, AccountEvent::Deposited { amount: 1 }];
        log.append(direct(account(number % 3), Expected::Any, &events))
            .await
            .expect("written");
    }
    let gone = UserId(Uuid::from_u128(4));
    log.forget_subject(gone).await.expect("forgotten");
    // One handle reads from memory what it wrote, the other from where it is kept.
    for log in [log, ground.log().await] {
        let read = log.read_all(0, 100).await.expect("readable");
        let take = |seen: &mut Vec<String>, fact: Fact<'_>| {
            seen.push(told(&fact));
            Ok(())
        };
        for (after, limit) in [(0, 100), (5, 7)] {
            let after = if after == 0 { 0 } else { read[after - 1].position };
            let expected = read.iter().filter(|event| event.position > after).take(limit);
            let expected: Vec<String> = expected.map(|event| told(&event.fact())).collect();
            let folded = log
                .fold_all((after, limit), Vec::new(), take)
                .await
                .expect("folded");
            assert_eq!((folded.events, folded.state), (expected.len(), expected));
        }
        for (after, limit) in [(0, 100), (3, 2), (8, 5)] {
            let events = log
                .read_stream(&stream(account(1)), after, limit)
                .await
                .expect("readable");
            let expected: Vec<String> = events.iter().map(|event| told(&event.fact())).collect();
            let folded = log
                .fold_stream(&stream(account(1)), (after, limit), Vec::new(), take)
                .await
                .expect("folded");
            assert_eq!(folded.last, events.last().map_or(0, |event| event.position));
            assert_eq!(folded.state, expected);
        }
        let refused = log.fold_all((0, 100), (), |(), _| Err(LogError::Closed)).await;
        assert!(matches!(refused, Err(LogError::Closed)));
    }
}

async fn what_one_request_did_is_found_in_every_stream(ground: Ground) {
    let log = ground.log().await;
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    for number in 0..12_u128 {
        let request = if number % 3 == 0 { one } else { other };
        let mut append = Append::new(&somebody().correlated(request));
        for account in [account(number % 4), account(100 + number)] {
            let deposit = stored(&AccountEvent::Deposited { amount: 1 });
            append.streams.push(part(account, Expected::Any, vec![deposit]));
        }
        log.append(append).await.expect("written");
    }
    // One handle has it in memory, the other reads what is kept.
    for log in [log, ground.log().await] {
        let all = log.read_all(0, 100).await.expect("readable");
        let of_one = all.iter().filter(|event| event.correlation_id == one);
        let of_one: Vec<_> = of_one.map(|event| (event.position, event.event_id)).collect();
        assert_eq!(of_one.len(), 8);
        for (before, limit) in [(0, 100), (0, 3), (3, 4), (7, 4), (8, 4)] {
            let after = if before == 0 { 0 } else { of_one[before - 1].0 };
            let found = log.read_correlated(one, after, limit).await.expect("readable");
            let found: Vec<_> = found
                .iter()
                .map(|event| (event.position, event.event_id))
                .collect();
            assert_eq!(found, of_one[before..8.min(before + limit)]);
        }
        let nobodys = log.read_correlated(Uuid::from_u128(3), 0, 10).await;
        assert!(nobodys.expect("readable").is_empty());
    }
}

/// How many requests [`fill`] makes.
const REQUESTS: u128 = 4_000;

/// Fills a log with one event for each of many requests.
pub async fn fill(log: &EventLog) {
    let of_a_request = |number| {
        let mut append = direct(
            account(number % 50),
            Expected::Any,
            &[AccountEvent::Deposited { amount: 1 }],
        );
        append.context = somebody().correlated(Uuid::from_u128(number));
        append
    };
    let appends: Vec<Append> = (0..REQUESTS).map(of_a_request).collect();
    log.append_many(appends).await.expect("written");
}
