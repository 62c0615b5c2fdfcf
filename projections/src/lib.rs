//! What people read: tables and indexes, each a fold of the log. Knows no HTTP and never appends.

pub mod catalogue;
