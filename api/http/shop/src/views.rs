//! How many different people looked at a property (D57). Looks are not facts of the marketplace: they live in tables of
//! their own, as keyed hashes that go after thirty days, never in the log.

use axum::http::{HeaderMap, header};
use chrono::{DateTime, Utc};
use domain::id::InventoryId;
use http_kit::request::RequestContext;
use rand::RngCore as _;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tables::{Database, Durability, Place, Purpose};

/// D57: people are counted this long.
const DAYS: i64 = 30;
/// As few as this are not shown, more than that many are not counted out.
const HIDDEN_UP_TO: i64 = 10;
const COUNTED_UP_TO: i64 = 5_000;
/// Words by which programs that are not people name themselves.
const BOTS: [&str; 8] = [
    "bot", "crawl", "spider", "slurp", "curl", "wget", "preview", "python",
];

const PURPOSE: Purpose = Purpose {
    name: "views",
    sqlite: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/views/sqlite"),
    postgres: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/views/postgres"),
    durability: Durability::None,
    connections: 2,
    shared_connections: 2,
};

/// The counter.
#[derive(Debug, Clone)]
pub struct Views {
    database: Database,
    secret: [u8; 32],
}

impl Views {
    /// Opens the counter's tables at `place`.
    ///
    /// # Errors
    /// When they cannot be reached or a migration fails.
    pub async fn open(place: &Place) -> Result<Self, sqlx::Error> {
        let database = Database::open(place, &PURPOSE).await?;
        let mut secret = [0; 32];
        rand::rng().fill_bytes(&mut secret);
        // Whoever starts first makes it, for all.
        sqlx::query("insert into secret (only_one, bytes) values (1, $1) on conflict (only_one) do nothing")
            .bind(secret.as_slice())
            .execute(database.pool())
            .await?;
        let bytes: Vec<u8> = sqlx::query_scalar("select bytes from secret")
            .fetch_one(database.pool())
            .await?;
        for (to, from) in secret.iter_mut().zip(bytes) {
            *to = from;
        }
        Ok(Self { database, secret })
    }

    /// Takes down that somebody looked; programs are not somebody.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn seen(
        &self,
        inventory: InventoryId,
        context: &RequestContext,
        headers: &HeaderMap,
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        let agent = headers
            .get(header::USER_AGENT)
            .and_then(|agent| agent.to_str().ok())
            .unwrap_or_default();
        let lower = agent.to_lowercase();
        if agent.is_empty() || BOTS.iter().any(|bot| lower.contains(bot)) {
            return Ok(());
        }
        let visitor = Sha256::new_with_prefix(self.secret)
            .chain_update(context.ip.to_string())
            .chain_update([0])
            .chain_update(agent)
            .finalize();
        sqlx::query("delete from look where inventory = $1 and day <= $2")
            .bind(inventory.to_string())
            .bind(day(now) - DAYS)
            .execute(self.database.pool())
            .await?;
        sqlx::query(
            "insert into look (inventory, visitor, day) values ($1, $2, $3)
             on conflict (inventory, visitor) do update set day = excluded.day",
        )
        .bind(inventory.to_string())
        .bind(visitor.get(..16).unwrap_or_default())
        .bind(day(now))
        .execute(self.database.pool())
        .await?;
        Ok(())
    }

    /// 0 while too few looked, else their number, `5000+` above 5,000.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn shown(&self, inventory: InventoryId, now: DateTime<Utc>) -> Result<Value, sqlx::Error> {
        // Nothing is written here: a full disk must not keep anybody from looking.
        let count: i64 = sqlx::query_scalar("select count(*) from look where inventory = $1 and day > $2")
            .bind(inventory.to_string())
            .bind(day(now) - DAYS)
            .fetch_one(self.database.pool())
            .await?;
        Ok(shown(count))
    }
}

fn shown(count: i64) -> Value {
    if count <= HIDDEN_UP_TO {
        json!(0)
    } else if count > COUNTED_UP_TO {
        json!("5000+")
    } else {
        json!(count)
    }
}

fn day(now: DateTime<Utc>) -> i64 {
    now.timestamp().div_euclid(86_400)
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use domain::language::Language;
    use platform::config::Settings;
    use platform::sites::Site;
    use uuid::Uuid;

    use super::*;

    fn visitor(last: u8) -> RequestContext {
        let ip = IpAddr::V4(Ipv4Addr::new(192, 0, 2, last));
        RequestContext {
            request_id: Uuid::nil(),
            ip,
            lang: Language::En,
            site: Arc::new(Site::of_house(&Settings::default())),
            command_id: None,
            browser: String::new(),
            proof: None,
        }
    }

    fn agent(name: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::USER_AGENT, header::HeaderValue::from_static(name))])
    }

    #[tokio::test]
    async fn eleven_different_people_are_shown_and_ten_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let views = Views::open(&Place::Folder(folder.path().to_owned()))
            .await
            .unwrap();
        let (home, now) = (InventoryId(Uuid::from_u128(1)), DateTime::default());
        for last in 0..10 {
            views
                .seen(home, &visitor(last), &agent("Firefox"), now)
                .await
                .unwrap();
            views
                .seen(home, &visitor(last), &agent("Firefox"), now)
                .await
                .unwrap();
        }
        views
            .seen(home, &visitor(99), &agent("Googlebot/2.1"), now)
            .await
            .unwrap();
        assert_eq!(views.shown(home, now).await.unwrap(), json!(0));
        views
            .seen(home, &visitor(10), &agent("Firefox"), now)
            .await
            .unwrap();
        assert_eq!(views.shown(home, now).await.unwrap(), json!(11));
        let later = now + chrono::TimeDelta::days(31);
        assert_eq!(views.shown(home, later).await.unwrap(), json!(0));
    }

    #[test]
    fn more_than_five_thousand_are_five_thousand_plus() {
        assert_eq!([shown(5_000), shown(5_001)], [json!(5_000), json!("5000+")]);
    }
}
