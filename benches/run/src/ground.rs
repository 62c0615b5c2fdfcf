//! A medium and what stands on it: fresh places for single measurements, filled ones for replays, a database server.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::cluster::Cluster;

/// What the bytes lie on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Medium {
    Disk,
    Memory,
}

impl Medium {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Memory => "tmpfs",
        }
    }
}

/// One medium.
pub struct Ground {
    folder: PathBuf,
    cluster: Result<Cluster, String>,
    made: u32,
    /// Places that are filled once and read in every round.
    filled: HashMap<String, Result<Place, String>>,
}

/// Where one measurement's data lie.
#[derive(Debug, Clone)]
pub struct Place {
    pub folder: PathBuf,
    name: String,
    /// The addresses of two empty databases, where there is a server.
    pub databases: Option<(String, String)>,
}

impl Ground {
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            cluster: Cluster::start(&folder.join("server")),
            made: 0,
            filled: HashMap::new(),
        }
    }

    /// The server, or why there is none.
    pub fn cluster(&self) -> Result<&Cluster, String> {
        self.cluster.as_ref().map_err(Clone::clone)
    }

    /// An empty folder and, where `wants_database`, two empty databases.
    pub fn fresh(&mut self, wants_database: bool) -> Result<Place, String> {
        self.made += 1;
        let name = format!("place_{}", self.made);
        let folder = self.folder.join(&name);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let mut place = Place {
            folder,
            name: name.clone(),
            databases: None,
        };
        if wants_database {
            let cluster = self.cluster()?;
            let keys = format!("{name}_keys");
            let make = [
                format!("create database {name}"),
                format!("create database {keys}"),
            ];
            // What others left to be written belongs to them.
            cluster.run("postgres", &[&make[0], &make[1], "checkpoint"])?;
            place.databases = Some((cluster.url(&name), cluster.url(&keys)));
        }
        Ok(place)
    }

    /// Removes what a measurement left.
    pub fn clear(&self, place: &Place) {
        drop(std::fs::remove_dir_all(&place.folder));
        if place.databases.is_none() {
            return;
        }
        if let Ok(cluster) = self.cluster() {
            for name in [place.name.clone(), format!("{}_keys", place.name)] {
                let gone = cluster.run("postgres", &[&format!("drop database {name} with (force)")]);
                gone.unwrap_or_else(|error| {
                    eprintln!("bench: a database stays: {error}");
                    String::new()
                });
            }
        }
    }

    /// The place called so, filled when it is first asked for.
    pub fn filled(
        &mut self,
        name: &str,
        wants_database: bool,
        fill: impl FnOnce(&Place) -> Result<(), String>,
    ) -> Result<Place, String> {
        if let Some(known) = self.filled.get(name) {
            return known.clone();
        }
        let made = self.fresh(wants_database).and_then(|place| {
            fill(&place)?;
            Ok(place)
        });
        self.filled.insert(name.to_owned(), made.clone());
        made
    }
}
