//! Measures what a team would pick instead: one run, one figure, as the last line of output. Knows nothing of ours.

mod cqrs;
mod database;
mod disintegrated;
mod replay;
mod served;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(name = "rivals")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// W1 or W2 on cqrs-es with sqlite-es or postgres-es.
    Cqrs(cqrs::CqrsArgs),
    /// W1 or W2 on disintegrate-postgres.
    Disintegrate(disintegrated::DisintegrateArgs),
    /// Writes leads for a replay with cqrs-es.
    Fill(replay::FillArgs),
    /// cqrs-es' QueryReplay.
    Replay(replay::ReplayArgs),
    /// W3: a server that inserts a row, or only parses.
    Serve(served::ServeArgs),
}

fn main() {
    measure::runtime().block_on(async {
        match Cli::parse().command {
            Command::Cqrs(args) => cqrs::run(&args).await.tell(),
            Command::Disintegrate(args) => disintegrated::run(&args).await.tell(),
            Command::Fill(args) => replay::fill(&args).await.tell(),
            Command::Replay(args) => replay::replay(&args).await.tell(),
            Command::Serve(args) => served::run(&args).await,
        }
    });
}
