//! The disk fills up under load: writes are refused and say so, everything that is there can be read and searched, and when
//! there is room writing goes on by itself; nothing that was answered is lost (RELIABILITY R4).

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::disk::SmallDisk;
use tests::words::english;
use tests::{Server, in_files};

use crate::market::{House, Market, furnish, until};

const MEBIBYTES: u32 = 64;
const SENDERS: usize = 32;
/// Refusals that must be heard while the disk is full.
const REFUSALS: usize = 200;
/// So many of those that were answered last are looked at, each on its writer's word that it is there.
const LAST: usize = 20;
/// Waiting for each of them as long as for a server that is busy would take several times as long.
const IN_VAIN: Duration = Duration::from_secs(20);
/// How soon writing goes on once there is room.
const SOON: Duration = Duration::from_secs(20);

/// What the senders heard.
#[derive(Default)]
struct Heard {
    /// Names of enquiries, with the leads they were answered with.
    taken: Mutex<Vec<(String, String)>>,
    count: AtomicUsize,
    refused: AtomicUsize,
    strange: Mutex<Vec<String>>,
    over: AtomicBool,
}

fn enquiry(name: &str) -> Value {
    let long = "Is there a desk? ".repeat(100);
    json!({ "lead": {
        "user_details": { "name": "Ada Lovelace", "email": format!("{name}@example.org"), "phone": "+447700900123" },
        "data": { "user_query": format!("{long} ({name})") },
    }})
}

/// Sends one after the other; what was refused is sent again under its key.
async fn send(url: String, sender: usize, heard: Arc<Heard>) {
    let client = Client::new();
    let mut number = 0;
    while !heard.over.load(Relaxed) {
        let name = format!("s{sender}n{number}");
        let request = client
            .post(&url)
            .header("idempotency-key", &name)
            .json(&enquiry(&name));
        let response = request.send().await.unwrap();
        let (status, wait) = (response.status(), response.headers().get("retry-after").cloned());
        let body: Value = response.json().await.unwrap();
        let code = body["message"]["code"].as_str().unwrap_or_default();
        match status {
            StatusCode::CREATED | StatusCode::OK => {
                let lead = body["data"]["lead_uuid"].as_str().unwrap().to_owned();
                heard.taken.lock().unwrap().push((name, lead));
                heard.count.fetch_add(1, Relaxed);
                number += 1;
            }
            StatusCode::SERVICE_UNAVAILABLE if wait.is_some() && code.starts_with("storage_") => {
                heard.refused.fetch_add(1, Relaxed);
            }
            StatusCode::SERVICE_UNAVAILABLE if wait.is_some() && code == "busy" => {}
            _ => {
                heard.strange.lock().unwrap().push(format!("{status} {body}"));
                return;
            }
        }
    }
}

/// What can be looked at: a list, a house, an enquiry, a page.
async fn reads(server: &Server, lead: &str) {
    let client = Client::new();
    let paths = [
        "/api/v0/inventories?region_id=london".to_owned(),
        "/api/v0/inventories/bloomsbury-row-london".to_owned(),
        format!("/api/v0/leads/{lead}"),
        "/".to_owned(),
        "/healthz".to_owned(),
        "/readyz".to_owned(),
    ];
    for path in paths {
        let answer = client.get(server.url(&path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
}

async fn writes(server: &Server) -> String {
    let answer = reqwest::get(server.url("/readyz")).await.unwrap();
    answer.json::<Value>().await.unwrap()["writes"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Every file of the server is whole.
fn all_whole(folder: &Path) {
    for name in [
        "log.db",
        "keys.db",
        "read.db",
        "reactor.db",
        "desk.db",
        "views.db",
        "sandbox.db",
    ] {
        let connection = rusqlite::Connection::open(folder.join(name)).unwrap();
        let said: String = connection
            .query_row("pragma integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(said, "ok", "{name}");
    }
}

/// Fills the disk under load and makes room again. `false` when writing did not go on by itself.
async fn goes_on_after_a_full_disk(settings: &[(&str, &str)]) -> bool {
    let disk = SmallDisk::mount(MEBIBYTES);
    let folder = disk.path().join("data");
    std::fs::create_dir(&folder).unwrap();
    let house = House {
        rooms: vec![vec![("2027-09-11", 44, 3)]],
        token_minor: 0,
    };
    let mut server = Server::on_with(&folder, settings);
    server.kill();
    furnish(&server, 0, &house).await;
    server.restart();
    let heard = Arc::<Heard>::default();
    let senders: Vec<_> = (0..SENDERS)
        .map(|sender| tokio::spawn(send(server.url("/api/v0/leads"), sender, heard.clone())))
        .collect();
    until(|| async { (heard.count.load(Relaxed) >= 2 * SENDERS).then_some(()) }).await;
    let filler = until(|| async {
        let filler = disk.fill();
        (heard.refused.load(Relaxed) >= REFUSALS).then_some(filler)
    })
    .await;
    let some = heard.taken.lock().unwrap()[0].1.clone();
    let stopped = writes(&server).await == "stopped";
    if !stopped {
        // A small write may find its place now and then.
        until(|| async { (writes(&server).await == "disk_full").then_some(()) }).await;
        reads(&server, &some).await;
        let taken = heard.taken.lock().unwrap().clone();
        last_written(&server, &taken).await;
    }

    std::fs::remove_file(filler).unwrap();
    let before = heard.count.load(Relaxed);
    let begun = Instant::now();
    while heard.count.load(Relaxed) < before + SENDERS && begun.elapsed() < SOON {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let went_on = heard.count.load(Relaxed) >= before + SENDERS;
    heard.over.store(true, Relaxed);
    for sender in join_all(senders).await {
        sender.unwrap();
    }
    assert!(
        heard.strange.lock().unwrap().is_empty(),
        "{:?}",
        heard.strange.lock().unwrap()
    );
    if went_on {
        println!(
            "{} answered, {} refused while the disk was full, on again after {:?}",
            heard.count.load(Relaxed),
            heard.refused.load(Relaxed),
            begun.elapsed()
        );
        assert_eq!(writes(&server).await, "taken");
        nothing_is_lost(&server, &heard).await;
        server.kill();
        all_whole(&folder);
        assert!(server.run(&["verify"]).starts_with("intact"));
    }
    went_on
}

/// Who has just written is shown it, or told at once that there is no room to take it in: never that many people are here, and
/// nobody waits in vain for each thing they ask.
async fn last_written(server: &Server, taken: &[(String, String)]) {
    let client = Client::new();
    let begun = Instant::now();
    for (name, lead) in taken.iter().rev().take(LAST) {
        let address = server.url(&format!("/api/v0/leads/{lead}"));
        let (status, wait, body) = loop {
            let read = client
                .get(&address)
                .header("x-latchkey-position", i64::MAX.to_string());
            let read = read.send().await.unwrap();
            let (status, wait) = (read.status(), read.headers().get("retry-after").cloned());
            let body: Value = read.json().await.unwrap();
            // There is room for a moment where what was written ahead is shortened just then.
            if body["message"]["code"] != "busy" || begun.elapsed() >= IN_VAIN {
                break (status, wait, body);
            }
        };
        if status != StatusCode::OK {
            assert_eq!(body["message"]["code"], "storage_full", "{name}: {status} {body}");
            assert!(wait.is_some(), "{name}: {body}");
            let said = body["message"]["user_friendly_message"].as_str().unwrap();
            assert_eq!(said, english("refusal.not_shown"));
        }
    }
    assert!(
        begun.elapsed() < IN_VAIN,
        "{LAST} reads took {:?}",
        begun.elapsed()
    );
}

async fn nothing_is_lost(server: &Server, heard: &Heard) {
    let client = Client::new();
    until(|| async {
        let answer = reqwest::get(server.url("/readyz")).await.unwrap();
        let ready: Value = answer.json().await.unwrap();
        let models = ready["read_models"].as_array().unwrap().clone();
        models
            .iter()
            .all(|model| model["lag"] == 0 && model["parked"] == 0)
            .then_some(())
    })
    .await;
    let taken = heard.taken.lock().unwrap().clone();
    for (name, lead) in &taken {
        let read = client
            .get(server.url(&format!("/api/v0/leads/{lead}")))
            .send()
            .await
            .unwrap();
        assert_eq!(read.status(), StatusCode::OK, "{name} was answered and is lost");
    }
}

/// On a full disk writes are refused and reads are served; writing goes on by itself when there is room.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_refuses_writes_and_recovers_by_itself() {
    assert!(goes_on_after_a_full_disk(&[]).await, "writing did not go on");
}

/// A server that a full disk stops for good writes nothing when there is room.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_full_disk_that_stops_for_good_is_noticed() {
    let planted = [("LATCHKEY_PLANTED_FAULT", "full_stops")];
    assert!(
        !goes_on_after_a_full_disk(&planted).await,
        "the planted fault was not noticed"
    );
}

/// A server that was killed on a full disk starts there serves reads and writes once there is room.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_server_restarts_on_a_full_disk_and_resumes_writing() {
    let disk = SmallDisk::mount(MEBIBYTES);
    let folder = disk.path().join("data");
    std::fs::create_dir(&folder).unwrap();
    let house = House {
        rooms: vec![vec![("2027-09-11", 44, 3)]],
        token_minor: 0,
    };
    let mut server = Server::on(&folder);
    server.kill();
    furnish(&server, 0, &house).await;
    server.restart();
    let client = Client::new();
    let post = async |server: &Server, name: String| {
        let request = client.post(server.url("/api/v0/leads")).json(&enquiry(&name));
        let response = request.send().await.unwrap();
        let status = response.status();
        (status, response.json::<Value>().await.unwrap())
    };
    let (_, first) = post(&server, "first".to_owned()).await;
    let lead = first["data"]["lead_uuid"].as_str().unwrap().to_owned();
    let numbers = AtomicUsize::new(0);
    until(|| async {
        disk.fill();
        let name = format!("n{}", numbers.fetch_add(1, Relaxed));
        let (status, _) = post(&server, name).await;
        (status == StatusCode::SERVICE_UNAVAILABLE).then_some(())
    })
    .await;
    server.kill();
    disk.fill();
    server.restart();
    reads(&server, &lead).await;
    // What was written ahead is moved at a start, which may have made some room.
    let filler = disk.fill();
    until(|| async { (writes(&server).await == "disk_full").then_some(()) }).await;
    reads(&server, &lead).await;
    let (status, refused) = post(&server, "refused".to_owned()).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{refused}");
    std::fs::remove_file(filler).unwrap();
    until(|| async {
        let (status, _) = post(&server, "last".to_owned()).await;
        status.is_success().then_some(())
    })
    .await;
    assert_eq!(writes(&server).await, "taken");
}

/// So much room as no document of the story needs all of.
const ROOM: u32 = 2;
const LARGE: usize = 200_000;

/// A document for which there is no room is refused and leaves nothing behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn document_without_room_is_refused_and_leaves_nothing() {
    // In PostgreSQL documents lie in the database, which has a disk of its own.
    let market = Market::open(&[3], &[in_files("its documents lie on a disk that fills up")]).await;
    let disk = SmallDisk::mount(ROOM);
    std::os::unix::fs::symlink(disk.path(), market.server.folder().join("documents")).unwrap();
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    buyer.pay(&token, "4242424242424242").await;
    let paid = |payment: &Value| payment["status"] == "success";
    buyer.wait_for(&token, paid).await;
    let lead = buyer.lead_of(&token);
    let asked = json!({ "booking_form": { "lead_uuid": lead, "inventory_id": buyer.room, "flow": "book" } });
    let (_, form) = buyer.post("/api/v0/booking_forms", asked).await;
    let form = form["data"]["form_uuid"].as_str().unwrap();
    let address = market
        .server
        .url(&format!("/api/v0/booking_forms/{form}/documents"));
    let send = async |size: usize| {
        let mut document = b"%PDF-1.7 jo".to_vec();
        let end = b" startxref %%EOF";
        document.resize(size - end.len(), b' ');
        document.extend(end);
        let sending = buyer.client.post(&address).header("x-file-name", "pass.pdf");
        let sent = sending.body(document.clone()).send().await.unwrap();
        let (status, wait) = (sent.status(), sent.headers().get("retry-after").cloned());
        (status, wait, sent.json::<Value>().await.unwrap(), document)
    };
    let there = || std::fs::read_dir(disk.path()).unwrap().count();
    let filler = disk.fill();
    for size in [1_000, LARGE] {
        let (status, wait, refused, _) = send(size).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{refused}");
        assert_eq!(refused["message"]["code"], "storage_full");
        assert!(wait.is_some());
        assert_eq!(there(), 1, "something was left behind");
    }
    std::fs::remove_file(filler).unwrap();
    for size in [1_000, LARGE] {
        let (status, _, answer, document) = send(size).await;
        assert_eq!(status, StatusCode::CREATED, "{answer}");
        let link = market.server.url(answer["data"]["href"].as_str().unwrap());
        let read = buyer.client.get(link).send().await.unwrap();
        assert_eq!(read.bytes().await.unwrap(), document);
    }
}

/// A plan for the test gateway that has no room is refused as everything else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sandbox_plan_without_room_is_refused_like_any_write() {
    let disk = SmallDisk::mount(32);
    let folder = disk.path().join("data");
    std::fs::create_dir(&folder).unwrap();
    let settings = [
        in_files("a disk of its own"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ];
    let server = Server::on_with(&folder, &settings);
    disk.fill();
    let refused = until(|| async {
        let plan = Client::new()
            .post(server.url("/dev/sandbox/plan"))
            .json(&json!({}));
        let answer = plan.send().await.unwrap();
        // A small write may find its place now and then.
        (answer.status() != StatusCode::OK).then_some(answer)
    })
    .await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    let body: Value = refused.json().await.unwrap();
    assert_eq!(body["message"]["code"], "storage_full", "{body}");
}
