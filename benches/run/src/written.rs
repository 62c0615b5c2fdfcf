//! Bytes and writes of an enquiry, file by file. Write-ahead logs are counted by their shared index, which slows nothing down: how many events come
//! together in a transaction is part of the figure. Then `strace` follows a few more enquiries, for the files' own pages and the number of writes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use measure::{Figure, enquiry};

use crate::Settings;
use crate::ground::Place;
use crate::load::{Leads, Until, post_these};
use crate::perf;
use crate::served::{Engine, Server};

/// Leads that are there before: a new file has few pages, which all that is written would share.
const BEFORE: u64 = 500;
/// Leads whose write-ahead logs are counted.
const COUNTED: u64 = 2_000;
/// Leads whose every write is followed.
const FOLLOWED: u64 = 200;
/// How long the last of them may take to reach the read models.
const SETTLING: Duration = Duration::from_secs(1);
/// How often the indexes are looked at: what is written after the last look at a log that begins anew is not counted.
const LOOKS: Duration = Duration::from_millis(1);
const FILES: [&str; 6] = ["read", "log", "reactor", "limits", "desk", "keys"];
/// A page and the head before it.
const FRAME_BYTES: u64 = 4_096 + 24;

/// Sends enquiries of 1 kB over one connection, and counts what the server writes.
pub fn by_enquiries(settings: &Settings, place: &Place) -> Result<Figure, String> {
    let running = Server::Latchkey(Engine::Sqlite).start(settings, place)?;
    let send = |first, connections, count| {
        let leads = Leads {
            first,
            json: enquiry::long_request,
        };
        let figure = post_these(&running.address, connections, leads, Until::Answered(count));
        std::thread::park_timeout(SETTLING);
        match figure.failed {
            0 => Ok(figure),
            _ => Err(figure.note.unwrap_or_default()),
        }
    };
    send(0, 16, BEFORE)?;
    let (figure, logs) = watched(&place.folder, || send(BEFORE, 1, COUNTED))?;
    let done = figure.done.max(1) as f64;
    let mut note: Vec<String> = Vec::new();
    for (file, grown) in &logs {
        let (kb, transactions) = (
            (grown.frames * FRAME_BYTES) as f64 / done / 1e3,
            grown.transactions as f64 / done,
        );
        note.push(format!(
            "{file}.db-wal {kb:.1} kB in {transactions:.2} transactions"
        ));
    }
    let read_models = logs.get("read").map_or(0, |grown| grown.frames * FRAME_BYTES);
    note.push(followed(place, running.process(), || {
        send(BEFORE + COUNTED, 1, FOLLOWED)
    })?);
    Ok(Figure {
        written_bytes: read_models as f64 / done,
        ..figure
    }
    .noting(note.join(", ")))
}

/// Growth of a write-ahead log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Grown {
    frames: u64,
    transactions: u64,
}

/// The head of a shared index: SQLite's walformat.html, "The WAL-Index Header".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head {
    transactions: u32,
    frames: u32,
    /// Another one since the log began anew.
    salt: [u8; 8],
}

impl Head {
    fn read(bytes: &[u8; 48]) -> Self {
        let number = |at: usize| u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let mut salt = [0; 8];
        salt.copy_from_slice(&bytes[32..40]);
        Self {
            transactions: number(8),
            frames: number(16),
            salt,
        }
    }

    fn since(self, before: Self) -> Grown {
        let from = if self.salt == before.salt {
            before.frames
        } else {
            0
        };
        Grown {
            frames: self.frames.saturating_sub(from).into(),
            transactions: self.transactions.wrapping_sub(before.transactions).into(),
        }
    }
}

/// Looks at all write-ahead logs of a folder while something is done.
fn watched<T>(
    folder: &Path,
    work: impl FnOnce() -> Result<T, String>,
) -> Result<(T, BTreeMap<&'static str, Grown>), String> {
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| watch(folder, &ended));
        let done = work();
        ended.store(true, Relaxed);
        let logs = watching.join().map_err(|_| "the look at the logs ended badly")?;
        Ok((done?, logs))
    })
}

fn watch(folder: &Path, ended: &AtomicBool) -> BTreeMap<&'static str, Grown> {
    let index = |name: &&'static str| {
        let file = File::open(folder.join(format!("{name}.db-shm"))).ok()?;
        Some((*name, file, None::<Head>))
    };
    let mut indexes: Vec<_> = FILES.iter().filter_map(index).collect();
    let mut logs: BTreeMap<&'static str, Grown> = BTreeMap::new();
    loop {
        let is_last = ended.load(Relaxed);
        for (name, file, before) in &mut indexes {
            let mut bytes = [0; 48];
            if file.read_exact_at(&mut bytes, 0).is_err() {
                continue;
            }
            let head = Head::read(&bytes);
            if let Some(before) = *before {
                let (all, grown) = (logs.entry(*name).or_default(), head.since(before));
                all.frames += grown.frames;
                all.transactions += grown.transactions;
            }
            *before = Some(head);
        }
        if is_last {
            return logs;
        }
        std::thread::park_timeout(LOOKS);
    }
}

/// Bytes and writes into one file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Written {
    bytes: u64,
    writes: u64,
}

/// Counts the writes of enquiries that `strace` sees, for each of them.
fn followed(
    place: &Place,
    process: u32,
    send: impl FnOnce() -> Result<Figure, String>,
) -> Result<String, String> {
    let traces = place.folder.join("traces");
    std::fs::create_dir(&traces).map_err(|error| error.to_string())?;
    let strace = attached(process, &traces)?;
    let figure = send();
    perf::ended(strace);
    let done = figure?.done.max(1) as f64;
    let files = counted(&place.folder, &traces)?;
    let each = |file: &str, written: &Written| {
        format!(
            "{file} {:.1} kB in {:.1} writes",
            written.bytes as f64 / done / 1e3,
            written.writes as f64 / done
        )
    };
    let all: Vec<String> = files.iter().map(|(file, written)| each(file, written)).collect();
    Ok(format!(
        "under strace, which slows the server: {}",
        all.join(", ")
    ))
}

/// Begins to follow the writes of all threads of a process, each thread into a file of its own.
fn attached(process: u32, traces: &Path) -> Result<Child, String> {
    let mut command = Command::new("strace");
    command.args([
        "-ff",
        "-y",
        "-s",
        "0",
        "-e",
        "trace=write,writev,pwrite64,pwritev,pwritev2",
    ]);
    command.arg("-o").arg(traces.join("thread"));
    command.args(["-p", &process.to_string()]);
    command.stderr(Stdio::piped());
    let mut strace = command.spawn().map_err(|error| format!("strace: {error}"))?;
    let said = strace.stderr.take().ok_or("strace says nothing")?;
    let mut lines = BufReader::new(said).lines();
    let first = lines.next().and_then(Result::ok).unwrap_or_default();
    if !first.contains("attached") {
        perf::ended(strace);
        return Err(first);
    }
    // Its words about further threads must not stop it.
    std::thread::spawn(move || lines.for_each(drop));
    Ok(strace)
}

/// Sums the writes into the files of a folder, by their names.
fn counted(folder: &Path, traces: &Path) -> Result<BTreeMap<String, Written>, String> {
    let told = |error: std::io::Error| error.to_string();
    let mut files: BTreeMap<String, Written> = BTreeMap::new();
    for trace in std::fs::read_dir(traces).map_err(told)? {
        let text = std::fs::read_to_string(trace.map_err(told)?.path()).map_err(told)?;
        for (path, bytes) in text.lines().filter_map(write_of) {
            let Ok(name) = path.strip_prefix(folder) else {
                continue;
            };
            let written = files.entry(name.display().to_string()).or_default();
            written.bytes += bytes;
            written.writes += 1;
        }
    }
    Ok(files)
}

/// `pwrite64(12</data/read.db-wal>, ""..., 4096, 32) = 4096`
fn write_of(line: &str) -> Option<(PathBuf, u64)> {
    let (_, rest) = line.split_once('<')?;
    let (path, rest) = rest.split_once(">,")?;
    let (_, bytes) = rest.rsplit_once(" = ")?;
    Some((path.into(), bytes.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_a_log_that_began_anew_are_counted_from_zero() {
        let head = |transactions, frames, salt| Head {
            transactions,
            frames,
            salt: [salt; 8],
        };
        let grown = |frames, transactions| Grown { frames, transactions };
        assert_eq!(head(9, 70, 1).since(head(7, 50, 1)), grown(20, 2));
        assert_eq!(head(10, 8, 2).since(head(9, 70, 1)), grown(8, 1));
    }

    #[test]
    fn writes_are_read_with_their_file_and_bytes() {
        let line = r#"pwrite64(12</data/read.db-wal>, ""..., 4096, 32) = 4096"#;
        assert_eq!(write_of(line), Some(("/data/read.db-wal".into(), 4096)));
        let failed = r#"pwrite64(12</data/read.db>, ""..., 4096, 0) = -1 ENOSPC (No space left on device)"#;
        assert_eq!(write_of(failed), None);
        assert_eq!(write_of("+++ exited with 0 +++"), None);
    }

    #[test]
    fn writes_of_all_threads_are_counted_by_file() {
        let folder = std::env::temp_dir().join(format!("written-{}", std::process::id()));
        let traces = folder.join("traces");
        std::fs::create_dir_all(&traces).unwrap();
        let line = |file: &str| {
            format!(
                "pwrite64(9<{}>, \"\"..., 10, 0) = 10\n",
                folder.join(file).display()
            )
        };
        std::fs::write(traces.join("thread.1"), line("a.db") + &line("b.db")).unwrap();
        std::fs::write(
            traces.join("thread.2"),
            line("a.db") + "write(5<socket:[7]>, \"\"..., 3) = 3\n",
        )
        .unwrap();
        let files = counted(&folder, &traces);
        std::fs::remove_dir_all(&folder).unwrap();
        let files = files.unwrap();
        assert_eq!(files.keys().collect::<Vec<_>>(), ["a.db", "b.db"]);
        assert_eq!(files["a.db"], Written { bytes: 20, writes: 2 });
    }
}
