//! Takes files of scheduled feeds in, beside a serving server: on a thread of its own, so that rows hold up no answer.

use std::fs::File;
use std::io::{Read as _, Seek as _};

use eventlog::EventLog;
use fetching::feeds_file::{Missing, ScheduledFeed};
use fetching::schedule::TakeIn;
use fetching::state::RunCounts;
use futures::future::BoxFuture;
use platform::clock;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::map::Map;
use crate::{Format, Rejections, RowError, Tally};

/// Bytes in which the first sign of a file stands.
const BEGINNING: usize = 256;

/// The import of scheduled feeds.
pub struct ScheduledImport {
    pub log: EventLog,
}

impl TakeIn for ScheduledImport {
    fn take_in<'a>(
        &'a self,
        feed: &'a ScheduledFeed,
        file: File,
        mut stop: watch::Receiver<bool>,
    ) -> BoxFuture<'a, Result<Option<RunCounts>, String>> {
        let (log, feed, handle) = (self.log.clone(), feed.clone(), Handle::current());
        Box::pin(async move {
            let work = move || {
                handle.block_on(async move {
                    tokio::select! {
                        counts = import_feed(&log, &feed, file) => counts.map(Some),
                        _ = stop.wait_for(|stopped| *stopped) => Ok(None),
                    }
                })
            };
            let done = tokio::task::spawn_blocking(work).await;
            done.map_err(|error| format!("the import ended badly: {error}"))?
        })
    }
}

/// Takes one file of a feed in, as `latchkey import` does under the feed's name. A feed that may close homes is not taken in for less.
async fn import_feed(log: &EventLog, feed: &ScheduledFeed, mut file: File) -> Result<RunCounts, String> {
    if feed.missing == Missing::Withdraw {
        return Err("homes that the feed no longer names are not withdrawn on a schedule yet: write missing = \"report\"".to_owned());
    }
    let mut map = Map::read(Some(&feed.map.to_string_lossy()))?;
    map.refuse_past_move_in(clock::now().date_naive())?;
    map.feed.clone_from(&feed.name);
    let format = find_format(&mut file).map_err(|error| format!("the file cannot be read: {error}"))?;
    let (tally, _columns) = crate::take(log, file, format, &map, false, &mut Uncounted).await?;
    Ok(count_rows(&tally))
}

const fn count_rows(tally: &Tally) -> RunCounts {
    RunCounts {
        rows: tally.rows,
        added: tally.added,
        changed: tally.changed,
        unchanged: tally.unchanged,
        rejected: tally.rejected,
    }
}

/// The format by the first sign of the file, which stays at its beginning.
fn find_format(file: &mut File) -> std::io::Result<Format> {
    let mut beginning = Vec::new();
    file.by_ref().take(BEGINNING as u64).read_to_end(&mut beginning)?;
    file.rewind()?;
    // Zero bytes are those of UTF-16, the rest a byte-order mark.
    let is_sign =
        |byte: u8| !matches!(byte, 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff) && !byte.is_ascii_whitespace();
    Ok(match beginning.into_iter().find(|byte| is_sign(*byte)) {
        Some(b'[' | b'{') => Format::Json,
        _ => Format::Csv,
    })
}

/// Leaves rejected rows to the counts: `latchkey import --dry-run` with the same address and map names each.
struct Uncounted;

impl Rejections for Uncounted {
    fn reject(&mut self, _error: &RowError) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn format_is_told_by_the_first_sign() {
        for (text, format) in [
            (" \n[{\"id\": 1}]", Format::Json),
            ("\u{feff}{\"id\": 1}\n{\"id\": 2}", Format::Json),
            ("id,title\n1,[x]", Format::Csv),
            ("\u{feff}id;title", Format::Csv),
            ("", Format::Csv),
        ] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.rewind().unwrap();
            assert_eq!(find_format(&mut file).unwrap(), format, "{text}");
            let mut whole = String::new();
            file.read_to_string(&mut whole).unwrap();
            assert_eq!(whole, text);
        }
    }
}
