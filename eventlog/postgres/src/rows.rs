//! Rows of a table as one parameter: an array of its row type, in the server's binary form.

use bytes::{BufMut as _, BytesMut};
use tokio_postgres::types::{IsNull, Kind, ToSql, Type, to_sql_checked};
use uuid::Uuid;

const BYTEA: u32 = 17;
const INT8: u32 = 20;
const INT2: u32 = 21;
const TEXT: u32 = 25;
const UUID: u32 = 2950;

/// Something that is a row.
pub(super) trait ToRow {
    /// Columns of the row type.
    const COLUMNS: i32;

    /// Puts each of them, in order.
    fn put(&self, row: &mut Row<'_>);
}

/// A row under construction.
pub(super) struct Row<'b>(&'b mut BytesMut);

impl Row<'_> {
    pub(super) fn bytes(&mut self, value: Option<&[u8]>) {
        self.cell(BYTEA, value);
    }

    pub(super) fn number(&mut self, value: Option<i64>) {
        self.cell(
            INT8,
            value.map(i64::to_be_bytes).as_ref().map(<[u8; 8]>::as_slice),
        );
    }

    pub(super) fn small(&mut self, value: i16) {
        self.cell(INT2, Some(&value.to_be_bytes()));
    }

    pub(super) fn text(&mut self, value: &str) {
        self.cell(TEXT, Some(value.as_bytes()));
    }

    pub(super) fn uuid(&mut self, value: Option<Uuid>) {
        self.cell(UUID, value.as_ref().map(|it| it.as_bytes().as_slice()));
    }

    fn cell(&mut self, of: u32, value: Option<&[u8]>) {
        self.0.put_u32(of);
        if let Some(value) = value {
            self.0.put_i32(length(value.len()));
            self.0.put_slice(value);
        } else {
            self.0.put_i32(-1);
        }
    }
}

/// The protocol refuses a message of more than so much.
fn length(bytes: usize) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// All rows of one table.
#[derive(Debug)]
pub(super) struct Rows<T>(pub(super) Vec<T>);

impl<T: ToRow + std::fmt::Debug> ToSql for Rows<T> {
    fn to_sql(
        &self,
        of: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        let Kind::Array(row) = of.kind() else {
            return Err(format!("{of} is no array").into());
        };
        let dimensions = i32::from(!self.0.is_empty());
        out.put_i32(dimensions);
        // None of them is null.
        out.put_i32(0);
        out.put_u32(row.oid());
        if dimensions > 0 {
            out.put_i32(length(self.0.len()));
            out.put_i32(1);
        }
        for one in &self.0 {
            let place = out.len();
            out.put_i32(0);
            out.put_i32(T::COLUMNS);
            one.put(&mut Row(out));
            let long = length(out.len() - place - 4);
            out[place..place + 4].copy_from_slice(&long.to_be_bytes());
        }
        Ok(IsNull::No)
    }

    fn accepts(of: &Type) -> bool {
        matches!(of.kind(), Kind::Array(row) if matches!(row.kind(), Kind::Composite(_)))
    }

    to_sql_checked!();
}
