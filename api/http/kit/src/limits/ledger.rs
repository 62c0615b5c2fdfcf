//! The limits of a server that counts alone: in memory, where a request finds them without a transaction, and written down
//! a moment later, so that a restart forgives nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tables::Database;
use threads::pause_unless_stopped;
use tokio::sync::{Notify, watch};

use super::{
    Counted, FREE_LEADS_PER_HOME, FREE_LEADS_PER_IP, FREE_LEADS_PER_PERSON, FREE_LEADS_PER_SITE,
    GUESSES_PER_IP, GUESSES_PER_SITE, HOLDS_PER_IP, HOLDS_PER_SITE, LEADS_PER_IP, LEADS_PER_PERSON,
    LEADS_PER_SITE, LET_IN, SAME_LEAD_MS, SAVES_PER_FORM, Use, note, within,
};
use crate::error::ApiResult;

/// How long counts gather before they are written down: what a killed process forgets.
const GATHERING: Duration = Duration::from_millis(100);
/// How long to wait after trouble with the database.
const AGAIN: Duration = Duration::from_secs(1);
/// Rows written with one statement.
const AT_ONCE: usize = 500;
/// Subjects of counts, by their names in the table.
const NAMES: [&str; 13] = [
    SAVES_PER_FORM.name,
    LEADS_PER_SITE.name,
    FREE_LEADS_PER_SITE.name,
    HOLDS_PER_SITE.name,
    GUESSES_PER_SITE.name,
    LEADS_PER_IP.name,
    LEADS_PER_PERSON.name,
    FREE_LEADS_PER_IP.name,
    FREE_LEADS_PER_PERSON.name,
    FREE_LEADS_PER_HOME.name,
    HOLDS_PER_IP.name,
    GUESSES_PER_IP.name,
    LET_IN,
];

/// Until when something counts, by name and key.
type Untils = HashMap<(&'static str, String), i64>;

#[derive(Default)]
struct Book {
    untils: Untils,
    /// Counts that are not written yet.
    fresh: Untils,
}

/// Counts of one server.
#[derive(Clone)]
pub(super) struct Ledger {
    database: Database,
    book: Arc<Mutex<Book>>,
    counted: Arc<Notify>,
}

impl Ledger {
    /// Goes on from what was written down.
    pub(super) async fn open(database: &Database) -> Result<Self, sqlx::Error> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as("select name, key, until_ms from allowance")
            .fetch_all(database.pool())
            .await?;
        let named = |name: &str| NAMES.into_iter().find(|known| *known == name);
        let rows = rows.into_iter();
        let untils = rows.filter_map(|(name, key, until)| Some(((named(&name)?, key), until)));
        let book = Book {
            untils: untils.collect(),
            fresh: Untils::default(),
        };
        Ok(Self {
            database: database.clone(),
            book: Arc::new(Mutex::new(book)),
            counted: Arc::default(),
        })
    }

    /// Counts all of it or nothing. A lead that was let in is not counted again.
    pub(super) fn count(&self, uses: &[Use], lead: Option<String>, now: i64) -> ApiResult<()> {
        let mut book = self.book.lock();
        let until = |name, key: &str| book.untils.get(&(name, key.to_owned())).copied();
        let let_in = |lead: &String| until(LET_IN, lead).is_some_and(|until| until > now);
        if lead.as_ref().is_some_and(let_in) {
            return Ok(());
        }
        let mut counted = within(uses, now, until)?;
        counted.extend(lead.map(|lead| (LET_IN, lead, now + SAME_LEAD_MS)));
        for (name, key, until) in counted {
            book.untils.insert((name, key.clone()), until);
            book.fresh.insert((name, key), until);
        }
        drop(book);
        self.counted.notify_one();
        Ok(())
    }

    /// Lets go of what no longer counts.
    pub(super) fn tidy(&self, now: i64) {
        self.book.lock().untils.retain(|_, until| *until > now);
    }

    /// Writes down what was counted, until the server stops.
    pub(super) async fn keep(self, mut stop: watch::Receiver<bool>) {
        loop {
            let ends = tokio::select! {
                () = self.counted.notified() => false,
                _ = stop.wait_for(|stopped| *stopped) => true,
            };
            pause_unless_stopped(GATHERING, &mut stop).await;
            if let Err(error) = self.write_down().await {
                tracing::warn!(%error, "limits could not be written down");
                self.counted.notify_one();
                pause_unless_stopped(AGAIN, &mut stop).await;
            }
            if ends {
                return;
            }
        }
    }

    async fn write_down(&self) -> Result<(), sqlx::Error> {
        loop {
            let some: Counted = {
                let book = self.book.lock();
                let rows = book.fresh.iter().take(AT_ONCE);
                rows.map(|((name, key), until)| (*name, key.clone(), *until))
                    .collect()
            };
            if some.is_empty() {
                return Ok(());
            }
            let mut connection = self.database.pool().acquire().await?;
            note(&mut connection, some.clone()).await?;
            let mut book = self.book.lock();
            for (name, key, until) in some {
                let place = (name, key);
                // Unless it was counted again meanwhile.
                if book.fresh.get(&place) == Some(&until) {
                    book.fresh.remove(&place);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tables::Place;
    use tempfile::TempDir;

    use super::super::{PURPOSE, Quota};
    use super::*;
    use crate::error::ApiError;

    fn question(key: &str) -> [Use; 1] {
        [Use {
            quota: Quota {
                name: LEADS_PER_PERSON.name,
                most: 2,
                period_ms: 1_000,
            },
            key: key.to_owned(),
            refusal: |_| ApiError::busy(),
        }]
    }

    async fn open(folder: &TempDir) -> Ledger {
        let place = Place::Folder(folder.path().to_owned());
        let database = Database::open(&place, &PURPOSE).await.unwrap();
        Ledger::open(&database).await.unwrap()
    }

    /// What was counted counts after a restart and a lead that was let in counts once.
    #[tokio::test]
    async fn ledger_counts_survive_a_restart_and_a_lead_counts_once() {
        let folder = TempDir::new().unwrap();
        let ledger = open(&folder).await;
        let lead = |name: &str| Some(name.to_owned());
        for _twice in 0..2 {
            ledger.count(&question("mei"), lead("first"), 1_000).unwrap();
        }
        ledger.count(&question("mei"), lead("second"), 1_000).unwrap();
        ledger.count(&question("mei"), lead("third"), 1_000).unwrap_err();
        let (stopped, stop) = watch::channel(false);
        let keeping = tokio::spawn(ledger.keep(stop));
        stopped.send_replace(true);
        keeping.await.unwrap();
        let again = open(&folder).await;
        again.count(&question("mei"), lead("third"), 1_000).unwrap_err();
        again.count(&question("mei"), lead("second"), 1_000).unwrap();
        again.count(&question("ada"), lead("fourth"), 1_000).unwrap();
        again.count(&question("mei"), lead("third"), 1_501).unwrap();
    }

    #[tokio::test]
    async fn what_no_longer_counts_is_let_go_of() {
        let folder = TempDir::new().unwrap();
        let ledger = open(&folder).await;
        ledger.count(&question("mei"), None, 1_000).unwrap();
        ledger.tidy(1_499);
        assert_eq!(ledger.book.lock().untils.len(), 1);
        ledger.tidy(1_500);
        assert_eq!(ledger.book.lock().untils.len(), 0);
    }
}
