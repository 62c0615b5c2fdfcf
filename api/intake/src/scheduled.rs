//! Feeds on a schedule, as staff set them: made, changed, paused, run now and taken away. Those of the setting `feeds` are shown beside them
//! and win over one of the same name.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta};
use domain::id::UserId;
use domain::moment::Moment;
use feeds::FeedMap;
use fetching::feeds_file::{
    MapPlace, Missing, ScheduledFeed, is_feed_address, is_feed_name, read_feeds, read_interval,
};
use fetching::made_feeds::{MadeFeed, MadeFeeds};
use fetching::state::{FeedState, FeedStates};
use import::run::name_file;
use platform::clock;
use platform::config::Settings;
use platform::desk::Desk;

use crate::error::IntakeError;
use crate::upload_rows::UploadRows;

/// Bytes of an address.
const URL_MAX: usize = 2_000;
const DAY_MINUTES: i64 = 24 * 60;
const HOUR_MINUTES: i64 = 60;

/// Where a feed's schedule is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetIn {
    /// In file or environment.
    Setting,
    Workspace,
}

impl SetIn {
    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Setting => "setting",
            Self::Workspace => "here",
        }
    }
}

/// A feed on a schedule, without its address.
#[derive(Debug, Clone)]
pub struct KnownFeed {
    pub name: String,
    pub set_in: SetIn,
    pub host: String,
    /// `6h`.
    pub every: String,
    pub missing: Missing,
    pub is_paused: bool,
    pub has_map: bool,
    /// Of a feed of the workspace: its version, and who changed it last.
    pub change: Option<LastChange>,
    /// Where it stands; `None` before its first run.
    pub state: Option<FeedState>,
}

/// The last change of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastChange {
    pub version: i64,
    /// The account of the member of staff.
    pub by: String,
    pub at: Option<Moment>,
}

/// A feed as somebody wants it.
#[derive(Debug, Clone)]
pub struct WantedFeed {
    pub name: String,
    /// `None` keeps the address that is known.
    pub url: Option<String>,
    pub every: String,
    pub missing: Missing,
    pub is_paused: bool,
    /// JSON; `None` keeps the map that is known, else takes that of the feed's last import.
    pub map: Option<String>,
    /// The version that was seen; `None` makes the feed.
    pub version: Option<i64>,
    pub by: UserId,
}

/// The feeds on a schedule of a house; cheap to clone.
#[derive(Debug, Clone)]
pub struct ScheduleDesk {
    of_setting: Arc<[ScheduledFeed]>,
    made: MadeFeeds,
    states: FeedStates,
    rows: UploadRows,
    takes_http: bool,
}

impl ScheduleDesk {
    /// Reads the feeds of the setting.
    ///
    /// # Errors
    /// One sentence that names the file, and the feed that cannot be used.
    pub fn open(desk: &Desk, settings: &Settings) -> Result<Self, String> {
        Ok(Self {
            of_setting: read_feeds(settings)?.into(),
            made: MadeFeeds::new(desk.clone()),
            states: FeedStates::new(desk.clone()),
            rows: UploadRows::new(desk.clone()),
            takes_http: !settings.permitted_sockets().is_empty(),
        })
    }

    /// Every feed on a schedule, by name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(&self) -> Result<Vec<KnownFeed>, IntakeError> {
        let states = self.states.list().await?.into_iter();
        let mut states: BTreeMap<String, FeedState> =
            states.map(|state| (state.name.clone(), state)).collect();
        let mut known: BTreeMap<String, KnownFeed> = BTreeMap::new();
        for made in self.made.list().await? {
            if let Ok(feed) = made.schedule() {
                let change = LastChange {
                    version: made.version,
                    by: made.changed_by.clone(),
                    at: DateTime::from_timestamp_millis(made.changed_at),
                };
                let state = states.get(&feed.name).cloned();
                let described = describe_feed(&feed, SetIn::Workspace, state);
                let described = KnownFeed {
                    is_paused: made.is_paused != 0,
                    change: Some(change),
                    ..described
                };
                known.insert(made.name.clone(), described);
            }
        }
        for feed in self.of_setting.iter() {
            let described = describe_feed(feed, SetIn::Setting, states.remove(&feed.name));
            known.insert(feed.name.clone(), described);
        }
        Ok(known.into_values().collect())
    }

    /// The feed of a name.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub async fn find(&self, name: &str) -> Result<KnownFeed, IntakeError> {
        let mut all = self.list().await?.into_iter();
        all.find(|feed| feed.name == name).ok_or(IntakeError::UnknownFeed)
    }

    fn is_of_setting(&self, name: &str) -> bool {
        self.of_setting.iter().any(|feed| feed.name == name)
    }

    /// Makes or changes a feed.
    ///
    /// # Errors
    /// When a part of it cannot be used, the setting names it, or somebody changed it meanwhile.
    pub async fn change(&self, wanted: WantedFeed) -> Result<KnownFeed, IntakeError> {
        if self.is_of_setting(&wanted.name) {
            return Err(IntakeError::OfSetting);
        }
        if !is_feed_name(&wanted.name) || wanted.name.trim() != wanted.name {
            return Err(IntakeError::FeedName);
        }
        let before = self.made.find(&wanted.name).await?;
        let (url, map) = self.check_wanted(&wanted, before.as_ref()).await?;
        let made = MadeFeed {
            url,
            map,
            every: wanted.every.trim().to_owned(),
            missing: wanted.missing.key().to_owned(),
            is_paused: i64::from(wanted.is_paused),
            version: wanted.version.unwrap_or_default() + 1,
            changed_by: wanted.by.to_string(),
            changed_at: clock::now().timestamp_millis(),
            name: wanted.name,
        };
        if !self.made.keep(&made).await? && !before.is_some_and(|before| is_alike(&before, &made)) {
            return Err(IntakeError::Moved);
        }
        self.find(&made.name).await
    }

    /// The address and the map of a feed, each the known one where nothing new is said.
    async fn check_wanted(
        &self,
        wanted: &WantedFeed,
        before: Option<&MadeFeed>,
    ) -> Result<(String, String), IntakeError> {
        let url = match (&wanted.url, before) {
            (Some(url), _) => url.trim().to_owned(),
            (None, Some(before)) => before.url.clone(),
            (None, None) => String::new(),
        };
        if url.len() > URL_MAX || !is_feed_address(&url, self.takes_http) {
            return Err(IntakeError::Address);
        }
        if read_interval(&wanted.every).is_none() {
            return Err(IntakeError::Interval);
        }
        let map = match (&wanted.map, before) {
            (Some(map), _) => FeedMap::from_json(map)
                .and_then(|map| map.to_json())
                .map_err(IntakeError::Map)?,
            (None, Some(before)) => before.map.clone(),
            (None, None) => self.rows.find_map(&wanted.name).await?.unwrap_or_default(),
        };
        Ok((url, map))
    }

    /// Takes a feed away; its homes stay as they are.
    ///
    /// # Errors
    /// When there is none, or the setting names it.
    pub async fn remove(&self, name: &str) -> Result<(), IntakeError> {
        if self.is_of_setting(name) {
            return Err(IntakeError::OfSetting);
        }
        if !self.made.remove(name).await? {
            return Err(IntakeError::UnknownFeed);
        }
        self.states.forget(name).await?;
        Ok(())
    }

    /// Makes a feed due now, also where its file is the one of before.
    ///
    /// # Errors
    /// When there is none, or it is paused.
    pub async fn run_now(&self, name: &str) -> Result<KnownFeed, IntakeError> {
        let feed = self.find(name).await?;
        if feed.is_paused {
            return Err(IntakeError::Paused);
        }
        self.states.make_due(name, clock::now()).await?;
        self.find(name).await
    }
}

/// Whether a repeated request finds what it asked for.
fn is_alike(before: &MadeFeed, made: &MadeFeed) -> bool {
    let same = MadeFeed {
        changed_at: before.changed_at,
        version: before.version,
        ..made.clone()
    };
    same == *before
}

fn describe_feed(feed: &ScheduledFeed, set_in: SetIn, state: Option<FeedState>) -> KnownFeed {
    KnownFeed {
        name: feed.name.clone(),
        set_in,
        host: name_file(&feed.url.0),
        every: write_interval(feed.every),
        missing: feed.missing,
        is_paused: false,
        has_map: feed.map != MapPlace::Nowhere,
        change: None,
        state,
    }
}

/// Writes an interval as `read_interval` reads it.
fn write_interval(every: TimeDelta) -> String {
    let minutes = every.num_minutes();
    if minutes % DAY_MINUTES == 0 {
        format!("{}d", minutes / DAY_MINUTES)
    } else if minutes % HOUR_MINUTES == 0 {
        format!("{}h", minutes / HOUR_MINUTES)
    } else {
        format!("{minutes}m")
    }
}

#[cfg(test)]
mod tests {
    use tables::Place;
    use uuid::Uuid;

    use super::*;

    fn wanted(version: Option<i64>) -> WantedFeed {
        WantedFeed {
            name: "leeds".to_owned(),
            url: Some("https://feeds.example/leeds.csv?key=secret".to_owned()),
            every: "90m".to_owned(),
            missing: Missing::Report,
            is_paused: false,
            map: None,
            version,
            by: UserId(Uuid::from_u128(1)),
        }
    }

    async fn open() -> (tempfile::TempDir, ScheduleDesk) {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Folder(folder.path().to_owned());
        let desk = Desk::open(&place).await.unwrap();
        let schedule = ScheduleDesk::open(&desk, &Settings::default()).unwrap();
        (folder, schedule)
    }

    #[tokio::test]
    async fn feed_is_made_changed_and_taken_away_without_its_address_told() {
        let (_folder, desk) = open().await;
        let made = desk.change(wanted(None)).await.unwrap();
        assert_eq!(
            (made.host.as_str(), made.every.as_str()),
            ("feeds.example", "90m")
        );
        assert!(!format!("{made:?}").contains("secret"));
        let again = desk.change(wanted(None)).await.unwrap();
        assert_eq!(again.change, made.change, "the same request again");
        let late = WantedFeed {
            every: "2h".to_owned(),
            ..wanted(Some(7))
        };
        assert!(matches!(desk.change(late).await, Err(IntakeError::Moved)));
        let paused = WantedFeed {
            url: None,
            is_paused: true,
            every: "1d".to_owned(),
            ..wanted(Some(1))
        };
        let paused = desk.change(paused).await.unwrap();
        assert!(paused.is_paused && paused.every == "1d");
        assert_eq!(paused.change.map(|change| change.version), Some(2));
        assert!(matches!(desk.run_now("leeds").await, Err(IntakeError::Paused)));
        desk.remove("leeds").await.unwrap();
        assert!(matches!(desk.find("leeds").await, Err(IntakeError::UnknownFeed)));
    }

    #[tokio::test]
    async fn feed_that_cannot_be_used_is_refused() {
        let (_folder, desk) = open().await;
        let plain = WantedFeed {
            url: Some("http://feeds.example/leeds.csv".to_owned()),
            ..wanted(None)
        };
        assert!(matches!(desk.change(plain).await, Err(IntakeError::Address)));
        let often = WantedFeed {
            every: "1m".to_owned(),
            ..wanted(None)
        };
        assert!(matches!(desk.change(often).await, Err(IntakeError::Interval)));
        let nameless = WantedFeed {
            name: " ".to_owned(),
            ..wanted(None)
        };
        assert!(matches!(desk.change(nameless).await, Err(IntakeError::FeedName)));
        let mapped = WantedFeed {
            map: Some("{\"columns\":{\"colour\":\"x\"}}".to_owned()),
            ..wanted(None)
        };
        assert!(matches!(desk.change(mapped).await, Err(IntakeError::Map(_))));
    }
}
