//! What is wrong with a folder or a setting is named, with what to do about it: by `latchkey doctor`, and by the command that
//! stumbles over it.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use reqwest::StatusCode;
use tests::disk::SmallDisk;
use tests::{Server, in_files};

use crate::io_faults::fiu_libraries;
use crate::market::until;
use crate::operations::refused_to_serve;
use crate::visitor::{Visitor, enquiry};

const SMALL: (&str, &str) = ("LATCHKEY_DEMO_CATALOGUE", "false");

async fn enquire(server: &Server, names: &[&str]) {
    for name in names {
        let sent = Visitor::new(server)
            .post(
                "/api/v0/leads",
                enquiry("Mei Lin", &format!("{name}@example.com")),
            )
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    }
}

/// Lets it end as an operator would.
async fn stop(server: &mut Server) {
    server.ask_to_stop();
    let server = std::sync::Mutex::new(server);
    until(|| async { server.lock().unwrap().ended() }).await;
}

/// A stopped server with one enquiry, whose folder is then spoilt.
async fn stopped() -> Server {
    let mut server = Server::with(&[in_files("files of its folder are spoilt"), SMALL]);
    server.unlike_its_log("its folder is spoilt");
    enquire(&server, &["mei"]).await;
    stop(&mut server).await;
    server
}

/// Writes over a database of a server that has ended; answers with what was in it. Pages that stood in its write-ahead file
/// would be found there still.
fn spoil(file: &Path) -> Vec<u8> {
    let database = rusqlite::Connection::open(file).unwrap();
    let busy: bool = database
        .query_row("pragma wal_checkpoint(truncate)", [], |row| row.get(0))
        .unwrap();
    assert!(!busy, "{} is in use", file.display());
    database.close().unwrap();
    let whole = fs::read(file).unwrap();
    fs::write(file, vec![7; 20_000]).unwrap();
    whole
}

fn said_by(mut command: Command) -> String {
    let output = command.output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// Keys older than the backup are restored with a word about whom they do not open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restore_with_older_keys_counts_people_without_one() {
    let server = Server::with(&[in_files("`backup` and `restore` are for files"), SMALL]);
    let story = server.beside("story");
    fs::create_dir(&story).unwrap();
    let path = |name: &str| story.join(name).to_str().unwrap().to_owned();
    enquire(&server, &["mei", "bo"]).await;
    server.run(&["backup", &path("older")]);
    let older = path("older/keys.db");
    // A key that was copied before anybody had it would open what the newcomer writes who gets it later.
    let stock = rusqlite::Connection::open(&older).unwrap();
    stock.execute("attach ?1 as log", [path("older/log.db")]).unwrap();
    let of_nobody = "delete from stock_key where id not in (select key_id from log.key_given)";
    stock.execute(of_nobody, []).unwrap();
    drop(stock);
    enquire(&server, &["ana", "cy", "di"]).await;
    server.run(&["backup", &path("newer")]);
    server.run(&["forget", "--email", "di@example.com"]);
    server.run(&["backup", &path("newest")]);

    let restored = |from: &str, into: &str, keys: &[&str]| {
        let from = path(from);
        let command = ["--data-dir", &path(into), "restore", &from];
        server.run(&[&command[..], keys].concat())
    };
    let said = restored("newest", "with-older", &["--keys", &older]);
    assert!(said.contains("warning: 2 of "), "ana and cy, and not di: {said}");
    assert!(
        said.contains("people have no key though nobody forgot them")
            && said.contains("the newest `keys.db`"),
        "{said}"
    );
    let newest = path("newest/keys.db");
    for (from, into, keys) in [
        ("newest", "as-it-was", &[][..]),
        ("newer", "with-newest", &["--keys", &newest]),
    ] {
        let said = restored(from, into, keys);
        assert!(!said.contains("warning"), "{into}: {said}");
    }
    let examined = server.run(&["--data-dir", &path("with-older"), "doctor"]);
    let told = |line: &str| line.starts_with("look   keys") && line.contains("2 of ");
    assert!(examined.lines().any(told), "{examined}");
    let examined = server.run(&["doctor"]);
    assert!(!examined.contains("have no key"), "{examined}");
}

/// A damaged file of the log is named and the disk is not blamed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_names_a_damaged_log_file_without_blaming_the_disk() {
    let server = stopped().await;
    for name in ["keys.db", "log.db"] {
        let file = server.folder().join(name);
        let whole = spoil(&file);
        let examined = server.refused(&["doctor"]);
        let refused = refused_to_serve(&server);
        for said in [&examined, &refused] {
            assert!(
                said.contains(&format!("{name}` is damaged")) && said.contains("take it from the backup"),
                "{said}"
            );
            assert!(
                !said.contains("disk failed") && said.contains("docs/operations.md"),
                "{said}"
            );
        }
        fs::write(&file, whole).unwrap();
    }
    let documents = server.folder().join("documents");
    let _was_not_there = fs::remove_dir(&documents);
    fs::write(&documents, "a file").unwrap();
    let examined = server.refused(&["doctor"]);
    assert!(
        examined.contains("documents` is a file where the folder"),
        "{examined}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unusable_folder_of_heads_is_told_once_with_what_to_do() {
    let server = stopped().await;
    let heads = server.folder().join("no folder");
    fs::write(&heads, "a file").unwrap();
    let mut doctor = server.command(&["doctor"]);
    doctor.env("LATCHKEY_HEADS_DIR", &heads);
    let examined = said_by(doctor);
    let told: Vec<&str> = examined
        .lines()
        .filter(|line| line.starts_with("WRONG"))
        .collect();
    assert!(
        matches!(told[..], [line] if line.contains("`LATCHKEY_HEADS_DIR`) name a folder")),
        "{examined}"
    );
}

/// An address that somebody else has is pointed at and one that is none is shown how to write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_explains_a_taken_and_a_malformed_address() {
    let server = stopped().await;
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other.local_addr().unwrap().to_string();
    for (variable, setting) in [
        ("LATCHKEY_LISTEN", "listen"),
        ("LATCHKEY_METRICS_LISTEN", "metrics_listen"),
    ] {
        let with = |value: &str| {
            let mut doctor = server.command(&["doctor"]);
            doctor.env("LATCHKEY_LISTEN", "127.0.0.1:0").env(variable, value);
            said_by(doctor)
        };
        let examined = with(&taken);
        let told = format!("look   address      something listens at `{taken}` (`{setting}`)");
        assert!(
            examined.contains(&told) && !examined.contains("WRONG"),
            "{examined}"
        );
        assert!(!with("127.0.0.1:0").contains("something listens"));
        let unwritten = with("localhost");
        assert!(unwritten.contains("such as `127.0.0.1:8080`"), "{unwritten}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_on_a_full_disk_says_that_there_is_no_room() {
    let disk = SmallDisk::mount(64);
    let folder = disk.path().join("data");
    fs::create_dir(&folder).unwrap();
    let mut server = Server::on_with(&folder, &[SMALL]);
    enquire(&server, &["mei"]).await;
    stop(&mut server).await;
    without_shared_memory(&folder);
    let filler = disk.fill();
    let said = refused_to_serve(&server);
    assert!(said.contains("the disk is full or fails; make room"), "{said}");
    fs::remove_file(filler).unwrap();
    server.restart();
}

/// Takes out the `-shm` files of a server that ended before it closed its databases: with them a start needs no room.
fn without_shared_memory(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with("-shm") {
            fs::remove_file(path).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewal_of_the_key_that_fails_leaves_no_secret_behind() {
    let server = stopped().await;
    let signing = || {
        let entries = fs::read_dir(server.folder()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.starts_with("signing.")).collect();
        names.sort();
        names
    };
    let before = server.run(&["signing-key"]);
    for point in ["posix/io/sync/fsync", "posix/io/dir/rename"] {
        let mut renew = server.command(&["signing-key", "--renew"]);
        renew.env("LD_PRELOAD", fiu_libraries());
        renew.env("FIU_ENABLE", format!("enable name={point},onetime,failinfo=5"));
        let output = renew.output().unwrap();
        assert!(!output.status.success(), "{point}: {output:?}");
        assert_eq!(signing(), ["signing.key"], "{point}");
        assert_eq!(server.run(&["signing-key"]), before, "{point}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_renewals_at_once_one_key_counts_from_then_on() {
    let server = stopped().await;
    let renew = || {
        server
            .command(&["signing-key", "--renew"])
            .stdout(Stdio::null())
            .spawn()
    };
    let renewals: Vec<_> = (0..12).map(|_| renew().unwrap()).collect();
    for mut renewal in renewals {
        assert!(renewal.wait().unwrap().success());
    }
    let keys = fs::read_dir(server.folder().join("heads").join("keys")).unwrap();
    let keys: Vec<String> = keys
        .map(|key| fs::read_to_string(key.unwrap().path()).unwrap())
        .collect();
    assert_eq!(keys.len(), 13, "the first one and those that came after it");
    let counting: Vec<&String> = keys.iter().filter(|key| !key.contains("until")).collect();
    let now = server.run(&["signing-key"]);
    let now = now.lines().next().unwrap();
    assert_eq!(counting, [&format!("{now}\n")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_in_the_place_of_a_new_folder_is_called_one() {
    let server = stopped().await;
    let copy = server.beside("story");
    server.run(&["backup", shown(&copy)]);
    let file = server.beside("file");
    fs::write(&file, "a file").unwrap();
    for arguments in [
        &["--data-dir", shown(&file), "restore", shown(&copy)][..],
        &["backup", shown(&file)],
    ] {
        let said = server.refused(arguments);
        assert!(
            said.contains("is a file, not a folder") && !said.contains("not empty"),
            "{said}"
        );
    }
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}
