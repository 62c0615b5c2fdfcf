//! The disk reports an error to an operator's command, at a `write` or a `rename`: the command says so and leaves nothing that
//! looks finished, what was there before is as it was, and the next attempt goes through (RELIABILITY R3). The seed fixes the
//! order of the points; which call is struck libfiu throws for itself.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::Value;
use tests::sample::Sample;
use tests::{Server, in_files, sample};

use crate::io_faults::{fiu_libraries, start, tell};
use crate::visitor::{Visitor, enquiry};

/// How many rounds: in the gate, and in all.
const ROUNDS: &str = "LATCHKEY_TEST_FILE_FAULTS";
const ROUNDS_USUALLY: (usize, usize) = (4, 20);
const POINTS: [&str; 2] = ["posix/io/dir/rename", "posix/io/rw/write"];

/// How long a server that was struck is waited for.
const PATIENCE: Duration = Duration::from_secs(8);

/// Runs a command in which one call of `point` fails. A `write` that wakes one of its threads may be struck too, and then it
/// stands still: it is ended.
fn struck(command: &Command, point: &str, chance: f64) -> Output {
    let mut bounded = Command::new("timeout");
    bounded
        .arg(PATIENCE.as_secs().to_string())
        .arg(command.get_program())
        .args(command.get_args());
    for (name, value) in command.get_envs() {
        bounded.env(name, value.unwrap_or_default());
    }
    bounded
        .env("LD_PRELOAD", fiu_libraries())
        .env(
            "FIU_ENABLE",
            format!("enable_random name={point},probability={chance},onetime,failinfo=5"),
        )
        .output()
        .unwrap()
}

fn done(output: &Output) -> bool {
    // An order to the process to end is no answer. What wakes the runtime's threads is written too, though to no disk: where the
    // fault strikes that, the process ends.
    let no_disk = String::from_utf8_lossy(&output.stderr).contains("failed to wake I/O driver");
    assert!(output.status.code().is_some() || no_disk, "{output:?}");
    output.status.success()
}

/// `latchkey restore` into a new folder.
fn restore(server: &Server, from: &Path, into: &Path) -> Command {
    let mut command = server.command(&["restore"]);
    command.arg(from).env("LATCHKEY_DATA_DIR", into);
    command
}

/// A command that the disk failed says so, leaves nothing half done, and goes through the next time.
#[tokio::test]
async fn failed_command_says_so_and_leaves_nothing_half_done() {
    let Sample {
        rounds: [rounds],
        mut dice,
    } = sample!(ROUNDS => ROUNDS_USUALLY);
    let mut server = Server::with(&[
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    three_enquiries(&server).await;
    server.kill();
    let elsewhere = tempfile::tempdir().unwrap();
    let (mut failed, mut restored) = (0, 0);
    let mut points = POINTS;
    for round in 0..rounds {
        if round % POINTS.len() == 0 {
            dice.shuffle(&mut points);
        }
        let point = points[round % POINTS.len()];
        let chance = if round % 3 == 0 { 1.0 } else { 0.3 };
        let (copy, again) = (
            elsewhere.path().join(format!("copy{round}")),
            elsewhere.path().join(format!("again{round}")),
        );
        let mut command = server.command(&["backup"]);
        command.arg(&copy);
        let output = struck(&command, point, chance);
        let whole = done(&output);
        failed += usize::from(!whole);
        // What is told as finished is, and what is not does not look it.
        assert!(!whole || copy.join("backup.json").is_file(), "{output:?}");
        if !whole {
            let refused = restore(&server, &copy, &again).output().unwrap();
            assert!(
                copy.join("backup.json").is_file() || !done(&refused),
                "{output:?}"
            );
            let _none = std::fs::remove_dir_all(&again);
            let _none = std::fs::remove_dir_all(&copy);
            let mut command = server.command(&["backup"]);
            assert!(done(&command.arg(&copy).output().unwrap()));
        }
        let output = struck(&restore(&server, &copy, &again), point, chance);
        if !done(&output) {
            failed += 1;
            // There is none or a whole one: it was there, and could not be told.
            if !again.join("log.db").exists() {
                assert!(done(&restore(&server, &copy, &again).output().unwrap()));
            }
        }
        let verified = server
            .command(&["verify"])
            .env("LATCHKEY_DATA_DIR", &again)
            .output()
            .unwrap();
        restored += usize::from(done(&verified) && verified.stdout.starts_with(b"intact"));
        failed += usize::from(!done(&struck(
            &server.command(&["signing-key", "--renew"]),
            point,
            chance,
        )));
        server.run(&["signing-key"]);
    }
    assert_eq!(restored, rounds);
    assert!(failed >= rounds, "only {failed} commands were struck");
    server.run(&["signing-key", "--renew"]);
    server.restart();
    server.ask_to_stop();
    crate::market::until(async || server_gone(&server)).await;
    assert!(server.run(&["verify"]).starts_with("intact"));
}

async fn three_enquiries(server: &Server) {
    let mei = Visitor::new(server);
    for number in 0..3 {
        let sent = mei.post(
            "/api/v0/leads",
            enquiry("Mei Lin", &format!("mei{number}@example.com")),
        );
        assert_eq!(sent.await.status, StatusCode::CREATED);
    }
}

/// The lock of the folder is free once nobody serves it.
fn server_gone(server: &Server) -> Option<()> {
    let lock = std::fs::File::open(server.folder().join("serve.lock")).ok()?;
    lock.try_lock().ok()
}

/// The server's own `write`s go to files and to its inner wake-up calls alike: struck, it may go on, hang or end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_server_write_loses_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = start(folder.path(), None);
    let client = Client::builder().timeout(PATIENCE).build().unwrap();
    let (mut answered, mut unanswered) = (Vec::new(), 0);
    for round in 0..3 {
        for number in 0..12 {
            if number == 4 {
                tell(
                    &server,
                    format!(
                        "enable_random name={},probability=0.5,onetime,failinfo=5",
                        POINTS[1]
                    ),
                )
                .await;
            }
            let body = enquiry("Mei Lin", &format!("mei{round}n{number}@example.com"));
            let sent = client.post(server.url("/api/v0/leads")).json(&body).send().await;
            match sent {
                Ok(answer) if answer.status().is_success() => {
                    let body: Value = answer.json().await.unwrap();
                    answered.push(body["data"]["lead_uuid"].as_str().unwrap().to_owned());
                }
                Ok(answer) => assert!(answer.status().is_server_error(), "{}", answer.status()),
                Err(_) => {
                    unanswered += 1;
                    break;
                }
            }
        }
        server.restart();
    }
    for lead in &answered {
        let read = client
            .get(server.url(&format!("/api/v0/leads/{lead}")))
            .send()
            .await
            .unwrap();
        assert_eq!(read.status(), StatusCode::OK, "{lead} is lost");
    }
    server.kill();
    assert!(server.run(&["verify"]).starts_with("intact"));
    println!(
        "{} answers, none lost; {unanswered} times no answer came",
        answered.len()
    );
}
