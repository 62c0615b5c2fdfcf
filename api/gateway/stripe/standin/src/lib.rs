//! A server for tests that speaks the part of Stripe's HTTP API that Latchkey uses: customers, intents, refunds, events and signed
//! notices, in the shapes that Stripe publishes. It keeps everything in memory and misbehaves on demand. It is not Stripe: what it
//! does not do it refuses.

mod account;
mod api;
mod books;
mod card;
mod courier;
mod disputes;
mod form;
mod objects;

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use books::Books;
pub use courier::signed;

/// The keys that this account answers to.
pub const SECRET_KEY: &str = "sk_test_standin";
pub const PUBLISHABLE_KEY: &str = "pk_test_standin";
/// What its notices are signed with.
pub const WEBHOOK_SECRET: &str = "whsec_standin";

/// One call that was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Method and path, e.g. `POST /v1/refunds`.
    pub what: String,
    pub idempotency_key: Option<String>,
    /// The parameters, sorted, as `name=value`.
    pub parameters: Vec<String>,
    pub status: u16,
}

/// How calls are answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Weather {
    #[default]
    Fair,
    /// Every call is answered with this status, and nothing is done.
    Failing(u16),
    /// Every call is carried out, and its answer is a broken page.
    AnswersLost,
}

/// A running stand-in; it ends when dropped.
pub struct Standin {
    books: Arc<Mutex<Books>>,
    url: String,
    serving: JoinHandle<()>,
    carrying: JoinHandle<()>,
}

impl Standin {
    /// Listens on a free port of this machine.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn open() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let books = Arc::new(Mutex::new(Books::default()));
        let router = api::router(books.clone());
        let serving = tokio::spawn(async move {
            let _ended_with_the_test = axum::serve(listener, router).await;
        });
        Ok(Self {
            carrying: tokio::spawn(courier::deliver(books.clone())),
            books,
            url,
            serving,
        })
    }

    /// What `LATCHKEY_STRIPE_API_BASE` is set to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sends notices to this address from now on; with `None`, those of what happens next are lost.
    pub fn notify(&self, webhook_url: Option<&str>) {
        self.books.lock().webhook_url = webhook_url.map(str::to_owned);
    }

    /// Changes how calls are answered.
    pub fn change_weather(&self, weather: Weather) {
        self.books.lock().weather = weather;
    }

    /// Every call so far, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        self.books.lock().calls.clone()
    }

    /// Every intent, oldest first.
    pub fn intents(&self) -> Vec<Value> {
        self.books.lock().intents.clone()
    }

    /// Every refund, oldest first.
    pub fn refunds(&self) -> Vec<Value> {
        self.books.lock().refunds.clone()
    }

    /// Every dispute.
    pub fn disputes(&self) -> Vec<Value> {
        self.books.lock().all_disputes()
    }

    /// Every uploaded file, oldest first.
    pub fn files(&self) -> Vec<Value> {
        self.books.lock().files.clone()
    }

    /// Every customer, oldest first.
    pub fn customers(&self) -> Vec<Value> {
        self.books.lock().customers.clone()
    }

    /// Every event so far, oldest first, as a notice of this moment: its signature and its body.
    pub fn signed_events(&self) -> Vec<(String, String)> {
        let events = self.books.lock().events.clone();
        let bodies = events.iter().map(Value::to_string);
        bodies.map(|body| (courier::signature(&body), body)).collect()
    }

    /// Notices that are not taken in yet.
    pub fn undelivered(&self) -> usize {
        self.books.lock().notices.len()
    }

    /// Gives money back as a person does in the dashboard: without metadata. Gives the refund's id.
    pub fn refund_in_dashboard(&self, intent_id: &str, amount: u64) -> Option<String> {
        let mut books = self.books.lock();
        books.refund(intent_id, amount, &Value::Null).ok()
    }

    /// Money comes in that belongs to no payment of the server's; gives the intent's id.
    pub fn take_from_elsewhere(&self, amount: u64, currency: &str) -> String {
        self.books.lock().stray(amount, currency)
    }

    /// All that is on the account goes to the bank.
    pub fn pay_out(&self) {
        self.books.lock().pay_out();
    }

    /// A part of what is on the account goes to the bank because a person said so; gives the payout's id.
    pub fn pay_out_by_hand(&self, amount: i64, currency: &str) -> String {
        self.books.lock().pay_out_by_hand(amount, currency)
    }

    /// Charges are settled in this currency from now on: so many millionths of it for one unit of theirs.
    pub fn settle_in(&self, currency: &str, millionths: i64) {
        self.books.lock().account.settles_in = Some((currency.to_owned(), millionths));
    }

    /// A bank sends a refund back that had succeeded; Stripe tells of it by the events of the account's version.
    pub fn return_refund(&self, refund_id: &str) {
        self.books.lock().return_refund(refund_id);
    }

    /// Moves a dispute about the charge of an intent: `needs_response` opens it, `won` or `lost` decides it.
    pub fn dispute(&self, intent_id: &str, status: &str) {
        self.books.lock().dispute(intent_id, status);
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        self.serving.abort();
        self.carrying.abort();
    }
}
