//! A network between the nodes and the server that is cut again and again (RELIABILITY R5, on the log alone). The seed fixes when
//! and which way it is cut; what the nodes are at then the scheduler decides.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures::future::join_all;
use tests::network::{Network, Way};
use tests::sample;
use tests::sample::Sample;

use super::nodes::{everything_once, keep_writing};
use super::{Databases, server};

/// How often the network is cut: in the gate, and in all.
const CUTS: &str = "EVENTLOG_CUTS";
const CUTS_USUALLY: (usize, usize) = (3, 20);
const WRITERS: u64 = 16;

/// Cuts of the network under sixteen writers lose nothing and double nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cuts_to_the_database_lose_and_double_nothing() {
    let Sample {
        rounds: [cuts],
        mut dice,
    } = sample!(CUTS => CUTS_USUALLY);
    let databases = Databases::of(server());
    let network = Network::before(&databases.log);
    let distant = Databases {
        log: network.reaches(&databases.log),
        keys: network.reaches(&databases.keys),
    };
    let nodes = [distant.open().await, distant.open().await];
    let over = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let log = nodes[usize::from(writer % 2 == 1)].clone();
            tokio::spawn(keep_writing(log, u128::from(writer), over.clone()))
        })
        .collect();
    let mut longest = Duration::ZERO;
    for _ in 0..cuts {
        let mut news = nodes[0].watch();
        let before = *news.borrow_and_update();
        news.wait_for(|end| *end >= before + 30)
            .await
            .expect("the log lives");
        // Anywhere in the work of either node.
        let moment = Duration::from_micros(dice.below(20_000));
        tokio::time::sleep(moment).await;
        let first = if dice.below(2) == 0 { Way::There } else { Way::Back };
        let moment = Duration::from_millis(5 + dice.below(15));
        network.cut(first, moment).await;
        let cut = Instant::now();
        let reached = *news.borrow_and_update();
        news.wait_for(|end| *end > reached + WRITERS)
            .await
            .expect("the log lives");
        longest = longest.max(cut.elapsed());
    }
    assert!(longest < Duration::from_secs(5), "{longest:?}");
    over.store(true, Relaxed);
    let mut answered = HashMap::new();
    for writer in join_all(writers).await {
        answered.extend(writer.expect("the writer finishes"));
    }
    everything_once(&databases.open().await, &answered).await;
}
