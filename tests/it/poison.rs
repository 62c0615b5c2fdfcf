//! What cannot be read, because something is wrong with a program or a file, stops nothing else: whoever is not concerned
//! hears from us as ever, and the operator is told.

use eventlog::{Actor, Append, Context, EventLog, Expected, NewEvent, StreamAppend, StreamId};
use reqwest::StatusCode;
use tests::Server;
use uuid::Uuid;

use crate::market::until;
use crate::visitor::{Visitor, enquiry};

/// Somebody enquires, and the mail that says so arrives.
async fn is_told(server: &Server, email: &str) {
    let person = Visitor::new(server);
    let sent = person.post("/api/v0/leads", enquiry("Mei Lin", email)).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    until(|| async {
        let outbox = person.get(&format!("/dev/outbox?to={email}")).await;
        (!outbox.data().as_array().unwrap().is_empty()).then_some(())
    })
    .await;
}

fn event(event_type: &str, payload: &[u8]) -> NewEvent {
    NewEvent {
        event_id: Uuid::now_v7(),
        event_type: event_type.to_owned(),
        schema_version: 1,
        payload: payload.to_vec(),
        subject: None,
        personal: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_cannot_be_read_holds_up_nobody_elses_mail() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let log = EventLog::open_sqlite(server.folder()).await.unwrap();
    let mut append = Append::new(&Context::new(std::time::SystemTime::now().into(), Actor::SYSTEM));
    append.streams.push(StreamAppend {
        stream: StreamId::stored("payment", Uuid::now_v7()),
        expected: Expected::Any,
        // The first is no payment's; the second can be read, but not what it follows.
        events: vec![
            event("IntentReady", br#"{"Nonsense":{}}"#),
            event("PaymentDelayed", br#"{"PaymentDelayed":{}}"#),
        ],
    });
    log.append(append).await.unwrap();
    is_told(&server, "mei@example.com").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_effect_that_cannot_be_read_holds_up_no_other_and_is_named() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let outbox = rusqlite::Connection::open(server.folder().join("reactor.db")).unwrap();
    outbox.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    outbox
        .execute(
            "insert into outbox (id, event_id, correlation_id, effect, due_ms, lane, attempts)
             values ('of-a-newer-program:0', ?1, ?1, '{\"SingAloud\":{}}', 0, 'messages', 5)",
            [Uuid::nil().to_string()],
        )
        .unwrap();
    is_told(&server, "mei@example.com").await;
    let named = until(|| async {
        let error: Option<String> = outbox
            .query_row(
                "select error from outbox where id = 'of-a-newer-program:0'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        error
    })
    .await;
    assert!(named.contains("SingAloud"), "{named}");
    let examined = server.refused(&["doctor"]);
    assert!(examined.contains("`of-a-newer-program:0`"), "{examined}");
}
