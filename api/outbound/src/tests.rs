//! Calls against servers of their own on free ports, with name servers that answer as each test says.

use std::collections::HashMap;
use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures::future::BoxFuture;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::*;

mod permitted;

const LIMITS: Limits = Limits {
    connect: Duration::from_secs(30),
    total: Duration::from_mins(1),
    received: 64 * 1024,
    unpacked: 256 * 1024,
};
/// Bounds a call that never gets its answer: the test waits for it once.
const SHORT: Duration = Duration::from_millis(100);

/// The reply of a server to one connection, after it has read the request.
#[derive(Clone)]
enum Reply {
    Bytes(Vec<u8>),
    /// Sends this and then neither goes on nor hangs up.
    Held(Vec<u8>),
    /// Sends a head and then zeros for as long as the caller takes them.
    Endless,
}

/// A server that gives its replies in order, the last one for ever.
struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let heads = Arc::clone(&requests);
        tokio::spawn(async move {
            for turn in 0.. {
                let Ok((stream, _)) = listener.accept().await else {
                    return;
                };
                let reply = replies[turn.min(replies.len() - 1)].clone();
                tokio::spawn(answer(stream, reply, Arc::clone(&heads)));
            }
        });
        Self { address, requests }
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// The server's address under a name.
    fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/feed", self.address.port())
    }
}

async fn answer(mut stream: TcpStream, reply: Reply, heads: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_gone) => return,
        }
    }
    heads
        .lock()
        .unwrap()
        .push(String::from_utf8_lossy(&head).into_owned());
    match reply {
        Reply::Bytes(bytes) => {
            let _gone = stream.write_all(&bytes).await;
            // Hangs up before it reads the rest: closing with unread bytes would take the answer back.
            let _gone = stream.shutdown().await;
            let _gone = stream.read_to_end(&mut Vec::new()).await;
        }
        Reply::Held(bytes) => {
            let _gone = stream.write_all(&bytes).await;
            let _hung_up = stream.read_u8().await;
        }
        Reply::Endless => {
            let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            while sent.is_ok() {
                sent = stream.write_all(&[b'0'; 4096]).await;
            }
        }
    }
}

fn ok(body: &str) -> Reply {
    Reply::Bytes(
        format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .into_bytes(),
    )
}

fn redirect_to(place: &str) -> Reply {
    Reply::Bytes(
        format!("HTTP/1.1 302 Found\r\nlocation: {place}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            .into_bytes(),
    )
}

fn packed(encoding: &str, body: &[u8]) -> Reply {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-encoding: {encoding}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    Reply::Bytes([head.as_bytes(), body].concat())
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// Answers names from a list; the n-th question for a name gets the n-th answer, the last one for ever.
#[derive(Default)]
struct Names {
    answers: HashMap<&'static str, Vec<&'static str>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    fn answering(answers: &[(&'static str, &[&'static str])]) -> Arc<Self> {
        Arc::new(Self {
            answers: answers
                .iter()
                .map(|(name, addresses)| (*name, addresses.to_vec()))
                .collect(),
            asked: Mutex::default(),
        })
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Resolver for Names {
    fn find_addresses<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        let mut asked = self.asked.lock().unwrap();
        let turn = asked.iter().filter(|name| *name == host).count();
        asked.push(host.to_owned());
        let addresses = self.answers.get(host).map_or_else(Vec::new, |answers| {
            let answer = answers[turn.min(answers.len() - 1)];
            answer
                .split(' ')
                .map(|address| address.parse().unwrap())
                .collect()
        });
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// A name server that never answers.
struct Silent;

impl Resolver for Silent {
    fn find_addresses<'a>(&'a self, _host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<IpAddr>>> {
        Box::pin(std::future::pending())
    }
}

fn outbound(permitted: &[&Server], names: &Arc<Names>) -> Outbound {
    let policy = Policy {
        permitted: permitted.iter().map(|server| server.address).collect(),
        plain_http: true,
    };
    let names: Arc<Names> = Arc::clone(names);
    Outbound::open(policy, names).unwrap()
}

async fn fetch(outbound: &Outbound, address: &str) -> Result<(Answer, Vec<u8>), OutboundError> {
    outbound.fetch(Call::get(address, LIMITS).unwrap()).await
}

#[tokio::test]
async fn answer_comes_from_the_checked_address() {
    let server = Server::start(vec![ok("three homes")]).await;
    let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
    let outbound = outbound(&[&server], &names);
    let (answer, body) = fetch(&outbound, &server.url("feeds.example")).await.unwrap();
    assert_eq!((answer.status, body), (200, b"three homes".to_vec()));
    assert_eq!(
        answer.sizes,
        Sizes {
            received: 11,
            unpacked: 11
        }
    );
    assert_eq!(names.asked(), 1);
    assert!(server.requests()[0].contains(&format!("feeds.example:{}", server.address.port())));
}

#[tokio::test]
async fn private_addresses_are_never_connected_to() {
    let server = Server::start(vec![ok("secrets")]).await;
    let port = server.address.port();
    let names = Names::answering(&[
        ("inner.example", &["10.0.0.1"]),
        ("loop.example", &["127.0.0.1"]),
        ("mixed.example", &["1.1.1.1 127.0.0.1"]),
        ("mapped.example", &["::ffff:127.0.0.1"]),
        ("nat64.example", &["64:ff9b::127.0.0.1"]),
        ("tunnel.example", &["2002:7f00:1::1"]),
        ("cloud.example", &["169.254.169.254"]),
        ("localhost", &["127.0.0.1"]),
    ]);
    let outbound = outbound(&[], &names);
    for host in [
        "inner.example",
        "loop.example",
        "mixed.example",
        "mapped.example",
        "nat64.example",
        "tunnel.example",
        "cloud.example",
        "localhost",
        "127.0.0.1",
        "127.1",
        "0x7f.0.0.1",
        "2130706433",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:7f00:1]",
        "[fd00:ec2::254]",
        "0.0.0.0",
    ] {
        let error = fetch(&outbound, &format!("http://{host}:{port}/feed"))
            .await
            .unwrap_err();
        assert!(
            matches!(error, OutboundError::Forbidden { .. }),
            "{host}: {error}"
        );
        assert!(!error.is_temporary());
    }
    assert_eq!(server.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn redirect_into_a_private_network_is_refused() {
    let inner = Server::start(vec![ok("secrets")]).await;
    for place in [
        inner.url("127.0.0.1"),
        inner.url("inner.example"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        format!("//[::1]:{}/feed", inner.address.port()),
    ] {
        let outer = Server::start(vec![redirect_to(&place)]).await;
        let names = Names::answering(&[
            ("feeds.example", &["127.0.0.1"]),
            ("inner.example", &["127.0.0.1"]),
        ]);
        let outbound = outbound(&[&outer], &names);
        let error = fetch(&outbound, &outer.url("feeds.example")).await.unwrap_err();
        assert!(
            matches!(error, OutboundError::Forbidden { .. }),
            "{place}: {error}"
        );
    }
    assert_eq!(inner.requests(), Vec::<String>::new());
}

/// The name is public when it is checked and private when it would be asked again.
#[tokio::test]
async fn rebound_name_is_asked_once_per_hop() {
    let server = Server::start(vec![redirect_to("/again"), ok("secrets")]).await;
    let names = Names::answering(&[("turning.example", &["127.0.0.1", "10.0.0.1"])]);
    let outbound = outbound(&[&server], &names);
    let error = fetch(&outbound, &server.url("turning.example"))
        .await
        .unwrap_err();
    let network = Network::Private;
    assert!(
        matches!(&error, OutboundError::Forbidden { network: found, .. } if *found == network),
        "{error}"
    );
    assert_eq!((names.asked(), server.requests().len()), (2, 1));
}

#[tokio::test]
async fn redirects_are_followed_five_times() {
    let step = |number: usize| redirect_to(&format!("/step-{number}"));
    let mut replies: Vec<Reply> = (1..=REDIRECTS_MAX).map(step).collect();
    replies.push(ok("there"));
    let server = Server::start(replies).await;
    let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
    let outbound = outbound(&[&server], &names);
    let (answer, body) = fetch(&outbound, &server.url("feeds.example")).await.unwrap();
    assert_eq!((answer.url.path(), body), ("/step-5", b"there".to_vec()));

    let turning = Server::start(vec![redirect_to("/round")]).await;
    let outbound = self::outbound(&[&turning], &names);
    let error = fetch(&outbound, &turning.url("feeds.example")).await.unwrap_err();
    assert!(
        matches!(error, OutboundError::RedirectedTooOften { .. }),
        "{error}"
    );
    assert_eq!(turning.requests().len(), REDIRECTS_MAX + 1);
}

#[tokio::test]
async fn headers_stay_with_the_host_they_are_for() {
    let other = Server::start(vec![ok("there")]).await;
    let first = Server::start(vec![redirect_to(&other.url("other.example"))]).await;
    let names = Names::answering(&[
        ("feeds.example", &["127.0.0.1"]),
        ("other.example", &["127.0.0.1"]),
    ]);
    let outbound = outbound(&[&first, &other], &names);
    let call = Call::get(&first.url("feeds.example"), LIMITS)
        .unwrap()
        .with_header(AUTHORIZATION, HeaderValue::from_static("Bearer secret"));
    outbound.fetch(call).await.unwrap();
    assert!(first.requests()[0].contains("Bearer secret"));
    assert!(!other.requests()[0].contains("secret"));
}

#[tokio::test]
async fn posted_body_is_not_sent_on_by_a_redirect() {
    let server = Server::start(vec![redirect_to("/elsewhere")]).await;
    let names = Names::answering(&[("hooks.example", &["127.0.0.1"])]);
    let outbound = outbound(&[&server], &names);
    let call = Call::post(&server.url("hooks.example"), b"{}".to_vec(), LIMITS).unwrap();
    let error = outbound.fetch(call).await.unwrap_err();
    assert!(matches!(error, OutboundError::BodyRedirected(_)), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn only_https_is_called_unless_permitted() {
    let names = Names::answering(&[("feeds.example", &["1.1.1.1"])]);
    let strict = Outbound::open(Policy::default(), Arc::clone(&names) as Arc<dyn Resolver>).unwrap();
    let error = fetch(&strict, "http://feeds.example/").await.unwrap_err();
    assert!(matches!(error, OutboundError::Plain(_)), "{error}");
    for address in [
        "ftp://feeds.example/",
        "file:///etc/passwd",
        "gopher://feeds.example/",
    ] {
        let error = fetch(&strict, address).await.unwrap_err();
        assert!(matches!(error, OutboundError::Scheme(_)), "{address}: {error}");
    }
    assert!(Call::get("feeds.example/homes", LIMITS).is_err());
    assert_eq!(names.asked(), 0);
}

#[tokio::test]
async fn large_bodies_end_at_their_bound() {
    let declared = Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n".to_vec());
    for reply in [declared, Reply::Endless] {
        let server = Server::start(vec![reply]).await;
        let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
        let outbound = outbound(&[&server], &names);
        let error = fetch(&outbound, &server.url("feeds.example")).await.unwrap_err();
        assert!(matches!(error, OutboundError::TooLarge { .. }), "{error}");
    }
}

#[tokio::test]
async fn packed_bodies_are_bounded_after_unpacking() {
    let homes = vec![b'h'; 200 * 1024];
    let bomb = gzip(&vec![0; 8 * 1024 * 1024]);
    let mut cut = gzip(&homes);
    cut.truncate(cut.len() - 9);
    let server = Server::start(vec![
        packed("gzip", &gzip(&homes)),
        packed("gzip", &bomb),
        packed("gzip", &cut),
        packed("gzip", b"no gzip at all, in spite of what the head says"),
        packed("br", b"brotli"),
        packed("gzip, gzip", &gzip(&gzip(b"twice"))),
    ])
    .await;
    let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
    let outbound = outbound(&[&server], &names);
    let url = server.url("feeds.example");
    let (answer, body) = fetch(&outbound, &url).await.unwrap();
    assert_eq!(body, homes);
    assert!(answer.sizes.received < answer.sizes.unpacked);
    let mut errors = Vec::new();
    for _ in 0..5 {
        errors.push(fetch(&outbound, &url).await.unwrap_err());
    }
    let [too_large, cut, damaged, brotli, twice] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert!(
        matches!(too_large, OutboundError::UnpacksTooLarge { .. }),
        "{too_large}"
    );
    assert!(matches!(cut, OutboundError::DamagedPacking(_)), "{cut}");
    assert!(matches!(damaged, OutboundError::DamagedPacking(_)), "{damaged}");
    assert!(matches!(brotli, OutboundError::UnknownPacking { .. }), "{brotli}");
    assert!(matches!(twice, OutboundError::UnknownPacking { .. }), "{twice}");
}

#[tokio::test]
async fn slow_answers_end_at_their_time() {
    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_vec();
    for held in [half, Vec::new()] {
        let server = Server::start(vec![Reply::Held(held)]).await;
        let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
        let outbound = outbound(&[&server], &names);
        let limits = Limits {
            total: SHORT,
            ..LIMITS
        };
        let call = Call::get(&server.url("feeds.example"), limits).unwrap();
        let error = outbound.fetch(call).await.unwrap_err();
        assert!(matches!(error, OutboundError::Late { .. }), "{error}");
        assert!(error.is_temporary());
    }
    let silent = Outbound::open(Policy::default(), Arc::new(Silent)).unwrap();
    let limits = Limits {
        connect: SHORT,
        ..LIMITS
    };
    let call = Call::get("https://feeds.example/", limits).unwrap();
    let error = silent.fetch(call).await.unwrap_err();
    assert!(matches!(error, OutboundError::ConnectLate { .. }), "{error}");
}

#[tokio::test]
async fn broken_answers_are_named() {
    let short = Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_vec());
    let missing = Reply::Bytes(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_vec());
    let nowhere = Reply::Bytes(b"HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n".to_vec());
    let server = Server::start(vec![short, missing, nowhere]).await;
    let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
    let outbound = outbound(&[&server], &names);
    let url = server.url("feeds.example");
    let error = fetch(&outbound, &url).await.unwrap_err();
    assert!(matches!(error, OutboundError::BrokenOff(_)), "{error}");
    let error = fetch(&outbound, &url).await.unwrap_err();
    assert!(
        matches!(error, OutboundError::Status { status: 404, .. }),
        "{error}"
    );
    let error = fetch(&outbound, &url).await.unwrap_err();
    assert!(matches!(error, OutboundError::RedirectedNowhere(_)), "{error}");
    let error = fetch(&outbound, "http://no-such-name.example/")
        .await
        .unwrap_err();
    assert!(matches!(error, OutboundError::UnknownHost(_)), "{error}");
}

/// A plain server where TLS is expected: no answer, and no address with its path in the error.
#[tokio::test]
async fn errors_name_the_host_and_no_secret() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _gone = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
    let policy = Policy {
        permitted: vec![address],
        plain_http: false,
    };
    let outbound = Outbound::open(policy, names).unwrap();
    let url = format!("https://feeds.example:{}/feed?key=secret", address.port());
    let error = fetch(&outbound, &url).await.unwrap_err();
    assert!(matches!(error, OutboundError::NoConnection(_)), "{error}");
    let said = error.to_string();
    assert!(
        said.contains("feeds.example") && !said.contains("secret"),
        "{said}"
    );
}
