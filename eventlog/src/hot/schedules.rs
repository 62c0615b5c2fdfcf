//! States that several commands take out and put back, while all of them are let go of.

use shuttle::{future, thread};
use threads::schedules::tell;
use uuid::Uuid;

use super::*;
use crate::account::Account;

const STREAM: StreamId = StreamId {
    kind: "account",
    id: Uuid::from_u128(1),
};

fn loaded(balance: i64) -> Loaded<Account> {
    Loaded {
        state: Account { balance, entries: 0 },
        revision: 1,
        last_event: None,
    }
}

async fn add_one(hot: Arc<HotStates>) {
    let mut turn = hot.turn(STREAM).await;
    let Known::State(before) = turn.take::<Account>() else {
        panic!("the state is out, though it is nobody's turn")
    };
    future::yield_now().await;
    turn.put(loaded(before.state.balance + 1), 0);
}

#[test]
fn commands_on_one_stream_take_turns_and_leave_no_trace() {
    tell(Slip::TurnNotAwaited, || {
        future::block_on(async {
            let hot = Arc::new(HotStates::default());
            hot.turn(STREAM).await.put(loaded(0), 0);
            let adders: Vec<_> = (0..3).map(|_| future::spawn(add_one(hot.clone()))).collect();
            let gave_up = future::spawn({
                let hot = hot.clone();
                async move { drop(hot.turn(STREAM).await) }
            });
            gave_up.abort();
            for adder in adders {
                adder.await.unwrap();
            }
            drop(gave_up.await);
            let Known::State(end) = hot.turn(STREAM).await.take::<Account>() else {
                panic!("the state is gone")
            };
            assert_eq!(end.state.balance, 3);
            assert!(
                hot.shard(STREAM).turns.lock().is_empty(),
                "somebody is still in line"
            );
        });
    });
}

/// A state that was out when all were let go of does not come back.
#[test]
fn hot_state_out_during_eviction_does_not_come_back() {
    tell(Slip::EraAskedEarly, || {
        future::block_on(async {
            let hot = Arc::new(HotStates::default());
            let mut turn = hot.turn(STREAM).await;
            let clearing = thread::spawn({
                let hot = hot.clone();
                move || hot.clear()
            });
            turn.put(loaded(1), 0);
            drop(turn);
            clearing.join().unwrap();
            let kept = hot.turn(STREAM).await.take::<Account>();
            assert!(matches!(kept, Known::Nothing));
        });
    });
}
