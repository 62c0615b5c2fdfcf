//! Measures the product's log: one run, one figure, as the last line of output. Knows no rival.

mod enquiry;
mod grow;
mod leads;
mod limits;
mod long;
mod place;
mod replay;
mod work;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(name = "ours")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// W1 or W2: commands by so many clients.
    Work(work::WorkArgs),
    /// Appends of one event without a decision, by so many clients.
    Append(limits::AppendArgs),
    /// The limit of it: the same rows by binary COPY.
    Copy(limits::CopyArgs),
    /// The disk's limit: appends of 600 bytes to a file, each synced.
    Sync(limits::SyncArgs),
    /// Writes leads for a replay.
    Fill(replay::FillArgs),
    /// Folds the whole log into a view in memory.
    Replay(replay::ReplayArgs),
    /// One lead with a long history.
    History(long::HistoryArgs),
    /// Many payments.
    Payments(long::PaymentsArgs),
    /// Appends and loads at one size of the log after the other.
    Grow(grow::GrowArgs),
}

fn main() {
    let runtime = measure::runtime();
    runtime.block_on(async {
        match Cli::parse().command {
            Command::Work(args) => work::run(&args).await.tell(),
            Command::Append(args) => limits::append(&args).await.tell(),
            Command::Copy(args) => limits::copy(&args).await.tell(),
            Command::Sync(args) => limits::sync(&args).tell(),
            Command::Fill(args) => replay::fill(&args).await.tell(),
            Command::Replay(args) => replay::replay(&args).await.tell(),
            Command::History(args) => long::history(&args).await.tell(),
            Command::Payments(args) => long::payments(&args).await.tell(),
            Command::Grow(args) => grow::run(&args).await.tell(),
        }
    });
}
