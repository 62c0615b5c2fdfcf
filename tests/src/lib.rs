//! Stories told through the front door. The stories are in `it/`; here is the one thing they all need: the real binary,
//! started on a free port with a data folder of its own.

mod anew;
mod binary;
mod catalogue;
pub mod disk;
pub mod mail;
pub mod network;
pub mod nginx;
mod once;
mod port;
pub mod postgres;
pub mod said;
pub mod sample;
pub mod words;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::anew::Compared;
use crate::binary::binary;
pub use crate::port::free_address;
use crate::postgres::Cluster;
use crate::said::Said;

/// `postgres`: every server of the stories works on a PostgreSQL database of its own.
const SWITCH: &str = "LATCHKEY_TEST_DATABASE";
const DATABASE: &str = "LATCHKEY_DATABASE";
const DEMO: &str = "LATCHKEY_DEMO_CATALOGUE";
/// Brings a mistake back: nothing is promised then.
const PLANTED: &str = "LATCHKEY_PLANTED_FAULT";

/// As a setting: everything lies in files of the data folder, whatever [`SWITCH`] says, for a reason that `laws/src/stories.rs`
/// repeats.
pub fn in_files(_reason: &'static str) -> (&'static str, &'static str) {
    (DATABASE, "sqlite:")
}

/// The database server of the stories; starting it takes longer than most of them.
pub fn cluster() -> &'static Cluster {
    static SERVER: OnceLock<Cluster> = OnceLock::new();
    SERVER.get_or_init(Cluster::start)
}

fn all_on_postgres() -> bool {
    std::env::var_os(SWITCH).is_some_and(|wanted| wanted == "postgres")
}

fn new_folder() -> TempDir {
    tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"))
}

/// As a setting: the file into which the server logs, which [`Server::logged`] reads.
pub const LOG_FILE: &str = "LATCHKEY_TEST_OUTPUT";

/// As a setting: serves a restored copy for a drill (`latchkey serve --rehearsal`).
pub const REHEARSAL: &str = "LATCHKEY_TEST_REHEARSAL";

/// A running `latchkey serve`; killed when dropped.
pub struct Server {
    child: Child,
    url: String,
    folder: PathBuf,
    /// Removes the folder, where the story did not bring its own.
    _made: Option<TempDir>,
    /// For what lies outside of it.
    beside: OnceLock<TempDir>,
    settings: Vec<(String, String)>,
    /// Where the log ended when the story began.
    began: Option<u64>,
    /// Why its read models are not compared with the log in the end.
    unlike_its_log: Option<&'static str>,
    said: Said,
}

impl Server {
    /// Starts with an empty catalogue: a story brings what it needs.
    ///
    /// # Panics
    /// When the binary is missing or does not serve.
    pub fn start() -> Self {
        Self::with(&[("LATCHKEY_DEMO_CATALOGUE", "false")])
    }

    /// Starts with the demo catalogue, on a copy of one that was made before.
    ///
    /// # Panics
    /// As [`Server::start`].
    pub fn with_catalogue() -> Self {
        let made = new_folder();
        let folder = made.path().to_owned();
        if all_on_postgres() {
            let url = catalogue::in_postgres(&folder);
            return Self::at(folder, Some(made), &[(DATABASE, &url)]);
        }
        catalogue::in_files(&folder);
        Self::at(folder, Some(made), &[])
    }

    /// One with the demo catalogue for all stories that only read, as long as this process runs.
    ///
    /// # Panics
    /// As [`Server::start`].
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(|| {
            let server = Self::with_catalogue();
            once::ends_with_this_process(Some(server.pid()), &[server.folder.as_path(), server.said.path()]);
            server
        })
    }

    /// Starts with settings.
    ///
    /// # Panics
    /// As [`Server::start`].
    pub fn with(settings: &[(&str, &str)]) -> Self {
        let made = new_folder();
        let folder = made.path().to_owned();
        let names_one = settings.iter().any(|(name, _)| *name == DATABASE);
        if names_one || !all_on_postgres() {
            return Self::at(folder, Some(made), settings);
        }
        let url = cluster().database();
        let all = [settings, &[(DATABASE, url.as_str())]].concat();
        Self::at(folder, Some(made), &all)
    }

    /// Starts on a folder that is there already, without the demo catalogue.
    ///
    /// # Panics
    /// As [`Server::start`].
    pub fn on(folder: &Path) -> Self {
        Self::on_with(folder, &[])
    }

    /// Starts on a folder that is there already, without the demo catalogue, with settings.
    ///
    /// # Panics
    /// As [`Server::start`].
    pub fn on_with(folder: &Path, settings: &[(&str, &str)]) -> Self {
        let mut all = vec![("LATCHKEY_DEMO_CATALOGUE", "false")];
        all.extend(settings);
        Self::at(folder.to_owned(), None, &all)
    }

    fn at(folder: PathBuf, made: Option<TempDir>, settings: &[(&str, &str)]) -> Self {
        let settings: Vec<_> = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let said = Said::begin();
        let (child, url) = spawn(&folder, &settings, &said);
        Self {
            child,
            said,
            began: anew::head(&url),
            url,
            folder,
            _made: made,
            beside: OnceLock::new(),
            unlike_its_log: left_out(&settings),
            settings,
        }
    }

    /// At the end, what this server served is not compared with its log (R13), for a reason that `laws/src/stories.rs` repeats.
    pub fn unlike_its_log(&mut self, reason: &'static str) {
        self.unlike_its_log = Some(reason);
    }

    /// Kills the server, and says in sentences in what its read models and its searches were not what its log says.
    pub fn differences(&mut self) -> Vec<String> {
        anew::compare(self, Compared::Answers)
    }

    /// Scheme, host and port.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// The PostgreSQL database it works on, if that is what it works on, and the one of its keys.
    pub fn database(&self) -> Option<(String, String)> {
        let (_, url) = self.settings.iter().find(|(name, _)| name == DATABASE)?;
        let name = self.database_name()?;
        Some((url.clone(), url.replacen(&name, &format!("{name}_keys"), 1)))
    }

    /// The address of the server that keeps its log, where it does not keep it itself.
    pub fn event_log(&self) -> Option<String> {
        let mut settings = self.settings.iter();
        let (_, url) = settings.find(|(name, _)| name == "LATCHKEY_EVENT_LOG")?;
        Some(url.clone())
    }

    /// What [`Cluster::run`] calls that database.
    pub fn database_name(&self) -> Option<String> {
        let (_, url) = self.settings.iter().find(|(name, _)| name == DATABASE)?;
        let name = url.split(['/', '?']).find(|part| part.starts_with("database_"))?;
        Some(name.to_owned())
    }

    /// Where the log, the keys and the read models lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A place outside of its folder that ends with the server: for backups, and what is made of them. Nothing is there yet.
    ///
    /// # Panics
    /// When there is no room for temporary folders.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.beside.get_or_init(new_folder).path().join(name)
    }

    /// SIGKILL: nothing gets a chance to tidy up.
    pub fn kill(&mut self) {
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
    }

    /// Starts again on the same data folder, on another port.
    ///
    /// # Panics
    /// As [`Server::start`].
    pub fn restart(&mut self) {
        self.kill();
        (self.child, self.url) = spawn(&self.folder, &self.settings, &self.said);
    }

    /// Asks the server to stop, as a supervisor does.
    ///
    /// # Panics
    /// Where there is no `kill`.
    pub fn ask_to_stop(&self) {
        self.signal("-TERM");
    }

    /// The process stands still where it is, until [`Server::go_on`].
    ///
    /// # Panics
    /// Where there is no `kill`.
    pub fn stand_still(&self) {
        self.signal("-STOP");
    }

    /// Ends [`Server::stand_still`].
    ///
    /// # Panics
    /// Where there is no `kill`.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "`kill` did not run");
    }

    /// The process, for those who do something to it from outside.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What the server has logged so far; only with the setting [`LOG_FILE`].
    ///
    /// # Panics
    /// Without that setting.
    pub fn logged(&self) -> String {
        let path = self.settings.iter().find(|(name, _)| name == LOG_FILE);
        let (_, path) = path.unwrap_or_else(|| panic!("the setting {LOG_FILE} is missing"));
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// How the server ended, once it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Runs one command of the binary on this data folder, which fails, and gives what it said.
    ///
    /// # Panics
    /// When the command succeeds.
    pub fn refused(&self, arguments: &[&str]) -> String {
        fails(command(&self.folder, &self.settings), arguments)
    }

    /// One command of the binary on this data folder, for a story that goes on meanwhile.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(&self.folder, &self.settings);
        command.args(arguments);
        command
    }

    /// Runs one command of the binary on this data folder and gives its standard output.
    ///
    /// # Panics
    /// When the command fails.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = command(&self.folder, &self.settings)
            .args(arguments)
            .output()
            .unwrap_or_else(|error| panic!("latchkey {arguments:?} did not start: {error}"));
        assert!(
            output.status.success(),
            "latchkey {arguments:?} failed: {}\n{}",
            String::from_utf8_lossy(&output.stderr),
            binary::told()
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// Why a server with these settings is not compared with its log.
fn left_out(settings: &[(String, String)]) -> Option<&'static str> {
    if settings.iter().any(|(name, _)| name == PLANTED) {
        return Some("a mistake was planted in it");
    }
    if settings.iter().any(|(name, _)| name == "LD_PRELOAD") {
        return Some("a library stands between it and its disk or its clock");
    }
    let is_small = settings
        .iter()
        .any(|(name, value)| name == DEMO && value == "false");
    (!is_small).then_some("the demo catalogue takes long to fold: a story in `read_models.rs` does it")
}

impl Drop for Server {
    fn drop(&mut self) {
        let is_told = self.unlike_its_log.is_none() && !std::thread::panicking();
        let found = if is_told {
            anew::compare(self, Compared::draw())
        } else {
            Vec::new()
        };
        self.kill();
        if std::thread::panicking() {
            eprintln!("{}", binary::told());
        }
        if let Some((_, file)) = self.settings.iter().find(|(name, _)| name == LOG_FILE) {
            said::show_end_of(Path::new(file));
        }
        assert!(
            found.is_empty(),
            "what was served is not what the log says (LATCHKEY_TEST_ANSWERS=4 compares answers in every run): {found:#?}"
        );
    }
}

/// Runs one command of the binary on a folder of no server, which fails, and gives what it said.
///
/// # Panics
/// When the command succeeds.
pub fn refused_on(folder: &Path, arguments: &[&str]) -> String {
    refused_with(folder, &[], arguments)
}

/// As [`refused_on`], with settings.
///
/// # Panics
/// When the command succeeds.
pub fn refused_with(folder: &Path, settings: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = command(&std::env::temp_dir(), &[]);
    command
        .env("LATCHKEY_DATA_DIR", folder)
        .envs(settings.iter().copied());
    fails(command, arguments)
}

fn fails(mut command: Command, arguments: &[&str]) -> String {
    let output = command
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("latchkey {arguments:?} did not start: {error}"));
    assert!(
        !output.status.success(),
        "latchkey {arguments:?} succeeded\n{}",
        binary::told()
    );
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

fn command(folder: &Path, settings: &[(String, String)]) -> Command {
    let mut command = Command::new(binary());
    command
        .current_dir(folder)
        .env("LATCHKEY_DATA_DIR", folder)
        .env("LATCHKEY_LOG", "warn")
        // All clients of a story call from one address.
        .env("LATCHKEY_CONNECTIONS_PER_ADDRESS", "10000");
    command.envs(settings.iter().map(|(name, value)| (name, value)));
    command
}

fn spawn(folder: &Path, settings: &[(String, String)], said: &Said) -> (Child, String) {
    let mut serve = command(folder, settings);
    serve.stderr(said.stdio());
    if let Some((_, path)) = settings.iter().find(|(name, _)| name == LOG_FILE) {
        // What the server logs is searched by the story.
        let file = std::fs::File::options().append(true).create(true).open(path);
        serve.stderr(file.unwrap_or_else(|error| panic!("{path}: {error}")));
    }
    let is_rehearsal = settings.iter().any(|(name, _)| name == REHEARSAL);
    let mut child = serve
        .args(["serve", "--listen", "127.0.0.1:0"])
        .args(is_rehearsal.then_some("--rehearsal"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{} did not start: {error}", binary().display()));
    let mut first = String::new();
    // The server prints its address once it serves; until then this read waits.
    let read = child
        .stdout
        .take()
        .map(|output| BufReader::new(output).read_line(&mut first));
    let url = first.trim().strip_prefix("latchkey serves ").map(str::to_owned);
    if let (Some(Ok(_)), Some(url)) = (read, url) {
        return (child, url);
    }
    let _already_gone = child.kill();
    let _reaped = child.wait();
    panic!(
        "the server did not say where it serves: `{first}`\n{}",
        binary::told()
    );
}

/// The OpenAPI document of the binary under test.
///
/// # Panics
/// When the binary is missing.
pub fn document() -> String {
    printed(&["contract"])
}

/// What a command prints that needs neither data nor a server.
///
/// # Panics
/// When the binary is missing.
pub fn printed(arguments: &[&str]) -> String {
    let output = Command::new(binary())
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("latchkey {arguments:?} did not start: {error}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
