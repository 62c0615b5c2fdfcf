//! R6: a thousand worlds hold, mistakes are found, and one number is one world.

use std::process::{Command, Output};

/// As many worlds as the promise names; `SIMULATED_WORLDS=100000` before a release.
fn worlds() -> String {
    std::env::var("SIMULATED_WORLDS").unwrap_or_else(|_| "1000".to_owned())
}

fn simulate(flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simulation"))
        .args(flags)
        .output()
        .expect("the simulation starts")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn no_world_breaks_a_promise() {
    let output = simulate(&["--seeds", &worlds()]);
    assert!(output.status.success(), "{}", told(&output));
}

#[test]
fn one_number_is_one_world() {
    for seed in 1..=10 {
        let world = || told(&simulate(&["--seed", &seed.to_string(), "--trace"]));
        let first = world();
        assert!(first.lines().count() > 20, "{first}");
        assert_eq!(first, world());
    }
}

/// A run with a mistake ends well only when some world was broken by it.
#[test]
fn each_mistake_is_found() {
    for mistake in [
        "answered-too-early",
        "charged-twice-for-a-moment",
        "effects-lost",
        "keys-forgotten",
        "keys-ignored",
        "notices-dropped",
        "timers-stopped",
    ] {
        let output = simulate(&["--seeds", "40", "--planted", mistake]);
        assert!(output.status.success(), "{mistake}: {}", told(&output));
    }
}
