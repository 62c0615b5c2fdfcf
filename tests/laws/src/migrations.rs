//! Both databases get the same tables: a migration is written twice, and says the same twice (decision 0017).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkout::{files, read, root, shown};
use crate::findings::assert_none;

/// `LATCHKEY_WRITE_CONTRACT=1` (`make contract`) writes the twin of a new file of SQLite.
#[test]
fn both_databases_get_the_same_tables_under_the_same_names() {
    if std::env::var_os("LATCHKEY_WRITE_CONTRACT").is_some() {
        write_missing_twins();
    }
    let sources = files(&root().join("migrations"), &["sql"]);
    let of = |database: &str| -> BTreeSet<PathBuf> {
        let folders = sources.iter().filter(|file| lies_in(file, database));
        folders.cloned().collect()
    };
    let (one, other) = (of("sqlite"), of("postgres"));
    assert!(one.len() > 10 && other.len() > 10, "migrations were not found");
    let pairs = one
        .iter()
        .map(|file| (file, moved(file, "sqlite", "postgres")))
        .filter(|(file, twin)| !other.contains(twin) || translated(&read(file)) != plain(&read(twin)));
    let alone = other
        .iter()
        .filter(|file| !one.contains(&moved(file, "postgres", "sqlite")));
    assert_none(
        pairs
            .map(|(file, _)| shown(file))
            .chain(alone.map(|file| shown(file))),
        "write the same tables, columns and indexes for the other database",
    );
}

#[test]
fn the_law_of_migrations_catches_bad_samples() {
    let table = "create table a (b text primary key, -- why\n  c integer) strict, without rowid;";
    assert_eq!(
        translated(table),
        plain("create table a (b text collate \"C\" primary key, c bigint);")
    );
    assert_ne!(
        translated(table),
        plain("create table a (b text collate \"C\" primary key, c text collate \"C\");")
    );
    // A text that PostgreSQL would sort by the words of a language.
    assert_ne!(
        translated(table),
        plain("create table a (b text primary key, c bigint);")
    );
    let written = "create table a (b text collate \"C\" primary key, -- why text\n  c bigint);\n";
    assert_eq!(written_twin(&table.replace("-- why", "-- why text")), written);
}

fn write_missing_twins() {
    let sources = files(&root().join("migrations"), &["sql"]);
    for file in sources.iter().filter(|file| lies_in(file, "sqlite")) {
        let twin = moved(file, "sqlite", "postgres");
        if !twin.exists() {
            fs::write(&twin, written_twin(&read(file))).expect("a twin is written");
        }
    }
}

/// A file of SQLite as PostgreSQL is told it, with its comments and its layout.
fn written_twin(sql: &str) -> String {
    let lines = sql.lines().map(|line| {
        let (code, comment) = line.split_at(line.find("--").unwrap_or(line.len()));
        format!("{}{comment}\n", typed(&ended(code)))
    });
    lines.collect()
}

fn lies_in(file: &Path, folder: &str) -> bool {
    file.parent().is_some_and(|parent| parent.ends_with(folder))
}

fn moved(file: &Path, from: &str, to: &str) -> PathBuf {
    let name = file.file_name().unwrap_or_default();
    let home = file.parent().and_then(Path::parent).unwrap_or(file);
    assert!(lies_in(file, from));
    home.join(to).join(name)
}

/// The text without comments and layout.
fn plain(sql: &str) -> String {
    let code = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default());
    let words = code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    words.replace("( ", "(").replace(" )", ")")
}

/// What SQLite is told, as PostgreSQL is told it, without comments and layout.
fn translated(sql: &str) -> String {
    typed(&ended(&plain(sql)))
}

/// Without what only SQLite says at the end of a table.
fn ended(sql: &str) -> String {
    sql.replace(") strict, without rowid;", ");")
        .replace(") without rowid;", ");")
        .replace(") strict;", ");")
}

/// With the names that PostgreSQL has for the types.
fn typed(sql: &str) -> String {
    let words = sql.split(' ').map(|word| {
        let (bare, rest) = match word.find(|letter: char| !letter.is_alphanumeric()) {
            Some(end) => word.split_at(end),
            None => (word, ""),
        };
        match bare {
            "integer" => format!("bigint{rest}"),
            "blob" => format!("bytea{rest}"),
            "text" => format!("text collate \"C\"{rest}"),
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
