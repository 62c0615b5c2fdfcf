//! Makes a home of one record: the facts of the property, its rooms, their leases. A lease that cannot be let goes alone; a room
//! without leases and a home without rooms go with it.

use crate::fault::{Fault, Verdict};
use crate::fields::Field;
use crate::home::{Home, Room, Status, Terms};
use crate::node::Node;
use crate::place::{Atlas, read_place};
use crate::plan::{Plan, Scope};
use crate::reading::Reading;
use crate::stats::Stats;
use crate::values::html::clean_line;
use crate::values::kind::{KindRead, is_kitchen, read_facility, read_kind, read_sharing, say_bathroom};
use crate::values::words::{read_purpose, read_status};

/// Rooms of one home, and leases of one room, beyond which a record is no home.
pub(crate) const ITEMS_MAX: usize = 2_000;
/// Letters of an id.
const ID_MAX: usize = 120;
/// Reasons that follow from those of the leases.
pub(crate) const NO_ROOM: &str = "no room of it can be let: see what is said of its rooms, leases and prices";
pub(crate) const NO_LEASE: &str = "the room has no lease that can be let";

/// A record as a home, before it meets the others of its file.
#[derive(Debug)]
pub(crate) struct Draft {
    pub home: Home,
    pub faults: Vec<Fault>,
}

impl Draft {
    /// The heaviest verdict on the home itself.
    pub(crate) fn verdict(&self) -> Verdict {
        let of_home = |verdict: &Verdict| matches!(verdict, Verdict::HomeRejected | Verdict::LeftOut);
        let verdicts = self.faults.iter().map(|fault| fault.verdict);
        verdicts.filter(of_home).max().unwrap_or(Verdict::Warned)
    }
}

/// Plan, places and figures that every record is read with.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub plan: &'a Plan,
    pub atlas: &'a dyn Atlas,
    pub stats: &'a Stats,
}

/// The id of a record's home, as the feed writes it.
pub(crate) fn read_id(plan: &Plan, record: &Node) -> Option<String> {
    let mut reading = Reading::of_home(plan, record, 0);
    reading.cell(Field::PropertyId).map(|cell| cell.text)
}

/// Reads a record.
pub(crate) fn build_home(around: Around<'_>, record: &Node, line: u64) -> Draft {
    let mut reading = Reading::of_home(around.plan, record, line);
    let id = reading.cell(Field::PropertyId);
    match &id {
        None => {
            let column = reading.column_names(Field::PropertyId);
            reading.wrong(
                &column,
                "",
                "no id is said: a home is known by it from one feed to the next",
            );
        }
        Some(cell) if cell.text.chars().count() > ID_MAX => {
            reading.wrong(
                &cell.path,
                &cell.text,
                format!("the id has more than {ID_MAX} letters"),
            );
        }
        Some(_) => {}
    }
    check_purpose(&mut reading);
    let place = read_place(&mut reading, around.atlas, around.stats);
    let name = reading.texts(Field::Name, true);
    if name.is_empty() {
        let column = reading.column_names(Field::Name);
        reading.wrong(&column, "", "no name is said");
    }
    let status = read_home_status(&mut reading);
    let mut home = Home {
        line,
        id: id.map(|cell| cell.text).unwrap_or_default(),
        name,
        kind: reading.text(Field::PropertyKind),
        provider: reading.text(Field::Provider),
        description: reading.texts(Field::Description, false),
        house_rules: reading.texts(Field::HouseRules, false),
        cancellation: reading.texts(Field::Cancellation, false),
        refund_policy: reading.texts(Field::RefundPolicy, false),
        directions: reading.texts(Field::Directions, false),
        place,
        facilities: reading.facilities(Field::Facilities),
        guarantor: reading.guarantor(),
        phone: reading.text(Field::Phone),
        email: reading.text(Field::Email),
        photos: reading.pictures(Field::Photos),
        floor_plans: reading.pictures(Field::FloorPlans),
        videos: reading.links(Field::Videos),
        tours: reading.links(Field::Tours),
        questions: reading.questions(),
        source_link: reading.links(Field::SourceLink).into_iter().next(),
        status,
        // Nought bedrooms say what the kind says: a studio has none apart.
        bedrooms: reading.count(Field::Bedrooms).filter(|count| *count > 0),
        half_bathrooms: read_bathrooms(&mut reading),
        ..Home::default()
    };
    let money = crate::price::money_context(&mut reading, home.place.country);
    home.bills = reading.bills(money.context());
    home.terms = read_terms(&mut reading, &money);
    let mut faults = std::mem::take(&mut reading.faults);
    (home.rooms, home.rejected_rooms) = build_rooms(around, record, &home, &mut faults);
    if home.rooms.is_empty() {
        let column = around.plan_column(Field::Price);
        faults.push(Fault::new(line, column, "", NO_ROOM, Verdict::HomeRejected));
    }
    Draft { home, faults }
}

impl Around<'_> {
    fn plan_column(&self, field: Field) -> String {
        Reading::of_home(self.plan, &Node::Null, 0).column_names(field)
    }
}

/// Refuses what is not for rent, what has run out, and leaves out what the feed does not publish.
fn check_purpose(reading: &mut Reading<'_>) {
    for value in reading.values(Field::Purpose) {
        let Some(scalar) = value.node.as_scalar() else {
            continue;
        };
        let word = reading.plan.map.translate(Field::Purpose, scalar.text);
        let path = crate::reading::describe_path(Field::Purpose, &value);
        match read_purpose(word) {
            Some(true) => {}
            Some(false) => reading.wrong(&path, scalar.text, "it is not for rent, and no student's home"),
            None if word.is_empty() => {}
            None => reading.warn(
                &path,
                scalar.text,
                "this purpose is not known: give it a meaning in the map's values, rent or sale",
            ),
        }
    }
    if reading.flag(Field::Published) == Some(false) {
        let column = reading.column_names(Field::Published);
        reading.note(&column, "false", "the feed does not publish it", Verdict::LeftOut);
    }
    if let Some(last) = reading.plain_day(Field::Expires)
        && last < reading.plan.today
    {
        let column = reading.column_names(Field::Expires);
        reading.wrong(&column, &last.to_string(), "the entry has run out");
    }
}

fn read_home_status(reading: &mut Reading<'_>) -> Option<Status> {
    let cell = reading.cell(Field::Status)?;
    let status = read_status(&cell.text);
    if status.is_none() {
        reading.warn(
            &cell.path,
            &cell.text,
            "this status is not known: give it a meaning in the map's values, such as active, paused, let or closed",
        );
    }
    status
}

/// Halves of bathrooms: `1.5`, or a whole number with a column of half ones.
fn read_bathrooms(reading: &mut Reading<'_>) -> Option<u32> {
    let cell = reading.cell(Field::Bathrooms);
    let halves = reading.count(Field::HalfBathrooms);
    let whole = cell.and_then(|cell| {
        let tenths = domain::typed_number::read_decimal(&cell.text, 1, None).ok();
        let tenths = tenths.and_then(|tenths| u32::try_from(tenths).ok());
        let halves = tenths.filter(|tenths| tenths % 5 == 0).map(|tenths| tenths / 5);
        if halves.is_none() {
            let reason = "it is no number of bathrooms, such as 1 or 1.5, and is not shown";
            reading.warn(&cell.path, &cell.text, reason);
        }
        halves
    });
    match (whole, halves) {
        (None, None) => None,
        (whole, halves) => Some(
            whole
                .unwrap_or_default()
                .saturating_add(halves.unwrap_or_default()),
        ),
    }
}

fn read_terms(reading: &mut Reading<'_>, money: &crate::price::Money) -> Terms {
    Terms {
        holding_fee: crate::price::read_fee(reading, Field::HoldingFee, money),
        platform_fee: crate::price::read_fee(reading, Field::PlatformFee, money),
        instalments: reading.count(Field::Instalments),
        no_visa_no_pay: reading.flag(Field::NoVisaNoPay),
        no_place_no_pay: reading.flag(Field::NoPlaceNoPay),
    }
}

/// The rooms of a record, those of its list, or the record itself where it says a price; then those that cannot be used.
fn build_rooms(
    around: Around<'_>,
    record: &Node,
    home: &Home,
    faults: &mut Vec<Fault>,
) -> (Vec<Room>, Vec<Room>) {
    let plan = around.plan;
    let listed: Vec<&Node> = plan.rooms.as_ref().map_or_else(Vec::new, |rooms| {
        let found = rooms.find(record).into_iter();
        found.flat_map(|found| found.node.items()).collect()
    });
    let (mut rooms, mut rejected) = (Vec::new(), Vec::new());
    let mut take = |built: Built| match built {
        Built::Taken(room) => rooms.push(*room),
        Built::Rejected(room) => rejected.push(*room),
        Built::Over => {}
    };
    if listed.is_empty() {
        if plan.rooms.is_none() || plan.reads_outside(Field::Price, Scope::Home) {
            take(build_room(around, record, None, home, String::new(), faults));
        } else {
            let reason = "no room is said";
            let path = plan.rooms.as_ref().map_or("", |rooms| rooms.text.as_str());
            faults.push(Fault::new(home.line, path, "", reason, Verdict::Warned));
        }
    }
    for (place, room) in listed.into_iter().take(ITEMS_MAX).enumerate() {
        let place = format!("room {}: ", place + 1);
        take(build_room(around, record, Some(room), home, place, faults));
    }
    (rooms, rejected)
}

/// The fate of a room of a record.
enum Built {
    Taken(Box<Room>),
    /// It has faults, or no lease without one.
    Rejected(Box<Room>),
    /// The time of all its leases is over.
    Over,
}

/// A room with its leases.
fn build_room(
    around: Around<'_>,
    record: &Node,
    node: Option<&Node>,
    home: &Home,
    place: String,
    faults: &mut Vec<Fault>,
) -> Built {
    let mut reading = Reading::of_home(around.plan, record, home.line);
    reading.room = node;
    reading.verdict = Verdict::RoomRejected;
    reading.place = place;
    let mut room = Room {
        line: home.line,
        key: reading.cell(Field::RoomId).map(|cell| cell.text),
        name: reading.texts(Field::RoomName, true),
        bed: reading.text(Field::Bed),
        floor: reading.text(Field::Floor),
        sleeps: reading.count(Field::Sleeps).filter(|count| *count > 0),
        gender: reading.text(Field::Gender),
        bedrooms: reading.count(Field::RoomBedrooms).filter(|count| *count > 0),
        total: reading.count(Field::RoomsTotal),
        free: reading.count(Field::RoomsFree),
        facilities: reading.facilities(Field::RoomFacilities),
        photos: reading.pictures(Field::RoomPhotos),
        floor_plans: reading.pictures(Field::RoomPlans),
        size_cm2: crate::size::read_size(&mut reading),
        ..Room::default()
    };
    read_room_kind(&mut reading, &mut room, home);
    if room.total == Some(0) {
        let column = reading.column_names(Field::RoomsTotal);
        reading.warn(
            &column,
            "0",
            "a room type without a room: how many there are is not shown",
        );
        room.total = None;
    }
    if let (Some(free), Some(total)) = (room.free, room.total)
        && free > total
    {
        let column = reading.column_names(Field::RoomsFree);
        let reason = format!("{free} are free of {total}: how many are free is not shown");
        reading.warn(&column, &free.to_string(), reason);
        room.free = None;
    }
    (room.leases, room.rejected_leases) = crate::lease::build_leases(around, &mut reading, home, &room);
    if room.leases.is_empty() {
        let column = reading.column_names(Field::Price);
        reading.wrong(&column, "", NO_LEASE);
    }
    let mut wrong = reading
        .faults
        .iter()
        .filter(|fault| fault.verdict >= Verdict::RoomRejected)
        .peekable();
    let built = if wrong.peek().is_none() {
        Built::Taken(Box::new(room))
    } else if room.rejected_leases.is_empty() && wrong.all(|fault| fault.reason == NO_LEASE) {
        Built::Over
    } else {
        Built::Rejected(Box::new(room))
    };
    faults.append(&mut reading.faults);
    built
}

/// The kind by its word, then by what is said of bathroom and kitchen.
fn read_room_kind(reading: &mut Reading<'_>, room: &mut Room, home: &Home) {
    let cell = reading.cell(Field::RoomType);
    if let Some(cell) = &cell {
        match read_kind(&cell.text) {
            KindRead::Kind(kind, bedrooms) => {
                room.kind = Some(kind);
                room.bedrooms = room.bedrooms.or(bedrooms);
            }
            KindRead::NoHome => reading.note(&cell.path, &cell.text, "it is no home", Verdict::HomeRejected),
            KindRead::Unknown => reading.warn(
                &cell.path,
                &cell.text,
                "this kind of room is not known and not shown: give it a meaning in the map's values, such as ensuite_room",
            ),
        }
        if room.name.is_empty() && !cell.is_number && !cell.is_constant {
            name_by_kind(reading, room);
        }
    }
    let mut around_it = home.facilities.iter().chain(&room.facilities);
    let has_kitchen = around_it.any(|facility| facility.is_there && is_kitchen(&facility.words));
    let mut kind = room.kind.unwrap_or_default();
    for facility in room.facilities.iter().filter(|facility| facility.is_there) {
        let (bathroom, kitchen) = read_facility(&facility.words);
        if let Some(bathroom) = bathroom {
            say_bathroom(&mut kind, bathroom);
        }
        kind.attributes.kitchen = kitchen.or(kind.attributes.kitchen);
    }
    if let Some(cell) = reading.cell(Field::RoomBathroom) {
        if let Some(bathroom) = read_sharing(&cell.text) {
            say_bathroom(&mut kind, bathroom);
        } else if kind.is_entire {
            kind.attributes.bathroom = Some(domain::room::Sharing::Private);
        }
    }
    if let Some(kitchen) = reading
        .cell(Field::RoomKitchen)
        .and_then(|cell| read_sharing(&cell.text))
    {
        kind.attributes.kitchen = Some(kitchen);
    } else if kind.is_entire && has_kitchen {
        kind.attributes.kitchen = Some(domain::room::Sharing::Private);
    }
    room.kind = (kind != crate::home::RoomKind::default()).then_some(kind);
}

/// A room without a name is called by the feed's own word for its kind.
fn name_by_kind(reading: &mut Reading<'_>, room: &mut Room) {
    // The word before the map gives it a meaning.
    let value = reading.values(Field::RoomType).into_iter().next();
    let word = value.and_then(|value| value.node.as_scalar().map(|scalar| clean_line(scalar.text)));
    // A code such as `private_room` or `CONDO` is no name.
    let is_code = |word: &str| word.contains('_') || word.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_name = |word: &String| word.chars().any(char::is_alphabetic) && !is_code(word);
    if let Some(word) = word.filter(is_name) {
        room.name.insert(reading.plan.map.language.clone(), word);
    }
}
