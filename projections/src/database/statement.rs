//! A statement whose shape is only known when it is asked.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::{Query, QueryAs, QueryScalar};
use sqlx::{Any, Arguments as _, AssertSqlSafe, Encode, FromRow, Type};

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
