//! What cannot be read, because something is wrong with a program or a file, stops nothing else: whoever is not concerned
//! hears from us as ever, and the operator is told.

use eventlog::{Actor, Append, Context, Expected, NewEvent, StreamAppend, StreamId};
use reqwest::StatusCode;
use tests::Server;
use uuid::Uuid;

use crate::market::{log_of, until};
use crate::stored::{self, Part};
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
    let log = log_of(&server).await;
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
    let nobody = Uuid::nil();
    let unknown = format!(
        "insert into outbox (id, event_id, correlation_id, effect, due_ms, lane, attempts)
         values ('of-a-newer-program:0', '{nobody}', '{nobody}', '{{\"SingAloud\":{{}}}}', 0, 'messages', 5)"
    );
    stored::change(&server, Part::Outbox, &unknown);
    is_told(&server, "mei@example.com").await;
    let asked = "select error from outbox where id = 'of-a-newer-program:0'";
    let named = until(|| async { stored::cell(&server, Part::Outbox, asked) }).await;
    assert!(named.contains("SingAloud"), "{named}");
    let examined = server.refused(&["doctor"]);
    assert!(examined.contains("`of-a-newer-program:0`"), "{examined}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_cannot_be_read_keeps_nobody_from_being_forgotten() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    is_told(&server, "mei@example.com").await;
    let log = log_of(&server).await;
    let mut append = Append::new(&Context::new(std::time::SystemTime::now().into(), Actor::SYSTEM));
    append.streams.push(StreamAppend {
        stream: StreamId::stored("booking_form", Uuid::now_v7()),
        expected: Expected::Any,
        events: vec![event("BookingFormStarted", br#"{"Nonsense":{}}"#)],
    });
    log.append(append).await.unwrap();
    let said = server.run(&["forget", "--email", "mei@example.com"]);
    assert!(said.contains("forgotten"), "{said}");
    let again = server.refused(&["forget", "--email", "mei@example.com"]);
    assert!(again.contains("no account has this address"), "{again}");
}
