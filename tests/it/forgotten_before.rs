//! Somebody was forgotten after a backup was taken: a folder made from it, with the newest keys, does not know them any more.

use std::path::Path;

use reqwest::StatusCode;
use serde_json::Value;
use tests::{Server, in_files};

use crate::visitor::{Visitor, enquiry};

const MEI: &str = "mei-lin-quokka@example.com";
const ANA: &str = "ana-numbat@example.com";

/// Logs in and enquires.
async fn acquainted(server: &Server, host: u8, email: &str) {
    let visitor = Visitor::from(server, [127, 0, 7, host]);
    visitor.log_in(email).await;
    let sent = visitor.post("/api/v0/leads", enquiry("Mei Lin", email)).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
}

/// A server that both of them know, and a backup of it from before they were forgotten.
async fn forgotten_after_a_backup() -> (Server, std::path::PathBuf) {
    let server = Server::with(&[
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    acquainted(&server, 1, MEI).await;
    acquainted(&server, 2, ANA).await;
    let old = server.beside("old");
    server.run(&["backup", old.to_str().unwrap()]);
    for email in [MEI, ANA] {
        server.run(&["forget", "--email", email]);
    }
    let copy = server.beside("newest");
    server.run(&["backup", copy.to_str().unwrap()]);
    (server, old)
}

fn is_at_the_desk(folder: &Path, email: &str) -> bool {
    ["desk.db", "desk.db-wal"].iter().any(|name| {
        let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
        bytes
            .windows(email.len())
            .any(|window| window == email.as_bytes())
    })
}

/// A folder made with the newest keys forgets whoever has none any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restore_with_the_newest_keys_forgets_people_without_one() {
    let (server, old) = forgotten_after_a_backup().await;
    assert!(is_at_the_desk(&old, MEI), "the backup is of before");
    let folder = server.beside("restored");
    let (of_folder, keys) = (folder.to_str().unwrap(), server.beside("newest").join("keys.db"));
    let said = server.run(&[
        "--data-dir",
        of_folder,
        "restore",
        old.to_str().unwrap(),
        "--keys",
        keys.to_str().unwrap(),
    ]);
    assert!(
        said.contains("people forgotten again, because their keys are destroyed: 2"),
        "{said}"
    );
    assert!(!is_at_the_desk(&folder, MEI) && !is_at_the_desk(&folder, ANA));
    let verified = server.run(&["--data-dir", of_folder, "verify"]);
    assert!(verified.starts_with("intact: "), "{verified}");
    let restored = Server::on(&folder);
    let again = Visitor::new(&restored);
    again.log_in(MEI).await;
    let found = again.get("/api/v0/users/activity?tab=enquired").await;
    let leads = found.data()["leads"]["result"].as_array().map(Vec::len);
    assert_eq!(leads, Some(0), "they are somebody new: {}", found.body);
}

/// Whoever is forgotten after their key is gone leaves no message behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_erasure_without_a_key_leaves_no_message() {
    let (server, old) = forgotten_after_a_backup().await;
    let folder = server.beside("restored");
    let of_folder = folder.to_str().unwrap();
    server.run(&["--data-dir", of_folder, "restore", old.to_str().unwrap()]);
    // By hand, as somebody does who finds the newest keys later.
    for name in ["keys.db-wal", "keys.db-shm"] {
        drop(std::fs::remove_file(folder.join(name)));
    }
    std::fs::copy(server.beside("newest").join("keys.db"), folder.join("keys.db")).unwrap();
    let log = rusqlite::Connection::open(server.folder().join("log.db")).unwrap();
    let last = "select lower(hex(uuid)) from stream s join event e on e.stream = s.id
         where e.event_type = 'SubjectForgotten' order by e.position desc limit 1";
    let ana: String = log.query_row(last, [], |row| row.get(0)).unwrap();
    let ana = ana.parse::<uuid::Uuid>().unwrap().to_string();
    for (how, who, email) in [("--email", MEI, MEI), ("--user", ana.as_str(), ANA)] {
        assert!(is_at_the_desk(&folder, email), "{how}");
        let said = server.run(&["--data-dir", of_folder, "forget", how, who]);
        assert!(said.starts_with("forgotten: "), "{said}");
        assert!(!is_at_the_desk(&folder, email), "{how}: {said}");
    }
}

/// A folder as of before somebody was forgotten forgets them too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restore_to_before_an_erasure_forgets_again() {
    let (server, _) = forgotten_after_a_backup().await;
    let copy = server.beside("newest");
    let manifest = server.beside("old").join("backup.json");
    let manifest: Value = serde_json::from_slice(&std::fs::read(manifest).unwrap()).unwrap();
    let folder = server.beside("as-of");
    let said = server.run(&[
        "--data-dir",
        folder.to_str().unwrap(),
        "restore",
        copy.to_str().unwrap(),
        "--position",
        &manifest["position"].to_string(),
    ]);
    assert!(said.contains("keys are destroyed: 2"), "{said}");
}
