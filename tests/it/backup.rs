//! Backups taken while people write, and folders made from them (RELIABILITY R22). When each backup falls, the scheduler decides.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use chrono::{DateTime, Utc};
use futures::future::join;
use reqwest::StatusCode;
use serde_json::Value;
use tests::{Server, in_files, sample};

use crate::market::{Market, until};
use crate::money_back::lead_state;
use crate::operations::succeeds;
use crate::stored::{self, Part};
use crate::visitor::{Answer, Visitor, enquiry};

/// How many: in the gate, and in all, as R22 asks for.
const BACKUPS: &str = "LATCHKEY_TEST_BACKUPS";
const BACKUPS_USUALLY: (usize, usize) = (5, 20);
/// The control stops at the first backup that it finds wrong.
const BACKUPS_OF_THE_CONTROL: usize = 20;
/// Answers looked for in each of them.
const NEWEST: usize = 5;
const GOOD_CARD: &str = "4242424242424242";

/// Writes a backup of the server's folder beside it and says where the backup says it ends.
pub(crate) async fn back_up(server: &Server, name: &str) -> (PathBuf, u64) {
    let into = server.beside(name);
    succeeds(server.command(&["backup", into.to_str().unwrap()])).await;
    let manifest: Value = serde_json::from_slice(&std::fs::read(into.join("backup.json")).unwrap()).unwrap();
    (into, manifest["position"].as_u64().unwrap())
}

pub(crate) async fn restore(server: &Server, from: &Path, name: &str, more: &[&str]) -> PathBuf {
    let folder = server.beside(name);
    let mut arguments = vec![
        "--data-dir",
        folder.to_str().unwrap(),
        "restore",
        from.to_str().unwrap(),
    ];
    arguments.extend(more);
    succeeds(server.command(&arguments)).await;
    folder
}

/// Sends an enquiry; says its lead and where its answer stood in the log.
pub(crate) async fn asked(server: &Server, email: &str) -> (String, u64) {
    let sent = Visitor::new(server)
        .post("/api/v0/leads", enquiry("Mei Lin", email))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    let lead = sent.data()["lead_uuid"].as_str().unwrap().to_owned();
    (lead, sent.body["position"].as_u64().unwrap())
}

/// Sends enquiries until told to stop.
async fn enquire(server: &Server, done: &AtomicBool) -> Vec<(String, u64)> {
    let mut answered = Vec::new();
    while !done.load(Relaxed) {
        let number = answered.len();
        answered.push(asked(server, &format!("mei{number}@example.com")).await);
    }
    answered
}

/// The health page tells when the folder was copied last, and how many events came since.
#[tokio::test(flavor = "multi_thread")]
async fn health_page_tells_of_the_last_backup() {
    let server = Server::with(&[in_files("`backup` and `restore` are for files")]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let (copy, position) = back_up(&server, "last").await;
    asked(&server, "mei@example.com").await;
    let health = desk.get("/api/v0/workspace/health").await.data().clone();
    let manifest: Value = serde_json::from_slice(&std::fs::read(copy.join("backup.json")).unwrap()).unwrap();
    let moment = |value: &Value| value.as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    assert_eq!(moment(&health["last_backup_at"]), moment(&manifest["taken_at"]));
    let since = health["head"].as_u64().unwrap() - position;
    assert!(since > 0);
    assert_eq!(health["events_since_backup"], since);
}

/// Backups taken while people write hold every answer up to the position that they name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_under_load_hold_what_they_say() {
    let [backups] = sample!(BACKUPS => BACKUPS_USUALLY).rounds;
    let server = Server::with(&[
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let first = asked(&server, "ana@example.com").await;
    let done = AtomicBool::new(false);
    let copying = async {
        let mut copies = Vec::new();
        for round in 0..backups {
            let (copy, position) = back_up(&server, &format!("backup{round}")).await;
            let folder = restore(&server, &copy, &format!("folder{round}"), &[]).await;
            copies.push((folder, position));
        }
        done.store(true, Relaxed);
        copies
    };
    let (mut answered, copies) = join(enquire(&server, &done), copying).await;
    answered.insert(0, first);
    assert!(copies[0].1 < copies[backups - 1].1, "people wrote meanwhile");
    let mut before = 0;
    for (folder, position) in &copies {
        assert!(*position >= before, "backups follow each other");
        before = *position;
        let verified = server.run(&["--data-dir", folder.to_str().unwrap(), "verify"]);
        let intact = format!("intact: verified through event {position},");
        assert!(verified.starts_with(&intact), "{verified}");
        let restored = Server::on(folder);
        let anybody = Visitor::new(&restored);
        // The newest ones that it must have: those before them are looked for in the last backup.
        let within = answered
            .iter()
            .rev()
            .filter(|(_, at)| at <= position)
            .take(NEWEST);
        let mut seen = 0;
        for (lead, at) in within {
            let found = anybody.get(&format!("/api/v0/leads/{lead}")).await.status;
            assert_eq!(
                found,
                StatusCode::OK,
                "{lead} of event {at}, backup through {position}"
            );
            seen += 1;
        }
        assert!(
            seen > 0,
            "nothing was answered before the backup through {position}"
        );
    }
    let (last, position) = copies.last().unwrap();
    let restored = Server::on(last);
    let anybody = Visitor::new(&restored);
    for (lead, at) in answered.iter().filter(|(_, at)| at <= position) {
        let found = anybody.get(&format!("/api/v0/leads/{lead}")).await.status;
        assert_eq!(
            found,
            StatusCode::OK,
            "{lead} of event {at}, backup through {position}"
        );
    }
    // It takes new ones.
    asked(&restored, "bo@example.com").await;
    println!("{} answers, {backups} backups", answered.len());
}

/// A backup that names a later position than it holds is refused as it is made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_backup_that_claims_more_is_noticed() {
    let server = Server::with(&[
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let done = AtomicBool::new(false);
    let copying = async {
        let mut noticed = false;
        for round in 0..BACKUPS_OF_THE_CONTROL {
            let into = server.beside(&format!("backup{round}"));
            let mut command = server.command(&["backup", into.to_str().unwrap()]);
            command.env("LATCHKEY_PLANTED_FAULT", "backup_says_more");
            let copied = tokio::task::spawn_blocking(move || command.output());
            noticed = !copied.await.unwrap().unwrap().status.success();
            if noticed {
                break;
            }
        }
        done.store(true, Relaxed);
        noticed
    };
    let (_, noticed) = join(enquire(&server, &done), copying).await;
    assert!(noticed, "the planted fault was not noticed");
}

/// A folder as of an earlier event has what was then and goes on from there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_as_of_an_earlier_event_goes_on_from_there() {
    let market = Market::open(&[1], &[in_files("`backup` and `restore` are for files")]).await;
    let server = &market.server;
    let earlier = Visitor::new(server)
        .post("/api/v0/leads", enquiry("Ana", "ana@example.com"))
        .await;
    let buyer = market.person(1, 0);
    let payment = buyer.begun().await;
    let (_, position) = back_up(server, "then").await;
    buyer.pay(&payment, GOOD_CARD).await;
    let paid = |payment: &Value| payment["status"] == "success";
    buyer.wait_for(&payment, paid).await;
    let lead_uuid = buyer.lead_of(&payment);
    let booked = || async { (lead_state(&buyer, &lead_uuid).await == "booked").then_some(()) };
    until(booked).await;
    let later = Visitor::new(server)
        .post("/api/v0/leads", enquiry("Bo", "bo@example.com"))
        .await;
    let (copy, end) = back_up(server, "now").await;
    assert!(end > position);

    let folder = restore(server, &copy, "as-of", &["--position", &position.to_string()]).await;
    let verified = server.run(&["--data-dir", folder.to_str().unwrap(), "verify"]);
    assert!(
        verified.starts_with(&format!("intact: verified through event {position},")),
        "{verified}"
    );
    let restored = Server::on(&folder);
    let anybody = Visitor::new(&restored);
    let lead = |sent: &Answer| format!("/api/v0/leads/{}", sent.data()["lead_uuid"].as_str().unwrap());
    assert_eq!(anybody.get(&lead(&earlier)).await.status, StatusCode::OK);
    assert_eq!(anybody.get(&lead(&later)).await.status, StatusCode::NOT_FOUND);
    let again = anybody
        .post("/api/v0/leads", enquiry("Bo", "bo@example.com"))
        .await;
    assert_eq!(again.status, StatusCode::CREATED, "{}", again.body);
    // The gateway is asked about every payment that was under way: what was paid after that moment is heard of again, and what follows from it is done.
    *buyer.address.lock().unwrap() = restored.url("");
    assert_ne!(lead_state(&buyer, &lead_uuid).await, "booked");
    buyer.wait_for(&payment, paid).await;
    until(booked).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_whole_backup_is_refused_and_leaves_nothing_behind() {
    let server = Server::with(&[
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let sent = Visitor::new(&server)
        .post("/api/v0/leads", enquiry("Ana", "ana@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED);
    let (copy, position) = back_up(&server, "backup").await;
    let folder = server.beside("folder");
    let refused = |more: &[&str]| {
        let mut arguments = vec![
            "--data-dir",
            folder.to_str().unwrap(),
            "restore",
            copy.to_str().unwrap(),
        ];
        arguments.extend(more);
        let said = server.refused(&arguments);
        assert!(!folder.exists(), "{said}");
        assert!(!folder.with_extension("restoring").exists(), "{said}");
        said
    };

    let beyond = refused(&["--position", &(position + 1).to_string()]);
    assert!(
        beyond.contains(&format!("the backup ends at event {position}")),
        "{beyond}"
    );
    let later = refused(&["--until", "2100-01-01T00:00:00Z"]);
    assert!(later.contains("the backup was taken at"), "{later}");
    let before = refused(&["--until", "2001-01-01T00:00:00Z"]);
    assert!(
        before.contains("nothing in the backup is from before"),
        "{before}"
    );
    let no_moment = refused(&["--until", "yesterday"]);
    assert!(no_moment.contains("a moment such as 2026-"), "{no_moment}");
    let nameless = server.refused(&["--data-dir", folder.to_str().unwrap(), "restore"]);
    assert!(nameless.contains("name the backup's folder"), "{nameless}");
    let other = server.beside("no keys.txt");
    std::fs::write(&other, "not the keys").unwrap();
    let no_keys = refused(&["--keys", other.to_str().unwrap()]);
    assert!(
        no_keys.contains("holds no keys: it is no database; name the `keys.db`") && !no_keys.contains("disk"),
        "{no_keys}"
    );
    let onto_itself = server.refused(&["backup", copy.to_str().unwrap()]);
    assert!(onto_itself.contains("is not empty"), "{onto_itself}");
    let into_use = server.refused(&["restore", copy.to_str().unwrap()]);
    assert!(into_use.contains("is not empty"), "{into_use}");

    let (log, manifest) = (copy.join("log.db"), copy.join("backup.json"));
    let whole = std::fs::read(&log).unwrap();
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    std::fs::write(&log, damaged).unwrap();
    let changed = refused(&[]);
    assert!(
        changed.contains("`log.db` of the backup is not what was backed up"),
        "{changed}"
    );
    std::fs::write(&log, whole).unwrap();
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("handles.key", "../handles.key")).unwrap();
    let outside = refused(&[]);
    assert!(outside.contains("outside the backup"), "{outside}");
    std::fs::remove_file(&manifest).unwrap();
    let unfinished = refused(&[]);
    assert!(unfinished.contains("is no finished backup"), "{unfinished}");
}

/// A folder as of a moment ends with the last event that was recorded by then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restore_until_a_moment_ends_with_its_last_event() {
    let server = Server::with(&[
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let (earlier, at) = asked(&server, "ana@example.com").await;
    let (later, _) = asked(&server, "bo@example.com").await;
    let (copy, end) = back_up(&server, "backup").await;
    let number = |question: &str| stored::number(&server, Part::Log, question);
    let recorded = number(&format!("select recorded_at from event where position = {at}"));
    let moment = DateTime::<Utc>::from_timestamp_micros(recorded.try_into().unwrap()).unwrap();
    let wanted = number(&format!(
        "select min(position) - 1 from event where recorded_at > {recorded}"
    ));
    assert!((at..end).contains(&wanted), "{at}, {wanted}, {end}");
    let folder = restore(&server, &copy, "then", &["--until", &moment.to_rfc3339()]).await;
    let verified = server.run(&["--data-dir", folder.to_str().unwrap(), "verify"]);
    assert!(
        verified.starts_with(&format!("intact: verified through event {wanted},")),
        "{verified}"
    );
    let restored = Server::on(&folder);
    let anybody = Visitor::new(&restored);
    for (lead, status) in [(earlier, StatusCode::OK), (later, StatusCode::NOT_FOUND)] {
        let found = anybody.get(&format!("/api/v0/leads/{lead}")).await.status;
        assert_eq!(found, status);
    }
}

/// A log that was changed is no backup until each of its breaks is accepted; then the breaks travel with it, and the doctor and
/// `verify` end well on the original and on what is restored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_of_a_changed_log_needs_its_breaks_accepted() {
    // An event changed, one taken away, and what was signed of them.
    for (number, tamper) in [
        "update event set recorded_at = recorded_at + 1 where position = 1",
        "delete from event where position = 2",
        "update signed_head set signed_at = signed_at + 1",
    ]
    .into_iter()
    .enumerate()
    {
        let mut server = Server::with(&[
            in_files("`backup` and `restore` are for files"),
            ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ]);
        server.unlike_its_log("its log is changed behind its back");
        asked(&server, "ana@example.com").await;
        asked(&server, "bo@example.com").await;
        server.ask_to_stop();
        let stopping = std::sync::Mutex::new(&mut server);
        until(|| async { stopping.lock().unwrap().ended() }).await;
        stored::change(&server, Part::Log, tamper);
        let copy = server.beside("refused");
        let mut accepted = Vec::new();
        // A row that is gone is missed by the head that was signed behind it, too.
        let breaks = std::iter::from_fn(|| {
            let said = backup_refused(&server, &copy)?;
            let (_, told) = said.split_once("broken at event ").unwrap();
            let position = told.split(':').next().unwrap().to_owned();
            Some(position)
        });
        for position in breaks.take(5) {
            let verified = server.refused(&["verify"]);
            assert!(
                verified.contains(&format!("broken at event {position}:")),
                "{verified}"
            );
            server.run(&["accept-break", &position, "--reason", "Ada: a test"]);
            accepted.push(position);
        }
        assert!(
            number == 2 || accepted[0] == (number + 1).to_string(),
            "{accepted:?}"
        );
        let verified = server.run(&["verify"]);
        let count = verified.matches("\naccepted: event ").count();
        assert_eq!(count, accepted.len(), "{verified}");
        let well = server.run(&["doctor"]);
        assert!(well.contains("that an operator has accepted"), "{well}");

        let folder = restore(&server, &copy, "restored", &[]).await;
        let on_it = ["--data-dir", folder.to_str().unwrap()];
        assert_eq!(server.run(&[&on_it[..], &["verify"]].concat()), verified);
        let again = format!(
            "update event set recorded_at = recorded_at + 1 where position = {}",
            number + 4
        );
        let spoilt = rusqlite::Connection::open(folder.join("log.db")).unwrap();
        spoilt.execute_batch(&again).unwrap();
        spoilt.close().unwrap();
        let said = server.refused(&[&on_it[..], &["verify"]].concat());
        assert!(
            said.contains(&format!("broken at event {}:", number + 4)),
            "{said}"
        );
    }
}

/// Says that a log was signed and no key of its folder has signed it.
pub(crate) const NO_KEY: &str = "none of their keys is in the folder of signed heads";

/// Takes the signed heads out of a backup, as earlier versions left them out: it is restored with those of another folder, or when the
/// operator asks for a log without signatures.
pub(crate) fn restores_without_heads_only_by_request(server: &Server, backup: &Path) {
    std::fs::remove_dir_all(backup.join("heads")).unwrap();
    let manifest = backup.join("backup.json");
    let mut listed: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    let files = listed["files"].as_array_mut().unwrap();
    files.retain(|file| !file["name"].as_str().unwrap().starts_with("heads/"));
    std::fs::write(&manifest, listed.to_string()).unwrap();
    let restore = |into: &str, more: &[&str]| {
        let into = server.beside(into);
        let command = [
            "--data-dir",
            into.to_str().unwrap(),
            "restore",
            backup.to_str().unwrap(),
        ];
        (
            server.command(&[&command[..], more].concat()).output().unwrap(),
            into,
        )
    };
    let (ended, into) = restore("refused", &[]);
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(
        said.contains(NO_KEY) && said.contains("`--heads FOLDER`"),
        "{said}"
    );
    assert!(!ended.status.success() && !into.exists(), "{said}");
    let (ended, into) = restore("as asked", &["--unsigned"]);
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(said.contains("warning: no signature was verified: "), "{said}");
    let verified = server.refused(&["--data-dir", into.to_str().unwrap(), "verify"]);
    assert!(verified.contains(NO_KEY), "{verified}");
    let heads = server.folder().join("heads");
    let (ended, into) = restore("with them", &["--heads", heads.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(
        said.contains("\nsigned through event ") && !said.contains("warning"),
        "{said}"
    );
    let verified = server.run(&["--data-dir", into.to_str().unwrap(), "verify"]);
    assert!(verified.contains("\nsigned through event "), "{verified}");
}

/// What a backup into the folder is refused with, and `None` once it is one; nothing in a refused one says that it is.
fn backup_refused(server: &Server, into: &Path) -> Option<String> {
    let output = server
        .command(&["backup", into.to_str().unwrap()])
        .output()
        .unwrap();
    if output.status.success() {
        let files: Vec<_> = std::fs::read_dir(into)
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect();
        let beside = |name: &std::ffi::OsString| {
            name.to_str()
                .is_some_and(|name| name.contains("-wal") || name.contains("-shm"))
        };
        assert!(!files.iter().any(beside), "{files:?}");
        return None;
    }
    assert!(!into.join("backup.json").exists());
    std::fs::remove_dir_all(into).unwrap();
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}
