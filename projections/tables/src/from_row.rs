//! Reads a row into a struct by the names of its columns. As `sqlx`'s derive, whose macro crate compiles both database
//! drivers a second time, for the compiler's own process.

/// Implements `sqlx::FromRow` for a struct whose fields are named like the columns; those after `default` are not stored.
#[macro_export]
macro_rules! from_row {
    ($row:ident { $($column:ident),+ } $(default { $($left_out:ident),+ })?) => {
        impl<'r> sqlx::FromRow<'r, sqlx::any::AnyRow> for $row {
            fn from_row(row: &'r sqlx::any::AnyRow) -> Result<Self, sqlx::Error> {
                use sqlx::Row as _;
                Ok(Self {
                    $($column: row.try_get(stringify!($column))?,)+
                    $($($left_out: Default::default(),)+)?
                })
            }
        }
    };
}
