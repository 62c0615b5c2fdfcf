//! A map bound to a file: every field with the columns that it is read from.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::fields::{Field, Level, Shape, find_column_field, find_field};
use crate::map::{Column, Compiled};
use crate::node::is_same_name;
use crate::path::Path;
use crate::seen::Seen;
use crate::source::Format;
use crate::suggest::suggest_field;
use crate::values::day::DayOrders;

/// Names that a sentence lists.
const NAMES_SHOWN: usize = 60;

/// The part of a record in which a path is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Home,
    Room,
    Lease,
}

/// A column with its paths, each within its part of the record.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    pub column: Column,
    pub paths: Vec<(Scope, Path)>,
}

/// How a file is read.
#[derive(Debug)]
pub(crate) struct Plan {
    pub map: Compiled,
    pub columns: BTreeMap<Field, Vec<Bound>>,
    /// Where rooms are listed within a record.
    pub rooms: Option<Path>,
    /// Where leases are listed: within a room where it says true, else within the record.
    pub leases: Option<(Path, bool)>,
    orders: BTreeMap<String, DayOrders>,
    pub today: NaiveDate,
    /// Columns that no field reads, each with the field it could be.
    pub unused: Vec<(String, Option<&'static str>)>,
}

/// Binds a map to what was seen of a file.
///
/// # Errors
/// One sentence that names the columns which the file lacks.
pub(crate) fn bind_map(map: Compiled, seen: &Seen, format: Format, today: NaiveDate) -> Result<Plan, String> {
    check_columns(&map, seen)?;
    let find_own = |names: &[String]| names.iter().find_map(|name| find_own_list(seen, name, format));
    let rooms = map.rooms.clone();
    let rooms = rooms.or_else(|| find_own(&["rooms.room".to_owned(), "rooms".to_owned()]));
    let leases = map.leases.clone().or_else(|| {
        let around = rooms.as_ref().map(|rooms| rooms.text.replace("[]", ""));
        let nested = around.map(|rooms| [format!("{rooms}.leases.lease"), format!("{rooms}.leases")]);
        let own = ["leases.lease".to_owned(), "leases".to_owned()];
        nested
            .and_then(|nested| find_own(&nested))
            .or_else(|| find_own(&own))
    });
    let mut plan = Plan {
        columns: BTreeMap::new(),
        rooms,
        leases: None,
        orders: BTreeMap::new(),
        today,
        unused: Vec::new(),
        map,
    };
    plan.leases = leases.map(|leases| {
        let within = plan.rooms.as_ref().and_then(|rooms| leases.strip_prefix(rooms));
        let is_within = within.is_some();
        (within.unwrap_or(leases), is_within)
    });
    let prefixes = plan.list_prefixes();
    for (field, columns) in plan.map.columns.clone() {
        let bound = columns
            .into_iter()
            .map(|column| bind_column(column, &prefixes))
            .collect();
        plan.columns.insert(field, bound);
    }
    bind_own_names(&mut plan, seen, format, &prefixes);
    if format != Format::Csv {
        bind_nested_names(&mut plan, seen, &prefixes);
    }
    for name in &seen.names {
        plan.orders
            .insert(crate::node::fold_name(&name.name), name.orders);
    }
    plan.unused = find_unused(&plan, seen);
    Ok(plan)
}

impl Plan {
    /// The columns of a field.
    pub(crate) fn bound(&self, field: Field) -> &[Bound] {
        self.columns.get(&field).map_or(&[][..], Vec::as_slice)
    }

    /// Whether a field is read from a part of the record, or from a part around it.
    pub(crate) fn reads_outside(&self, field: Field, scope: Scope) -> bool {
        let mut paths = self.bound(field).iter().flat_map(|bound| &bound.paths);
        paths.any(|(within, _)| match scope {
            Scope::Home => *within == Scope::Home,
            Scope::Room => *within != Scope::Lease,
            Scope::Lease => true,
        })
    }

    /// Whether several records are one home: rows with the id of a room or a lease.
    pub(crate) fn groups_rows(&self) -> bool {
        self.reads_outside(Field::RoomId, Scope::Home) || self.reads_outside(Field::LeaseId, Scope::Home)
    }

    /// How the days of a column are written.
    pub(crate) fn day_orders(&self, path: &Path) -> DayOrders {
        if let Some(order) = self.map.day_order {
            return DayOrders::only(order);
        }
        let name = crate::node::fold_name(&path.text.replace("[]", ""));
        self.orders.get(&name).copied().unwrap_or_default()
    }

    /// The paths of leases and rooms as the map writes them, the longer first.
    fn list_prefixes(&self) -> Vec<(Scope, Path)> {
        let mut prefixes = Vec::new();
        if let Some((leases, _)) = &self.leases {
            prefixes.push((Scope::Lease, Path::parse(&leases.text)));
        }
        if let Some(rooms) = &self.rooms {
            prefixes.push((Scope::Room, rooms.clone()));
        }
        prefixes
    }
}

fn bind_column(column: Column, prefixes: &[(Scope, Path)]) -> Bound {
    let paths = column.paths.iter().map(|path| {
        let within = prefixes
            .iter()
            .find_map(|(scope, prefix)| Some((*scope, path.strip_prefix(prefix)?)));
        within.unwrap_or_else(|| (Scope::Home, path.clone()))
    });
    Bound {
        paths: paths.collect(),
        column,
    }
}

/// A list of objects under the house's own name, where no map names another.
fn find_own_list(seen: &Seen, name: &str, format: Format) -> Option<Path> {
    let below = format!("{}.", name.to_lowercase());
    let is_there = |listed: &str| listed.to_lowercase().starts_with(&below);
    (format != Format::Csv && seen.names.iter().any(|seen| is_there(&seen.name))).then(|| Path::parse(name))
}

/// Reads fields without a map from the columns of their own names.
fn bind_own_names(plan: &mut Plan, seen: &Seen, format: Format, prefixes: &[(Scope, Path)]) {
    let mapped: BTreeSet<Field> = plan.columns.keys().copied().collect();
    let taken: Vec<Path> = plan
        .columns
        .values()
        .flatten()
        .flat_map(|bound| bound.column.paths.clone())
        .collect();
    let mut seen_before = BTreeSet::new();
    for name in &seen.names {
        // Of a nested record the first name: `bills` of `bills.wifi`.
        let column = find_own_column(&name.name, format, prefixes);
        if !seen_before.insert(column.clone()) {
            continue;
        }
        let Some((field, language)) = find_scoped_field(&column, prefixes) else {
            continue;
        };
        // An object of which the map reads a part is no value as a whole; a list of facilities still is.
        let below = format!("{column}.");
        let is_whole = format != Format::Csv && field.facts().shape != Shape::Many;
        let is_taken = taken.iter().any(|path| {
            let text = path.text.replace("[]", "");
            is_same_name(&text, &column) || (is_whole && text.starts_with(&below))
        });
        if is_taken || mapped.contains(&field) {
            continue;
        }
        let bound = bind_column(
            Column {
                paths: vec![Path::parse(&column)],
                language,
                ..Column::default()
            },
            prefixes,
        );
        plan.columns.entry(field).or_default().push(bound);
    }
}

/// The column that a name of the file belongs to: itself, or the value below the record or the list in which it lies.
fn find_own_column(name: &str, format: Format, prefixes: &[(Scope, Path)]) -> String {
    if format == Format::Csv {
        return name.to_owned();
    }
    for (_, prefix) in prefixes {
        let list = format!("{}.", prefix.text.replace("[]", ""));
        if let Some(rest) = name.strip_prefix(&list) {
            return format!("{list}{}", rest.split('.').next().unwrap_or(rest));
        }
    }
    name.split('.').next().unwrap_or(name).to_owned()
}

/// The field of a column; within rooms and leases also by its name without `room_` and `lease_`.
fn find_scoped_field(column: &str, prefixes: &[(Scope, Path)]) -> Option<(Field, Option<String>)> {
    let scope = prefixes.iter().find_map(|(scope, prefix)| {
        let list = format!("{}.", prefix.text.replace("[]", ""));
        Some((*scope, column.strip_prefix(&list)?))
    });
    let Some((scope, name)) = scope else {
        return find_column_field(column);
    };
    let (before, level) = match scope {
        Scope::Lease => ("lease_", Level::Lease),
        _ => ("room_", Level::Room),
    };
    let own = find_column_field(&format!("{before}{name}")).or_else(|| find_column_field(name))?;
    let own = (find_room_field(own.0), own.1);
    let fits = own.0.facts().level == level || (level == Level::Room && own.0.facts().level == Level::Lease);
    fits.then_some(own)
}

/// The fact of a room that has the name of one of its home.
const fn find_room_field(field: Field) -> Field {
    match field {
        Field::Name => Field::RoomName,
        Field::Facilities => Field::RoomFacilities,
        Field::Photos => Field::RoomPhotos,
        Field::FloorPlans => Field::RoomPlans,
        Field::Bedrooms => Field::RoomBedrooms,
        other => other,
    }
}

/// Fields that are read from deep inside a record where one name alone says them: `address.city`.
const NESTED: &[Field] = &[
    Field::Description,
    Field::Country,
    Field::City,
    Field::Address,
    Field::PostalCode,
    Field::Lat,
    Field::Lng,
    Field::Published,
    Field::Bedrooms,
    Field::Bathrooms,
    Field::MoveIn,
    Field::Currency,
    Field::Deposit,
];

fn bind_nested_names(plan: &mut Plan, seen: &Seen, prefixes: &[(Scope, Path)]) {
    for field in NESTED {
        if plan.columns.contains_key(field) {
            continue;
        }
        let names = seen.names.iter().filter(|name| {
            let path = Path::parse(&name.name);
            let is_apart = prefixes
                .iter()
                .all(|(_, prefix)| path.strip_prefix(prefix).is_none());
            let is_named = find_field(path.last_name()) == Some((*field, None));
            name.name.contains('.') && !name.is_listed && is_apart && is_named
        });
        let names: Vec<&str> = names.map(|name| name.name.as_str()).collect();
        // The field's own name before its other ones.
        let own: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| is_same_name(Path::parse(name).last_name(), field.facts().key))
            .collect();
        let (([name], _) | (_, [name])) = (&own[..], &names[..]) else {
            continue;
        };
        let column = Column {
            paths: vec![Path::parse(name)],
            ..Column::default()
        };
        plan.columns.insert(*field, vec![bind_column(column, prefixes)]);
    }
}

/// Stops at columns that the map names and the file lacks.
pub(crate) fn check_columns(map: &Compiled, seen: &Seen) -> Result<(), String> {
    if seen.names.is_empty() {
        return Ok(());
    }
    let has = |path: &Path| path.is_optional || seen.names.iter().any(|name| path.leads_to(&name.name));
    let mut missing = Vec::new();
    for (field, columns) in &map.columns {
        for path in columns.iter().flat_map(|column| &column.paths) {
            if !has(path) {
                missing.push(format!("`{}` (the map's `{}`)", path.text, field.facts().key));
            }
        }
    }
    for (path, name) in [(&map.rooms, "rooms"), (&map.leases, "leases")] {
        if let Some(path) = path.as_ref().filter(|path| !has(path)) {
            missing.push(format!("`{}` (the map's `{name}`)", path.text));
        }
    }
    for column in map.skip.keys() {
        if seen.find(column).is_none() {
            missing.push(format!("`{column}` (the map's `skip`)"));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = seen
        .names
        .iter()
        .take(NAMES_SHOWN)
        .map(|name| name.name.as_str())
        .collect();
    Err(format!(
        "the file has no column {}; it has: {}. A column that may be missing is written with a question mark behind it",
        missing.join(", no column "),
        names.join(", ")
    ))
}

fn find_unused(plan: &Plan, seen: &Seen) -> Vec<(String, Option<&'static str>)> {
    let used: Vec<Path> = plan
        .columns
        .values()
        .flatten()
        .flat_map(|bound| bound.column.paths.iter().cloned())
        .collect();
    let is_used = |name: &str| {
        used.iter().any(|path| path.leads_to(name))
            || plan.map.fill_down.iter().any(|column| is_same_name(column, name))
            || plan.map.skip.keys().any(|column| is_same_name(column, name))
    };
    let could_be = |name: &str| {
        let field = suggest_field(name)?;
        let is_free = !plan.columns.contains_key(&field) || field.facts().shape == Shape::Many;
        is_free.then_some(field.facts().key)
    };
    seen.names
        .iter()
        .filter(|seen| !is_used(&seen.name))
        .map(|seen| (seen.name.clone(), could_be(&seen.name)))
        .collect()
}
