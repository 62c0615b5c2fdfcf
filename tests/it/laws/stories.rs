//! After every story its server's read models are held against its log (R13). A server that is left out of it is on this list,
//! with the reason that its story gives.

use super::{files, none, read, root, shown};

const CALL: &str = "unlike_its_log(";

const LEFT_OUT: [(&str, &str); 5] = [
    ("tests/it/broken_folders.rs", "its folder is spoilt"),
    ("tests/it/looking.rs", "its folder is spoilt"),
    ("tests/it/operations.rs", "its log is for a newer program"),
    ("tests/it/proof.rs", "its log is changed behind its back"),
    ("tests/it/read_models.rs", "a spoilt row is put back"),
];

#[test]
fn servers_that_are_not_held_against_their_log_are_on_a_list() {
    let stories = files(&root().join("tests/it"), &["rs"]).into_iter();
    let found: Vec<(String, String)> = stories
        .filter(|file| !shown(file).contains("laws"))
        .flat_map(|file| {
            reasons(&read(&file))
                .into_iter()
                .map(move |reason| (shown(&file), reason))
                .collect::<Vec<_>>()
        })
        .collect();
    let is_listed = |(file, reason): &(String, String)| {
        LEFT_OUT.iter().any(|(known, why)| known == file && why == reason)
    };
    let unlisted = found.iter().filter(|one| !is_listed(one));
    none(
        unlisted.map(|(file, reason)| format!("{file}: {reason}")),
        "let the server be compared, or list it in laws/stories.rs",
    );
    let gone = LEFT_OUT
        .iter()
        .filter(|(file, why)| !found.iter().any(|(known, reason)| known == file && reason == why));
    none(
        gone.map(|(file, _)| (*file).to_owned()),
        "take it off the list in laws/stories.rs",
    );
}

#[test]
fn the_law_of_stories_catches_bad_samples() {
    let sample = format!("server.{CALL}\"its disk is full\");");
    assert_eq!(reasons(&sample), ["its disk is full"]);
    assert!(reasons("server.kill();").is_empty());
}

/// Why servers are left out in a story's file.
fn reasons(text: &str) -> Vec<String> {
    let calls = text.split(CALL).skip(1);
    calls
        .map(|after| after.split('"').nth(1).unwrap_or_default().to_owned())
        .collect()
}
