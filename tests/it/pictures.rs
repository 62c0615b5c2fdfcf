//! Pictures through the front door: what a shared link shows, and what is no picture.

use reqwest::{Client, Response, StatusCode};
use serde_json::Value;
use tests::Server;

async fn get(path: &str) -> Response {
    Client::new()
        .get(Server::shared().url(path))
        .send()
        .await
        .unwrap()
}

/// A drawn picture is shared by no link: there nothing says that it is no photo.
#[tokio::test]
async fn a_shared_link_shows_no_drawing() {
    let homes: Value = get("/api/v1/inventories?region_canonical_name=leeds&limit=1")
        .await
        .json()
        .await
        .unwrap();
    let home = homes["data"]["result"][0]["canonical_name"].as_str().unwrap();
    let home = format!("/places/{home}");
    for page in [
        "/",
        "/places/search/leeds",
        "/places/search/united-kingdom",
        &home,
    ] {
        let payload: Value = get(&format!("/_page?url={page}")).await.json().await.unwrap();
        assert_eq!(payload["data"]["head"]["image"], Value::Null, "{page}");
    }
}

#[tokio::test]
async fn only_what_is_in_the_catalogue_has_pictures() {
    let server = Server::shared();
    let homes: Value = get("/api/v1/inventories?region_canonical_name=leeds&limit=1")
        .await
        .json()
        .await
        .unwrap();
    let shown = homes["data"]["result"][0]["images"][0]["path"].as_str().unwrap();
    for path in [
        shown,
        "/pictures/leeds/city.svg",
        "/pictures/university-of-leeds/city.80.jpg",
    ] {
        assert_eq!(get(path).await.status(), StatusCode::OK, "{path}");
    }
    for path in [
        "/pictures/zz-1/exterior.svg",
        "/pictures/zz-1/exterior.720.jpg",
        "/pictures/leeds-99999999/bedroom.svg",
        "/pictures/atlantis/city.svg",
    ] {
        let seen_before = Client::new()
            .get(server.url(path))
            .header("if-none-match", "\"art-2\"");
        for answer in [get(path).await, seen_before.send().await.unwrap()] {
            assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
            let body: Value = answer.json().await.unwrap();
            assert_eq!(body["message"]["code"], "not_found", "{path}: {body}");
        }
    }
}

#[tokio::test]
async fn what_is_no_picture_is_answered_404_in_the_envelope() {
    for path in [
        "/pictures/leeds-7/bedroom.81.jpg",
        "/pictures/leeds-7/bedroom.99999x99999.png",
        "/pictures/leeds-7/bedroom.240.gif",
        "/pictures/leeds-7/cellar.240.jpg",
        "/pictures/..%2F..%2Flog/bedroom.240.jpg",
        "/pictures/LEEDS/bedroom.240.jpg",
        "/pictures/leeds-7/bedroom-..%2Fx.240.jpg",
    ] {
        let answer = get(path).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["message"]["code"], "not_found", "{path}: {body}");
    }
}
