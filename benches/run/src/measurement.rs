//! One measurement: who is started how, and the figure it comes to.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use measure::Figure;

use crate::Settings;
use crate::cluster::{Cluster, succeeded};
use crate::desk::{self, Asked};
use crate::ground::{Ground, Place};
use crate::load::{Until, post_leads};
use crate::perf;
use crate::served::{Engine, Server, latchkey};
use crate::written;

/// What is measured.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// How the table calls it.
    pub name: String,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub enum Kind {
    /// `ours …` on a fresh place.
    Ours(Vec<String>, Engine),
    /// `rivals …` on a fresh place.
    Rival(Vec<String>, Engine),
    /// The same on a place that is filled once; the first words fill it, the second measure.
    OursFilled(Vec<String>, Vec<String>, Engine),
    RivalFilled(Vec<String>, Vec<String>, Engine),
    /// `latchkey rebuild` of one read model of a filled log with so many events.
    Rebuild(&'static str, u64),
    /// fdatasync after each of many writes, with these further words.
    Sync(&'static [&'static str]),
    /// W3 on a server with so many connections.
    Http(Server, usize),
    /// What the desk asks of a long list.
    Desk(Asked),
    /// Bytes and writes of an enquiry.
    Written,
    /// The server's memory after so many leads.
    Memory(u64),
    /// `node emmett.mjs …`.
    Emmett(&'static str, usize),
    /// message-db's `write_message` by so many clients of pgbench.
    MessageDb(usize),
}

impl Measurement {
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            kind,
        }
    }

    /// The figure, or one sentence that says why there is none.
    pub fn run(&self, settings: &Settings, ground: &mut Ground) -> Result<Figure, String> {
        match &self.kind {
            Kind::OursFilled(fill, words, engine) => {
                let place = filled(ground, settings, fill, *engine)?;
                told(ours(settings, words, &place, *engine))
            }
            Kind::RivalFilled(fill, words, engine) => {
                let place = filled_rival(ground, &settings.rivals, fill, *engine)?;
                told(rival(&settings.rivals, words, &place, *engine))
            }
            Kind::Rebuild(name, events) => rebuild(settings, ground, name, *events),
            Kind::MessageDb(clients) => message_db(settings, ground, *clients),
            Kind::Desk(asked) => at_the_desk(settings, ground, *asked),
            fresh => {
                let wants_database = match fresh {
                    Kind::Ours(_, engine) | Kind::Rival(_, engine) => *engine == Engine::Postgres,
                    Kind::Http(server, _) => server.wants_database(),
                    Kind::Emmett(_, _) => true,
                    _ => false,
                };
                let place = ground.fresh(wants_database)?;
                let figure = on_fresh(fresh, settings, &place);
                ground.clear(&place);
                figure
            }
        }
    }
}

fn on_fresh(kind: &Kind, settings: &Settings, place: &Place) -> Result<Figure, String> {
    match kind {
        Kind::Ours(words, engine) => told(ours(settings, words, place, *engine)),
        Kind::Rival(words, engine) => told(rival(&settings.rivals, words, place, *engine)),
        Kind::Sync(words) => {
            let mut command = Command::new(&settings.ours);
            command.args(["sync", "--seconds", &settings.seconds.to_string(), "--place"]);
            command.arg(&place.folder).args(*words);
            told(command)
        }
        Kind::Http(server, connections) => {
            let running = server.start(settings, place)?;
            let time = Duration::from_secs_f64(settings.seconds);
            let perf = settings.perf.as_deref();
            let watched = perf.map(|file| perf::attached(running.process(), file));
            let before = measure::cpu_us(running.process());
            let mut figure = post_leads(&running.address, *connections, Until::Over(time));
            let all = figure.done + u64::try_from(*connections).unwrap_or_default();
            figure.cpu_us = (measure::cpu_us(running.process()) - before) / all as f64;
            if let Some(perf) = watched.transpose()? {
                perf::ended(perf);
            }
            figure.memory_mb = running.memory_mb();
            useful(figure)
        }
        Kind::Written => useful(written::by_enquiries(settings, place)?),
        Kind::Memory(leads) => {
            let running = Server::Latchkey(Engine::Sqlite).start(settings, place)?;
            let mut figure = post_leads(&running.address, 64, Until::Answered(*leads));
            figure.memory_mb = running.memory_mb();
            useful(figure)
        }
        Kind::Emmett(workload, clients) => {
            let (url, _) = place.databases.as_ref().ok_or("no database")?;
            let mut command = Command::new("node");
            command
                .arg(settings.node.join("emmett.mjs"))
                .args([url, *workload]);
            command.args([
                clients.to_string(),
                settings.seconds.to_string(),
                settings.leads.to_string(),
            ]);
            told(command)
        }
        Kind::OursFilled(..)
        | Kind::RivalFilled(..)
        | Kind::Rebuild(..)
        | Kind::Desk(_)
        | Kind::MessageDb(_) => Err("this one brings its own place".to_owned()),
    }
}

fn ours(settings: &Settings, words: &[String], place: &Place, engine: Engine) -> Command {
    let mut command = perf::command(&settings.ours, settings.perf.as_deref());
    command.args(words);
    match (engine, &place.databases) {
        (Engine::Postgres, Some((url, keys))) => command.args(["--place", url, "--keys", keys]),
        _ => command.arg("--place").arg(place.folder.join("log")),
    };
    command
}

fn rival(program: &Path, words: &[String], place: &Place, engine: Engine) -> Command {
    let mut command = Command::new(program);
    command.args(words).arg("--place");
    match (engine, &place.databases) {
        (Engine::Postgres, Some((url, _))) => command.arg(url),
        _ => command.arg(place.folder.join("rival.db")),
    };
    command
}

fn filled(
    ground: &mut Ground,
    settings: &Settings,
    fill: &[String],
    engine: Engine,
) -> Result<Place, String> {
    let name = format!("ours {}", fill.join(" "));
    ground.filled(&name, engine == Engine::Postgres, |place| {
        told(ours(settings, fill, place, engine)).map(drop)
    })
}

fn filled_rival(
    ground: &mut Ground,
    program: &Path,
    fill: &[String],
    engine: Engine,
) -> Result<Place, String> {
    let name = format!("rival {}", fill.join(" "));
    ground.filled(&name, engine == Engine::Postgres, |place| {
        told(rival(program, fill, place, engine)).map(drop)
    })
}

/// The last line of a program's output is its figure.
fn told(mut command: Command) -> Result<Figure, String> {
    let output = succeeded(&mut command)?;
    let last = output.trim().lines().last().unwrap_or_default();
    useful(serde_json::from_str(last).map_err(|error| format!("`{last}` is no figure: {error}"))?)
}

/// A program that did nothing has no figure.
fn useful(figure: Figure) -> Result<Figure, String> {
    if figure.done == 0 {
        return Err(figure.note.unwrap_or_else(|| "nothing was done".to_owned()));
    }
    Ok(figure)
}

fn rebuild(settings: &Settings, ground: &mut Ground, name: &str, events: u64) -> Result<Figure, String> {
    let fill = crate::goals::fill_words(Engine::Sqlite, events);
    let place = filled(ground, settings, &fill, Engine::Sqlite)?;
    let log = place.folder.join("log");
    let begun = Instant::now();
    let mut command = latchkey(&settings.latchkey, &log, settings.perf.as_deref());
    succeeded(command.args(["rebuild", name]))?;
    Ok(Figure::whole(events, begun.elapsed()))
}

/// A data folder that is filled and folded once, and a server on it.
fn at_the_desk(settings: &Settings, ground: &mut Ground, asked: Asked) -> Result<Figure, String> {
    let fill = asked.fill_words(settings);
    let name = format!("desk {}", fill.join(" "));
    let place = ground.filled(&name, false, |place| {
        let data = place.folder.join("log");
        let mut command = Command::new(&settings.ours);
        command.args(&fill).arg("--place").arg(&data);
        if asked.is_of_payments() {
            command.arg("--spread").arg(&data);
        }
        told(command)?;
        succeeded(latchkey(&settings.latchkey, &data, None).arg("rebuild")).map(drop)
    })?;
    let data = place.folder.join("log");
    let mut desk = desk::Desk::open(settings, &data)?;
    let watched = settings
        .perf
        .as_deref()
        .map(|file| perf::attached(desk.process(), file));
    let figure = desk.ask(asked, Duration::from_secs_f64(settings.seconds));
    if let Some(perf) = watched.transpose()? {
        perf::ended(perf);
    }
    figure
}

/// Installs message-db as its makers do, once for each medium, and lets pgbench write messages.
fn message_db(settings: &Settings, ground: &mut Ground, clients: usize) -> Result<Figure, String> {
    let scripts = settings.node.join("node_modules/@eventide/message-db/database");
    let socket = ground.cluster()?.socket().to_owned();
    let path = format!(
        "{}:{}",
        ground.cluster()?.programs.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let place = ground.filled("message-db", false, |place| {
        let mut install = Command::new("bash");
        install.arg("install.sh").current_dir(&scripts);
        install
            .env("PGHOST", &socket)
            .env("PGUSER", "bench")
            .env("PATH", &path);
        succeeded(&mut install)?;
        std::fs::write(place.folder.join("message.sql"), message()).map_err(|error| error.to_string())
    })?;
    let cluster = ground.cluster()?;
    cluster.run(
        "message_store",
        &["truncate message_store.messages", "checkpoint"],
    )?;
    let mut pgbench = cluster.program("pgbench");
    pgbench.args(["--no-vacuum", "--protocol=prepared", "--jobs=2"]);
    pgbench.args(["--client", &clients.to_string()]);
    pgbench.args(["--time", &settings.seconds.ceil().max(1.0).to_string()]);
    pgbench
        .arg("--file")
        .arg(place.folder.join("message.sql"))
        .arg("message_store");
    pgbench
        .current_dir(&place.folder)
        .env("PGOPTIONS", "-c search_path=message_store,public");
    let output = succeeded(&mut pgbench)?;
    let failed = Cluster::counted(&output, "number of failed transactions: ").unwrap_or_default();
    let rate = Cluster::counted(&output, "tps = ").ok_or("pgbench said no rate")?;
    let done = Cluster::counted(&output, "number of transactions actually processed: ").unwrap_or_default();
    let latency = Cluster::counted(&output, "latency average = ").unwrap_or_default();
    let mut figure = Figure {
        rate,
        p50_us: latency * 1_000.0,
        ..Figure::default()
    };
    figure.done = whole(done);
    figure.failed = whole(failed);
    useful(figure.noting("p50 is the mean, as pgbench says it"))
}

fn whole(number: f64) -> u64 {
    format!("{number:.0}").parse().unwrap_or_default()
}

/// One message as long as the enquiry of W1.
fn message() -> String {
    let said = serde_json::to_string(&measure::enquiry::submitted(12_345)).unwrap_or_default();
    format!(
        "select write_message(gen_random_uuid()::varchar, 'lead-' || gen_random_uuid(), 'Submitted', '{}'::jsonb, \
         null, -1);\n",
        // A colon begins a variable of pgbench unless a space follows.
        said.replace("\":", "\": ").replace("://", ": //")
    )
}
