//! What anybody meets at the door: the language they ask for, addresses of nothing, a lead's fields, and no invented homes.

use reqwest::{Client, Method, StatusCode};
use serde_json::json;
use tests::Server;

use crate::market::Market;
use crate::visitor::{Visitor, enquiry};

/// The terms say how long a room is kept by the setting, in both languages.
#[tokio::test]
async fn terms_say_the_setting_of_the_hold() {
    let server = Server::with(&[
        ("LATCHKEY_HOLD_SECONDS", "1200"),
        ("LATCHKEY_DEMO_CATALOGUE", "0"),
        // It looks like a number and is a name.
        ("LATCHKEY_BRAND_NAME", "19.80"),
    ]);
    for (lang, said) in [("en", "for 20 minutes while you pay"), ("zh", "保留房间 20 分钟")] {
        let page = Client::new()
            .get(server.url("/terms"))
            .header("accept-language", lang);
        let page = page.send().await.unwrap().text().await.unwrap();
        assert!(page.contains(said) && page.contains("19.80"), "{page}");
    }
}

/// The printed frame of a page that the browser draws is kept for all readers: neither the address nor the page's data is in it.
#[tokio::test]
async fn printed_frames_hold_nothing_personal() {
    let market = Market::open(&[3], &[]).await;
    let body = market.person(1, 0).lead_body();
    let room = body["lead"]["inventory_id"].as_str().unwrap();
    let path = format!("/places/{room}/form?email=mei%40example.com&fullName[first]=Mei");
    let page = Client::new().get(market.server.url(&path)).send().await.unwrap();
    let page = page.text().await.unwrap();
    let (_, drawn) = page.split_once("<div id=\"root\">").unwrap();
    let (printed, after) = drawn.split_once("id=\"page-payload\"").unwrap();
    assert!(
        printed.starts_with("<div id=\"coming\">") && printed.contains("aria-busy"),
        "{printed}"
    );
    assert!(!printed.contains("mei@") && !printed.contains(room), "{printed}");
    assert!(after.contains("mei@example.com"), "{after}");
}

#[tokio::test]
async fn language_follows_weights_and_unknown_addresses_answer_404() {
    let server = Server::with(&[("LATCHKEY_DEV_TOOLS", "1"), ("LATCHKEY_DEMO_CATALOGUE", "0")]);
    let client = Client::new();
    for (asked, lang) in [
        ("en;q=0.4, zh-CN;q=0.8", "zh"),
        ("zh;q=0, en;q=0.1", "en"),
        ("fi, *;q=0.5, en;q=0", "zh"),
        ("zh-Hant, en;q=0.5", "zh"),
        ("zh-HK;q=0.7, en;q=0.5", "zh"),
        ("tlh", "en"),
        ("zh-TW, zh;q=0.9", "zh"),
    ] {
        let page = client.get(server.url("/terms")).header("accept-language", asked);
        let page = page.send().await.unwrap().text().await.unwrap();
        assert!(
            page.contains(&format!("<html lang=\"{lang}\"")),
            "{asked}: {page}"
        );
    }
    for (path, status) in [
        ("/dev/outbox", 200),
        ("/workspace", 200),
        ("/workspace/leads", 200),
        ("/workspace/leads/01a1faa9-0d29-472e-8e4e-80cf72076097", 200),
        ("/workspace/finance", 200),
        ("/workspace/read_models", 200),
        ("/workspace/reconciliation", 200),
        ("/workspace/nowhere", 404),
        ("/workspace/leads/anything", 404),
        ("/workspace/finance/more", 404),
    ] {
        let answer = client.get(server.url(path)).send().await.unwrap();
        assert_eq!(answer.status(), status, "{path}");
    }
}

#[tokio::test]
async fn leads_keep_second_address_and_lease_and_report_repeats() {
    let market = Market::open(&[3], &[]).await;
    let visitor = Visitor::new(&market.server);
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = market.person(1, 0).lead_body()["lead"]["inventory_id"].clone();
    body["lead"]["data"]["lease_duration"] = json!(44);
    body["lead"]["data"]["lease_duration_unit"] = json!("weeks");
    body["lead"]["data"]["email"] = json!("mei@uni.example");
    let first = visitor.post("/api/v0/leads", body.clone()).await;
    let first = first.data();
    assert_eq!(first["data"]["lease_duration"], "44 weeks");
    assert_eq!(first["data"]["email"], "mei@uni.example");
    let link = format!("/api/v0/leads/{}", first["lead_uuid"].as_str().unwrap());
    let change = json!({ "lead": { "data": { "university": "University of Leeds" } } });
    let changed = visitor.call(Method::PUT, &link, Some(change), &[]).await;
    assert_eq!(changed.data()["data"]["email"], "mei@uni.example");

    let mut again = body.clone();
    again["lead"]["data"]["user_query"] = json!("Is there a bike store?");
    let stranger = visitor.post("/api/v0/leads", again.clone()).await;
    assert_eq!(stranger.data()["repeat"], false, "an address alone is no proof");
    again["lead"]["data"]["user_query"] = json!("Is there a desk?");
    again["lead"]["lead_uuid"] = first["lead_uuid"].clone();
    let repeated = visitor.post("/api/v0/leads", again).await;
    assert_eq!(repeated.data()["repeat"], true);

    body["lead"]["data"]["lease_duration_unit"] = json!("years");
    let refused = visitor.post("/api/v0/leads", body.clone()).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    body["lead"]["data"]["lease_duration_unit"] = json!("weeks");
    body["lead"]["data"]["email"] = json!("nobody");
    let refused = visitor.post("/api/v0/leads", body).await;
    assert!(
        refused.body.to_string().contains("data/email"),
        "{}",
        refused.body
    );
}

#[tokio::test]
async fn a_server_that_others_reach_holds_no_invented_homes() {
    let server = Server::with(&[("LATCHKEY_PUBLIC_URL", "https://rooms.example")]);
    let visitor = Visitor::new(&server);
    let homes = visitor.get("/api/v1/inventories?limit=1").await;
    assert_eq!(homes.data()["meta"]["count"], 0);
}

/// The page, its script and its style sheet come from this server, under a policy that lets nothing else in.
#[tokio::test]
async fn api_reference_is_served_without_foreign_scripts() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "0")]);
    let client = Client::new();
    let answer = client.get(server.url("/docs")).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let policy = answer.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("script-src 'self';"), "{policy}");
    let page = answer.text().await.unwrap();
    assert!(page.contains("/api/openapi.json"), "{page}");
    assert!(!page.contains("://"), "{page}");
    let files: Vec<&str> = page
        .split(['"'])
        .filter(|word| matches!(word.rsplit_once('.'), Some((_, "js" | "css"))))
        .collect();
    assert!(files.len() >= 2, "a script and a style sheet: {page}");
    for file in files {
        let answer = client.get(server.url(file)).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{file}");
    }
}
