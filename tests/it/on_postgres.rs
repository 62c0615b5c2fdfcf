//! What an operator does, on a house whose everything lies in PostgreSQL; and that whoever is forgotten there is found in
//! none of the server's files.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use domain::id::RegionId;
use domain::region::{Region, RegionEvent};
use eventlog::{Actor, Append, Context, Expected};
use reqwest::StatusCode;
use serde_json::Value;
use tests::postgres::Cluster;
use tests::{LOG_FILE, REHEARSAL, Server};
use uuid::Uuid;

use crate::forgetting::{Person, acquainted, files, traces};
use crate::market::{Market, log_of, until};
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../api/import/src/sample.csv");
const MAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/import/listings.toml");
const REGION: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../domain/events/region/RegionOpened.v1.json"
);

/// More connections than all pools of a server begin at once: each has tried again.
const POOLS_TRIES: usize = 40;

/// What the server keeps; a socket is no file.
fn kept(folder: &Path) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|file| file.is_file()).collect()
}

/// The events of a stream that a lead's history is made of.
fn first_lead(server: &Server) -> String {
    let asked = "select uuid from stream where kind = 'lead' order by id limit 1";
    let told = tests::cluster().run(&server.database_name().unwrap(), asked);
    format!("lead-{}", told.trim())
}

async fn stops(server: &mut Server) {
    server.ask_to_stop();
    let server = std::sync::Mutex::new(server);
    let ended = until(|| async { server.lock().unwrap().ended() }).await;
    assert!(ended.success(), "{ended}");
}

/// Every command of an operator works on PostgreSQL or says what to use instead.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operator_commands_work_on_postgres_or_name_the_tool() {
    let url = tests::cluster().database();
    let mut server = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let report = server.folder().join("errors.csv");
    let report = report.to_str().unwrap();
    let imported = server.run(&["import", SAMPLE, "--map", MAP, "--report", report]);
    assert!(imported.contains("4 added"), "{imported}");
    let mei = Visitor::new(&server);
    let sent = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    let well = server.run(&["doctor"]);
    assert!(!well.contains("WRONG"), "{well}");

    let lead = first_lead(&server);
    let history = server.run(&["replay", &lead]);
    assert!(history.contains("LeadEnquired"), "{history}");
    assert!(!history.contains("mei@example.com"), "{history}");
    let board = server.run(&["replay", "--projection", "lead_board", "--at", "1"]);
    assert!(
        !board.contains(&lead[5..]),
        "nothing was enquired by event 1: {board}"
    );

    let rebuilt = server.run(&["rebuild"]);
    assert!(rebuilt.contains("rebuilt: "), "{rebuilt}");
    let same = server.run(&["rebuild", "--compare"]);
    assert!(same.contains("the same: "), "{same}");
    let back = server.run(&["rebuild", "lead_board", "--rollback"]);
    assert!(back.contains("rolled back: lead_board"), "{back}");
    let ready = reqwest::get(server.url("/readyz")).await.unwrap();
    assert_eq!(ready.status(), StatusCode::OK);

    refuses_a_rehearsal_on_what_serves(&server);

    stops(&mut server).await;
    let verified = server.run(&["verify"]);
    assert!(
        verified.starts_with("intact") && verified.contains("signed through"),
        "{verified}"
    );
    let made = server.run(&["migrate"]);
    assert!(made.contains("every table is there"), "{made}");
    let daily = server.run(&["verify", "--days", "0"]);
    assert!(daily.contains("on the word of its signed head"), "{daily}");
    let proof = server.folder().join("proof.json");
    std::fs::write(&proof, server.run(&["prove", "1"])).unwrap();
    let key = server.run(&["signing-key"]);
    let key = key.split_whitespace().find(|word| word.len() == 64).unwrap();
    let checked = server.run(&["verify-proof", proof.to_str().unwrap(), "--key", key]);
    assert!(checked.contains("event 1"), "{checked}");
    for command in [&["backup", "/tmp/nowhere"][..], &["restore", "/tmp/nowhere"][..]] {
        let said = server.refused(command);
        assert!(said.contains("pg_dump"), "{said}");
    }

    let forgotten = server.run(&["forget", "--email", "mei@example.com"]);
    assert!(forgotten.starts_with("forgotten: "), "{forgotten}");
    let verified = server.run(&["verify"]);
    assert!(verified.starts_with("intact"), "{verified}");
    rehearsed_on_a_copy(&server, &lead).await;
}

/// A database on which servers work is neither cut back nor rehearsed on.
fn refuses_a_rehearsal_on_what_serves(server: &Server) {
    let apart = server.beside("apart");
    let on_it = ["--data-dir", apart.to_str().unwrap()];
    for command in [
        &["restore", "--position", "1"][..],
        &["serve", "--rehearsal", "--listen", "127.0.0.1:0"],
    ] {
        let said = server.refused(&[&on_it[..], command].concat());
        assert!(said.contains("servers work on the database"), "{said}");
    }
}

/// A copy of both databases, made by PostgreSQL's own means, is cut back to the moment of an enquiry, verifies and is rehearsed on;
/// who was forgotten since then stays forgotten.
async fn rehearsed_on_a_copy(server: &Server, lead: &str) {
    let database = server.database_name().unwrap();
    let copy = format!("{database}_copy");
    for (made, of) in [
        (copy.clone(), database.clone()),
        (format!("{copy}_keys"), format!("{database}_keys")),
    ] {
        tests::cluster().run("postgres", &format!("create database {made} template {of}"));
    }
    let of_lead = |what: &str| {
        let uuid = &lead[5..];
        let asked = format!(
            "select {what} from event where event_type = 'LeadEnquired'
             and stream = (select id from stream where kind = 'lead' and uuid = '{uuid}')"
        );
        stored::number(server, Part::Log, &asked)
    };
    let (at, recorded) = (of_lead("position"), of_lead("recorded_at"));
    let moment = DateTime::<Utc>::from_timestamp_micros(recorded.try_into().unwrap()).unwrap();
    let moment = moment.to_rfc3339();
    let drill = server.beside("drill");
    let heads = drill.join("heads/keys");
    std::fs::create_dir_all(&heads).unwrap();
    for key in std::fs::read_dir(server.folder().join("heads/keys")).unwrap() {
        let key = key.unwrap();
        std::fs::copy(key.path(), heads.join(key.file_name())).unwrap();
    }
    let url = tests::cluster().url(&copy);
    let run = |arguments: &[&str]| {
        let mut command = server.command(&["--data-dir", drill.to_str().unwrap()]);
        let output = command
            .args(arguments)
            .env("LATCHKEY_DATABASE", &url)
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    };
    let (restored, said) = run(&["restore", "--until", &moment]);
    assert!(restored && said.contains("people forgotten again"), "{said}");
    let through: u64 = said
        .split("every event through ")
        .nth(1)
        .and_then(|rest| rest.split(',').next()?.parse().ok())
        .unwrap();
    assert!(
        (at..stored::number(server, Part::Log, "select max(position) from event")).contains(&through),
        "{said}"
    );
    let (verified, said) = run(&["verify"]);
    assert!(verified && said.starts_with("intact"), "{said}");
    let rehearsing = Server::on_with(&drill, &[("LATCHKEY_DATABASE", &url), (REHEARSAL, "1")]);
    let ready = reqwest::get(rehearsing.url("/readyz")).await.unwrap();
    let ready: Value = ready.json().await.unwrap();
    assert_eq!(
        (&ready["status"], &ready["rehearsal"]),
        (&"ready".into(), &true.into()),
        "{ready}"
    );
    drop(rehearsing);
    let (is_up, said) = run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(!is_up && said.contains("served a rehearsal"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_forgotten_is_in_no_file_of_the_database_server() {
    let cluster = Cluster::with(&["wal_recycle=off", "wal_keep_size=0", "autovacuum=off"]);
    let market = Market::open(&[1], &[("LATCHKEY_DATABASE", &cluster.database())]).await;
    let (gone, stays) = (Person::new(0), Person::new(1));
    for (number, person) in [&gone, &stays].into_iter().enumerate() {
        acquainted(&market.server, person, number).await;
    }
    market.caught_up().await;
    let database = market.server.database_name().unwrap();
    let keys = format!("{database}_keys");
    // What the planner notes of columns is a copy too.
    cluster.run(&database, "analyze; checkpoint");
    let people = [gone];
    let before = traces(&people, &kept(&cluster.folder()));
    assert!(!before.is_empty(), "they are found before");

    market
        .server
        .run(&["forget", "--although-booked", "--email", &people[0].email]);
    market.caught_up().await;
    let swept = |statement: &str| {
        cluster.run(&database, statement);
        cluster.run(&keys, statement);
        cluster.run("postgres", "checkpoint; select pg_switch_wal(); checkpoint");
    };
    swept("checkpoint");
    let rows = kept(&cluster.folder().join("base"));
    println!(
        "{} marks wait in free space of pages",
        traces(&people, &rows).len()
    );
    swept("vacuum full");
    swept("checkpoint");
    let found = traces(&people, &kept(&cluster.folder()));
    assert!(found.is_empty(), "{found:#?}");
    let verified = market.server.run(&["verify"]);
    assert!(verified.starts_with("intact"), "{verified}");
    let staff = Visitor::from(&market.server, [127, 0, 9, 9]);
    staff.log_in_as("support").await;
    let seen = staff
        .get(&format!("/api/v0/workspace/leads?q={}", stays.email))
        .await;
    assert_eq!(
        seen.data()["result"].as_array().map(Vec::len),
        Some(1),
        "{}",
        seen.body
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_is_forgotten_though_a_table_is_taken_away_meanwhile() {
    let market = Market::open(&[1], &[("LATCHKEY_DATABASE", &tests::cluster().database())]).await;
    let person = Person::new(0);
    acquainted(&market.server, &person, 0).await;
    let database = market.server.database_name().unwrap();
    // Two tables of a rebuild: the first is busy until the other is gone.
    let tables = "create schema latchkey_a; create table latchkey_a.busy (id int);
         create schema latchkey_z; create table latchkey_z.gone (id int)";
    tests::cluster().run(&database, tables);
    let ends_a_rebuild = "set statement_timeout = '60s'; begin; lock table latchkey_a.busy;
         do $$ begin
             while not exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like 'vacuum%busy') loop
                 perform pg_sleep(0.01), pg_stat_clear_snapshot();
             end loop;
         end $$;
         drop table latchkey_z.gone; commit";
    let is_busy = "select count(*) from pg_locks where relation = 'latchkey_a.busy'::regclass and granted";
    std::thread::scope(|scope| {
        let rebuild = scope.spawn(|| tests::cluster().run(&database, ends_a_rebuild));
        while tests::cluster().run(&database, is_busy).trim() != "1" {
            assert!(!rebuild.is_finished(), "it waits for the sweep");
        }
        market
            .server
            .run(&["forget", "--although-booked", "--email", &person.email]);
        rebuild.join().unwrap();
    });
}

/// A lost database of keys is missed and none is made in its place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_key_database_is_reported_and_not_recreated() {
    let url = tests::cluster().database();
    let mut server = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let sent = Visitor::new(&server)
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    stops(&mut server).await;
    let keys = format!("{}_keys", server.database_name().unwrap());
    tests::cluster().run(
        "postgres",
        &format!("alter database {keys} rename to aside_{keys}"),
    );
    let said = server.refused(&["doctor"]);
    assert!(
        said.contains(&format!("`{keys}`")) && said.contains("backup"),
        "{said}"
    );
    let made = format!("select count(*) from pg_database where datname = '{keys}'");
    assert_eq!(tests::cluster().run("postgres", &made).trim(), "0");
    tests::cluster().run("postgres", &format!("create database {keys}"));
    let said = server.refused(&["doctor"]);
    assert!(
        said.contains("holds no keys of personal data") && said.contains("`keys_database`"),
        "{said}"
    );
    let tables = "select count(*) from pg_tables where schemaname = 'public'";
    assert_eq!(tests::cluster().run(&keys, tables).trim(), "0");
    tests::cluster().run("postgres", &format!("drop database {keys}"));
    tests::cluster().run(
        "postgres",
        &format!("alter database aside_{keys} rename to {keys}"),
    );
    server.restart();
}

/// A database that only reads for a while is written by everybody afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn database_that_was_read_only_is_written_again_by_all() {
    let url = tests::cluster().database();
    let output = tempfile::NamedTempFile::new().unwrap();
    let server = Server::with(&[
        ("LATCHKEY_DATABASE", &url),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        (LOG_FILE, output.path().to_str().unwrap()),
    ]);
    let name = server.database_name().unwrap();
    let does = |what: &str| tests::cluster().run("postgres", &format!("alter database {name} {what}"));
    does("set default_transaction_read_only = on");
    let ended =
        format!("select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '{name}'");
    tests::cluster().run("postgres", &ended);
    // The log's writer, the projector and the pools have met it: no session is begun, or every session refuses writes.
    until(|| async {
        let said = server.logged();
        let times = |what: &str| said.matches(what).count();
        let refused_to_all = times("the log could not look") > 0
            && times("read models could not catch up") > 0
            && times("the server only reads now") > POOLS_TRIES;
        (refused_to_all || times("in a read-only transaction") > 12).then_some(())
    })
    .await;
    does("reset default_transaction_read_only");

    let mei = Visitor::new(&server);
    let sent = until(|| async {
        let sent = mei
            .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
            .await;
        (sent.status == StatusCode::CREATED).then_some(sent)
    })
    .await;
    let link = format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap());
    assert_eq!(mei.get(&link).await.status, StatusCode::OK);
    let folded = "select count(*) from lead_board";
    until(|| async { (stored::number(&server, Part::ReadModels, folded) == 1).then_some(()) }).await;
}

/// A sign that no text of the database holds names nothing and is refused by its field.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nul_in_an_address_names_nothing_in_a_body_is_refused() {
    let url = tests::cluster().database();
    let server = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let mei = Visitor::new(&server);
    let home = mei.get("/api/v0/inventories/%00").await;
    assert_eq!(home.status, StatusCode::NOT_FOUND, "{}", home.body);
    let homes = mei.get("/api/v0/inventories?region_id=%00").await;
    assert_eq!(homes.status, StatusCode::OK, "{}", homes.body);
    let mut lead = enquiry("Mei Lin", "mei@example.com");
    lead["lead"]["data"]["user_query"] = serde_json::json!("a bed\0");
    let answer = mei.post("/api/v0/leads", lead).await;
    let wrong = &answer.body["errors"][0];
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
    assert_eq!(
        (&wrong["field"], &wrong["code"]),
        (&"lead/data/user_query".into(), &"sign_not_kept".into())
    );
}

/// An event that no text of the database holds is left out and everything else is shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn event_with_nul_is_parked_and_the_rest_is_shown() {
    let url = tests::cluster().database();
    let server = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let text = std::fs::read_to_string(REGION)
        .unwrap()
        .replace("Gower", "Go\\u0000wer");
    let opened: Value = serde_json::from_str(&text).unwrap();
    let opened: RegionEvent = serde_json::from_value(opened["payload"].clone()).unwrap();
    let append = Append::new(&Context::new(std::time::SystemTime::now().into(), Actor::SYSTEM));
    let append = append.events::<Region>(RegionId(Uuid::now_v7()), Expected::Any, &[opened]);
    let log = log_of(&server).await;
    log.append(append.unwrap()).await.unwrap();
    let mei = Visitor::new(&server);
    mei.log_in_as("support").await;
    let sent = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    let board = mei.get("/api/v0/workspace/leads").await;
    let leads = board.data()["result"].as_array().map(Vec::len);
    assert_eq!(leads, Some(1), "{}", board.body);
    let ready = reqwest::get(server.url("/readyz")).await.unwrap();
    let ready: Value = ready.json().await.unwrap();
    let models = ready["read_models"].as_array().unwrap().iter();
    let parked: Vec<&Value> = models
        .filter(|model| model["parked"] == 1)
        .map(|model| &model["name"])
        .collect();
    assert_eq!(parked, ["lead_board", "listing_name"], "{ready}");
}
