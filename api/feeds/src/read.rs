//! Reads a feed from its beginning to its end: what it holds, what its homes have in common, then home by home.

use std::collections::BTreeSet;
use std::io::BufRead;

use chrono::NaiveDate;

use crate::build::{Around, build_home, read_id};
use crate::fault::{Fault, SENTENCE_SHOWN, VALUE_SHOWN, Verdict, cut_letters, show_text};
use crate::fields::find_column_field;
use crate::group::{Groups, Whole, keep_unread};
use crate::home::Home;
use crate::map::{Compiled, FeedMap};
use crate::parts::ITEMS_MAX;
use crate::path::Path;
use crate::place::Atlas;
use crate::plan::{Plan, bind_map};
use crate::price::SIGN_OVERRULED;
use crate::reading::SEVERAL_VALUES;
use crate::records::{Record, Sheet, Stopped, Take, find_elements, find_lists, read_records, split_list};
use crate::seen::Seen;
use crate::source::{Format, Source, open_source};
use crate::stats::Stats;
use crate::suggest::{suggest_field, write_map};

const TOO_MANY_PICTURES: &str = "a home and each of its rooms show at most 200 photos and 200 plans: this one and those after it are left out";
const NO_PHOTO: &str = "no photo is said: the home is shown without pictures";
/// Columns that a sentence or a report lists.
const UNUSED_MAX: usize = 200;
/// Lists that a sentence names.
const LISTS_SHOWN: usize = 10;
/// Rows or objects of one feed: a few numbers are kept of each.
const RECORDS_MAX: u64 = 1_000_000;
/// Rows of homes that are not whole yet.
const ROWS_HELD_MAX: u64 = if cfg!(test) { 500 } else { 50_000 };
const TOO_FAR: &str = "rows of one home lie too far apart, and too many wait for each other: sort the file by the column of property_id";

/// The outcome of one home of a feed.
#[derive(Debug)]
pub struct Entry {
    /// The line of its first record.
    pub line: u64,
    /// Empty where the record says none.
    pub id: String,
    pub outcome: Outcome,
    pub faults: Vec<Fault>,
}

/// Whether a home is taken.
#[derive(Debug)]
pub enum Outcome {
    Taken(Box<Home>),
    /// The feed itself does not publish it.
    LeftOut,
    Rejected,
}

/// A column that no field reads, and the field that it could be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    pub column: String,
    pub could_be: Option<&'static str>,
}

/// Counts of a feed and its columns that no field reads.
#[derive(Debug, Default)]
pub struct Summary {
    /// Rows or objects.
    pub records: u64,
    pub taken: u64,
    pub left_out: u64,
    pub rejected: u64,
    /// Where the homes were found: the path of a list, or nothing.
    pub list: String,
    pub unused: Vec<Unused>,
    /// Why the file could not be read to its end; what was read before stands.
    pub broken: Option<String>,
}

/// Reads a feed and hands every home to `take`, in the order in which homes are whole. `today` decides what is past.
///
/// # Errors
/// One sentence when nothing can be taken: the file or the map cannot be used.
pub fn read_feed(
    source: &dyn Source,
    map: &FeedMap,
    atlas: &dyn Atlas,
    today: NaiveDate,
    take: &mut dyn FnMut(Entry) -> Result<(), Stopped>,
) -> Result<Summary, String> {
    read_passes(source, map, atlas, today, take).map_err(|error| show_text(&error, SENTENCE_SHOWN))
}

fn read_passes(
    source: &dyn Source,
    map: &FeedMap,
    atlas: &dyn Atlas,
    today: NaiveDate,
    take: &mut dyn FnMut(Entry) -> Result<(), Stopped>,
) -> Result<Summary, String> {
    let compiled = map.compile()?;
    let survey = survey_feed(source, &compiled, today)?;
    if let (0, Some(broken)) = (survey.seen.records, &survey.broken) {
        return Err(broken.clone());
    }
    let plan = bind_map(compiled, &survey.seen, survey.format, today)?;
    let stats = count_feed(source, &survey, &plan, atlas)?;
    let around = Around {
        plan: &plan,
        atlas,
        stats: &stats,
    };
    let mut reader = Reader {
        around,
        groups: Groups::default(),
        summary: Summary {
            list: survey.list.join("."),
            unused: list_unused(&plan),
            broken: survey.broken.clone(),
            ..Summary::default()
        },
        said: BTreeSet::new(),
        take,
    };
    let groups_rows = plan.groups_rows();
    let mut hand = |record: Record| -> Result<(), Stopped> { reader.take_record(record, groups_rows) };
    read_again(source, &survey, &plan.map, &mut hand)?;
    if reader.groups.count_held() > ROWS_HELD_MAX {
        // Homes that wait are not whole: a room whose row was not read would be let no longer.
        reader.summary.broken = Some(TOO_FAR.to_owned());
        return Ok(reader.summary);
    }
    for whole in reader.groups.take_rest() {
        if reader.hand_on(whole).is_err() {
            break;
        }
    }
    Ok(reader.summary)
}

/// Writes a first map for a feed, from its names and values.
///
/// # Errors
/// One sentence when the file cannot be read.
pub fn suggest_map(source: &dyn Source, today: NaiveDate) -> Result<String, String> {
    let compiled = FeedMap::default().compile()?;
    let survey = survey_feed(source, &compiled, today)?;
    if let (true, Some(broken)) = (survey.seen.names.is_empty(), survey.broken) {
        return Err(broken);
    }
    let list: Vec<String> = survey.list.iter().map(|name| format!("{name}[]")).collect();
    Ok(write_map(&survey.seen, &list.join(".")))
}

fn list_unused(plan: &Plan) -> Vec<Unused> {
    let unused = plan.unused.iter().take(UNUSED_MAX);
    unused
        .map(|(column, could_be)| Unused {
            column: show_text(column, VALUE_SHOWN),
            could_be: *could_be,
        })
        .collect()
}

/// The first pass: what a file holds.
pub(crate) struct Survey {
    pub(crate) seen: Seen,
    pub(crate) list: Vec<String>,
    pub(crate) format: Format,
    pub(crate) broken: Option<String>,
}

pub(crate) fn survey_feed(source: &dyn Source, map: &Compiled, today: NaiveDate) -> Result<Survey, String> {
    let format = open_source(source, map.encoding)?.format;
    let list = match &map.list {
        Some(list) => split_list(list),
        None => find_list(source, map, format)?,
    };
    let (mut seen, mut records) = (Seen::default(), 0_u64);
    let mut note = |record: Record| -> Result<(), Stopped> {
        records += 1;
        if records > RECORDS_MAX {
            return Err(Stopped);
        }
        if let Ok(node) = &record.node {
            seen.note_record(node, today);
        }
        Ok(())
    };
    let read = read_pass(source, map, &list, &mut note);
    if records > RECORDS_MAX {
        return Err(format!(
            "the file has more than {RECORDS_MAX} rows or objects: write it as several feeds"
        ));
    }
    let broken = match read {
        Ok(columns) => {
            for column in &columns {
                seen.note_column(column);
            }
            None
        }
        Err(error) => Some(show_text(&error, SENTENCE_SHOWN)),
    };
    if seen.records == 0 && broken.is_none() && map.list.is_some() {
        return Err(format!("the file has no list `{}`", list.join(".")));
    }
    Ok(Survey {
        seen,
        list,
        format,
        broken,
    })
}

/// The list of homes where no map names one.
fn find_list(source: &dyn Source, map: &Compiled, format: Format) -> Result<Vec<String>, String> {
    match format {
        Format::Csv | Format::JsonLines => Ok(Vec::new()),
        Format::Json => {
            let mut text = open_source(source, map.encoding)?.text;
            if begins_with_list(&mut text) {
                return Ok(Vec::new());
            }
            let lists: Vec<String> = find_lists(text)?.into_iter().collect();
            match &lists[..] {
                [] => Ok(Vec::new()),
                [only] => Ok(split_list(only)),
                several => Err(format!(
                    "the file has several lists, {}: write list = \"…\" with one of them into the map",
                    name_lists(several)
                )),
            }
        }
        Format::Xml => {
            let text = open_source(source, map.encoding)?.text;
            let found = find_elements(text)?;
            // The outermost elements that occur more than once, the most frequent of them; else the only one below the root.
            let depth = |path: &str| path.matches('.').count();
            let repeated = found.iter().filter(|(_, count)| **count > 1);
            let outermost = repeated.clone().map(|(path, _)| depth(path)).min();
            let most = repeated
                .filter(|(path, _)| Some(depth(path)) == outermost)
                .max_by_key(|(_, count)| **count);
            let only = || found.iter().find(|(path, _)| depth(path) == 0);
            let chosen = most.or_else(only).map(|(path, _)| split_list(path));
            chosen.ok_or_else(|| {
                "the file has no element that could be a home: write list = \"…\" into the map".to_owned()
            })
        }
    }
}

fn name_lists(lists: &[String]) -> String {
    let names = lists.iter().take(LISTS_SHOWN);
    let names: Vec<String> = names.map(|list| cut_letters(list, VALUE_SHOWN)).collect();
    names.join(", ")
}

/// Whether a document is a list itself, also one that breaks off.
fn begins_with_list(text: &mut impl BufRead) -> bool {
    let begins = text.fill_buf().unwrap_or_default();
    begins.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[')
}

/// The second pass: what the homes have in common. Its faults are those of the third.
fn count_feed(source: &dyn Source, survey: &Survey, plan: &Plan, atlas: &dyn Atlas) -> Result<Stats, String> {
    let (mut stats, none) = (Stats::default(), Stats::default());
    let around = Around {
        plan,
        atlas,
        stats: &none,
    };
    let mut count = |record: Record| -> Result<(), Stopped> {
        if let Ok(node) = &record.node {
            if let Some(id) = read_id(plan, node) {
                stats.note_id(&id);
            }
            stats.note_home(&build_home(around, node, record.line).home);
        }
        Ok(())
    };
    read_again(source, survey, &plan.map, &mut count)?;
    stats.close();
    Ok(stats)
}

/// A pass over a file whose end is known: where it broke before, it breaks again.
fn read_again(
    source: &dyn Source,
    survey: &Survey,
    map: &Compiled,
    take: &mut Take<'_>,
) -> Result<(), String> {
    match read_pass(source, map, &survey.list, take) {
        Ok(_) => Ok(()),
        Err(_broken) if survey.broken.is_some() => Ok(()),
        Err(error) => Err(error),
    }
}

fn read_pass(
    source: &dyn Source,
    map: &Compiled,
    list: &[String],
    take: &mut Take<'_>,
) -> Result<Vec<String>, String> {
    let paths: Vec<&Path> = map
        .columns
        .values()
        .flatten()
        .flat_map(|column| &column.paths)
        .collect();
    let is_wanted = |name: &str| {
        map.keeps_all
            || paths.iter().any(|path| path.leads_to(name))
            || find_column_field(name).is_some()
            || (paths.is_empty() && suggest_field(name).is_some())
    };
    let sheet = Sheet {
        separator: map.separator,
        is_wanted: &is_wanted,
        fill_down: &map.fill_down,
        skip: map
            .skip
            .iter()
            .map(|(column, beginnings)| (column.as_str(), &beginnings[..]))
            .collect(),
    };
    read_records(open_source(source, map.encoding)?, list, &sheet, take)
}

/// The third pass: hands homes on.
struct Reader<'a, 't> {
    around: Around<'a>,
    groups: Groups,
    summary: Summary,
    /// Columns with what is said of them once for a file.
    said: BTreeSet<(String, String)>,
    take: &'t mut dyn FnMut(Entry) -> Result<(), Stopped>,
}

impl Reader<'_, '_> {
    fn take_record(&mut self, record: Record, groups_rows: bool) -> Result<(), Stopped> {
        self.summary.records += 1;
        let line = record.line;
        let node = match record.node {
            Ok(node) => node,
            Err(reason) => {
                return self.hand_on(Whole {
                    line,
                    id: String::new(),
                    home: None,
                    is_left_out: false,
                    rejected: Vec::new(),
                    faults: vec![Fault::new(line, "", "", reason, Verdict::HomeRejected)],
                });
            }
        };
        let draft = build_home(self.around, &node, line);
        let whole = if groups_rows {
            let mut whole = self.groups.take_row(draft, self.around.stats);
            if self.groups.count_held() > ROWS_HELD_MAX {
                return Err(Stopped);
            }
            if self.summary.broken.is_some()
                && let Some(home) = whole.as_mut().and_then(|whole| whole.home.as_mut())
            {
                keep_unread(home);
            }
            whole
        } else {
            Some(self.groups.take_home(draft))
        };
        whole.map_or(Ok(()), |whole| self.hand_on(whole))
    }

    fn hand_on(&mut self, whole: Whole) -> Result<(), Stopped> {
        let Whole {
            line,
            id,
            home,
            is_left_out,
            mut faults,
            rejected: _,
        } = whole;
        let said = &mut self.said;
        faults.retain(|fault| {
            let is_once = [SIGN_OVERRULED, SEVERAL_VALUES].contains(&fault.reason.as_str());
            // The column without the room and the lease before it.
            let column = fault.path.rsplit(": ").next().unwrap_or_default();
            !is_once || said.insert((column.to_owned(), fault.reason.clone()))
        });
        let outcome = match home {
            Some(mut home) => {
                self.summary.taken += 1;
                bound_pictures(&mut home, &mut faults);
                let has_photos = home.rooms.iter().any(|room| !room.photos.is_empty());
                if home.photos.is_empty() && !has_photos {
                    faults.push(Fault::new(line, "photos", "", NO_PHOTO, Verdict::Warned));
                }
                Outcome::Taken(Box::new(home))
            }
            None if is_left_out => {
                self.summary.left_out += 1;
                Outcome::LeftOut
            }
            None => {
                self.summary.rejected += 1;
                Outcome::Rejected
            }
        };
        (self.take)(Entry {
            line,
            id,
            outcome,
            faults,
        })
    }
}

/// Takes away the pictures that are more than a home may have, and says so.
fn bound_pictures(home: &mut Home, faults: &mut Vec<Fault>) {
    let Home {
        line,
        photos,
        floor_plans,
        rooms,
        ..
    } = home;
    let own = [(*line, "photos", photos), (*line, "floor_plans", floor_plans)];
    let of_rooms = rooms.iter_mut().flat_map(|room| {
        [
            (room.line, "room_photos", &mut room.photos),
            (room.line, "room_plans", &mut room.floor_plans),
        ]
    });
    for (line, path, pictures) in own.into_iter().chain(of_rooms) {
        if let Some(first) = pictures.get(ITEMS_MAX) {
            let fault = Fault::new(line, path, &first.place, TOO_MANY_PICTURES, Verdict::Warned);
            faults.push(fault);
            pictures.truncate(ITEMS_MAX);
        }
    }
}
