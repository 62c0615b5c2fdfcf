//! Yes or no in a column, as both databases keep it: 1 or 0.

use sqlx::error::BoxDynError;
use sqlx::{Any, Decode, Type};

/// A column of 0 and 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flag(bool);

impl Flag {
    pub fn is_set(self) -> bool {
        self.0
    }
}

impl From<bool> for Flag {
    fn from(is_set: bool) -> Self {
        Self(is_set)
    }
}

impl From<i64> for Flag {
    fn from(stored: i64) -> Self {
        Self(stored != 0)
    }
}

impl Type<Any> for Flag {
    fn type_info() -> <Any as sqlx::Database>::TypeInfo {
        <i64 as Type<Any>>::type_info()
    }

    fn compatible(stored: &<Any as sqlx::Database>::TypeInfo) -> bool {
        <i64 as Type<Any>>::compatible(stored)
    }
}

impl<'r> Decode<'r, Any> for Flag {
    fn decode(value: <Any as sqlx::Database>::ValueRef<'r>) -> Result<Self, BoxDynError> {
        <i64 as Decode<'r, Any>>::decode(value).map(Self::from)
    }
}
