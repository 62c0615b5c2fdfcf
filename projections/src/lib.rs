//! What people read: tables and indexes, each a fold of the log. Knows no HTTP and never appends.

pub mod catalogue;
pub mod run;
pub mod store;

use run::Projection;

/// Every SQL read model, in the order it is applied. To add one: its file, its migration, its line here.
pub fn all() -> Vec<Box<dyn Projection>> {
    vec![]
}
