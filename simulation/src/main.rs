//! R6: the marketplace's rules, its log, its reactor and its webhook inbox in a world made of one number. The same number
//! is the same world, to the last event; a number whose world breaks a promise can be looked at as often as one likes.
//!
//! `cargo run -p simulation -- --seeds 1000` tries a thousand worlds that were not tried before, `-- --seed 42` one of them.

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use clap::Parser;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

mod agenda;
mod check;
mod fate;
mod gateway;
mod homes;
mod planted;
mod students;
mod watch;
mod world;

use check::{Broken, Inspection};
use planted::Planted;
use world::World;

#[derive(Parser)]
#[command(about = "Simulates worlds and checks what must be true of each")]
struct Asked {
    /// One world, with its trace.
    #[arg(long)]
    seed: Option<u64>,
    /// So many worlds, in processes of their own.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// The first of them; without it LATCHKEY_TEST_SEED says so, or it is a new one in every run.
    #[arg(long)]
    from: Option<u64>,
    /// Brings a mistake in; a run that does not find it fails.
    #[arg(long)]
    planted: Option<Planted>,
    /// Prints every event.
    #[arg(long)]
    trace: bool,
}

fn main() -> ExitCode {
    let asked = Asked::parse();
    match asked.seed {
        Some(seed) => one(seed, &asked),
        None => many(&asked),
    }
}

/// One world, on a thread whose clock and chance are the seed's.
fn one(seed: u64, asked: &Asked) -> ExitCode {
    let (planted, trace) = (asked.planted, asked.trace);
    let world = std::thread::spawn(move || {
        fate::seed(seed);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        runtime.block_on(live(planted, trace))
    });
    match world.join() {
        Ok((hash, events, Ok(()))) => {
            println!("seed {seed}: {events} events, trace {hash}, all invariants held");
            ExitCode::SUCCESS
        }
        Ok((hash, events, Err(broken))) => {
            println!(
                "seed {seed}: {events} events, trace {hash}, BROKEN: {}: {}",
                broken.name, broken.detail
            );
            ExitCode::FAILURE
        }
        Err(_) => {
            println!("seed {seed}: PANICKED");
            ExitCode::FAILURE
        }
    }
}

async fn live(planted: Option<Planted>, trace: bool) -> (String, usize, Result<(), Broken>) {
    fate::begin();
    let world = World::new(planted).await;
    let outcome = world.run().await;
    let outcome = outcome.and_then(|()| Inspection::of(&world).at_rest());
    let mut hash = Sha256::new();
    let events = world.kept.events_after(0);
    for event in &events {
        hash.update(event.chain);
        if trace {
            println!(
                "{} {} {}#{} {} {}",
                event.position,
                event.recorded_at.to_rfc3339(),
                event.stream,
                event.revision,
                event.event_type,
                String::from_utf8_lossy(&event.payload)
            );
        }
    }
    (hex::encode(&hash.finalize()[..8]), events.len(), outcome)
}

/// Each world in a process of its own, because libraries keep what they drew before for the process.
fn many(asked: &Asked) -> ExitCode {
    let program = std::env::current_exe().expect("this program");
    let from = asked.from.unwrap_or_else(first);
    let next = AtomicU64::new(from);
    let end = from + asked.seeds;
    let failed: Mutex<Vec<(u64, String)>> = Mutex::default();
    let side_by_side = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| {
                loop {
                    // One world is enough to find a mistake.
                    let is_found = asked.planted.is_some() && !failed.lock().is_empty();
                    let seed = next.fetch_add(1, Relaxed);
                    if seed >= end || is_found {
                        return;
                    }
                    let mut run = Command::new(&program);
                    run.args(["--seed", &seed.to_string()]);
                    run.args(planted_flag(asked.planted));
                    let output = run.output().expect("this program runs");
                    if !output.status.success() {
                        let told = String::from_utf8_lossy(&output.stdout).into_owned();
                        failed.lock().push((seed, told));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner();
    for (seed, told) in failed.iter().take(20) {
        print!("{told}");
        let flags = planted_flag(asked.planted).join(" ");
        println!("  again: cargo run -p simulation -- --seed {seed} {flags}");
    }
    println!("{} worlds from {from} on, {} broken", asked.seeds, failed.len());
    let is_right = failed.is_empty() == asked.planted.is_none();
    if is_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Repeats the worlds of another run of the tests.
const SEED: &str = "LATCHKEY_TEST_SEED";

/// The default first world: small enough to be typed and to be counted up from.
fn first() -> u64 {
    let named = std::env::var(SEED).ok().and_then(|seed| seed.parse().ok());
    named.unwrap_or_else(|| rand::random_range(1..1 << 48))
}

fn planted_flag(planted: Option<Planted>) -> Vec<String> {
    use clap::ValueEnum as _;
    let name = planted.and_then(|planted| planted.to_possible_value());
    name.map_or_else(Vec::new, |name| {
        vec!["--planted".to_owned(), name.get_name().to_owned()]
    })
}
