//! Sentences of the doctor on feeds that are fetched on a schedule.

use platform::config::Settings;

use super::finding::Finding;

const WHAT: &str = "feeds";

/// Whether the file of the setting can be used; nothing where it is unset. No host is asked.
pub(super) fn of_schedule(settings: &Settings) -> Option<Finding> {
    match fetching::feeds_file::read_feeds(settings) {
        Ok(feeds) if feeds.is_empty() => None,
        Ok(feeds) => {
            let names: Vec<&str> = feeds.iter().map(|feed| feed.name.as_str()).collect();
            Some(Finding::fine(
                WHAT,
                format!("fetched on a schedule: {}", names.join(", ")),
            ))
        }
        Err(said) => Some(Finding::wrong(WHAT, said)),
    }
}
