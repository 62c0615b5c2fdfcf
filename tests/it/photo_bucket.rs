//! Photos in a bucket, which nodes share: kept, served, missed and deleted there. The bucket speaks the protocol of `s3://` as far as a picture store needs it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use reqwest::Client;
use serde_json::json;
use tests::Server;

use crate::photo_host::{PhotoHost, home_with, import_home, list_files, photo};
use crate::visitor::Visitor;

const CHANGED: &str = "Sun, 29 Nov 2026 12:00:00 GMT";

type Objects = Arc<Mutex<BTreeMap<String, Bytes>>>;

/// A bucket called `rooms`.
struct Bucket {
    address: SocketAddr,
    objects: Objects,
}

impl Bucket {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let objects = Objects::default();
        let kept = objects.clone();
        let answer = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
            let answer = answer(&kept, &method, &uri, &headers, body);
            async move { answer }
        };
        let bucket = Router::new().fallback(answer);
        tokio::spawn(async move { axum::serve(listener, bucket).await });
        Self { address, objects }
    }

    fn names(&self) -> Vec<String> {
        self.objects.lock().unwrap().keys().cloned().collect()
    }
}

fn answer(objects: &Objects, method: &Method, uri: &Uri, headers: &HeaderMap, body: Bytes) -> Response {
    // A bucket takes no call without a signature.
    if !headers.contains_key(header::AUTHORIZATION) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let mut objects = objects.lock().unwrap();
    let name = uri
        .path()
        .trim_start_matches("/rooms")
        .trim_start_matches('/')
        .to_owned();
    let marks = [(header::ETAG, "\"1\""), (header::LAST_MODIFIED, CHANGED)];
    match *method {
        Method::GET if name.is_empty() => list(&objects, uri.query().unwrap_or_default()).into_response(),
        Method::GET | Method::HEAD => match objects.get(&name) {
            Some(bytes) => (marks, bytes.clone()).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
        Method::PUT => {
            objects.insert(name, body);
            marks.into_response()
        }
        Method::DELETE => {
            objects.remove(&name);
            StatusCode::NO_CONTENT.into_response()
        }
        _ => StatusCode::NOT_IMPLEMENTED.into_response(),
    }
}

fn list(objects: &BTreeMap<String, Bytes>, query: &str) -> String {
    let prefix = query.split('&').find_map(|part| part.strip_prefix("prefix="));
    let prefix = prefix.unwrap_or_default().replace("%2F", "/");
    let mut answer = "<?xml version=\"1.0\"?><ListBucketResult><IsTruncated>false</IsTruncated>".to_owned();
    for (name, bytes) in objects.iter().filter(|(name, _)| name.starts_with(&prefix)) {
        let size = bytes.len();
        write!(
            answer,
            "<Contents><Key>{name}</Key><LastModified>2026-11-29T12:00:00.000Z</LastModified><ETag>1</ETag><Size>{size}</Size></Contents>"
        )
        .unwrap();
    }
    answer + "</ListBucketResult>"
}

#[tokio::test(flavor = "multi_thread")]
async fn bucket_keeps_photos_and_loses_those_that_are_taken_down() {
    let bucket = Bucket::start().await;
    let files = BTreeMap::from([("front.jpg".to_owned(), photo(900, 600, [40, 160, 90]))]);
    let host = PhotoHost::start(files).await;
    let (endpoint, socket) = (format!("http://{}", bucket.address), host.socket());
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_OUTBOUND_PERMITTED", socket.as_str()),
        ("LATCHKEY_PICTURES", "s3://rooms/house"),
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "eu-west-2"),
        ("AWS_ACCESS_KEY_ID", "one"),
        ("AWS_SECRET_ACCESS_KEY", "two"),
    ]);
    import_home(&server, &[host.url("front.jpg")]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let page = home_with(&desk, 1).await;
    let files = list_files(&page);
    for path in &files {
        let answer = Client::new().get(server.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
    let names = bucket.names();
    assert!(names.iter().all(|name| name.starts_with("house/")), "{names:?}");
    let originals = |names: &[String]| names.iter().filter(|name| name.contains("/originals/")).count();
    assert_eq!(originals(&names), 1);
    assert!(!server.folder().join("photos").exists());

    let original = names.iter().find(|name| name.contains("/originals/")).unwrap();
    let bytes = bucket.objects.lock().unwrap().remove(original).unwrap();
    let said = server.refused(&["doctor"]);
    let hash = original.rsplit('/').next().unwrap();
    assert!(
        said.contains("not in their store") && said.contains(hash),
        "{said}"
    );
    bucket.objects.lock().unwrap().insert(original.clone(), bytes);

    let home = page["data"]["id"].as_str().unwrap();
    let path = format!("/api/v0/workspace/homes/{home}/photos");
    let photo_id = desk.get(&path).await.data()["photos"][0]["photo_id"].clone();
    let asked = json!({ "photo_id": photo_id, "reason": "It shows a tenant", "is_final": true });
    desk.post(&format!("{path}/take_down"), asked).await.data();
    assert_eq!(bucket.names(), [""; 0]);
    for path in &files {
        let answer = Client::new().get(server.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
}
