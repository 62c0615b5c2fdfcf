//! Uploads that are refused before their body is read: the refusal arrives at clients that send on, and behind nginx, instead of a
//! connection that breaks.

use std::net::SocketAddr;

use reqwest::{Client, StatusCode};
use tests::nginx::Nginx;
use tests::sample::Sample;
use tests::{Server, sample};

use crate::bounds::{address, answered};

const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data; boundary=x";
const ID: &str = "01923456-789a-7bcd-8ef0-123456789abc";

/// An upload: where to, as what, how long in MB, and the refusal.
struct Upload {
    path: String,
    kind: &'static str,
    megabytes: usize,
    refusal: StatusCode,
}

fn upload(path: &str, kind: &'static str, megabytes: usize, refusal: StatusCode) -> Upload {
    Upload {
        path: format!("/api/v0/{path}"),
        kind,
        megabytes,
        refusal,
    }
}

/// Too long, and without a login.
fn uploads() -> [Upload; 5] {
    let [document, case] = [
        format!("booking_forms/{ID}/documents"),
        format!("support/cases/{ID}/attachments"),
    ];
    [
        upload("leads", JSON, 3, StatusCode::PAYLOAD_TOO_LARGE),
        upload("leads", JSON, 12, StatusCode::PAYLOAD_TOO_LARGE),
        upload(&document, FORM, 12, StatusCode::PAYLOAD_TOO_LARGE),
        upload(&case, FORM, 8, StatusCode::UNAUTHORIZED),
        upload(
            "workspace/reconciliation/file",
            "text/csv",
            12,
            StatusCode::UNAUTHORIZED,
        ),
    ]
}

impl Upload {
    fn body(&self) -> Vec<u8> {
        vec![b'x'; self.megabytes * 1024 * 1024]
    }

    /// Sends all of it before it reads, as plain clients do.
    async fn refused_to_plain_client(&self, server: &Server) {
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
            self.path,
            self.kind,
            self.body().len()
        );
        let sent = [head.into_bytes(), self.body()].concat();
        let answer = answered(server, &sent).await;
        let status = format!("HTTP/1.1 {}", self.refusal.as_u16());
        assert!(
            answer.starts_with(&status) && answer.ends_with('}'),
            "{} with {} MB, refused by {}: {answer}",
            self.path,
            self.megabytes,
            self.refusal
        );
    }

    /// Sends it to nginx; gives what is wrong with the answer.
    async fn refused_behind(&self, nginx: SocketAddr) -> Option<String> {
        let url = format!("http://{nginx}{}", self.path);
        let request = Client::new().post(url).header("content-type", self.kind);
        let answer = match request.body(self.body()).send().await {
            Ok(answer) => answer,
            Err(error) => return Some(format!("{} with {} MB: {error}", self.path, self.megabytes)),
        };
        let status = answer.status();
        let body = answer.text().await.unwrap_or_default();
        let is_right = status == self.refusal && body.contains("user_friendly_message");
        (!is_right).then(|| format!("{} with {} MB: {status} {body}", self.path, self.megabytes))
    }
}

/// The server ends its own half and reads on: a client that sends everything first reads the whole refusal then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusal_reaches_a_client_that_sends_everything_first() {
    let server = Server::start();
    let others = [
        upload("leads", "text/plain", 3, StatusCode::UNSUPPORTED_MEDIA_TYPE),
        upload("regions", JSON, 3, StatusCode::METHOD_NOT_ALLOWED),
    ];
    for upload in uploads().into_iter().chain(others) {
        upload.refused_to_plain_client(&server).await;
    }
}

/// nginx passes every refusal on, whether it reads the body first, sends it on as it comes, or does as our documentation says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusal_passes_nginx() {
    let Sample { rounds: [rounds], .. } = sample!("LATCHKEY_TEST_NGINX_ROUNDS" => (1, 8));
    let server = Server::start();
    let nginx = Nginx::before(address(&server));
    let mut wrong = Vec::new();
    for front in [nginx.buffering, nginx.passing, nginx.documented] {
        for _ in 0..rounds {
            for upload in uploads() {
                wrong.extend(upload.refused_behind(front).await);
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
