//! Opens what lies in databases: the log, and apart from it the keys of personal data with the secret of look-ups.

use eventlog::engine::Engine;
use eventlog::grouped::Grouped;
use eventlog::plan::Head;
use eventlog::port::Keyring;
use eventlog::{EventLog, HandleHasher, LogError};
use uuid::Uuid;

use super::connect::{Home, Session, establish};
use super::keys::KeyTable;
use super::listen::Ear;
use super::read::Readers;
use super::tls::Address;
use super::{HEAD, PART, Postgres, head};

/// Everything that opening a log comes to.
pub(crate) struct Opened {
    pub(crate) engine: Postgres,
    pub(crate) ear: Ear,
    pub(crate) head: Head,
    pub(crate) readers: Readers,
    pub(crate) keys: Keyring,
    pub(crate) handles: HandleHasher,
}

/// The log in a PostgreSQL database that several nodes may share, its tables made when there are none. The subjects'
/// keys and the secret of look-ups lie at `keys_url`, another database or another schema.
///
/// # Errors
/// When the databases cannot be reached, were written by a later version of the program, or may forget what they
/// have confirmed.
pub async fn open(url: &str, keys_url: &str) -> Result<EventLog, LogError> {
    let opened = opened(url, keys_url).await?;
    Ok(started(opened, std::convert::identity))
}

/// Starts on a database with an engine made of PostgreSQL's.
pub(crate) fn started<E: Engine>(opened: Opened, engine_of: impl FnOnce(Postgres) -> E) -> EventLog {
    let backend = Grouped::start(
        engine_of(opened.engine),
        opened.readers,
        opened.keys.clone(),
        opened.head,
    );
    opened.ear.listen(backend.wake());
    EventLog::on(backend, opened.keys, opened.handles)
}

/// The subjects' keys and the secret of look-ups in a PostgreSQL database that several nodes share, made when there are none.
///
/// # Errors
/// When it cannot be reached, or was written by a later version of the program.
pub async fn keys(url: &str) -> Result<(Keyring, HandleHasher), LogError> {
    keys_at(&Home::start()?, url).await
}

/// Whether the address of a PostgreSQL server can be read, and what is said to it stays between the two.
///
/// # Errors
/// One sentence that says what is wrong; it repeats nothing that may be a secret.
pub fn check_address(url: &str) -> Result<(), LogError> {
    Address::read(url).map(drop)
}

async fn keys_at(home: &Home, keys_url: &str) -> Result<(Keyring, HandleHasher), LogError> {
    let mut table = KeyTable::open(home, Address::read(keys_url)?).await?;
    let secret = tokio::task::spawn_blocking(move || Ok((table.secret()?, table)));
    let (secret, table) = secret
        .await
        .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))?;
    Ok((
        Keyring::stored(Box::new(table), None),
        HandleHasher::kept(&secret)?,
    ))
}

/// Connects to the log and to the keys, making their tables where there are none.
pub(crate) async fn opened(url: &str, keys_url: &str) -> Result<Opened, LogError> {
    let home = Home::start()?;
    let address = Address::read(url)?;
    let (keys, handles) = keys_at(&home, keys_url).await?;
    let wanted = address.clone();
    let head = home
        .run(async move {
            let session = Session::open(&wanted).await?;
            establish(&session, &PART).await?;
            head(&session.query(HEAD, &[]).await?)
        })
        .await?;
    let readers = Readers::new(home.clone(), address.clone(), keys.clone());
    let stocked = keys.clone();
    // A handle without the keys: they will hold it.
    let log = Box::new(readers.with(Keyring::memory()));
    tokio::task::spawn_blocking(move || stocked.stocked(log))
        .await
        .unwrap_or_else(|error| Err(LogError::Storage(error.to_string())))?;
    let node = Uuid::now_v7().to_string();
    Ok(Opened {
        ear: Ear::new(home, address.clone(), node.clone()),
        head,
        readers,
        keys,
        handles,
        engine: Postgres::at(address, node)?,
    })
}
