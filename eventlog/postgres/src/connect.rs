//! Connections: the threads that carry them, what every session is told, and what a server must promise before
//! anything is written to it.

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::{Handle, Runtime};
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::error::Severity;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Row, Statement};

use super::row::signed;
use super::tls::Address;
use eventlog::LogError;

/// How long anything asked of the server may take, waiting for a lock included.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// How long making a connection may take.
const CONNECTING: Duration = Duration::from_secs(3);
/// How long a connection may be silent when the server owes an answer on the network.
const SILENCE: Duration = Duration::from_secs(5);
/// How often the other end of a connection that rests is then asked whether it is there, before it is taken for gone.
const PROBE: Duration = Duration::from_secs(1);
const PROBES: u32 = 3;
/// Turns in which a runtime that stood still takes in what the system has for it.
const TURNS: u32 = 3;
/// How long a session waits for a lock, unless its address says otherwise (`options=-c lock_timeout=…`). A node that stops in the
/// middle of a batch loses its connection, and with it the lock, sooner than those who wait for the lock give up.
const LOCKS: &str = "set lock_timeout = '5s'; ";
const IN_OPTIONS: &str = "lock_timeout";
/// What every session is told. Nothing that is asked here is worth compiling. Statements are planned once, for
/// any number of rows, and by what finds few rows in long tables: by their indexes.
const TOLD: &str = "set idle_in_transaction_session_timeout = '3s'; set jit = off; \
     set plan_cache_mode = force_generic_plan; set enable_seqscan = off; \
     set enable_hashjoin = off; set enable_mergejoin = off";
/// Settings without which an answer could be lost with the power.
const PROMISES: &str = "select name from pg_settings \
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name limit 1";
/// Classes of SQLSTATE that speak of the server and not of what was asked.
const UNAVAILABLE: [&str; 7] = ["08", "25", "40", "53", "55", "57", "58"];

/// What one of the driver's errors means to a log.
pub(super) fn meant(error: &tokio_postgres::Error) -> LogError {
    let Some(told) = error.as_db_error() else {
        let cause = error
            .source()
            .map_or_else(String::new, |cause| format!(": {cause}"));
        return LogError::Unavailable(format!("{error}{cause}"));
    };
    // The detail is left out: it may quote what is stored.
    let said = format!("{} ({})", told.message(), told.code().code());
    let fatal = !matches!(told.parsed_severity(), Some(Severity::Error));
    if fatal
        || UNAVAILABLE
            .iter()
            .any(|class| told.code().code().starts_with(class))
    {
        LogError::Unavailable(said)
    } else {
        LogError::Storage(said)
    }
}

/// The thread that carries all connections of one log; it ends with the last of these.
#[derive(Clone)]
pub(crate) struct Home(Arc<Carrier>);

struct Carrier {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl Drop for Carrier {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Home {
    pub(crate) fn start() -> Result<Self, LogError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("log-postgres")
            .enable_all()
            .build()
            .map_err(|error| LogError::Unavailable(error.to_string()))?;
        Ok(Self(Arc::new(Carrier {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })))
    }

    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.0.handle.spawn(work);
    }

    /// Waits on any thread, one that must not block included; for the few things that are asked so.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, LogError>> + Send + 'static,
    ) -> Result<T, LogError> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        self.spawn(async move {
            // Whoever asked is still there, or needs no answer.
            drop(sender.send(limited(work).await));
        });
        receiver.recv().unwrap_or(Err(LogError::Closed))
    }

    /// Does something on the thread that carries the connections, without blocking the asker's.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, LogError>> + Send + 'static,
    ) -> Result<T, LogError> {
        let work = self.0.handle.spawn(limited(work));
        work.await
            .unwrap_or_else(|error| Err(LogError::Unavailable(error.to_string())))
    }
}

/// Carries one thread's own connection on that thread, while the thread waits for it: for the writer, whose clients pay for
/// every hand-over to another thread and back.
pub(super) struct Alone(Option<Runtime>);

impl Drop for Alone {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Alone {
    pub(super) fn start() -> Result<Self, LogError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| LogError::Unavailable(error.to_string()))?;
        Ok(Self(Some(runtime)))
    }

    pub(super) fn block_on<T>(&self, work: impl Future<Output = Result<T, LogError>>) -> Result<T, LogError> {
        let runtime = self.0.as_ref().ok_or(LogError::Closed)?;
        runtime.block_on(limited(work))
    }

    /// Hears what happened to the connection while nobody asked.
    pub(super) fn catch_up(&self) -> Result<(), LogError> {
        self.block_on(async {
            // One turn takes the news from the system, the next gives them to the connection.
            for _ in 0..TURNS {
                tokio::task::yield_now().await;
            }
            Ok(())
        })
    }
}

/// Ends what takes longer than anything may take.
pub(super) async fn limited<T>(work: impl Future<Output = Result<T, LogError>>) -> Result<T, LogError> {
    tokio::time::timeout(PATIENCE, work).await.unwrap_or_else(|_| {
        Err(LogError::Unavailable(format!(
            "the database did not answer within {} s",
            PATIENCE.as_secs()
        )))
    })
}

/// Reads an address, and says how a connection to it is kept.
pub(super) fn prepared(url: &str) -> Result<Config, LogError> {
    let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
        let cause = error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string);
        LogError::Refused(format!(
            "the database's address cannot be read ({cause}): write `postgres://user:password@host/name`"
        ))
    })?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECTING);
    }
    config
        .application_name("latchkey")
        .tcp_user_timeout(SILENCE)
        .keepalives_idle(SILENCE)
        .keepalives_interval(PROBE)
        .keepalives_retries(PROBES)
        .target_session_attrs(TargetSessionAttrs::ReadWrite);
    Ok(config)
}

/// A connection with its prepared statements.
pub(super) struct Session {
    pub(super) client: Client,
    prepared: Mutex<HashMap<&'static str, Statement>>,
}

impl Session {
    /// Connects on the thread it is called on, which must be a [`Home`]'s or wait on an [`Alone`], and refuses a server that may forget.
    pub(super) async fn open(address: &Address) -> Result<Self, LogError> {
        let (client, connection) = address.connect().await.map_err(|error| meant(&error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection of the log ended");
            }
        });
        let options = address.config().get_options();
        if options.is_some_and(|options| options.contains(IN_OPTIONS)) {
            client.batch_execute(TOLD).await.map_err(|error| meant(&error))?;
        } else {
            client
                .batch_execute(&[LOCKS, TOLD].concat())
                .await
                .map_err(|error| meant(&error))?;
        }
        if let Some(setting) = client
            .query_opt(PROMISES, &[])
            .await
            .map_err(|error| meant(&error))?
        {
            let setting: &str = setting.get(0);
            return Err(LogError::Refused(format!(
                "the database server runs with `{setting} = off`, so what was answered could be lost: set it to `on` \
                 for the server, this database and this role, then start again"
            )));
        }
        Ok(Self {
            client,
            prepared: Mutex::default(),
        })
    }

    pub(super) async fn prepared(&self, text: &'static str) -> Result<Statement, LogError> {
        if let Some(statement) = self.prepared.lock().get(text) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(text).await.map_err(|error| meant(&error))?;
        self.prepared.lock().insert(text, statement.clone());
        Ok(statement)
    }

    pub(super) async fn query(
        &self,
        text: &'static str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, LogError> {
        let statement = self.prepared(text).await?;
        self.client
            .query(&statement, params)
            .await
            .map_err(|error| meant(&error))
    }
}

/// Which of the two sets of tables a database holds.
pub(super) struct Part {
    pub(super) name: &'static str,
    /// What each layout adds to the one before it; the first makes the tables.
    pub(super) layouts: &'static [&'static str],
    /// A table of the other part, which must not lie in the same place.
    pub(super) apart_from: &'static str,
}

impl Part {
    /// The layout this program writes.
    fn layout(&self) -> i64 {
        signed(self.layouts.len() as u64)
    }
}

/// Makes the tables of a new database, adds to an older one what it lacks, and refuses those of a later program.
pub(super) async fn establish(session: &Session, part: &Part) -> Result<(), LogError> {
    let client = &session.client;
    client
        .batch_execute("begin")
        .await
        .map_err(|error| meant(&error))?;
    // Nodes that start at once make the tables one after the other.
    client
        .batch_execute("select pg_advisory_xact_lock(1282696040)")
        .await
        .map_err(|error| meant(&error))?;
    let other = client
        .query_one("select to_regclass($1) is not null", &[&part.apart_from])
        .await
        .map_err(|error| meant(&error))?;
    if other.get(0) {
        return Err(LogError::Refused(
            "the log and the keys of personal data were given one place: name two databases, or two schemas"
                .to_owned(),
        ));
    }
    client
        .batch_execute("create table if not exists latchkey (part text primary key, layout bigint not null)")
        .await
        .map_err(|error| meant(&error))?;
    let known = client
        .query_opt("select layout from latchkey where part = $1", &[&part.name])
        .await
        .map_err(|error| meant(&error))?;
    let found = known.map_or(0, |row| row.get::<_, i64>(0));
    if found > part.layout() {
        return Err(LogError::Refused(format!(
            "the {} was written by a later version (layout {found}; this program knows {})",
            part.name,
            part.layout()
        )));
    }
    for added in part
        .layouts
        .iter()
        .skip(usize::try_from(found).unwrap_or_default())
    {
        client.batch_execute(added).await.map_err(|error| meant(&error))?;
    }
    client
        .execute(
            "insert into latchkey values ($1, $2) on conflict (part) do update set layout = excluded.layout",
            &[&part.name, &part.layout()],
        )
        .await
        .map_err(|error| meant(&error))?;
    client
        .batch_execute("commit")
        .await
        .map_err(|error| meant(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A connection whose other end is gone is given up within ten seconds.
    #[test]
    fn dead_connection_is_given_up_within_ten_seconds() {
        let config = prepared("postgres://ada@db.example.org/log").expect("an address");
        let silent = config.get_keepalives_idle()
            + config.get_keepalives_interval().expect("an interval")
                * config.get_keepalives_retries().expect("a number of tries");
        assert!(silent <= Duration::from_secs(10), "{silent:?}");
        assert!(
            config
                .get_tcp_user_timeout()
                .is_some_and(|limit| *limit < PATIENCE)
        );
    }
}
