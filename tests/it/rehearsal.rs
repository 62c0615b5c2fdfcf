//! A drill on a restored copy reaches nobody (`latchkey serve --rehearsal`).

use serde_json::Value;
use tests::{REHEARSAL, Server, in_files, refused_on};

use crate::backup::{asked, back_up, restore};
use crate::feed_host::FeedHost;
use crate::market::{Market, until};
use crate::stored::{self, Part};

/// How many holds the clock has ended in a server's log.
fn ended_holds(server: &Server) -> u64 {
    let question = "select count(*) from event where event_type = 'HoldExpired'";
    stored::number(server, Part::Log, question)
}

/// A rehearsal on a restored copy reaches no mail server and no webhook, is refused by the gateway and ends no hold; what is
/// served in earnest from the same backup does all of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rehearsal_reaches_nobody_and_ends_no_hold() {
    let settings = [
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_HOLD_SECONDS", "8"),
    ];
    let market = Market::open(&[1, 1], &settings).await;
    let server = &market.server;
    market.person(1, 0).begun().await;
    until(|| async { (ended_holds(server) > 0).then_some(()) }).await;
    let question = "select min(position) - 1 from event where event_type = 'HoldExpired'";
    let before = stored::number(server, Part::Log, question).to_string();
    let (copy, _) = back_up(server, "backup").await;
    let cut = ["--position", &*before];
    let (drill, earnest) = (
        restore(server, &copy, "drill", &cut).await,
        restore(server, &copy, "earnest", &cut).await,
    );
    let outside = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    outside.set_nonblocking(true).unwrap();
    let port = outside.local_addr().unwrap().port();
    let (mails, hook) = (
        format!("smtp://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}/hook"),
    );
    let house = [
        ("LATCHKEY_SMTP_URL", &*mails),
        ("LATCHKEY_MAIL_FROM", "rooms@mail.example"),
        ("LATCHKEY_ALERT_URL", &*hook),
    ];

    let original = refused_on(
        server.folder(),
        &["serve", "--rehearsal", "--listen", "127.0.0.1:0"],
    );
    assert!(original.contains("another server works on"), "{original}");
    let rehearsing = Server::on_with(&drill, &[&house[..], &[(REHEARSAL, "1")]].concat());
    let ready: Value = reqwest::get(rehearsing.url("/readyz"))
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(
        (&ready["status"], &ready["rehearsal"]),
        (&"ready".into(), &true.into())
    );
    *market.address.lock().unwrap() = rehearsing.url("");
    let buyer = market.person(2, 1);
    let token = buyer.open().await;
    let refused = buyer.begin(&token).await;
    assert_eq!(refused["status"], "init_failure", "{refused}");
    let kept = "select count(*) from message where recipient = 'buyer2@example.com' and state = 'sent'";
    until(|| async { (stored::number(&rehearsing, Part::Desk, kept) > 0).then_some(()) }).await;
    assert_eq!(ended_holds(&rehearsing), 0, "timers stand still");
    drop(rehearsing);
    let nobody = outside.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(nobody, Err(std::io::ErrorKind::WouldBlock));
    let again = refused_on(&drill, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(again.contains("served a rehearsal"), "{again}");

    let serving = Server::on_with(&earnest, &house);
    until(|| async { (ended_holds(&serving) > 0).then_some(()) }).await;
    asked(&serving, "bo@example.com").await;
    until(|| async { outside.accept().ok() }).await;
    drop(serving);
    let too_late = refused_on(&earnest, &["serve", "--rehearsal", "--listen", "127.0.0.1:0"]);
    assert!(
        too_late.contains("was not made by `latchkey restore`"),
        "{too_late}"
    );
}

/// A rehearsal on a restored copy fetches no feed of its settings; what is served in earnest from the same backup does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rehearsal_fetches_no_feed() {
    let original = Server::with(&[
        in_files("`backup` and `restore` are for files"),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ]);
    asked(&original, "ada@example.com").await;
    let (copy, _) = back_up(&original, "backup").await;
    let (drill, earnest) = (
        restore(&original, &copy, "drill", &[]).await,
        restore(&original, &copy, "earnest", &[]).await,
    );
    let (host, file) = (FeedHost::start(2), original.beside("feeds.toml"));
    std::fs::write(&file, host.feeds_file()).unwrap();
    let socket = host.socket();
    let feeds = [
        ("LATCHKEY_FEEDS", file.to_str().unwrap()),
        ("LATCHKEY_OUTBOUND_PERMITTED", &*socket),
    ];
    let rehearsing = Server::on_with(&drill, &[&feeds[..], &[(REHEARSAL, "1")]].concat());
    asked(&rehearsing, "bo@example.com").await;
    let kept = "select count(*) from message where recipient = 'bo@example.com'";
    until(|| async { (stored::number(&rehearsing, Part::Desk, kept) > 0).then_some(()) }).await;
    drop(rehearsing);
    assert_eq!(host.asked(), 0);
    let serving = Server::on_with(&earnest, &feeds);
    until(|| async { (host.asked() == 1).then_some(()) }).await;
    let listed = "select count(*) from event where event_type = 'PropertyListed'";
    until(|| async { (stored::number(&serving, Part::Log, listed) == 2).then_some(()) }).await;
}
