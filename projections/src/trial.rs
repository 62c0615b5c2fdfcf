//! Places for tests: folders, and databases on one PostgreSQL server that all tests of this room share.

use std::sync::OnceLock;

use tempfile::TempDir;
use tests::postgres::Cluster;

use tables::Place;

/// One server for the whole test process: starting it takes longer than a test.
pub(crate) fn server() -> &'static Cluster {
    static SERVER: OnceLock<Cluster> = OnceLock::new();
    SERVER.get_or_init(Cluster::start)
}

/// An empty database that nodes may share.
pub(crate) fn shared() -> Place {
    Place::Postgres(server().database())
}

/// An empty place of each kind. The folder goes with its handle.
pub(crate) fn places() -> [(Place, Option<TempDir>); 2] {
    let folder = tempfile::tempdir().unwrap();
    [
        (Place::Folder(folder.path().to_owned()), Some(folder)),
        (shared(), None),
    ]
}
