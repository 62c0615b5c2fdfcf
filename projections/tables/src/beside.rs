//! A second set of tables beside the ones that serve, and a third that served before: files next to the database's file,
//! or schemas next to its schema. One connection reaches all three, so one transaction moves rows between them.

use std::fs::File;
use std::path::{Path, PathBuf};

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _};

use super::{Database, Place, Purpose, opened, options, session};

/// Keeps other processes from building at the same time; goes with the connection.
const ONE_BUILDS: &str = "select pg_try_advisory_lock(5113300211)";
/// The same for the length of a transaction.
const NOBODY_BUILDS: &str = "select pg_try_advisory_xact_lock(5113300211)";
const OTHERS_MAY: &str = "select pg_advisory_unlock_all()::text";

/// Statements about a table in two areas: where its rows are, and where they go.
pub type InPlace = fn(&str, (&str, &str)) -> [String; 2];

/// A connection whose bare names mean the tables that are being built; what is not among them is read where it serves.
pub struct Beside {
    pub connection: AnyConnection,
    /// What tables are called: being built, serving, kept.
    pub next: String,
    pub serving: String,
    pub kept: String,
    pub begin: &'static str,
    /// How a transaction begins that looks at all that serves as it was at one moment, and writes only what is being built.
    pub look: &'static str,
    /// What puts the rows of a table in place of those of another, given the table and the two areas: from, into.
    pub in_place: InPlace,
    folder: Option<PathBuf>,
    /// Makes the indexes that are not there before all rows are.
    later: Vec<String>,
    _alone: Option<File>,
}

impl Beside {
    /// Opens the three, the first of them empty. `None` while another process builds.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn open(database: &Database, purpose: &Purpose) -> Result<Option<Self>, sqlx::Error> {
        match &database.place {
            Place::Folder(folder) => Self::in_folder(folder, database, purpose).await,
            Place::Postgres(_) => Self::in_schemas(database, purpose).await,
        }
    }

    async fn in_folder(
        folder: &Path,
        database: &Database,
        purpose: &Purpose,
    ) -> Result<Option<Self>, sqlx::Error> {
        let Some(alone) = alone(folder).map_err(sqlx::Error::Io)? else {
            return Ok(None);
        };
        remove(folder, NEXT_FILE).map_err(sqlx::Error::Io)?;
        let mut connection = options(&database.place, NEXT_FILE)?.connect().await?;
        connection
            .execute(AssertSqlSafe(session(&database.place, purpose)))
            .await?;
        connection.execute(FOR_OURSELVES).await?;
        for (file, name) in [(purpose.name, "serving"), (KEPT_FILE, "kept")] {
            let path = folder.join(format!("{file}.db"));
            sqlx::query(AssertSqlSafe(format!("attach database $1 as {name}")))
                .bind(path.to_string_lossy().into_owned())
                .execute(&mut connection)
                .await?;
        }
        connection.execute("pragma kept.journal_mode = wal").await?;
        Ok(Some(Self {
            connection,
            next: "main".to_owned(),
            serving: "serving".to_owned(),
            kept: "kept".to_owned(),
            begin: database.begin_statement(),
            look: database.look_statement(),
            in_place: all_rows,
            folder: Some(folder.to_owned()),
            later: Vec::new(),
            _alone: Some(alone),
        }))
    }

    async fn in_schemas(database: &Database, purpose: &Purpose) -> Result<Option<Self>, sqlx::Error> {
        let serving = format!("latchkey_{}", purpose.name);
        let (next, kept) = (format!("{serving}_next"), format!("{serving}_kept"));
        let mut connection = options(&database.place, purpose.name)?.connect().await?;
        connection
            .execute(AssertSqlSafe(session(&database.place, purpose)))
            .await?;
        let alone: bool = sqlx::query_scalar(ONE_BUILDS).fetch_one(&mut connection).await?;
        if !alone {
            return Ok(None);
        }
        connection
            .execute(AssertSqlSafe(format!(
                "drop schema if exists {next} cascade; create schema {next}; create schema if not exists {kept};
                 set search_path to {next}, {serving}"
            )))
            .await?;
        Ok(Some(Self {
            connection,
            next,
            serving,
            kept,
            begin: database.begin_statement(),
            look: database.look_statement(),
            in_place: changed_rows,
            folder: None,
            later: Vec::new(),
            _alone: None,
        }))
    }

    /// Throws away what served before: somebody it may speak of is forgotten.
    ///
    /// # Errors
    /// When the database cannot be reached, or a file cannot be removed.
    pub async fn forget_kept(database: &Database, purpose: &Purpose) -> Result<(), sqlx::Error> {
        Self::forget_begun(database, purpose).await?;
        if let Place::Folder(folder) = &database.place {
            return match alone(folder).map_err(sqlx::Error::Io)? {
                Some(_lock) => remove(folder, KEPT_FILE).map_err(sqlx::Error::Io),
                // Whoever builds has the file open: it cannot be taken away from under them.
                None => empty_kept(database, purpose).await,
            };
        }
        let drop = format!("drop schema if exists latchkey_{}_kept cascade", purpose.name);
        database
            .pool()
            .execute(AssertSqlSafe(drop))
            .await
            .map(std::mem::drop)
    }

    /// Throws away what was being built by a process that was killed over it. Who builds just now hears for itself of whoever
    /// is forgotten.
    ///
    /// # Errors
    /// As [`Beside::forget_kept`].
    pub async fn forget_begun(database: &Database, purpose: &Purpose) -> Result<(), sqlx::Error> {
        if let Place::Folder(folder) = &database.place {
            if !folder.join(format!("{NEXT_FILE}.db")).exists() {
                return Ok(());
            }
            return match alone(folder).map_err(sqlx::Error::Io)? {
                Some(_lock) => remove(folder, NEXT_FILE).map_err(sqlx::Error::Io),
                None => Ok(()),
            };
        }
        let mut transaction = database.pool().begin().await?;
        let alone: bool = sqlx::query_scalar(NOBODY_BUILDS)
            .fetch_one(&mut *transaction)
            .await?;
        if alone {
            let drop = format!("drop schema if exists latchkey_{}_next cascade", purpose.name);
            transaction.execute(AssertSqlSafe(drop)).await?;
        }
        transaction.commit().await
    }

    /// The rows of a table among what is kept, whatever they look like; none where nothing is kept. Whoever builds, or throws
    /// away what is kept, does not wait for this.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn look_at_kept(
        (database, readers): (&Database, &AnyPool),
        purpose: &Purpose,
        table: &str,
    ) -> Result<Vec<AnyRow>, sqlx::Error> {
        let Place::Folder(folder) = &database.place else {
            let area = format!("latchkey_{}_kept", purpose.name);
            let there = format!("select count(*) where to_regclass('{area}.{table}') is not null");
            return rows_if(&there, &format!("{area}.{table}"), &mut *readers.acquire().await?).await;
        };
        if !folder.join(format!("{KEPT_FILE}.db")).exists() {
            return Ok(Vec::new());
        }
        // One that could write would tidy up when it is closed, by name: perhaps beside a newer file than its own.
        let mut connection = opened(&database.place, KEPT_FILE, "ro")?.connect().await?;
        let there = format!("select count(*) from sqlite_master where name = '{table}'");
        let rows = rows_if(&there, table, &mut connection).await;
        connection.close().await?;
        rows
    }

    /// Whether schemas are beside each other, and not files.
    pub(super) fn is_shared(&self) -> bool {
        self.folder.is_none()
    }

    /// What makes room for what is kept, should somebody who was forgotten have taken it away; nothing in files.
    pub fn room_to_keep(&self) -> Option<String> {
        let is_schema = self.folder.is_none();
        is_schema.then(|| format!("create schema if not exists {}", self.kept))
    }

    /// Makes empty tables like those that serve; in files, without the indexes that are to be made [later](Beside::indexed).
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn make(&mut self, tables: &[&str], later: &[&str]) -> Result<(), sqlx::Error> {
        for table in tables {
            if self.folder.is_none() {
                let (next, serving) = (&self.next, &self.serving);
                let make = format!("create table {next}.{table} (like {serving}.{table} including all)");
                self.connection.execute(AssertSqlSafe(make)).await?;
                continue;
            }
            let made: Vec<(String, String)> = sqlx::query_as(
                "select name, sql from serving.sqlite_master where tbl_name = $1 and sql is not null order by type desc",
            )
            .bind((*table).to_owned())
            .fetch_all(&mut self.connection)
            .await?;
            for (name, make) in made {
                if later.contains(&name.as_str()) {
                    self.later.push(make);
                } else {
                    self.connection.execute(AssertSqlSafe(make)).await?;
                }
            }
        }
        Ok(())
    }

    /// From now on whole tables are compared and moved.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn built(&mut self) -> Result<(), sqlx::Error> {
        if self.folder.is_some() {
            self.connection.execute(FOR_COMPARING).await?;
        }
        Ok(())
    }

    /// Makes the indexes that are still missing: what was built is to serve.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn indexed(&mut self) -> Result<(), sqlx::Error> {
        for make in std::mem::take(&mut self.later) {
            self.connection.execute(AssertSqlSafe(make)).await?;
        }
        Ok(())
    }

    /// Throws away what was built beside.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn close(mut self) -> Result<(), sqlx::Error> {
        if self.folder.is_none() {
            let drop = format!("drop schema {} cascade; {OTHERS_MAY}", self.next);
            self.connection.execute(AssertSqlSafe(drop)).await?;
        }
        self.connection.close().await?;
        if let Some(folder) = &self.folder {
            remove(folder, NEXT_FILE).map_err(sqlx::Error::Io)?;
        }
        Ok(())
    }
}

/// What is built is thrown away wherever it is not finished, and nobody else opens it: it is written once, not to a log first,
/// and never waits for the disk. A statement can still be taken back.
const FOR_OURSELVES: &str = "pragma main.journal_mode = truncate; pragma main.synchronous = off;
    pragma main.secure_delete = off; pragma main.cache_size = -65536; pragma main.locking_mode = exclusive;
    pragma temp_store = memory;";
/// Whole tables are compared: what that needs lies on the disk.
const FOR_COMPARING: &str = "pragma temp_store = file;";
/// Held by the one process that builds.
const LOCK_FILE: &str = "rebuild.lock";
const NEXT_FILE: &str = "read-next";
const KEPT_FILE: &str = "read-kept";

/// The right to build in a folder, for as long as it is held; `None` while another has it.
fn alone(folder: &Path) -> std::io::Result<Option<File>> {
    let file = File::create(folder.join(LOCK_FILE))?;
    Ok(file.try_lock().is_ok().then_some(file))
}

fn all_rows(table: &str, (from, into): (&str, &str)) -> [String; 2] {
    [
        format!("delete from {into}.{table}"),
        format!("insert into {into}.{table} select * from {from}.{table}"),
    ]
}

/// PostgreSQL compares whole rows by their hash: that takes less time than to write rows and indexes that are there already, and
/// leaves no dead ones behind.
fn changed_rows(table: &str, (from, into): (&str, &str)) -> [String; 2] {
    [
        format!(
            "delete from {into}.{table} as stale where not exists (select from {from}.{table} as fresh where fresh = stale)"
        ),
        format!(
            "insert into {into}.{table} select * from {from}.{table} as fresh
             where not exists (select from {into}.{table} as stale where stale = fresh)"
        ),
    ]
}

/// All rows of a table, if it is there; the first question counts it.
async fn rows_if(
    there: &str,
    table: &str,
    connection: &mut AnyConnection,
) -> Result<Vec<AnyRow>, sqlx::Error> {
    let there: i64 = sqlx::query_scalar(AssertSqlSafe(there.to_owned()))
        .fetch_one(&mut *connection)
        .await?;
    if there == 0 {
        return Ok(Vec::new());
    }
    sqlx::query(AssertSqlSafe(format!("select * from {table}")))
        .fetch_all(connection)
        .await
}

/// Takes everything out of the file of what is kept.
async fn empty_kept(database: &Database, purpose: &Purpose) -> Result<(), sqlx::Error> {
    let mut connection = options(&database.place, KEPT_FILE)?.connect().await?;
    connection
        .execute(AssertSqlSafe(session(&database.place, purpose)))
        .await?;
    let tables: Vec<String> = sqlx::query_scalar("select name from sqlite_master where type = 'table'")
        .fetch_all(&mut connection)
        .await?;
    for table in tables {
        connection
            .execute(AssertSqlSafe(format!("drop table {table}")))
            .await?;
    }
    connection.execute("pragma wal_checkpoint(truncate)").await?;
    connection.close().await
}

/// Removes a database's files. Those that are not there are as they should be.
fn remove(folder: &Path, name: &str) -> std::io::Result<()> {
    for ending in ["", "-journal", "-wal", "-shm"] {
        match std::fs::remove_file(folder.join(format!("{name}.db{ending}"))) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
