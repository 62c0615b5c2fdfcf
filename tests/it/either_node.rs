//! What was begun at one node of a database is gone on with at another, and nodes of a new program that start at once on what
//! an older one left bring it to theirs once.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::market::{AUTUMN, House, furnish, until};
use crate::nodes::{market_on_postgres, node_beside};
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

const GOOD_CARD: &str = "4242424242424242";
const HOUSE: &str = "0193a000-0000-7000-8000-000000000001";
const HOME: &str = "0193a000-0000-7000-8000-000000000701";
const PASS: &[u8] = b"%PDF-1.7 jo startxref %%EOF";

/// What a program of before the log's last layout and the last tables of desk and read models left behind.
const OLDER: &str = "
    create index event_by_type on event (event_type, position);
    create index event_by_subject on event (subject_id) where subject_id is not null;
    drop function write_batch;
    drop type stream_move;
    alter table log_head drop column looks;
    update latchkey set layout = 4 where part = 'log';
    alter table latchkey_desk.message drop column state, drop column attempts, drop column due_ms, drop column refusal,
      drop column effect, drop column dropped;
    delete from latchkey_desk._sqlx_migrations where version in (280, 562);
    drop table latchkey_read.lead_board_home, latchkey_read.lead_board_city, latchkey_read.timeline_home;
    delete from latchkey_read._sqlx_migrations where version = 290;
    update latchkey_read.projection set version = version - 1 where name in ('lead_board', 'lead_timeline')";
/// Everything that says which layout a database has.
const LAYOUT: &str = "
    select part || ' ' || layout from latchkey
    union all select 'desk ' || version from latchkey_desk._sqlx_migrations
    union all select 'read ' || version from latchkey_read._sqlx_migrations
    union all select name || ' ' || version from latchkey_read.projection
    union all select table_schema || '.' || table_name || '.' || column_name from information_schema.columns
      where table_schema in ('public', 'latchkey_desk', 'latchkey_read')
    union all select schemaname || '.' || indexname from pg_indexes
      where schemaname in ('public', 'latchkey_desk', 'latchkey_read')
    order by 1";

/// Nodes that start at once on a database of before migrate it once and show what it held.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_starting_together_migrate_an_old_database_once() {
    let url = tests::cluster().database();
    let start = || Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let mut first = start();
    let person = Visitor::new(&first);
    let mut links = Vec::new();
    for number in 0..3 {
        let body = enquiry("Mei Lin", &format!("mei{number}@example.com"));
        let sent = person.post("/api/v0/leads", body).await;
        let lead = sent.data()["lead_uuid"].as_str().unwrap();
        links.push(format!("/api/v0/leads/{lead}"));
    }
    first.kill();
    let database = first.database_name().unwrap();
    let layout = || tests::cluster().run(&database, LAYOUT);
    let new = layout();
    tests::cluster().run(&database, OLDER);
    assert_ne!(layout(), new);
    let nodes = std::thread::scope(|scope| {
        let nodes = [scope.spawn(start), scope.spawn(start)];
        nodes.map(|node| node.join().unwrap())
    });
    assert_eq!(layout(), new);
    for node in &nodes {
        let anybody = Visitor::new(node);
        for link in &links {
            assert_eq!(anybody.get(link).await.status, StatusCode::OK, "{link}");
        }
    }
    let support = Visitor::new(&nodes[1]);
    support.log_in_as("support").await;
    let board = support.get("/api/v0/workspace/leads").await;
    assert_eq!(
        board.data()["result"].as_array().map(Vec::len),
        Some(links.len()),
        "{}",
        board.body
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_sent_to_one_node_is_read_at_the_other() {
    let market = market_on_postgres(&[3]).await;
    let second = node_beside(&market.server);
    let mut buyer = market.person(1, 0);
    buyer.email = "jo@example.com".to_owned();
    let token = buyer.begun().await;
    buyer.pay(&token, GOOD_CARD).await;
    let paid = |payment: &Value| payment["status"] == "success";
    buyer.wait_for(&token, paid).await;
    let lead = buyer.lead_of(&token);
    let here = Visitor::new(&market.server);
    here.log_in("jo@example.com").await;
    let asked = json!({ "booking_form": { "lead_uuid": lead, "inventory_id": HOUSE, "flow": "book" } });
    let form = here.post("/api/v0/booking_forms", asked).await;
    let form = form.data()["form_uuid"].as_str().unwrap();
    let address = market
        .server
        .url(&format!("/api/v0/booking_forms/{form}/documents"));
    let sending = here.client().post(address).header("x-file-name", "pass.pdf");
    let sent = sending.body(PASS).send().await.unwrap();
    assert_eq!(sent.status(), StatusCode::CREATED);
    let sent: Value = sent.json().await.unwrap();
    let read = here
        .moved(&second)
        .open(sent["data"]["href"].as_str().unwrap())
        .await;
    assert_eq!(read.bytes().await.unwrap(), PASS);
}

/// What a read model left out is taken in from the workspace of the node that does not fold.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parked_events_are_retried_from_a_follower_node() {
    let url = tests::cluster().database();
    let first = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let second = node_beside(&first);
    let here = Visitor::new(&first);
    here.log_in_as("admin").await;
    let there = here.moved(&second);
    let standing =
        async |admin: &Visitor<'_>| admin.get("/api/v0/workspace/read_models").await.data().clone();
    // The fault: a second login cannot be taken in.
    let spoilt = "create unique index planted on session (length(token_digest))";
    stored::change(&first, Part::ReadModels, spoilt);
    Visitor::new(&first).log_in("mei@uni.example").await;
    let parked = async |admin: &Visitor<'_>| {
        let models = standing(admin).await["read_models"].clone();
        let mut models = models.as_array().unwrap().iter();
        models.find(|model| model["name"] == "session").unwrap()["parked"].clone()
    };
    until(async || (parked(&there).await == 1).then_some(())).await;
    stored::change(&first, Part::ReadModels, "drop index planted");
    let folds_here = standing(&here).await["folds_here"] == true;
    let admin = if folds_here { &there } else { &here };
    let retried = admin
        .post("/api/v0/workspace/read_models/session/retry", json!({}))
        .await;
    assert_eq!(retried.data()["parked"], 0, "{}", retried.body);
    assert_eq!(
        stored::number(&first, Part::ReadModels, "select count(*) from session"),
        2
    );
    for admin in [&here, &there] {
        until(async || (parked(admin).await == 0).then_some(())).await;
    }
}

/// While the keys do not answer nothing is left out and nothing that follows is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unanswering_keys_leave_out_and_lose_nothing() {
    let url = tests::cluster().database();
    let first = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let second = node_beside(&first);
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1)]],
        token_minor: 0,
    };
    furnish(&first, 700, &house).await;
    let (desk, mei, anybody) = (Visitor::new(&first), Visitor::new(&second), Visitor::new(&first));
    desk.log_in_as("support").await;
    let enquires = async |email: &str| {
        let sent = until(async || {
            let sent = mei.post("/api/v0/leads", enquiry("Mei Lin", email)).await;
            (sent.status == StatusCode::CREATED).then_some(sent)
        })
        .await;
        format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap())
    };
    // Whoever comes first fills the second node's stock of keys.
    enquires("early@example.com").await;
    let keys = format!("{}_keys", first.database_name().unwrap());
    let change = |table: &str| tests::cluster().run(&keys, &format!("alter table {table}"));
    change("subject_key rename to away");
    let link = enquires("mei@example.com").await;
    let last = stored::number(&first, Part::Log, "select max(position) from event");
    until(async || {
        let seen = stored::number(&first, Part::Outbox, "select position from progress");
        (seen >= last).then_some(())
    })
    .await;
    let uuid = link.rsplit('/').next().unwrap();
    let flags = format!("/api/v0/inventories/{HOME}/user_history?lead_uuid={uuid}");
    let asked = [desk.get(&link).await, anybody.get(&flags).await].map(|answer| answer.status);
    let without_keys = reqwest::get(first.url("/readyz")).await.unwrap();
    assert_eq!(without_keys.status(), StatusCode::SERVICE_UNAVAILABLE);
    let without_keys: Value = without_keys.json().await.unwrap();
    assert_eq!(without_keys["writes"], "keys_away", "{without_keys}");
    change("away rename to subject_key");
    until(async || {
        let sent = desk.get("/dev/outbox?to=mei@example.com").await;
        (sent.data().as_array().map(Vec::len) == Some(1)).then_some(())
    })
    .await;
    until(async || (desk.get(&link).await.status == StatusCode::OK).then_some(())).await;
    let ready = reqwest::get(first.url("/readyz")).await.unwrap();
    let ready: Value = ready.json().await.unwrap();
    let mut models = ready["read_models"].as_array().unwrap().iter();
    assert!(models.all(|model| model["parked"] == 0), "{ready}");
    assert_eq!(asked, [StatusCode::SERVICE_UNAVAILABLE; 2]);
}
