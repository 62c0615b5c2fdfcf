//! Whether what a server has written ahead of its databases' files is still there for others. Whoever opens a database without
//! it keeps the server from moving it into the file itself, or writes where nobody will read.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use platform::config::Settings;
use tables::Place;

/// The databases without which nothing of the log can be read.
const FILES: [&str; 2] = ["log.db", "keys.db"];
/// A server that starts or stops has its lock for a moment before it has its files, or after.
const LOOKS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(200);
/// Bytes of the index's head, and where it says how many pages are written ahead.
const INDEX_HEAD: usize = 48;
const PAGES: std::ops::Range<usize> = 16..20;

/// Refuses to open a database whose write-ahead file was deleted or emptied under the server that has it open.
///
/// # Errors
/// One sentence for the operator.
pub async fn is_there(settings: &Settings) -> Result<(), String> {
    let Place::Folder(folder) = settings.place() else {
        return Ok(());
    };
    for _ in 1..LOOKS {
        if gone_under_a_server(&folder).is_none() {
            return Ok(());
        }
        tokio::time::sleep(BETWEEN).await;
    }
    match gone_under_a_server(&folder) {
        None => Ok(()),
        Some(file) => Err(format!(
            "`{}` was deleted or emptied under the server that runs: do not stop the server before it has logged that what was \
             written ahead is moved into the file itself, then start it again; no command opens the database until then",
            file.display()
        )),
    }
}

/// The write-ahead file that is not what a server has open. Looked at before this process opens the database: whoever closes
/// a file of it gives back all locks that his process has on it.
fn gone_under_a_server(folder: &Path) -> Option<PathBuf> {
    let gone = FILES
        .iter()
        .filter(|name| folder.join(name).is_file())
        .map(|name| folder.join(format!("{name}-wal")))
        .find(|ahead| lacks_pages(ahead))?;
    let lock = File::open(folder.join("serve.lock")).ok()?;
    matches!(lock.try_lock(), Err(TryLockError::WouldBlock)).then_some(gone)
}

fn lacks_pages(ahead: &Path) -> bool {
    let index = ahead.with_extension("db-shm");
    let before = head_of(&index);
    let Ok(found) = fs::metadata(ahead) else {
        return true;
    };
    let Some(head) = before else { return false };
    let pages = head.get(PAGES).and_then(|pages| pages.try_into().ok());
    let pages = u64::from(pages.map_or(0, u32::from_ne_bytes));
    let is_short = pages > 0 && found.len() < eventlog_sqlite::bytes_ahead(pages);
    // Whoever empties it after all of it is moved says so in the index first.
    is_short && head_of(&index) == Some(head)
}

/// The head of the index that processes share. It stands there twice, and differs while somebody writes it.
fn head_of(index: &Path) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let mut heads = Vec::with_capacity(2 * INDEX_HEAD);
    let file = File::open(index).ok()?;
    file.take(2 * INDEX_HEAD as u64).read_to_end(&mut heads).ok()?;
    let (first, second) = heads.split_at_checked(INDEX_HEAD)?;
    (first == second).then(|| first.to_vec())
}
