//! How much of a counted story runs, and where its random choices come from. `make test` takes a share with a fresh seed,
//! `make promises` the whole number; docs/reference/testing.md lists both for every story.

use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// Repeats the random choices of another run.
pub const SEED: &str = "LATCHKEY_TEST_SEED";
/// Set to `1`: every story runs its whole number.
pub const WHOLE: &str = "LATCHKEY_TEST_WHOLE";
/// What else decides how a story goes; repeated with its seed.
const SETTINGS: [&str; 3] = [WHOLE, "LATCHKEY_TEST_DATABASE", "LATCHKEY_PLANTED_FAULT"];

/// One run of a story: how many rounds of each kind it takes, and its random choices.
#[derive(Debug)]
pub struct Sample<const KINDS: usize = 1> {
    pub rounds: [usize; KINDS],
    pub dice: Dice,
}

impl<const KINDS: usize> Sample<KINDS> {
    /// For [`sample!`](crate::sample!), which knows the story's path. Prints how to repeat the run: libtest shows it when the
    /// story fails.
    pub fn of(path: &str, kinds: [(&str, (usize, usize)); KINDS]) -> Self {
        let seed = seed();
        let rounds = kinds.map(|(variable, (share, whole))| rounds(variable, share, whole));
        let variables = kinds.map(|(variable, _)| variable);
        println!("{}", repeat(path, seed, &variables, &rounds));
        Self {
            rounds,
            dice: Dice::new(seed),
        }
    }
}

/// The rounds of a story, each kind by its variable, share and whole number:
/// `let Sample { rounds: [kills], mut dice } = sample!("KILLS" => (15, 100));`. A story without a number takes `sample!()`.
#[macro_export]
macro_rules! sample {
    ($($variable:expr => $numbers:expr),* $(,)?) => {
        $crate::sample::Sample::of(std::any::type_name_of_val(&|| ()), [$(($variable, $numbers)),*])
    };
}

/// Whether the whole number of every story is asked for.
pub fn is_whole() -> bool {
    std::env::var(WHOLE).is_ok_and(|value| value == "1")
}

/// The number that the variable names; without it the share of the gate, or the whole.
///
/// # Panics
/// When the variable is no number.
pub fn rounds(variable: &str, share: usize, whole: usize) -> usize {
    let usual = if is_whole() { whole } else { share };
    std::env::var(variable).map_or(usual, |text| number(variable, &text))
}

/// The seed that [`SEED`] names, or a fresh one of the operating system.
///
/// # Panics
/// When the variable is no number.
pub fn seed() -> u64 {
    std::env::var(SEED).map_or_else(
        |_| RandomState::new().build_hasher().finish(),
        |text| number(SEED, &text),
    )
}

fn number<T: std::str::FromStr>(variable: &str, text: &str) -> T {
    let parsed = text.parse().ok();
    parsed.unwrap_or_else(|| panic!("{variable}={text} is no number"))
}

/// The command that runs a story with the same seed and the same numbers.
fn repeat(path: &str, seed: u64, variables: &[&str], rounds: &[usize]) -> String {
    let mut line = format!("repeat with: {SEED}={seed}");
    for (variable, rounds) in variables.iter().zip(rounds) {
        let _written = write!(line, " {variable}={rounds}");
    }
    for setting in SETTINGS {
        if let Ok(value) = std::env::var(setting) {
            let _written = write!(line, " {setting}={value}");
        }
    }
    // The path of a closure in the test: `it::storms::last_bed::{{closure}}::{{closure}}`.
    let test = path.split("::{{closure}}").next().unwrap_or(path);
    match test.split_once("::") {
        Some(("it", story)) => format!("{line} make story {story}"),
        Some((room, test)) => {
            let package = room.replace('_', "-");
            format!("{line} cargo test --package {package} --lib {test}")
        }
        None => line,
    }
}

/// Random choices that a seed fixes (SplitMix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.number() % end
    }

    /// A place in something of that length.
    ///
    /// # Panics
    /// When there is no place.
    pub fn place(&mut self, length: usize) -> usize {
        let place = self.below(length as u64);
        usize::try_from(place).unwrap_or_else(|_| panic!("{length} places"))
    }

    /// One of several.
    ///
    /// # Panics
    /// When there is none.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.place(all.len())]
    }

    /// Puts them into any order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for place in (1..all.len()).rev() {
            let other = self.place(place + 1);
            all.swap(place, other);
        }
    }

    /// Dice for another task: what that task draws depends on the seed alone, not on which task comes first.
    #[must_use]
    pub const fn fork(&mut self) -> Self {
        Self(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::{Dice, repeat, rounds};

    #[test]
    fn one_seed_is_one_order_and_another_seed_another() {
        let order = |seed| {
            let mut all: Vec<usize> = (0..100).collect();
            Dice::new(seed).shuffle(&mut all);
            all
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let mut sorted = order(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<usize>>());
    }

    #[test]
    fn forked_dice_draw_other_numbers() {
        let mut dice = Dice::new(7);
        let (mut one, mut other) = (dice.fork(), dice.fork());
        assert_ne!(one.number(), other.number());
    }

    #[test]
    fn a_run_names_the_command_that_repeats_it() {
        let start = "repeat with: LATCHKEY_TEST_SEED=7 ROUNDS_OF_NO_STORY=10";
        let of_log = "eventlog_sqlite::conformance::power::cut::{{closure}}";
        let line = repeat(of_log, 7, &["ROUNDS_OF_NO_STORY"], &[10]);
        let end = "cargo test --package eventlog-sqlite --lib conformance::power::cut";
        assert!(line.starts_with(start) && line.ends_with(end), "{line}");
        let of_story = "it::storms::last_bed::{{closure}}::{{closure}}";
        let line = repeat(of_story, 7, &["ROUNDS_OF_NO_STORY"], &[10]);
        assert!(
            line.starts_with(start) && line.ends_with("make story storms::last_bed"),
            "{line}"
        );
    }

    #[test]
    fn without_its_variable_a_story_takes_its_share_or_the_whole() {
        let usual = if super::is_whole() { 200 } else { 10 };
        assert_eq!(rounds("ROUNDS_OF_NO_STORY", 10, 200), usual);
    }
}
