//! Tells a story of several threads in thousands of random orders of their steps. `LATCHKEY_TEST_SEED` fixes the orders; without
//! it each run takes others.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};

use shuttle::scheduler::RandomScheduler;
use shuttle::{Config, FailurePersistence, Runner};

use crate::Slip;

/// Random orders in which each story is told (R21).
const SCHEDULES: usize = 10_000;
/// Another number of them, for a long run.
const WISHED: &str = "LATCHKEY_TEST_SCHEDULES";
/// Repeats the orders of another run.
const SEED: &str = "LATCHKEY_TEST_SEED";
/// SQLite and the ciphers want more than shuttle gives.
const STACK_BYTES: usize = 512 * 1024;

fn run(seed: u64, schedules: usize, story: impl Fn() + Send + Sync + 'static) {
    let mut config = Config::new();
    config.stack_size = STACK_BYTES;
    config.failure_persistence = FailurePersistence::Print;
    Runner::new(RandomScheduler::new_from_seed(seed, schedules), config).run(story);
}

/// Tells a story in every order, and once more with a mistake in it, which one of the orders must show.
///
/// # Panics
/// When an order breaks the story, or none shows the mistake.
pub fn tell(slip: Slip, story: impl Fn() + Clone + Send + Sync + 'static) {
    let wished = std::env::var(WISHED).ok().and_then(|count| count.parse().ok());
    let schedules = wished.unwrap_or(SCHEDULES);
    let seed = std::env::var(SEED).ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    println!("repeat with: {SEED}={seed} {WISHED}={schedules} make schedules");
    run(seed, schedules, story.clone());
    // The mistake is that thread's alone: other stories are told without it.
    let control = std::thread::spawn(move || {
        slip.make();
        catch_unwind(AssertUnwindSafe(|| run(seed, SCHEDULES, story))).is_err()
    });
    assert!(control.join().unwrap_or(true), "{slip:?} was not found");
    println!("{schedules} orders, and {slip:?} was found");
}
