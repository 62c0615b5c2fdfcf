//! What was signed tells what was done to the log since, and proves to others that an event belongs to it.

use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::StatusCode;
use tests::{LOG_FILE, Server, in_files};

use crate::heard::metrics;
use crate::market::until;
use crate::operations::refused_to_serve;
use crate::stored::{self, Part};
use crate::visitor::{Visitor, enquiry};

/// Enquiries, and a server that was asked to stop and did: the end of its log is signed.
async fn stopped_after(enquiries: usize) -> Server {
    let mut server = Server::start();
    server.unlike_its_log("its log is changed behind its back");
    for number in 0..enquiries {
        let sent = Visitor::new(&server)
            .post(
                "/api/v0/leads",
                enquiry("Mei Lin", &format!("mei{number}@example.com")),
            )
            .await;
        assert_eq!(sent.status, StatusCode::CREATED);
    }
    stop(&mut server).await;
    server
}

async fn stop(server: &mut Server) {
    server.ask_to_stop();
    let server = std::sync::Mutex::new(server);
    let ended = until(|| async { server.lock().unwrap().ended() }).await;
    assert!(ended.success(), "{ended}");
}

fn end_of(server: &Server) -> u64 {
    stored::number(server, Part::Log, "select position from log_head")
}

/// A log cut off with all that its database knows of it is found out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_detects_a_log_cut_off_with_its_database_heads() {
    let server = stopped_after(3).await;
    let end = end_of(&server);
    let verified = server.run(&["verify"]);
    assert!(
        verified.contains(&format!("signed through event {end}")),
        "its end was signed when it stopped: {verified}"
    );
    let daily = server.run(&["verify", "--days", "0"]);
    let begun = format!("begun at event {end}, on the word of its signed head");
    assert!(daily.contains(&begun), "{daily}");
    for before_all_calendars in ["100000000", "4294967295"] {
        let since_then = server.run(&["verify", "--days", before_all_calendars]);
        assert_eq!(since_then, verified, "it begins at the first event");
    }
    let cut = end - 2;
    let cutting = format!(
        "delete from event where position > {cut}; delete from signed_head where position > {cut};
         update log_head set position = {cut}, chain = (select chain from event where position = {cut});"
    );
    stored::change(&server, Part::Log, &cutting);
    let found = format!("the log is broken at event {}: the log was cut off here", cut + 1);
    let said = server.refused(&["verify"]);
    assert!(said.contains(&found), "{said}");
    let examined = server.refused(&["doctor"]);
    assert!(
        examined.contains(&format!("broken at event {}", cut + 1)),
        "{examined}"
    );
    let started = refused_to_serve(&server);
    assert!(
        started.contains(&format!("the log ends at event {cut}, and event {end} was ")),
        "{started}"
    );
}

/// The first event says what the second does.
async fn tampered_log() -> Server {
    let server = stopped_after(1).await;
    let put = "update event set payload = (select payload from event where position = 2) where position = 1";
    stored::change(&server, Part::Log, put);
    server
}

/// A payload that was changed behind the log's back is named by its position, and no proof of its event is given.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_detects_payload_tampering() {
    let server = tampered_log().await;
    let said = server.refused(&["verify"]);
    assert!(
        said.contains("the log is broken at event 1: the payload differs"),
        "{said}"
    );
    let unproved = server.refused(&["prove", "1"]);
    assert!(
        unproved.contains("event 1 cannot be proved") && unproved.contains("run `latchkey verify`"),
        "{unproved}"
    );
}

/// Payloads that are not held against their digests verify though one was changed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_payload_without_digest_check_is_noticed() {
    let server = tampered_log().await;
    let believing = server
        .command(&["verify"])
        .env("LATCHKEY_PLANTED_FAULT", "payloads_believed")
        .output()
        .unwrap();
    assert!(believing.status.success(), "the planted fault was not noticed");
}

/// Damage beside the events is told with the file and what to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_names_damaged_files_beside_the_events() {
    let server = Server::with(&[
        in_files("a backup of it is looked at"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let sent = Visitor::new(&server)
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    let copy = server.folder().with_extension("copy");
    server.run(&["backup", copy.to_str().unwrap()]);
    let on_copy = |arguments: &[&'static str]| [&["--data-dir", copy.to_str().unwrap()], arguments].concat();
    server.run(&on_copy(&["verify"]));
    spoil_an_index(&copy.join("log.db"));
    let said = server.refused(&on_copy(&["verify"]));
    for part in [
        "pages of `",
        "log.db` are damaged",
        "`latchkey restore`",
        "event_by_correlation",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let daily = server.run(&on_copy(&["verify", "--days", "1"]));
    assert!(daily.starts_with("intact"), "no page is looked at: {daily}");
    std::fs::remove_dir_all(copy).unwrap();
}

/// Overwrites the last bytes of the page where an index begins, which belong to one of its entries.
fn spoil_an_index(file: &Path) {
    let log = rusqlite::Connection::open(file).unwrap();
    let end = "select rootpage * page_size from sqlite_master, pragma_page_size where name = 'event_by_correlation'";
    let end: i64 = log.query_row(end, [], |row| row.get(0)).unwrap();
    // It leaves nothing in a write-ahead file that would be read in the page's place.
    log.close().unwrap();
    let mut bytes = std::fs::read(file).unwrap();
    let end = usize::try_from(end).unwrap();
    bytes[end - 16..end].fill(0xff);
    std::fs::write(file, bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_events_proof_is_checked_with_nothing_but_the_public_key() {
    let mut server = stopped_after(2).await;
    let end = end_of(&server);
    let key = server.run(&["signing-key"]);
    let old = key.lines().next().unwrap().to_owned();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("proof.json");
    let proof = server.run(&["prove", &end.to_string()]);
    assert!(
        !proof.contains("mei1@example.com") && !proof.contains("Mei Lin"),
        "{proof}"
    );
    std::fs::write(&file, &proof).unwrap();
    let check = |key: &str| ["verify-proof", file.to_str().unwrap(), "--key", key].map(str::to_owned);
    let good = check(&old);
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    // On a machine where there is no data folder.
    let stranger = tempfile::tempdir().unwrap();
    let nowhere = stranger.path().join("none");
    let mut offline = vec!["--data-dir", nowhere.to_str().unwrap()];
    offline.extend(&good);
    let said = server.run(&offline);
    assert!(said.starts_with(&format!("proved: event {end} (")), "{said}");
    assert!(!nowhere.exists(), "nothing is made there");

    std::fs::write(&file, proof.replacen("\"revision\": ", "\"revision\": 1", 1)).unwrap();
    let changed = server.refused(&good);
    assert!(
        changed.contains("columns are not those that were hashed"),
        "{changed}"
    );
    std::fs::write(&file, &proof).unwrap();

    let renewed = server.run(&["signing-key", "--renew"]);
    let new = renewed.lines().next().unwrap().to_owned();
    assert_ne!(old, new);
    let other = check(&new);
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    let said = server.refused(&other);
    assert!(said.contains("the head names the key"), "{said}");
    server.restart();
    let sent = Visitor::new(&server)
        .post("/api/v0/leads", enquiry("Bo", "bo@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    stop(&mut server).await;
    let now = end_of(&server);
    let verified = server.run(&["verify"]);
    assert!(
        verified.contains(&format!("signed through event {now}")),
        "{verified}"
    );
    assert_eq!(
        server.run(&good),
        server.run(&good),
        "what the old key signed stays good"
    );
    std::fs::write(&file, server.run(&["prove", &now.to_string()])).unwrap();
    assert!(server.run(&other).starts_with("proved: "));
    let signing = server.folder().join("signing.key");
    owners_alone(&signing);
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(&signing, open).unwrap();
    let said = server.refused(&["doctor"]);
    assert!(said.contains("others may read `signing.key`"), "{said}");
}

fn owners_alone(file: &Path) {
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(file).unwrap().permissions());
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

/// Signed heads lie in the folder that the setting names and a backup of before is no match for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signed_heads_are_in_the_set_folder_and_refute_old_backups() {
    let elsewhere = tempfile::tempdir().unwrap();
    let heads = elsewhere.path().join("heads");
    let mut server = Server::with(&[
        in_files("a backup of it is looked at"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_HEADS_DIR", heads.to_str().unwrap()),
        (LOG_FILE, elsewhere.path().join("log").to_str().unwrap()),
    ]);
    let ask = async |server: &Server, email: &str| {
        let sent = Visitor::new(server)
            .post("/api/v0/leads", enquiry("Ana", email))
            .await;
        assert_eq!(sent.status, StatusCode::CREATED);
    };
    ask(&server, "ana@example.com").await;
    stop(&mut server).await;
    assert!(!server.folder().join("heads").exists());
    let before = server.folder().with_extension("before");
    std::fs::create_dir(heads.join("lost+found")).unwrap();
    let said = server.run(&["backup", before.to_str().unwrap()]);
    assert!(said.contains("\nsigned through event "), "{said}");
    assert!(!before.join("heads/lost+found").exists());
    restores_the_heads(&server, &before);
    server.restart();
    ask(&server, "bo@example.com").await;
    stop(&mut server).await;
    server.run(&["verify"]);
    let said = server.refused(&["--data-dir", before.to_str().unwrap(), "verify"]);
    assert!(said.contains("the log was cut off here"), "{said}");
    std::fs::remove_dir_all(before).unwrap();
    assert!(!server.logged().contains("is made anew"));
    std::fs::remove_dir_all(&heads).unwrap();
    server.restart();
    let logged = server.logged();
    assert!(
        logged.contains("the folder of signed heads is empty, and is made anew"),
        "{logged}"
    );
}

/// Restores a backup whose heads came from a set folder: the new folder has them, and so has a set folder that holds none.
fn restores_the_heads(server: &Server, backup: &Path) {
    let set = |command: &mut Command, heads: Option<&Path>| match heads {
        Some(heads) => command.env("LATCHKEY_HEADS_DIR", heads).output().unwrap(),
        None => command.env_remove("LATCHKEY_HEADS_DIR").output().unwrap(),
    };
    let own = server.beside("restored");
    let on_it = ["--data-dir", own.to_str().unwrap()];
    let mut restore = server.command(&[&on_it[..], &["restore", backup.to_str().unwrap()]].concat());
    let elsewhere = server.beside("heads of the restored");
    let ended = set(&mut restore, Some(&elsewhere));
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(
        said.contains("\nsigned through event ") && said.contains("the signed heads are in `"),
        "{said}"
    );
    for heads in [None, Some(&*elsewhere)] {
        let ended = set(&mut server.command(&[&on_it[..], &["verify"]].concat()), heads);
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(said.contains("\nsigned through event "), "{heads:?}: {said}");
    }
    let again = server.beside("restored again");
    let mut restore = server.command(&[
        "--data-dir",
        again.to_str().unwrap(),
        "restore",
        backup.to_str().unwrap(),
    ]);
    let said = String::from_utf8_lossy(&set(&mut restore, Some(&elsewhere)).stdout).into_owned();
    assert!(said.contains("holds heads already and stays as it is"), "{said}");
}

/// What the alarm of a log whose end cannot be signed says, once it says something.
async fn unsigned(address: &str) -> String {
    until(async || {
        let told = metrics(address).await;
        let mut lines = told.lines();
        lines.find_map(|line| Some(line.strip_prefix("latchkey_log_unsigned ")?.to_owned()))
    })
    .await
}

/// A log that was changed before its end was signed raises an alarm.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_changed_before_its_end_was_signed_raises_an_alarm() {
    let address = tests::free_address().to_string();
    let mut server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
    ]);
    server.unlike_its_log("its log is changed behind its back");
    for (email, change, alarm) in [
        ("mei@example.com", "", "0"),
        (
            "ana@example.com",
            "update event set leaf = chain where position = ",
            "1",
        ),
    ] {
        let sent = Visitor::new(&server)
            .post("/api/v0/leads", enquiry("Mei Lin", email))
            .await;
        assert_eq!(sent.status, StatusCode::CREATED);
        server.kill();
        if !change.is_empty() {
            stored::change(&server, Part::Log, &format!("{change}{}", end_of(&server)));
        }
        server.restart();
        assert_eq!(unsigned(&address).await, alarm);
    }
}

/// A server on a changed log tells the break where operators, auditors and alarms look, until an operator accepts it; what is changed
/// once more is another break.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_history_is_told_until_it_is_accepted() {
    let address = tests::free_address().to_string();
    let mut server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address),
    ]);
    server.unlike_its_log("its log is changed behind its back");
    let sent = Visitor::new(&server)
        .post("/api/v0/leads", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    let told = async |server: &Server| {
        let ready = reqwest::get(server.url("/readyz")).await.unwrap();
        let status = ready.status();
        let body: serde_json::Value = ready.json().await.unwrap();
        (status, body)
    };
    let tamper = "update event set recorded_at = recorded_at + 1 where position = 1";
    for (role, reason) in [
        ("finance", "Ada: a test of the disk"),
        ("admin", "Ada: once more"),
    ] {
        stop(&mut server).await;
        stored::change(&server, Part::Log, tamper);
        server.restart();
        let (status, body) = told(&server).await;
        assert_eq!(
            (status, &body["status"]),
            (StatusCode::SERVICE_UNAVAILABLE, &"not_ready".into())
        );
        assert_eq!(body["broken_history"][0]["position"], 1, "{body}");
        assert!(
            body["advice"].as_str().unwrap().contains("accept-break"),
            "{body}"
        );
        assert!(metrics(&address).await.contains("latchkey_log_broken_events 1"));
        let officer = Visitor::new(&server);
        officer.log_in_as(role).await;
        let chain = officer.get("/api/v0/workspace/chain").await;
        assert_eq!(
            (&chain.data()["ok"], &chain.data()["first_broken"]),
            (&false.into(), &1.into())
        );
        let whole = server.refused(&["accept-break", "2", "--reason", reason]);
        assert!(whole.contains("nothing is broken at event 2"), "{whole}");
        server.run(&["accept-break", "1", "--reason", reason]);
        let (status, body) = told(&server).await;
        assert_eq!(
            (status, &body["status"]),
            (StatusCode::OK, &"ready".into()),
            "{body}"
        );
        assert_eq!(body["accepted_breaks"][0]["position"], 1, "{body}");
        let figures = metrics(&address).await;
        assert!(figures.contains("latchkey_log_broken_events 0"), "{figures}");
        assert!(figures.contains("latchkey_log_accepted_breaks 1"), "{figures}");
        assert_eq!(officer.get("/api/v0/workspace/chain").await.data()["ok"], true);
    }
    let record = std::fs::read_to_string(server.folder().join("accepted-breaks.jsonl")).unwrap();
    assert_eq!(record.lines().count(), 2, "{record}");
}

/// Files of signed heads.
fn of_heads(server: &Server) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(server.folder().join("heads")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

/// What is wrong with the folder of heads is not taken for a broken log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fault_in_the_folder_of_heads_is_no_broken_log() {
    let server = stopped_after(2).await;
    let newest = of_heads(&server).pop().unwrap();
    let good = std::fs::read_to_string(&newest).unwrap();
    std::fs::write(&newest, format!("{good}no head\n")).unwrap();
    let line = format!("{}, line {}", newest.display(), good.lines().count() + 1);
    for command in ["verify", "doctor"] {
        let said = server.refused(&[command]);
        assert!(said.contains(&line) && !said.contains("broken"), "{said}");
    }
    std::fs::write(&newest, &good).unwrap();
    assert!(!server.run(&["verify"]).contains("not in the folder"));
    for file in of_heads(&server) {
        std::fs::remove_file(file).unwrap();
    }
    let said = server.run(&["verify"]);
    assert!(said.contains("are not in the folder of signed heads"), "{said}");
}
