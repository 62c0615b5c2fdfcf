//! `latchkey`: serves the marketplace, its API and the staff workspace.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tokio::runtime::Runtime;

/// Gives memory to requests, readers and writers without letting them wait for each other (decision 0002).
#[cfg(all(unix, feature = "jemalloc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// How long a blocking call that hangs, such as one to a disk that does not answer, keeps the process alive at its end.
const LAST_CALLS: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    let cli = api::cli::Cli::parse();
    let outcome = Runtime::new()
        .map_err(|error| format!("the program's threads could not start: {error}"))
        .and_then(|runtime| {
            let outcome = runtime.block_on(api::cli::run(cli));
            runtime.shutdown_timeout(LAST_CALLS);
            outcome
        });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // Where nobody can read it, the status alone says so.
            let _unread = writeln!(std::io::stderr(), "latchkey: {sentence}");
            ExitCode::FAILURE
        }
    }
}
