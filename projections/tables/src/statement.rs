//! A statement whose shape is only known when it is asked.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::{Query, QueryAs, QueryScalar};
use sqlx::{Any, AnyConnection, Arguments as _, AssertSqlSafe, Encode, FromRow, Type};

/// Text with numbered places for values; sqlx's own builder writes places that PostgreSQL does not know.
pub struct Statement {
    sql: String,
    arguments: AnyArguments,
    problem: Option<sqlx::error::BoxDynError>,
}

impl Statement {
    pub fn new(sql: impl Into<String>) -> Self {
        Self {
            sql: sql.into(),
            arguments: AnyArguments::default(),
            problem: None,
        }
    }

    /// Adds text of ours; never input.
    pub fn push(&mut self, sql: &str) -> &mut Self {
        self.sql.push_str(sql);
        self
    }

    /// Adds a place, and what stands there.
    pub fn push_bind<'v, T: Encode<'v, Any> + Type<Any>>(&mut self, value: T) -> &mut Self {
        if let Err(problem) = self.arguments.add(value) {
            self.problem = Some(problem);
        }
        self.sql.push('$');
        self.sql.push_str(&self.arguments.len().to_string());
        self
    }

    /// Adds `(…, …)` of values; of none, what matches nothing.
    pub fn push_list<'v, T: Encode<'v, Any> + Type<Any>>(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> &mut Self {
        let mut row = self.push_row();
        for value in values {
            row.bind(value);
        }
        row.end()
    }

    /// Adds the condition that a column has one of these values: one place, however many there are.
    pub fn push_among(&mut self, column: &str, values: &[&str], connection: &AnyConnection) -> &mut Self {
        if is_shared(connection) {
            let mut list = List::default();
            for value in values {
                list.text(value);
            }
            return self
                .push(column)
                // A question of its own, so that the list is read once and not for each row.
                .push(" = any((select ")
                .push_bind(list.end())
                .push("::text::text[])::text[])");
        }
        let list = serde_json::Value::from(values).to_string();
        self.push(column)
            .push(" in (select value from json_each(")
            .push_bind(list)
            .push("))")
    }

    /// As [`Statement::push_among`], of a column of numbers.
    pub fn push_among_numbers(
        &mut self,
        column: &str,
        numbers: &[i64],
        connection: &AnyConnection,
    ) -> &mut Self {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let numbers = numbers.join(",");
        let (list, place) = if is_shared(connection) {
            (format!("{{{numbers}}}"), ["unnest(", "::text::bigint[])"])
        } else {
            (format!("[{numbers}]"), ["value from json_each(", ")"])
        };
        self.push(column).push(" in (select ").push(place[0]);
        self.push_bind(list).push(place[1]).push(")")
    }

    /// Begins `(…, …)` of values of several kinds.
    pub fn push_row(&mut self) -> Row<'_> {
        Row {
            statement: self,
            is_empty: true,
        }
    }

    fn parts(self) -> Result<(AssertSqlSafe<String>, AnyArguments), sqlx::Error> {
        match self.problem {
            Some(problem) => Err(sqlx::Error::Encode(problem)),
            None => Ok((AssertSqlSafe(self.sql), self.arguments)),
        }
    }

    /// # Errors
    /// When a value could not be written down for the database.
    pub fn build(self) -> Result<Query<'static, Any, AnyArguments>, sqlx::Error> {
        let (sql, arguments) = self.parts()?;
        Ok(sqlx::query_with(sql, arguments))
    }

    /// # Errors
    /// As [`Statement::build`].
    pub fn build_query_as<T: for<'r> FromRow<'r, AnyRow>>(
        self,
    ) -> Result<QueryAs<'static, Any, T, AnyArguments>, sqlx::Error> {
        let (sql, arguments) = self.parts()?;
        Ok(sqlx::query_as_with(sql, arguments))
    }

    /// # Errors
    /// As [`Statement::build`].
    pub fn build_query_scalar<T>(self) -> Result<QueryScalar<'static, Any, T, AnyArguments>, sqlx::Error>
    where
        (T,): for<'r> FromRow<'r, AnyRow>,
    {
        let (sql, arguments) = self.parts()?;
        Ok(sqlx::query_scalar_with(sql, arguments))
    }
}

/// Values in brackets, under way.
pub struct Row<'s> {
    statement: &'s mut Statement,
    is_empty: bool,
}

impl<'s> Row<'s> {
    pub fn bind<'v, T: Encode<'v, Any> + Type<Any>>(&mut self, value: T) -> &mut Self {
        let before = if self.is_empty { "(" } else { ", " };
        self.statement.push(before).push_bind(value);
        self.is_empty = false;
        self
    }

    pub fn end(self) -> &'s mut Statement {
        self.statement.push(if self.is_empty { "(null)" } else { ")" })
    }
}

pub(super) fn is_shared(connection: &AnyConnection) -> bool {
    connection.backend_name() == "PostgreSQL"
}

/// Values as PostgreSQL writes a list of them.
#[derive(Default)]
pub(super) struct List(String);

impl List {
    /// What needs no quotes.
    pub(super) fn bare(&mut self, text: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0.push_str(text);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bare("\"");
        for letter in text.chars() {
            if matches!(letter, '"' | '\\') {
                self.0.push('\\');
            }
            self.0.push(letter);
        }
        self.0.push('"');
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.bare("\"\\\\x");
        for byte in bytes {
            for half in [byte >> 4, byte & 15] {
                self.0
                    .push(char::from_digit(u32::from(half), 16).unwrap_or_default());
            }
        }
        self.0.push('"');
    }

    pub(super) fn end(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}
