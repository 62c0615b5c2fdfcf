//! Carries notices to the webhook address, signed as Stripe signs them, again and again until they are answered.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit as _, Mac as _};
use parking_lot::Mutex;
use sha2::Sha256;

use crate::WEBHOOK_SECRET;
use crate::books::Books;

/// How often notices are looked for.
const LOOKS: Duration = Duration::from_millis(20);

pub(crate) async fn deliver(books: Arc<Mutex<Books>>) {
    let client = reqwest::Client::new();
    let mut tick = tokio::time::interval(LOOKS);
    loop {
        tick.tick().await;
        let next = {
            let books = books.lock();
            let url = books.webhook_url.clone();
            url.and_then(|url| Some((url, books.notices.first()?.clone())))
        };
        let Some((url, body)) = next else {
            continue;
        };
        let sent = client
            .post(url)
            .header("stripe-signature", signature(&body))
            .header("content-type", "application/json")
            .body(body.clone())
            .send()
            .await;
        if sent.is_ok_and(|answer| answer.status().is_success()) {
            books.lock().notices.retain(|waiting| *waiting != body);
        }
    }
}

/// Two entries, as while the secret is renewed: the second one is ours.
pub(crate) fn signature(body: &str) -> String {
    let (seconds, tag) = signed(body, WEBHOOK_SECRET, 0);
    format!("t={seconds},v1={},v1={tag},v0={tag}", "0".repeat(64))
}

/// The second and the tag of a signature with `secret`, as if it were `later_s` seconds later.
pub fn signed(body: &str, secret: &str, later_s: i64) -> (u64, String) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs().saturating_add_signed(later_s);
    let mut mac = match Hmac::<Sha256>::new_from_slice(secret.as_bytes()) {
        Ok(mac) => mac,
        Err(_any_length_is_taken) => return (seconds, String::new()),
    };
    mac.update(format!("{seconds}.{body}").as_bytes());
    (seconds, hex::encode(mac.finalize().into_bytes()))
}
