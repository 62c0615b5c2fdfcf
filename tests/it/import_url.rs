//! `latchkey import` of an address: it is fetched whole and within bounds, and what brings no feed is refused with one sentence.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use tests::Server;

use crate::feed_host::{MAP, SECRET, feed, rows};
use crate::receiver::{Answer, Receiver};
use crate::stored::{self, Part};

fn server_beside(socket: &str) -> Server {
    Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_OUTBOUND_PERMITTED", socket),
    ])
}

/// The command for an address, with a report at `report`.
fn command<'a>(address: &'a str, report: &'a str) -> [&'a str; 6] {
    ["import", address, "--map", MAP, "--report", report]
}

fn listed(server: &Server) -> u64 {
    let question = "select count(*) from event where event_type = 'PropertyListed'";
    stored::number(server, Part::Log, question)
}

#[tokio::test(flavor = "multi_thread")]
async fn feed_at_an_address_is_imported_as_a_file_is() {
    let host = Receiver::start(|_, _| feed(rows(3)));
    let server = server_beside(&format!("127.0.0.1:{}", host.port));
    let report = server.folder().join("errors.csv");
    let report = report.to_str().unwrap();
    let address = format!("http://127.0.0.1:{}/leeds.csv?key={SECRET}", host.port);
    let said = server.run(&command(&address, report));
    assert!(said.contains("3 added") && !said.contains(SECRET), "{said}");
    let again = server.run(&command(&address, report));
    assert!(again.contains("3 unchanged"), "{again}");
    assert_eq!((listed(&server), host.received().len()), (3, 2));
}

/// What a host answers at each path of the story.
fn answer_without_feed(path: &str) -> Answer {
    let to = |place: &str| Answer {
        headers: vec![("location", place.to_owned())],
        ..Answer::status(302)
    };
    let of = |kind: &str, body: &str| Answer {
        headers: vec![("content-type", kind.to_owned())],
        body: body.to_owned(),
        ..Answer::status(200)
    };
    match path.split(['?', '#']).next().unwrap_or_default() {
        "/page" => of("text/html", "\n<!DOCTYPE html><title>Log in</title>"),
        "/part-of-a-page" => of("text/html; charset=utf-8", "<div>Down for maintenance</div>"),
        "/hidden-page" => of("application/xml", "<?xml version=\"1.0\"?>\n<html xmlns=\"x\"/>"),
        "/empty" => of("text/csv", ""),
        "/nothing" => Answer::status(204),
        "/unasked" => Answer::status(304),
        "/plain" => to("http://127.0.0.1:1/leeds.csv?key=not-for-others"),
        "/inner" => to("https://10.0.0.1/leeds.csv?key=not-for-others"),
        "/cloud" => to("https://169.254.169.254/latest/meta-data/?key=not-for-others"),
        "/round" => to("/round?key=not-for-others"),
        "/busy" => Answer::status(503),
        _ => Answer::status(404),
    }
}

/// Each is one sentence that names the host and not the address, and nothing is written.
#[tokio::test(flavor = "multi_thread")]
async fn address_without_a_feed_is_refused_in_one_sentence() {
    let host = Receiver::start(|asked, _| answer_without_feed(&asked.path));
    let server = server_beside(&format!("127.0.0.1:{}", host.port));
    let report = server.folder().join("errors.csv");
    for (path, says) in [
        ("/page", "a web page where a feed was expected"),
        ("/part-of-a-page", "a web page where a feed was expected"),
        ("/hidden-page", "a web page where a feed was expected"),
        ("/empty", "an empty file"),
        ("/nothing", "answered 204"),
        ("/unasked", "answered 304"),
        ("/gone", "answered 404"),
        ("/busy", "answered 503"),
        ("/plain", "only https:// is called"),
        ("/inner", "a private network"),
        ("/cloud", "a cloud's metadata service"),
        ("/round", "redirects more than 5 times"),
    ] {
        let address = format!("http://127.0.0.1:{}{path}?key={SECRET}", host.port);
        let said = server.refused(&command(&address, report.to_str().unwrap()));
        assert!(said.contains(says) && !said.contains(SECRET), "{path}: {said}");
        let sentences = said.lines().filter(|line| line.starts_with("latchkey: "));
        assert_eq!(sentences.count(), 1, "{path}: {said}");
    }
    assert!(!report.exists());
    assert_eq!(listed(&server), 0);
    let ended = "select count(*) from event where event_type = 'ImportRunEnded'";
    assert_eq!(
        stored::number(&server, Part::Log, ended),
        12,
        "each is a run with its reason"
    );
}

/// A host that says at once how much will come is believed, and the rest is not waited for.
#[tokio::test(flavor = "multi_thread")]
async fn feed_beyond_the_bound_is_refused_before_it_comes() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = listener.local_addr().unwrap().to_string();
    let host = std::thread::spawn(move || {
        let (mut line, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            line.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        line.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ncontent-length: 2000000000\r\n\r\nid,title\n",
        )
        .unwrap();
        // The caller hangs up without the rest.
        let _gone = line.read_to_end(&mut Vec::new());
    });
    let server = server_beside(&socket);
    let report = server.folder().join("errors.csv");
    let address = format!("http://{socket}/leeds.csv?key={SECRET}");
    let said = server.refused(&command(&address, report.to_str().unwrap()));
    assert!(
        said.contains("is larger than") && !said.contains(SECRET),
        "{said}"
    );
    host.join().unwrap();
    assert!(!report.exists());
}

/// A socket that the setting does not name stays closed, though another one is permitted.
#[tokio::test(flavor = "multi_thread")]
async fn permitted_socket_opens_no_other_one() {
    let (named, other) = (
        Receiver::start(|_, _| feed(rows(1))),
        Receiver::start(|_, _| feed(rows(1))),
    );
    let server = server_beside(&format!("127.0.0.1:{}", named.port));
    let report = server.folder().join("errors.csv");
    for (address, says) in [
        (
            format!("http://127.0.0.1:{}/leeds.csv", other.port),
            "only https://",
        ),
        (
            format!("https://127.0.0.1:{}/leeds.csv", other.port),
            "this machine itself",
        ),
        (
            format!("http://localhost:{}/leeds.csv", named.port),
            "only https://",
        ),
    ] {
        let said = server.refused(&command(&address, report.to_str().unwrap()));
        assert!(said.contains(says), "{address}: {said}");
    }
    assert_eq!((named.received().len(), other.received().len()), (0, 0));
}
