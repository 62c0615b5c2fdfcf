//! What an enquiry costs, and what is told of it the moment it is answered.

use std::process::Stdio;
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use tests::Server;

use crate::limits::question;
use crate::market::{AUTUMN, House, furnish, log_of, until};
use crate::visitor::{Visitor, enquiry};

/// How many additions the log has answered, by how they ended.
async fn appends(metrics: &str) -> Option<u64> {
    let told = reqwest::get(metrics).await.unwrap().text().await.unwrap();
    let rests = told.lines().any(|line| line == "latchkey_outbox_waiting 0");
    let ended = told
        .lines()
        .filter(|line| line.starts_with("latchkey_appends_total{"));
    let all = ended
        .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
        .sum();
    rests.then_some(all)
}

/// An enquiry of somebody new is one addition to the log and the message about it another.
#[tokio::test]
async fn first_enquiry_is_one_append_and_its_message_another() {
    let address = tests::free_address();
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_METRICS_LISTEN", &address.to_string()),
    ]);
    let metrics = format!("http://{address}/metrics");
    let visitor = Visitor::new(&server);
    let before = until(|| appends(&metrics)).await;
    for (number, key) in ["", "first", "second"].into_iter().enumerate() {
        let person = format!("philippa.{number}@example.com");
        let headers: &[(&str, &str)] = if key.is_empty() {
            &[]
        } else {
            &[("idempotency-key", key)]
        };
        let body = Some(enquiry("Philippa Quill", &person));
        let sent = visitor.call(Method::POST, "/api/v0/leads", body, headers).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
        // Its own, and the reactor's note that the message about it went out.
        let so_far = before + 2 * (number as u64 + 1);
        let all = until(|| async {
            let all = appends(&metrics).await?;
            (all >= so_far).then_some(all)
        });
        assert_eq!(all.await, so_far);
    }
    let log = log_of(&server).await;
    let events = log.read_all(0, 100).await.unwrap();
    let requests = events.chunk_by(|one, next| one.correlation_id == next.correlation_id);
    for of_one in requests {
        let types: Vec<&str> = of_one.iter().map(|event| &*event.event_type).collect();
        let person = ["HandleClaimed", "UserRegistered"];
        let lead = [
            "LeadCreated",
            "LeadEnquired",
            "LeadMessageSent",
            "LeadLetterPosted",
        ];
        assert_eq!(types, [&person[..], &lead].concat());
    }
}

/// Keeps the read models from taking anything in, until it is dropped.
fn hold_read_models(server: &Server) -> rusqlite::Connection {
    let held = rusqlite::Connection::open(server.folder().join("read.db")).unwrap();
    held.busy_timeout(Duration::from_secs(10)).unwrap();
    held.execute_batch("begin immediate").unwrap();
    held
}

/// An enquiry is answered before the read models know it and whoever asks next finds it.
#[tokio::test]
async fn enquiry_is_answered_early_and_the_next_reader_finds_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::on(folder.path());
    let (support, student) = (Visitor::new(&server), Visitor::new(&server));
    support.log_in_as("support").await;
    student.log_in("mei@example.com").await;
    // A program that does not send back where in the log its answer ended.
    let program = Client::new();
    let lists = [
        (&support, "/api/v0/workspace/leads?q=LINK"),
        (&student, "/api/v0/users/activity?tab=enquired"),
    ];
    for (number, (reader, list)) in lists.into_iter().enumerate() {
        let held = hold_read_models(&server);
        let lead: Value = if number == 0 {
            let sent = program
                .post(server.url("/api/v0/leads"))
                .json(&enquiry("Ada Byron", "ada@example.com"));
            sent.send().await.unwrap().json().await.unwrap()
        } else {
            let sent = student
                .post("/api/v0/leads", question("mei@example.com", number))
                .await;
            sent.body
        };
        let lead = &lead["data"];
        let (id, link) = (lead["id"].as_str().unwrap(), lead["uuid"].as_str().unwrap());
        // The browser forgets where in the log it was.
        let list = reader
            .client()
            .get(server.url(&list.replace("LINK", link)))
            .send();
        let mut asking = std::pin::pin!(list);
        let early = tokio::time::timeout(Duration::from_millis(200), &mut asking).await;
        assert!(
            early.is_err(),
            "answered without what was answered for: {early:?}"
        );
        drop(held);
        let told = asking.await.unwrap().text().await.unwrap();
        assert!(told.contains(id) || told.contains(link), "{told}");
        let shown = program
            .get(server.url(&format!("/api/v0/leads/{link}")))
            .send()
            .await;
        assert_eq!(shown.unwrap().status(), StatusCode::OK);
    }
}

/// An enquiry that was answered opens by its link while the read models stand still.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answered_enquiry_opens_by_link_while_read_models_stall() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::on(folder.path());
    let client = Client::new();
    let held = hold_read_models(&server);
    let sent = client
        .post(server.url("/api/v0/leads"))
        .json(&enquiry("Mei Lin", "mei@example.com"));
    let sent: Value = sent.send().await.unwrap().json().await.unwrap();
    let link = sent["data"]["lead_uuid"].as_str().unwrap();
    let opened = client.get(server.url(&format!("/api/v0/leads/{link}"))).send();
    let opened = opened.await.unwrap();
    assert_eq!(opened.status(), StatusCode::OK);
    let opened: Value = opened.json().await.unwrap();
    assert_eq!(opened["data"]["user_details"]["name"], "Mei Lin");
    // Nobody's link is nobody's, without a wait.
    let nobody = "01920000-0000-4000-8000-000000000000";
    let absent = client.get(server.url(&format!("/api/v0/leads/{nobody}"))).send();
    assert_eq!(absent.await.unwrap().status(), StatusCode::NOT_FOUND);
    drop(held);
}

/// Nothing of somebody's comes into the log after it said that they are forgotten.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forgotten_person_gains_no_event_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::on(folder.path());
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1)]],
        token_minor: 0,
    };
    furnish(&server, 0, &house).await;
    let about_the_house = |email: &str, number: usize| {
        let mut body = question(email, number);
        body["lead"]["inventory_id"] = "0193a000-0000-7000-8000-000000000001".into();
        body
    };
    let post = |body: Value| {
        let sent = Client::new().post(server.url("/api/v0/leads")).json(&body).send();
        async move { sent.await.unwrap() }
    };
    until(async || {
        let known = post(about_the_house("mei@example.com", 0)).await;
        (known.status() == StatusCode::CREATED).then_some(())
    })
    .await;
    // What a known person asked before is looked up, and waits for what was answered: her second enquiry stands between
    // what it saw of her account and the log.
    let held = hold_read_models(&server);
    assert_eq!(
        post(question("ada@example.com", 0)).await.status(),
        StatusCode::CREATED
    );
    let asking = tokio::spawn(post(about_the_house("mei@example.com", 1)));
    let mut forgetting = server
        .command(&["forget", "--email", "mei@example.com"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let log = log_of(&server).await;
    let forgotten = until(async || {
        let events = log.read_all(0, 1_000).await.unwrap();
        let said = events
            .iter()
            .find(|event| event.event_type == "SubjectForgotten")?;
        Some((said.position, said.stream.id))
    });
    let (position, person) = forgotten.await;
    drop(held);
    let answered = asking.await.unwrap();
    assert!(forgetting.wait().unwrap().success());
    let after = log.read_all(position, 1_000).await.unwrap();
    let hers = after
        .iter()
        .filter(|event| event.subject_id.is_some_and(|subject| subject.0 == person));
    let hers: Vec<&str> = hers.map(|event| &*event.event_type).collect();
    assert!(hers.is_empty(), "{hers:?} after {}", answered.status());
}

/// Nobody is shown what another was answered under the same key with the same words.
#[tokio::test]
async fn idempotent_answer_is_never_shown_to_another_person() {
    let server = Server::start();
    let (mei, li, nobody) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    mei.log_in("mei@example.com").await;
    li.log_in("li@example.com").await;
    let send = async |visitor: &Visitor<'_>, key: &str| {
        let body = Some(enquiry("Mei Lin", "mei@example.com"));
        let headers = [("idempotency-key", key)];
        let sent = visitor.call(Method::POST, "/api/v0/leads", body, &headers).await;
        (sent.status, sent.data()["lead_uuid"].clone())
    };
    let (status, first) = send(&mei, "k1").await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(send(&mei, "k1").await, (StatusCode::OK, first.clone()));
    for other in [&li, &nobody] {
        let (status, answered) = send(other, "k1").await;
        assert_ne!(answered, first);
        assert_eq!(status, StatusCode::CREATED);
    }
}
