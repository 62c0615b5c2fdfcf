//! `latchkey`: serves the marketplace, its API and the staff workspace.

use std::process::ExitCode;

use clap::Parser;

#[tokio::main]
async fn main() -> ExitCode {
    match api::cli::run(api::cli::Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("latchkey: {sentence}");
            ExitCode::FAILURE
        }
    }
}
