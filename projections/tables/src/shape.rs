//! Which tables there are, and how those are made again that somebody dropped: in the shape that the migrations give them
//! (decision 0018).

use std::collections::HashSet;

use sqlx::{AnyPool, AssertSqlSafe, Executor as _};

use super::{Beside, Database, Place, Purpose};

impl Database {
    /// The names of the tables that are there.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn tables(&self, readers: &AnyPool, purpose: &Purpose) -> Result<HashSet<String>, sqlx::Error> {
        let asked = match &self.place {
            Place::Folder(_) => "select name from sqlite_master where type = 'table'".to_owned(),
            Place::Postgres(_) => format!(
                "select tablename::text from pg_tables where schemaname = 'latchkey_{}'",
                purpose.name
            ),
        };
        let names: Vec<String> = sqlx::query_scalar(AssertSqlSafe(asked))
            .fetch_all(readers)
            .await?;
        Ok(names.into_iter().collect())
    }
}

impl Beside {
    /// Runs every migration where nothing serves, and gives the statements that make these tables, empty, where the others serve.
    /// They are for one transaction on [`Database::begin`], while this is open. Nothing else can then be built here.
    ///
    /// # Errors
    /// When a migration fails or the database cannot be reached.
    pub async fn shapes(&mut self, purpose: &Purpose, tables: &[&str]) -> Result<Vec<String>, sqlx::Error> {
        let is_shared = self.is_shared();
        if is_shared {
            // No migration finds what serves.
            let alone = format!("set search_path to {}", self.next);
            self.connection.execute(AssertSqlSafe(alone)).await?;
        }
        // As `run` does it, of which the compiler cannot tell that it goes from one thread to another.
        purpose
            .migrator(is_shared)
            .run_direct(None, &mut self.connection, false)
            .await
            .map_err(|error| sqlx::Error::Migrate(Box::new(error)))?;
        let mut statements = Vec::new();
        for table in tables {
            if is_shared {
                // With its indexes and their names, which a later migration may speak of.
                let (next, serving) = (&self.next, &self.serving);
                statements.push(format!("alter table {next}.{table} set schema {serving}"));
                continue;
            }
            let made: Vec<String> = sqlx::query_scalar(
                "select sql from main.sqlite_master where tbl_name = $1 and sql is not null order by type desc",
            )
            .bind((*table).to_owned())
            .fetch_all(&mut self.connection)
            .await?;
            statements.extend(made);
        }
        Ok(statements)
    }

    /// After [`Beside::shapes`]: which of these tables cannot be made, because another one of those that serve has an index of the
    /// same name, as a table has that was renamed; the index, and that other table.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn index_taken(
        &mut self,
        tables: &[&str],
    ) -> Result<Option<(String, String, String)>, sqlx::Error> {
        for table in tables {
            let asked = if self.is_shared() {
                format!(
                    "select fresh.tablename::text, fresh.indexname::text, there.tablename::text
                     from pg_indexes as fresh join pg_indexes as there on there.indexname = fresh.indexname
                     where fresh.schemaname = '{}' and fresh.tablename = '{table}'
                     and there.schemaname = '{}' and there.tablename <> '{table}' order by 2 limit 1",
                    self.next, self.serving
                )
            } else {
                format!(
                    "select fresh.tbl_name, fresh.name, there.tbl_name
                     from main.sqlite_master as fresh join serving.sqlite_master as there on there.name = fresh.name
                     where fresh.tbl_name = '{table}' and there.tbl_name <> '{table}' and fresh.type = 'index'
                     order by 2 limit 1"
                )
            };
            let taken = sqlx::query_as(AssertSqlSafe(asked))
                .fetch_optional(&mut self.connection)
                .await?;
            if taken.is_some() {
                return Ok(taken);
            }
        }
        Ok(None)
    }
}
