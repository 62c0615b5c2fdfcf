//! Classifies why a batch could not be folded: a poison event, the schema of one read model, or the connection.

use eventlog::CodecError;
use sqlx::error::ErrorKind;

use super::ProjectionError;

impl ProjectionError {
    /// The connection ended in the middle, with or without a word of PostgreSQL.
    pub(super) fn is_of_a_cut(&self) -> bool {
        match self {
            Self::Sql(sqlx::Error::Io(_)) => true,
            Self::Sql(sqlx::Error::Database(answer)) => {
                let code = answer.code();
                code.is_some_and(|code| matches!(&*code, "25P03" | "57P01"))
            }
            _ => false,
        }
    }

    /// The schema or the rights of one read model's tables are at fault: that read model stops, all others go on.
    pub(super) fn blames_its_tables(&self) -> bool {
        match self {
            Self::IndexTaken { .. } => true,
            Self::Sql(sqlx::Error::Database(answer)) => {
                let code = answer.code().unwrap_or_default();
                // SQLite's plain error, and PostgreSQL's classes of dependent objects and of names and rights.
                code == "1" || code.len() == 5 && (code.starts_with("2B") || code.starts_with("42"))
            }
            _ => false,
        }
    }

    /// The event is at fault, not the database: it would fail again and again.
    pub(super) fn is_poison_event(&self) -> bool {
        match self {
            // Keys that do not answer now are asked again later.
            Self::Codec(error) => !matches!(error, CodecError::Keys),
            Self::Sql(sqlx::Error::Database(answer)) => match answer.kind() {
                ErrorKind::UniqueViolation
                | ErrorKind::ForeignKeyViolation
                | ErrorKind::NotNullViolation
                | ErrorKind::CheckViolation => true,
                // The enumeration is sqlx's and may grow; a busy or full database is among the rest.
                _ => answer.code().is_some_and(|code| is_about_a_value(&code)),
            },
            Self::Sql(error) => matches!(
                error,
                sqlx::Error::Decode(_)
                    | sqlx::Error::Encode(_)
                    | sqlx::Error::ColumnDecode { .. }
                    | sqlx::Error::RowNotFound
            ),
            Self::Log(_)
            | Self::Unknown { .. }
            | Self::Busy
            | Self::Gone { .. }
            | Self::IndexTaken { .. }
            | Self::OwnGone(_)
            | Self::NothingKept(_)
            | Self::KeptByAnother(_)
            | Self::LeavesOut { .. } => false,
        }
    }
}

/// Whether a database refused a value, such as a text with U+0000: PostgreSQL's class of data exceptions. SQLite's codes have
/// fewer digits.
fn is_about_a_value(code: &str) -> bool {
    code.len() == 5 && code.starts_with("22")
}
