//! Feeds on a schedule that staff made in the workspace: rows of the desk's database, which all nodes share. They lie there and not in the
//! log since their addresses may hold keys, which must be gone once they are taken away (decision 0053). A feed of the same name in the
//! setting `feeds` wins.

use platform::config::stripe::Hidden;
use platform::desk::Desk;
use sqlx::AssertSqlSafe;

use crate::feeds_file::{MapPlace, ScheduledFeed, read_interval, read_missing};

const COLUMNS: &str = "name, url, map, every, missing, is_paused, version, changed_by, changed_at";

/// One feed as it was made.
#[derive(Clone, PartialEq, Eq)]
pub struct MadeFeed {
    pub name: String,
    /// May hold a key; never shown.
    pub url: String,
    /// JSON; empty where the feed has the house's own names.
    pub map: String,
    /// `6h`.
    pub every: String,
    /// `keep`, `report` or `withdraw`.
    pub missing: String,
    /// 1 while it is not fetched.
    pub is_paused: i64,
    /// Grows with each change.
    pub version: i64,
    /// The account of the member of staff.
    pub changed_by: String,
    /// Milliseconds since 1970.
    pub changed_at: i64,
}

tables::from_row!(MadeFeed {
    name,
    url,
    map,
    every,
    missing,
    is_paused,
    version,
    changed_by,
    changed_at
});

impl MadeFeed {
    /// The feed as the schedule runs it.
    ///
    /// # Errors
    /// One sentence about what an earlier version wrote and this one cannot read.
    pub fn schedule(&self) -> Result<ScheduledFeed, String> {
        let every = read_interval(&self.every);
        Ok(ScheduledFeed {
            name: self.name.clone(),
            url: Hidden(self.url.clone()),
            map: if self.map.is_empty() {
                MapPlace::Nowhere
            } else {
                MapPlace::Kept(self.map.clone())
            },
            every: every.ok_or_else(|| format!("`{}` is no interval", self.every))?,
            missing: read_missing(&self.missing)?,
        })
    }
}

/// Keeps feeds and finds them.
#[derive(Debug, Clone)]
pub struct MadeFeeds {
    desk: Desk,
}

impl MadeFeeds {
    pub fn new(desk: Desk) -> Self {
        Self { desk }
    }

    /// Every feed, by name.
    ///
    /// # Errors
    /// When the desk's database cannot be read.
    pub async fn list(&self) -> Result<Vec<MadeFeed>, sqlx::Error> {
        let query = format!("select {COLUMNS} from made_feed order by name");
        sqlx::query_as(AssertSqlSafe(query))
            .fetch_all(self.desk.pool())
            .await
    }

    /// The feed of a name.
    ///
    /// # Errors
    /// When the desk's database cannot be read.
    pub async fn find(&self, name: &str) -> Result<Option<MadeFeed>, sqlx::Error> {
        let query = format!("select {COLUMNS} from made_feed where name = $1");
        sqlx::query_as(AssertSqlSafe(query))
            .bind(name)
            .fetch_optional(self.desk.pool())
            .await
    }

    /// Keeps a feed in place of its version before; version 1 is a new one. Gives `false` where somebody was faster.
    ///
    /// # Errors
    /// When the desk's database cannot be written.
    pub async fn keep(&self, feed: &MadeFeed) -> Result<bool, sqlx::Error> {
        let query = if feed.version <= 1 {
            format!(
                "insert into made_feed ({COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (name) do nothing"
            )
        } else {
            "update made_feed set url = $2, map = $3, every = $4, missing = $5, is_paused = $6, version = $7, changed_by = $8,
               changed_at = $9
             where name = $1 and version = $7 - 1"
                .to_owned()
        };
        let kept = sqlx::query(AssertSqlSafe(query))
            .bind(&feed.name)
            .bind(&feed.url)
            .bind(&feed.map)
            .bind(&feed.every)
            .bind(&feed.missing)
            .bind(feed.is_paused)
            .bind(feed.version)
            .bind(&feed.changed_by)
            .bind(feed.changed_at)
            .execute(self.desk.pool())
            .await?;
        Ok(kept.rows_affected() > 0)
    }

    /// Takes a feed away, with its address and map.
    ///
    /// # Errors
    /// When the desk's database cannot be written.
    pub async fn remove(&self, name: &str) -> Result<bool, sqlx::Error> {
        let gone = sqlx::query("delete from made_feed where name = $1")
            .bind(name)
            .execute(self.desk.pool())
            .await?;
        Ok(gone.rows_affected() > 0)
    }
}

#[cfg(test)]
mod tests {
    use tables::Place;

    use super::*;

    fn leeds(version: i64) -> MadeFeed {
        MadeFeed {
            name: "leeds".to_owned(),
            url: "https://feeds.example/leeds.csv?key=secret".to_owned(),
            map: "{\"feed\":\"leeds\"}".to_owned(),
            every: "6h".to_owned(),
            missing: "report".to_owned(),
            is_paused: 0,
            version,
            changed_by: "ada".to_owned(),
            changed_at: 1_800_000_000_000 + version,
        }
    }

    #[tokio::test]
    async fn feed_is_changed_by_whoever_saw_its_last_version() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let made = MadeFeeds::new(Desk::open(&place).await.unwrap());
        assert!(made.keep(&leeds(1)).await.unwrap());
        assert!(!made.keep(&leeds(1)).await.unwrap(), "it is there already");
        let paused = MadeFeed {
            is_paused: 1,
            ..leeds(2)
        };
        assert!(made.keep(&paused).await.unwrap());
        assert!(!made.keep(&leeds(2)).await.unwrap(), "somebody was faster");
        let found = made.find("leeds").await.unwrap().unwrap();
        assert_eq!((found.version, found.is_paused), (2, 1));
        assert_eq!(made.list().await.unwrap().len(), 1);
        assert!(made.remove("leeds").await.unwrap() && !made.remove("leeds").await.unwrap());
        assert!(made.find("leeds").await.unwrap().is_none());
    }

    #[test]
    fn made_feed_is_run_as_one_of_the_setting() {
        let feed = leeds(1).schedule().unwrap();
        assert_eq!(feed.map, MapPlace::Kept("{\"feed\":\"leeds\"}".to_owned()));
        assert!(!format!("{feed:?}").contains("secret"));
        let unmapped = MadeFeed {
            map: String::new(),
            ..leeds(1)
        };
        assert_eq!(unmapped.schedule().unwrap().map, MapPlace::Nowhere);
        let odd = MadeFeed {
            every: "often".to_owned(),
            ..leeds(1)
        };
        assert!(odd.schedule().unwrap_err().contains("`often`"));
    }
}
