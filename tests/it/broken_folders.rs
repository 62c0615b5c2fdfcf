//! A data folder of which something is missing, or that was put together of parts which do not belong together, is told
//! before anything is written: what is written afterwards fits to nothing.

use std::path::Path;

use reqwest::StatusCode;
use tests::{LOG_FILE, Server, in_files};

use crate::backup::{NO_KEY, restores_without_heads_only_by_request};
use crate::market::until;
use crate::operations::refused_to_serve;
use crate::visitor::{Visitor, enquiry};

/// A server that took some enquiries and was stopped, so that its end is signed.
async fn stopped() -> Server {
    let mut server = Server::with(&[
        in_files("files are taken out of its folder"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    server.unlike_its_log("its folder is spoilt");
    for number in 0..3 {
        let sent = Visitor::new(&server)
            .post(
                "/api/v0/leads",
                enquiry("Mei Lin", &format!("mei{number}@example.com")),
            )
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    }
    server.ask_to_stop();
    {
        let server = std::sync::Mutex::new(&mut server);
        until(|| async { server.lock().unwrap().ended() }).await;
    }
    server
}

/// Takes files out of the folder, whatever is written ahead of them included, and lets them back in.
struct Aside<'s> {
    server: &'s Server,
    names: Vec<String>,
}

impl<'s> Aside<'s> {
    fn take(server: &'s Server, prefixes: &[&str]) -> Self {
        let aside = server.folder().join("aside");
        std::fs::create_dir_all(&aside).unwrap();
        let mut names = Vec::new();
        for entry in std::fs::read_dir(server.folder()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                std::fs::rename(server.folder().join(&name), aside.join(&name)).unwrap();
                names.push(name);
            }
        }
        assert!(!names.is_empty(), "nothing is called {prefixes:?}");
        Self { server, names }
    }

    fn put_back(self) {
        let folder = self.server.folder();
        for name in &self.names {
            let there = folder.join(name);
            if there.is_dir() {
                std::fs::remove_dir_all(&there).unwrap();
            }
            std::fs::rename(folder.join("aside").join(name), there).unwrap();
        }
    }
}

/// Cuts the last events off, with all that the log's own file knows of them.
fn cut_off(folder: &Path) {
    let log = rusqlite::Connection::open(folder.join("log.db")).unwrap();
    log.execute_batch(
        "delete from event where position > 2; delete from command where last > 2; delete from signed_head;
         update log_head set position = 2, chain = (select chain from event where position = 2);",
    )
    .unwrap();
}

/// A missing log or key is not made anew beside what was made with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_log_or_key_is_not_recreated_beside_its_folder() {
    let mut server = stopped().await;
    for missing in ["log.db", "keys.db", "handles.key"] {
        let aside = Aside::take(&server, &[missing]);
        let named = format!("`{missing}` is not in");
        let said = refused_to_serve(&server);
        assert!(said.contains(&named), "serve, {missing}: {said}");
        let examined = server.refused(&["doctor"]);
        assert!(examined.contains(missing), "doctor, {missing}: {examined}");
        server.refused(&["verify"]);
        server.refused(&["replay", "lead-01920000-0000-7000-8000-000000000000"]);
        assert!(!server.folder().join(missing).exists(), "{missing} was made anew");
        aside.put_back();
    }
    server.restart();
    assert!(server.run(&["verify"]).starts_with("intact"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_shorter_than_what_was_made_of_it_takes_no_event() {
    let server = stopped().await;
    cut_off(server.folder());
    let short = "the log ends at event 2, and event ";
    // What knows of the lost events, one after the other.
    for (knows, gone) in [
        ("was carried out by the reactor", "reactor.db"),
        ("was folded into the read models", "read.db"),
        ("was signed", "heads"),
    ] {
        let said = refused_to_serve(&server);
        assert!(said.contains(short), "{knows}: {said}");
        let examined = server.refused(&["doctor"]);
        assert!(
            examined.contains(short) || examined.contains("broken at event 3"),
            "{knows}: {examined}"
        );
        drop(Aside::take(&server, &[gone]).names);
    }
    let again = Server::on(server.folder());
    let sent = Visitor::new(&again)
        .post("/api/v0/leads", enquiry("Bo", "bo@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_of_another_log_do_not_serve_this_one() {
    let (mut server, other) = (stopped().await, stopped().await);
    let aside = Aside::take(&server, &["keys.db"]);
    std::fs::copy(other.folder().join("keys.db"), server.folder().join("keys.db")).unwrap();
    let not_theirs = "the keys at hand are not those of this log";
    let said = refused_to_serve(&server);
    assert!(said.contains(not_theirs), "{said}");
    let examined = server.refused(&["doctor"]);
    assert!(examined.contains(not_theirs), "{examined}");
    for name in ["keys.db", "keys.db-wal", "keys.db-shm"] {
        let _was_not_there = std::fs::remove_file(server.folder().join(name));
    }
    aside.put_back();
    server.restart();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_secret_of_look_ups_is_noticed_though_it_is_one() {
    let mut server = stopped().await;
    let file = server.folder().join("handles.key");
    let own = std::fs::read(&file).unwrap();
    std::fs::write(&file, [7; 32]).unwrap();
    let another = "`handles.key` is not the one that this log was made with";
    let said = refused_to_serve(&server);
    assert!(said.contains(another), "{said}");
    let examined = server.refused(&["doctor"]);
    assert!(examined.contains(another), "{examined}");
    std::fs::write(&file, own).unwrap();
    server.restart();
}

/// A log is not whole without the folder in which its keys were told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_without_the_folder_of_its_keys_is_not_whole() {
    let server = stopped().await;
    assert!(server.run(&["verify"]).contains("signed through"));
    let whole = server.beside("whole");
    let said = server.run(&["backup", whole.to_str().unwrap()]);
    assert!(
        said.contains("verified") && said.contains("\nsigned through event "),
        "{said}"
    );
    restores_without_heads_only_by_request(&server, &whole);
    let aside = Aside::take(&server, &["heads"]);
    let unsigned = server.beside("unsigned");
    for command in [&["verify"][..], &["backup", unsigned.to_str().unwrap()]] {
        let said = server.refused(command);
        assert!(said.contains(NO_KEY), "{said}");
    }
    assert!(!unsigned.join("backup.json").exists());
    let examined = server.refused(&["doctor"]);
    assert!(
        examined.contains("put it back from the copy outside"),
        "{examined}"
    );
    aside.put_back();
    assert!(server.run(&["verify"]).contains("signed through"));
    let heads = std::fs::read_dir(server.folder().join("heads")).unwrap();
    let mut paths = heads.map(|entry| entry.unwrap().path());
    let day = paths.find(|path| path.is_file()).unwrap();
    let good = std::fs::read_to_string(&day).unwrap();
    std::fs::write(&day, format!("{good}no head\n")).unwrap();
    let copy = server.beside("with no head");
    let said = server.refused(&["backup", copy.to_str().unwrap()]);
    assert!(said.contains("there is what is no head"), "{said}");
    assert!(!copy.join("backup.json").exists());
}

/// A server whose folder was deleted answers for nothing more and says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_of_a_deleted_folder_stops_answering_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (data, output) = (folder.path().join("data"), folder.path().join("server.log"));
    std::fs::create_dir(&data).unwrap();
    let mut server = Server::on_with(&data, &[(LOG_FILE, output.to_str().unwrap())]);
    server.unlike_its_log("its folder is spoilt");
    let send = async |email: &str| {
        let client = reqwest::Client::new().post(server.url("/api/v0/leads"));
        client
            .json(&enquiry("Mei Lin", email))
            .send()
            .await
            .unwrap()
            .status()
    };
    assert_eq!(send("mei@example.com").await, StatusCode::CREATED);
    std::fs::remove_dir_all(&data).unwrap();
    assert_eq!(send("bo@example.com").await, StatusCode::SERVICE_UNAVAILABLE);
    let ready = until(|| async {
        let ready = reqwest::get(server.url("/readyz")).await.unwrap();
        (ready.status() == StatusCode::SERVICE_UNAVAILABLE).then_some(ready)
    })
    .await;
    let ready: serde_json::Value = ready.json().await.unwrap();
    assert_eq!(
        (&ready["status"], &ready["writes"]),
        (&"read_only".into(), &"stopped".into())
    );
    let said = server.logged();
    // Which file is missed first depends on how far the deletion had come.
    let named = format!("why=\"`{}", data.display());
    let named = said
        .lines()
        .any(|line| line.contains(&named) && line.contains("` was deleted or moved away"));
    assert!(named, "{said}");
    server.ask_to_stop();
    let server = std::sync::Mutex::new(&mut server);
    until(|| async { server.lock().unwrap().ended() }).await;
}

/// A folder to be made.
fn new_folder(server: &Server, name: &str) -> String {
    server.beside(name).to_str().unwrap().to_owned()
}

/// A restore takes no other keys and no half of what was written at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restore_refuses_foreign_keys_and_half_an_append() {
    let (server, other) = (stopped().await, stopped().await);
    let copy = new_folder(&server, "copy");
    server.run(&["backup", &copy]);
    let into = new_folder(&server, "into");
    let restore = |more: &[&'static str], keys: &[&str]| {
        let command = ["--data-dir", &into, "restore", &copy];
        server.refused(&[&command[..], more, keys].concat())
    };
    let of_other = other.folder().join("keys.db");
    let said = restore(&["--keys"], &[of_other.to_str().unwrap()]);
    assert!(
        said.contains("the keys at hand are not those of this log"),
        "{said}"
    );
    // The last enquiry's events, in the streams of whoever sent it and its own.
    let log = rusqlite::Connection::open(server.folder().join("log.db")).unwrap();
    let last: u64 = log
        .query_row(
            "select max(position) from event where event_type = 'LeadEnquired'",
            [],
            |row| row.get::<_, i64>(0),
        )
        .unwrap()
        .cast_unsigned();
    let first: u64 = log
        .query_row(
            "select min(one.position) from event one join event last on last.correlation_id = one.correlation_id
             where last.position = ?1",
            [last.cast_signed()],
            |row| row.get::<_, i64>(0),
        )
        .unwrap()
        .cast_unsigned();
    assert!(
        first + 2 < last,
        "whoever enquires for the first time becomes known with it"
    );
    let until_its_end = format!(
        "were written together: end at event {} or at event {last}",
        first - 1
    );
    for middle in [last - 1, first] {
        let said = restore(&["--position"], &[&middle.to_string()]);
        assert!(said.contains(&until_its_end), "{said}");
    }
    assert!(!Path::new(&into).exists(), "nothing is left of what was refused");
    server.run(&[
        "--data-dir",
        &into,
        "restore",
        &copy,
        "--position",
        &last.to_string(),
    ]);
    for inside in ["heads/copy", "copy", "copies/of/today"] {
        let inside = server.folder().join(inside);
        let said = server.refused(&["backup", inside.to_str().unwrap()]);
        assert!(
            said.contains("is in the data folder and would be lost with it"),
            "{said}"
        );
        assert!(!inside.exists());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_not_happened_is_not_shown_as_nothing() {
    let server = stopped().await;
    let unknown = "01920000-0000-7000-8000-000000000000";
    let said = server.refused(&["replay", "--correlation", unknown]);
    assert!(said.contains("nothing of the request"), "{said}");
    let said = server.refused(&["forget", "--user", unknown]);
    assert!(said.contains("no account has the id"), "{said}");
    let said = server.refused(&["replay", "--projection", "journey", "--at", "9999"]);
    assert!(said.contains("event 9999 has not happened"), "{said}");
}

/// A file that is no database ends the start at once and is named.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn file_that_is_no_database_ends_the_start_by_name() {
    let server = stopped().await;
    let aside = Aside::take(&server, &["read.db"]);
    std::fs::write(server.folder().join("read.db"), vec![7; 20_000]).unwrap();
    let said = refused_to_serve(&server);
    assert!(
        said.contains("the read models cannot be opened") && said.contains("not a database"),
        "{said}"
    );
    assert!(
        !said.contains("after_connect"),
        "it is not tried again and again: {said}"
    );
    let examined = server.refused(&["doctor"]);
    assert!(examined.contains("delete `read.db`"), "{examined}");
    aside.put_back();
    let aside = Aside::take(&server, &["limits.db"]);
    std::fs::write(server.folder().join("limits.db"), vec![7; 20_000]).unwrap();
    let examined = server.refused(&["doctor"]);
    assert!(examined.contains("`limits.db` cannot be opened"), "{examined}");
    aside.put_back();
}

#[test]
fn a_file_of_settings_that_is_named_must_be_there() {
    let elsewhere = tempfile::tempdir().unwrap();
    let mistyped = elsewhere.path().join("latchkye.toml");
    let said = tests::refused_on(
        elsewhere.path(),
        &["--config", mistyped.to_str().unwrap(), "contract"],
    );
    assert!(said.contains("is no file of settings"), "{said}");
}

#[test]
fn a_folder_without_a_log_is_neither_whole_nor_made() {
    let elsewhere = tempfile::tempdir().unwrap();
    let wrong = elsewhere.path().join("wrong");
    for command in [
        &["verify"][..],
        &["verify", "--days", "1"],
        &["prove", "1"],
        &["replay", "lead-01920000-0000-7000-8000-000000000000"],
        &["rebuild"],
        &["signing-key"],
        &["forget", "--email", "mei@example.com"],
        &["grant", "--email", "ada@staff.example", "--role", "admin"],
        &["import", "homes.csv"],
    ] {
        let said = tests::refused_on(&wrong, command);
        assert!(said.contains("there is no log in"), "{command:?}: {said}");
        assert!(!wrong.exists(), "{command:?} made one");
    }
}

/// A copy into a folder of the data that lies elsewhere is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copy_into_a_linked_data_folder_is_refused() {
    let server = stopped().await;
    for (name, what) in [("documents", "uploads"), ("heads", "signed heads")] {
        let elsewhere = server.beside(name);
        std::fs::create_dir_all(&elsewhere).unwrap();
        let own = server.folder().join(name);
        if own.exists() {
            std::fs::remove_dir_all(&elsewhere).unwrap();
            std::fs::rename(&own, &elsewhere).unwrap();
        }
        std::os::unix::fs::symlink(&elsewhere, &own).unwrap();
        let inside = elsewhere.join("copy");
        let said = server.refused(&["backup", inside.to_str().unwrap()]);
        let sentence = format!("is in the folder of {what} and would be lost with it");
        assert!(said.contains(&sentence) && !inside.exists(), "{said}");
    }
    let named = server.beside("named");
    std::fs::create_dir_all(&named).unwrap();
    let mut command = server.command(&["backup", named.join("copy").to_str().unwrap()]);
    let ended = command.env("LATCHKEY_HEADS_DIR", &named).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("is in the folder of signed heads"), "{said}");
}

/// An emptied log takes neither the read models nor the backups with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn emptied_log_spares_read_models_and_backups() {
    let server = stopped().await;
    let shown = || -> i64 {
        let read = rusqlite::Connection::open(server.folder().join("read.db")).unwrap();
        read.query_row("select count(*) from lead_board", [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(shown(), 3);
    std::fs::write(server.folder().join("log.db"), "").unwrap();
    let copy = server.beside("copy");
    // Whatever opens it first makes its tables again, and an empty log that is whole.
    for command in [&["rebuild"][..], &["backup", copy.to_str().unwrap()]] {
        let said = server.refused(command);
        assert!(said.contains("the log ends at event 0, and event "), "{said}");
    }
    assert_eq!(shown(), 3, "what they show may be all that is left");
    assert!(!copy.join("backup.json").exists());
}

#[test]
fn a_data_folder_that_the_program_makes_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = tempfile::tempdir().unwrap();
    let server = Server::with(&[
        in_files("its folder is looked at"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    let folder = parent.path().join("houses").join("migrated");
    let mut command = server.command(&["migrate"]);
    let ended = command.env("LATCHKEY_DATA_DIR", &folder).output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let mode = std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700, "{mode:o}");
}

/// Damage in the middle of a database beside the log is looked for, and told with its file and what to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_beside_the_log_is_found_by_verify_and_doctor() {
    const PAGE: usize = 4_096;
    let server = stopped().await;
    for (file, what_to_do) in [
        ("keys.db", "from the backup"),
        ("desk.db", "from the newest backup"),
        ("reactor.db", "delete it"),
    ] {
        let path = server.folder().join(file);
        let whole = std::fs::read(&path).unwrap();
        let mut spoilt = whole.clone();
        // The last page: the file opens, and what is at its beginning can be read.
        let last = spoilt.len() - PAGE;
        spoilt[last..].fill(0xAA);
        std::fs::write(&path, spoilt).unwrap();
        for command in ["verify", "doctor"] {
            let said = server.refused(&[command]);
            assert!(
                said.contains(&format!("`{file}` is damaged")),
                "{command}, {file}: {said}"
            );
            assert!(said.contains(what_to_do), "{command}, {file}: {said}");
        }
        std::fs::write(&path, whole).unwrap();
    }
    assert!(server.run(&["verify"]).starts_with("intact"));
}
