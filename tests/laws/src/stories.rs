//! After every story its server's read models are held against its log (R13). A server that is left out of it is on this list,
//! with the reason that its story gives. Every story runs on PostgreSQL as well (`LATCHKEY_TEST_DATABASE=postgres`); one that
//! is about files is on another list, with its reason.

use crate::checkout::{files, read, root, shown};
use crate::findings::{assert_exempted, each, once};

const CALL: &str = "unlike_its_log(";

const LEFT_OUT: [(&str, &str); 14] = [
    ("tests/it/backup.rs", "its log is changed behind its back"),
    ("tests/it/broken_folders.rs", "its folder is spoilt"),
    ("tests/it/doctor.rs", "its folder is spoilt"),
    (
        "tests/it/lease_terms.rs",
        "its clock is put forward past a day that its search looks at",
    ),
    ("tests/it/lost_database.rs", "its database is gone"),
    ("tests/it/looking.rs", "its folder is spoilt"),
    ("tests/it/lost_output.rs", "another process serves its folder"),
    ("tests/it/marked_outputs.rs", "its tables are dropped"),
    ("tests/it/operations.rs", "its log holds an event of before"),
    ("tests/it/operations.rs", "its log is for a newer program"),
    ("tests/it/proof.rs", "its log is changed behind its back"),
    ("tests/it/read_models.rs", "a spoilt row is put back"),
    ("tests/it/receipt_papers.rs", "its log is changed behind its back"),
    ("tests/it/vanished_files.rs", "its folder is spoilt"),
];

const IN_FILES: &str = "in_files(";

/// Servers whose everything lies in files, whatever the switch says.
const ABOUT_FILES: [(&str, &str); 22] = [
    ("tests/it/backup.rs", "`backup` and `restore` are for files"),
    ("tests/it/broken_folders.rs", "files are taken out of its folder"),
    ("tests/it/broken_folders.rs", "its folder is looked at"),
    ("tests/it/corrected.rs", "the keys are looked at"),
    ("tests/it/doctor.rs", "`backup` and `restore` are for files"),
    ("tests/it/doctor.rs", "files of its folder are spoilt"),
    ("tests/it/figures.rs", "its log's file is held from outside"),
    ("tests/it/file_faults.rs", "`backup` and `restore` are for files"),
    ("tests/it/forget_me.rs", "every byte of its folder is searched"),
    (
        "tests/it/forgetting.rs",
        "every byte of its folder is searched; `on_postgres.rs` searches a database server's",
    ),
    (
        "tests/it/forgotten_before.rs",
        "`backup` and `restore` are for files",
    ),
    (
        "tests/it/log_kill.rs",
        "the planted mistake is one of SQLite's engine",
    ),
    (
        "tests/it/full_disk.rs",
        "its documents lie on a disk that fills up",
    ),
    ("tests/it/full_disk.rs", "a disk of its own"),
    ("tests/it/looking.rs", "files of its folder are spoilt"),
    ("tests/it/lost_output.rs", "another process serves its folder"),
    ("tests/it/operations.rs", "its folder is taken away"),
    (
        "tests/it/planted_words.rs",
        "every byte of its folder is searched; `on_postgres.rs` searches a database server's",
    ),
    ("tests/it/proof.rs", "a backup of it is looked at"),
    ("tests/it/rehearsal.rs", "`backup` and `restore` are for files"),
    ("tests/it/vanished_files.rs", "files of its folder are deleted"),
    ("tests/it/receipt_papers.rs", "its folder is copied"),
];

/// Stories that bring a folder of their own: with it they bring the files.
const ON_A_FOLDER: [(&str, &str); 13] = [
    ("tests/it/backup.rs", "the folder was restored"),
    (
        "tests/it/broken_folders.rs",
        "the folder was put together by hand",
    ),
    ("tests/it/doctor.rs", "the folder lies on a disk that is full"),
    (
        "tests/it/enquiries.rs",
        "the one writer of the read models' file is held up",
    ),
    ("tests/it/forgotten_before.rs", "the folder was restored"),
    ("tests/it/full_disk.rs", "the folder lies on a disk that fills up"),
    ("tests/it/io_faults.rs", "the folder lies on a disk that fails"),
    (
        "tests/it/mail.rs",
        "the folder is served with other settings, one after the other",
    ),
    (
        "tests/it/mail_kill.rs",
        "while nobody serves the folder, its files are looked at",
    ),
    ("tests/it/on_postgres.rs", "the database beside it was restored"),
    (
        "tests/it/receipt_papers.rs",
        "a byte of a copied folder is changed",
    ),
    ("tests/it/rehearsal.rs", "the folder was restored"),
    (
        "tests/it/vanished_files.rs",
        "files are deleted out of the folder",
    ),
];

/// How a story opens a database file by itself.
const BY_HAND: [&str; 3] = ["rusqlite", "eventlog_sqlite::open(", ".db\""];
/// They open what the server at hand works on, whichever it is, or look that nothing lies in a file.
const FOR_BOTH: [&str; 5] = [
    "tests/it/login.rs",
    "tests/it/one_database.rs",
    "tests/it/stored.rs",
    "tests/it/market.rs",
    "tests/it/payment_kill.rs",
];

#[test]
fn servers_that_are_not_held_against_their_log_are_on_a_list() {
    hold_to(
        &LEFT_OUT,
        all_reasons(CALL),
        "let the server be compared, or list it in tests/laws/src/stories.rs",
    );
}

#[test]
fn stories_about_files_alone_are_on_a_list() {
    hold_to(
        &ABOUT_FILES,
        all_reasons(IN_FILES),
        "let the story run on PostgreSQL too, or list it in tests/laws/src/stories.rs",
    );
    let on_a_folder = stories().filter(|(_, text)| brings_a_folder(text));
    assert_exempted(
        &once(on_a_folder.map(|(file, _)| (file, "on a folder of its own".to_owned()))),
        &each(ON_A_FOLDER.map(|(file, _)| file)),
        "start the server without a folder, or say in tests/laws/src/stories.rs why the story is about files",
    );
    let by_hand = stories()
        .filter(|(_, text)| opens_by_hand(text) && !text.contains(IN_FILES) && !brings_a_folder(text));
    assert_exempted(
        &once(by_hand.map(|(file, _)| {
            (
                file,
                "opens a database file, but its server may have none".to_owned(),
            )
        })),
        &each(FOR_BOTH),
        "ask through `stored.rs`, which knows both databases, or say in tests/laws/src/stories.rs why it is about files",
    );
}

/// Every story, by its file.
fn stories() -> impl Iterator<Item = (String, String)> {
    let stories = files(&root().join("tests/it"), &["rs"]).into_iter();
    stories.map(|file| (shown(&file), read(&file)))
}

/// Holds the reasons that stories give against a list of file and reason.
fn hold_to(list: &[(&str, &str)], found: Vec<(String, String)>, advice: &str) {
    let exempt: Vec<String> = list.iter().map(|(file, why)| format!("{file}: {why}")).collect();
    let found = found
        .into_iter()
        .map(|(file, reason)| (format!("{file}: {reason}"), "not on the list".to_owned()));
    assert_exempted(&once(found), &each(exempt.iter().map(String::as_str)), advice);
}

fn all_reasons(call: &str) -> Vec<(String, String)> {
    let of = |(file, text): (String, String)| {
        let reasons = reasons(call, &text).into_iter();
        reasons
            .map(move |reason| (file.clone(), reason))
            .collect::<Vec<_>>()
    };
    stories().flat_map(of).collect()
}

/// What is given as a reason in a story's file.
fn reasons(call: &str, text: &str) -> Vec<String> {
    let calls = text.split(call).skip(1);
    calls
        .map(|after| after.split('"').nth(1).unwrap_or_default().to_owned())
        .collect()
}

fn opens_by_hand(text: &str) -> bool {
    BY_HAND.iter().any(|how| text.contains(how))
}

fn brings_a_folder(text: &str) -> bool {
    ["Server::on(", "Server::on_with("]
        .iter()
        .any(|how| text.contains(how))
}
