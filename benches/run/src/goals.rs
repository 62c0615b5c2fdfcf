//! The goals of the write side, and what is measured for each of them.

use crate::Settings;
use crate::ground::Medium;
use crate::measurement::{Kind, Measurement};
use crate::served::{Engine, Server};

use Engine::{Postgres, Sqlite};
use Medium::{Disk, Memory};

/// One row of the table.
#[derive(Debug, Clone)]
pub struct Row {
    pub goal: &'static str,
    pub what: String,
    pub medium: Medium,
    pub ours: Measurement,
    /// The best of them counts.
    pub rivals: Vec<Measurement>,
    pub judged: Judged,
}

/// How a row is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judged {
    /// Ours ÷ rival in rate.
    AtLeast(f64),
    /// Ours ÷ rival in p99.
    P99AtMost(f64),
    /// Rate as a share of the first size's, and load time as a multiple of it; measured once.
    Grown(f64, f64),
    /// Milliseconds of p99; measured once.
    P99Within(f64),
    /// Megabytes; measured once.
    MemoryAtMost(f64),
    /// Kilobytes into the read models' write-ahead log for each enquiry; measured once, and `make bench` fails above it.
    WrittenAtMost(f64),
    /// No goal: rate and processor time beside another binary of ours.
    CpuAndRate,
    /// No goal: ours ÷ rival in rate, for the reader.
    Shown,
}

impl Judged {
    /// Whether one round is enough, because it is long.
    pub const fn once(self) -> bool {
        matches!(
            self,
            Self::Grown(..) | Self::MemoryAtMost(_) | Self::P99Within(_) | Self::WrittenAtMost(_)
        )
    }
}

const MEDIA: [Medium; 2] = [Disk, Memory];
const WORKLOADS: [(&str, &str); 2] = [("W1", "submit"), ("W2", "advance")];

/// Every row but the desk's, in the order of the goals.
pub fn all(settings: &Settings) -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(command_rows(settings));
    rows.extend(http_rows());
    rows.extend(limit_rows(settings));
    rows.extend(other_rivals(settings));
    rows.extend(replay_rows(settings));
    rows.extend(lone_rows(settings));
    rows.push(written_row());
    rows.extend(beside_rows(settings));
    rows
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

/// `64 clients, SQLite`
fn by(clients: usize, engine: Engine) -> String {
    let clients = if clients == 1 {
        "1 client".to_owned()
    } else {
        format!("{clients} clients")
    };
    format!("{clients}, {}", engine.name())
}

/// The words that fill a log for a replay.
pub fn fill_words(engine: Engine, events: u64) -> Vec<String> {
    words(&["fill", "--engine", engine.word(), "--events", &events.to_string()])
}

/// `ours work …`
fn ours(settings: &Settings, engine: Engine, workload: &str, clients: usize, personal: &str) -> Measurement {
    let (clients, seconds) = (clients.to_string(), settings.seconds.to_string());
    let leads = settings.leads.to_string();
    let all = words(&[
        "work",
        "--engine",
        engine.word(),
        "--workload",
        workload,
        "--clients",
        &clients,
        "--seconds",
        &seconds,
        "--personal",
        personal,
        "--leads",
        &leads,
    ]);
    Measurement::new(
        format!("ours on {}, personal data: {personal}", engine.name()),
        Kind::Ours(all, engine),
    )
}

/// `rivals cqrs …` with the pools that may serve it best.
fn cqrs(settings: &Settings, engine: Engine, workload: &str, clients: usize) -> Vec<Measurement> {
    let pools = match (engine, clients) {
        (_, 1) => vec![1],
        (Sqlite, _) => vec![1, 10],
        (Postgres, _) => vec![10, 64],
    };
    let (clients, seconds) = (clients.to_string(), settings.seconds.to_string());
    let leads = settings.leads.to_string();
    let one = |pool: u32| {
        let all = words(&[
            "cqrs",
            "--engine",
            engine.word(),
            "--workload",
            workload,
            "--clients",
            &clients,
            "--seconds",
            &seconds,
            "--leads",
            &leads,
            "--pool",
            &pool.to_string(),
        ]);
        Measurement::new(
            format!("cqrs-es on {}, pool {pool}", engine.name()),
            Kind::Rival(all, engine),
        )
    };
    pools.into_iter().map(one).collect()
}

/// G1, G2, G3, G12, and W: the same beside other numbers of clients and without personal data.
fn command_rows(settings: &Settings) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row =
        |goal, engine: Engine, medium, (name, workload): (&str, &str), clients, personal, judged| {
            let shown = if personal == "fresh" {
                String::new()
            } else {
                format!(", personal data: {personal}")
            };
            rows.push(Row {
                goal,
                what: format!("{name}, {} ÷ cqrs-es{shown}", by(clients, engine)),
                medium,
                ours: ours(settings, engine, workload, clients, personal),
                rivals: cqrs(settings, engine, workload, clients),
                judged,
            });
        };
    for workload in WORKLOADS {
        row("G1", Sqlite, Disk, workload, 64, "fresh", Judged::AtLeast(25.0));
        row("G1", Sqlite, Disk, workload, 64, "nothing", Judged::Shown);
    }
    row("G1", Sqlite, Disk, WORKLOADS[0], 64, "known", Judged::Shown);
    for medium in MEDIA {
        for workload in WORKLOADS {
            row(
                "G2",
                Postgres,
                medium,
                workload,
                64,
                "fresh",
                Judged::AtLeast(12.0),
            );
            row("G2", Postgres, medium, workload, 64, "nothing", Judged::Shown);
            if medium == Memory {
                row("W", Sqlite, medium, workload, 64, "fresh", Judged::Shown);
            }
            for engine in [Sqlite, Postgres] {
                row("G3", engine, medium, workload, 1, "fresh", Judged::AtLeast(2.5));
                row("G3", engine, medium, workload, 1, "nothing", Judged::Shown);
                for clients in [16, 256] {
                    row("W", engine, medium, workload, clients, "fresh", Judged::Shown);
                }
            }
        }
    }
    rows.push(Row {
        goal: "G12",
        what: "W2 p99, 64 clients, SQLite ÷ PostgreSQL".to_owned(),
        medium: Disk,
        ours: ours(settings, Sqlite, "advance", 64, "fresh"),
        rivals: vec![ours(settings, Postgres, "advance", 64, "fresh")],
        judged: Judged::P99AtMost(1.5),
    });
    rows
}

/// G4, G5, G6.
fn http_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let latchkey = |engine: Engine, connections| {
        Measurement::new(
            format!("latchkey on {}", engine.name()),
            Kind::Http(Server::Latchkey(engine), connections),
        )
    };
    let crud = |engine: Engine, pool, connections| {
        Measurement::new(
            format!("axum + sqlx on {}, pool {pool}", engine.name()),
            Kind::Http(Server::Crud(engine, pool), connections),
        )
    };
    let parse = |connections| Measurement::new("parse and 201", Kind::Http(Server::Parse, connections));
    for medium in MEDIA {
        for (engine, pools, wanted) in [(Sqlite, [1, 10], 11.0), (Postgres, [10, 64], 4.5)] {
            let on = engine.name();
            rows.push(Row {
                goal: "G4",
                what: format!("W3, 64 connections, {on} ÷ axum + sqlx insert"),
                medium,
                ours: latchkey(engine, 64),
                rivals: pools.map(|pool| crud(engine, pool, 64)).to_vec(),
                judged: Judged::AtLeast(wanted),
            });
            rows.push(Row {
                goal: "G5",
                what: format!("W3, 1 connection, {on} ÷ axum + sqlx insert"),
                medium,
                ours: latchkey(engine, 1),
                rivals: vec![crud(engine, 1, 1)],
                judged: Judged::AtLeast(1.0),
            });
            for connections in [64, 256] {
                rows.push(Row {
                    goal: "G6",
                    what: format!("W3, {connections} connections, {on} ÷ parse and 201"),
                    medium,
                    ours: latchkey(engine, connections),
                    rivals: vec![parse(connections)],
                    judged: Judged::AtLeast(if medium == Memory { 0.80 } else { 0.65 }),
                });
            }
        }
    }
    rows
}

/// `ours append …`
fn append(settings: &Settings, clients: usize) -> Measurement {
    let (clients, seconds) = (clients.to_string(), settings.seconds.to_string());
    let all = words(&[
        "append",
        "--engine",
        "postgres",
        "--clients",
        &clients,
        "--seconds",
        &seconds,
    ]);
    Measurement::new(
        "ours on PostgreSQL, one event an append",
        Kind::Ours(all, Postgres),
    )
}

/// G7, G8.
fn limit_rows(settings: &Settings) -> Vec<Row> {
    let mut rows = Vec::new();
    for (personal, judged) in [
        ("fresh", Judged::AtLeast(0.85)),
        ("known", Judged::Shown),
        ("nothing", Judged::Shown),
    ] {
        rows.push(Row {
            goal: "G7",
            what: format!("W1, 1 client, SQLite ÷ fdatasync, personal data: {personal}"),
            medium: Disk,
            ours: ours(settings, Sqlite, "submit", 1, personal),
            rivals: vec![
                Measurement::new("600 bytes more and an fdatasync", Kind::Sync(&[])),
                Measurement::new("a page written over and an fdatasync", Kind::Sync(&["--over"])),
            ],
            judged,
        });
    }
    let copy = words(&["copy", "--seconds", &settings.seconds.to_string()]);
    rows.extend(MEDIA.map(|medium| Row {
        goal: "G8",
        what: "one-event appends, 256 submitters, PostgreSQL ÷ binary COPY".to_owned(),
        medium,
        ours: append(settings, 256),
        rivals: vec![Measurement::new(
            "the same rows by COPY",
            Kind::Ours(copy.clone(), Postgres),
        )],
        judged: Judged::AtLeast(0.90),
    }));
    rows
}

/// G9.
fn other_rivals(settings: &Settings) -> Vec<Row> {
    let mut rows = Vec::new();
    for medium in MEDIA {
        for (name, workload) in WORKLOADS {
            rows.push(Row {
                goal: "G9",
                what: format!("{name}, 64 clients, PostgreSQL ÷ Emmett"),
                medium,
                ours: ours(settings, Postgres, workload, 64, "fresh"),
                rivals: vec![Measurement::new(
                    "Emmett on PostgreSQL",
                    Kind::Emmett(workload, 64),
                )],
                judged: Judged::AtLeast(30.0),
            });
            let (seconds, leads) = (settings.seconds.to_string(), settings.leads.to_string());
            let all = words(&[
                "disintegrate",
                "--workload",
                workload,
                "--clients",
                "64",
                "--seconds",
                &seconds,
                "--leads",
                &leads,
            ]);
            rows.push(Row {
                goal: "G9",
                what: format!("{name}, 64 clients, PostgreSQL ÷ disintegrate (what went well)"),
                medium,
                ours: ours(settings, Postgres, workload, 64, "fresh"),
                rivals: vec![Measurement::new(
                    "disintegrate-postgres, pool 10",
                    Kind::Rival(all, Postgres),
                )],
                judged: Judged::AtLeast(100.0),
            });
        }
        for (clients, wanted) in [(16, 9.0), (64, 40.0)] {
            rows.push(Row {
                goal: "G9",
                what: format!("one-event appends, {clients} clients, PostgreSQL ÷ message-db"),
                medium,
                ours: append(settings, clients),
                rivals: vec![Measurement::new(
                    "write_message by pgbench",
                    Kind::MessageDb(clients),
                )],
                judged: Judged::AtLeast(wanted),
            });
        }
    }
    rows
}

/// G10, G11: in memory, with the pages warm.
fn replay_rows(settings: &Settings) -> Vec<Row> {
    let events = settings.events;
    let rival_fill = |engine: Engine, events: u64| {
        words(&["fill", "--engine", engine.word(), "--events", &events.to_string()])
    };
    let rival_replay = |engine: Engine, into| words(&["replay", "--engine", engine.word(), "--into", into]);
    let mut rows: Vec<Row> = [(Sqlite, 20.0), (Postgres, 5.0)]
        .map(|(engine, wanted)| Row {
            goal: "G10",
            what: format!(
                "{events} events into a view in memory, {} ÷ QueryReplay",
                engine.name()
            ),
            medium: Memory,
            ours: Measurement::new(
                format!("ours on {}", engine.name()),
                Kind::OursFilled(
                    fill_words(engine, events),
                    words(&["replay", "--engine", engine.word()]),
                    engine,
                ),
            ),
            rivals: vec![Measurement::new(
                format!("QueryReplay on {}", engine.name()),
                Kind::RivalFilled(rival_fill(engine, events), rival_replay(engine, "memory"), engine),
            )],
            judged: Judged::AtLeast(wanted),
        })
        .into();
    rows.push(Row {
        goal: "G11",
        what: format!(
            "rebuild of a table with its index from {events} events, SQLite ÷ QueryReplay + GenericQuery"
        ),
        medium: Memory,
        ours: Measurement::new("latchkey rebuild lead_board", Kind::Rebuild("lead_board", events)),
        rivals: vec![Measurement::new(
            format!("GenericQuery, {} events", settings.table_events),
            Kind::RivalFilled(
                rival_fill(Sqlite, settings.table_events),
                rival_replay(Sqlite, "table"),
                Sqlite,
            ),
        )],
        judged: Judged::AtLeast(120.0),
    });
    rows
}

/// G13, G14.
fn lone_rows(settings: &Settings) -> Vec<Row> {
    let seconds = settings.seconds.to_string();
    let grow = words(&[
        "grow",
        "--engine",
        "sqlite",
        "--rows",
        &settings.rows,
        "--seconds",
        &seconds,
    ]);
    vec![
        Row {
            goal: "G13",
            what: format!(
                "{} events in the log: appends, and median load of a lead",
                settings.rows.replace(',', " → ")
            ),
            medium: Disk,
            ours: Measurement::new("ours on SQLite", Kind::Ours(grow, Sqlite)),
            rivals: Vec::new(),
            judged: Judged::Grown(0.7, 2.0),
        },
        Row {
            goal: "G14",
            what: format!("memory of the server after {} leads", settings.hot_leads),
            medium: Disk,
            ours: Measurement::new("latchkey on SQLite", Kind::Memory(settings.hot_leads)),
            rivals: Vec::new(),
            judged: Judged::MemoryAtMost(100.0),
        },
    ]
}

/// G19.
fn written_row() -> Row {
    Row {
        goal: "G19",
        what: "written for an enquiry of 1 kB, 1 connection, by file".to_owned(),
        medium: Memory,
        ours: Measurement::new("latchkey on SQLite", Kind::Written),
        rivals: Vec::new(),
        judged: Judged::WrittenAtMost(40.0),
    }
}

/// G20: two binaries of ours in turn.
fn beside_rows(settings: &Settings) -> Vec<Row> {
    let Some(beside) = &settings.beside else {
        return Vec::new();
    };
    let row = |connections| Row {
        goal: "G20",
        what: format!("W3, {connections} connections, SQLite: rate and processor time"),
        medium: Memory,
        ours: Measurement::new("latchkey", Kind::Http(Server::Latchkey(Sqlite), connections)),
        rivals: vec![Measurement::new(
            beside.display().to_string(),
            Kind::Http(Server::Beside, connections),
        )],
        judged: Judged::CpuAndRate,
    };
    [1, 16].map(row).into()
}
