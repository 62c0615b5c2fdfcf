//! The feeds of the setting `feeds`: which are fetched, how often, and with which map.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{NaiveDate, TimeDelta};
use figment::Figment;
use figment::providers::{Format as _, Toml};
use platform::config::Settings;
use platform::config::stripe::Hidden;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// A host is asked no more often.
const EVERY_LEAST: TimeDelta = TimeDelta::minutes(15);
const EVERY_MOST: TimeDelta = TimeDelta::days(31);
/// Letters of a name, which a metric carries.
const NAME_MAX: usize = 64;

/// Choices for homes that the feed had before and has no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// They stay, and are not named.
    Keep,
    /// They stay, and are named in the report.
    #[default]
    Report,
    /// They are closed.
    Withdraw,
}

/// Where the map of a feed is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapPlace {
    /// A file, read before each run.
    File(PathBuf),
    /// Kept by the workspace, as JSON.
    Kept(String),
    /// The feed has the house's own names.
    Nowhere,
}

impl MapPlace {
    /// The map as it is written; empty where there is none.
    ///
    /// # Errors
    /// One sentence when its file cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::File(path) => std::fs::read(path)
                .map_err(|error| format!("the map `{}` cannot be read: {error}", path.display())),
            Self::Kept(json) => Ok(json.clone().into_bytes()),
            Self::Nowhere => Ok(Vec::new()),
        }
    }
}

/// One feed of the setting, or one that is made in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledFeed {
    /// As `latchkey import --feed` names it: with its id there, a home is known by it.
    pub name: String,
    /// May hold a key.
    pub url: Hidden,
    pub map: MapPlace,
    pub every: TimeDelta,
    pub missing: Missing,
}

impl ScheduledFeed {
    /// A hash of all that decides what a file of the feed comes to, besides the file. Under another one the same file is taken in again: on
    /// another day too, since days to move in and deadlines pass.
    ///
    /// # Errors
    /// One sentence when the map cannot be read.
    pub fn fingerprint(&self, today: NaiveDate) -> Result<String, String> {
        let map = self.map.read()?;
        let version = env!("CARGO_PKG_VERSION");
        let rest = format!("{version} {today} {:?} {}", self.missing, self.url.0);
        let digest = Sha256::new_with_prefix(rest).chain_update([0]).chain_update(map);
        Ok(hex::encode(digest.finalize()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeedsFile {
    #[serde(default)]
    feed: Vec<WrittenFeed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFeed {
    name: String,
    url: String,
    map: PathBuf,
    every: String,
    #[serde(default)]
    missing: Missing,
}

/// Ending of the files of feeds in a folder, which tells them from the maps beside them.
const FEEDS_ENDING: &str = ".feeds.toml";

/// Reads the feeds of the setting; none where it is unset. It names a file, a folder of such files, or the feeds themselves. Maps lie where
/// their file says, seen from its own folder; those of feeds in the setting itself, seen from the working folder.
///
/// # Errors
/// One sentence that names the file, and the feed that cannot be used.
pub fn read_feeds(settings: &Settings) -> Result<Vec<ScheduledFeed>, String> {
    let Some(named) = &settings.feeds else {
        return Ok(Vec::new());
    };
    let takes_http = !settings.permitted_sockets().is_empty();
    let text = named.to_string_lossy();
    // No path of a file or folder is an address; and it is not repeated, for it may hold a key.
    if text.contains("://") {
        let feeds = read_lines(&text).and_then(|written| check_feeds(written, Path::new(""), takes_http));
        return feeds.map_err(|error| format!("the setting `feeds`: {error}"));
    }
    let mut feeds: Vec<ScheduledFeed> = Vec::new();
    for file in list_files(named)? {
        let wrong = |error: String| format!("the file `{}` of the setting `feeds`: {error}", file.display());
        let text = std::fs::read_to_string(&file).map_err(|error| wrong(error.to_string()))?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let read = parse_feeds(&text, folder, takes_http).map_err(wrong)?;
        let twice = read
            .iter()
            .find(|feed| feeds.iter().any(|known| known.name == feed.name));
        if let Some(feed) = twice {
            return Err(wrong(format!("another file has a feed called `{}`", feed.name)));
        }
        feeds.extend(read);
    }
    Ok(feeds)
}

/// The file itself, or the files of feeds in a folder by their names.
fn list_files(named: &Path) -> Result<Vec<PathBuf>, String> {
    if !named.is_dir() {
        return Ok(vec![named.to_owned()]);
    }
    let wrong = |error: String| format!("the folder `{}` of the setting `feeds`: {error}", named.display());
    let entries = std::fs::read_dir(named).map_err(|error| wrong(error.to_string()))?;
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| wrong(error.to_string()))?.path();
        if path.to_string_lossy().ends_with(FEEDS_ENDING) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(wrong(format!("no file in it ends in `{FEEDS_ENDING}`")));
    }
    files.sort();
    Ok(files)
}

/// Feeds in the setting itself: `leeds https://feeds.example/leeds.csv leeds.toml 6h withdraw`, several with a `;` of its own between.
fn read_lines(text: &str) -> Result<Vec<WrittenFeed>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lines = words.split(|word| *word == ";").filter(|line| !line.is_empty());
    lines.map(read_line).collect()
}

fn read_line(line: &[&str]) -> Result<WrittenFeed, String> {
    let (name, url, map, every, missing) = match line {
        [name, url, map, every] => (name, url, map, every, Missing::default()),
        [name, url, map, every, missing] => (name, url, map, every, read_missing(missing)?),
        _ => {
            return Err(
                "a feed in the setting itself has a name, an address, a map, how often, and at most what becomes of missing homes".to_owned(),
            );
        }
    };
    Ok(WrittenFeed {
        name: (*name).to_owned(),
        url: (*url).to_owned(),
        map: PathBuf::from(map),
        every: (*every).to_owned(),
        missing,
    })
}

impl Missing {
    /// The word in files and in the workspace.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Report => "report",
            Self::Withdraw => "withdraw",
        }
    }
}

/// Reads a choice by its word.
///
/// # Errors
/// One sentence that names the choices.
pub fn read_missing(word: &str) -> Result<Missing, String> {
    match word {
        "keep" => Ok(Missing::Keep),
        "report" => Ok(Missing::Report),
        "withdraw" => Ok(Missing::Withdraw),
        _ => Err(format!("`{word}` is none of keep, report and withdraw")),
    }
}

fn parse_feeds(text: &str, folder: &Path, takes_http: bool) -> Result<Vec<ScheduledFeed>, String> {
    let written: FeedsFile = Figment::from(Toml::string(text))
        .extract()
        .map_err(|error| error.to_string())?;
    if written.feed.is_empty() {
        return Err(
            "it names no feed: write `[[feed]]` before the name, url, map and every of each".to_owned(),
        );
    }
    check_feeds(written.feed, folder, takes_http)
}

fn check_feeds(
    written: Vec<WrittenFeed>,
    folder: &Path,
    takes_http: bool,
) -> Result<Vec<ScheduledFeed>, String> {
    let mut names = BTreeSet::new();
    let mut feeds = Vec::new();
    for feed in written {
        let name = feed.name.trim().to_owned();
        if !names.insert(name.clone()) {
            return Err(format!("two feeds are called `{name}`"));
        }
        let read = check_feed(feed, name.clone(), folder, takes_http);
        feeds.push(read.map_err(|error| format!("the feed `{name}`: {error}"))?);
    }
    Ok(feeds)
}

/// Says whether a feed can be called so: metrics, reports and pages show its name.
pub fn is_feed_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= NAME_MAX && !name.chars().any(char::is_control)
}

/// Says whether a feed can be fetched from there; `takes_http` where sockets of the operator's own network may be called.
pub fn is_feed_address(url: &str, takes_http: bool) -> bool {
    url.starts_with("https://") || takes_http && url.starts_with("http://")
}

fn check_feed(
    feed: WrittenFeed,
    name: String,
    folder: &Path,
    takes_http: bool,
) -> Result<ScheduledFeed, String> {
    if !is_feed_name(&name) {
        return Err(format!("`name` takes 1 to {NAME_MAX} letters"));
    }
    let url = feed.url.trim().to_owned();
    // Not repeated: it may hold a key.
    if !is_feed_address(&url, takes_http) {
        return Err("`url` takes an address that begins with https://".to_owned());
    }
    let map = folder.join(feed.map);
    if !map.is_file() {
        return Err(format!("the map `{}` is not there", map.display()));
    }
    let every = read_interval(&feed.every).ok_or_else(|| {
        format!(
            "`every` is `{}`: it takes a whole number of minutes, hours or days from 15m to 31d, such as `6h`",
            feed.every
        )
    })?;
    Ok(ScheduledFeed {
        name,
        url: Hidden(url),
        map: MapPlace::File(map),
        every,
        missing: feed.missing,
    })
}

/// Reads `15m`, `6h` or `1d`, within the bounds.
pub fn read_interval(text: &str) -> Option<TimeDelta> {
    let text = text.trim();
    let unit = text.chars().next_back()?;
    let digits = text.strip_suffix(unit)?.trim();
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse::<i64>().ok()?;
    let interval = match unit {
        'm' => TimeDelta::try_minutes(number),
        'h' => TimeDelta::try_hours(number),
        'd' => TimeDelta::try_days(number),
        _ => None,
    }?;
    (EVERY_LEAST..=EVERY_MOST).contains(&interval).then_some(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEEDS: &str = "[[feed]]\nname = \"leeds\"\nurl = \"https://feeds.example/leeds.csv?key=secret\"\nmap = \"leeds.toml\"\nevery = \"6h\"\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("leeds.toml"), "feed = \"leeds\"\n").unwrap();
        folder
    }

    #[test]
    fn feeds_are_read_with_maps_beside_their_file() {
        let folder = folder();
        let feeds = parse_feeds(LEEDS, folder.path(), false).unwrap();
        let [feed] = &feeds[..] else { panic!("{feeds:?}") };
        assert_eq!((feed.every, feed.missing), (TimeDelta::hours(6), Missing::Report));
        assert_eq!(feed.map, MapPlace::File(folder.path().join("leeds.toml")));
        assert!(!format!("{feed:?}").contains("secret"), "{feed:?}");
        let withdrawn = parse_feeds(&format!("{LEEDS}missing = \"withdraw\"\n"), folder.path(), false);
        assert_eq!(withdrawn.unwrap()[0].missing, Missing::Withdraw);
    }

    #[test]
    fn wrong_feeds_are_named_without_their_secrets() {
        let folder = folder();
        for (from, to, says) in [
            ("6h", "10m", "`every` is `10m`"),
            ("6h", "32d", "`every` is `32d`"),
            ("6h", "-6h", "`every` is `-6h`"),
            ("6h", "6 hours", "`every` is `6 hours`"),
            ("6h", "99999999999999999999h", "`every` is"),
            ("https://", "http://", "begins with https://"),
            ("https://", "file:///", "begins with https://"),
            ("leeds.toml", "york.toml", "york.toml` is not there"),
            ("\"leeds\"", "\" \"", "`name` takes"),
            ("every", "often", "often"),
            ("[[feed]]", "[[feeds]]", "feeds"),
        ] {
            let said = parse_feeds(&LEEDS.replacen(from, to, 1), folder.path(), false).unwrap_err();
            assert!(said.contains(says) && !said.contains("secret"), "{to}: {said}");
        }
        let twice = parse_feeds(&format!("{LEEDS}{LEEDS}"), folder.path(), false).unwrap_err();
        assert!(twice.contains("two feeds are called `leeds`"), "{twice}");
        assert!(
            parse_feeds("", folder.path(), false)
                .unwrap_err()
                .contains("names no feed")
        );
    }

    fn read_setting(named: &str) -> Result<Vec<ScheduledFeed>, String> {
        read_feeds(&Settings {
            feeds: Some(PathBuf::from(named)),
            ..Settings::default()
        })
    }

    #[test]
    fn feeds_of_a_folder_are_read_file_by_file() {
        let folder = folder();
        let named = folder.path().to_str().unwrap();
        let nothing = read_setting(named).unwrap_err();
        assert!(
            nothing.contains("no file in it ends in `.feeds.toml`"),
            "{nothing}"
        );
        std::fs::write(folder.path().join("a.feeds.toml"), LEEDS).unwrap();
        let york = LEEDS.replacen("leeds", "york", 1);
        std::fs::write(folder.path().join("b.feeds.toml"), york).unwrap();
        let feeds: Vec<String> = read_setting(named)
            .unwrap()
            .into_iter()
            .map(|feed| feed.name)
            .collect();
        assert_eq!(feeds, ["leeds", "york"]);
        std::fs::write(folder.path().join("c.feeds.toml"), LEEDS).unwrap();
        let twice = read_setting(named).unwrap_err();
        assert!(
            twice.contains("c.feeds.toml") && twice.contains("called `leeds`"),
            "{twice}"
        );
    }

    #[test]
    fn feeds_stand_in_the_setting_itself() {
        let folder = folder();
        let map = folder.path().join("leeds.toml");
        let map = map.to_str().unwrap();
        let line = format!("leeds https://feeds.example/leeds.csv?key=secret {map} 6h");
        let feeds = read_setting(&format!(
            "{line} withdraw ; {}",
            line.replacen("leeds", "york", 1)
        ))
        .unwrap();
        let missing: Vec<Missing> = feeds.iter().map(|feed| feed.missing).collect();
        assert_eq!(missing, [Missing::Withdraw, Missing::Report]);
        for (wrong, says) in [
            (format!("{line} sometimes"), "`sometimes` is none of"),
            (format!("{line} ; {line}"), "two feeds are called `leeds`"),
            (
                "https://feeds.example/leeds.csv?key=secret".to_owned(),
                "has a name, an address",
            ),
        ] {
            let said = read_setting(&wrong).unwrap_err();
            assert!(said.contains(says) && !said.contains("secret"), "{said}");
        }
    }

    #[test]
    fn intervals_have_bounds() {
        for (text, minutes) in [
            ("15m", 15),
            ("90m", 90),
            ("1h", 60),
            ("6 h", 360),
            ("1d", 1_440),
            ("31d", 44_640),
        ] {
            assert_eq!(read_interval(text), Some(TimeDelta::minutes(minutes)), "{text}");
        }
        for text in ["", "h", "14m", "32d", "1w", "1.5h", "+1h", "6", "6小"] {
            assert_eq!(read_interval(text), None, "{text}");
        }
    }

    #[test]
    fn another_map_or_day_has_another_fingerprint() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
        let today = day(27);
        let folder = folder();
        let feed = parse_feeds(LEEDS, folder.path(), false).unwrap().remove(0);
        let before = feed.fingerprint(today).unwrap();
        assert_eq!(feed.fingerprint(today).unwrap(), before);
        assert_ne!(feed.fingerprint(day(28)).unwrap(), before);
        let MapPlace::File(map) = &feed.map else {
            panic!("{:?}", feed.map);
        };
        std::fs::write(map, "feed = \"leeds\"\nlease_weeks = 51\n").unwrap();
        assert_ne!(feed.fingerprint(today).unwrap(), before);
        std::fs::remove_file(map).unwrap();
        assert!(feed.fingerprint(today).unwrap_err().contains("leeds.toml"));
    }
}
