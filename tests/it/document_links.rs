//! Support and the property's provider open a student's document by a link that ends at its first use; who looked is recorded, and the
//! student sees it (D93, decision 0026).

use image::ImageFormat;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tests::words::english;

use crate::documents::{paid, picture, send};
use crate::market::{Market, until};
use crate::visitor::{Answer, Visitor};

/// The row of the only lead in the workspace.
async fn only_lead(desk: &Visitor<'_>) -> String {
    until(async || {
        let leads = desk.get("/api/v0/workspace/leads").await.data().clone();
        Some(leads["result"][0]["lead_id"].as_str()?.to_owned())
    })
    .await
}

async fn link(desk: &Visitor<'_>, lead: &str, document: &str, audience: &str) -> Answer {
    let path = format!("/api/v0/workspace/leads/{lead}/documents/{document}/link");
    desk.post(&path, json!({ "audience": audience })).await
}

async fn press(market: &Market, client: &Client, path: &str) -> (StatusCode, Vec<u8>) {
    let pressed = client.post(market.server.url(path)).send().await.unwrap();
    (pressed.status(), pressed.bytes().await.unwrap().to_vec())
}

async fn look(market: &Market, client: &Client, path: &str) -> (StatusCode, String) {
    let looked = client.get(market.server.url(path)).send().await.unwrap();
    (looked.status(), looked.text().await.unwrap())
}

async fn opened(jo: &Visitor<'_>, form: &str) -> Vec<Value> {
    let form = jo.get(form).await.data().clone();
    form["documents"][0]["opened"].as_array().unwrap().clone()
}

/// A link opens its document once, for whom it was made, in its time; every look is in the lead's history and on the student's form.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
async fn document_link_opens_once_and_is_recorded() {
    let market = Market::open(&[3], &[]).await;
    let (jo, form) = paid(&market).await;
    let bytes = picture(ImageFormat::Png);
    let (status, sent) = send(&market, &jo, &form, bytes).await;
    assert_eq!(status, StatusCode::CREATED, "{sent}");
    let document = sent["data"]["id"].as_str().unwrap().to_owned();
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let finance = Visitor::new(&market.server);
    finance.log_in_as("finance").await;
    let lead = only_lead(&desk).await;

    // Deny first: another role, another document, another audience.
    let refused = link(&finance, &lead, &document, "staff").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
    let absent = link(&desk, &lead, "0193a000-0000-7000-8000-000000000009", "staff").await;
    assert_eq!(absent.status, StatusCode::NOT_FOUND);
    let unknown = link(&desk, &lead, &document, "everyone").await;
    assert_eq!(
        (unknown.status, unknown.fields()),
        (StatusCode::UNPROCESSABLE_ENTITY, vec!["audience"])
    );

    let own = link(&desk, &lead, &document, "staff").await.data().clone();
    let own = own["path"].as_str().unwrap();
    let stranger = Client::new();
    for client in [&stranger, finance.client(), jo.client()] {
        assert_eq!(press(&market, client, own).await.0, StatusCode::FORBIDDEN);
    }
    // Looking uses nothing up: programs that check mails open every link.
    let (status, page) = look(&market, desk.client(), own).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    assert!(page.contains("<form method=\"post\">"), "{page}");
    let (status, file) = press(&market, desk.client(), own).await;
    assert_eq!(status, StatusCode::OK);
    assert!(file.starts_with(b"\x89PNG"));
    let (status, used) = press(&market, desk.client(), own).await;
    assert_eq!(status, StatusCode::GONE);
    let used = String::from_utf8(used).unwrap();
    assert!(
        used.contains(&english("document_link.used_title")) && !used.contains("PNG"),
        "{used}"
    );

    // The provider has no login; of two presses at once one opens it.
    let made = link(&desk, &lead, &document, "provider").await.data().clone();
    let theirs = made["path"].as_str().unwrap();
    let both = tokio::join!(
        press(&market, &stranger, theirs),
        press(&market, &stranger, theirs)
    );
    let mut statuses = [both.0.0, both.1.0];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::GONE]);
    let looks = opened(&jo, &form).await;
    assert_eq!(
        (&looks[0]["by"], &looks[1]["by"], looks.len()),
        (&json!("staff"), &json!("provider"), 2)
    );
    let told = until(async || {
        let history = desk
            .get(&format!("/api/v0/workspace/leads/{lead}/timeline"))
            .await
            .data()
            .clone();
        let events = history["events"].as_array().unwrap().clone();
        let keys: Vec<String> = events
            .iter()
            .filter_map(|event| Some(event["sentence"]["key"].as_str()?.to_owned()))
            .collect();
        let of = |who: &str| {
            keys.iter()
                .filter(|key| **key == format!("timeline.form_document_opened.{who}"))
                .count()
        };
        ((of("staff"), of("provider")) == (1, 1)).then_some(events)
    })
    .await;
    let by_staff = told
        .iter()
        .find(|event| event["sentence"]["key"] == "timeline.form_document_opened.staff")
        .unwrap();
    assert_eq!(by_staff["actor"]["kind"], "staff", "{by_staff}");

    // Time ends a link, and so does taking the document back.
    let late = link(&desk, &lead, &document, "provider").await.data().clone();
    let kept = link(&desk, &lead, &document, "provider").await.data().clone();
    jo.delete(&format!("{form}/documents/{document}")).await.data();
    let (status, _) = press(&market, &stranger, kept["path"].as_str().unwrap()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    jo.wait(3_601).await;
    let (status, over) = look(&market, &stranger, late["path"].as_str().unwrap()).await;
    assert_eq!(status, StatusCode::GONE, "{over}");
    let (start, last) = theirs.split_at(theirs.len() - 1);
    let forged = format!("{start}{}", if last == "0" { "1" } else { "0" });
    assert_eq!(look(&market, &stranger, &forged).await.0, StatusCode::NOT_FOUND);
}
