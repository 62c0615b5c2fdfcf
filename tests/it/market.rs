//! A house with few rooms, and people who pay for them: what the stories about money share.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::id::InventoryId;
use domain::inventory::let_room::LeaseOption;
use domain::inventory::{Inventory, InventoryCommand};
use eventlog::{Actor, Context, EventLog, commit};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

/// Longer than anything here takes on a busy machine.
const DEADLINE: Duration = Duration::from_secs(90);
/// How long after one look comes the next.
const LOOKS: Duration = Duration::from_millis(25);
const EVENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../domain/events/inventory");

/// A server with one house.
pub(crate) struct Market {
    pub(crate) server: Server,
    pub(crate) rooms: Vec<String>,
    /// A room of another house.
    pub(crate) elsewhere: String,
    /// Where the server is now: it moves when it is started again.
    pub(crate) address: Address,
}

/// When most leases begin.
pub(crate) const AUTUMN: &str = "2027-09-11";

/// The rooms that a house lets: per type its leases as day, weeks and rooms that are free. There are as many rooms as the lease with most of
/// them lets free; those that overlap share them.
pub(crate) struct House {
    pub(crate) rooms: Vec<Vec<(&'static str, u16, u32)>>,
    /// A holding fee before the deposit; 0: none.
    pub(crate) token_minor: u64,
}

pub(crate) type Address = Arc<Mutex<String>>;

impl Market {
    /// A house with one kind of room per capacity, at 289.00 GBP a week and the default deposit of 250.00.
    pub(crate) async fn open(capacities: &[u32], settings: &[(&str, &str)]) -> Self {
        let rooms = capacities
            .iter()
            .map(|rooms| vec![(AUTUMN, 44, *rooms)])
            .collect();
        Self::with(
            &House {
                rooms,
                token_minor: 0,
            },
            settings,
        )
        .await
    }

    /// The house, and another one with a single room.
    pub(crate) async fn with(house: &House, settings: &[(&str, &str)]) -> Self {
        let mut all = vec![("LATCHKEY_DEMO_CATALOGUE", "false")];
        all.extend(settings);
        let mut server = Server::with(&all);
        server.kill();
        let rooms = furnish(&server, 0, house).await;
        let other = House {
            rooms: vec![vec![(AUTUMN, 44, 1)]],
            token_minor: 0,
        };
        let elsewhere = furnish(&server, 900, &other).await.remove(0);
        server.restart();
        let address = Arc::new(Mutex::new(server.url("")));
        Self {
            server,
            rooms,
            elsewhere,
            address,
        }
    }

    /// Kills the server and starts it again on the same data.
    pub(crate) fn kill_and_restart(&mut self) {
        self.server.restart();
        *self.address.lock().unwrap() = self.server.url("");
    }

    /// Somebody new who wants the n-th room; numbers keep people apart.
    pub(crate) fn person(&self, n: usize, room: usize) -> Buyer {
        Buyer {
            client: Client::new(),
            address: self.address.clone(),
            email: format!("buyer{n}@example.com"),
            phone: format!("+44+79{n:08}"),
            room: self.rooms[room].clone(),
            kept: Arc::default(),
        }
    }

    /// Everything the test gateway knows.
    pub(crate) async fn gateway(&self) -> Value {
        let answer = Client::new()
            .get(self.server.url("/dev/sandbox"))
            .send()
            .await
            .unwrap();
        answer.json::<Value>().await.unwrap()["data"].clone()
    }

    /// Waits until nothing moves any more and the read models have folded all of it.
    pub(crate) async fn caught_up(&self) {
        // Opened anew each time: another process writes here.
        let head_now = async || log_of(&self.server).await.head().await.unwrap();
        until(|| async {
            let head = head_now().await;
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            let still = head_now().await == head;
            (still && folded(&self.server).await >= head).then_some(())
        })
        .await;
    }

    /// Changes how the test gateway behaves.
    pub(crate) async fn plan(&self, plan: Value) {
        let url = self.server.url("/dev/sandbox/plan");
        let answer = Client::new().post(url).json(&plan).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
    }

    /// Subjects of the messages somebody got, oldest first.
    pub(crate) async fn messages(&self, email: &str) -> Vec<String> {
        let url = self.server.url(&format!("/dev/outbox?to={email}"));
        let answer: Value = Client::new().get(url).send().await.unwrap().json().await.unwrap();
        let kinds = answer["data"].as_array().unwrap().iter().rev();
        kinds
            .map(|message| message["kind"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// The log that a server works on.
pub(crate) async fn log_of(server: &Server) -> EventLog {
    if let Some(url) = server.event_log() {
        let (keys, handles) = eventlog_sqlite::keys_in_folder(server.folder()).await.unwrap();
        return kurrent::open_with(&url, "", keys, handles).await.unwrap();
    }
    let opened = match server.database() {
        Some((url, keys_url)) => eventlog_postgres::open(&url, &keys_url).await,
        None => eventlog_sqlite::open(server.folder()).await,
    };
    opened.unwrap()
}

/// How far every read model of a server has come.
async fn folded(server: &Server) -> u64 {
    let answer = Client::new().get(server.url("/readyz")).send().await.unwrap();
    let models = answer.json::<Value>().await.unwrap()["read_models"].clone();
    let positions = models.as_array().unwrap().iter();
    positions
        .map(|model| model["position"].as_u64().unwrap())
        .min()
        .unwrap()
}

/// Writes the house into the log as its provider would have.
pub(crate) async fn furnish(server: &Server, first: usize, house: &House) -> Vec<String> {
    let log = log_of(server).await;
    let property = sample("PropertyListed")["property"].clone();
    let mut rooms = Vec::new();
    let mut names = Vec::new();
    for (number, offered) in house.rooms.iter().enumerate() {
        let number = first + number;
        let id = format!("0193a000-0000-7000-8000-{:012}", number + 2);
        let mut room = sample("RoomListed")["room"].clone();
        room["id"] = json!(id);
        room["canonical_name"] = json!(format!("bloomsbury-row-london-room-{number}"));
        let lease = |(day, weeks, rooms): &(&str, u16, u32)| {
            let length = json!({ "duration": weeks, "unit": "weeks" });
            // A shorter stay costs more.
            let price_minor = if *weeks < 40 { 30_900 } else { 28_900 };
            json!({ "move_in": day, "length": length, "price_minor": price_minor, "rooms_available": rooms })
        };
        let leases: Value = offered.iter().map(lease).collect();
        let leases: Vec<LeaseOption> = serde_json::from_value(leases).unwrap();
        rooms.push((serde_json::from_value(room).unwrap(), leases.into()));
        names.push(id);
    }
    let mut property = property;
    property["terms"] = json!({
        "booking_allowed": true, "payment_before_bookform": false, "deposit_minor": 0,
        "refundable_token_minor": house.token_minor,
        "platform_fee_minor": 0, "max_deposit_minor": 0, "deposit_multiplier_percent": 0
    });
    property["tags"] = json!([]);
    if first > 0 {
        property["canonical_name"] = json!(format!("elsewhere-{first}-london"));
    }
    let property = serde_json::from_value(property).unwrap();
    let id = format!("0193a000-0000-7000-8000-{:012}", first + 1);
    let house = InventoryId(id.parse().unwrap());
    let context = Context::new("2026-11-01T12:00:00Z".parse().unwrap(), Actor::SYSTEM);
    for command in [
        InventoryCommand::Adopt { property, rooms },
        InventoryCommand::SubmitForReview,
        InventoryCommand::Activate,
    ] {
        commit::<Inventory>(&log, house, command, &context).await.unwrap();
    }
    names
}

/// What a released event of a house looks like.
pub(crate) fn sample(event: &str) -> Value {
    let text = std::fs::read_to_string(format!("{EVENTS}/{event}.v1.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["payload"][event].clone()
}

/// Somebody who enquires, opens a payment and pays.
#[derive(Clone)]
pub(crate) struct Buyer {
    pub(crate) client: Client,
    pub(crate) address: Address,
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) room: String,
    pub(crate) kept: Arc<Mutex<Kept>>,
}

/// The links of leads that a browser keeps.
#[derive(Default)]
pub(crate) struct Kept {
    sent: BTreeMap<String, String>,
    paid: BTreeMap<String, String>,
}

impl Buyer {
    /// One request; `Err` when no answer came.
    pub(crate) async fn try_call(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<(StatusCode, Value), reqwest::Error> {
        let url = format!("{}{path}", self.address.lock().unwrap());
        let mut request = self.client.request(method, url).timeout(Duration::from_secs(30));
        if let Some(body) = body {
            request = request.json(body);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let answer = request.send().await?;
        Ok((answer.status(), answer.json().await?))
    }

    /// Asks again while the server is too busy, as its answer says.
    pub(crate) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        until(async || {
            let answer = self
                .try_call(Method::POST, path, Some(&body), None)
                .await
                .unwrap();
            (answer.0 != StatusCode::SERVICE_UNAVAILABLE).then_some(answer)
        })
        .await
    }

    pub(crate) fn lead_body(&self) -> Value {
        let mut body = json!({ "lead": {
            "state": "created", "inventory_id": self.room,
            "user_details": { "name": "Mei Lin", "phone": self.phone, "email": self.email },
            "meta": { "variant": "book_now" },
        }});
        if let Some(earlier) = self.kept.lock().unwrap().sent.get(&self.email) {
            body["lead"]["lead_uuid"] = json!(earlier);
        }
        body
    }

    /// The link of the lead that a payment is for: the payment itself does not name it.
    pub(crate) fn lead_of(&self, token: &str) -> Value {
        json!(self.kept.lock().unwrap().paid[token])
    }

    /// Enquires; gives the lead's capability.
    pub(crate) async fn enquire(&self) -> String {
        let (status, body) = self.post("/api/v0/leads", self.lead_body()).await;
        assert!(status.is_success(), "{status} {body}");
        let lead = body["data"]["lead_uuid"].as_str().unwrap().to_owned();
        let mut kept = self.kept.lock().unwrap();
        kept.sent.insert(self.email.clone(), lead.clone());
        lead
    }

    /// Enquires and opens a payment; gives its token.
    pub(crate) async fn open(&self) -> String {
        self.open_for(&self.enquire().await, &self.room).await
    }

    /// Opens a payment for a room of the enquiry's house; gives its token.
    pub(crate) async fn open_for(&self, lead_uuid: &str, room: &str) -> String {
        let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": room } });
        let (status, body) = self.post("/api/v0/payments", asked).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        let token = body["data"]["token"].as_str().unwrap().to_owned();
        let mut kept = self.kept.lock().unwrap();
        kept.paid.insert(token.clone(), lead_uuid.to_owned());
        token
    }

    /// Begins, or begins again; gives the payment.
    pub(crate) async fn begin(&self, token: &str) -> Value {
        let (status, body) = self
            .post(&format!("/api/v0/payments/{token}/intent"), json!({}))
            .await;
        assert_eq!(status, StatusCode::OK, "{body}");
        if body["data"]["status"] == "init_loading" {
            // A busy machine answers before the room has; the page goes on asking.
            let has_begun = |payment: &Value| payment["status"] != "init_loading";
            return self.wait_for(token, has_begun).await;
        }
        body["data"].clone()
    }

    /// Opens and begins; gives the token.
    pub(crate) async fn begun(&self) -> String {
        let token = self.open().await;
        let payment = self.begin(&token).await;
        assert_eq!(payment["status"], "initiated", "{payment}");
        token
    }

    pub(crate) async fn pay(&self, token: &str, card: &str) -> Value {
        let (status, body) = self.press(token, json!({ "card_number": card })).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        body["data"].clone()
    }

    pub(crate) async fn press(&self, token: &str, body: Value) -> (StatusCode, Value) {
        self.post(&format!("/api/v0/payments/{token}/sandbox_confirm"), body)
            .await
    }

    pub(crate) async fn read(&self, token: &str) -> Value {
        let (status, body) = self
            .try_call(Method::GET, &format!("/api/v0/payments/{token}"), None, None)
            .await
            .unwrap();
        assert_eq!(status, StatusCode::OK, "{body}");
        body["data"].clone()
    }

    /// Waits until the payment is as wished.
    pub(crate) async fn wait_for(&self, token: &str, wished: impl Fn(&Value) -> bool) -> Value {
        self.wait_at(LOOKS, token, wished).await
    }

    /// The same, looking less often, where hundreds wait beside each other.
    pub(crate) async fn wait_at(
        &self,
        pace: Duration,
        token: &str,
        wished: impl Fn(&Value) -> bool,
    ) -> Value {
        until_at(pace, || async {
            let payment = self.read(token).await;
            wished(&payment).then_some(payment)
        })
        .await
    }
}

/// Looks again and again until something is there; gives up after the deadline.
pub(crate) async fn until<T, F: Future<Output = Option<T>>>(look: impl Fn() -> F) -> T {
    until_at(LOOKS, look).await
}

async fn until_at<T, F: Future<Output = Option<T>>>(pace: Duration, look: impl Fn() -> F) -> T {
    let deadline = tokio::time::Instant::now() + DEADLINE;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "it did not come about in {DEADLINE:?}"
        );
        tokio::time::sleep(pace).await;
    }
}
