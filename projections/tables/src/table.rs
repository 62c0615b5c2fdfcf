//! Many rows of one table read or written at once, so that a batch of events costs as many statements as one event: in
//! PostgreSQL a statement is a round trip, in SQLite a hand-over to the connection's thread (decision 0017).

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyConnection, Arguments as _, AssertSqlSafe, FromRow};

use super::Statement;
use super::statement::{List, is_shared};

/// Rows of one statement in SQLite, the largest first: few sizes, so that each statement is planned once.
const SIZES: [usize; 4] = [64, 16, 4, 1];

/// A column by its name, with what lies in it. Names are ours, never input.
#[derive(Debug, Clone, Copy)]
pub enum Column {
    Text(&'static str),
    Number(&'static str),
    Bytes(&'static str),
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Self::Text(name) | Self::Number(name) | Self::Bytes(name) => name,
        }
    }

    /// As PostgreSQL calls a list of them.
    const fn list(self) -> &'static str {
        match self {
            Self::Text(_) => "text[]",
            Self::Number(_) => "bigint[]",
            Self::Bytes(_) => "bytea[]",
        }
    }
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Null,
    Text(String),
    Number(i64),
    Bytes(Vec<u8>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<V: Into<Self>> From<Option<V>> for Value {
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A row in the order of its table's columns: `row![id, name]`.
#[macro_export]
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$($crate::table::Value::from($value)),*] };
}
pub use crate::row;

/// A table as it is written.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// Those of the key first.
    pub columns: &'static [Column],
    /// How many of them are the key.
    pub key: usize,
}

/// Which rows are read: those whose column has one of these values.
pub type Among<'a> = (&'static str, Vec<&'a str>);

impl Table {
    /// The rows that are among all of these.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn read<R>(
        &self,
        connection: &mut AnyConnection,
        among: &[Among<'_>],
    ) -> Result<Vec<R>, sqlx::Error>
    where
        R: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
    {
        if among.iter().any(|(_, values)| values.is_empty()) {
            return Ok(Vec::new());
        }
        let mut wanted = Statement::new(format!("select {} from {}", self.names(), self.name));
        for (place, (column, values)) in among.iter().enumerate() {
            wanted.push(if place == 0 { " where " } else { " and " });
            wanted.push_among(column, values, connection);
        }
        wanted.build_query_as()?.fetch_all(connection).await
    }

    /// Writes rows, over those that have the same key. No two of them have.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn put(&self, connection: &mut AnyConnection, rows: &[Vec<Value>]) -> Result<(), sqlx::Error> {
        let name = |column: &Column| column.name();
        let key: Vec<&str> = self.columns[..self.key].iter().map(name).collect();
        let rest = self.columns[self.key..].iter().map(name);
        let taken: Vec<String> = rest.map(|name| format!("{name} = excluded.{name}")).collect();
        let over = format!(
            "on conflict ({}) do update set {}",
            key.join(", "),
            taken.join(", ")
        );
        self.write(connection, rows, &over).await
    }

    /// Writes the rows whose key is not there yet; of two with one key the first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add(&self, connection: &mut AnyConnection, rows: &[Vec<Value>]) -> Result<(), sqlx::Error> {
        self.write(connection, rows, "on conflict do nothing").await
    }

    async fn write(
        &self,
        connection: &mut AnyConnection,
        rows: &[Vec<Value>],
        conflict: &str,
    ) -> Result<(), sqlx::Error> {
        if is_shared(connection) {
            return self.write_lists(connection, rows, conflict).await;
        }
        let mut rows = rows;
        for size in SIZES {
            while rows.len() >= size {
                let (some, rest) = rows.split_at(size);
                self.write_values(connection, some, conflict).await?;
                rows = rest;
            }
        }
        Ok(())
    }

    /// Each column as one value, a list: the statement is the same for any number of rows.
    async fn write_lists(
        &self,
        connection: &mut AnyConnection,
        rows: &[Vec<Value>],
        conflict: &str,
    ) -> Result<(), sqlx::Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let places = (1..).zip(self.columns);
        let places: Vec<String> = places
            .map(|(number, column)| format!("${number}::text::{}", column.list()))
            .collect();
        let sql = format!(
            "insert into {} ({}) select * from unnest({}) {conflict}",
            self.name,
            self.names(),
            places.join(", ")
        );
        let mut arguments = AnyArguments::default();
        for place in 0..self.columns.len() {
            let mut list = List::default();
            for row in rows {
                enlist(&mut list, &row[place]);
            }
            add(&mut arguments, list.end())?;
        }
        sqlx::query_with(AssertSqlSafe(sql), arguments)
            .execute(connection)
            .await?;
        Ok(())
    }

    /// Places without numbers: SQLite looks for a numbered one among all places of its statement (decision 0017).
    async fn write_values(
        &self,
        connection: &mut AnyConnection,
        rows: &[Vec<Value>],
        conflict: &str,
    ) -> Result<(), sqlx::Error> {
        let one = format!("({})", vec!["?"; self.columns.len()].join(", "));
        let sql = format!(
            "insert into {} ({}) values {} {conflict}",
            self.name,
            self.names(),
            vec![one.as_str(); rows.len()].join(", ")
        );
        let mut arguments = AnyArguments::default();
        for value in rows.iter().flatten() {
            match value {
                Value::Null => add(&mut arguments, Option::<String>::None)?,
                Value::Text(text) => add(&mut arguments, text.as_str())?,
                Value::Number(number) => add(&mut arguments, *number)?,
                Value::Bytes(bytes) => add(&mut arguments, bytes.as_slice())?,
            }
        }
        sqlx::query_with(AssertSqlSafe(sql), arguments)
            .execute(connection)
            .await?;
        Ok(())
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name()).collect();
        names.join(", ")
    }
}

fn enlist(list: &mut List, value: &Value) {
    match value {
        Value::Null => list.bare("NULL"),
        Value::Text(text) => list.text(text),
        Value::Number(number) => list.bare(&number.to_string()),
        Value::Bytes(bytes) => list.bytes(bytes),
    }
}

fn add<'v, V>(arguments: &mut AnyArguments, value: V) -> Result<(), sqlx::Error>
where
    V: sqlx::Encode<'v, sqlx::Any> + sqlx::Type<sqlx::Any>,
{
    arguments.add(value).map_err(sqlx::Error::Encode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{opened, places};

    const TABLE: Table = Table {
        name: "journey",
        columns: &[
            Column::Text("person"),
            Column::Text("property"),
            Column::Bytes("document"),
        ],
        key: 2,
    };

    type Row = (String, String, Vec<u8>);

    async fn all(connection: &mut AnyConnection) -> Vec<Row> {
        let all = "select person, property, document from journey order by person, property";
        sqlx::query_as(all).fetch_all(connection).await.unwrap()
    }

    #[tokio::test]
    async fn whatever_is_written_is_read_back_however_many_rows_there_are() {
        for (place, _folder) in places() {
            let mut transaction = opened(&place).await.begin().await.unwrap();
            let odd = [
                "",
                "NULL",
                "a,b",
                "{}",
                "\"quoted\" \\ back",
                "line\nbreak",
                "中文 ’",
            ];
            let row = |number: usize| {
                let text = format!("{number:03} {}", odd[number % odd.len()]);
                (text, odd[number % odd.len()].to_owned(), vec![0, 255, 34, 92])
            };
            let rows: Vec<Row> = (0..87).map(row).collect();
            let values = |rows: &[Row], last: u8| -> Vec<Vec<Value>> {
                let one = |(person, property, document): &Row| {
                    let mut document = document.clone();
                    document.push(last);
                    row![person.as_str(), property.as_str(), document]
                };
                rows.iter().map(one).collect()
            };
            TABLE.put(&mut transaction, &values(&rows, 1)).await.unwrap();
            TABLE.put(&mut transaction, &values(&rows[..3], 2)).await.unwrap();
            TABLE.add(&mut transaction, &values(&rows[..5], 3)).await.unwrap();
            TABLE.add(&mut transaction, &[]).await.unwrap();
            let stored = all(&mut transaction).await;
            for (place, (stored, written)) in stored.iter().zip(&rows).enumerate() {
                let mut document = written.2.clone();
                document.push(if place < 3 { 2 } else { 1 });
                assert_eq!(
                    stored,
                    &(written.0.clone(), written.1.clone(), document),
                    "{place}"
                );
            }
            assert_eq!(stored.len(), rows.len());
            let people: Vec<&str> = rows[4..12].iter().map(|row| row.0.as_str()).collect();
            let homes = vec![odd[4], odd[6], "nowhere"];
            let among = [("person", people), ("property", homes)];
            let found: Vec<Row> = TABLE.read(&mut transaction, &among).await.unwrap();
            let mut found: Vec<String> = found.into_iter().map(|row| row.0).collect();
            found.sort();
            assert_eq!(found, [&rows[4].0, &rows[6].0, &rows[11].0].map(String::clone));
        }
    }
}
