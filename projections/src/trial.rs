//! Databases for tests, on one PostgreSQL server that all tests of this room share.

use std::sync::OnceLock;

use tests::postgres::Cluster;

use crate::database::Place;

/// One server for the whole test process: starting it takes longer than a test.
pub(crate) fn server() -> &'static Cluster {
    static SERVER: OnceLock<Cluster> = OnceLock::new();
    SERVER.get_or_init(Cluster::start)
}

/// An empty database that nodes may share.
pub(crate) fn shared() -> Place {
    Place::Postgres(server().database())
}
