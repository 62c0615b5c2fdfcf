//! A request of staff whose answer was lost is sent again with the same Idempotency-Key: it is answered as before and done once, though by
//! then its own checks would refuse it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::market::{AUTUMN, Market, until};
use crate::payment_links::{booked, rent};
use crate::second_factors::{enrol, is_told, mail_code};
use crate::visitor::{Answer, Visitor, enquiry, in_days, some_property};

const MEI: &str = "mei@example.com";

/// One request of a member of staff, under one key.
struct Press<'p> {
    staff: &'p Visitor<'p>,
    method: Method,
    path: String,
    body: Option<Value>,
    key: &'static str,
}

impl<'p> Press<'p> {
    fn post(staff: &'p Visitor<'p>, path: impl Into<String>, body: Value, key: &'static str) -> Self {
        Self {
            staff,
            method: Method::POST,
            path: path.into(),
            body: Some(body),
            key,
        }
    }

    fn delete(staff: &'p Visitor<'p>, path: impl Into<String>) -> Self {
        Self {
            staff,
            method: Method::DELETE,
            path: path.into(),
            body: None,
            key: "delete",
        }
    }

    async fn send(&self) -> Answer {
        let key = [("idempotency-key", self.key)];
        self.staff
            .call(self.method.clone(), &self.path, self.body.clone(), &key)
            .await
    }

    /// Sends it twice; gives the answer, which both times is the same.
    async fn twice(&self) -> Value {
        let (first, again) = (self.send().await, self.send().await);
        assert_eq!(
            (again.status, again.data()),
            (first.status, first.data()),
            "{}",
            self.path
        );
        again.data().clone()
    }
}

async fn sent(visitor: &Visitor<'_>, home: Option<&str>) -> Value {
    let mut body = enquiry("Mei Lin", MEI);
    if let Some(home) = home {
        body["lead"]["inventory_id"] = json!(home);
    }
    visitor.post("/api/v0/leads/", body).await.data().clone()
}

fn base(lead: &Value) -> String {
    format!("/api/v0/workspace/leads/{}", lead["id"].as_str().unwrap())
}

/// How many events of a lead's history have this value.
async fn told(desk: &Visitor<'_>, lead: &Value, pointer: &str, value: &str) -> usize {
    let history = desk.get(&format!("{}/timeline", base(lead))).await.data().clone();
    let events = history["events"].as_array().unwrap().iter();
    let of_value = events.filter(|event| event.pointer(pointer) == Some(&json!(value)));
    of_value.count()
}

/// How many messages of a kind went to an address.
async fn mails(visitor: &Visitor<'_>, to: &str, kind: &str) -> usize {
    let outbox = visitor.get(&format!("/dev/outbox?to={to}")).await;
    let all = outbox.data().as_array().unwrap().iter();
    all.filter(|mail| mail["kind"] == kind).count()
}

/// Changed dates are announced once, one code goes out, and a double that was parted stays parted.
#[tokio::test]
async fn desk_acts_sent_again_are_done_once() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let home = some_property(&mei).await;
    let (first, second) = (sent(&mei, None).await, sent(&mei, Some(&home)).await);
    desk.log_in_as("support").await;
    let act = |lead: &Value, body: Value, key| Press::post(&desk, format!("{}/acts", base(lead)), body, key);
    let stay = json!({ "act": "change_stay", "reason": "She rang", "move_in_date": AUTUMN });
    let changed = act(&second, stay.clone(), "stay").twice().await;
    assert_eq!(changed["stay"]["move_in_date"], AUTUMN);
    let other_press = act(&second, stay, "stay once more").send().await;
    assert_eq!(
        (other_press.status, other_press.code()),
        (StatusCode::CONFLICT, "nothing_changed")
    );
    let code = json!({ "act": "send_code", "reason": "She cannot log in" });
    act(&second, code, "code").twice().await;
    assert_eq!(mails(&mei, MEI, "otp").await, 1);
    let mark = json!({ "act": "mark_double", "reason": "Sent twice", "kept_lead_id": second["id"] });
    act(&first, mark, "mark").twice().await;
    let parted = act(&first, json!({ "act": "unmark_double" }), "part")
        .twice()
        .await;
    assert_eq!(parted["double_of"], Value::Null);
    until(|| async { (mails(&mei, MEI, "changed_for_you").await == 1).then_some(()) }).await;
    for (lead, what) in [
        (&second, "stay_changed"),
        (&second, "code_sent"),
        (&first, "marked_double"),
        (&first, "unmarked_double"),
    ] {
        let key = format!("timeline.lead_acted.{what}");
        assert_eq!(told(&desk, lead, "/sentence/key", &key).await, 1, "{what}");
    }
}

/// A look at contact data that is asked for again is one look, and ends when the first one does.
#[tokio::test]
async fn reveal_sent_again_ends_with_the_first_look() {
    let server = Server::start();
    let (mei, desk) = (Visitor::new(&server), Visitor::new(&server));
    let lead = sent(&mei, None).await;
    desk.log_in_as("support").await;
    let reason = json!({ "reason": "Callback asked in chat" });
    let reveal = Press::post(&desk, format!("{}/reveal", base(&lead)), reason, "look");
    let first = reveal.send().await.data().clone();
    assert_eq!(first["email"], MEI);
    desk.wait(60).await;
    assert_eq!(reveal.twice().await, first);
    desk.wait(15 * 60).await;
    let over = reveal.send().await.data().clone();
    assert_eq!((&over["email"], &over["until"]), (&Value::Null, &first["until"]));
    assert_eq!(told(&desk, &lead, "/type", "UserPersonalDataRevealed").await, 1);
}

/// A device and a role are taken away once, and the answer can be asked for again; what was asked of the colleague before stands.
#[tokio::test]
async fn device_and_role_are_taken_away_once() {
    let server = Server::start();
    let (mei, admin, desk) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    let lead = sent(&mei, None).await;
    admin.log_in_as("admin").await;
    let account = desk.log_in_as("support").await;
    let owner = json!({ "owner": account["id"] });
    let note = json!({ "note": "@support please call her" });
    let earlier = [
        Press::post(&admin, format!("{}/assign", base(&lead)), owner, "assign"),
        Press::post(&admin, format!("{}/notes", base(&lead)), note, "note"),
    ];
    for press in &earlier {
        press.twice().await;
    }
    enrol(&desk, "support", 0).await;
    let proof = mail_code(&admin, "admin").await;
    let id = account["id"].as_str().unwrap();
    for (path, proof) in [
        (format!("/api/v0/workspace/second_factors/{id}"), Some(proof)),
        (format!("/api/v0/workspace/grants/{id}/support"), None),
    ] {
        let press = Press {
            body: proof.clone(),
            ..Press::delete(&admin, &path)
        };
        let taken = press.send().await;
        let again = press.send().await;
        assert_eq!((again.status, &again.body), (taken.status, &taken.body));
        assert_eq!(taken.data(), &json!(true));
        let other_press = admin.call(Method::DELETE, &path, proof, &[]).await;
        assert_eq!(other_press.status, StatusCode::NOT_FOUND);
    }
    is_told(&admin, "support", "second_factor_reset").await;
    for press in &earlier {
        press.twice().await;
        let other_press = admin.post(&press.path, press.body.clone().unwrap()).await;
        assert_eq!(other_press.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(told(&admin, &lead, "/type", "LeadNoteAdded").await, 1);
    assert_eq!(
        desk.get("/api/v0/workspace/leads").await.status,
        StatusCode::FORBIDDEN
    );
}

/// The code of a mirror is spent by the request that is sent again, and the mirror is over when its end is.
#[tokio::test]
async fn mirror_begins_and_ends_once() {
    let server = Server::start();
    let (student, staff) = (Visitor::new(&server), Visitor::new(&server));
    student.log_in(MEI).await;
    staff.log_in_as("support").await;
    let page = json!({ "page": "payment" });
    let offered = student.post("/api/v0/users/mirrors", page).await.data().clone();
    let mirrors = "/api/v0/workspace/mirrors";
    let typed = Press::post(&staff, mirrors, json!({ "code": offered["code"] }), "begin");
    let begun = typed.twice().await;
    assert_eq!(begun["mirror_id"], offered["mirror_id"]);
    let path = format!("{mirrors}/{}", offered["mirror_id"].as_str().unwrap());
    Press::delete(&staff, &path).twice().await;
    let other_press = staff.delete(&path).await;
    assert_eq!(
        (other_press.status, other_press.code()),
        (StatusCode::FORBIDDEN, "no_consent")
    );
    let own = student.get("/api/v0/users/mirrors").await.data().clone();
    assert_eq!(own.as_array().map(Vec::len), Some(1), "{own}");
    assert_eq!(own[0]["ended_by"], "staff");
}

/// A setting that is given back again stays given back; what was set since stays in force.
#[tokio::test]
async fn setting_given_back_again_undoes_nothing_later() {
    let server = Server::start();
    let admin = Visitor::new(&server);
    admin.log_in_as("admin").await;
    let path = "/api/v0/workspace/settings/support_email";
    let set = async |value: &str| admin.put(path, json!({ "value": value })).await.data().clone();
    set("help@rooms.example").await;
    let press = Press {
        staff: &admin,
        method: Method::PUT,
        path: path.to_owned(),
        body: Some(json!({ "value": null, "was": "help@rooms.example" })),
        key: "back",
    };
    let back = press.twice().await;
    assert_eq!(back["source"], "default");
    assert_eq!(back["changes"].as_array().map(Vec::len), Some(2));
    set("later@rooms.example").await;
    assert_eq!(press.send().await.data()["value"], "later@rooms.example");
    let page = admin.get("/_page?url=/").await;
    assert_eq!(
        page.body["data"]["chrome"]["support_email"],
        "later@rooms.example"
    );
}

/// Filters that are saved again are one view.
#[tokio::test]
async fn view_saved_again_is_one_view() {
    let server = Server::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let desk = Visitor::new(&server);
    desk.log_in_as("support").await;
    let views = "/api/v0/workspace/leads/views";
    let before = desk.get(views).await.data().as_array().unwrap().len();
    let new = json!({ "name": "Newsletter", "filters": { "source": "newsletter" }, "shared": false });
    Press::post(&desk, views, new, "save").twice().await;
    let after = desk.get(views).await.data().as_array().unwrap().len();
    assert_eq!(after, before + 1);
}

/// A payment link whose day is past by the time its request comes again is still the one link.
#[tokio::test]
async fn link_sent_again_after_its_day_is_one_link() {
    let market = Market::open(&[2], &[]).await;
    let (_, lead_id, _) = booked(&market).await;
    let desk = Visitor::new(&market.server);
    desk.log_in_as("support").await;
    let mut body = rent(&lead_id);
    body["due_on"] = json!(in_days(0));
    let links = "/api/v0/workspace/payment_links";
    let press = Press::post(&desk, links, body, "link");
    let made = press.twice().await;
    desk.wait(2 * 24 * 3_600).await;
    desk.log_in("support@staff.example").await;
    assert_eq!(press.twice().await, made);
    let other_press = desk.post(links, press.body.clone().unwrap()).await;
    assert_eq!(other_press.fields(), ["due_on"]);
    let of_lead = format!("{links}?lead_id={lead_id}");
    let listed = desk.get(&of_lead).await.data().clone();
    assert_eq!(listed["links"].as_array().map(Vec::len), Some(1), "{listed}");
}

/// A second person is asked once, also where the money that is left would not be enough any more.
#[tokio::test(flavor = "multi_thread")]
async fn approval_is_asked_for_once() {
    let market = Market::open(&[2], &[("LATCHKEY_REFUND_LIMIT", "100")]).await;
    let buyer = market.person(1, 0);
    let token = buyer.begun().await;
    assert_eq!(buyer.pay(&token, "4242424242424242").await["status"], "success");
    let finance = Visitor::new(&market.server);
    finance.log_in_as("finance").await;
    let payment_id = until(|| async {
        let path = "/api/v0/workspace/payments/events?limit=200&kind=captured";
        let found = finance.get(path).await.data().clone();
        found["result"][0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let path = |verb: &str| format!("/api/v0/workspace/payments/{payment_id}/{verb}");
    let refund = |amount: u64| json!({ "booking": "keep", "amount_minor": amount, "reason": "visa refused" });
    let ask = Press::post(&finance, path("refund_approvals"), refund(20_000), "ask");
    let asked = ask.twice().await;
    let small = finance.post(&path("refunds"), refund(10_000)).await;
    assert_eq!(small.status, StatusCode::CREATED, "{}", small.body);
    assert_eq!(ask.twice().await, asked);
    let other_press = finance.post(&path("refund_approvals"), refund(20_000)).await;
    assert_eq!(other_press.fields(), ["amount_minor"]);
    let waiting = finance.get("/api/v0/workspace/approvals").await.data().clone();
    assert_eq!(waiting.as_array().map(Vec::len), Some(1), "{waiting}");
}
