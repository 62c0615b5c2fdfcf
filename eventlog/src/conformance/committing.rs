//! Load, decide, append: rules hold however many decide at once.

use futures::future::{join, join_all};

use super::account::{Account, AccountCommand as Command, AccountEvent::Withdrawn, TooLittle};
use super::{Ground, account, direct, every_engine, somebody, stream};
use crate::append::{Append, Expected};
use crate::commit::{CommitError, commit, commit_expecting, load};
use crate::error::AppendError;

every_engine![
    sixty_four_writers_on_one_stream_lose_nothing_and_break_no_rule,
    a_decision_on_a_state_that_was_lost_on_the_way_is_made_anew,
    a_caller_who_saw_an_older_revision_hears_of_the_conflict,
    decisions_of_two_aggregates_are_appended_together,
    a_state_loaded_after_an_answer_holds_what_the_answer_said,
];

async fn sixty_four_writers_on_one_stream_lose_nothing_and_break_no_rule(ground: Ground) {
    let log = ground.log().await;
    commit::<Account>(&log, account(1), Command::Deposit(640), &somebody())
        .await
        .expect("committed");
    let writers = (0..64).map(|_| {
        let log = log.clone();
        tokio::spawn(async move {
            let mut revisions = Vec::new();
            for _ in 0..20 {
                match commit::<Account>(&log, account(1), Command::Withdraw(1), &somebody()).await {
                    Ok(done) => revisions.push(done.revision),
                    Err(CommitError::Rejected(TooLittle(left))) => assert_eq!(left, 0),
                    Err(other) => panic!("{other}"),
                }
            }
            revisions
        })
    });
    let mut revisions: Vec<u64> = join_all(writers)
        .await
        .into_iter()
        .flat_map(|it| it.expect("the writer finishes"))
        .collect();
    revisions.sort_unstable();
    assert_eq!(
        revisions,
        (2..=641).collect::<Vec<_>>(),
        "one revision each, none lost, none twice"
    );
    let loaded = load::<Account>(&log, account(1)).await.expect("readable");
    assert_eq!((loaded.state.balance, loaded.revision), (0, 641));
}

async fn a_decision_on_a_state_that_was_lost_on_the_way_is_made_anew(ground: Ground) {
    let log = ground.log().await;
    for number in 0..50 {
        let id = account(number);
        commit::<Account>(&log, id, Command::Deposit(100), &somebody())
            .await
            .expect("committed");
        // Somebody empties the account; nobody who decides here has heard of it yet.
        let emptied = log
            .send(direct(id, Expected::Any, &[Withdrawn { amount: 100 }]))
            .expect("there is room");
        let context = somebody();
        // The second decides on a state that holds the first one's deposit, which then loses its place.
        let deposit = commit::<Account>(&log, id, Command::Deposit(50), &context);
        let withdraw = commit::<Account>(&log, id, Command::Withdraw(150), &context);
        let (deposited, withdrawn) = join(deposit, withdraw).await;
        crate::log::settled(emptied).await.expect("written");
        deposited.expect("a deposit always goes");
        assert!(
            matches!(withdrawn, Err(CommitError::Rejected(_))),
            "{withdrawn:?}"
        );
        assert_eq!(
            load::<Account>(&log, id).await.expect("readable").state.balance,
            50
        );
    }
}

async fn a_caller_who_saw_an_older_revision_hears_of_the_conflict(ground: Ground) {
    let log = ground.log().await;
    let context = somebody();
    commit_expecting::<Account>(&log, account(1), Command::Deposit(1), &context, 0)
        .await
        .expect("a new stream");
    let stale = commit_expecting::<Account>(&log, account(1), Command::Deposit(1), &context, 0).await;
    assert!(
        matches!(stale, Err(CommitError::Conflict { current: 1 })),
        "{stale:?}"
    );
    commit_expecting::<Account>(&log, account(1), Command::Deposit(1), &context, 1)
        .await
        .expect("the present one");
}

async fn decisions_of_two_aggregates_are_appended_together(ground: Ground) {
    let log = ground.log().await;
    commit::<Account>(&log, account(1), Command::Deposit(10), &somebody())
        .await
        .expect("committed");
    let from = load::<Account>(&log, account(1)).await.expect("readable");
    let to = load::<Account>(&log, account(2)).await.expect("readable");
    let transfer = || {
        let out =
            domain::aggregate::Decide::decide(&from.state, Command::Withdraw(10)).expect("enough is there");
        let into = domain::aggregate::Decide::decide(&to.state, Command::Deposit(10)).expect("always");
        Append::new(&somebody())
            .decision::<Account>(account(1), &from, &out)
            .and_then(|append| append.decision::<Account>(account(2), &to, &into))
            .expect("events have a stored form")
    };
    log.append(transfer()).await.expect("both moved");
    let again = log.append(transfer()).await;
    assert!(
        matches!(again, Err(AppendError::Conflict { current: 2, .. })),
        "{again:?}"
    );
    let balances = [account(1), account(2)].map(|id| load::<Account>(&log, id));
    let balances: Vec<i64> = join_all(balances)
        .await
        .into_iter()
        .map(|it| it.expect("readable").state.balance)
        .collect();
    assert_eq!(balances, [0, 10]);
    // A commit after it decides on what was written by the other way.
    let refused = commit::<Account>(&log, account(1), Command::Withdraw(1), &somebody()).await;
    assert!(
        matches!(refused, Err(CommitError::Rejected(TooLittle(0)))),
        "{refused:?}"
    );
}

async fn a_state_loaded_after_an_answer_holds_what_the_answer_said(ground: Ground) {
    let log = ground.log().await;
    for round in 1..=200 {
        let done = commit::<Account>(&log, account(1), Command::Deposit(1), &somebody())
            .await
            .expect("committed");
        let loaded = load::<Account>(&log, account(1)).await.expect("readable");
        assert_eq!(
            (done.revision, loaded.revision, loaded.state),
            (round, round, done.state)
        );
        let events = log
            .read_stream(&stream(account(1)), round - 1, 10)
            .await
            .expect("readable");
        assert_eq!(
            events.iter().map(|it| it.event_id).collect::<Vec<_>>(),
            done.event_ids
        );
    }
}
