//! What is kept of the account at Stripe: which customer a person is there, and up to when its events were taken in. Lost, it is
//! asked for again.

use domain::id::UserId;
use platform::duty::Duty;
use tables::{Database, Durability, Place, Purpose};

const PURPOSE: Purpose = Purpose {
    name: "stripe",
    sqlite: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/stripe/sqlite"),
    postgres: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../migrations/stripe/postgres"),
    durability: Durability::Ordered,
    connections: 1,
    shared_connections: 3,
};

#[derive(Debug, Clone)]
pub(crate) struct Memory {
    database: Database,
    /// The publishable key: test and live mode, and two accounts, know different customers.
    account: String,
    pub(crate) duty: Duty,
}

impl Memory {
    /// `node` names this process among all there ever were.
    pub(crate) async fn open(place: &Place, account: &str, node: &str) -> Result<Self, sqlx::Error> {
        let database = Database::open(place, &PURPOSE).await?;
        Ok(Self {
            duty: Duty::new(&database, "events", node),
            account: account.to_owned(),
            database,
        })
    }

    pub(crate) async fn customer(&self, subject: UserId) -> Result<Option<String>, sqlx::Error> {
        sqlx::query_scalar("select customer_id from customer where account = $1 and subject = $2")
            .bind(&self.account)
            .bind(subject.0.to_string())
            .fetch_optional(self.database.pool())
            .await
    }

    /// Keeps the first name a person gets.
    pub(crate) async fn name_customer(&self, subject: UserId, customer_id: &str) -> Result<(), sqlx::Error> {
        sqlx::query(
            "insert into customer (account, subject, customer_id) values ($1, $2, $3) on conflict do nothing",
        )
        .bind(&self.account)
        .bind(subject.0.to_string())
        .bind(customer_id)
        .execute(self.database.pool())
        .await?;
        Ok(())
    }

    pub(crate) async fn forget_customer(&self, subject: UserId) -> Result<(), sqlx::Error> {
        sqlx::query("delete from customer where account = $1 and subject = $2")
            .bind(&self.account)
            .bind(subject.0.to_string())
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    /// When the newest event was created that was taken in with all before it, in seconds of Stripe's clock.
    pub(crate) async fn taken_in_s(&self) -> Result<Option<i64>, sqlx::Error> {
        sqlx::query_scalar("select created_s from progress where account = $1")
            .bind(&self.account)
            .fetch_optional(self.database.pool())
            .await
    }

    /// Moves it forward, never back: two nodes may take in the same events.
    pub(crate) async fn note_taken_in(&self, created_s: i64) -> Result<(), sqlx::Error> {
        sqlx::query(
            "insert into progress (account, created_s) values ($1, $2)
             on conflict (account) do update set created_s = excluded.created_s
             where excluded.created_s > progress.created_s",
        )
        .bind(&self.account)
        .bind(created_s)
        .execute(self.database.pool())
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// Keys of live mode after those of test mode: nothing of the one is taken for the other's.
    #[tokio::test]
    async fn stripe_memory_keeps_accounts_apart() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let test = Memory::open(&place, "pk_test_1", "test").await.unwrap();
        let live = Memory::open(&place, "pk_live_1", "test").await.unwrap();
        let person = UserId(Uuid::from_u128(1));
        test.name_customer(person, "cus_1").await.unwrap();
        test.name_customer(person, "cus_2").await.unwrap();
        assert_eq!(test.customer(person).await.unwrap().as_deref(), Some("cus_1"));
        assert_eq!(live.customer(person).await.unwrap(), None);
        for created_s in [5, 9, 7] {
            test.note_taken_in(created_s).await.unwrap();
        }
        assert_eq!(test.taken_in_s().await.unwrap(), Some(9));
        assert_eq!(live.taken_in_s().await.unwrap(), None);
    }
}
