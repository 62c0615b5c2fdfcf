//! The bench: starts the measuring programs round after round, ours and its rivals in turn, and writes what came of it.
//! Knows the goals and how to start everybody; measures nothing itself but HTTP.

mod cluster;
mod desk;
mod desk_goals;
mod goals;
mod ground;
mod load;
mod machine;
mod measurement;
mod perf;
mod profile;
mod rounds;
mod served;
mod table;
mod written;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Everything that can be set; `benches/bench` passes it on from `make bench`.
#[derive(Debug, Clone, Parser)]
#[command(name = "run")]
pub struct Settings {
    /// How often everything is measured.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// How long one measurement takes.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Goals such as `G1,G4`; all when left out.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Leads that are there before W2 begins.
    #[arg(long, default_value_t = 20_000)]
    leads: u64,
    /// Events of a replay (G10, G11).
    #[arg(long, default_value_t = 1_000_000)]
    events: u64,
    /// Events that the rival replays into its own table (G11): it is slow.
    #[arg(long, default_value_t = 20_000)]
    table_events: u64,
    /// Sizes of the growing log (G13).
    #[arg(long, default_value = "100000,10000000")]
    rows: String,
    /// Leads that the server has seen when its memory is looked at (G14).
    #[arg(long, default_value_t = 200_000)]
    hot_leads: u64,
    /// Events of the lead that is opened (G16).
    #[arg(long, default_value_t = 100_000)]
    history: u64,
    /// Leads of the desk's list (G18).
    #[arg(long, default_value_t = 100_000)]
    listed_leads: u64,
    /// Payments whose audit is read (G17).
    #[arg(long, default_value_t = 1_000_000)]
    payments: u64,
    /// An empty folder on the disk.
    #[arg(long)]
    disk: PathBuf,
    /// An empty folder in memory.
    #[arg(long)]
    memory: PathBuf,
    /// Where the programs `ours` and `latchkey` lie.
    #[arg(long)]
    ours: PathBuf,
    #[arg(long)]
    latchkey: PathBuf,
    /// Another `latchkey`, measured in turn with ours (G20).
    #[arg(long)]
    beside: Option<PathBuf>,
    #[arg(long)]
    rivals: PathBuf,
    /// The folder of the Node rivals, with its `node_modules`.
    #[arg(long)]
    node: PathBuf,
    /// Where the table and all rounds are written.
    #[arg(long)]
    out: PathBuf,
    /// Where `perf` writes, while a missed goal is looked at once more.
    #[arg(skip)]
    perf: Option<PathBuf>,
    /// A document whose part between the marks is replaced by the table.
    #[arg(long)]
    record: Option<PathBuf>,
}

fn main() -> ExitCode {
    let settings = Settings::parse();
    match bench(&settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(said) => {
            eprintln!("bench: {said}");
            ExitCode::FAILURE
        }
    }
}

fn bench(settings: &Settings) -> Result<(), String> {
    let chosen: Vec<_> = goals::all(settings)
        .into_iter()
        .chain(desk_goals::rows(settings))
        .filter(|row| settings.only.is_empty() || settings.only.iter().any(|goal| goal == row.goal))
        .collect();
    if chosen.is_empty() {
        return Err(format!("no goal is called {}", settings.only.join(" or ")));
    }
    let machine = machine::describe(settings);
    let mut guarded = Ok(());
    rounds::run(settings, &chosen, |rounds, profiles| {
        guarded = table::guarded(&chosen, rounds);
        let table = table::written(settings, &chosen, rounds, profiles, &machine);
        keep(settings, "table.md", &table)?;
        keep(settings, "rounds.json", &rounds::json(rounds, &machine))
    })?;
    let written = settings.out.join("table.md");
    let table =
        std::fs::read_to_string(&written).map_err(|error| format!("{}: {error}", written.display()))?;
    println!("{table}");
    if let Some(document) = &settings.record {
        table::record(document, &table)?;
    }
    guarded
}

fn keep(settings: &Settings, name: &str, text: &str) -> Result<(), String> {
    let path = settings.out.join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}
