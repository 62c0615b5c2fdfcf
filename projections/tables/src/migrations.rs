//! Migrations as the binary carries them: a folder of SQL files becomes what `sqlx` runs. As `sqlx::migrate!`, whose macro
//! crate compiles both database drivers a second time, for the compiler's own process.

use include_dir::File;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use super::Purpose;

impl Purpose {
    /// What makes the tables in SQLite, or in a PostgreSQL database that is shared.
    pub(super) fn migrator(&self, is_shared: bool) -> Migrator {
        let folder = if is_shared { self.postgres } else { self.sqlite };
        Migrator::with_migrations(folder.files().filter_map(migration).collect())
    }
}

/// `0020_payment_page.sql` is version 20, "payment page"; version, description and checksum are stored, so they must stay
/// what `sqlx` makes of a file.
fn migration(file: &'static File<'static>) -> Option<Migration> {
    let (version, description) = file.path().file_stem()?.to_str()?.split_once('_')?;
    Some(Migration::new(
        version.parse().ok()?,
        description.replace('_', " ").into(),
        MigrationType::Simple,
        AssertSqlSafe(file.contents_utf8()?).into_sql_str(),
        false,
    ))
}
