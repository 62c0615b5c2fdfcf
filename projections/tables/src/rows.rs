//! Rows of any table, for an operator and for comparing.

use serde_json::{Map, Value};
use sqlx::any::{AnyRow, AnyTypeInfoKind};
use sqlx::{AnyConnection, AssertSqlSafe, Column as _, Row as _, ValueRef as _};

/// All rows of a table, in the order of their columns.
///
/// # Errors
/// When the table cannot be read.
pub async fn of_table(connection: &mut AnyConnection, table: &str) -> Result<Vec<Value>, sqlx::Error> {
    // Table names are constants of the projections, never input.
    let rows = sqlx::query(AssertSqlSafe(format!("select * from {table}")))
        .fetch_all(connection)
        .await?;
    let mut told = rows.iter().map(tell).collect::<Result<Vec<_>, _>>()?;
    told.sort_by_cached_key(Value::to_string);
    Ok(told)
}

/// One row as an object.
fn tell(row: &AnyRow) -> Result<Value, sqlx::Error> {
    let mut told = Map::new();
    for (place, column) in row.columns().iter().enumerate() {
        let raw = row.try_get_raw(place)?;
        let value = if raw.is_null() {
            Value::Null
        } else {
            match raw.type_info().kind() {
                AnyTypeInfoKind::SmallInt | AnyTypeInfoKind::Integer | AnyTypeInfoKind::BigInt => {
                    Value::from(row.try_get::<i64, _>(place)?)
                }
                AnyTypeInfoKind::Blob => document(&row.try_get::<Vec<u8>, _>(place)?),
                _ => Value::from(row.try_get::<String, _>(place)?),
            }
        };
        told.insert(column.name().to_owned(), value);
    }
    Ok(Value::Object(told))
}

/// Bytes in our tables are documents as JSON.
fn document(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(bytes).into_owned()))
}
