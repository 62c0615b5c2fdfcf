//! Databases for the tests of this crate, with one table.

use std::sync::OnceLock;

use include_dir::{Dir, DirEntry, File};
use tempfile::TempDir;
use tests::postgres::Cluster;

use crate::{Database, Durability, Place, Purpose};

const IN_SQLITE: &[u8] = b"create table journey (
    person text not null, property text not null, document blob not null, primary key (person, property)) strict;";
const IN_POSTGRES: &[u8] = b"create table journey (
    person text not null, property text not null, document bytea not null, primary key (person, property));";

pub(crate) const PURPOSE: Purpose = Purpose {
    name: "trial",
    sqlite: &Dir::new("", &[DirEntry::File(File::new("0001_journey.sql", IN_SQLITE))]),
    postgres: &Dir::new("", &[DirEntry::File(File::new("0001_journey.sql", IN_POSTGRES))]),
    durability: Durability::Ordered,
    connections: 2,
    shared_connections: 2,
};

/// The database at `place`, made when there is none.
pub(crate) async fn opened(place: &Place) -> Database {
    Database::open(place, &PURPOSE).await.unwrap()
}

/// An empty database that nodes may share; one server serves the whole test process.
pub(crate) fn shared() -> Place {
    static SERVER: OnceLock<Cluster> = OnceLock::new();
    Place::Postgres(SERVER.get_or_init(Cluster::start).database())
}

/// An empty place of each kind. The folder goes with its handle.
pub(crate) fn places() -> [(Place, Option<TempDir>); 2] {
    let folder = tempfile::tempdir().unwrap();
    [
        (Place::Folder(folder.path().to_owned()), Some(folder)),
        (shared(), None),
    ]
}
