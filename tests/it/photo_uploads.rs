//! Photos that staff send: looked at, shown in every size, arranged over what a feed says, taken down and shown again; and files that are
//! no photos, refused with what to do.

use std::collections::BTreeMap;
use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::forgetting::erased;
use crate::market::until;
use crate::photo_host::{PhotoHost, bomb, home_with, import_feed, import_home, list_files, noted, photo};
use crate::visitor::{Visitor, hold_refused};

fn server_beside(host: &PhotoHost) -> Server {
    let socket = host.socket();
    Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_OUTBOUND_PERMITTED", socket.as_str()),
    ])
}

/// A member of staff at the photos of one home.
struct Desk<'s> {
    server: &'s Server,
    staff: Visitor<'s>,
    path: String,
}

impl<'s> Desk<'s> {
    async fn open(server: &'s Server, home: &str) -> Self {
        let staff = Visitor::new(server);
        staff.log_in_as("support").await;
        let path = format!("/api/v0/workspace/homes/{home}/photos");
        Self { server, staff, path }
    }

    async fn send(&self, query: &str, bytes: Vec<u8>) -> (StatusCode, Value) {
        let url = self.server.url(&format!("{}{query}", self.path));
        let request = self.staff.client().post(url);
        let request = request
            .header("content-type", "application/octet-stream")
            .body(bytes);
        let answer = request.send().await.unwrap();
        (answer.status(), answer.json().await.unwrap_or(Value::Null))
    }

    async fn upload(&self, query: &str, bytes: Vec<u8>) -> Value {
        let (status, body) = self.send(query, bytes).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        body["data"]["photo"].clone()
    }

    async fn list(&self) -> Value {
        self.staff.get(&self.path).await.data().clone()
    }

    /// The list once none of its photos is under way.
    async fn settled(&self) -> Value {
        until(|| async {
            let list = self.list().await;
            let photos = list["photos"].as_array().unwrap();
            let is_over = photos.iter().all(|photo| photo["state"] != "waiting");
            is_over.then_some(list)
        })
        .await
    }

    async fn act(&self, act: &str, photo: &Value) -> Value {
        let asked = json!({ "photo_id": photo["photo_id"], "reason": "It shows a tenant" });
        let path = format!("{}/{act}", self.path);
        self.staff.post(&path, asked).await.data().clone()
    }
}

/// The id of the home of the feed, once its page shows so many photos.
async fn find_home(server: &Server, photos: usize) -> String {
    let visitor = Visitor::new(server);
    let page = home_with(&visitor, photos).await;
    page["data"]["id"].as_str().unwrap().to_owned()
}

/// A picture whose header is whole.
fn half_png() -> Vec<u8> {
    let stripes = RgbImage::from_fn(640, 480, |x, y| Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], 90]));
    let mut bytes = Cursor::new(Vec::new());
    stripes.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let mut bytes = bytes.into_inner();
    bytes.truncate(bytes.len() / 2);
    bytes
}

fn ids(list: &Value, is_named: bool) -> Vec<&str> {
    let photos = list["photos"].as_array().unwrap().iter();
    let some = photos.filter(|photo| photo["is_named"] == is_named);
    some.map(|photo| photo["photo_id"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn photo_of_staff_is_shown_and_stands_over_the_feed() {
    let colours = [("a.jpg", 30), ("b.jpg", 120), ("c.jpg", 210)];
    let files = colours.map(|(name, red)| (name.to_owned(), photo(500, 400, [red, 90, 30])));
    let host = PhotoHost::start(BTreeMap::from(files)).await;
    let server = server_beside(&host);
    import_home(&server, &[host.url("a.jpg"), host.url("b.jpg")]);
    let home = find_home(&server, 2).await;
    let desk = Desk::open(&server, &home).await;
    let sent = desk
        .upload("?kind=kitchen", noted(&photo(900, 600, [40, 160, 90])))
        .await;
    assert_eq!(
        (&sent["kind"], &sent["source"]["kind"]),
        (&json!("kitchen"), &json!("person"))
    );
    let page = home_with(&desk.staff, 3).await;
    for path in list_files(&page) {
        let answer = Client::new().get(server.url(&path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let bytes = answer.bytes().await.unwrap();
        let says = |words: &[u8]| bytes.windows(words.len()).any(|part| part == words);
        assert!(!says(b"Exif") && !says(b"Rico"), "{path}");
    }
    let list = desk.settled().await;
    let own = &list["photos"][2];
    assert_eq!(
        (&own["width"], &own["height"]),
        (&json!(600), &json!(900)),
        "upright"
    );
    assert!(own["thumbnail"].is_string() && own["host"].is_null(), "{own}");
    let [first, second, third] = ids(&list, true)[..] else {
        panic!("{list}");
    };
    let words = json!({ "zh": "蓝色的门" });
    let arranged = json!({ "position": list["position"], "reason": "The kitchen first",
        "photos": [{ "photo_id": third, "alt": words }, { "photo_id": second }, { "photo_id": first }] });
    let after = desk.staff.put(&desk.path, arranged.clone()).await.data().clone();
    assert_eq!(ids(&after, true), [third, second, first]);
    assert_eq!(after["photos"][0]["alt"], words);
    let late = desk.staff.put(&desk.path, arranged).await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "changed_meanwhile")
    );
    // The next feed has one more and one less: order, words and the upload stand.
    import_feed(&server, &[host.url("a.jpg"), host.url("c.jpg")]);
    let list = until(|| async {
        let list = desk.settled().await;
        let is_read = !ids(&list, false).is_empty();
        is_read.then_some(list)
    })
    .await;
    let now = ids(&list, true);
    assert_eq!((now.len(), now[0], now[1]), (3, third, first));
    assert_eq!(list["photos"][0]["alt"], words);
    assert_eq!(ids(&list, false), [second], "named no more, and not forgotten");
    let shown = home_with(&desk.staff, 3).await;
    assert_eq!(shown["data"]["photos"][0]["kind"], "kitchen");
}

#[tokio::test(flavor = "multi_thread")]
async fn file_that_is_no_photo_is_refused_with_what_to_do() {
    let host = PhotoHost::start(BTreeMap::new()).await;
    let server = server_beside(&host);
    import_home(&server, &[]);
    let home = find_home(&server, 0).await;
    let desk = Desk::open(&server, &home).await;
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".to_vec();
    let whole = photo(500, 400, [40, 60, 190]);
    for (bytes, code) in [
        (Vec::new(), "not_a_picture"),
        (svg, "not_a_picture"),
        (b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), "not_a_picture"),
        (b"\0\0\0\x18ftypheic\0\0\0\0".to_vec(), "format_not_taken"),
        (b"\0\0\0\x18ftypavif\0\0\0\0".to_vec(), "format_not_taken"),
        (b"\xFF\xD8\xFF<html><script>alert(1)</script>".to_vec(), "damaged"),
        (bomb(), "too_many_pixels"),
    ] {
        let (status, body) = desk.send("", bytes).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        let fault = &body["errors"][0];
        assert_eq!((&fault["field"], &fault["code"]), (&json!("photo"), &json!(code)));
    }
    let (_, heic) = desk.send("", b"\0\0\0\x18ftypheic\0\0\0\0".to_vec()).await;
    assert!(
        heic["errors"][0]["message"].as_str().unwrap().contains("JPEG"),
        "{heic}"
    );
    let (status, _) = desk.send("", vec![0xff; 20 * 1024 * 1024 + 1]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    for query in [
        "?kind=selfie",
        "?room_id=nowhere",
        "?room_id=01923456-789a-7bcd-8ef0-123456789abd",
    ] {
        let (status, body) = desk.send(query, whole.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}: {body}");
    }
    assert_eq!(desk.list().await["photos"], json!([]));
    let mei = Visitor::new(&server);
    mei.log_in("mei@example.com").await;
    let refused = mei
        .client()
        .post(server.url(&desk.path))
        .body(whole.clone())
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    // Two at once with the same bytes are one photo.
    let (one, other) = tokio::join!(desk.upload("", whole.clone()), desk.upload("", whole));
    assert_eq!(one["photo_id"], other["photo_id"]);
    assert_eq!(ids(&desk.settled().await, true).len(), 1);
    // What breaks off is named once it was looked at whole.
    desk.upload("", half_png()).await;
    let list = desk.settled().await;
    let broken = &list["photos"][1];
    assert_eq!(
        (&broken["state"], &broken["refusal"]),
        (&json!("refused"), &json!("damaged"))
    );
    assert_eq!(broken["can"], json!([]), "it is sent anew");
}

#[tokio::test(flavor = "multi_thread")]
async fn photo_is_taken_down_and_shown_again() {
    let host = PhotoHost::start(BTreeMap::new()).await;
    let server = server_beside(&host);
    import_home(&server, &[]);
    let home = find_home(&server, 0).await;
    let desk = Desk::open(&server, &home).await;
    let bytes = photo(900, 600, [40, 160, 90]);
    let sent = desk.upload("", bytes.clone()).await;
    let files = list_files(&home_with(&desk.staff, 1).await);
    let down = desk.act("take_down", &sent).await;
    let told = &down["photos"][0];
    assert_eq!(
        (&told["state"], &told["can"]),
        (&json!("taken_down"), &json!(["restore"]))
    );
    assert!(
        told["restorable_until"].is_string() && told["thumbnail"].is_null(),
        "{told}"
    );
    for path in &files {
        let answer = Client::new().get(server.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let (status, body) = desk.send("", bytes).await;
    assert_eq!(
        (status, &body["message"]["code"]),
        (StatusCode::CONFLICT, &json!("photo_taken_down"))
    );
    let back = desk.act("restore", &sent).await;
    assert_eq!(back["photos"][0]["state"], "ready");
    home_with(&desk.staff, 1).await;
    for path in &files {
        let answer = Client::new().get(server.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
    assert_eq!(desk.act("restore", &sent).await["photos"][0]["state"], "ready");
    let last = json!({ "photo_id": sent["photo_id"], "reason": "It shows a tenant", "is_final": true });
    let path = format!("{}/take_down", desk.path);
    let gone = desk.staff.post(&path, last).await.data().clone();
    assert_eq!(gone["photos"][0]["can"], json!([]));
    let asked = json!({ "photo_id": sent["photo_id"], "reason": "A mistake" });
    let refused = desk.staff.post(&format!("{}/restore", desk.path), asked).await;
    assert_eq!(
        (refused.status, refused.code()),
        (StatusCode::CONFLICT, "photo_original_gone")
    );
    let without_reason = json!({ "photo_id": sent["photo_id"], "reason": " " });
    let refused = desk
        .staff
        .post(&format!("{}/restore", desk.path), without_reason)
        .await;
    hold_refused(&refused, "reason", "a restoration");
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_address_is_asked_again_by_a_press() {
    let host = PhotoHost::start(BTreeMap::new()).await;
    let server = server_beside(&host);
    import_home(&server, &[host.url("gone.jpg?key=secret")]);
    let home = find_home(&server, 0).await;
    let desk = Desk::open(&server, &home).await;
    let list = desk.settled().await;
    let dead = &list["photos"][0];
    assert_eq!((&dead["state"], &dead["answered"]), (&json!("dead"), &json!(404)));
    assert_eq!(dead["can"], json!(["retry"]));
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let health = admin.get("/api/v0/workspace/health").await.data().clone();
    assert_eq!(health["dead_photos"], 1);
    let run = dead["source"]["run_id"].as_str().unwrap();
    let told = admin
        .get(&format!("/api/v0/workspace/imports/{run}/dead_photos"))
        .await;
    let told = &told.data()["photos"][0];
    assert_eq!(
        (&told["address"], &told["answered"]),
        (&json!(host.url("gone.jpg")), &json!(404))
    );
    let path = format!("{}/retry", desk.path);
    let asked = json!({ "photo_id": dead["photo_id"] });
    desk.staff.post(&path, asked.clone()).await.data();
    until(|| async { (host.asked("gone.jpg") >= 2).then_some(()) }).await;
    let again = desk.settled().await;
    assert_eq!(again["photos"][0]["state"], "dead");
    // The feed names it no more: nobody is to mend it.
    import_feed(&server, &[]);
    until(|| async {
        let health = admin.get("/api/v0/workspace/health").await.data().clone();
        (health["dead_photos"] == 0).then_some(())
    })
    .await;
    let unknown = json!({ "photo_id": "01923456-789a-8bcd-8ef0-123456789abd" });
    let refused = desk.staff.post(&path, unknown).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
}

/// An upload is a step of the home's history, with who sent it and an undo; nothing that somebody moved is taken back unasked.
#[tokio::test(flavor = "multi_thread")]
async fn upload_is_undone_from_the_history() {
    let host = PhotoHost::start(BTreeMap::new()).await;
    let server = server_beside(&host);
    import_home(&server, &[]);
    let home = find_home(&server, 0).await;
    let desk = Desk::open(&server, &home).await;
    let sent = desk.upload("", photo(500, 400, [40, 160, 90])).await;
    let home = format!("/api/v0/workspace/homes/{home}");
    let history = desk.staff.get(&format!("{home}/history")).await.data().clone();
    let newest = &history["steps"][0];
    assert_eq!(
        (&newest["kind"], &newest["can_undo"], &newest["reason"]),
        (&json!("edited"), &json!(true), &Value::Null)
    );
    let change = &newest["changes"][0];
    assert_eq!(
        (&change["fact"], &change["to"]),
        (&json!("photos"), &json!([sent["photo_id"]]))
    );
    assert_eq!(newest["by"]["label"], "support");
    let undo = json!({ "step": newest["step"], "reason": "The wrong home" });
    desk.staff.post(&format!("{home}/undo"), undo).await.data();
    let list = desk.list().await;
    let id = sent["photo_id"].as_str().unwrap();
    assert_eq!((ids(&list, true).len(), ids(&list, false)), (0, vec![id]));
    home_with(&desk.staff, 0).await;
}

/// A colleague who is forgotten leaves the photo, and no name beside it.
#[tokio::test(flavor = "multi_thread")]
async fn upload_of_a_forgotten_colleague_keeps_no_name() {
    let host = PhotoHost::start(BTreeMap::new()).await;
    let server = server_beside(&host);
    import_home(&server, &[]);
    let home = find_home(&server, 0).await;
    let desk = Desk::open(&server, &home).await;
    let sent = desk.upload("", noted(&photo(500, 400, [40, 160, 90]))).await;
    assert_eq!(sent["source"]["by"]["label"], "support");
    home_with(&desk.staff, 1).await;
    let proof = desk.staff.erasure_proof("email", "support@staff.example").await;
    desk.staff.post("/api/v0/users/forget", proof).await.data();
    erased(&server, 1).await;
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let list = admin.get(&desk.path).await.data().clone();
    let left = &list["photos"][0];
    assert_eq!(
        (&left["state"], &left["source"]["by"]["label"]),
        (&json!("ready"), &json!(""))
    );
}
