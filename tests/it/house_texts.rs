//! Texts that the house wrote itself: an administrator drafts, publishes and takes back what visitors read.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::desk::Officer;
use crate::evidence::disputed_id;
use crate::market::{Market, until};
use crate::visitor::Visitor;

const TEXTS: &str = "/api/v0/workspace/texts";
const DISPUTES: &str = "4000000000000259";
const ABOUT: &str = "/api/v0/workspace/texts/about/en";

fn words(title: &str) -> Value {
    json!({ "title": title, "description": "Who lets these rooms, and where.", "lead": "Since 1998.", "act": "",
        "body": format!("## Where\n\n{{brand}} lets rooms in **Leeds**.\n\nYour landlord is {{seller}}.\n\nWrite to {{support_email}}.\n\n{title}") })
}

/// Writes a draft over the text that was read.
async fn write(admin: &Visitor<'_>, text: &str, title: &str) -> Value {
    let revision = admin.get(text).await.data()["revision"].clone();
    let draft = json!({ "revision": revision, "text": words(title) });
    let path = format!("{text}/draft");
    let written = admin.call(Method::PUT, &path, Some(draft), &[]).await;
    assert_eq!(written.status, StatusCode::OK, "{}", written.body);
    written.data().clone()
}

async fn step(admin: &Visitor<'_>, text: &str, step: &str) -> Value {
    let revision = admin.get(text).await.data()["revision"].clone();
    let path = format!("{text}/{step}");
    let done = admin.post(&path, json!({ "revision": revision })).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.body);
    done.data().clone()
}

/// Waits until a page has this title.
async fn shows(visitor: &Visitor<'_>, url: &str, title: &str) -> Value {
    until(async || {
        let page = visitor.get(&format!("/_page?url={url}")).await.data().clone();
        (page["data"]["title"] == title).then_some(page)
    })
    .await
}

#[tokio::test]
async fn own_text_is_shown_from_publishing_until_it_is_taken_back() {
    let server = Server::start();
    let (visitor, admin) = (Visitor::new(&server), Visitor::new(&server));
    admin.log_in_as("admin").await;
    let shipped = admin.get(ABOUT).await.data()["shipped"]["title"].clone();
    let shipped = shipped.as_str().unwrap();

    let drafted = write(&admin, ABOUT, "Rooms in Leeds").await;
    assert_eq!(drafted["draft"]["blocks"][0]["kind"], "section");
    assert_eq!(drafted["draft"]["is_older"], false);
    shows(&visitor, "/about", shipped).await;

    let published = step(&admin, ABOUT, "publish").await;
    assert_eq!(
        (&published["is_shown"], &published["draft"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(published["versions"][0]["number"], 1);
    let page = shows(&visitor, "/about", "Rooms in Leeds").await;
    assert_eq!(page["route"], "content");
    assert!(page["data"]["holds_from"].is_string());
    assert_eq!(page["data"]["lead"], "Since 1998.");
    let said = page["data"]["blocks"].to_string();
    assert!(
        said.contains(" lets rooms in ") && !said.contains("{brand}"),
        "{said}"
    );
    // Another language keeps the text that ships.
    let other = visitor.get("/_page?url=/about?lang=zh").await.data().clone();
    assert_ne!(other["data"]["title"], "Rooms in Leeds");

    let line = until(async || {
        let lines = admin.get(TEXTS).await.data().as_array().unwrap().clone();
        lines
            .into_iter()
            .find(|line| line["page"] == "about" && line["version"] == 1)
    })
    .await;
    assert_eq!(
        (&line["has_draft"], &line["is_older"]),
        (&json!(false), &json!(false))
    );

    write(&admin, ABOUT, "Rooms in Leeds and York").await;
    step(&admin, ABOUT, "publish").await;
    shows(&visitor, "/about", "Rooms in Leeds and York").await;
    let back = step(&admin, ABOUT, "take_back").await;
    assert_eq!(back["versions"].as_array().unwrap().len(), 2);
    shows(&visitor, "/about", shipped).await;
}

#[tokio::test]
async fn own_terms_take_the_place_of_those_that_ship() {
    let server = Server::start();
    let (visitor, admin) = (Visitor::new(&server), Visitor::new(&server));
    admin.log_in_as("admin").await;
    let before = visitor.get("/_page?url=/terms").await.data().clone();
    assert_eq!(before["route"], "legal");
    let terms = format!("{TEXTS}/terms/en");
    let start = admin.get(&terms).await.data()["shipped"]["body"].clone();
    assert!(start.as_str().unwrap().starts_with("## "), "{start}");
    write(&admin, &terms, "Terms of Leeds Rooms").await;
    step(&admin, &terms, "publish").await;
    let page = shows(&visitor, "/terms", "Terms of Leeds Rooms").await;
    assert_eq!(
        (&page["route"], &page["data"]["key"]),
        (&json!("content"), &json!("terms"))
    );
    // Nobody reads terms that no longer hold, whatever their language.
    shows(&visitor, "/terms?lang=zh", "Terms of Leeds Rooms").await;
}

/// A house that writes in another language than that of missing texts is read in it by everybody.
#[tokio::test]
async fn own_privacy_notice_of_one_language_holds_for_every_reader() {
    let server = Server::start();
    let (visitor, admin) = (Visitor::new(&server), Visitor::new(&server));
    admin.log_in_as("admin").await;
    for (page, title) in [("privacy", "Notice of Leeds Rooms"), ("imprint", "Who we are")] {
        let notice = format!("{TEXTS}/{page}/zh");
        write(&admin, &notice, title).await;
        step(&admin, &notice, "publish").await;
        for lang in ["zh", "en"] {
            shows(&visitor, &format!("/{page}?lang={lang}"), title).await;
        }
    }
}

/// Help that is written as running words is shown as such, and nothing of it is left out.
#[tokio::test]
async fn own_help_without_questions_is_a_page_of_words() {
    let server = Server::start();
    let (visitor, admin) = (Visitor::new(&server), Visitor::new(&server));
    admin.log_in_as("admin").await;
    let help = format!("{TEXTS}/help/en");
    write(&admin, &help, "Help from Leeds").await;
    step(&admin, &help, "publish").await;
    let page = shows(&visitor, "/help", "Help from Leeds").await;
    assert_eq!(page["route"], "content", "{page}");
    let said = page["data"]["blocks"].to_string();
    assert!(said.contains(" lets rooms in "), "{said}");
}

#[tokio::test]
async fn edits_that_cannot_be_made_are_refused() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    for unknown in ["nothing/en", "about/xx", "sitemap/en"] {
        let path = format!("{TEXTS}/{unknown}");
        assert_eq!(admin.get(&path).await.status, StatusCode::NOT_FOUND, "{unknown}");
    }
    let publish = format!("{ABOUT}/publish");
    let no_draft = admin.post(&publish, json!({ "revision": 0 })).await;
    assert_eq!(
        (no_draft.status, no_draft.code()),
        (StatusCode::CONFLICT, "no_draft")
    );
    let draft = format!("{ABOUT}/draft");
    let mut empty = words("Rooms");
    empty["body"] = json!(" ");
    let refused = admin
        .call(
            Method::PUT,
            &draft,
            Some(json!({ "revision": 0, "text": empty })),
            &[],
        )
        .await;
    crate::visitor::hold_refused(&refused, "text.body", "an empty body");
    write(&admin, ABOUT, "Rooms").await;
    let late = json!({ "revision": 0, "text": words("Others") });
    let stale = admin.call(Method::PUT, &draft, Some(late), &[]).await;
    assert_eq!(
        (stale.status, stale.code()),
        (StatusCode::CONFLICT, "changed_meanwhile")
    );
}

/// A payer accepts the version that is shown; a bank reads its words after a later one was published.
#[tokio::test]
async fn payment_keeps_the_version_of_own_terms() {
    let market = Market::open(&[3], &[]).await;
    let admin = Visitor::new(&market.server);
    admin.log_in_as("admin").await;
    let terms = format!("{TEXTS}/terms/en");
    write(&admin, &terms, "The first terms").await;
    step(&admin, &terms, "publish").await;
    let officer = Officer::arrives(&market).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    write(&admin, &terms, "The second terms").await;
    step(&admin, &terms, "publish").await;
    let payment = buyer.pay(&token, DISPUTES).await;
    let id = disputed_id(&officer, payment["reference"].as_str().unwrap()).await;
    let path = format!("/api/v0/workspace/payments/{id}/evidence");
    let evidence = officer.get(&path).await["data"].clone();
    assert_eq!(evidence["terms_of_use"], "own en 1", "{evidence}");
    let policy = evidence["evidence"]["refund_policy"].as_str().unwrap();
    assert!(
        policy.contains("The first terms") && !policy.contains('{'),
        "{policy}"
    );
}
