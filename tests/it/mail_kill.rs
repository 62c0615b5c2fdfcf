//! The server is killed between the commit of an enquiry and the mail about it, and between any two words with the mail server:
//! every mail arrives, and one that arrives again is the same mail (RELIABILITY R11). The seed fixes after which words, and the
//! how many of them, each kill comes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use futures::future::join_all;
use reqwest::Client;
use serde_json::Value;
use tests::sample::{Dice, Sample};
use tests::{Server, sample};

use crate::mail::Heard;
use crate::market::until;
use crate::visitor::enquiry;

/// How many kills: in the gate, and in all.
const KILLS: &str = "LATCHKEY_TEST_MAIL_KILLS";
const KILLS_USUALLY: (usize, usize) = (20, 200);
/// So many are enough for a mail to be missed.
const KILLS_OF_THE_CONTROL: usize = 9;
const SENDERS: usize = 4;
/// After what the server is killed, each once in three kills: an enquiry was answered, the mail server was told a recipient, it took a mail.
/// The server is killed after one of so many next ones.
const NEXT: usize = 4;
const MOMENTS: [&str; 3] = ["answered", "recipient", "mail"];

fn start(folder: &Path, url: &str, planted: Option<&str>) -> Server {
    let mut settings = vec![
        ("LATCHKEY_SMTP_URL", url),
        ("LATCHKEY_MAIL_FROM", "rooms@mail.example"),
        // Nobody counts what comes from this machine.
        ("LATCHKEY_DEV_TOOLS", "true"),
    ];
    settings.extend(planted.map(|name| ("LATCHKEY_PLANTED_FAULT", name)));
    Server::on_with(folder, &settings)
}

/// Enquires again and again, each time as somebody else; gives who was answered.
async fn send(url: String, name: String, over: Arc<AtomicBool>, heard: Heard) -> Vec<String> {
    let (client, mut answered) = (Client::new(), Vec::new());
    for number in 0.. {
        if over.load(Relaxed) {
            break;
        }
        let email = format!("{name}n{number}@example.org");
        let sent = client
            .post(&url)
            .json(&enquiry("Ada Lovelace", &email))
            .send()
            .await;
        if sent.is_ok_and(|answer| answer.status().is_success()) {
            heard.note("answered", &email);
            answered.push(email);
        }
    }
    answered
}

/// Kills the server `kills` times and gives those who were answered and got nothing, and how many mails came twice.
async fn kills(kills: usize, dice: &mut Dice, planted: Option<&str>) -> (BTreeSet<String>, usize, usize) {
    let (heard, folder) = (Heard::default(), tempfile::tempdir().unwrap());
    let mails = heard.start(&["--slow"]);
    let mut server = start(folder.path(), &mails.url(), planted);
    let mut answered = Vec::new();
    let mut moments = MOMENTS;
    for round in 0..kills {
        if round % MOMENTS.len() == 0 {
            dice.shuffle(&mut moments);
        }
        let over = Arc::<AtomicBool>::default();
        let senders: Vec<_> = (0..SENDERS)
            .map(|sender| {
                let name = format!("r{round}s{sender}");
                let url = server.url("/api/v0/leads");
                tokio::spawn(send(url, name, over.clone(), heard.clone()))
            })
            .collect();
        let moment = moments[round % MOMENTS.len()];
        let wanted = heard.count(moment) + 1 + dice.place(NEXT);
        until(async || (heard.count(moment) >= wanted).then_some(())).await;
        server.kill();
        over.store(true, Relaxed);
        for sender in join_all(senders).await {
            answered.extend(sender.unwrap());
        }
        server.restart();
    }
    let desk = folder.path().join("desk.db");
    until(async || (mails_waiting(&desk)? == 0).then_some(())).await;
    // An effect that was struck again and again looks after its mail minutes later, or at the next start.
    server.restart();
    until(async || waits_for_nothing(&server, &desk).await).await;
    let mut twice = 0;
    let mut missing = BTreeSet::new();
    for email in &answered {
        let mails = heard.of("mail", email);
        let ids: BTreeSet<&str> = mails.iter().filter_map(|mail| mail["id"].as_str()).collect();
        assert!(ids.len() <= 1, "{email} got several mails: {ids:?}");
        twice += usize::from(mails.len() > 1);
        if mails.is_empty() {
            missing.insert(email.clone());
        }
    }
    (missing, answered.len(), twice)
}

fn count(file: &Path, query: &str) -> Option<i64> {
    let database = rusqlite::Connection::open(file).ok()?;
    database.query_row(query, [], |row| row.get(0)).ok()
}

fn mails_waiting(desk: &Path) -> Option<i64> {
    count(desk, "select count(*) from message where state = 'waiting'")
}

/// Whether the reactor has seen all, and every mail is on its way no more.
async fn waits_for_nothing(server: &Server, desk: &Path) -> Option<()> {
    let ready = reqwest::get(server.url("/readyz")).await.ok()?;
    let head = ready.json::<Value>().await.ok()?["head"].as_i64()?;
    let agenda = desk.with_file_name("reactor.db");
    let seen = count(&agenda, "select position from progress")?;
    let effects = count(&agenda, "select count(*) from outbox where done_ms is null")?;
    let mails = mails_waiting(desk)?;
    (seen >= head && effects == 0 && mails == 0).then_some(())
}

/// No kill loses a mail, and a mail that comes again has the id it had.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_server_loses_no_mail_and_repeats_its_id() {
    let Sample {
        rounds: [count],
        mut dice,
    } = sample!(KILLS => KILLS_USUALLY);
    let (missing, answered, twice) = kills(count, &mut dice, None).await;
    assert_eq!(missing, BTreeSet::new());
    assert!(answered >= count);
    println!(
        "{count} kills, {answered} enquiries answered, none without its mail, {twice} mails came again under their id"
    );
}

/// A mail that counts as sent before the mail server took it is missing after a kill.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_mail_marked_before_sending_is_missed() {
    let mut dice = sample!().dice;
    let (missing, ..) = kills(KILLS_OF_THE_CONTROL, &mut dice, Some("sent_before_send")).await;
    assert!(!missing.is_empty(), "the planted fault was not noticed");
}
