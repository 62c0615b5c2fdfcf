//! Files in conversations: students and staff send them, both read them, and a person who is forgotten leaves none.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::Server;

use crate::visitor::Visitor;

const PDF: &[u8] =
    b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n";

async fn sent(
    server: &Server,
    from: &Visitor<'_>,
    path: &str,
    name: &str,
    bytes: &[u8],
) -> (StatusCode, Value) {
    let request = from.client().post(server.url(path)).header("x-file-name", name);
    let request = request.header("content-type", "application/octet-stream");
    let answer = request.body(bytes.to_vec()).send().await.unwrap();
    let status = answer.status();
    (status, answer.json().await.unwrap_or(Value::Null))
}

async fn read(server: &Server, by: &Visitor<'_>, path: &str) -> (StatusCode, Vec<u8>) {
    let answer = by.client().get(server.url(path)).send().await.unwrap();
    (answer.status(), answer.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn conversation_carries_files_of_both_sides() {
    let server = Server::start();
    let (mei, desk, other) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    mei.log_in("mei@example.com").await;
    other.log_in("jo@example.com").await;
    desk.log_in_as("support").await;
    let opening = json!({ "topic": "booking", "subject": "My visa letter", "words": "Here it is." });
    let case = mei.post("/api/v0/support/cases", opening).await.data().clone();
    let id = case["case_id"].as_str().unwrap();
    let own = format!("/api/v0/support/cases/{id}/attachments");
    let (status, bad) = sent(&server, &mei, &own, "visa.exe", b"MZ\x90\x00 no document").await;
    assert_eq!(
        (status, &bad["errors"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("file"))
    );
    let (status, thread) = sent(&server, &mei, &own, "visa.pdf", PDF).await;
    assert_eq!(status, StatusCode::CREATED, "{thread}");
    let kept = &thread["data"]["attachments"][0];
    assert_eq!(
        (kept["name"].as_str(), kept["side"].as_str()),
        (Some("visa.pdf"), Some("person"))
    );
    let (_, again) = sent(&server, &mei, &own, "visa.pdf", PDF).await;
    assert_eq!(again["data"]["attachments"].as_array().unwrap().len(), 1);
    let staffs = format!("/api/v0/workspace/cases/{id}/attachments");
    let file = kept["attachment_id"].as_str().unwrap();
    assert_eq!(
        read(&server, &desk, &format!("{staffs}/{file}")).await.0,
        StatusCode::OK
    );
    assert_eq!(
        read(&server, &other, &format!("{own}/{file}")).await.0,
        StatusCode::NOT_FOUND
    );
    let (status, view) = sent(&server, &desk, &staffs, "letter.pdf", PDF).await;
    assert_eq!(status, StatusCode::CREATED, "{view}");
    let answer = view["data"]["attachments"][1]["attachment_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let (status, bytes) = read(&server, &mei, &format!("{own}/{answer}")).await;
    assert_eq!((status, bytes.starts_with(b"%PDF")), (StatusCode::OK, true));
    let folder = server.folder().join("documents");
    let files = || std::fs::read_dir(&folder).map_or(0, Iterator::count);
    assert!(server.database().is_some() || files() == 2);
    server.run(&["forget", "--email", "mei@example.com"]);
    assert_eq!(
        read(&server, &desk, &format!("{staffs}/{file}")).await.0,
        StatusCode::NOT_FOUND
    );
    assert_eq!(files(), 0);
}
