//! Why something is not done with a feed.

use std::io;

use thiserror::Error;

/// Why something is not done with a feed.
#[derive(Debug, Error)]
pub enum IntakeError {
    #[error("there is no such upload")]
    UnknownUpload,
    #[error("the upload is being worked on")]
    Busy,
    #[error("the upload was changed meanwhile")]
    Moved,
    #[error("no map fits the file yet")]
    NotLooked,
    #[error("a feed's name has 1 to 64 letters")]
    FeedName,
    #[error("every feed without a name shares one: its homes are never missing")]
    SharedName,
    #[error("the file has more than {0} bytes")]
    TooLarge(u64),
    #[error(transparent)]
    NoFeed(#[from] NoFeed),
    /// A sentence of the feed's reader.
    #[error("{0}")]
    Map(String),
    #[error("the address is none of a feed")]
    Address,
    /// A sentence that names the host alone.
    #[error("the feed cannot be fetched: {0}")]
    Fetch(String),
    #[error("the interval is none")]
    Interval,
    #[error("there is no such feed")]
    UnknownFeed,
    #[error("the feed is paused")]
    Paused,
    #[error("the setting `feeds` names the feed")]
    OfSetting,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Why a file is no feed, by its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoFeed {
    #[error("the file is empty")]
    Empty,
    #[error("the file is a web page")]
    WebPage,
    #[error("the file is packed, or a spreadsheet")]
    Packed,
    #[error("the file is neither CSV nor JSON nor XML")]
    OtherKind,
}
