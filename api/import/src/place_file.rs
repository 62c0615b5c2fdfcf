//! `latchkey places import`: adds and corrects places and their names from a CSV file, row by row, as often as wanted (docs/places.md). A row
//! is a place, or in a file with the column `form` a name of one; an empty cell leaves what is known.

use std::collections::HashMap;
use std::io::Read;
use std::path::PathBuf;

use atlas::Form;
use chrono_tz::Tz;
use clap::{Args, Subcommand};
use domain::contact::shown_name;
use domain::country::Country;
use domain::place::Coordinates;
use domain::region::{Region, RegionCommand, RegionType};
use eventlog::{Actor, Context, EventLog, commit};
use platform::clock;
use platform::config::Settings;
use platform::printout;

use crate::Tally;
use crate::places::edit::{Fault, NameEdit, Naming, Outcome, PlaceEdit};
use crate::places::{Gazetteer, appends};
use crate::report::{ROW_COLUMNS, Rejections, Report, RowError};

/// Fields of a row that says where a place is.
const PLACE_FIELDS: [&str; 8] = [
    "canonical_name",
    "kind",
    "country",
    "city",
    "name",
    "lat",
    "lng",
    "time_zone",
];
/// Fields of a row that says how one is called.
const NAME_FIELDS: [&str; 5] = ["canonical_name", "kind", "lang", "name", "form"];
/// Longer names are cut: no page could show them.
const NAME_MAX: usize = 120;
/// Places that are opened in one step.
const BATCH: usize = 500;

/// `latchkey places import FILE`.
#[derive(Debug, Subcommand)]
pub enum PlacesCommand {
    /// Add and correct cities, areas, universities and their names.
    Import(PlacesArgs),
}

/// Arguments of the command.
#[derive(Debug, Args)]
pub struct PlacesArgs {
    /// A CSV file of places or of names. See docs/places.md.
    file: PathBuf,
    /// Check every row and say what would happen, write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Where rejected rows are listed: line, column, reason.
    #[arg(long, default_value = "places-errors.csv")]
    report: PathBuf,
}

/// Runs the command and prints what happened.
///
/// # Errors
/// One sentence when the file or the log cannot be used. Bad rows are no error: they are reported and counted.
pub async fn run(settings: &Settings, command: PlacesCommand) -> Result<(), String> {
    let PlacesCommand::Import(args) = command;
    let file =
        std::fs::File::open(&args.file).map_err(|error| format!("`{}`: {error}", args.file.display()))?;
    let log = storage::shapes::open_readable(settings).await?;
    let mut report = Report::create(&args.report, &ROW_COLUMNS)?;
    let tally = take_places(&log, file, args.dry_run, &mut report).await?;
    report.finish()?;
    let intent = if args.dry_run {
        " (dry run: nothing was written)"
    } else {
        ""
    };
    let rows = crate::count_of(tally.rows, "row", "rows");
    printout::line(format_args!("{rows}: {}{intent}", tally.told()))?;
    if tally.rejected > 0 {
        printout::line(format_args!(
            "rejected rows are listed in {}",
            args.report.display()
        ))?;
    }
    Ok(())
}

/// Takes every row of the file in; gives what became of them.
///
/// # Errors
/// One sentence when the file cannot be read as a table, or the log cannot be used.
pub async fn take_places(
    log: &EventLog,
    file: impl Read,
    dry_run: bool,
    errors: &mut impl Rejections,
) -> Result<Tally, String> {
    let mut gazetteer = Gazetteer::read(log).await?;
    let mut rows = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(file);
    let head = Head::read(
        rows.headers()
            .map_err(|error| format!("the first line: {error}"))?,
    )?;
    let mut tally = Tally::default();
    for row in rows.records() {
        tally.rows += 1;
        let (line, outcome) = match row {
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                (line, head.edit(&record, &mut gazetteer))
            }
            Err(error) if error.is_io_error() => return Err(format!("the file cannot be read on: {error}")),
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                (line, Err(("", "the row is not UTF-8".to_owned())))
            }
        };
        match outcome {
            Ok(Outcome::Added) => tally.added += 1,
            Ok(Outcome::Changed) => tally.changed += 1,
            Ok(Outcome::Unchanged) => tally.unchanged += 1,
            Err((column, reason)) => {
                tally.rejected += 1;
                errors.reject(&RowError {
                    line,
                    column: column.to_owned(),
                    reason,
                })?;
            }
        }
    }
    if !dry_run {
        write(log, &mut gazetteer).await?;
    }
    Ok(tally)
}

/// Writes new regions, then those that have changed.
async fn write(log: &EventLog, gazetteer: &mut Gazetteer) -> Result<(), String> {
    let mut waiting = appends(
        gazetteer.take_opened(),
        &Context::new(clock::now(), Actor::SYSTEM),
    )?;
    while !waiting.is_empty() {
        let rest = waiting.split_off(waiting.len().min(BATCH));
        let batch = std::mem::replace(&mut waiting, rest);
        let written = log.append_many(batch).await;
        written.map_err(|error| format!("the log refused a batch: {error}. Run the same command again"))?;
    }
    for (id, region) in gazetteer.take_corrected() {
        let context = Context::new(clock::now(), Actor::SYSTEM);
        let name = region.name.clone();
        let region = Box::new(region);
        let described = commit::<Region>(log, id, RegionCommand::Describe { region }, &context).await;
        described.map_err(|error| format!("`{name}` cannot be corrected: {error}"))?;
    }
    Ok(())
}

/// The fields of the first line, by their place in a row.
struct Head {
    fields: Vec<&'static str>,
    of_names: bool,
}

impl Head {
    fn read(names: &csv::StringRecord) -> Result<Self, String> {
        let of_names = names.iter().any(|name| name.eq_ignore_ascii_case("form"));
        let known: &[&'static str] = if of_names { &NAME_FIELDS } else { &PLACE_FIELDS };
        let field = |name: &str| {
            let found = known.iter().find(|field| field.eq_ignore_ascii_case(name));
            found.copied().ok_or_else(|| {
                let known = known.join(", ");
                format!("the first line names `{name}`, which is no field; fields are: {known}")
            })
        };
        let fields = names.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let needed: &[&str] = if of_names {
            &["canonical_name", "lang", "name", "form"]
        } else {
            &["canonical_name"]
        };
        match needed.iter().find(|field| !fields.contains(*field)) {
            Some(missing) => Err(format!("the first line has no column `{missing}`")),
            None => Ok(Self { fields, of_names }),
        }
    }

    fn edit(&self, record: &csv::StringRecord, gazetteer: &mut Gazetteer) -> Result<Outcome, Fault> {
        if record.len() != self.fields.len() {
            let (cells, names) = (record.len(), self.fields.len());
            let reason = format!("the row has {cells} cells, the first line {names}");
            return Err(("", reason));
        }
        let cells: Cells<'_> = self
            .fields
            .iter()
            .copied()
            .zip(record.iter())
            .filter(|(_, cell)| !cell.is_empty())
            .collect();
        if self.of_names {
            gazetteer.edit_name(&read_name(&cells)?)
        } else {
            gazetteer.edit_place(&read_place(&cells)?)
        }
    }
}

/// The cells of a row that are not empty.
type Cells<'r> = HashMap<&'static str, &'r str>;

fn needed<'r>(cells: &Cells<'r>, field: &'static str) -> Result<&'r str, Fault> {
    let cell = cells.get(field).copied();
    cell.ok_or_else(|| (field, "the cell is empty".to_owned()))
}

/// A cell that is there, as what it must be.
fn parsed<T>(
    cells: &Cells<'_>,
    field: &'static str,
    what: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Fault> {
    let Some(text) = cells.get(field) else {
        return Ok(None);
    };
    let wrong = || {
        let shown: String = text.chars().take(40).collect();
        (field, format!("`{shown}` is no {what}"))
    };
    parse(text).map(Some).ok_or_else(wrong)
}

fn read_place(cells: &Cells<'_>) -> Result<PlaceEdit, Fault> {
    let lat = parsed(cells, "lat", "number of degrees", Coordinates::parse_degrees)?;
    let lng = parsed(cells, "lng", "number of degrees", Coordinates::parse_degrees)?;
    let point = match (lat, lng) {
        (Some(lat), Some(lng)) => Some(Coordinates::new(lat, lng)),
        (None, None) => None,
        (None, Some(_)) => return Err(("lat", "the row has a longitude alone".to_owned())),
        (Some(_), None) => return Err(("lng", "the row has a latitude alone".to_owned())),
    };
    if point.is_some_and(|point| !point.on_earth()) {
        return Err(("lat", "the coordinates are not on the earth".to_owned()));
    }
    Ok(PlaceEdit {
        canonical_name: needed(cells, "canonical_name")?.to_owned(),
        kind: parsed(cells, "kind", "kind of place", read_kind)?,
        country: parsed(cells, "country", "country of the marketplace", Country::find)?,
        city: cells.get("city").map(|city| (*city).to_owned()),
        name: parsed(cells, "name", "name of a place", read_text)?,
        point,
        time_zone: parsed(cells, "time_zone", "time zone", |zone| {
            zone.parse::<Tz>().ok().map(|zone| zone.name().to_owned())
        })?,
    })
}

fn read_name(cells: &Cells<'_>) -> Result<NameEdit, Fault> {
    const FORMS: &str = "form; forms are official, endonym, abbreviation, former, common, postcode and wrong";
    let naming = |form: &str| match form {
        "wrong" => Some(Naming::Wrong),
        form => Form::from_key(form).map(Naming::Known),
    };
    let missing = |field: &'static str| (field, "the cell is empty".to_owned());
    let text = parsed(cells, "name", "name of a place", read_text)?;
    let naming = parsed(cells, "form", FORMS, naming)?;
    let language = parsed(cells, "lang", "tag of a language", read_language)?;
    parsed(cells, "kind", "kind of place", read_kind)?;
    Ok(NameEdit {
        canonical_name: needed(cells, "canonical_name")?.to_owned(),
        language: language.ok_or_else(|| missing("lang"))?,
        naming: naming.ok_or_else(|| missing("form"))?,
        text: text.ok_or_else(|| missing("name"))?,
    })
}

/// The kinds of place-names.csv, and the specification's words.
fn read_kind(word: &str) -> Option<RegionType> {
    Some(match word {
        "country" => RegionType::Country,
        "state" => RegionType::State,
        "city" | "locality" => RegionType::Locality,
        "area" | "sublocality" => RegionType::Sublocality,
        "university" | "establishment" => RegionType::Establishment,
        _ => return None,
    })
}

/// A name without signs that nobody sees, on one line.
fn read_text(text: &str) -> Option<String> {
    let name = shown_name(text, NAME_MAX);
    (!name.is_empty() && !name.contains(['<', '>'])).then_some(name)
}

/// Letters and digits joined by hyphens: `en`, `zh-Hans`.
fn read_language(tag: &str) -> Option<String> {
    let is_part =
        |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|sign| sign.is_ascii_alphanumeric());
    tag.split('-').all(is_part).then(|| tag.to_owned())
}

#[cfg(test)]
mod tests;
