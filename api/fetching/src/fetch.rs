//! Fetches one feed into a file that is gone with its handle, whole before its first row is read. A feed that breaks off on its way
//! takes no row in.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, Write};
use std::sync::Arc;
use std::time::Duration;

use outbound::{Answer, Call, Limits, Outbound, OutboundError, Policy, SystemResolver};
use platform::config::Settings;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Bounds of a feed that is fetched. A list of 100,000 leases in XML has about 300 MB.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(10),
    total: Duration::from_mins(30),
    received: UNPACKED_MAX,
    unpacked: UNPACKED_MAX,
};
/// Bytes of a feed's file, which lies in the temporary folder while it is read.
pub const UNPACKED_MAX: u64 = 1024 * 1024 * 1024;
/// Bytes of a file by which a web page is told from a feed.
const BEGINNING: usize = 2_048;
const OK: u16 = 200;
const NOT_MODIFIED: u16 = 304;

/// By what an answer is known again; empty where the host says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    pub etag: String,
    pub last_modified: String,
    /// SHA-256 of the content, in hex.
    pub content_hash: String,
}

/// A feed on this machine.
#[derive(Debug)]
pub struct FetchedFeed {
    /// At its beginning.
    pub file: File,
    pub marks: Marks,
}

/// Why there is no feed. Errors name hosts and never whole addresses, which may hold a key.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    #[error(
        "`{0}` answered with a web page where a feed was expected: write the address of the file itself, which opens without a login"
    )]
    WebPage(String),
    #[error("`{0}` answered with an empty file")]
    Empty(String),
    #[error("the fetched feed cannot be kept: {0}")]
    Unkept(#[source] io::Error),
}

impl FetchError {
    /// Whether the same address may answer later without a change by a person: hosts show pages and empty files while they are mended.
    pub const fn is_temporary(&self) -> bool {
        match self {
            Self::Outbound(error) => error.is_temporary(),
            Self::WebPage(_) | Self::Empty(_) | Self::Unkept(_) => true,
        }
    }
}

/// Fetches feeds; one for a process.
pub struct Fetcher {
    outbound: Outbound,
}

impl Fetcher {
    /// Fetches from the public internet, and from sockets that the setting `outbound_permitted` names.
    ///
    /// # Errors
    /// When TLS cannot be used.
    pub fn open(settings: &Settings) -> Result<Self, FetchError> {
        let policy = Policy {
            permitted: settings.permitted_sockets(),
            plain_http: false,
        };
        let outbound = Outbound::open(policy, Arc::new(SystemResolver))?;
        Ok(Self { outbound })
    }

    /// Fetches the feed at an address, whatever it held before.
    ///
    /// # Errors
    /// One sentence that names the host alone.
    pub async fn fetch(&self, address: &str) -> Result<FetchedFeed, FetchError> {
        let (answer, kept) = self.ask(Call::get(address, LIMITS)?).await?;
        open_feed(&answer, kept)
    }

    /// Fetches the feed at an address; `None` where it is the one of these marks.
    ///
    /// # Errors
    /// As [`Fetcher::fetch`].
    pub async fn fetch_changed(
        &self,
        address: &str,
        known: &Marks,
    ) -> Result<Option<FetchedFeed>, FetchError> {
        let (etag, last_modified) = (non_empty(&known.etag), non_empty(&known.last_modified));
        let call = Call::get(address, LIMITS)?.with_marks(etag, last_modified);
        let (answer, kept) = self.ask(call).await?;
        if answer.status == NOT_MODIFIED && (etag.is_some() || last_modified.is_some()) {
            return Ok(None);
        }
        let feed = open_feed(&answer, kept)?;
        Ok((feed.marks.content_hash != known.content_hash).then_some(feed))
    }

    async fn ask(&self, call: Call) -> Result<(Answer, Kept), FetchError> {
        let mut kept = Kept::create().map_err(FetchError::Unkept)?;
        let answer = self.outbound.send(call, &mut kept).await?;
        Ok((answer, kept))
    }
}

fn non_empty(mark: &str) -> Option<&str> {
    Some(mark).filter(|mark| !mark.is_empty())
}

fn open_feed(answer: &Answer, kept: Kept) -> Result<FetchedFeed, FetchError> {
    let host = answer.url.host_str().unwrap_or_default().to_owned();
    if answer.status != OK {
        let status = answer.status;
        return Err(OutboundError::Status { host, status }.into());
    }
    if kept.beginning.is_empty() {
        return Err(FetchError::Empty(host));
    }
    if is_web_page(&kept.beginning, answer.content_type.as_deref()) {
        return Err(FetchError::WebPage(host));
    }
    let marks = Marks {
        etag: answer.etag.clone().unwrap_or_default(),
        last_modified: answer.last_modified.clone().unwrap_or_default(),
        content_hash: hex::encode(kept.hash.finalize()),
    };
    let mut file = kept.file;
    file.rewind().map_err(FetchError::Unkept)?;
    Ok(FetchedFeed { file, marks })
}

/// Whether a file begins as a web page does.
pub fn is_web_page(beginning: &[u8], content_type: Option<&str>) -> bool {
    // UTF-16 has zero bytes between the letters.
    let text = String::from_utf8_lossy(beginning)
        .replace('\0', "")
        .to_ascii_lowercase();
    let text = text.trim_start_matches(['\u{feff}', '\u{fffd}']).trim_start();
    let declaration = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    let is_xml = declaration.is_some();
    let text = declaration.map_or(text, |(_, rest)| rest.trim_start());
    if text.starts_with("<!doctype html") || text.starts_with("<html") {
        return true;
    }
    let says_page = content_type.is_some_and(|kind| kind.to_ascii_lowercase().starts_with("text/html"));
    says_page && !is_xml && text.starts_with('<')
}

/// The file that a feed is written to, its hash and its beginning.
struct Kept {
    file: File,
    hash: Sha256,
    beginning: Vec<u8>,
}

impl Kept {
    fn create() -> io::Result<Self> {
        Ok(Self {
            file: create_unnamed()?,
            hash: Sha256::new(),
            beginning: Vec::new(),
        })
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        let bytes = &bytes[..written];
        self.hash.update(bytes);
        let lacking = BEGINNING.saturating_sub(self.beginning.len());
        self.beginning.extend(bytes.iter().take(lacking));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file that is gone with its handle.
fn create_unnamed() -> io::Result<File> {
    let path = std::env::temp_dir().join(format!("latchkey-feed-{}", Uuid::new_v4()));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_pages_are_told_from_feeds() {
        let html = Some("text/html; charset=utf-8");
        for (beginning, content_type) in [
            ("<!DOCTYPE html><title>Log in</title>", None),
            ("\u{feff}\r\n  <HTML lang=en>", None),
            ("<?xml version='1.0'?>\n<!doctype html PUBLIC \"-//W3C\">", None),
            ("<!-- cached --><p>Sorry", html),
        ] {
            assert!(is_web_page(beginning.as_bytes(), content_type), "{beginning}");
        }
        for (beginning, content_type) in [
            ("id,title\n1,<html>", None),
            ("[{\"id\": 1}]", html),
            ("<properties><property/></properties>", None),
            ("<?xml version='1.0'?><properties/>", html),
            ("id;title", html),
        ] {
            assert!(!is_web_page(beginning.as_bytes(), content_type), "{beginning}");
        }
        let wide: Vec<u8> = "\u{feff}<html>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(is_web_page(&wide, None));
    }

    #[test]
    fn kept_feed_has_the_hash_of_its_bytes() {
        let mut kept = Kept::create().unwrap();
        kept.write_all(b"id,").unwrap();
        kept.write_all(b"title").unwrap();
        assert_eq!(kept.beginning, b"id,title");
        assert_eq!(
            hex::encode(kept.hash.finalize()),
            hex::encode(Sha256::digest("id,title"))
        );
    }
}
