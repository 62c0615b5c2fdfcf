//! The disk reports errors to the running server, one call at a time: what is answered as done stays done, the log takes no more
//! writes after one that failed and says so within a second, everything can still be read, and a start goes on
//! (RELIABILITY R3). libfiu stands between the real binary and the C library; SQLite writes by `pwrite` and `fdatasync`.
//! The seed fixes the order of the points, after how many answers each fault is armed and how likely it strikes a call; which
//! call that is in the end libfiu throws for itself.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::sample::{Dice, Sample};
use tests::{LOG_FILE, Server, sample};
use tokio::task::JoinHandle;

use crate::market::until;

/// How many faults: in the gate, and in all.
const FAULTS: &str = "LATCHKEY_TEST_FAULTS";
const FAULTS_USUALLY: (usize, usize) = (100, 2_000);
/// Beside each other: whoever waits for one leaves the processor to the other.
const SERVERS: usize = 2;
const SENDERS: usize = 4;
/// What fails, each once in five faults. The log's own file meets the first two, readers the third.
const POINTS: [&str; 5] = [
    "posix/io/sync/fdatasync",
    "posix/io/rw/pwrite",
    "posix/io/sync/fdatasync",
    "posix/io/rw/pwrite",
    "posix/io/oc/open",
];
/// Faults are armed after fewer answers than this.
const ARMED_BEFORE: usize = 7;
/// How likely a fault strikes each call.
const CHANCES: [f64; 3] = [1.0, 0.5, 0.3];
/// Answers after which a fault that the log has not met is over.
const GOES_ON: usize = 20;
/// How soon the server says that it does not write any more (R3), of a hundred times ninety-nine: a busy machine may let a
/// process stand still for longer.
const WITHIN: Duration = Duration::from_secs(1);

/// An enquiry that was answered as done.
type Taken = (String, String);

#[derive(Default)]
struct Heard {
    taken: Mutex<Vec<Taken>>,
    count: AtomicUsize,
    /// When the first answer came that was not a success.
    failed: Mutex<Option<Instant>>,
    strange: Mutex<Vec<String>>,
    /// The last answer that was not a success, for whoever reads why the story failed.
    refused: Mutex<String>,
    over: AtomicBool,
}

impl Drop for Heard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "{:?} answers; the last refusal: {}",
                self.count,
                self.refused.lock().unwrap()
            );
        }
    }
}

/// What became of the faults.
#[derive(Default, Debug)]
struct Came {
    fired: usize,
    stopped: usize,
    /// How long after its first refusal the server said that it does not write any more.
    said_after: Vec<Duration>,
    taken: Vec<Taken>,
}

pub(crate) fn fiu_libraries() -> String {
    let folders = ["/usr/lib/fiu", "/usr/local/lib/fiu", "/usr/lib64/fiu"];
    let folder = folders
        .into_iter()
        .find(|folder| Path::new(folder).join("fiu_run_preload.so").exists());
    let folder =
        folder.unwrap_or_else(|| panic!("libfiu is missing: run `make setup`, or apt-get install fiu-utils"));
    format!("{folder}/fiu_run_preload.so {folder}/fiu_posix_preload.so")
}

pub(crate) fn start(folder: &Path, planted: Option<&str>) -> Server {
    let (libraries, fifo, output) = (fiu_libraries(), fifo(folder), folder.join("server.log"));
    let mut settings = vec![
        ("LD_PRELOAD", libraries.as_str()),
        ("FIU_CTRL_FIFO", fifo.to_str().unwrap()),
        ("FIU_ENABLE", ""),
        (LOG_FILE, output.to_str().unwrap()),
    ];
    settings.extend(planted.map(|name| ("LATCHKEY_PLANTED_FAULT", name)));
    Server::on_with(folder, &settings)
}

fn fifo(folder: &Path) -> PathBuf {
    folder.join("fiu")
}

/// Tells libfiu in the server something, as `fiu-ctrl` does, which takes longer than all else in a round.
pub(crate) async fn tell(server: &Server, order: String) {
    let pipe = format!("{}-{}", fifo(server.folder()).display(), server.pid());
    let told = tokio::task::spawn_blocking(move || {
        std::fs::write(format!("{pipe}.in"), order)?;
        std::fs::read_to_string(format!("{pipe}.out"))
    });
    let answer = told.await.unwrap().unwrap();
    assert_eq!(answer.trim(), "0");
}

async fn send(url: String, name: String, heard: Arc<Heard>) {
    let client = Client::new();
    for number in 0.. {
        if heard.over.load(Relaxed) {
            return;
        }
        let name = format!("{name}n{number}");
        let body = json!({ "lead": {
            "user_details": { "name": "Ada Lovelace", "email": format!("{name}@example.org"), "phone": "+447700900123" },
            "data": { "user_query": "Is there a desk?" },
        }});
        let sent = client
            .post(&url)
            .header("idempotency-key", &name)
            .json(&body)
            .send()
            .await;
        let response = match sent {
            Ok(response) => response,
            Err(error) => {
                heard.failed.lock().unwrap().get_or_insert_with(Instant::now);
                *heard.refused.lock().unwrap() = error.to_string();
                continue;
            }
        };
        let status = response.status();
        let body: Value = response.json().await.unwrap_or_default();
        if status.is_success() {
            let lead = body["data"]["lead_uuid"].as_str().unwrap().to_owned();
            heard.taken.lock().unwrap().push((name, lead));
            heard.count.fetch_add(1, Relaxed);
        } else {
            heard.failed.lock().unwrap().get_or_insert_with(Instant::now);
            *heard.refused.lock().unwrap() = format!("{status} {body}");
            if !status.is_server_error() {
                heard.strange.lock().unwrap().push(format!("{status} {body}"));
            }
        }
    }
}

async fn writes(server: &Server) -> String {
    let answer = reqwest::get(server.url("/readyz")).await.unwrap();
    let status = answer.status();
    let writes = answer.json::<Value>().await.unwrap()["writes"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(writes != "stopped" || status == StatusCode::SERVICE_UNAVAILABLE);
    writes
}

/// The server reads on, and says what is wrong to whoever writes.
async fn only_reads(server: &Server, taken: &Mutex<Vec<Taken>>) {
    let client = Client::new();
    let lead = taken.lock().unwrap()[0].1.clone();
    // However far behind the read models are, nobody is told to ask again.
    let read = client.get(server.url(&format!("/api/v0/leads/{lead}"))).send();
    let read = read.await.unwrap();
    let status = read.status();
    assert_eq!(status, StatusCode::OK, "{}", read.text().await.unwrap());
    let search = client
        .get(server.url("/api/v0/inventories?region_id=london"))
        .send()
        .await
        .unwrap();
    assert_eq!(search.status(), StatusCode::OK);
    let body = json!({ "lead": { "user_details": { "name": "Bo", "email": "bo@example.org", "phone": "+447700900123" } } });
    let refused = client
        .post(server.url("/api/v0/leads"))
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers()["retry-after"], "60");
    let body: Value = refused.json().await.unwrap();
    assert_eq!(body["message"]["code"], "storage_unavailable", "{body}");
    assert!(server.logged().contains("the log takes no more writes"));
}

/// Lets nobody send any more, and takes in what they heard.
async fn over(heard: &Heard, senders: Vec<JoinHandle<()>>, came: &mut Came) {
    heard.over.store(true, Relaxed);
    for sender in join_all(senders).await {
        sender.unwrap();
    }
    came.taken.append(&mut heard.taken.lock().unwrap());
    let strange = heard.strange.lock().unwrap();
    assert!(strange.is_empty(), "{strange:?}");
}

/// Lets one call of a point fail under load. Where the log stopped, the server is started again.
async fn one_fault(server: &mut Server, round: usize, point: &str, dice: &mut Dice, came: &mut Came) {
    let (armed_after, chance) = (dice.place(ARMED_BEFORE), dice.one_of(&CHANCES));
    let heard = Arc::<Heard>::default();
    let senders: Vec<_> = (0..SENDERS)
        .map(|sender| {
            let name = format!("r{round}s{sender}");
            tokio::spawn(send(server.url("/api/v0/leads"), name, heard.clone()))
        })
        .collect();
    let goes = until(|| async {
        let stopped = writes(server).await == "stopped";
        (stopped || heard.count.load(Relaxed) > armed_after).then_some(!stopped)
    })
    .await;
    if !goes {
        // The last round's fault struck something in the background, and the log heard of it after that round's last look.
        over(&heard, senders, came).await;
        came.fired += 1;
        came.stopped += 1;
        server.restart();
        return;
    }
    let logged = server.logged().len();
    let before = heard.count.load(Relaxed);
    tell(
        server,
        format!("enable_random name={point},probability={chance},onetime,failinfo=5"),
    )
    .await;
    let stopped = until(|| async {
        let stopped = writes(server).await == "stopped";
        let went_on = heard.count.load(Relaxed) >= before + GOES_ON;
        (stopped || went_on).then_some(stopped)
    })
    .await;
    if stopped {
        let first = heard.failed.lock().unwrap().unwrap_or_else(Instant::now);
        came.said_after.push(first.elapsed());
        only_reads(server, &heard.taken).await;
    }
    over(&heard, senders, came).await;
    let said = server.logged()[logged..].to_owned();
    let fired = stopped
        || ["disk I/O error", "unable to open", "os error 5"]
            .iter()
            .any(|sign| said.contains(sign));
    came.fired += usize::from(fired);
    came.stopped += usize::from(stopped);
    if !stopped {
        tell(server, format!("disable name={point}")).await;
    }
    // It may have struck after the last look.
    if stopped || writes(server).await == "stopped" {
        server.restart();
    }
}

async fn lost(server: &Server, taken: &[Taken]) -> Vec<String> {
    let client = Client::new();
    let mut lost = Vec::new();
    for (name, lead) in taken {
        let read = client
            .get(server.url(&format!("/api/v0/leads/{lead}")))
            .send()
            .await
            .unwrap();
        if read.status() != StatusCode::OK {
            lost.push(name.clone());
        }
    }
    lost
}

/// Lets so many faults strike one server after the other, and holds what it answered against what it kept.
async fn struck(faults: usize, mut dice: Dice) -> Came {
    let folder = tempfile::tempdir().unwrap();
    let mut server = start(folder.path(), None);
    let mut came = Came::default();
    let mut points = POINTS;
    for round in 0..faults {
        if round % POINTS.len() == 0 {
            dice.shuffle(&mut points);
        }
        let point = points[round % POINTS.len()];
        one_fault(&mut server, round, point, &mut dice, &mut came).await;
    }
    server.restart();
    assert_eq!(lost(&server, &came.taken).await, Vec::<String>::new());
    server.kill();
    assert!(server.run(&["verify"]).starts_with("intact"));
    came
}

/// No error of the disk loses what was answered, and a failed write ends all writing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disk_errors_lose_no_answer_and_stop_the_log() {
    let Sample {
        rounds: [faults],
        mut dice,
    } = sample!(FAULTS => FAULTS_USUALLY);
    let servers = (0..SERVERS).map(|_| tokio::spawn(struck(faults.div_ceil(SERVERS), dice.fork())));
    let came: Vec<Came> = join_all(servers).await.into_iter().map(Result::unwrap).collect();
    let all = |number: fn(&Came) -> usize| came.iter().map(number).sum::<usize>();
    let (fired, stopped) = (all(|it| it.fired), all(|it| it.stopped));
    assert!(
        fired >= faults / 2 && stopped >= faults / 4,
        "{fired} fired, {stopped} stopped"
    );
    let late: Vec<&Duration> = came
        .iter()
        .flat_map(|it| &it.said_after)
        .filter(|it| **it > WITHIN)
        .collect();
    assert!(late.len() <= faults.div_ceil(100), "it said so after {late:?}");
    println!(
        "{faults} faults, {fired} seen to strike, {stopped} of them at the log; {} answers, none lost",
        all(|it| it.taken.len())
    );
}

/// A failed write that is answered as done is lost after a restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_failed_write_taken_as_done_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = start(folder.path(), Some("failed_write_taken"));
    for round in 0..40 {
        let heard = Arc::<Heard>::default();
        let url = server.url("/api/v0/leads");
        let sending = tokio::spawn(send(url, format!("r{round}"), heard.clone()));
        until(|| async { (heard.count.load(Relaxed) > 2).then_some(()) }).await;
        tell(
            &server,
            "enable_random name=posix/io/sync/fdatasync,probability=0.4,onetime,failinfo=5".to_owned(),
        )
        .await;
        let before = heard.count.load(Relaxed);
        // It may also strike the keys, which the planted fault leaves alone.
        until(|| async {
            let over = heard.count.load(Relaxed) > before + 5 || writes(&server).await == "stopped";
            over.then_some(())
        })
        .await;
        heard.over.store(true, Relaxed);
        sending.await.unwrap();
        server.restart();
        let taken = heard.taken.lock().unwrap().clone();
        if !lost(&server, &taken).await.is_empty() {
            return;
        }
    }
    panic!("the planted fault was not noticed");
}
