//! Photos of a feed: fetched once, freed of what they say beside the picture, refused where they are none, and gone once taken down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::photo_host::{
    HOME, PhotoHost, bomb, home_with, import_feed, import_home, list_files, noted, photo,
};
use crate::stored::{self, Part};
use crate::visitor::Visitor;

fn server_beside(host: &PhotoHost) -> Server {
    let socket = host.socket();
    Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_OUTBOUND_PERMITTED", socket.as_str()),
    ])
}

fn fetched(server: &Server) -> u64 {
    let question = "select count(*) from event where event_type = 'PhotoFetched'";
    stored::number(server, Part::Log, question)
}

async fn status(server: &Server, path: &str) -> StatusCode {
    Client::new().get(server.url(path)).send().await.unwrap().status()
}

/// Staff's list of the home's photos once none of them is still to be fetched, by these names in the order of the feed.
async fn standings<'n>(desk: &Visitor<'_>, home: &str, names: &[&'n str]) -> BTreeMap<&'n str, Value> {
    let path = format!("/api/v0/workspace/homes/{home}/photos");
    let all = until(|| async {
        let photos = desk.get(&path).await.data()["photos"].clone();
        let all = photos.as_array().unwrap().clone();
        let is_over = all.iter().all(|photo| photo["state"] != "waiting");
        is_over.then_some(all)
    })
    .await;
    assert_eq!(all.len(), names.len());
    names.iter().copied().zip(all).collect()
}

/// A link to the city that is shared shows the photo of a home.
async fn hold_city_shared(visitor: &Visitor<'_>) {
    let shared = until(|| async {
        let city = visitor.get("/_page?url=/places/search/leeds").await.body["data"].clone();
        city["head"]["image"].as_str().map(ToOwned::to_owned)
    })
    .await;
    assert!(
        shared.contains("/pictures/") && shared.ends_with("/720.jpg"),
        "{shared}"
    );
}

/// Staff are told of each photo of the feed where it stands.
async fn hold_told(desk: &Visitor<'_>, home: &str) {
    let names = [
        "front.jpg",
        "page.jpg",
        "phone.heic",
        "bomb.jpg",
        "gone.jpg",
        "private.jpg",
    ];
    let standings = standings(desk, home, &names).await;
    for (name, state, refusal) in [
        ("page.jpg", "refused", "not_a_picture"),
        ("phone.heic", "refused", "format_not_taken"),
        ("bomb.jpg", "refused", "too_many_pixels"),
        ("gone.jpg", "dead", "gone"),
        ("private.jpg", "dead", "not_permitted"),
    ] {
        let told = &standings[name];
        assert_eq!(
            (&told["state"], &told["refusal"]),
            (&json!(state), &json!(refusal)),
            "{name}"
        );
    }
    let gone = &standings["gone.jpg"];
    assert_eq!(gone["answered"], 404);
    assert!(
        gone["tried_at"].is_string() && gone["next_try_at"].is_string(),
        "{gone}"
    );
    assert_eq!(gone["host"], "127.0.0.1", "the rest of an address may hold a key");
    let shown = &standings["front.jpg"];
    assert_eq!(
        (&shown["state"], &shown["source"]["kind"]),
        (&json!("ready"), &json!("feed"))
    );
    assert!(shown["source"]["run_id"].is_string(), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn photos_of_a_feed_are_shown_and_what_is_none_is_named() {
    let files = BTreeMap::from([
        (
            "front.jpg".to_owned(),
            noted(&photo(1_600, 1_200, [180, 120, 60])),
        ),
        (
            "page.jpg".to_owned(),
            b"<!doctype html><title>Log in</title>".to_vec(),
        ),
        ("phone.heic".to_owned(), b"\0\0\0\x18ftypheic\0\0\0\0".to_vec()),
        ("bomb.jpg".to_owned(), bomb()),
    ]);
    let host = PhotoHost::start(files).await;
    let server = server_beside(&host);
    let mut photos = ["front.jpg", "page.jpg", "phone.heic", "bomb.jpg", "gone.jpg"]
        .map(|name| host.url(name))
        .to_vec();
    photos.push("http://10.0.0.1/private.jpg".to_owned());
    import_home(&server, &photos);
    let visitor = Visitor::new(&server);
    let page = home_with(&visitor, 1).await;
    let shown = &page["data"]["photos"][0];
    assert_eq!(
        (&shown["width"], &shown["height"]),
        (&json!(1_200), &json!(1_600))
    );
    assert!(shown["preview"].as_str().unwrap().starts_with("data:image/webp"));
    let shared = page["head"]["image"].as_str().unwrap();
    assert!(
        shared.contains("/pictures/") && shared.contains(".jpg"),
        "{shared}"
    );
    hold_city_shared(&visitor).await;
    for path in list_files(&page) {
        let answer = Client::new().get(server.url(&path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let cached = answer.headers()["cache-control"].to_str().unwrap().to_owned();
        assert!(cached.contains("immutable"), "{path}: {cached}");
        let bytes = answer.bytes().await.unwrap();
        let says = |words: &[u8]| bytes.windows(words.len()).any(|part| part == words);
        assert!(!says(b"Exif") && !says(b"Rico"), "{path}");
    }
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let home = page["data"]["id"].as_str().unwrap();
    let pictures = desk.get(&format!("/api/v0/workspace/homes/{home}")).await.data()["pictures"].clone();
    let widest = shown["sources"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|source| source["width"] == 720);
    let seen: Vec<&Value> = widest.map(|source| &source["jpeg"]).collect();
    assert_eq!(pictures, json!(seen), "staff see the photo that students see");
    hold_told(&desk, home).await;
    assert_eq!((host.asked("front.jpg"), fetched(&server)), (1, 1));
}

/// One photo from two addresses is one picture, and is gone from both.
#[tokio::test(flavor = "multi_thread")]
async fn photo_that_is_taken_down_is_gone_in_every_size() {
    let front = photo(900, 600, [40, 160, 90]);
    let files = BTreeMap::from([
        ("front.jpg".to_owned(), front.clone()),
        ("same.jpg".to_owned(), front),
        ("bed.jpg".to_owned(), photo(900, 600, [40, 60, 190])),
    ]);
    let host = PhotoHost::start(files).await;
    let server = server_beside(&host);
    import_home(
        &server,
        &["front.jpg", "same.jpg", "bed.jpg"].map(|name| host.url(name)),
    );
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let page = home_with(&desk, 2).await;
    let home = page["data"]["id"].as_str().unwrap();
    let standings = standings(&desk, home, &["front.jpg", "same.jpg", "bed.jpg"]).await;
    let asked = json!({ "photo_id": standings["same.jpg"]["photo_id"], "reason": "It shows a tenant" });
    let path = format!("/api/v0/workspace/homes/{home}/photos/take_down");
    let without_reason = desk
        .post(
            &path,
            json!({ "photo_id": standings["same.jpg"]["photo_id"], "reason": "" }),
        )
        .await;
    assert_eq!(without_reason.status, StatusCode::UNPROCESSABLE_ENTITY);
    desk.post(&path, asked).await.data();
    let left = home_with(&desk, 1).await;
    let kept = list_files(&left);
    for path in list_files(&page) {
        let expected = if kept.contains(&path) {
            StatusCode::OK
        } else {
            StatusCode::NOT_FOUND
        };
        assert_eq!(status(&server, &path).await, expected, "{path}");
    }
    assert!(kept.len() < list_files(&page).len());
    assert_eq!(status(&server, &format!("/places/{HOME}")).await, StatusCode::OK);
}

/// A server that is killed in the middle goes on where it was: no photo is written twice, and what is shown is whole.
#[tokio::test(flavor = "multi_thread")]
async fn killed_server_fetches_each_photo_once() {
    const PHOTOS: u8 = 12;
    let names: Vec<String> = (0..PHOTOS).map(|number| format!("{number}.jpg")).collect();
    let photos = (0..PHOTOS).map(|number| photo(500, 400, [number * 20, 90, 200 - number * 10]));
    let files: BTreeMap<String, Vec<u8>> = names.iter().cloned().zip(photos).collect();
    // It is killed while half of them are still to come, however fast the machine is.
    let host = PhotoHost::start_with(files, usize::from(PHOTOS) / 2).await;
    let mut server = server_beside(&host);
    let urls: Vec<String> = names.iter().map(|name| host.url(name)).collect();
    import_home(&server, &urls);
    until(|| async { (fetched(&server) >= 3).then_some(()) }).await;
    server.kill();
    assert!(
        fetched(&server) < u64::from(PHOTOS),
        "it was killed in the middle"
    );
    host.answer_all();
    server.restart();
    let visitor = Visitor::new(&server);
    let page = home_with(&visitor, usize::from(PHOTOS)).await;
    for path in list_files(&page) {
        assert_eq!(status(&server, &path).await, StatusCode::OK, "{path}");
    }
    assert_eq!(fetched(&server), u64::from(PHOTOS));
    // Those that were under way when it was killed were asked for again, no others.
    let asked: usize = names.iter().map(|name| host.asked(name)).sum();
    assert!(asked <= usize::from(PHOTOS) + 4, "{asked}");
}

/// The files in a folder and in folders below it.
fn list_below(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files
}

/// A photo beside the feed's file is taken in with it and kept once; a path that leads out of the folder is named. Once it is taken down,
/// nothing of it is in the store, and no later import brings it back.
#[tokio::test(flavor = "multi_thread")]
async fn photo_beside_the_file_is_taken_in_with_it() {
    let server = Server::start();
    let store = server.folder().join("photos");
    let folder = server.beside("photos");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("1.jpg"), noted(&photo(900, 600, [40, 160, 90]))).unwrap();
    let cell = [r#""[""photos/1.jpg"",""../secret.jpg""]""#.to_owned()];
    import_home(&server, &cell);
    let report = std::fs::read_to_string(server.beside("errors.csv")).unwrap();
    assert!(report.contains("../secret.jpg"), "{report}");
    let visitor = Visitor::new(&server);
    let page = home_with(&visitor, 1).await;
    let files = list_files(&page);
    for path in &files {
        assert_eq!(status(&server, path).await, StatusCode::OK, "{path}");
    }
    let shown = &page["data"]["photos"][0];
    assert_eq!((&shown["width"], &shown["height"]), (&json!(600), &json!(900)));
    until(|| async { list_below(&store.join("incoming")).is_empty().then_some(()) }).await;

    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let home = page["data"]["id"].as_str().unwrap();
    let path = format!("/api/v0/workspace/homes/{home}/photos");
    let photo_id = desk.get(&path).await.data()["photos"][0]["photo_id"].clone();
    let asked = json!({ "photo_id": photo_id, "reason": "It shows a tenant", "is_final": true });
    desk.post(&format!("{path}/take_down"), asked).await.data();
    assert!(list_below(&store).is_empty(), "{:?}", list_below(&store));
    import_feed(&server, &cell);
    assert!(list_below(&store).is_empty(), "{:?}", list_below(&store));
}
