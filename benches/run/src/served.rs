//! Servers under load: ours and those beside it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Settings;
use crate::ground::Place;
use crate::perf;

/// Who serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Server {
    /// The real `latchkey serve`, without the demo catalogue.
    Latchkey(Engine),
    /// The same of another binary, on SQLite.
    Beside,
    /// axum and sqlx: parse, one insert, 201; with so many connections.
    Crud(Engine, u32),
    /// axum: parse, 201.
    Parse,
}

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// A server that is stopped when it is let go.
pub struct Running {
    child: Child,
    pub address: String,
}

impl Running {
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The resident memory of the server's process.
    pub fn memory_mb(&self) -> f64 {
        measure::memory_mb(&self.child.id().to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Server {
    /// Starts it on an empty place.
    pub fn start(self, settings: &Settings, place: &Place) -> Result<Running, String> {
        let url = place.databases.as_ref().map(|(url, _)| url.clone());
        let mut command = match self {
            Self::Latchkey(engine) => {
                let mut command = latchkey(&settings.latchkey, &place.folder, None);
                command.args(["serve", "--listen", "127.0.0.1:0"]);
                if engine == Engine::Postgres {
                    command.env("LATCHKEY_DATABASE", url.unwrap_or_default());
                }
                command
            }
            Self::Beside => {
                let binary = settings.beside.as_ref().ok_or("no other binary is given")?;
                let mut command = latchkey(binary, &place.folder, None);
                command.args(["serve", "--listen", "127.0.0.1:0"]);
                command
            }
            Self::Crud(engine, pool) => {
                let file = place.folder.join("crud.db").display().to_string();
                let mut command = Command::new(&settings.rivals);
                command.args(["serve", "--kind", &format!("crud-{}", engine.word())]);
                command.args(["--pool", &pool.to_string(), "--place"]);
                command.arg(match engine {
                    Engine::Sqlite => file,
                    Engine::Postgres => url.unwrap_or_default(),
                });
                command
            }
            Self::Parse => {
                let mut command = Command::new(&settings.rivals);
                command.args(["serve", "--kind", "parse"]);
                command
            }
        };
        started(&mut command)
    }

    pub const fn wants_database(self) -> bool {
        matches!(
            self,
            Self::Latchkey(Engine::Postgres) | Self::Crud(Engine::Postgres, _)
        )
    }
}

/// The product's binary on a data folder. Limits per address spare loopback, where the load comes from; every lead is
/// of another person, so that limits per person are not reached. Nothing else is switched.
pub fn latchkey(binary: &Path, folder: &Path, perf: Option<&Path>) -> Command {
    let mut command = perf::command(binary, perf);
    command
        .current_dir(folder)
        .env("LATCHKEY_DATA_DIR", folder)
        .env("LATCHKEY_DEMO_CATALOGUE", "false")
        .env("LATCHKEY_LOG", "error");
    command
}

/// Waits for the line that says where it serves.
pub fn started(command: &mut Command) -> Result<Running, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{name}: {error}"))?;
    let mut first = String::new();
    let told = child
        .stdout
        .take()
        .map(|output| BufReader::new(output).read_line(&mut first));
    let mut log = child.stderr.take();
    let address = first
        .trim()
        .rsplit_once("http://")
        .map(|(_, address)| address.to_owned());
    if let (Some(Ok(_)), Some(address)) = (told, address) {
        // What it says from now on is not read by anybody, and must not stop it.
        std::thread::spawn(move || log.as_mut().map(|log| std::io::copy(log, &mut std::io::sink())));
        return Ok(Running { child, address });
    }
    drop(child.kill());
    drop(child.wait());
    let mut said = String::new();
    drop(log.as_mut().map(|log| log.read_to_string(&mut said)));
    let last = said
        .trim()
        .lines()
        .last()
        .unwrap_or("it did not say where it serves");
    Err(format!("{name}: {last}"))
}
