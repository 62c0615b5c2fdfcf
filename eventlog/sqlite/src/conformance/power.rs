//! The power goes at any moment (RELIABILITY R2): what a process wrote is taken down call by call, and what a disk may hold of
//! it at some moment is made again and again: all that was synced, and of the rest any part, torn at sectors. From each of
//! these the log must come back whole, with everything that was answered. The seed fixes the images of a trace; the trace is
//! another one in every run.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use eventlog::planted::{Fault, VARIABLE};
use eventlog::{Anchor, Verdict, commit};
use eventlog_conformance::{Account, AccountCommand as Command, account, somebody};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use tempfile::TempDir;
use tests::sample;
use tests::sample::{Dice, Sample};

use crate::Sqlite;

mod traced;

use traced::{Act, Trace};

/// Names the folder to the process that writes.
const PLACE: &str = "EVENTLOG_POWER_PLACE";
/// How many images: in the gate, and in all.
const IMAGES: &str = "EVENTLOG_IMAGES";
const IMAGES_USUALLY: (usize, usize) = (1_000, 10_000);
/// Images of the control, which must lose something.
const CONTROL: usize = 300;
/// Of so many images one is verified hash by hash.
const VERIFIED: usize = 100;
const WRITERS: u128 = 4;
const DEPOSITS: usize = 60;
/// What a disk writes at once.
const SECTOR: usize = 512;

/// What became of the images.
#[derive(Default)]
struct Came {
    lost: AtomicUsize,
    /// Events that nobody was told of, and that are there all the same: allowed.
    survived: AtomicUsize,
}

/// No power cut loses what was answered or breaks the log.
#[test]
fn power_cut_loses_no_answer_and_breaks_no_log() {
    let Sample {
        rounds: [images],
        mut dice,
    } = sample!(IMAGES => IMAGES_USUALLY);
    let trace = trace(None);
    let came = cut(&trace, images, &mut dice);
    println!(
        "{images} images of {} acts: {} lost, {} held what nobody was told of",
        trace.acts.len(),
        came.lost.load(Relaxed),
        came.survived.load(Relaxed)
    );
    assert_eq!(came.lost.load(Relaxed), 0);
    assert!(
        came.survived.load(Relaxed) > 0,
        "no image was cut between a write and its answer"
    );
}

/// A commit that does not wait for the disk is lost in some image.
#[test]
fn control_commit_without_sync_is_noticed() {
    let came = cut(&trace(Some(Fault::SyncNormal)), CONTROL, &mut sample!().dice);
    let lost = came.lost.load(Relaxed);
    println!("{CONTROL} images without syncing: {lost} lost");
    assert!(lost > 0, "the planted fault was not noticed");
}

/// Lets another process write under `strace`, and reads what it did.
fn trace(fault: Option<Fault>) -> Trace {
    let folder = TempDir::new().expect("a directory");
    let place = folder.path().join("log");
    let output = folder.path().join("trace");
    let calls = "trace=pwrite64,write,fsync,fdatasync,ftruncate,unlink";
    let mut traced = Process::new("strace");
    traced
        .args([
            "-f",
            "-y",
            "-xx",
            "-s",
            "200000",
            "-e",
            calls,
            "-e",
            "signal=none",
            "-o",
        ])
        .arg(&output)
        .arg(std::env::current_exe().expect("this very program"))
        .args([
            "conformance::power::a_process_that_writes_a_while",
            "--exact",
            "--nocapture",
        ])
        .env(PLACE, &place)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(fault) = fault {
        traced.env(VARIABLE, fault.name());
    }
    let ended = traced.status().expect("`strace` runs: make setup installs it");
    assert!(ended.success(), "{ended}");
    let trace = Trace::read(&output, &place);
    let answers = trace.acts.iter().filter(|act| matches!(act, Act::Answer(_)));
    assert_eq!(
        answers.count(),
        DEPOSITS * usize::try_from(WRITERS).unwrap_or_default()
    );
    trace
}

fn cut(trace: &Trace, images: usize, dice: &mut Dice) -> Came {
    let came = Came::default();
    let seed = dice.number();
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let came = &came;
            scope.spawn(move || {
                let runtime = tokio::runtime::Runtime::new().expect("a runtime");
                for number in (worker..images).step_by(2) {
                    let mut dice = StdRng::seed_from_u64(seed.wrapping_add(number as u64));
                    let verified = number.is_multiple_of(VERIFIED).then_some(&runtime);
                    one_image(trace, &mut dice, came, verified);
                }
            });
        }
    });
    came
}

/// Cuts the power at a random moment and starts again from what the disk then holds.
fn one_image(trace: &Trace, dice: &mut StdRng, came: &Came, verified: Option<&tokio::runtime::Runtime>) {
    let moment = dice.random_range(1..=trace.acts.len());
    let answered = trace.acts[..moment].iter().filter_map(|act| match act {
        Act::Answer(position) => Some(*position),
        Act::Write { .. } | Act::Cut { .. } | Act::Gone { .. } | Act::Sync { .. } => None,
    });
    let answered = answered.max().unwrap_or_default();
    let folder = in_memory();
    for (name, bytes) in held(trace, moment, dice) {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    }
    let path = folder.path().join("log.db");
    let end = Sqlite::open(&path)
        .and_then(|log| log.end())
        .map(|end| end.position);
    let end = end.unwrap_or_else(|error| panic!("cut after act {moment}: the log does not open: {error}"));
    if end < answered {
        came.lost.fetch_add(1, Relaxed);
    }
    if end > answered {
        came.survived.fetch_add(1, Relaxed);
    }
    whole(&path, end);
    if let Some(runtime) = verified {
        std::fs::write(folder.path().join("handles.key"), &trace.secret).expect("written");
        runtime.block_on(async {
            let log = super::open(folder.path()).await;
            let verdict = log.verify(Anchor::GENESIS).await;
            assert!(matches!(verdict, Ok(Verdict::Intact(anchor)) if anchor.position == end));
        });
    }
}

fn whole(path: &Path, end: u64) {
    let connection = rusqlite::Connection::open(path).expect("opened");
    let said: String = connection
        .query_row("pragma integrity_check", [], |row| row.get(0))
        .expect("checked");
    assert_eq!(said, "ok");
    let (count, last): (i64, Option<i64>) = connection
        .query_row("select count(*), max(position) from event", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .expect("counted");
    assert_eq!(
        (count, last.unwrap_or_default()),
        (end.cast_signed(), end.cast_signed()),
        "positions are dense"
    );
}

/// What the disk may hold at a moment: everything that was synced before it, and of the rest some, in any order, torn.
fn held(trace: &Trace, moment: usize, dice: &mut StdRng) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::<String, Vec<u8>>::new();
    for (number, act) in trace.acts[..moment].iter().enumerate() {
        let certain = trace.synced[number] <= moment;
        match act {
            Act::Write { file, offset, bytes } => {
                let content = files.entry(file.clone()).or_default();
                for (sector, part) in bytes.chunks(SECTOR).enumerate() {
                    // A third of what is not certain came whole, a third not at all, a third in part.
                    let comes = certain || dice.random_range(0..3) == 0 || (sector % 2 == 0 && dice.random());
                    if comes {
                        lay(content, offset + sector * SECTOR, part);
                    }
                }
            }
            Act::Cut { file, length } => {
                if certain || dice.random() {
                    files.entry(file.clone()).or_default().resize(*length, 0);
                }
            }
            Act::Gone { file } => {
                files.remove(file);
            }
            Act::Sync { .. } | Act::Answer(_) => {}
        }
    }
    files
}

fn lay(content: &mut Vec<u8>, offset: usize, part: &[u8]) {
    let end = offset + part.len();
    if content.len() < end {
        content.resize(end, 0);
    }
    content[offset..end].copy_from_slice(part);
}

/// Where nothing waits for a disk, if there is such a place.
fn in_memory() -> TempDir {
    let fast = PathBuf::from("/dev/shm");
    let made = if fast.is_dir() {
        TempDir::new_in(fast)
    } else {
        TempDir::new()
    };
    made.expect("a directory")
}

/// Does nothing in an ordinary run; the tests above start it in a process of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_writes_a_while() {
    let Ok(place) = std::env::var(PLACE) else {
        return;
    };
    let log = super::open(Path::new(&place)).await;
    let writers = (0..WRITERS).map(|writer| {
        let log = log.clone();
        tokio::spawn(async move {
            for _ in 0..DEPOSITS {
                let done = commit::<Account>(&log, account(writer), Command::Deposit(1), &somebody()).await;
                let told = format!("answered {}.\n", done.expect("committed").position);
                std::io::stdout()
                    .lock()
                    .write_all(told.as_bytes())
                    .expect("somebody listens");
            }
        })
    });
    for writer in futures::future::join_all(writers).await {
        writer.expect("written");
    }
    // The power goes: nothing is closed.
    std::process::exit(0);
}
