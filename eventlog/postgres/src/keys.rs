//! The subjects' keys in a database or schema of their own, shared by all nodes.

use std::sync::Arc;

use domain::id::UserId;
use rand::RngCore as _;
use tokio_postgres::Row;
use uuid::Uuid;

use super::connect::{Home, Part, Session, establish};
use super::row::column;
use super::tls::Address;
use eventlog::LogError;
use eventlog::port::KeyStore;
use eventlog::port::{KeyId, Pair};
use eventlog::port::{KeyState, SubjectKey};

const PART: Part = Part {
    name: "keys",
    layouts: &[include_str!("keys.sql"), include_str!("stock.sql")],
    apart_from: "event",
};
const FIND: &str = "select subject, key from subject_key where subject = any($1)";
const KEEP: &str = "insert into subject_key select * from unnest($1::uuid[], $2::bytea[]) \
     on conflict (subject) do nothing";
const DESTROY: &str = "with destroyed as (update key_change set destroyed = destroyed + 1) \
     , given as (delete from stock_key where id = any($2)) \
     insert into subject_key values ($1, null) on conflict (subject) do update set key = null";
const FIND_GIVEN: &str = "with given as (select * from unnest($1::uuid[], $2::uuid[]) as it (subject, id)) \
     select subject, key from given join subject_key using (subject) \
     union all select subject, key from given join stock_key using (id) \
     where not exists (select 1 from subject_key where subject_key.subject = given.subject)";
const STOCK: &str = "select id, key from stock_key";
const HAND_OVER: &str = "with given as (select * from unnest($1::uuid[], $2::uuid[]) as it (subject, id)), \
     fresh as (insert into stock_key select * from unnest($3::uuid[], $4::bytea[])), \
     taken as (delete from stock_key using given where stock_key.id = given.id returning given.subject, stock_key.key) \
     insert into subject_key select subject, key from taken on conflict (subject) do nothing";
const CHANGES: &str = "select destroyed from key_change";
const MAKE_SECRET: &str = "insert into look_up_secret values (1, $1) on conflict do nothing";
const SECRET: &str = "select secret from look_up_secret";

/// The table of keys. A row without a key is a subject that was forgotten.
pub(crate) struct KeyTable {
    home: Home,
    address: Address,
    session: Option<Arc<Session>>,
    changes: i64,
}

impl KeyTable {
    /// Connects, and makes the tables when there are none.
    pub(super) async fn open(home: &Home, address: Address) -> Result<Self, LogError> {
        let wanted = address.clone();
        let session = home
            .run(async move {
                let session = Session::open(&wanted).await?;
                establish(&session, &PART).await?;
                Ok(session)
            })
            .await?;
        Ok(Self {
            home: home.clone(),
            address,
            session: Some(Arc::new(session)),
            changes: 0,
        })
    }

    /// The secret of look-ups, made by whichever node starts first.
    pub(super) fn secret(&mut self) -> Result<Vec<u8>, LogError> {
        let mut fresh = vec![0; 32];
        rand::rng().fill_bytes(&mut fresh);
        self.ask(move |session| async move {
            session.query(MAKE_SECRET, &[&fresh]).await?;
            let rows = session.query(SECRET, &[]).await?;
            rows.first().map_or_else(
                || Err(LogError::Storage("the secret of look-ups is missing".to_owned())),
                |row| column(row, 0),
            )
        })
    }

    /// Asks something of the database, on a new connection when the old one was lost.
    fn ask<T, F>(&mut self, work: impl FnOnce(Arc<Session>) -> F) -> Result<T, LogError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, LogError>> + Send + 'static,
    {
        let kept = self.session.take().filter(|session| !session.client.is_closed());
        let session = if let Some(session) = kept {
            session
        } else {
            let address = self.address.clone();
            Arc::new(self.home.wait(async move { Session::open(&address).await })?)
        };
        let answer = self.home.wait(work(session.clone()));
        if !matches!(answer, Err(LogError::Unavailable(_))) {
            self.session = Some(session);
        }
        answer
    }
}

fn states(rows: &[Row]) -> Result<Vec<(UserId, KeyState)>, LogError> {
    rows.iter().map(state).collect()
}

fn state(row: &Row) -> Result<(UserId, KeyState), LogError> {
    let subject = UserId(column(row, 0)?);
    let Some(key) = column::<Option<&[u8]>>(row, 1)? else {
        return Ok((subject, KeyState::Destroyed));
    };
    Ok((subject, KeyState::Kept(bytes(key)?)))
}

fn bytes(key: &[u8]) -> Result<SubjectKey, LogError> {
    key.try_into()
        .map_err(|_| LogError::Storage("a key of personal data is damaged".to_owned()))
}

fn columns(given: &[Pair]) -> (Vec<Uuid>, Vec<KeyId>) {
    given.iter().map(|(subject, id)| (subject.0, *id)).unzip()
}

impl KeyStore for KeyTable {
    fn keep(&mut self, fresh: &[(UserId, SubjectKey)]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        // In one order on every node, so that two who keep the same subjects wait for each other and not in a circle.
        let mut fresh = fresh.to_vec();
        fresh.sort_unstable_by_key(|(subject, _)| subject.0);
        let (subjects, keys): (Vec<Uuid>, Vec<Vec<u8>>) = fresh
            .into_iter()
            .map(|(subject, key)| (subject.0, key.to_vec()))
            .unzip();
        self.ask(move |session| async move {
            let known = session.query(FIND, &[&subjects]).await?;
            if known.len() == subjects.len() {
                return states(&known);
            }
            session.query(KEEP, &[&subjects, &keys]).await?;
            states(&session.query(FIND, &[&subjects]).await?)
        })
    }

    fn find(&mut self, subjects: &[UserId]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        let subjects: Vec<Uuid> = subjects.iter().map(|subject| subject.0).collect();
        self.ask(move |session| async move { states(&session.query(FIND, &[&subjects]).await?) })
    }

    fn destroy(&mut self, subject: UserId, given: &[KeyId]) -> Result<(), LogError> {
        let given = given.to_vec();
        self.ask(move |session| async move {
            session.query(DESTROY, &[&subject.0, &given]).await?;
            // Takes the old row out of the table. What it held is overwritten when its place is needed.
            if let Err(error) = session
                .client
                .batch_execute("vacuum subject_key, stock_key")
                .await
            {
                tracing::warn!(%error, "the row of a destroyed key waits for the next vacuum");
            }
            Ok(())
        })
    }

    fn find_given(&mut self, given: &[Pair]) -> Result<Vec<(UserId, KeyState)>, LogError> {
        let (subjects, ids) = columns(given);
        self.ask(move |session| async move { states(&session.query(FIND_GIVEN, &[&subjects, &ids]).await?) })
    }

    fn stock(&mut self) -> Result<Vec<(KeyId, SubjectKey)>, LogError> {
        self.ask(|session| async move {
            let rows = session.query(STOCK, &[]).await?;
            rows.iter()
                .map(|row| Ok((column(row, 0)?, bytes(column(row, 1)?)?)))
                .collect()
        })
    }

    fn hand_over(&mut self, given: &[Pair], fresh: &[(KeyId, SubjectKey)]) -> Result<(), LogError> {
        let (subjects, ids) = columns(given);
        let (names, keys): (Vec<KeyId>, Vec<Vec<u8>>) =
            fresh.iter().map(|(id, key)| (*id, key.to_vec())).unzip();
        self.ask(move |session| async move {
            session
                .query(HAND_OVER, &[&subjects, &ids, &names, &keys])
                .await?;
            Ok(())
        })
    }

    fn again(&self) -> Result<Box<dyn KeyStore>, LogError> {
        Ok(Box::new(Self {
            home: self.home.clone(),
            address: self.address.clone(),
            session: None,
            changes: 0,
        }))
    }

    fn changed_elsewhere(&mut self) -> Result<bool, LogError> {
        let changes = self.ask(|session| async move {
            let rows = session.query(CHANGES, &[]).await?;
            rows.first().map_or(Ok(0), |row| column(row, 0))
        })?;
        Ok(std::mem::replace(&mut self.changes, changes) != changes)
    }
}
