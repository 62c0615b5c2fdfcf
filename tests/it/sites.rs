//! Several hosts of one house, reached by their names through nginx: each is a site of its own.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Method, Response, StatusCode};
use serde_json::{Value, json};
use tests::nginx::Nginx;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::bounds::address;
use crate::letters;
use crate::market::{Buyer, Market, until};
use crate::visitor::Visitor;

const ROOMS: &str = "rooms.example";
const STUDY: &str = "study.example";
const LETS: &str = "lets.example";
const STRANGER: &str = "evil.example";
const SETTINGS: [(&str, &str); 4] = [
    ("LATCHKEY_PUBLIC_URL", "http://rooms.example"),
    (
        "LATCHKEY_HOSTS",
        "http://study.example brand=study language=zh, https://lets.example brand=lets",
    ),
    ("LATCHKEY_TRUSTED_PROXY", "127.0.0.1"),
    ("LATCHKEY_DEV_TOOLS", "true"),
];

/// A house with three hosts, and nginx before it.
struct House {
    market: Market,
    nginx: Nginx,
}

impl House {
    async fn open() -> Self {
        let market = Market::open(&[3], &SETTINGS).await;
        let nginx = Nginx::before(address(&market.server));
        Self { market, nginx }
    }

    /// A browser that finds every name at nginx.
    fn browser(&self) -> Browser {
        let front = self.nginx.documented;
        let named = [ROOMS, STUDY, LETS, STRANGER].into_iter();
        let found = named.fold(Client::builder(), |client: ClientBuilder, name| {
            client.resolve(name, front)
        });
        let client = found.cookie_store(true).redirect(Policy::none()).build().unwrap();
        Browser { client, front }
    }

    /// A buyer who came to this host.
    fn buyer(&self, host: &str, number: usize) -> Buyer {
        let browser = self.browser();
        Buyer {
            address: Arc::new(Mutex::new(browser.url(host, ""))),
            client: browser.client,
            ..self.market.person(number, 0)
        }
    }

    /// Asks the server itself, from an address of this machine, with headers as they are.
    async fn ask(&self, from: [u8; 4], headers: &[(&str, &str)]) -> Response {
        let client = Client::builder()
            .local_address(IpAddr::from(from))
            .build()
            .unwrap();
        let mut request = client.get(self.market.server.url("/terms"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.unwrap()
    }
}

struct Browser {
    client: Client,
    front: SocketAddr,
}

impl Browser {
    fn url(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.front.port())
    }

    async fn get(&self, host: &str, path: &str) -> Response {
        self.client.get(self.url(host, path)).send().await.unwrap()
    }

    async fn page(&self, host: &str, path: &str) -> String {
        self.get(host, path).await.text().await.unwrap()
    }

    /// Writes as a page of `origin` makes the browser write.
    async fn write(&self, host: &str, path: &str, origin: &str, body: Value) -> (StatusCode, Value) {
        let request = self
            .client
            .request(Method::POST, self.url(host, path))
            .header("origin", origin);
        let answer = request.json(&body).send().await.unwrap();
        (answer.status(), answer.json().await.unwrap_or(Value::Null))
    }

    async fn log_in(&self, house: &House, host: &str, email: &str) -> String {
        let origin = format!("http://{host}");
        let user = json!({ "user": { "email": email } });
        let path = "/api/v0/users/generate_email_otp";
        let (status, asked) = self.write(host, path, &origin, user).await;
        assert_eq!(status, StatusCode::OK, "{asked}");
        let otp = Visitor::new(&house.market.server).code_for(email).await;
        let user = json!({ "user": { "email": email, "otp": otp } });
        let url = self.url(host, "/api/v0/users/login_email_otp");
        let request = self.client.post(url).header("origin", origin).json(&user);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
        assert!(!cookie.to_lowercase().contains("domain="), "{cookie}");
        cookie.split(';').next().unwrap().to_owned()
    }

    /// Who this browser is at a host; null for nobody.
    async fn me(&self, host: &str) -> Value {
        let answer = self.get(host, "/api/v0/users/details").await;
        answer.json::<Value>().await.unwrap()["data"].clone()
    }
}

fn says_canonical(page: &str, address: &str) -> bool {
    page.contains(&format!("<link rel=\"canonical\" href=\"{address}\">"))
}

/// Pages name the host that was asked, and show its own language where none is asked for.
#[tokio::test]
async fn pages_are_pages_of_the_host_that_was_asked() {
    let house = House::open().await;
    let browser = house.browser();
    for (host, lang, other) in [(ROOMS, "en", "zh"), (STUDY, "zh", "en")] {
        let page = browser.page(host, "/").await;
        assert!(page.contains(&format!("<html lang=\"{lang}\">")), "{host}");
        let own = format!("http://{host}/");
        assert!(says_canonical(&page, &own), "{host}: {page}");
        for (hreflang, address) in [
            (lang, own.clone()),
            ("x-default", own.clone()),
            (other, format!("{own}?lang={other}")),
        ] {
            let link = format!("<link rel=\"alternate\" href=\"{address}\" hreflang=\"{hreflang}\">");
            assert!(page.contains(&link), "{link} at {host}");
        }
        let home = browser.page(host, "/places/bloomsbury-row-london").await;
        let named = format!("\"url\":\"http://{host}/places/bloomsbury-row-london\"");
        assert!(home.contains(&named), "{named} at {host}");
        let strange = [ROOMS, STUDY].into_iter().find(|name| *name != host).unwrap();
        assert!(!home.contains(strange), "{strange} at {host}");
        let as_the_browser_asks = browser.get(host, "/_page?url=%2Fterms").await;
        let payload: Value = as_the_browser_asks.json().await.unwrap();
        assert_eq!(
            payload["data"]["head"]["canonical"],
            format!("http://{host}/terms")
        );
    }
    // What browsers reach over TLS says so; the others do not.
    let secure = browser.get(LETS, "/terms?lang=en").await;
    assert!(secure.headers().contains_key("strict-transport-security"));
    let kept = secure.headers()["set-cookie"].to_str().unwrap();
    assert!(kept.ends_with("; Secure"), "{kept}");
    let plain = browser.get(STUDY, "/terms?lang=en").await;
    assert!(!plain.headers().contains_key("strict-transport-security"));
    assert!(!plain.headers()["set-cookie"].to_str().unwrap().contains("Secure"));
}

/// A login counts under its own host, whoever carries its token elsewhere, and no page of one host writes at another.
#[tokio::test]
async fn login_and_writes_stay_with_their_host() {
    let house = House::open().await;
    let browser = house.browser();
    let cookie = browser.log_in(&house, STUDY, "mei@example.com").await;
    assert_eq!(browser.me(STUDY).await["email"], "mei@example.com");
    assert_eq!(browser.me(ROOMS).await, Value::Null);
    for host in [ROOMS, LETS] {
        let url = browser.url(host, "/api/v0/users/details");
        let carried = Client::builder().resolve(host, browser.front).build().unwrap();
        let answer = carried.get(url).header("cookie", &cookie).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{host}");
    }
    let guarded = browser.get(ROOMS, "/profile").await;
    assert_eq!(guarded.status(), StatusCode::FOUND);
    assert_eq!(browser.get(STUDY, "/profile").await.status(), StatusCode::OK);
    for (host, origin) in [
        (STUDY, "http://rooms.example"),
        (ROOMS, "http://study.example"),
        (STUDY, "https://study.example"),
        (STUDY, "http://evil.example"),
        (LETS, "http://lets.example"),
        (STUDY, "null"),
    ] {
        let (status, refused) = browser
            .write(host, "/api/v0/users/logout", origin, json!({}))
            .await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{origin} at {host}");
        assert_eq!(refused["message"]["code"], "foreign_origin");
    }
    assert_eq!(browser.me(STUDY).await["email"], "mei@example.com");
    let (status, _) = browser
        .write(STUDY, "/api/v0/users/logout", "http://study.example", json!({}))
        .await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(browser.me(STUDY).await, Value::Null);
}

/// Mails lead back to the host where their enquiry was sent, and the bank's page back to the host where the card was typed.
#[tokio::test]
async fn mails_and_payment_lead_back_to_the_host_of_the_enquiry() {
    let house = House::open().await;
    let desk = Visitor::new(&house.market.server);
    desk.log_in_as("finance").await;
    let mut told = Vec::new();
    for (number, host, other) in [(1, ROOMS, STUDY), (2, STUDY, ROOMS)] {
        let buyer = house.buyer(host, number);
        let token = buyer.begun().await;
        let asked = buyer.pay(&token, "4000002500003155").await;
        let bank_page = asked["next_action"]["url"].as_str().unwrap();
        let browser = house.browser();
        let pressed = browser
            .client
            .post(browser.url(host, bank_page))
            .header("origin", format!("http://{host}"));
        let answered = pressed.form(&[("challenge", "pass")]).send().await.unwrap();
        let back = answered.headers()["location"].to_str().unwrap().to_owned();
        assert_eq!(back, format!("/payments/complete?token={token}"));
        buyer
            .wait_for(&token, |payment| payment["status"] == "success")
            .await;
        for (kind, path) in [
            ("lead_booking", "/profile/leads?tab=enquired"),
            ("receipt", "/receipts/"),
        ] {
            let mail = letters::first(&desk, &buyer.email, kind).await;
            let link = format!("http://{host}{path}");
            let body = mail["body"].as_str().unwrap();
            assert!(body.contains(&link) && !body.contains(other), "{kind}: {body}");
            let html = mail["html"].as_str().unwrap().replace("&amp;", "&");
            assert!(html.contains(&format!("<a href=\"{link}")), "{kind}: {html}");
        }
        // Staff hand a link on under the name that the student knows.
        let lead_id = until(|| async {
            let captured = desk.get("/api/v0/workspace/payments/events?kind=captured").await;
            let mut paid = captured.data()["result"].as_array().unwrap().iter();
            let new = paid.find(|event| !told.contains(&event["lead_id"]));
            new.map(|event| event["lead_id"].clone())
        })
        .await;
        let lead = lead_id.as_str().unwrap();
        let path = format!("/api/v0/workspace/payment_links?lead_id={lead}");
        let links = desk.get(&path).await;
        told.push(lead_id);
        let origin = links.data()["origin"].as_str();
        assert_eq!(origin, (host == STUDY).then_some("http://study.example"));
    }
}

/// A mail wears the face of the host that it comes from, which names no other brand of the house.
#[tokio::test]
async fn mail_wears_the_face_of_its_host() {
    let house = House::open().await;
    let server = &house.market.server;
    server.run(&["brand", "set", "name=Quayside", "mail_small_print=Quayside Ltd"]);
    let print = "mail_small_print=Ferrybank Ltd";
    server.run(&["brand", "--brand", "study", "set", "name=Ferrybank", print]);
    let (browser, desk) = (house.browser(), Visitor::new(server));
    until(async || {
        let rooms = browser.page(ROOMS, "/terms").await;
        let study = browser.page(STUDY, "/terms").await;
        (rooms.contains("Quayside") && study.contains("Ferrybank")).then_some(())
    })
    .await;
    for (number, host, name, other) in [
        (1, STUDY, "Ferrybank", "Quayside"),
        (2, ROOMS, "Quayside", "Ferrybank"),
    ] {
        let email = format!("mei-{number}@example.com");
        browser.log_in(&house, host, &email).await;
        let codes = desk.get(&format!("/dev/outbox?to={email}")).await;
        let buyer = house.buyer(host, number);
        buyer.begun().await;
        let told = letters::first(&desk, &buyer.email, "lead_booking").await;
        for mail in [&codes.data()[0], &told] {
            let said = mail.to_string();
            assert!(
                said.contains(&format!("{name} Ltd")) && !said.contains(other),
                "{said}"
            );
            let page = mail["html"].as_str().unwrap();
            assert!(page.contains(&format!("src=\"http://{host}/brand/")), "{page}");
        }
    }
}

/// An answer of staff leads back to the host where the conversation was begun, though it is about no enquiry.
#[tokio::test]
async fn conversation_leads_back_to_the_host_where_it_began() {
    let house = House::open().await;
    let (browser, desk) = (house.browser(), Visitor::new(&house.market.server));
    desk.log_in_as("support").await;
    for (host, email) in [(STUDY, "mei@example.com"), (ROOMS, "ada@example.com")] {
        browser.log_in(&house, host, email).await;
        let origin = format!("http://{host}");
        let asked = json!({ "topic": "booking", "subject": "When do I get the key?", "words": "I arrive on a Sunday." });
        let (status, opened) = browser.write(host, "/api/v0/support/cases", &origin, asked).await;
        assert_eq!(status, StatusCode::CREATED, "{opened}");
        let id = opened["data"]["case_id"].as_str().unwrap();
        let answer = json!({ "words": "At the front desk.", "channel": "email" });
        let path = format!("/api/v0/workspace/cases/{id}/messages");
        desk.post(&path, answer).await.data();
        let mail = letters::first(&desk, email, "case_message").await;
        let body = mail["body"].as_str().unwrap();
        assert!(body.contains(&format!("{origin}/support/")), "{body}");
    }
}

/// A host of nobody reads one sentence that names no house, and writes nothing; the process tells everybody how it is.
#[tokio::test]
async fn unknown_host_reads_one_sentence_and_writes_nothing() {
    let house = House::open().await;
    let browser = house.browser();
    for path in [
        "/",
        "/terms",
        "/assets/favicon.svg",
        "/api/v1/inventories",
        "/api/openapi.json",
    ] {
        let answer = browser.get(STRANGER, path).await;
        assert_eq!(answer.status(), StatusCode::MISDIRECTED_REQUEST, "{path}");
        assert_eq!(answer.headers()["cache-control"], "no-store", "{path}");
        let said = answer.text().await.unwrap();
        assert!(said.contains("There is no site at this address"), "{said}");
        for name in ["Amber", ROOMS, STUDY, LETS] {
            assert!(!said.contains(name), "{path}: {said}");
        }
    }
    let stranger = house.buyer(STRANGER, 7);
    let (status, refused) = stranger.post("/api/v0/leads", stranger.lead_body()).await;
    assert_eq!(status, StatusCode::MISDIRECTED_REQUEST, "{refused}");
    assert_eq!(refused["message"]["code"], "unknown_host");
    assert!(house.market.messages(&stranger.email).await.is_empty());
    assert_eq!(browser.get(STRANGER, "/healthz").await.status(), StatusCode::OK);
    let ready = browser.get(STRANGER, "/readyz").await;
    assert_ne!(ready.status(), StatusCode::MISDIRECTED_REQUEST);
}

/// A host is the same in every way of writing it, and its word counts before that of a proxy, which has to be one of ours.
#[tokio::test]
async fn host_is_found_however_it_is_written() {
    const PROXY: [u8; 4] = [127, 0, 0, 1];
    const ELSEWHERE: [u8; 4] = [127, 0, 0, 2];
    let house = House::open().await;
    for (from, host, forwarded, site) in [
        (ELSEWHERE, "Study.Example", None, Some(STUDY)),
        (ELSEWHERE, "study.example.:8443", None, Some(STUDY)),
        (ELSEWHERE, "localhost", None, Some(ROOMS)),
        (ELSEWHERE, "[::1]:8080", None, Some(ROOMS)),
        (ELSEWHERE, "[2001:db8::1]", None, None),
        (ELSEWHERE, "192.0.2.7:80", None, None),
        (PROXY, "latchkey:8080", Some(STUDY), Some(STUDY)),
        (PROXY, "latchkey:8080", Some("study.example, evil.example"), None),
        (PROXY, ROOMS, Some(STUDY), Some(ROOMS)),
        (ELSEWHERE, "latchkey:8080", Some(STUDY), None),
    ] {
        let mut headers = vec![("host", host)];
        headers.extend(forwarded.map(|forwarded| ("x-forwarded-host", forwarded)));
        let answer = house.ask(from, &headers).await;
        let status = answer.status();
        let page = answer.text().await.unwrap();
        match site {
            Some(site) => assert!(
                says_canonical(&page, &format!("http://{site}/terms")),
                "{headers:?}: {page}"
            ),
            None => assert_eq!(status, StatusCode::MISDIRECTED_REQUEST, "{headers:?}"),
        }
    }
    for (asked, begins, says) in [
        (
            "GET http://study.example/terms HTTP/1.1\r\nHost: study.example\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 200",
            "http://study.example/terms",
        ),
        (
            "GET http://study.example/terms HTTP/1.1\r\nHost: rooms.example\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 400",
            "",
        ),
        (
            "GET /terms HTTP/1.1\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 400",
            "",
        ),
        (
            "GET /terms HTTP/1.0\r\n\r\n",
            "HTTP/1.0 200",
            "http://rooms.example/terms",
        ),
    ] {
        let mut stream = TcpStream::connect(address(&house.market.server)).await.unwrap();
        stream.write_all(asked.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.starts_with(begins) && answer.contains(says),
            "{asked}: {answer}"
        );
    }
}
