//! Somebody with a browser: keeps cookies and the log position, speaks JSON.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::{Client, ClientBuilder, Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::contract;

/// One browser.
pub(crate) struct Visitor<'s> {
    server: &'s Server,
    client: Client,
    position: AtomicU64,
}

/// An answer: its status, and its body as JSON.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// Seconds, where the server says when to come again.
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn data(&self) -> &Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        &self.body["data"]
    }

    pub(crate) fn code(&self) -> &str {
        self.body["message"]["code"].as_str().unwrap_or_default()
    }

    /// The names of the bad fields.
    pub(crate) fn fields(&self) -> Vec<&str> {
        let errors = self.body["errors"].as_array().unwrap();
        errors
            .iter()
            .filter_map(|error| error["field"].as_str())
            .collect()
    }
}

/// A refusal of what was sent, by this one field.
pub(crate) fn hold_refused(answer: &Answer, field: &str, what: &str) {
    assert_eq!(
        answer.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{what}: {}",
        answer.body
    );
    assert_eq!(answer.fields(), [field], "{what}");
}

impl<'s> Visitor<'s> {
    pub(crate) fn new(server: &'s Server) -> Self {
        Self::with(server, Client::builder())
    }

    /// Somebody who calls from another network address; all of 127.0.0.0/8 is this machine.
    pub(crate) fn from(server: &'s Server, address: [u8; 4]) -> Self {
        Self::with(server, Client::builder().local_address(IpAddr::from(address)))
    }

    /// The same browser at another node of the same house.
    pub(crate) fn moved<'o>(&self, server: &'o Server) -> Visitor<'o> {
        Visitor {
            server,
            client: self.client.clone(),
            position: AtomicU64::new(self.position.load(Ordering::Relaxed)),
        }
    }

    fn with(server: &'s Server, client: ClientBuilder) -> Self {
        Self {
            server,
            client: client.cookie_store(true).build().unwrap(),
            position: AtomicU64::new(0),
        }
    }

    /// The browser itself, for what does not speak JSON.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, None, &[]).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path, Some(body), &[]).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.call(Method::PUT, path, Some(body), &[]).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.call(Method::DELETE, path, None, &[]).await
    }

    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let position = self.position.load(Ordering::Relaxed).to_string();
        let mut request = self
            .client
            .request(method.clone(), self.server.url(path))
            .header("x-latchkey-position", position);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let retry_after = response.headers().get("retry-after").cloned();
        let is_json = contract::is_json(&response);
        let body: Value = response.json().await.unwrap_or(Value::Null);
        if is_json {
            contract::hold(&method, path, status, &body);
        }
        if let Some(position) = body["position"].as_u64() {
            self.position.fetch_max(position, Ordering::Relaxed);
        }
        Answer {
            status,
            retry_after: retry_after.and_then(|value| value.to_str().ok()?.parse().ok()),
            body,
        }
    }

    /// An answer that goes on, such as a stream of events.
    pub(crate) async fn open(&self, path: &str) -> reqwest::Response {
        let response = self.client.get(self.server.url(path)).send().await.unwrap();
        assert!(response.status().is_success(), "{path} {}", response.status());
        response
    }

    /// The newest code sent to an address or number.
    pub(crate) async fn code_for(&self, to: &str) -> String {
        let sent = self
            .get(&format!("/dev/outbox?to={}", to.replace('+', "%2B")))
            .await;
        let messages = sent.data().as_array().unwrap();
        messages
            .iter()
            .find_map(|message| message["code"].as_str())
            .unwrap()
            .to_owned()
    }

    /// Asks for a code, reads it and logs in.
    pub(crate) async fn log_in(&self, email: &str) -> Value {
        let sent = self
            .post(
                "/api/v0/users/generate_email_otp",
                json!({ "user": { "email": email } }),
            )
            .await;
        sent.data();
        let otp = self.code_for(email).await;
        let user = json!({ "user": { "email": email, "otp": otp } });
        self.post("/api/v0/users/login_email_otp", user)
            .await
            .data()
            .clone()
    }

    /// Asks for the code that erases the own account, half a minute after any code of before; gives what erasing is asked with.
    pub(crate) async fn erasure_proof(&self, by: &str, to: &str) -> Value {
        self.wait(31).await;
        let sent = self.post("/api/v0/users/forget/code", json!({ "by": by })).await;
        let session = sent.data()["session_uuid"].clone();
        json!({ "by": by, "otp": self.code_for(to).await, "session_uuid": session })
    }

    /// Puts the server's clock forward.
    pub(crate) async fn wait(&self, seconds: u64) {
        self.post("/dev/clock", json!({ "forward_seconds": seconds }))
            .await
            .data();
    }

    /// Logs in as staff with a role.
    pub(crate) async fn log_in_as(&self, role: &str) -> Value {
        let email = format!("{role}@staff.example");
        self.server.run(&["grant", "--email", &email, "--role", role]);
        self.log_in(&email).await
    }
}

/// The day that comes after so many more; behind us where negative.
pub(crate) fn in_days(days: i64) -> String {
    let day = std::time::SystemTime::now().into();
    let day: chrono::DateTime<chrono::Utc> = day;
    (day + chrono::TimeDelta::days(days)).date_naive().to_string()
}

/// A lead as the form sends it.
pub(crate) fn enquiry(name: &str, email: &str) -> Value {
    json!({ "lead": {
        "state": "created",
        "user_details": { "name": name, "email": email, "phone": "+447700900123" },
        "data": { "university": "University of Leeds", "move_in_date": in_days(60) },
        "source_details": { "utm_source": "newsletter", "referrer": "https://a.example/?email=x@y.z&utm_medium=mail" }
    } })
}

/// The id of some property of the demo catalogue.
pub(crate) async fn some_property(visitor: &Visitor<'_>) -> String {
    let found = visitor.get("/api/v1/inventories?limit=1").await;
    found.data()["result"][0]["id"].as_str().unwrap().to_owned()
}
