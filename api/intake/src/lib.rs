//! Feeds as staff bring them in: files that they upload, the maps by which those are read, tries and imports of them, and feeds that they
//! set on a schedule. Reading and importing are those of `latchkey import`; nothing here knows HTTP.
//!
//! An uploaded file lies on the disk of the node that took it, which alone works on it; what is known of it lies in the desk's database,
//! where every node answers from.

pub mod access;
mod address;
pub mod commands;
pub mod error;
mod job;
pub mod scheduled;
pub mod shelf;
mod sniff;
pub mod upload;
mod upload_rows;
pub mod worker;
