//! Round after round: ours, then each of its rivals, row by row.

use std::collections::BTreeSet;

use measure::Figure;
use serde::Serialize;

use crate::Settings;
use crate::goals::Row;
use crate::ground::{Ground, Medium};
use crate::measurement::Measurement;
use crate::{profile, table};

/// A figure, or one sentence that says why there is none.
pub type Outcome = Result<Figure, String>;

/// What one round saw in one row.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The row's place in the list.
    pub row: usize,
    pub round: u32,
    pub ours: Outcome,
    pub rivals: Vec<Outcome>,
}

/// What a profile of a missed row's measurement begins with, or why there is none.
pub type Profiles = Vec<(usize, Result<String, String>)>;

/// Measures every row in every round, and then looks at what was missed. What is known so far is given away after each round and
/// each profile, so that a run that is stopped leaves what it saw.
///
/// # Errors
/// Whatever `keep` says.
pub fn run(
    settings: &Settings,
    rows: &[Row],
    mut keep: impl FnMut(&[Seen], &Profiles) -> Result<(), String>,
) -> Result<(), String> {
    let mut disk = Ground::new(&settings.disk);
    let mut memory = Ground::new(&settings.memory);
    let mut profiles = Profiles::new();
    let all = measured(settings, rows, (&mut disk, &mut memory), |all| {
        keep(all, &Profiles::new())
    })?;
    let mut looked_at = BTreeSet::new();
    for number in table::missed(rows, &all) {
        let row = &rows[number];
        // Several goals are about one measurement: the same words on the same medium.
        let measured = format!("{:?} on {}", row.ours.kind, row.medium.name());
        if !looked_at.insert(measured) {
            continue;
        }
        eprintln!("profile: {} {}, {}", row.goal, row.what, row.medium.name());
        let ground = match row.medium {
            Medium::Disk => &mut disk,
            Medium::Memory => &mut memory,
        };
        profiles.push((number, profile::taken(settings, row, ground)));
        keep(&all, &profiles)?;
    }
    Ok(())
}

fn measured(
    settings: &Settings,
    rows: &[Row],
    (disk, memory): (&mut Ground, &mut Ground),
    mut keep: impl FnMut(&[Seen]) -> Result<(), String>,
) -> Result<Vec<Seen>, String> {
    let mut all = Vec::new();
    // What failed once with the same words is not asked again.
    let mut absent: Vec<(usize, String, String)> = Vec::new();
    for round in 1..=settings.rounds {
        for (number, row) in rows.iter().enumerate() {
            if round > 1 && row.judged.once() {
                continue;
            }
            let ground = match row.medium {
                Medium::Disk => &mut *disk,
                Medium::Memory => &mut *memory,
            };
            eprintln!("round {round}: {} {}, {}", row.goal, row.what, row.medium.name());
            let mut measured = |measurement: &Measurement| {
                let known = absent
                    .iter()
                    .find(|(at, name, _)| *at == number && *name == measurement.name);
                if let Some((_, _, why)) = known {
                    return Err(why.clone());
                }
                let outcome = measurement.run(settings, ground);
                tell(measurement, &outcome);
                if let Err(why) = &outcome {
                    absent.push((number, measurement.name.clone(), why.clone()));
                }
                outcome
            };
            let ours = measured(&row.ours);
            let rivals = row.rivals.iter().map(&mut measured).collect();
            all.push(Seen {
                row: number,
                round,
                ours,
                rivals,
            });
        }
        keep(&all)?;
    }
    Ok(all)
}

fn tell(measurement: &Measurement, outcome: &Outcome) {
    match outcome {
        Ok(figure) => {
            eprintln!(
                "  {:>12.1}/s  p50 {:>9.1} us  p99 {:>9.1} us  {:>6.1} MB  {} failed  {}",
                figure.rate, figure.p50_us, figure.p99_us, figure.memory_mb, figure.failed, measurement.name
            );
            if figure.cpu_us > 0.0 {
                eprintln!("  {:>12.1} us of processor each", figure.cpu_us);
            }
            if let Some(note) = figure.note.as_ref().filter(|_| figure.written_bytes > 0.0) {
                eprintln!("  each: {note}");
            }
        }
        Err(why) => eprintln!("  {}: {why}", measurement.name),
    }
}

#[derive(Serialize)]
struct Kept<'k> {
    machine: &'k str,
    rounds: Vec<KeptRound<'k>>,
}

#[derive(Serialize)]
struct KeptRound<'k> {
    row: usize,
    round: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<&'k Figure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'k String>,
    rivals: Vec<Result<&'k Figure, &'k String>>,
}

/// All rounds as JSON, for whoever wants to compute something else from them.
pub fn json(all: &[Seen], machine: &str) -> String {
    let kept = Kept {
        machine,
        rounds: all
            .iter()
            .map(|seen| KeptRound {
                row: seen.row,
                round: seen.round,
                ours: seen.ours.as_ref().ok(),
                why_not: seen.ours.as_ref().err(),
                rivals: seen.rivals.iter().map(Result::as_ref).collect(),
            })
            .collect(),
    };
    serde_json::to_string_pretty(&kept).unwrap_or_default() + "\n"
}
