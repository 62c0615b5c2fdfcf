//! Shapes in databases of before they were noted, and of several nodes.

use eventlog_conformance::AccountEvent::{Deposited, Withdrawn};
use eventlog_conformance::shapes::{append, shapes, these};
use eventlog_conformance::stored;

use super::{Databases, connected, ground, server};

eventlog_conformance::shapes!(ground());

/// A database of before shapes were noted gets them from its events.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_database_without_shapes_gets_them_from_its_events() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    append(&log, vec![stored(&Deposited { amount: 1 })]).await;
    drop(log);
    let stranger = connected(&databases.log).await;
    let before = "drop function write_batch; drop type stream_move; alter table log_head drop column looks; \
         drop table shape, segment, signed_head, signing_key; update latchkey set layout = 1 where part = 'log'";
    stranger.batch_execute(before).await.expect("as it was before");
    let (one, two) = tokio::join!(databases.open(), databases.open());
    for node in [one, two] {
        assert_eq!(shapes(&node).await, these(&["AccountDeposited 2"]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_note_the_shapes_of_both() {
    let databases = Databases::of(server());
    let nodes = [databases.open().await, databases.open().await];
    for (round, event) in [Deposited { amount: 5 }, Withdrawn { amount: 1 }]
        .iter()
        .enumerate()
    {
        append(&nodes[round], vec![stored(event)]).await;
        append(&nodes[1 - round], vec![stored(event)]).await;
    }
    for node in &nodes {
        let both = these(&["AccountDeposited 2", "AccountWithdrawn 1"]);
        assert_eq!(shapes(node).await, both);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_put_back_under_a_node_loses_no_shape() {
    let databases = Databases::of(server());
    let log = databases.open().await;
    append(&log, vec![stored(&Deposited { amount: 1 })]).await;
    let stranger = connected(&databases.log).await;
    let put_back = "begin; delete from event; delete from stream; delete from shape;
        update log_head set position = 0, chain = decode(repeat('00', 32), 'hex'); commit";
    stranger.batch_execute(put_back).await.expect("put back");
    append(&log, vec![stored(&Deposited { amount: 2 })]).await;
    assert_eq!(shapes(&log).await, these(&["AccountDeposited 2"]));
}
