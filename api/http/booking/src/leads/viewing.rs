//! When somebody would like to see a home (D63, D87).

use chrono::{DateTime, NaiveDate, NaiveTime, TimeZone};
use chrono_tz::Tz;
use domain::calendar;
use domain::contact::{FaultCode, FieldFault};
use domain::id::RegionId;
use domain::lead::{Lead, ViewingRequest};
use domain::moment::Moment;
use http_kit::error::ApiResult;
use records::Records;
use records::listing::{self, Listing};
use search_index::SearchIndex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Nobody plans a tour further ahead.
const DAYS_AHEAD: i64 = 366;

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ViewingDetails {
    #[serde(default)]
    pub date: String,
    #[serde(default)]
    pub slot: String,
    #[serde(default)]
    pub timezone: String,
    #[serde(default)]
    pub mode: String,
}

/// The time zone of a home or region, where either is known (D63).
pub(super) fn zone_of(
    catalogue: &SearchIndex,
    listing: Option<&Listing>,
    region: Option<RegionId>,
) -> Option<Tz> {
    let places = catalogue.places();
    let place = places.get(listing.map(|listing| listing.region).or(region)?)?;
    place.details.time_zone.parse().ok()
}

/// The same for a lead that is there already.
///
/// # Errors
/// When the lead's home cannot be read.
pub(super) async fn zone_of_lead(records: &Records, lead: &Lead) -> ApiResult<Option<Tz>> {
    let Some(sent) = lead.submission.as_deref() else {
        return Ok(None);
    };
    let listing = match sent.inventory_id {
        Some(id) => listing::find(records, &id.to_string()).await?,
        None => None,
    };
    Ok(zone_of(&records.catalogue, listing.as_ref(), sent.region_id))
}

/// D63: half hours from 09:00 to 18:00, both included, that are still to come by the clock of the place. `place` is its time
/// zone: it is kept with the viewing, and another zone is refused unless its clock shows the same then. Where no place is known
/// the sender says the zone.
pub fn check_viewing(
    details: &ViewingDetails,
    now: Moment,
    place: Option<Tz>,
    faults: &mut Vec<FieldFault>,
) -> Option<ViewingRequest> {
    let mut fault = |field: &str, code| {
        let path = format!("data/property_view_request_details/{field}");
        faults.push(FieldFault::new(path, code));
    };
    let said = details.timezone.trim();
    let asked: Option<Tz> = said.parse().ok();
    let zone = place.or(asked);
    let today = zone.map_or_else(|| now.date_naive(), |zone| now.with_timezone(&zone).date_naive());
    let date = match calendar::read_day(details.date.trim()) {
        None => Err(FaultCode::DateFormat),
        Some(date) if date < today => Err(FaultCode::DatePast),
        Some(date) if (date - today).num_days() > DAYS_AHEAD => Err(FaultCode::DateFar),
        Some(date) => Ok(date),
    };
    let date = date.map_err(|code| fault("date", code)).ok();
    let time = slot_time(&details.slot);
    let begins = |zone: Tz| begins_at(zone, date?, time?);
    let start = zone.and_then(begins);
    let over = start.is_some_and(|start| start <= now);
    if time.is_none() {
        fault("slot", FaultCode::Slot);
    } else if over {
        fault("slot", FaultCode::SlotPast);
    }
    let zone = match (zone, asked) {
        (Some(zone), None) if said.is_empty() => Some(zone),
        (Some(zone), Some(asked)) if asked == zone || same_clock(start, begins(asked)) => Some(zone),
        (Some(_), Some(_)) => {
            fault("timezone", FaultCode::TimeZone);
            None
        }
        (_, None) => {
            fault("timezone", FaultCode::Choice);
            None
        }
        (None, Some(asked)) => Some(asked),
    };
    let known_mode = matches!(details.mode.as_str(), "virtual" | "in_person");
    if !known_mode {
        fault("mode", FaultCode::Choice);
    }
    let (date, _, zone) = (date?, time.filter(|_| !over)?, zone?);
    known_mode.then(|| ViewingRequest {
        date: date.to_string(),
        slot: details.slot.clone(),
        timezone: zone.name().to_owned(),
        mode: details.mode.clone(),
    })
}

/// When the clock of a zone begins to show a time: the later instant where it shows it twice, none where it skips it. The page shows a
/// student the same on their own clock (`web/src/zoneClock.ts`).
fn begins_at(zone: Tz, date: NaiveDate, time: NaiveTime) -> Option<DateTime<Tz>> {
    zone.from_local_datetime(&date.and_time(time)).latest()
}

/// Two names of one zone show the same time.
fn same_clock(one: Option<DateTime<Tz>>, other: Option<DateTime<Tz>>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one == other)
}

fn slot_time(slot: &str) -> Option<NaiveTime> {
    let hours = (9..=18).flat_map(|hour| [(hour, 0), (hour, 30)]);
    hours
        .filter(|at| *at != (18, 30))
        .find(|(hour, minute)| slot == format!("{hour:02}:{minute:02}"))
        .and_then(|(hour, minute)| NaiveTime::from_hms_opt(hour, minute, 0))
}

#[cfg(test)]
mod tests {
    use chrono::Offset as _;

    use super::*;

    /// Cases that the browser's clocks are tested with too (`web/src/calendar.test.ts`), every day of ten years. When the time zone data
    /// of `chrono-tz` changes what a served zone does, the right values are in the failure.
    #[test]
    fn times_begin_as_the_shared_cases_say() {
        let cases: serde_json::Value =
            serde_json::from_str(include_str!("../../../../../domain/cases/calendar.json")).unwrap();
        let list = |value: &serde_json::Value| value.as_array().unwrap().clone();
        let time =
            |text: &serde_json::Value| NaiveTime::parse_from_str(text.as_str().unwrap(), "%H:%M").unwrap();
        for case in list(&cases["begins"]) {
            let zone: Tz = case[0].as_str().unwrap().parse().unwrap();
            let begins = begins_at(zone, case[1].as_str().unwrap().parse().unwrap(), time(&case[2]));
            let begins = begins.map(|at| at.to_utc().format("%Y-%m-%dT%H:%MZ").to_string());
            assert_eq!(serde_json::json!(begins), case[3], "{case}");
        }
        let first: NaiveDate = cases["first"].as_str().unwrap().parse().unwrap();
        let days = usize::try_from(cases["days"].as_u64().unwrap()).unwrap();
        let times: Vec<NaiveTime> = list(&cases["times"]).iter().map(time).collect();
        for (group, name) in list(&cases["clocks"])
            .iter()
            .flat_map(|group| list(&group["zones"]).into_iter().map(move |name| (group, name)))
        {
            let zone: Tz = name.as_str().unwrap().parse().unwrap();
            let mut digest = 0_u32;
            for date in first.iter_days().take(days) {
                for time in &times {
                    let minute = begins_at(zone, date, *time).map_or(0, |at| at.timestamp() / 60);
                    digest = digest
                        .wrapping_mul(31)
                        .wrapping_add(u32::try_from(minute).unwrap());
                }
            }
            let offsets = offsets_of(zone, group["offsets"][0][0].as_i64().unwrap(), days);
            assert_eq!(
                (digest, offsets.as_slice()),
                (
                    u32::try_from(group["digest"].as_u64().unwrap()).unwrap(),
                    read_offsets(group).as_slice(),
                ),
                "{zone}"
            );
        }
    }

    type Offset = (i64, i64);

    fn read_offsets(group: &serde_json::Value) -> Vec<Offset> {
        let pair = |pair: &serde_json::Value| (pair[0].as_i64().unwrap(), pair[1].as_i64().unwrap());
        group["offsets"].as_array().unwrap().iter().map(pair).collect()
    }

    /// How many minutes a zone is ahead of UTC from which minute since 1970 on.
    fn offsets_of(zone: Tz, first: i64, days: usize) -> Vec<Offset> {
        let at = |minute: i64| {
            let instant = DateTime::from_timestamp(minute * 60, 0).unwrap().naive_utc();
            i64::from(zone.offset_from_utc_datetime(&instant).fix().local_minus_utc() / 60)
        };
        let last = first + i64::try_from(days).unwrap() * 24 * 60;
        let mut offsets = vec![(first, at(first))];
        for day in (first..last).step_by(24 * 60) {
            let next = day + 24 * 60;
            if at(day) != at(next) {
                let changed = (day..=next).find(|minute| at(*minute) != at(day)).unwrap();
                offsets.push((changed, at(changed)));
            }
        }
        offsets
    }

    #[test]
    fn there_are_nineteen_slots_a_day() {
        let all = (0..24).flat_map(|hour| (0..60).map(move |minute| format!("{hour:02}:{minute:02}")));
        let slots: Vec<String> = all.filter(|slot| slot_time(slot).is_some()).collect();
        assert_eq!(
            (slots.len(), slots[0].as_str(), slots[18].as_str()),
            (19, "09:00", "18:00")
        );
        assert_eq!(slot_time("+9:00"), None);
    }

    #[test]
    fn a_half_hour_is_over_by_the_clock_it_is_named_for() {
        let now: Moment = "2026-11-20T16:01:00Z".parse().unwrap();
        let asked = |date: &str, slot: &str, timezone: &str| {
            let details = ViewingDetails {
                date: date.into(),
                slot: slot.into(),
                timezone: timezone.into(),
                mode: "virtual".into(),
            };
            let mut faults = Vec::new();
            check_viewing(&details, now, None, &mut faults);
            faults.first().map(|fault| fault.code)
        };
        assert_eq!(
            asked("2026-11-20", "09:00", "Europe/London"),
            Some(FaultCode::SlotPast)
        );
        assert_eq!(asked("2026-11-20", "16:30", "Europe/London"), None);
        assert_eq!(asked("2026-11-20", "09:00", "America/Los_Angeles"), None);
        assert_eq!(
            asked("2026-11-20", "18:00", "Australia/Sydney"),
            Some(FaultCode::DatePast)
        );
        assert_eq!(
            asked("9999-12-31", "09:00", "Europe/London"),
            Some(FaultCode::DateFar)
        );
        assert_eq!(
            asked("2026-11-21", "09:00", "Nowhere/Land"),
            Some(FaultCode::Choice)
        );
    }

    #[test]
    fn a_viewing_is_kept_in_the_zone_of_the_place() {
        let now: Moment = "2026-11-20T16:01:00Z".parse().unwrap();
        let asked = |timezone: &str| {
            let details = ViewingDetails {
                date: "2026-11-24".into(),
                slot: "10:30".into(),
                timezone: timezone.into(),
                mode: "virtual".into(),
            };
            let mut faults = Vec::new();
            let viewing = check_viewing(&details, now, Some(Tz::Asia__Kolkata), &mut faults);
            viewing
                .map(|viewing| viewing.timezone)
                .ok_or_else(|| faults[0].code)
        };
        for same in ["", "Asia/Kolkata", "Asia/Calcutta"] {
            assert_eq!(asked(same).as_deref(), Ok("Asia/Kolkata"), "{same}");
        }
        assert_eq!(asked("Europe/London"), Err(FaultCode::TimeZone));
        assert_eq!(asked("Nowhere/Land"), Err(FaultCode::Choice));
    }
}
