//! Opens what the settings `database` and `keys_database` name: files in the data folder, or PostgreSQL databases that
//! several nodes share. Alone names the engines of the log.

use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use chrono::TimeDelta;
use domain::moment::Moment;
use eventlog::{EventLog, LogError};
use platform::clock;
use platform::config::Settings;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};
use tables::Place;
use url::Url;

pub mod cut_back;
pub mod files;
#[cfg(feature = "kurrentdb")]
mod kurrentdb;
#[cfg(not(feature = "kurrentdb"))]
#[path = "without_kurrentdb.rs"]
mod kurrentdb;
pub mod shapes;
pub mod written_ahead;

/// The log in SQLite, whose files commands look at, copy and cut back.
pub use eventlog_sqlite as sqlite;

/// How long a server may take to answer a start.
const PATIENCE: Duration = Duration::from_secs(10);
/// PostgreSQL 12, as it tells its version.
const OLDEST: i64 = 120_000;
/// Settings of a server without which an answer could be lost with the power.
const PROMISES: &str = "select string_agg(name, '`, `' order by name) from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'";
/// Names as they stand in a statement.
const OWN_TABLES: &str = "select format('%I.%I', schemaname, tablename) from pg_tables
     where schemaname like 'latchkey\\_%' order by 1";
/// SQLSTATE of a table that is not there.
const GONE: &str = "42P01";
/// Locks of nodes that start together; the numbers only have to be the same everywhere.
const MAKES_KEYS: i64 = 5_113_300_221;
const FIRST_START: i64 = 5_113_300_222;

/// Makes the data folder where there is none: its owner's alone, for most of what lies in it is personal. One that is there
/// stays as somebody made it.
///
/// # Errors
/// One sentence for the operator.
pub fn make_folder(data_dir: &Path) -> Result<(), String> {
    let making = || -> std::io::Result<()> {
        if data_dir.is_dir() {
            return Ok(());
        }
        if let Some(parent) = data_dir.parent() {
            std::fs::create_dir_all(parent)?;
        }
        match platform::disk::make_private(data_dir) {
            // Another process made it meanwhile.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && data_dir.is_dir() => Ok(()),
            made => made,
        }
    };
    making().map_err(|error| {
        format!(
            "the folder `{}` of the setting `data_dir` cannot be made: {error}",
            data_dir.display()
        )
    })
}

/// Opens the log; what of a PostgreSQL server cannot be used is named with its setting.
///
/// # Errors
/// One sentence for the operator.
pub async fn open_log(settings: &Settings) -> Result<EventLog, String> {
    files::are_whole(settings)?;
    if let Place::Folder(folder) = settings.place() {
        make_folder(&folder)?;
    }
    let opened = match settings.place() {
        place if settings.event_log.is_some() => return kurrentdb::open(settings, &place).await,
        Place::Folder(folder) => eventlog_sqlite::open(&folder).await,
        Place::Postgres(url) => {
            let own = options(&url, "database")?;
            let mut log = check(&own, "database").await?;
            let keys_url = keys_url(settings, &url, &own).await?;
            let mut keys = check(&options(&keys_url, "keys_database")?, "keys_database").await?;
            refuse_without_keys(&mut log, &mut keys).await?;
            eventlog_postgres::open(&url, &keys_url).await
        }
    };
    opened.map_err(|error| cannot_be_opened(&error))
}

fn cannot_be_opened(error: &LogError) -> String {
    format!("the event log cannot be opened: {error}")
}

/// A setting as a file and as the environment name it.
fn named(setting: &str) -> String {
    format!("the setting `{setting}` (`LATCHKEY_{}`)", setting.to_uppercase())
}

/// Whether the KurrentDB server of a set-up that has no folder yet can be used: asked with keys that nothing is sealed under,
/// since those that count are made by the first start.
///
/// # Errors
/// One sentence for the operator.
pub async fn kurrentdb_answers(settings: &Settings) -> Result<(), String> {
    let passing = std::env::temp_dir().join(format!("latchkey-{}", clock::new_id()));
    let asked = kurrentdb::open(settings, &Place::Folder(passing.clone())).await;
    if let Err(error) = std::fs::remove_dir_all(&passing) {
        tracing::warn!(%error, folder = %passing.display(), "what was made for a question could not be removed");
    }
    asked.map(drop)
}

/// Refuses what needs the log's chain where there is none.
///
/// # Errors
/// One sentence for the operator.
pub fn needs_chain(settings: &Settings, what: &str) -> Result<(), String> {
    match settings.event_log {
        Some(_) => kurrentdb::needs_chain(what),
        None => Ok(()),
    }
}

/// Whether there is a log to look at; nothing is made.
///
/// # Errors
/// One sentence for the operator.
pub async fn has_log(settings: &Settings) -> Result<bool, String> {
    match settings.place() {
        Place::Folder(folder) if settings.event_log.is_some() => Ok(folder.join("keys.db").is_file()),
        Place::Postgres(_) if settings.event_log.is_some() => Ok(true),
        Place::Folder(folder) => Ok(folder.join("log.db").is_file()),
        Place::Postgres(url) => {
            let mut connection = check(&options(&url, "database")?, "database").await?;
            sqlx::query_scalar("select to_regclass('event') is not null")
                .fetch_one(&mut connection)
                .await
                .map_err(|error| unusable("database", &error))
        }
    }
}

/// Refuses to look at a log that is not there: making one would say that all is well.
///
/// # Errors
/// One sentence for the operator.
pub async fn needs_log(settings: &Settings) -> Result<(), String> {
    match (has_log(settings).await?, settings.place()) {
        (true, _) => Ok(()),
        (false, Place::Folder(folder)) => Err(format!(
            "there is no log in `{}`: name the server's folder (`--data-dir`, `LATCHKEY_DATA_DIR`); the first `latchkey serve` \
             makes one",
            folder.display()
        )),
        (false, Place::Postgres(_)) => Err(
            "there is no log in the database of the setting `database`: name the servers' own; the first `latchkey serve` \
             makes one"
                .to_owned(),
        ),
    }
}

/// Held by the one node that does what is done once for all; the others wait. Over when it is dropped, or with its node.
pub struct Alone {
    _connection: Option<PgConnection>,
}

/// Waits for the others that fill an empty log.
///
/// # Errors
/// One sentence for the operator.
pub async fn alone_at_first_start(place: &Place) -> Result<Alone, String> {
    let Place::Postgres(url) = place else {
        return Ok(Alone { _connection: None });
    };
    let mut connection = connect(&options(url, "database")?, "database").await?;
    lock(&mut connection, FIRST_START).await?;
    Ok(Alone {
        _connection: Some(connection),
    })
}

fn options(url: &str, setting: &str) -> Result<PgConnectOptions, String> {
    // What is wrong with it may be a password: it is not repeated.
    let options = PgConnectOptions::from_str(url)
        .map_err(|_unreadable| format!("{} cannot be read: {HOW_TO_WRITE}", named(setting)))?;
    if options.get_database().is_none_or(str::is_empty) {
        return Err(format!("{} names no database: {HOW_TO_WRITE}", named(setting)));
    }
    eventlog_postgres::check_address(url)
        .map_err(|error| format!("{} cannot be used: {error}", named(setting)))?;
    Ok(options)
}

const HOW_TO_WRITE: &str = "write `postgres://user:password@host/name`";

async fn connect(options: &PgConnectOptions, setting: &str) -> Result<PgConnection, String> {
    match tokio::time::timeout(PATIENCE, options.connect()).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(error)) => Err(unusable(setting, &error)),
        Err(_late) => Err(format!(
            "the server of {} did not answer within {} s",
            named(setting),
            PATIENCE.as_secs()
        )),
    }
}

fn unusable(setting: &str, error: &sqlx::Error) -> String {
    let said = match error {
        // The detail is left out: it may quote what is stored.
        sqlx::Error::Database(told) => told.message().to_owned(),
        other => other.to_string(),
    };
    format!("the database of {} cannot be used: {said}", named(setting))
}

/// Connects, and refuses a server that is too old, lets us make nothing, or may forget.
async fn check(options: &PgConnectOptions, setting: &str) -> Result<PgConnection, String> {
    let mut connection = connect(options, setting).await?;
    let told = |error| unusable(setting, &error);
    let (version, may_create): (i64, bool) = sqlx::query_as(
        "select current_setting('server_version_num')::bigint, has_database_privilege(current_database(), 'create')",
    )
    .fetch_one(&mut connection)
    .await
    .map_err(told)?;
    if version < OLDEST {
        return Err(format!(
            "the server of {} is PostgreSQL {}: {} or newer is needed",
            named(setting),
            version / 10_000,
            OLDEST / 10_000
        ));
    }
    let forgets: Option<String> = sqlx::query_scalar(PROMISES)
        .fetch_one(&mut connection)
        .await
        .map_err(told)?;
    if let Some(forgets) = forgets {
        return Err(format!(
            "the server of {} runs with `{forgets}` off, so what was answered could be lost: switch it on for the server, \
             this database and this role, then start again",
            named(setting)
        ));
    }
    if !may_create {
        let user = options.get_username();
        return Err(format!(
            "`{user}` may make no tables in the database of {}: `grant create on database … to {user}`, or make it the \
             database's owner",
            named(setting)
        ));
    }
    Ok(connection)
}

/// Where the keys of personal data lie: the setting's database, or one beside the log's, made when it is missing.
async fn keys_url(settings: &Settings, url: &str, own: &PgConnectOptions) -> Result<String, String> {
    if let Some(keys) = &settings.keys_database {
        return Ok(keys.clone());
    }
    let name = format!("{}_keys", own.get_database().unwrap_or_default());
    let mut beside = Url::parse(url)
        .map_err(|_unreadable| format!("{} cannot be read: {HOW_TO_WRITE}", named("database")))?;
    beside.set_path(&name);
    let mut connection = connect(own, "database").await?;
    lock(&mut connection, MAKES_KEYS).await?;
    let told = |error| unusable("database", &error);
    let is_there: bool = sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
        .bind(&name)
        .fetch_one(&mut connection)
        .await
        .map_err(told)?;
    if !is_there {
        refuse_beside_a_log(&mut connection, &name).await?;
        let make = format!("create database \"{}\"", name.replace('"', "\"\""));
        sqlx::raw_sql(AssertSqlSafe(make))
            .execute(&mut connection)
            .await
            .map_err(|error| {
                format!(
                    "{}; the keys of personal data lie in a database of their own: make `{name}`, or name another with \
                     the setting `keys_database`",
                    unusable("database", &error)
                )
            })?;
        tracing::info!(database = name, "made a database for the keys of personal data");
    }
    connection.close().await.map_err(told)?;
    Ok(beside.into())
}

/// Where a log is, its keys were: an empty database in their place would hide that they are lost.
async fn refuse_beside_a_log(connection: &mut PgConnection, name: &str) -> Result<(), String> {
    let has_log: bool = sqlx::query_scalar("select to_regclass('event') is not null")
        .fetch_one(connection)
        .await
        .map_err(|error| unusable("database", &error))?;
    if has_log {
        return Err(format!(
            "the database `{name}` with the keys of personal data is not there, though the log in that of {} is: put it back \
             from its backup, or name the one that has them with {}",
            named("database"),
            named("keys_database")
        ));
    }
    Ok(())
}

/// The tables of keys are made before the first event: where there are events and no such table, this is another database, and
/// tables made in it would look like keys that were lost.
async fn refuse_without_keys(log: &mut PgConnection, keys: &mut PgConnection) -> Result<(), String> {
    let is_made: bool = sqlx::query_scalar("select to_regclass('event') is not null")
        .fetch_one(&mut *log)
        .await
        .map_err(|error| unusable("database", &error))?;
    if !is_made {
        return Ok(());
    }
    let has_events: bool = sqlx::query_scalar("select exists (select from event)")
        .fetch_one(log)
        .await
        .map_err(|error| unusable("database", &error))?;
    let has_keys: bool = sqlx::query_scalar("select to_regclass('subject_key') is not null")
        .fetch_one(keys)
        .await
        .map_err(|error| unusable("keys_database", &error))?;
    if has_events && !has_keys {
        return Err(format!(
            "the database of {} holds no keys of personal data, though the log in that of {} has events: fill it from the backup \
             of the one that had them, or name that one; nothing was changed",
            named("keys_database"),
            named("database")
        ));
    }
    Ok(())
}

/// Takes the old versions of changed and deleted rows out of every table but the log's own, and makes the planner's notes
/// of their values anew: what was personal in them is overwritten as room is needed.
///
/// # Errors
/// One sentence for the operator.
pub async fn vacuum(url: &str) -> Result<(), String> {
    let mut connection = connect(&options(url, "database")?, "database").await?;
    let told = |error| unusable("database", &error);
    let tables: Vec<String> = sqlx::query_scalar(OWN_TABLES)
        .fetch_all(&mut connection)
        .await
        .map_err(told)?;
    for table in tables {
        match sqlx::raw_sql(AssertSqlSafe(format!("vacuum (analyze) {table}")))
            .execute(&mut connection)
            .await
        {
            Ok(_) => {}
            // A rebuild ended meanwhile and took it away, with all that was in it.
            Err(sqlx::Error::Database(said)) if said.code().as_deref() == Some(GONE) => {}
            Err(error) => return Err(told(error)),
        }
    }
    connection.close().await.map_err(told)
}

/// How far this machine's clock is ahead of the database server's; what may have passed on the way does not count.
///
/// # Errors
/// One sentence for the operator.
pub async fn clock_ahead(url: &str) -> Result<TimeDelta, String> {
    let mut connection = connect(&options(url, "database")?, "database").await?;
    let before = clock::wall();
    let theirs: i64 = sqlx::query_scalar("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")
        .fetch_one(&mut connection)
        .await
        .map_err(|error| unusable("database", &error))?;
    let after = clock::wall();
    let theirs = Moment::from_timestamp_micros(theirs).unwrap_or_default();
    Ok(if theirs < before {
        before - theirs
    } else {
        (after - theirs).min(TimeDelta::zero())
    })
}

async fn lock(connection: &mut PgConnection, number: i64) -> Result<(), String> {
    sqlx::query("select pg_advisory_lock($1)")
        .bind(number)
        .execute(connection)
        .await
        .map(drop)
        .map_err(|error| unusable("database", &error))
}
