//! The end of a database that nodes share is signed.

use eventlog::port::SEGMENT;
use eventlog::{Anchor, Verdict};
use eventlog_conformance::proving::{Notary, deposit, hour};

use super::{Databases, connected, ground, server};

eventlog_conformance::proving!(ground());

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_before_gets_its_tables_and_roots() {
    let (databases, notary) = (Databases::of(server()), Notary::new());
    let log = databases.open().await;
    deposit(&log, SEGMENT + 1).await;
    let stranger = connected(&databases.log).await;
    stranger
        .batch_execute(
            "drop function write_batch; drop type stream_move; alter table log_head drop column looks; \
             drop table segment, signed_head, signing_key; update latchkey set layout = 2 where part = 'log'",
        )
        .await
        .expect("as it was before");
    let log = databases.open().await;
    assert_eq!(log.seal_segments().await.expect("made"), 1);
    assert!(notary.sign(&log, hour(1)).await.is_some());
}

/// Two nodes that sign at once into one folder leave one row of heads.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_signing_nodes_leave_one_row_of_heads() {
    let (databases, notary) = (Databases::of(server()), Notary::new());
    let nodes = [databases.open().await, databases.open().await];
    let mut made = 0;
    for round in 0..10 {
        deposit(&nodes[round % 2], 3).await;
        let at = hour(round as u64);
        let (one, two) = tokio::join!(notary.sign(&nodes[0], at), notary.sign(&nodes[1], at));
        made += usize::from(one.is_some()) + usize::from(two.is_some());
    }
    assert!(made >= 10, "each round's end is signed by one of them: {made}");
    for node in &nodes {
        let audit = notary.audit(node, Anchor::GENESIS).await;
        assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
        assert_eq!(audit.signed_through, Some(30));
    }
    assert_eq!(notary.outside.read(None).expect("readable").heads.len(), made);
}
