//! What one client may take of the server (R19, decision 0030), and which requests it answers at all: over bare sockets, because a
//! well-behaved client sends none of these.

use std::net::SocketAddr;
use std::time::Duration;

use tests::Server;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::market::until;

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn address(server: &Server) -> SocketAddr {
    let url = server.url("");
    url.trim_start_matches("http://").parse().unwrap()
}

/// A connection from an address of this machine.
async fn connected(server: &Server, last: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 9, last], 0))).unwrap();
    socket.connect(address(server)).await.unwrap()
}

/// Sends bytes and gives all that comes until the server closes the connection; nothing when it is cut.
pub(crate) async fn answered(server: &Server, sent: &[u8]) -> String {
    let mut stream = connected(server, 1).await;
    let talk = async {
        stream.write_all(sent).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&answer).into_owned())
    };
    let talk = tokio::time::timeout(PATIENCE, talk).await;
    talk.unwrap().unwrap_or_default()
}

/// Sockets that the server holds open.
fn sockets(server: &Server) -> usize {
    let entries = std::fs::read_dir(format!("/proc/{}/fd", server.pid())).unwrap();
    let targets = entries.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    targets
        .filter(|target| target.to_string_lossy().starts_with("socket:"))
        .count()
}

/// Clients that send half a request, none, or never read hold nothing after the time they may take.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_keep_the_server_waiting_are_cut() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_CLIENT_WAIT_SECONDS", "2"),
    ]);
    let (before, mut held) = (sockets(&server), Vec::new());
    let endless = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(400);
    let halves = [
        "",
        "P",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ",
        "POST /api/v0/leads HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        endless.as_str(),
    ];
    for half in halves {
        let mut stream = connected(&server, 2).await;
        // The kernel takes it all, whether or not the server reads it.
        stream.write_all(half.as_bytes()).await.unwrap();
        held.push(stream);
    }
    // The last one never reads; what the others see is the end of their connection.
    for stream in held.iter_mut().take(halves.len() - 1) {
        let ended = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut Vec::new())).await;
        assert!(ended.is_ok(), "a connection goes on");
    }
    until(async || (sockets(&server) <= before).then_some(())).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))
        .unwrap();
    let [soft, hard] = [3, 4].map(|place| files.split_whitespace().nth(place).unwrap());
    assert_eq!(soft, hard, "descriptors are raised to the hard limit");
}

/// One address holds so many connections and no more; others are answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_capped_per_address() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_CONNECTIONS_PER_ADDRESS", "3"),
    ]);
    let ask = async |last: u8| {
        let mut stream = connected(&server, last).await;
        let asked = stream
            .write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .await;
        let mut first = [0; 12];
        let read = stream.read_exact(&mut first).await;
        (asked.is_ok() && read.is_ok() && &first == b"HTTP/1.1 200").then_some(stream)
    };
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(ask(3).await.unwrap());
    }
    assert!(ask(3).await.is_none(), "a fourth connection");
    assert!(ask(4).await.is_some(), "another address");
    held.pop();
    until(async || ask(3).await).await;
}

/// A refusal that leaves a body unread keeps the connection: the next request on it is answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_body_does_not_break_the_kept_connection() {
    let server = Server::start();
    let body = "x".repeat(900 * 1024);
    let next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for (path, refusal) in [
        ("/api/v0/nowhere", "404"),
        ("/api/v0/workspace/leads/1/notes", "401"),
        ("/api/v0/leads", "415"),
        ("/healthz", "405"),
    ] {
        let post = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}{next}",
            body.len()
        );
        let answer = answered(&server, post.as_bytes()).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {refusal}")),
            "{path}: {answer}"
        );
        assert!(answer.contains("HTTP/1.1 200 OK"), "{path}: {answer}");
    }
}

/// A request names one host; the developers' pages answer only what is asked of this machine by a name of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_name_one_host_and_developers_pages_a_loopback_one() {
    let server = Server::start();
    for (line, hosts, status) in [
        ("/healthz", "", "400"),
        ("/healthz", "Host: \r\n", "400"),
        ("/healthz", "Host: localhost\r\nHost: localhost\r\n", "400"),
        ("http://evil.example/healthz", "Host: localhost\r\n", "400"),
        ("http://localhost/healthz", "Host: localhost\r\n", "200"),
        ("/healthz", "Host: rooms.example\r\n", "200"),
        ("/dev/outbox", "Host: rooms.example\r\n", "404"),
        ("/dev/outbox", "Host: 127.0.0.1.rooms.example\r\n", "404"),
        ("/dev/outbox", "Host: LOCALHOST:8080\r\n", "200"),
        ("/dev/outbox", "Host: [::1]:8080\r\n", "200"),
    ] {
        let asked = format!("GET {line} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let answer = answered(&server, asked.as_bytes()).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{line} {hosts}: {answer}"
        );
    }
}

/// A list is never longer than its own limit, which is told; no address is so long that its page repeats it without end.
#[tokio::test]
async fn lists_and_addresses_have_a_largest_size() {
    let server = Server::shared();
    let ask = async |path: &str| {
        let answer = reqwest::get(server.url(path)).await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    for list in ["/api/v0/inventories", "/api/v0/regions"] {
        let (status, body) = ask(&format!("{list}?limit=1000000")).await;
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (status, &body["errors"][0]["field"]),
            (422, &"limit".into()),
            "{list}: {body}"
        );
    }
    let long = |bytes: usize| format!("x={}", "y".repeat(bytes));
    for path in [
        format!("/places/search/leeds?{}", long(14_000)),
        format!("/?{}", long(5_000)),
        format!("/_page?url=%2Fplaces%2Fsearch%2Fleeds%3F{}", long(5_000)),
        format!("/api/v0/regions?{}", long(9_000)),
    ] {
        let (status, body) = ask(&path).await;
        assert_eq!(status, 414, "{}", &path[..40]);
        assert!(body.len() < 30_000, "{} bytes of {}", body.len(), &path[..40]);
        assert!(body.contains("too long"), "{body}");
    }
}
