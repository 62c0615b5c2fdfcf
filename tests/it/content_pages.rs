//! Pages of words, read as a crawler without scripts reads them (Spec §2).

use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::Server;

use crate::visitor::{Visitor, hold_refused};

/// Content pages of Spec §2 that are pages of their own, with those that the law asks for.
const PAGES: [&str; 21] = [
    "/blog",
    "/help",
    "/career",
    "/about",
    "/group-booking",
    "/how-it-works",
    "/contact",
    "/news",
    "/ambassador",
    "/scholarship",
    "/exams",
    "/terms",
    "/privacy",
    "/media",
    "/podcast",
    "/partner",
    "/university-partnerships",
    "/sitemap",
    "/cookies",
    "/imprint",
    "/verify",
];

/// Pages that name others, and a tool.
const LISTS: [&str; 3] = ["/blog", "/sitemap", "/verify"];

/// A page as it was served.
struct Served {
    status: StatusCode,
    html: String,
}

async fn read(server: &Server, path: &str) -> Served {
    let answer = Visitor::new(server)
        .client()
        .get(server.url(path))
        .send()
        .await
        .unwrap();
    Served {
        status: answer.status(),
        html: answer.text().await.unwrap(),
    }
}

/// What stands between two marks, at each place where both are.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    let parts = text.split(start).skip(1);
    parts.filter_map(|part| Some(part.split_once(end)?.0)).collect()
}

/// Words of the main part, without tags and without links to other pages.
fn main_words(html: &str) -> String {
    let main = between(html, "<main", "</main>").concat();
    let parts = main.split("<nav");
    let main: String = parts
        .map(|part| part.split_once("</nav>").map_or(part, |(_, rest)| rest))
        .collect();
    let mut words = String::new();
    let mut in_tag = true;
    for letter in main.chars() {
        match letter {
            '<' => in_tag = true,
            '>' => {
                in_tag = false;
                words.push('\n');
            }
            other if !in_tag => words.push(other),
            _ => {}
        }
    }
    words
}

fn sentences(html: &str) -> BTreeSet<String> {
    let words = main_words(html);
    let parts = words.split(['.', '?', '!', '\n']).map(str::trim);
    parts
        .filter(|part| part.len() > 15)
        .map(str::to_lowercase)
        .collect()
}

/// The path of a whole address.
fn path_of(address: &str) -> String {
    reqwest::Url::parse(address).unwrap().path().to_owned()
}

/// Every address of every map that the index names.
async fn mapped(server: &Server) -> Vec<String> {
    let index = read(server, "/sitemap.xml").await;
    assert_eq!(index.status, StatusCode::OK);
    let mut addresses = Vec::new();
    for map in between(&index.html, "<loc>", "</loc>") {
        let path = path_of(map);
        let map = read(server, &path).await;
        assert_eq!(map.status, StatusCode::OK, "{path}");
        let found = between(&map.html, "<loc>", "</loc>");
        assert!(!found.is_empty(), "{path} is empty");
        addresses.extend(found.into_iter().map(path_of));
    }
    addresses
}

/// Each page answers once, says where it is, and is named by a map and by the footer of every other.
#[tokio::test]
async fn content_pages_answer_and_are_reached_without_scripts() {
    let server = Server::with_catalogue();
    let mapped = mapped(&server).await;
    let once: BTreeSet<&String> = mapped.iter().collect();
    assert_eq!(once.len(), mapped.len(), "an address stands in two maps");
    let home = read(&server, "/").await.html;
    let footer = between(&home, "<footer", "</footer>").concat();
    let mut titles = BTreeSet::new();
    for path in PAGES {
        let page = read(&server, path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        let canonical = between(&page.html, "rel=\"canonical\" href=\"", "\"");
        assert_eq!(
            canonical.into_iter().map(path_of).collect::<Vec<_>>(),
            [path],
            "{path}"
        );
        assert!(page.html.contains("content=\"index,follow\""), "{path}");
        assert_eq!(page.html.matches("<h1").count(), 1, "{path}");
        let title = between(&page.html, "<title>", "</title>").concat();
        assert!(title.chars().count() <= 60, "{title}");
        assert!(titles.insert(title.clone()), "{title} is the title of two pages");
        let description = between(&page.html, "name=\"description\" content=\"", "\"").concat();
        assert!(
            (20..=160).contains(&description.chars().count()),
            "{path}: {description}"
        );
        assert!(
            mapped.iter().any(|address| address == path),
            "{path} is in no map"
        );
        let is_linked = footer.contains(&format!("href=\"{path}\""));
        assert!(is_linked || path == "/verify", "the footer leads not to {path}");
    }
}

/// A page answers the question of its name in words of its own.
#[tokio::test]
async fn no_two_content_pages_share_half_their_sentences() {
    let server = Server::start();
    let mut pages = Vec::new();
    for path in PAGES.into_iter().filter(|path| !LISTS.contains(path)) {
        pages.push((path, sentences(&read(&server, path).await.html)));
    }
    for (at, (path, said)) in pages.iter().enumerate() {
        assert!(said.len() >= 4, "{path} says {said:?}");
        for (other, heard) in &pages[at + 1..] {
            let shared = said.intersection(heard).count();
            assert!(shared * 2 < said.len().min(heard.len()), "{path} and {other}");
        }
    }
}

/// Everything that a map names answers as itself, in the demo's whole catalogue.
#[tokio::test]
async fn every_tenth_mapped_address_is_a_page_of_its_own() {
    let server = Server::with_catalogue();
    let mapped = mapped(&server).await;
    assert!(mapped.iter().any(|path| path.starts_with("/places/search/")));
    let homes = mapped
        .iter()
        .filter(|path| path.starts_with("/places/") && !path.starts_with("/places/search/"));
    assert!(homes.count() > 10);
    for path in mapped.iter().step_by(mapped.len() / 40 + 1) {
        let page = read(&server, path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        let canonical = between(&page.html, "rel=\"canonical\" href=\"", "\"");
        assert_eq!(
            canonical.into_iter().map(path_of).collect::<Vec<_>>(),
            std::slice::from_ref(path),
            "{path}"
        );
    }
}

#[tokio::test]
async fn other_addresses_lead_on_or_are_no_pages() {
    let server = Server::start();
    let visitor = Visitor::new(&server);
    for (path, to) in [
        ("/UserReviewScreen", "/profile/leads?review=1"),
        ("/dashboard", "/profile"),
    ] {
        let payload = visitor.get(&format!("/_page?url={path}")).await.data().clone();
        assert_eq!(
            (&payload["status"], &payload["redirect"]),
            (&302.into(), &to.into()),
            "{path}"
        );
    }
    let index = read(&server, "/index").await;
    assert_eq!(index.status, StatusCode::OK);
    let canonical = between(&index.html, "rel=\"canonical\" href=\"", "\"");
    assert_eq!(canonical.into_iter().map(path_of).collect::<Vec<_>>(), ["/"]);
    for path in [
        "/abouts",
        "/about/us",
        "/blog/nothing",
        "/blog/tags/nothing",
        "/blog/tags/title",
        "/blog/authors/nobody",
        "/help/nothing",
        "/sitemaps/nothing.xml",
        "/sitemaps/uk-homes-99.xml",
    ] {
        assert_eq!(read(&server, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn programs_find_rules_feed_and_contact() {
    let server = Server::start();
    let robots = read(&server, "/robots.txt").await.html;
    assert!(robots.contains("/sitemap.xml\n"), "{robots}");
    assert!(robots.contains("Disallow: /profile\n"), "{robots}");
    let security = read(&server, "/.well-known/security.txt").await.html;
    assert!(
        security.contains("Contact: ") && security.contains("Expires: "),
        "{security}"
    );
    let feed = read(&server, "/blog/feed.xml").await.html;
    let posts = between(&feed, "<item>", "</item>");
    assert!(!posts.is_empty(), "{feed}");
    for post in posts {
        let address = between(post, "<link>", "</link>").concat();
        let path = path_of(&address);
        assert_eq!(read(&server, &path).await.status, StatusCode::OK, "{path}");
    }
    let manifest = read(&server, "/manifest.webmanifest").await.html;
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["start_url"], "/");
}

/// Each form is a case at the desk, whose answer reaches the address that was named.
#[tokio::test]
async fn forms_make_cases_that_staff_answer_by_mail() {
    let server = Server::start();
    let (visitor, desk) = (Visitor::new(&server), Visitor::new(&server));
    desk.log_in_as("support").await;
    for form in ["contact", "partner", "group_booking", "university_partnerships"] {
        let email = format!("zoe.{form}@homes.example");
        let asked = json!({ "form": form, "name": "Zoe Chen", "email": email, "organisation": "Acme Homes",
            "words": "Forty rooms in Leeds." });
        let sent = visitor.post("/api/v0/contact", asked).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
        assert_eq!(sent.data()["email"], email);
        let queue = desk
            .get("/api/v0/workspace/cases?status=waits_for_staff")
            .await
            .data()
            .clone();
        let case = queue["result"][0]["case_id"].as_str().unwrap().to_owned();
        let path = format!("/api/v0/workspace/cases/{case}");
        let seen = desk.get(&path).await.data().clone();
        let words = seen["messages"][0]["words"].as_str().unwrap();
        assert_eq!(words, "Zoe Chen · Acme Homes\n\nForty rooms in Leeds.", "{seen}");
        let answer = json!({ "words": "Thank you, we will call.", "channel": "email" });
        desk.post(&format!("{path}/messages"), answer).await.data();
        let token = crate::cases::link(&desk, &email).await;
        let thread = visitor.get(&format!("/api/v0/support/links/{token}")).await;
        assert_eq!(thread.data()["messages"][1]["words"], "Thank you, we will call.");
    }
}

#[tokio::test]
async fn message_with_bad_fields_is_refused_by_their_names() {
    let server = Server::start();
    let visitor = Visitor::new(&server);
    let good =
        json!({ "form": "contact", "name": "Zoe Chen", "email": "zoe@homes.example", "words": "Hello." });
    for (field, wrong) in [
        ("form", "letter".to_owned()),
        ("name", "12".to_owned()),
        ("email", "zoe".to_owned()),
        ("organisation", "x".repeat(121)),
        ("words", " \u{200B} ".to_owned()),
        ("words", "x".repeat(4_001)),
        ("website", "https://spam.example".to_owned()),
    ] {
        let mut bad = good.clone();
        bad[field] = json!(wrong);
        let refused = visitor.post("/api/v0/contact", bad).await;
        hold_refused(&refused, field, &wrong);
    }
}

/// The same words under the same key are one message.
#[tokio::test]
async fn message_sent_twice_is_one_case() {
    let server = Server::start();
    let (visitor, desk) = (Visitor::new(&server), Visitor::new(&server));
    desk.log_in_as("support").await;
    let asked =
        json!({ "form": "contact", "name": "Zoe Chen", "email": "zoe@homes.example", "words": "Hello." });
    for _ in 0..2 {
        let key = [("idempotency-key", "the-same")];
        let path = "/api/v0/contact";
        let sent = visitor.call(Method::POST, path, Some(asked.clone()), &key).await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    }
    let queue = desk.get("/api/v0/workspace/cases").await.data().clone();
    assert_eq!(queue["counts"]["waits_for_staff"], 1);
}
