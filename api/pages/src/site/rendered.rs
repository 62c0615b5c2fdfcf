//! Bodies that React has printed, kept by what they were printed from: the same payload is the same body, so nothing here
//! can go stale, and what is personal never comes here.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

/// Bytes of bodies in one generation; two are kept.
const GENERATION_BYTES: usize = 16 * 1024 * 1024;

type Key = [u8; 32];

/// The bodies of late, the least wanted forgotten.
#[derive(Default)]
pub(super) struct Rendered(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<Key, Arc<str>>,
    young_bytes: usize,
    old: HashMap<Key, Arc<str>>,
}

impl Generations {
    fn put(&mut self, key: Key, body: Arc<str>) {
        if self.young_bytes + body.len() > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += body.len();
        self.young.insert(key, body);
    }

    fn get(&mut self, key: &Key) -> Option<Arc<str>> {
        if let Some(body) = self.young.get(key) {
            return Some(Arc::clone(body));
        }
        let body = self.old.remove(key)?;
        self.put(*key, Arc::clone(&body));
        Some(body)
    }
}

impl Rendered {
    /// The body of this payload, from `print` when it was not printed lately; what `print` cannot do is not kept.
    pub(super) async fn body(
        &self,
        payload: &str,
        print: impl Future<Output = Option<String>>,
    ) -> Option<Arc<str>> {
        let key: Key = Sha256::digest(payload).into();
        if let Some(body) = self.0.lock().get(&key) {
            return Some(body);
        }
        let body: Arc<str> = print.await?.into();
        self.0.lock().put(key, Arc::clone(&body));
        Some(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn asked(rendered: &Rendered, payload: &str, body: Option<&str>) -> Option<String> {
        let printed = rendered.body(payload, async { body.map(str::to_owned) }).await;
        printed.map(|body| body.to_string())
    }

    #[tokio::test]
    async fn the_same_payload_is_printed_once_and_another_anew() {
        let rendered = Rendered::default();
        assert_eq!(asked(&rendered, "a", Some("one")).await.as_deref(), Some("one"));
        assert_eq!(asked(&rendered, "a", Some("two")).await.as_deref(), Some("one"));
        assert_eq!(asked(&rendered, "b", Some("two")).await.as_deref(), Some("two"));
    }

    #[tokio::test]
    async fn what_could_not_be_printed_is_tried_again() {
        let rendered = Rendered::default();
        assert_eq!(asked(&rendered, "a", None).await, None);
        assert_eq!(asked(&rendered, "a", Some("one")).await.as_deref(), Some("one"));
    }

    #[tokio::test]
    async fn memory_is_bounded_and_what_is_wanted_stays() {
        let rendered = Rendered::default();
        let large = "x".repeat(GENERATION_BYTES / 4);
        for number in 0..40 {
            asked(&rendered, "wanted", Some("kept")).await;
            asked(&rendered, &number.to_string(), Some(&large)).await;
        }
        assert_eq!(asked(&rendered, "wanted", None).await.as_deref(), Some("kept"));
        let kept = rendered.0.lock();
        assert!(kept.young.len() + kept.old.len() < 12);
    }
}
