//! The table: each goal, the median and the range of its rounds' ratios, and whether it was reached.

use std::fmt::Write as _;
use std::path::Path;

use measure::Figure;

use crate::Settings;
use crate::goals::{Judged, Row};
use crate::rounds::{Profiles, Seen};

/// Between these lines of a document the table belongs.
const BEGINS: &str = "<!-- results: written by `make bench RECORD=1` -->";
const ENDS: &str = "<!-- end of results -->";

/// Told in every table, because nothing asks for it.
const EMMETT_ON_SQLITE: &str = "Emmett on SQLite: its driver `sqlite3` is fetched by an install script, and the bench lets no package run one";

/// The middle of some numbers, and how far they reach.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spread {
    median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    fn of(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        let (least, most) = (*numbers.first()?, *numbers.last()?);
        let middle = numbers.len() / 2;
        let median = if numbers.len() % 2 == 1 {
            numbers[middle]
        } else {
            f64::midpoint(numbers[middle - 1], numbers[middle])
        };
        Some(Self { median, least, most })
    }
}

/// The whole document part: what was set, the table, what is missing, the machine.
pub fn written(
    settings: &Settings,
    rows: &[Row],
    all: &[Seen],
    profiles: &Profiles,
    machine: &str,
) -> String {
    let mut text = format!(
        "{} rounds of {} s a measurement; ratios are of one round each, then their median (least to most).\n\n\
         | goal | what | medium | wanted | ours | rival | ours ÷ rival | |\n|---|---|---|---|---|---|---|---|\n",
        all.last().map_or(0, |seen| seen.round),
        settings.seconds
    );
    let mut absent = Vec::new();
    if rows.iter().any(|row| row.goal == "G9") {
        absent.push(EMMETT_ON_SQLITE.to_owned());
    }
    for (number, row) in rows.iter().enumerate() {
        let seen = of_row(number, all);
        let line = Line::of(row, &seen);
        let (medium, wanted) = (row.medium.name(), wanted(row.judged));
        let _ = writeln!(
            text,
            "| {} | {} | {medium} | {wanted} | {} | {} | {} | {} |",
            row.goal, row.what, line.ours, line.rival, line.ratio, line.verdict
        );
        for why in absences(row, &seen) {
            if !absent.contains(&why) {
                absent.push(why);
            }
        }
    }
    text.push_str(
        "| G15 | durability kept throughout | | no answer before the sync returns | | | | by construction |\n",
    );
    let _ = write!(text, "\n### Not to be had, or failed in part\n\n");
    if absent.is_empty() {
        text.push_str("Everybody answered everything.\n");
    }
    for why in absent {
        let _ = writeln!(text, "- {why}");
    }
    let _ = write!(text, "\n### Missed\n\n");
    let missed = missed(rows, all);
    if missed.is_empty() {
        text.push_str("Nothing was missed.\n");
    }
    for (number, profile) in profiles {
        // Several goals are about one measurement: the same words on the same medium.
        let measured = |row: &Row| format!("{:?} on {}", row.ours.kind, row.medium.name());
        let this = measured(&rows[*number]);
        let about = missed.iter().map(|number| &rows[*number]);
        let about = about.filter(|row| measured(row) == this);
        let about: Vec<String> = about
            .map(|row| format!("{} {}, {}", row.goal, row.what, row.medium.name()))
            .collect();
        let _ = writeln!(text, "{}:\n", about.join("; "));
        let _ = match profile {
            Ok(lines) => writeln!(text, "```\n{lines}\n```\n"),
            Err(why) => writeln!(text, "(no profile: {why})\n"),
        };
    }
    let _ = write!(text, "\n### The machine\n\n{machine}");
    text
}

/// The rows whose goal was missed.
pub fn missed(rows: &[Row], all: &[Seen]) -> Vec<usize> {
    let is_missed = |number: &usize| Line::of(&rows[*number], &of_row(*number, all)).verdict == MISSED;
    (0..rows.len()).filter(is_missed).collect()
}

/// # Errors
/// When a row that guards what is written was missed, or could not be measured: such a figure is the same on every machine.
pub fn guarded(rows: &[Row], all: &[Seen]) -> Result<(), String> {
    for (number, row) in rows.iter().enumerate() {
        let line = Line::of(row, &of_row(number, all));
        if matches!(row.judged, Judged::WrittenAtMost(_)) && line.verdict != REACHED {
            return Err(format!(
                "{} {}: {}, {}",
                row.goal, row.what, line.verdict, line.ratio
            ));
        }
    }
    Ok(())
}

fn of_row(number: usize, all: &[Seen]) -> Vec<&Seen> {
    all.iter().filter(|seen| seen.row == number).collect()
}

const REACHED: &str = "reached";
const MISSED: &str = "**missed**";

/// What stands in one line besides the row itself.
struct Line {
    ours: String,
    rival: String,
    ratio: String,
    verdict: &'static str,
}

impl Line {
    fn of(row: &Row, seen: &[&Seen]) -> Self {
        let figures: Vec<&Figure> = seen.iter().filter_map(|it| it.ours.as_ref().ok()).collect();
        let Some(last) = figures.last() else {
            return Self::without("not to be had");
        };
        match row.judged {
            Judged::Grown(appends, loads) => Self {
                ours: last.note.clone().unwrap_or_default(),
                rival: String::new(),
                ratio: format!("appends {:.2}, loads {:.2}", last.rate, last.p50_us),
                verdict: verdict(last.rate >= appends && last.p50_us <= loads),
            },
            Judged::MemoryAtMost(most) => Self {
                ours: format!("{:.0} MB after {} leads", last.memory_mb, last.done),
                rival: String::new(),
                ratio: String::new(),
                verdict: verdict(last.memory_mb <= most),
            },
            Judged::P99Within(most) => Self {
                ours: format!("p50 {:.1} ms, p99 {:.1} ms", last.p50_us / 1e3, last.p99_us / 1e3),
                rival: String::new(),
                ratio: last.note.clone().unwrap_or_default(),
                verdict: verdict(last.p99_us / 1e3 <= most && last.failed == 0),
            },
            Judged::WrittenAtMost(most) => Self {
                ours: last.note.clone().unwrap_or_default(),
                rival: String::new(),
                ratio: format!("{:.1} kB", last.written_bytes / 1e3),
                verdict: verdict(
                    last.written_bytes / 1e3 <= most && last.written_bytes > 0.0 && last.failed == 0,
                ),
            },
            Judged::CpuAndRate => Self::with_cpu(seen, &figures),
            judged => Self::beside(judged, seen, &figures),
        }
    }

    fn without(why: &'static str) -> Self {
        Self {
            ours: String::new(),
            rival: String::new(),
            ratio: String::new(),
            verdict: why,
        }
    }

    /// Rate and processor time of both, and their ratios.
    fn with_cpu(seen: &[&Seen], figures: &[&Figure]) -> Self {
        let rival = |seen: &Seen| seen.rivals.first()?.as_ref().ok().cloned();
        let rivals: Vec<Figure> = seen.iter().filter_map(|it| rival(it)).collect();
        let shown = |figures: &[&Figure]| {
            let middle = |number: fn(&Figure) -> f64| {
                let all = figures.iter().map(|figure| number(figure)).collect();
                Spread::of(all).map_or(0.0, |spread| spread.median)
            };
            let (rate, cpu) = (middle(|figure| figure.rate), middle(|figure| figure.cpu_us));
            format!("{}/s, {} us of processor", short(rate), short(cpu))
        };
        let ratio = |number: fn(&Figure) -> f64| {
            let of_round = |seen: &&Seen| Some(number(seen.ours.as_ref().ok()?) / number(&rival(seen)?));
            Spread::of(seen.iter().filter_map(of_round).collect())
        };
        let told = |spread: Option<Spread>| {
            spread.map_or(String::new(), |it| {
                format!("{} ({} to {})", short(it.median), short(it.least), short(it.most))
            })
        };
        let (rate, cpu) = (
            told(ratio(|figure| figure.rate)),
            told(ratio(|figure| figure.cpu_us)),
        );
        Self {
            ours: shown(figures),
            rival: shown(&rivals.iter().collect::<Vec<_>>()),
            ratio: format!("rate {rate}, processor {cpu}"),
            verdict: "",
        }
    }

    fn beside(judged: Judged, seen: &[&Seen], figures: &[&Figure]) -> Self {
        let p99 = matches!(judged, Judged::P99AtMost(_));
        let number = |figure: &Figure| if p99 { figure.p99_us } else { figure.rate };
        let ours = Spread::of(figures.iter().map(|figure| number(figure)).collect());
        let best = |seen: &Seen| {
            let all = seen.rivals.iter().filter_map(|rival| rival.as_ref().ok());
            all.map(number).max_by(f64::total_cmp).filter(|it| *it > 0.0)
        };
        let rival = Spread::of(seen.iter().filter_map(|it| best(it)).collect());
        let ratios = seen
            .iter()
            .filter_map(|it| Some(number(it.ours.as_ref().ok()?) / best(it)?))
            .collect();
        let unit = if p99 { " us" } else { "/s" };
        let shown =
            |spread: Option<Spread>| spread.map_or(String::new(), |it| format!("{}{unit}", short(it.median)));
        let Some(ratio) = Spread::of(ratios) else {
            return Self {
                ours: shown(ours),
                ..Self::without("no rival")
            };
        };
        Self {
            ours: shown(ours),
            rival: shown(rival),
            ratio: format!(
                "{} ({} to {})",
                short(ratio.median),
                short(ratio.least),
                short(ratio.most)
            ),
            verdict: match judged {
                Judged::AtLeast(least) => verdict(ratio.median >= least),
                Judged::P99AtMost(most) => verdict(ratio.median <= most),
                Judged::Shown
                | Judged::Grown(..)
                | Judged::MemoryAtMost(_)
                | Judged::P99Within(_)
                | Judged::WrittenAtMost(_)
                | Judged::CpuAndRate => "",
            },
        }
    }
}

const fn verdict(reached: bool) -> &'static str {
    if reached { REACHED } else { MISSED }
}

fn wanted(judged: Judged) -> String {
    match judged {
        Judged::AtLeast(least) => format!("at least {least}"),
        Judged::P99AtMost(most) => format!("at most {most}"),
        Judged::Grown(appends, loads) => format!("appends at least {appends}, loads at most {loads}"),
        Judged::MemoryAtMost(most) => format!("at most {most} MB"),
        Judged::P99Within(most) => format!("p99 at most {most} ms"),
        Judged::WrittenAtMost(most) => format!("read models: at most {most} kB"),
        Judged::Shown | Judged::CpuAndRate => String::new(),
    }
}

/// Three digits that say something.
fn short(number: f64) -> String {
    if number >= 100.0 {
        format!("{number:.0}")
    } else if number >= 10.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.2}")
    }
}

/// Who could not be measured, and why; and who failed in part.
fn absences(row: &Row, seen: &[&Seen]) -> Vec<String> {
    let mut told = Vec::new();
    for seen in seen {
        let rivals = row.rivals.iter().map(|it| &it.name).zip(&seen.rivals);
        for (name, outcome) in std::iter::once((&row.ours.name, &seen.ours)).chain(rivals) {
            match outcome {
                Err(why) => told.push(format!("{name}: {why}")),
                Ok(figure) if figure.failed > 0 => {
                    let why = figure.note.clone().unwrap_or_default();
                    told.push(format!(
                        "{name}, {}: some failed and are not counted. {why}",
                        row.what
                    ));
                }
                Ok(_) => {}
            }
        }
    }
    told.dedup();
    told
}

/// Puts the table into a document, between its marks.
pub fn record(document: &Path, table: &str) -> Result<(), String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", document.display());
    let text = std::fs::read_to_string(document).map_err(|error| told(&error))?;
    let replaced = between(&text, table).ok_or_else(|| told(&"the marks of the results are missing"))?;
    std::fs::write(document, replaced).map_err(|error| told(&error))
}

fn between(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGINS)?;
    let (_, after) = rest.split_once(ENDS)?;
    Some(format!("{before}{BEGINS}\n\n{table}\n{ENDS}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Medium;
    use crate::measurement::{Kind, Measurement};

    fn row(judged: Judged) -> Row {
        let measurement = |name: &str| Measurement::new(name, Kind::Sync(&[]));
        Row {
            goal: "G1",
            what: "W1".to_owned(),
            medium: Medium::Disk,
            ours: measurement("ours"),
            rivals: vec![measurement("slow"), measurement("fast")],
            judged,
        }
    }

    fn seen(ours: f64, rivals: &[f64]) -> Seen {
        let figure = |rate: f64| Figure {
            rate,
            p99_us: rate,
            done: 1,
            ..Figure::default()
        };
        Seen {
            row: 0,
            round: 1,
            ours: Ok(figure(ours)),
            rivals: rivals.iter().map(|rate| Ok(figure(*rate))).collect(),
        }
    }

    /// The ratio is the median of each round's own beside the better rival.
    #[test]
    fn ratio_is_the_median_of_rounds_against_the_better_rival() {
        let rounds = [
            seen(100.0, &[1.0, 10.0]),
            seen(300.0, &[5.0, 10.0]),
            seen(90.0, &[3.0, 1.0]),
        ];
        let all: Vec<&Seen> = rounds.iter().collect();
        let line = Line::of(&row(Judged::AtLeast(25.0)), &all);
        assert_eq!(
            (line.ratio.as_str(), line.verdict),
            ("30.0 (10.0 to 30.0)", REACHED)
        );
        assert_eq!(Line::of(&row(Judged::AtLeast(31.0)), &all).verdict, MISSED);
    }

    #[test]
    fn a_p99_is_good_when_it_is_small() {
        let rounds = [seen(3.0, &[2.0, 1.0])];
        let all: Vec<&Seen> = rounds.iter().collect();
        assert_eq!(Line::of(&row(Judged::P99AtMost(1.5)), &all).verdict, REACHED);
        assert_eq!(Line::of(&row(Judged::P99AtMost(1.4)), &all).verdict, MISSED);
    }

    #[test]
    fn who_cannot_be_had_is_told_and_not_left_out() {
        let mut round = seen(3.0, &[2.0, 1.0]);
        round.rivals = vec![
            Err("no such package".to_owned()),
            Err("no such package".to_owned()),
        ];
        let line = Line::of(&row(Judged::AtLeast(1.0)), &[&round]);
        assert_eq!((line.ours.as_str(), line.verdict), ("3.00/s", "no rival"));
        assert_eq!(
            absences(&row(Judged::AtLeast(1.0)), &[&round]),
            ["slow: no such package", "fast: no such package"]
        );
    }

    #[test]
    fn the_table_goes_between_the_marks() {
        let text = format!("before\n{BEGINS}\nold\n{ENDS}\nafter\n");
        let new = between(&text, "new").unwrap();
        assert_eq!(new, format!("before\n{BEGINS}\n\nnew\n{ENDS}\nafter\n"));
        assert_eq!(between("no marks", "new"), None);
    }
}
