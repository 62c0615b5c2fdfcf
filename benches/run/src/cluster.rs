//! A PostgreSQL server on one medium, as durable as its makers ship it, gone with the bench however that ends.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

/// Stops the server once its input ends, because then the bench is gone.
const KEEPER: &str = r#"
"$0/postgres" -D "$1" -k "$1" "${@:2}" & server=$!
read -r _
kill -INT $server 2>/dev/null; wait $server
"#;
/// What the server logs once it serves.
const SERVES: &str = "database system is ready to accept connections";
/// Nothing here may make it forget; the sizes are those that its documentation recommends for such a machine.
const SETTINGS: [&str; 9] = [
    "fsync=on",
    "synchronous_commit=on",
    "full_page_writes=on",
    "listen_addresses=",
    "max_connections=400",
    "shared_buffers=512MB",
    "max_wal_size=4GB",
    "max_pred_locks_per_transaction=256",
    "log_checkpoints=off",
];

/// A running server.
pub struct Cluster {
    keeper: Child,
    /// Its end is the keeper's order to stop.
    order: Option<ChildStdin>,
    pub programs: PathBuf,
    folder: PathBuf,
    owner: Option<Owner>,
}

/// Whom the server runs as, because it refuses to run as root.
#[derive(Clone, Copy)]
struct Owner {
    user: u32,
    group: u32,
}

impl Cluster {
    /// Makes a server in a folder and starts it.
    pub fn start(folder: &Path) -> Result<Self, String> {
        let programs = programs()?;
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let owner = owner(folder)?;
        let database = folder.join("db");
        let mut initdb = as_owner(&programs.join("initdb"), owner);
        initdb.args([
            "--username=bench",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
        ]);
        succeeded(initdb.args(["--no-instructions", "--pgdata"]).arg(&database))?;
        let mut keeper = as_owner(Path::new("bash"), owner);
        keeper.args(["-c", KEEPER]).arg(&programs).arg(&database);
        for setting in SETTINGS {
            keeper.args(["-c", setting]);
        }
        let mut keeper = keeper
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let order = keeper.stdin.take();
        let log = keeper.stderr.take();
        let mut lines = BufReader::new(log.ok_or("the server has no log")?).lines();
        let mut last = String::new();
        let started = lines.by_ref().map_while(Result::ok).any(|line| {
            last.clone_from(&line);
            line.contains(SERVES)
        });
        // A log that nobody reads stops the server.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let cluster = Self {
            keeper,
            order,
            programs,
            folder: database,
            owner,
        };
        if started { Ok(cluster) } else { Err(last) }
    }

    /// The address of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?user=bench&host={}", self.folder.display())
    }

    /// The folder of the server's socket.
    pub fn socket(&self) -> &Path {
        &self.folder
    }

    /// Runs statements in a database.
    pub fn run(&self, database: &str, statements: &[&str]) -> Result<String, String> {
        let mut psql = as_owner(&self.programs.join("psql"), self.owner);
        psql.args([
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--set=ON_ERROR_STOP=1",
        ]);
        for statement in statements {
            psql.args(["--command", statement]);
        }
        succeeded(psql.arg(self.url(database)).current_dir("/"))
    }

    /// A program of the server's own, such as pgbench.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command
            .args(["--host"])
            .arg(&self.folder)
            .args(["--username", "bench"]);
        command
    }

    /// The number behind some words in what pgbench printed.
    pub fn counted(output: &str, words: &str) -> Option<f64> {
        let rest = output.lines().find_map(|line| line.strip_prefix(words))?;
        rest.split_whitespace().next()?.parse().ok()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.order.take());
        drop(self.keeper.wait());
    }
}

/// What a command printed, if it succeeded.
pub fn succeeded(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = said.trim().lines().last().unwrap_or_default();
    Err(format!("{name}: {last}"))
}

/// The folder of the newest PostgreSQL's programs.
fn programs() -> Result<PathBuf, String> {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.sort();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    versions
        .into_iter()
        .rev()
        .chain(std::env::split_paths(&on_path))
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
        .ok_or_else(|| "PostgreSQL is missing: run `make setup`".to_owned())
}

fn as_owner(program: &Path, owner: Option<Owner>) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(program);
    if let Some(owner) = owner {
        command.uid(owner.user).gid(owner.group);
    }
    command
}

/// As root: somebody else, who then owns the folder.
fn owner(folder: &Path) -> Result<Option<Owner>, String> {
    let id = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<u32>().ok()
    };
    if id(&["-u"]) != Some(0) {
        return Ok(None);
    }
    let named = |name| {
        Some(Owner {
            user: id(&["-u", name])?,
            group: id(&["-g", name])?,
        })
    };
    let owner = named("postgres")
        .or_else(|| named("nobody"))
        .ok_or("nobody may run the server")?;
    std::os::unix::fs::chown(folder, Some(owner.user), Some(owner.group))
        .map_err(|error| error.to_string())?;
    Ok(Some(owner))
}
