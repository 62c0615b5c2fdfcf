//! The house's own face: set in the workspace or by command, worn by pages, mails and papers, and the mark that ships is gone.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::until;
use crate::receipts::{Paid, text_of};
use crate::visitor::{Answer, Visitor, hold_refused};

const PATH: &str = "/api/v0/workspace/brand";
const LOGO: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\"><rect width=\"40\" height=\"20\" fill=\"#7A2E5D\"/></svg>";
/// Signs of the face that ships: its mark on tabs, and the colour of its arch.
const SHIPPED: [&str; 2] = ["/assets/favicon.svg", "#FFB224"];

async fn upload(server: &Server, admin: &Visitor<'_>, file: &str) -> (StatusCode, Value) {
    let request = admin.client().post(server.url(&format!("{PATH}/pictures")));
    let request = request.header("content-type", "application/octet-stream");
    let answer = request.body(file.to_owned()).send().await.unwrap();
    let status = answer.status();
    (status, answer.json().await.unwrap_or(Value::Null))
}

async fn draft(admin: &Visitor<'_>, revision: &Value, values: Value) -> Answer {
    let body = json!({ "revision": revision, "values": values });
    admin.call(Method::PATCH, PATH, Some(body), &[]).await
}

async fn publish(admin: &Visitor<'_>, revision: &Value) -> Answer {
    let body = json!({ "revision": revision, "reason": "Autumn look" });
    admin.post(&format!("{PATH}/publish"), body).await
}

async fn html(server: &Server, path: &str) -> String {
    let answer = Client::new().get(server.url(path)).send().await.unwrap();
    answer.text().await.unwrap()
}

#[tokio::test]
async fn published_brand_is_worn_by_pages_mails_and_papers() {
    let paid = Paid::with(&[]).await;
    let server = &paid.market.server;
    let admin = Visitor::new(server);
    admin.log_in_as("admin").await;
    let home = html(server, "/").await;
    assert!(home.contains(SHIPPED[0]) && home.contains("Amber"), "{home}");
    let (status, picture) = upload(server, &admin, LOGO).await;
    assert_eq!(status, StatusCode::CREATED, "{picture}");
    let logo = &picture["data"]["content"];
    let before = admin.get(PATH).await.data().clone();
    assert_eq!(
        (&before["revision"], &before["published"]),
        (&json!(1), &Value::Null)
    );
    let values = json!({
        "name": "Quayside", "tagline": { "en": "Rooms by the water" }, "hero": { "en": "A room by the water" }, "logo": logo,
        "main_colour": "#E8743B", "sections": ["ask"], "letterhead": ["8 Wharf Road, Bristol"],
        "mail_small_print": ["Quayside Rooms Ltd, company 09941277"],
        "support": [{ "phone": "+44 117 496 0142" }], "footer_links": [{ "label": { "en": "Our story" }, "href": "/about" }]
    });
    let drafted = draft(&admin, &before["revision"], values).await.data().clone();
    assert!(
        html(server, "/").await.contains("Amber"),
        "a draft is seen by nobody"
    );
    publish(&admin, &drafted["revision"]).await.data();
    let room = format!("/places/{}", paid.buyer.room);
    for path in ["/", &room, "/terms", "/nowhere", "/profile/leads"] {
        let page = html(server, path).await;
        assert!(
            page.contains("Quayside") && page.contains("--act:#C55017"),
            "{path}: {page}"
        );
        assert!(
            page.contains("icon-32.png") && page.contains("theme-color"),
            "{path}: {page}"
        );
        for sign in SHIPPED {
            assert!(!page.contains(sign), "{path} shows {sign}");
        }
        assert!(
            !page.contains("Amber") && !page.contains("amber.example"),
            "{path}: {page}"
        );
    }
    let home = html(server, "/").await;
    assert!(home.contains("<title>Rooms by the water"), "{home}");
    paid.mail_and_papers_wear_it(&admin).await;
    logo_is_pixels(server, logo).await;
}

impl Paid {
    /// A mail of now, the receipt, and the entry in an authenticator.
    async fn mail_and_papers_wear_it(&self, admin: &Visitor<'_>) {
        let server = &self.market.server;
        let jo = Visitor::new(server);
        jo.log_in("jo@example.com").await;
        let sent = jo.get("/dev/outbox?to=jo@example.com").await;
        let mail = &sent.data()[0];
        let (body, page) = (mail["body"].as_str().unwrap(), mail["html"].as_str().unwrap());
        assert!(
            body.ends_with("-- \nQuayside Rooms Ltd, company 09941277"),
            "{body}"
        );
        assert!(
            page.contains("/logo.png\"") && page.contains("solid #E8743B"),
            "{page}"
        );
        assert!(page.contains("Quayside") && !page.contains("Amber"), "{page}");
        let receipt = text_of(&self.file(&self.number, "/pdf", "en").await);
        assert!(
            receipt.contains("Quayside") && receipt.contains("8WharfRoad,Bristol"),
            "{receipt}"
        );
        let offer = admin.post("/api/v0/users/second_factor", json!({})).await;
        let address = offer.data()["address"].as_str().unwrap().to_owned();
        assert!(address.contains("issuer=Quayside"), "{address}");
    }
}

async fn logo_is_pixels(server: &Server, logo: &Value) {
    let logo = logo.as_str().unwrap();
    for (file, kind) in [
        ("logo.png", "image/png"),
        ("icon-512.png", "image/png"),
        ("share.jpg", "image/jpeg"),
    ] {
        let url = server.url(&format!("/brand/{logo}/{file}"));
        let answer = Client::new().get(url).send().await.unwrap();
        assert_eq!(
            (answer.status(), &answer.headers()["content-type"]),
            (StatusCode::OK, &kind.parse().unwrap())
        );
        assert!(!answer.bytes().await.unwrap().starts_with(b"<"));
    }
    for file in ["original", "logo.svg", "720.webp"] {
        let url = server.url(&format!("/brand/{logo}/{file}"));
        assert_eq!(
            Client::new().get(url).send().await.unwrap().status(),
            StatusCode::NOT_FOUND,
            "{file}"
        );
    }
}

#[tokio::test]
async fn drawings_that_reach_out_are_refused_by_name() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let svg =
        |inner: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">{inner}</svg>");
    let uses = "<g id=\"a\"><use href=\"#b\"/></g><g id=\"b\"><use href=\"#a\"/></g><use href=\"#a\"/>";
    for (file, code) in [
        (svg("<script>alert(1)</script>"), "script"),
        (svg("<image href=\"file:///etc/passwd\"/>"), "outside"),
        (svg("<text>Quayside</text>"), "text"),
        (svg(uses), "too_complex"),
        (
            "<!DOCTYPE svg [<!ENTITY a \"aa\">]><svg xmlns=\"http://www.w3.org/2000/svg\">&a;</svg>"
                .to_owned(),
            "damaged",
        ),
        ("<html></html>".to_owned(), "not_a_picture"),
    ] {
        let (status, answer) = upload(&server, &admin, &file).await;
        let told = &answer["errors"][0];
        assert_eq!(
            (status, &told["code"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!(code)),
            "{answer}"
        );
    }
}

async fn hard_colour_gives_way(admin: &Visitor<'_>) {
    let tried = json!({ "values": { "main_colour": "#E8A33D" } });
    let preview = admin.post(&format!("{PATH}/preview"), tried).await.data().clone();
    let button = &preview["colours"]["contrasts"][0];
    assert_eq!(
        (&button["place"], &button["chosen"]),
        (&json!("button"), &json!("#E8A33D"))
    );
    assert!(
        button["ratio"].as_f64().unwrap() >= 4.5 && button["chosen_ratio"].as_f64().unwrap() < 4.5,
        "{button}"
    );
}

#[tokio::test]
async fn second_editor_is_told_and_a_version_comes_back() {
    let server = Server::start();
    let (admin, other) = (Visitor::new(&server), Visitor::new(&server));
    admin.log_in_as("admin").await;
    other.log_in("mei@example.com").await;
    assert_eq!(other.get(PATH).await.status, StatusCode::FORBIDDEN);
    let first = draft(&admin, &json!(0), json!({ "name": "North" }))
        .await
        .data()
        .clone();
    let late = draft(&admin, &json!(0), json!({ "name": "South" })).await;
    assert_eq!(
        (late.status, late.code()),
        (StatusCode::CONFLICT, "changed_meanwhile")
    );
    assert_eq!(late.body["current"]["draft"]["name"], "North");
    // A picture that comes in changes nothing that an editor read.
    assert_eq!(upload(&server, &admin, LOGO).await.0, StatusCode::CREATED);
    let now = publish(&admin, &first["revision"]).await.data().clone();
    assert_eq!(
        publish(&admin, &now["revision"]).await.code(),
        "nothing_to_publish"
    );
    for (values, field) in [
        (json!({ "main_colour": "red" }), "main_colour"),
        (json!({ "logo": "0".repeat(64) }), "logo"),
        (json!({ "colour": "#000000" }), "colour"),
        (json!({ "name": "" }), "name"),
        (
            json!({ "footer_links": [{ "label": { "en": "x" }, "href": "javascript:alert(1)" }] }),
            "footer_links",
        ),
    ] {
        hold_refused(&draft(&admin, &now["revision"], values).await, field, field);
    }
    hard_colour_gives_way(&admin).await;
    let second = draft(&admin, &now["revision"], json!({ "name": "South" }))
        .await
        .data()
        .clone();
    let second = publish(&admin, &second["revision"]).await.data().clone();
    let back = json!({ "revision": second["revision"], "version": 1, "reason": "The old name is known" });
    let back = admin
        .post(&format!("{PATH}/take_back"), back)
        .await
        .data()
        .clone();
    let shown = &back["published"];
    assert_eq!(
        (&shown["version"], &shown["of"], &shown["values"]["name"]),
        (&json!(3), &json!(1), &json!("North"))
    );
    assert!(html(&server, "/terms").await.contains("North"));
    let versions = admin.get(&format!("{PATH}/versions")).await.data().clone();
    let reasons: Vec<&Value> = versions
        .as_array()
        .unwrap()
        .iter()
        .map(|version| &version["reason"])
        .collect();
    assert_eq!(reasons, ["The old name is known", "Autumn look", "Autumn look"]);
}

#[tokio::test]
async fn command_publishes_a_brand_and_the_environment_wins() {
    let server = Server::start();
    let told = server.run(&[
        "brand",
        "set",
        "name=Northbridge",
        "main_colour=#0B3A6E",
        "tagline.zh=水边的房间",
    ]);
    assert!(
        told.contains("version 1") && told.contains("name = Northbridge"),
        "{told}"
    );
    until(|| async {
        html(&server, "/terms")
            .await
            .contains("Northbridge")
            .then_some(())
    })
    .await;
    // Without a logo a plain mark in the brand's colour stands where the house's own stood.
    let page = html(&server, "/terms").await;
    assert!(
        page.contains("/brand/mark-0B3A6E/icon-32.png") && !page.contains(SHIPPED[0]),
        "{page}"
    );
    let mark = Client::new()
        .get(server.url("/brand/mark-0B3A6E/icon-32.png"))
        .send()
        .await
        .unwrap();
    assert_eq!(mark.headers()["content-type"], "image/png");
    assert!(
        server
            .refused(&["brand", "set", "main_colour=red"])
            .contains("main_colour")
    );
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    draft(&admin, &json!(2), json!({ "name": "Draft" })).await.data();
    assert!(
        server
            .refused(&["brand", "set", "name=Other"])
            .contains("--with-draft")
    );

    let given = Server::with(&[("LATCHKEY_BRAND_NAME", "Halls"), ("LATCHKEY_DEMO_CATALOGUE", "0")]);
    given.run(&["brand", "set", "name=Northbridge", "first_language=zh"]);
    let admin = Visitor::new(&given);
    admin.log_in_as("admin").await;
    let shown = until(|| async {
        let brand = admin.get(PATH).await.data().clone();
        (brand["published"]["version"] == 1).then_some(brand)
    })
    .await;
    assert_eq!(
        shown["given"],
        json!([{ "name": "name", "value": "Halls", "source": "environment" }])
    );
    // Who asks for no language is answered in the brand's first one.
    let page = until(|| async {
        let page = html(&given, "/terms").await;
        page.contains("<html lang=\"zh\">").then_some(page)
    })
    .await;
    assert!(page.contains("Halls"), "{page}");
}

/// Mails that went out name the mark in the colour of their day.
#[tokio::test]
async fn drawn_mark_outlives_its_colour() {
    let server = Server::start();
    server.run(&["brand", "set", "name=Quayside", "main_colour=#0B3A6E"]);
    server.run(&["brand", "set", "main_colour=#7A2E5D"]);
    until(|| async {
        let page = html(&server, "/terms").await;
        page.contains("/brand/mark-7A2E5D/icon-32.png").then_some(())
    })
    .await;
    for (mark, status) in [
        ("mark-0B3A6E", StatusCode::OK),
        ("mark-0B3A6", StatusCode::NOT_FOUND),
        ("mark-red", StatusCode::NOT_FOUND),
    ] {
        let url = server.url(&format!("/brand/{mark}/icon-192.png"));
        let answer = Client::new().get(url).send().await.unwrap();
        assert_eq!(answer.status(), status, "{mark}");
    }
}
