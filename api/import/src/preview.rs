//! The first homes of a feed as a student would see them, before anything is written: what nobody said is named, since it will not be
//! shown (decision 0042).

use std::collections::BTreeMap;

use chrono::NaiveDate;
use domain::inventory::property::{Guarantor, PropertyDetails};
use domain::language::Language;
use eventlog::EventLog;
use feeds::{Entry, Fault, FeedColumn, FeedMap, Format, Home, Outcome, Verdict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::home::Listing;
use crate::importer::{Importer, describe_verdict};
use crate::rooms::OfferedRoom;
use crate::run::RunMark;
use crate::upload::{UploadedFile, VerdictLine};
use crate::{Run, begin_reading};

/// Homes that are shown.
const HOMES_MAX: usize = 3;
/// Homes that are read for faults.
const CHECKED_MAX: u64 = 500;
/// Faults that are shown.
const FAULTS_MAX: usize = 20;
/// Remarks on one home.
const NOTES_MAX: usize = 20;

/// A file as the person sees it who maps it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FeedLook {
    /// `csv`, `json`, `json_lines` or `xml`.
    pub format: String,
    /// Where the homes were found: the path of a list, or nothing.
    pub list: String,
    /// Rows or objects.
    pub records: u64,
    /// The file is written in another encoding than the map says.
    pub has_unreadable_letters: bool,
    pub columns: Vec<FeedColumn>,
    /// The first homes that would be taken.
    pub homes: Vec<PreviewHome>,
    /// The first faults of the homes that were checked.
    pub rejected: Vec<VerdictLine>,
    /// Homes that were checked.
    pub checked: u64,
}

/// A home as it would be shown.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PreviewHome {
    pub line: u64,
    /// Its id in the feed.
    pub id: String,
    pub name: String,
    /// Names in other languages, by their tags.
    pub names: BTreeMap<String, String>,
    pub kind: Option<String>,
    pub city: String,
    pub area: Option<String>,
    /// ISO 3166 code of two letters.
    pub country: String,
    pub street: Option<String>,
    pub postal_code: Option<String>,
    pub has_point: bool,
    /// Photos of the home and its rooms.
    pub photos: u64,
    pub plans: u64,
    /// As the feed names it; it is not fetched before the import.
    pub first_photo: Option<String>,
    /// ISO 4217 code.
    pub currency: String,
    pub decimals: u32,
    /// `weekly` or `monthly`: what prices are for.
    pub period: String,
    pub from_minor: Option<u64>,
    pub description: String,
    /// Keys of facilities.
    pub facilities: Vec<String>,
    /// `included` or `apart`.
    pub bills: Option<String>,
    /// `local`, `international` or `not_required`.
    pub guarantor: Option<String>,
    /// 0 where the feed says that there is none.
    pub deposit_minor: Option<u64>,
    /// Hundredths of one period's price.
    pub deposit_percent: Option<u32>,
    pub instalments: Option<u8>,
    pub rooms: Vec<PreviewRoom>,
    /// Words for what nobody said: `photos`, `description`, `address`, `point`, `facilities`, `bills`, `deposit`, `guarantor`, `kind`,
    /// `room_size`, `room_count`.
    pub not_said: Vec<String>,
    pub notes: Vec<VerdictLine>,
}

/// A room type as it would be shown.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PreviewRoom {
    pub name: String,
    /// The words of its filters.
    pub types: Vec<String>,
    /// Rooms of this type, where the feed says it.
    pub count: Option<u32>,
    pub size_sqm: Option<u16>,
    pub photos: u64,
    pub from_minor: Option<u64>,
    pub stays: Vec<PreviewStay>,
    /// The feed has it, and it cannot be used.
    pub is_rejected: bool,
}

/// A stay that can be booked.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PreviewStay {
    /// `2027-09-11`.
    pub move_in: String,
    /// `44 weeks`.
    pub length: String,
    pub price_minor: u64,
    pub free: u32,
}

/// Looks at an uploaded file under a map; writes nothing.
///
/// # Errors
/// One sentence where the file cannot be read, or the map does not fit it.
pub async fn look_at_feed(
    log: &EventLog,
    file: &UploadedFile,
    map: &FeedMap,
    today: NaiveDate,
) -> Result<FeedLook, String> {
    let (source, columns) = (file.clone(), map.clone());
    let listed = tokio::task::spawn_blocking(move || feeds::list_columns(&source, &columns, today)).await;
    let listed = listed.map_err(|error| error.to_string())??;
    let first = read_first(log, file, map, today).await?;
    Ok(FeedLook {
        format: name_format(listed.format).to_owned(),
        list: listed.list,
        records: listed.records,
        has_unreadable_letters: listed.has_unreadable_letters,
        columns: listed.columns,
        homes: first.homes,
        rejected: first.rejected,
        checked: first.checked,
    })
}

const fn name_format(format: Format) -> &'static str {
    match format {
        Format::Csv => "csv",
        Format::Json => "json",
        Format::JsonLines => "json_lines",
        Format::Xml => "xml",
    }
}

/// The first homes of a file, and what is wrong with them.
#[derive(Default)]
struct FirstHomes {
    homes: Vec<PreviewHome>,
    rejected: Vec<VerdictLine>,
    checked: u64,
}

async fn read_first(
    log: &EventLog,
    file: &UploadedFile,
    map: &FeedMap,
    today: NaiveDate,
) -> Result<FirstHomes, String> {
    let run = Run { today, dry_run: true };
    let mut importer = Importer::new(log, &map.feed, (run, RunMark::new())).await?;
    let (mut receiver, reader) = begin_reading(&importer, file.clone(), map, today);
    let mut first = FirstHomes::default();
    while let Some(entry) = receiver.recv().await {
        first.take_entry(&mut importer, entry);
        if first.checked >= CHECKED_MAX {
            break;
        }
    }
    // A reader that waits for its turn ends with this.
    drop(receiver);
    let read = reader.await.map_err(|error| error.to_string())?;
    match read {
        Err(reason) if first.checked == 0 => Err(reason),
        Err(_) | Ok(_) => Ok(first),
    }
}

impl FirstHomes {
    fn take_entry(&mut self, importer: &mut Importer<'_>, entry: Entry) {
        let Entry {
            id,
            outcome,
            mut faults,
            ..
        } = entry;
        self.checked += 1;
        if let Outcome::Taken(home) = outcome
            && let Some(listing) = importer.read_home(&home, &mut faults)
            && self.homes.len() < HOMES_MAX
        {
            self.homes.push(describe_home(&home, &listing, &faults));
        }
        let rejected = faults
            .iter()
            .filter(|fault| fault.verdict >= Verdict::LeaseRejected);
        let lacking = FAULTS_MAX.saturating_sub(self.rejected.len());
        self.rejected
            .extend(rejected.take(lacking).map(|fault| show_fault(&id, fault)));
    }
}

fn show_fault(id: &str, fault: &Fault) -> VerdictLine {
    VerdictLine {
        line: fault.line,
        home: id.to_owned(),
        outcome: describe_verdict(fault.verdict).to_owned(),
        path: fault.path.clone(),
        value: fault.value.clone(),
        reason: fault.reason.clone(),
    }
}

fn describe_home(home: &Home, listing: &Listing, faults: &[Fault]) -> PreviewHome {
    let (property, english) = (&listing.property, Language::default().code());
    let rooms: Vec<PreviewRoom> = listing.rooms.iter().map(describe_room).collect();
    let media = || listing.rooms.iter().map(|room| &room.details.media);
    let pictures = || std::iter::once(&property.media).chain(media());
    let terms = &property.terms;
    let deposit = terms.deposit_minor;
    PreviewHome {
        line: home.line,
        id: home.id.clone(),
        name: property.name.clone(),
        names: property
            .local_names
            .texts()
            .map(|(tag, name)| (tag.to_owned(), name.to_owned()))
            .collect(),
        kind: property.kind.map(|kind| kind.key().to_owned()),
        city: home.place.city.clone().unwrap_or_default(),
        area: home.place.area.clone(),
        country: property.country.iso().to_owned(),
        street: home.place.street.clone(),
        postal_code: home.place.postal_code.clone(),
        has_point: property.coordinates.is_some(),
        photos: pictures().map(|media| media.photos.len() as u64).sum(),
        plans: pictures().map(|media| media.plans.len() as u64).sum(),
        first_photo: pictures()
            .flat_map(|media| &media.photos)
            .next()
            .map(|photo| photo.place.clone()),
        currency: property.currency.code().to_owned(),
        decimals: property.currency.decimals(),
        period: property.period.key().to_owned(),
        from_minor: rooms.iter().filter_map(|room| room.from_minor).min(),
        description: property.description.in_language(english).to_owned(),
        facilities: property
            .features
            .iter()
            .map(|feature| feature.key.clone())
            .collect(),
        bills: property.facts.bills_included.map(name_bills),
        guarantor: property
            .guarantor
            .map(|guarantor| name_guarantor(guarantor).to_owned()),
        deposit_minor: (deposit > 0 || terms.asks_no_deposit).then_some(deposit),
        deposit_percent: Some(terms.deposit_multiplier_percent).filter(|percent| *percent > 0),
        instalments: Some(property.policy.instalments).filter(|count| *count > 0),
        not_said: list_unsaid(property, &listing.rooms),
        rooms,
        notes: faults
            .iter()
            .filter(|fault| fault.verdict == Verdict::Warned)
            .take(NOTES_MAX)
            .map(|fault| show_fault(&home.id, fault))
            .collect(),
    }
}

fn name_bills(are_included: bool) -> String {
    let word = if are_included { "included" } else { "apart" };
    word.to_owned()
}

const fn name_guarantor(guarantor: Guarantor) -> &'static str {
    match guarantor {
        Guarantor::Local => "local",
        Guarantor::International => "international",
        Guarantor::NotRequired => "not_required",
    }
}

fn describe_room(room: &OfferedRoom) -> PreviewRoom {
    let (details, offer) = (&room.details, &room.offer);
    let free = offer.leases.iter().map(|lease| lease.rooms_available).max();
    let lowest = offer.leases.iter().map(|lease| lease.price_minor).min();
    PreviewRoom {
        name: details.name.in_language(Language::default().code()).to_owned(),
        types: details
            .attributes
            .meta_types()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        count: offer.rooms.or(free.filter(|_| offer.is_count_said)),
        size_sqm: details.area_sqm,
        photos: details.media.photos.len() as u64,
        from_minor: lowest.or(details.asked_minor),
        stays: offer
            .leases
            .iter()
            .map(|lease| PreviewStay {
                move_in: lease.move_in.to_string(),
                length: lease.length.to_string(),
                price_minor: lease.price_minor,
                free: lease.rooms_available,
            })
            .collect(),
        is_rejected: room.is_rejected,
    }
}

/// A room whose feed says how many there are, or how many are free.
const fn names_count(room: &OfferedRoom) -> bool {
    room.offer.rooms.is_some() || room.offer.is_count_said
}

/// Words for the facts that students look for and nobody said.
fn list_unsaid(property: &PropertyDetails, rooms: &[OfferedRoom]) -> Vec<String> {
    let has_photos =
        !property.media.photos.is_empty() || rooms.iter().any(|room| !room.details.media.photos.is_empty());
    let names_deposit = property.terms.names_deposit()
        || rooms
            .iter()
            .flat_map(|room| &room.offer.leases)
            .any(|lease| lease.terms.deposit_minor.is_some());
    let facts = [
        ("photos", has_photos),
        ("description", !property.description.is_blank()),
        ("address", property.address.route.is_some()),
        ("point", property.coordinates.is_some()),
        ("facilities", !property.features.is_empty()),
        ("bills", property.facts.bills_included.is_some()),
        ("deposit", names_deposit),
        ("guarantor", property.guarantor.is_some()),
        ("kind", property.kind.is_some()),
        (
            "room_size",
            rooms.iter().all(|room| room.details.area_sqm.is_some()),
        ),
        ("room_count", rooms.iter().all(names_count)),
    ];
    let unsaid = facts.into_iter().filter(|(_, is_said)| !is_said);
    unsaid.map(|(word, _)| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const HOMES: &str = "property_id,room_id,name,country,city,lat,lng,room_type,rooms_total,price,currency,price_per,move_in,length\n\
        q-1,e,Queen House,GB,Leeds,53.8080,-1.5550,ensuite room,6,185,GBP,week,2027-09-11,44 weeks\n\
        q-1,s,Queen House,GB,Leeds,53.8080,-1.5550,studio,,245,GBP,week,2027-09-11,44 weeks\n\
        q-2,r,Mill Yard,GB,Leeds,-33.8,-1.5480,shared room,4,120,GBP,week,2027-09-11,44 weeks\n";

    #[tokio::test]
    async fn first_homes_name_what_nobody_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("homes.csv");
        std::fs::write(&path, HOMES).unwrap();
        let file = UploadedFile::new(path, Arc::default());
        let (log, today) = (EventLog::memory(), "2026-11-27".parse().unwrap());
        let look = look_at_feed(&log, &file, &FeedMap::default(), today)
            .await
            .unwrap();
        assert_eq!((look.format.as_str(), look.records, look.checked), ("csv", 3, 2));
        let [home] = &look.homes[..] else {
            panic!("{:?}", look.homes)
        };
        assert_eq!(
            (home.name.as_str(), home.city.as_str(), home.from_minor),
            ("Queen House", "Leeds", Some(18_500))
        );
        let rooms: Vec<_> = home
            .rooms
            .iter()
            .map(|room| (room.count, room.stays.len()))
            .collect();
        assert_eq!(rooms, [(Some(6), 1), (None, 1)]);
        for unsaid in ["photos", "bills", "deposit", "room_count"] {
            assert!(
                home.not_said.iter().any(|word| word == unsaid),
                "{:?}",
                home.not_said
            );
        }
        assert!(!home.not_said.iter().any(|word| word == "point"));
        assert_eq!(look.rejected[0].home, "q-2", "{:?}", look.rejected);
        assert_eq!(log.read_all(0, 10).await.unwrap().len(), 0, "nothing is written");
    }
}
