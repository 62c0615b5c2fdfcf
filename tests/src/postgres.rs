//! A PostgreSQL server of a test's own: made in a temporary folder, reached through a socket in it, gone with the test
//! however the test ends.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};

use tempfile::TempDir;

use crate::once;

/// Stands between the test and the server: stops the server when the test is gone, by whatever death, because then
/// its input ends. `away` is a crash of the server, `again` a start after it.
const KEEPER: &str = r#"
"$0/postgres" -D "$1" -k "$1" "${@:2}" & server=$!
while read -r order; do
  case "$order" in
    away) kill -QUIT $server; wait $server; echo "the server is away" >&2 ;;
    again) "$0/postgres" -D "$1" -k "$1" "${@:2}" & server=$! ;;
  esac
done
kill -QUIT $server 2>/dev/null; wait $server
rm -rf "${1%/*}"
"#;
/// Makes, in the folder it runs in, an authority and a certificate of it for `localhost`.
const CERTIFY: &str = r#"
key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
openssl req -x509 $key -days 2 -subj "/CN=an authority" -keyout ca.key -out ca.crt &&
openssl req $key -subj /CN=localhost -keyout server.key -out server.csr &&
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out server.crt \
  -extfile <(echo subjectAltName=DNS:localhost)
"#;
/// Where a client finds a server that was told nothing else.
const USUAL_PORT: u16 = 5432;
/// What the server logs once it serves.
const SERVES: &str = "database system is ready to accept connections";
/// What its keeper says once none of its processes answers any more.
const AWAY: &str = "the server is away";

/// How `psql` prints cells in which there may be lines and bars.
const CELLS: [&str; 3] = [
    "--field-separator=\u{1f}",
    "--record-separator=\u{1e}",
    "--pset=null=\u{1d}",
];
const AFTER_CELL: char = '\u{1f}';
const AFTER_ROW: char = '\u{1e}';
const NULL: &str = "\u{1d}";

/// A running server.
pub struct Cluster {
    keeper: Child,
    orders: Mutex<Option<ChildStdin>>,
    states: Mutex<Receiver<Result<&'static str, String>>>,
    programs: PathBuf,
    folder: TempDir,
    owner: Option<Owner>,
    databases: AtomicU32,
    port: u16,
}

/// Whom the server runs as, because it refuses to run as root.
#[derive(Clone, Copy)]
struct Owner {
    user: u32,
    group: u32,
}

impl Cluster {
    /// Makes a server and starts it.
    ///
    /// # Panics
    /// When the programs of PostgreSQL are missing or the server does not start.
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// Starts with settings, such as `fsync=off`.
    ///
    /// # Panics
    /// As [`Cluster::start`].
    pub fn with(settings: &[&str]) -> Self {
        Self::made(settings, USUAL_PORT, |_| {})
    }

    /// A server that is reached over the network, at `localhost`, and speaks to nobody there in the clear.
    ///
    /// # Panics
    /// As [`Cluster::start`]; and where `openssl` is missing or no port is free.
    pub fn encrypted() -> Self {
        let port = crate::free_address().port();
        let listens = format!("port={port}");
        let settings = [
            listens.as_str(),
            "listen_addresses=localhost",
            "ssl=on",
            "ssl_cert_file=server.crt",
            "ssl_key_file=server.key",
        ];
        Self::made(&settings, port, |database| {
            let mut certify = run_as(Path::new("bash"), owner(database));
            succeeds(certify.args(["-c", CERTIFY]).current_dir(database));
            let rules = "local all all trust\nhostssl all all localhost trust\n";
            std::fs::write(database.join("pg_hba.conf"), rules)
                .unwrap_or_else(|error| panic!("pg_hba.conf: {error}"));
        })
    }

    /// A server that is reached over the network too: whoever asks while it is away is refused at once.
    ///
    /// # Panics
    /// As [`Cluster::start`]; and where no port is free.
    pub fn listening() -> Self {
        let port = crate::free_address().port();
        let listens = format!("port={port}");
        Self::made(&[&listens, "listen_addresses=localhost"], port, |_| {})
    }

    /// Where everything lies that the server keeps.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("db")
    }

    /// The certificate of the authority that vouches for an [`Cluster::encrypted`] server.
    pub fn authority(&self) -> PathBuf {
        self.folder().join("ca.crt")
    }

    /// The address of a database over the network, with what follows the name.
    pub fn over_the_network(&self, database: &str, ending: &str) -> String {
        format!("postgres://latchkey@localhost:{}/{database}{ending}", self.port)
    }

    fn made(settings: &[&str], port: u16, prepare: impl FnOnce(&Path)) -> Self {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let owner = owner(folder.path());
        let database = folder.path().join("db");
        succeeds(
            run_as(Path::new("cp"), owner)
                .arg("-R")
                .arg(new_cluster(&programs))
                .arg(&database)
                .current_dir("/"),
        );
        prepare(&database);
        let mut keeper = run_as(Path::new("bash"), owner);
        keeper.args(["-c", KEEPER]).arg(&programs).arg(&database);
        let usual = [
            "listen_addresses=",
            // Stories side by side, some of several nodes, and those that were killed a moment ago.
            "max_connections=500",
            "shared_buffers=32MB",
            "log_checkpoints=off",
            "recovery_init_sync_method=syncfs",
        ];
        for setting in usual.iter().chain(settings) {
            keeper.args(["-c", setting]);
        }
        let mut keeper = keeper
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("the server did not start: {error}"));
        let (tell, states) = channel();
        if let Some(log) = keeper.stderr.take() {
            std::thread::spawn(move || follow(log, &tell));
        }
        let cluster = Self {
            orders: Mutex::new(keeper.stdin.take()),
            states: Mutex::new(states),
            keeper,
            programs,
            folder,
            owner,
            databases: AtomicU32::new(0),
            port,
        };
        cluster.wait_until_it_says(SERVES);
        cluster
    }

    fn wait_until_it_says(&self, awaited: &str) {
        let states = self
            .states
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        loop {
            let said = states.recv().unwrap_or_else(|ended| Err(ended.to_string()));
            if said.unwrap_or_else(|last| panic!("the server ended: {last}")) == awaited {
                return;
            }
        }
    }

    /// The server dies in the middle of whatever it does, and recovers.
    ///
    /// # Panics
    /// When it does not start again.
    pub fn crash(&self) {
        self.away();
        self.again();
    }

    /// The server dies in the middle of whatever it does, and stays away. It is gone when this returns.
    ///
    /// # Panics
    /// When it cannot be told.
    pub fn away(&self) {
        self.order("away");
        self.wait_until_it_says(AWAY);
    }

    /// The server starts again, and recovers.
    ///
    /// # Panics
    /// When it does not.
    pub fn again(&self) {
        self.order("again");
        self.wait_until_it_says(SERVES);
    }

    fn order(&self, order: &str) {
        let mut orders = self
            .orders
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let told = orders.as_mut().map(|orders| writeln!(orders, "{order}"));
        assert!(matches!(told, Some(Ok(()))), "the server is gone");
    }

    /// The address of a database.
    pub fn url(&self, database: &str) -> String {
        let socket = self.folder();
        let place = if self.port == USUAL_PORT {
            String::new()
        } else {
            format!("&port={}", self.port)
        };
        format!(
            "postgres:///{database}?user=latchkey{place}&host={}",
            socket.display()
        )
    }

    /// Makes an empty database and gives its address.
    ///
    /// # Panics
    /// When the server refuses.
    pub fn database(&self) -> String {
        self.url(&self.new_database())
    }

    /// Makes an empty database and gives its name.
    ///
    /// # Panics
    /// When the server refuses.
    pub(crate) fn new_database(&self) -> String {
        let name = self.new_name();
        self.run("postgres", &format!("create database {name}"));
        name
    }

    /// Makes a database as that of this name is, and one as that of its keys, which have no sessions; gives the address.
    ///
    /// # Panics
    /// When the server refuses.
    pub(crate) fn copy_of(&self, template: &str) -> String {
        let name = self.new_name();
        for part in ["", "_keys"] {
            let copy = format!("create database {name}{part} template {template}{part}");
            self.run("postgres", &copy);
        }
        self.url(&name)
    }

    fn new_name(&self) -> String {
        format!("database_{}", self.databases.fetch_add(1, Relaxed))
    }

    /// Runs statements in a database and gives what they print, one row a line.
    ///
    /// # Panics
    /// When one of them fails.
    pub fn run(&self, database: &str, statements: &str) -> String {
        self.psql(database, statements, &[])
    }

    /// Runs statements in a database and gives the rows of the last one, `None` for a cell that is null.
    ///
    /// # Panics
    /// When one of them fails.
    pub fn rows(&self, database: &str, statements: &str) -> Vec<Vec<Option<String>>> {
        let printed = self.psql(database, statements, &CELLS);
        let Some(rows) = printed.strip_suffix('\n') else {
            return Vec::new();
        };
        let cell = |cell: &str| (cell != NULL).then(|| cell.to_owned());
        rows.split(AFTER_ROW)
            .map(|row| row.split(AFTER_CELL).map(cell).collect())
            .collect()
    }

    fn psql(&self, database: &str, statements: &str, format: &[&str]) -> String {
        let output = run_as(&self.programs.join("psql"), self.owner)
            .args([
                "--no-psqlrc",
                "--quiet",
                "--tuples-only",
                "--no-align",
                "--set=ON_ERROR_STOP=1",
            ])
            .args(format)
            .args(["--command", statements, &self.url(database)])
            .current_dir("/")
            .output()
            .unwrap_or_else(|error| panic!("psql did not start: {error}"));
        assert!(
            output.status.success(),
            "{statements}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Without orders the keeper stops the server and goes.
        self.orders
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .take();
        let _gone = self.keeper.wait();
    }
}

/// Reads the server's log to its end, because a log that nobody reads stops the server, and tells of every start.
fn follow(log: ChildStderr, tell: &Sender<Result<&'static str, String>>) {
    let mut last = String::new();
    for line in BufReader::new(log).lines().map_while(Result::ok) {
        // A test that has what it wants no longer listens.
        if let Some(state) = [SERVES, AWAY].into_iter().find(|state| line.contains(state)) {
            let _told = tell.send(Ok(state));
        }
        last = line;
    }
    let _told = tell.send(Err(last));
}

/// What `initdb` makes, once for all clusters of this process: it takes longer than the start of a server.
fn new_cluster(programs: &Path) -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = once::folder();
        let owner = owner(&folder);
        let database = folder.join("db");
        succeeds(
            run_as(&programs.join("initdb"), owner)
                .args([
                    "--username=latchkey",
                    "--auth=trust",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--no-sync",
                    "--no-instructions",
                ])
                .arg(&database)
                .current_dir("/"),
        );
        database
    })
}

fn succeeds(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} did not start: {error}"));
    assert!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The folder of the newest PostgreSQL's programs.
fn programs() -> PathBuf {
    let on_path = std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect::<Vec<_>>())
        .unwrap_or_default();
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.sort();
    versions
        .into_iter()
        .rev()
        .chain(on_path)
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
        .unwrap_or_else(|| panic!("PostgreSQL is missing: run `make setup`, or apt-get install postgresql"))
}

#[cfg(unix)]
fn run_as(program: &Path, owner: Option<Owner>) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(program);
    if let Some(owner) = owner {
        command.uid(owner.user).gid(owner.group);
    }
    command
}

/// As root: somebody else, who then owns the folder.
#[cfg(unix)]
fn owner(folder: &Path) -> Option<Owner> {
    let id = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<u32>().ok()
    };
    if id(&["-u"]) != Some(0) {
        return None;
    }
    let named = |name| {
        Some(Owner {
            user: id(&["-u", name])?,
            group: id(&["-g", name])?,
        })
    };
    let owner = named("postgres").or_else(|| named("nobody"))?;
    std::os::unix::fs::chown(folder, Some(owner.user), Some(owner.group))
        .unwrap_or_else(|error| panic!("{} cannot be given away: {error}", folder.display()));
    Some(owner)
}
