//! People who come for the first time, to several nodes.

use eventlog_conformance::newcomers::both_give;

use super::{Databases, server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_give_nobody_two_keys_and_no_key_to_two_people() {
    let databases = Databases::of(server());
    let [here, there, later] = [(); 3].map(|()| databases.open());
    both_give(here.await, there.await, later.await).await;
}
