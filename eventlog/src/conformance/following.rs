//! A reader that follows by position sees every event once, in order, while others write.

use futures::future::join_all;

use super::account::{Account, AccountCommand as Command, AccountEvent};
use super::{Ground, account, direct, every_engine, somebody, stream};
use crate::append::Expected;
use crate::commit::commit;
use crate::log::EventLog;
use crate::verify::{Anchor, Verdict};

every_engine![
    a_reader_never_skips_and_never_repeats_while_sixty_four_write,
    a_stream_is_read_in_pages,
    a_log_that_was_only_written_verifies,
    a_reader_may_begin_anywhere_however_long_ago,
    two_processes_may_write_to_one_log_and_readers_of_either_miss_nothing,
    events_of_another_process_are_read_in_their_place_at_once,
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

/// Follows the log to `end` in pages of `page`, and says which positions it saw.
async fn follow(log: EventLog, page: usize, end: u64) -> Vec<u64> {
    let mut news = log.watch();
    let mut seen = Vec::new();
    let mut after = 0;
    while after < end {
        let events = log.read_all(after, page).await.expect("readable");
        if events.is_empty() {
            news.changed().await.expect("the log lives");
        }
        seen.extend(events.iter().map(|it| it.position));
        after = seen.last().copied().unwrap_or(0);
    }
    seen
}

async fn a_reader_never_skips_and_never_repeats_while_sixty_four_write(ground: Ground) {
    let log = ground.log().await;
    let end = WRITERS * EACH;
    let readers = [1, 7, 1_000].map(|page| tokio::spawn(follow(log.clone(), page, end)));
    let writers = (0..WRITERS).map(|writer| {
        let log = log.clone();
        tokio::spawn(async move { write(&log, writer).await })
    });
    for writer in join_all(writers).await {
        writer.expect("the writer finishes");
    }
    for reader in join_all(readers).await {
        assert_eq!(
            reader.expect("the reader finishes"),
            (1..=end).collect::<Vec<_>>()
        );
    }
    drop(log);
    // The same from what was kept, without anything in memory.
    let kept = ground.log().await;
    assert_eq!(follow(kept.clone(), 97, end).await, (1..=end).collect::<Vec<_>>());
    assert_eq!(kept.head().await.expect("readable"), end);
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
    assert_eq!(
        page.iter()
            .map(|it| (it.revision, it.position))
            .collect::<Vec<_>>(),
        [(3, 6), (4, 8)]
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
    for after in 0..6_000 {
        let seen: Vec<u64> = log
            .read_all(after, 3)
            .await
            .expect("readable")
            .iter()
            .map(|it| it.position)
            .collect();
        assert_eq!(seen, (after + 1..=6_000.min(after + 3)).collect::<Vec<_>>());
    }
}

async fn two_processes_may_write_to_one_log_and_readers_of_either_miss_nothing(ground: Ground) {
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
        assert_eq!(
            reader.expect("the reader finishes"),
            (1..=end).collect::<Vec<_>>()
        );
    }
    assert!(
        matches!(logs[0].verify(Anchor::GENESIS).await, Ok(Verdict::Intact(whole)) if whole.position == end)
    );
}

async fn events_of_another_process_are_read_in_their_place_at_once(ground: Ground) {
    let logs = [ground.log().await, ground.log().await];
    for position in 1..=60_u64 {
        let log = &logs[usize::from(position.is_multiple_of(2))];
        let deposit = direct(
            account(1),
            Expected::Any,
            &[AccountEvent::Deposited { amount: 1 }],
        );
        assert_eq!(log.append(deposit).await.expect("written").last, position);
        let seen: Vec<u64> = log
            .read_all(position.saturating_sub(5), 10)
            .await
            .expect("readable")
            .iter()
            .map(|it| it.position)
            .collect();
        assert_eq!(
            seen,
            (position.saturating_sub(5) + 1..=position).collect::<Vec<_>>()
        );
    }
}
