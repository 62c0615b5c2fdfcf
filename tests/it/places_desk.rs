//! Staff correct a place: its names and its centre change on every page, its homes are counted anew, and no import takes it back
//! (decision 0048).

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::import_missing::{Feed, rows};
use crate::market::until;
use crate::visitor::{Answer, Visitor};

/// Leeds as the desk sees it.
async fn leeds(desk: &Visitor<'_>) -> Value {
    let found = desk.get("/api/v0/workspace/places?text=leeds").await;
    let lines = found.data().as_array().unwrap().clone();
    let city = lines
        .iter()
        .find(|line| line["canonical_name"] == "leeds")
        .unwrap();
    let path = format!("/api/v0/workspace/places/{}", city["id"].as_str().unwrap());
    desk.get(&path).await.data().clone()
}

async fn mend(desk: &Visitor<'_>, place: &Value, edit: Value) -> Answer {
    let mut body = json!({ "revision": place["revision"], "reason": "The centre stood in a field" });
    body.as_object_mut()
        .unwrap()
        .extend(edit.as_object().unwrap().clone());
    let path = format!("/api/v0/workspace/places/{}", place["id"].as_str().unwrap());
    desk.call(Method::PATCH, &path, Some(body), &[]).await
}

/// The list goes on behind the places that were read already.
#[tokio::test]
async fn places_are_listed_page_by_page() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=3, "Loft"), &[]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    until(|| async { (leeds(&desk).await["homes"] == 3).then_some(()) }).await;
    let list = async |path: &str| desk.get(path).await.data().as_array().unwrap().clone();
    let first = list("/api/v0/workspace/places").await;
    let behind = list("/api/v0/workspace/places?skip=1").await;
    assert!(!first.is_empty());
    assert_eq!(first[1..], behind[..first.len() - 1]);
    assert!(list("/api/v0/workspace/places?skip=1000000").await.is_empty());
}

#[tokio::test]
async fn mended_place_is_so_on_every_page_and_stays() {
    let server = Server::start();
    let feed = Feed::new(&server, "north");
    feed.import(&rows(1..=3, "Loft"), &[]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    until(|| async { (leeds(&desk).await["homes"] == 3).then_some(()) }).await;
    let before = leeds(&desk).await;
    assert_eq!(before["is_mended"], false);
    let swapped = json!({ "centre": { "lat": -1.54, "lng": 53.8 } });
    let refused = mend(&desk, &before, swapped).await;
    assert_eq!(
        (refused.status, refused.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["centre"])
    );
    let edit = json!({ "centre": { "lat": 53.5, "lng": -1.5 }, "local_names": { "zh": "利茲" }, "found_by": ["LS1", "Loidis"] });
    let mended = mend(&desk, &before, edit.clone()).await;
    assert_eq!(mended.data()["centre"], json!({ "lat": 53.5, "lng": -1.5 }));
    // Whoever read it before is told.
    let late = mend(&desk, &before, edit).await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "changed_meanwhile")
    );
    // Its homes stand too far from the new centre to be found around it.
    until(|| async { (leeds(&desk).await["homes"] == 0).then_some(()) }).await;
    let page = desk
        .get("/_page?url=/places/search/leeds%3Flang=zh")
        .await
        .data()
        .clone();
    assert_eq!(page["data"]["region"]["name"], "利茲");
    assert_eq!(
        [&page["data"]["center"]["lat"], &page["data"]["center"]["lng"]],
        [53.5, -1.5]
    );
    feed.import(&rows(1..=4, "Loft"), &[]);
    let now = leeds(&desk).await;
    assert_eq!(
        (&now["centre"]["lat"], &now["is_mended"]),
        (&json!(53.5), &json!(true))
    );
}
