//! Load, decide, append: rules hold however many decide at once.

use futures::future::{join, join_all};

use domain::aggregate::Decide as _;

use super::account::{
    Account, AccountCommand as Command,
    AccountEvent::{Deposited, Withdrawn},
    AccountId, TooLittle,
};
use super::{Ground, account, direct, every_engine, places, somebody, stream};
use eventlog::EventLog;
use eventlog::append::{Append, Appended, Expected};
use eventlog::commit::{CommitError, commit, commit_expecting, commit_together, load};
use eventlog::context::Context;
use eventlog::error::{AppendError, LogError};

every_engine![($) committing;
    sixty_four_writers_on_one_stream_lose_nothing,
    a_decision_on_a_state_that_was_lost_on_the_way_is_made_anew,
    rejection_is_never_based_on_a_stale_state,
    a_caller_who_saw_an_older_revision_hears_of_the_conflict,
    decisions_of_two_aggregates_are_appended_together,
    transfers_between_many_accounts_lose_and_invent_nothing,
    a_repeated_transfer_is_answered_without_deciding_again,
    joint_decision_is_repeated_after_a_conflict,
    a_state_loaded_after_an_answer_holds_what_the_answer_said,
];

/// Sixty four writers on one stream lose nothing and break no rule.
async fn sixty_four_writers_on_one_stream_lose_nothing(ground: Ground) {
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
        log.settled(emptied).await.expect("written");
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
        let out = from.state.decide(Command::Withdraw(10)).expect("enough is there");
        let into = to.state.decide(Command::Deposit(10)).expect("always");
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

/// Moves 1 from one account to another, together or not at all.
async fn transfer(
    log: &EventLog,
    context: &Context,
    from: AccountId,
    to: AccountId,
) -> Result<Appended, CommitError<TooLittle>> {
    commit_together(log, context, move |append| async move {
        let source = load::<Account>(log, from).await?;
        let target = load::<Account>(log, to).await?;
        let out = source
            .state
            .decide(Command::Withdraw(1))
            .map_err(CommitError::Rejected)?;
        let into = target
            .state
            .decide(Command::Deposit(1))
            .map_err(CommitError::Rejected)?;
        let append = append
            .decision::<Account>(from, &source, &out)
            .map_err(LogError::from)?;
        Ok(append
            .decision::<Account>(to, &target, &into)
            .map_err(LogError::from)?)
    })
    .await
}

async fn transfers_between_many_accounts_lose_and_invent_nothing(ground: Ground) {
    let log = ground.log().await;
    for number in 0..8 {
        commit::<Account>(&log, account(number), Command::Deposit(5), &somebody())
            .await
            .expect("committed");
    }
    let movers = (0..16_u128).map(|mover| {
        let log = log.clone();
        tokio::spawn(async move {
            for round in 0..10 {
                let (from, to) = (account((mover + round) % 8), account((mover * 3 + round + 1) % 8));
                match transfer(&log, &somebody(), from, to).await {
                    Ok(_) | Err(CommitError::Rejected(_) | CommitError::Conflict { .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        })
    });
    for mover in join_all(movers).await {
        mover.expect("the mover finishes");
    }
    let balances = join_all((0..8).map(|number| load::<Account>(&log, account(number)))).await;
    let balances: Vec<i64> = balances
        .into_iter()
        .map(|it| it.expect("readable").state.balance)
        .collect();
    assert_eq!(balances.iter().sum::<i64>(), 40, "{balances:?}");
    assert!(balances.iter().all(|balance| *balance >= 0), "{balances:?}");
}

async fn a_repeated_transfer_is_answered_without_deciding_again(ground: Ground) {
    let log = ground.log().await;
    commit::<Account>(&log, account(1), Command::Deposit(1), &somebody())
        .await
        .expect("committed");
    let context = somebody().command(uuid::Uuid::from_u128(7), b"1 to 2");
    let first = transfer(&log, &context, account(1), account(2))
        .await
        .expect("moved");
    let again = transfer(&log, &context, account(1), account(2))
        .await
        .expect("answered");
    let places = places(&log).await;
    let both = (places[1], places[2]);
    assert_eq!((first.first, first.last), both);
    assert_eq!((again.first, again.last), both);
    assert_eq!((first.repeated, again.repeated, places.len()), (false, true, 3));
}

/// A rejection is never told of a state that others have moved on.
async fn rejection_is_never_based_on_a_stale_state(ground: Ground) {
    // The second handle stands for another process where the engine can be shared by two.
    let (here, there) = (ground.log().await, ground.log().await);
    let withdraw = || async { commit::<Account>(&here, account(1), Command::Withdraw(1), &somebody()).await };
    assert!(matches!(
        withdraw().await,
        Err(CommitError::Rejected(TooLittle(0)))
    ));
    for deposit in [&here, &there] {
        deposit
            .append(direct(account(1), Expected::Any, &[Deposited { amount: 1 }]))
            .await
            .expect("written");
        withdraw().await.expect("there is 1 now");
        assert!(matches!(
            withdraw().await,
            Err(CommitError::Rejected(TooLittle(0)))
        ));
    }
}

/// What was decided together is decided again when somebody was faster.
async fn joint_decision_is_repeated_after_a_conflict(ground: Ground) {
    let log = ground.log().await;
    let context = somebody();
    let calls = std::sync::atomic::AtomicU64::new(0);
    let (log, calls) = (&log, &calls);
    let done = commit_together::<TooLittle, _>(log, &context, move |append| async move {
        let loaded = load::<Account>(log, account(1)).await?;
        if calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            log.append(direct(account(1), Expected::Any, &[Deposited { amount: 1 }]))
                .await
                .expect("written");
        }
        let all = [Withdrawn {
            amount: loaded.state.balance,
        }];
        Ok(append
            .decision::<Account>(account(1), &loaded, &all)
            .map_err(LogError::from)?)
    });
    let last = done.await.expect("done at the second try").last;
    assert_eq!(places(log).await[1..], [last]);
    assert_eq!(
        load::<Account>(log, account(1))
            .await
            .expect("readable")
            .state
            .balance,
        0
    );
}
