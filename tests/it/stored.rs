//! What a server keeps in its tables, whichever database they lie in: for stories that look behind the front door, or spoil
//! something there. Statements are written so that both databases take them.

use std::time::Duration;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tests::Server;

/// Whose tables.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    Log,
    ReadModels,
    Outbox,
    Desk,
    Gateway,
}

impl Part {
    fn file(self) -> &'static str {
        match self {
            Self::Log => "log.db",
            Self::ReadModels => "read.db",
            Self::Outbox => "reactor.db",
            Self::Desk => "desk.db",
            Self::Gateway => "sandbox.db",
        }
    }

    fn schema(self) -> &'static str {
        match self {
            Self::Log => "public",
            Self::ReadModels => "latchkey_read",
            Self::Outbox => "latchkey_reactor",
            Self::Desk => "latchkey_desk",
            Self::Gateway => "latchkey_sandbox",
        }
    }
}

/// The rows that a question finds, every cell as text.
pub(crate) fn rows(server: &Server, part: Part, question: &str) -> Vec<Vec<Option<String>>> {
    if let Some(database) = server.database_name() {
        let asked = format!("set search_path to {}; {question}", part.schema());
        return tests::cluster().rows(&database, &asked);
    }
    let connection = file(server, part);
    let mut statement = connection.prepare(question).unwrap();
    let columns = statement.column_count();
    let cells = |row: &rusqlite::Row<'_>| {
        let cells = (0..columns).map(|column| row.get_ref(column).map(text));
        cells.collect()
    };
    let rows = statement.query_map([], cells).unwrap();
    rows.map(Result::unwrap).collect()
}

/// The one cell that a question finds.
pub(crate) fn cell(server: &Server, part: Part, question: &str) -> Option<String> {
    let mut rows = rows(server, part, question);
    assert!(rows.len() == 1 && rows[0].len() == 1, "{question}: {rows:?}");
    rows.remove(0).remove(0)
}

/// The number that a question finds.
pub(crate) fn number(server: &Server, part: Part, question: &str) -> u64 {
    cell(server, part, question).unwrap().parse().unwrap()
}

/// Changes something behind the server's back.
pub(crate) fn change(server: &Server, part: Part, statements: &str) {
    if let Some(database) = server.database_name() {
        let asked = format!("set search_path to {}; {statements}", part.schema());
        tests::cluster().run(&database, &asked);
        return;
    }
    file(server, part).execute_batch(statements).unwrap();
}

fn file(server: &Server, part: Part) -> Connection {
    let path = server.folder().join(part.file());
    assert!(path.exists(), "{} is not there", path.display());
    let connection = Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_secs(30)).unwrap();
    connection
}

fn text(cell: ValueRef<'_>) -> Option<String> {
    match cell {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Some(format!("{bytes:02x?}")),
    }
}
