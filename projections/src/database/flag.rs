//! Yes or no in a column, as both databases keep it: 1 or 0.

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
