//! Reads feeds of homes as they are published: CSV, JSON and XML, flat, nested or grouped, by a map of at most some twenty lines or
//! by the house's own names (docs/import/feeds.md). Gives typed homes of which every fact is optional, and every fault with its line,
//! its path, its value and what would be right. Nothing is said that the feed does not say, and what can be read in two ways is
//! refused. Writes nothing, fetches nothing, knows no clock: `import` does.
//!
//! A feed is read three times in memory that does not grow with it, but for a number for each home: for its names and the order of
//! its days, for the middles by which a rent or a point is doubted, and for its homes.

mod build;
mod columns;
mod country;
mod fault;
mod fields;
mod group;
mod home;
mod lease;
mod map;
mod node;
mod parts;
mod path;
mod place;
mod plan;
mod price;
mod read;
mod reading;
mod records;
mod seen;
mod size;
mod source;
mod stats;
mod suggest;
mod values;

pub use columns::{
    FeedColumn, FeedColumns, FeedField, FeedWord, check_map, list_columns, list_fields, list_meanings,
    suggest_feed_map,
};
pub use fault::{Fault, VALUE_SHOWN, Verdict, cut_letters};
pub use home::{
    Amount, Bill, BillState, Bills, Deposit, Facility, Guarantor, Home, LeaseBills, LeaseOption, Length,
    MoveIn, Picture, Place, Price, PricePeriod, Question, Room, RoomKind, Status, StayUnit, Terms, Texts,
    UNDETERMINED,
};
pub use map::{FeedMap, SHARED_FEED};
pub use place::{Atlas, NoAtlas, Town};
pub use read::{Entry, Outcome, Summary, Unused, read_feed, suggest_map};
pub use records::Stopped;
pub use source::{Format, Source};

#[cfg(test)]
mod tests;
