//! Sockets of the operator's own network, and answers that are still the same.

use super::*;

fn strict(permitted: &[&Server], names: &Arc<Names>) -> Outbound {
    let policy = Policy {
        permitted: permitted.iter().map(|server| server.address).collect(),
        plain_http: false,
    };
    let names: Arc<Names> = Arc::clone(names);
    Outbound::open(policy, names).unwrap()
}

/// A permitted socket is called without TLS where its number is written, and neither by a name nor by a redirect.
#[tokio::test]
async fn permitted_socket_takes_http_by_its_number_alone() {
    let inner = Server::start(vec![ok("three homes")]).await;
    let names = Names::answering(&[("inner.example", &["127.0.0.1"])]);
    let outbound = strict(&[&inner], &names);
    let (_, body) = fetch(&outbound, &inner.url("127.0.0.1")).await.unwrap();
    assert_eq!(body, b"three homes");
    let error = fetch(&outbound, &inner.url("inner.example")).await.unwrap_err();
    assert!(matches!(error, OutboundError::Plain(_)), "{error}");
    let other = Server::start(vec![ok("secrets")]).await;
    let error = fetch(&outbound, &other.url("127.0.0.1")).await.unwrap_err();
    assert!(matches!(error, OutboundError::Plain(_)), "{error}");
    let outer = Server::start(vec![redirect_to(&inner.url("127.0.0.1"))]).await;
    let outbound = strict(&[&inner, &outer], &names);
    let error = fetch(&outbound, &outer.url("127.0.0.1")).await.unwrap_err();
    assert!(matches!(error, OutboundError::Plain(_)), "{error}");
    assert_eq!(inner.requests().len(), 1);
    assert_eq!(other.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn marks_of_an_earlier_answer_are_sent_back() {
    let same = Reply::Bytes(b"HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".to_vec());
    let server = Server::start(vec![same]).await;
    let names = Names::answering(&[("feeds.example", &["127.0.0.1"])]);
    let outbound = outbound(&[&server], &names);
    let marked = |etag: &str| {
        let call = Call::get(&server.url("feeds.example"), LIMITS).unwrap();
        call.with_marks(Some(etag), Some("Sun, 29 Nov 2026 10:00:00 GMT"))
    };
    let (answer, body) = outbound.fetch(marked("\"a1\"")).await.unwrap();
    assert_eq!((answer.status, body), (304, Vec::new()));
    // A mark that would break the head is left out.
    outbound
        .fetch(marked("\"a1\"\r\nhost: other.example"))
        .await
        .unwrap();
    let requests = server.requests();
    let [first, second] = &requests[..] else {
        panic!("{requests:?}");
    };
    assert!(first.contains("if-none-match: \"a1\"\r\n"), "{first}");
    assert!(
        first.contains("if-modified-since: Sun, 29 Nov 2026 10:00:00 GMT\r\n"),
        "{first}"
    );
    assert!(
        second.contains("if-modified-since") && !second.contains("if-none-match"),
        "{second}"
    );
}
