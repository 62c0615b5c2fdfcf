//! The wished day of moving in is still to come and within three years, or one from which the home itself lets a room.

use chrono::{Days, Months, NaiveDate};
use domain::calendar;
use domain::contact::{FaultCode, FieldFault};
use domain::country::Country;
use domain::id::RegionId;
use domain::lead::Lead;
use domain::moment::Moment;
use http_kit::error::ApiResult;
use platform::{clock, country_zone};
use records::Records;
use records::listing::{self, Listing};
use search_index::SearchIndex;

/// How far ahead a day may be that the home does not let from: the catalogue sells two academic years.
const MONTHS_AHEAD: Months = Months::new(36);

/// Fault of the given day, if there is one.
pub(super) fn fault(
    catalogue: &SearchIndex,
    said: Option<&String>,
    listing: Option<&Listing>,
    region: Option<RegionId>,
) -> Option<FieldFault> {
    let country = listing.map(|listing| listing.country).or_else(|| {
        let places = catalogue.places();
        Some(places.get(region?)?.details.country)
    });
    let begins = listing.map_or(&[][..], |listing| &listing.begins);
    let code = out_of_range(said?.trim(), today(clock::now(), country), begins)?;
    Some(FieldFault::new("data/move_in_date", code))
}

/// The same for a lead that is changed. What was said before stands, even when it is over by now.
///
/// # Errors
/// When the lead's home cannot be read.
pub(super) async fn fault_of_change(
    records: &Records,
    lead: &Lead,
    said: Option<&String>,
) -> ApiResult<Option<FieldFault>> {
    let before = lead.wish.move_in_date.as_deref().map(calendar::in_form_of_today);
    if said.map(|day| day.trim()) == before.as_deref() {
        return Ok(None);
    }
    let sent = lead.submission.as_deref();
    let listing = match sent.and_then(|sent| sent.inventory_id) {
        Some(id) => listing::find(records, &id.to_string()).await?,
        None => None,
    };
    let region = sent.and_then(|sent| sent.region_id);
    Ok(fault(&records.catalogue, said, listing.as_ref(), region))
}

/// A day or a month; a quarter has no year, and what is neither is refused for its form.
fn out_of_range(said: &str, today: NaiveDate, begins: &[NaiveDate]) -> Option<FaultCode> {
    // The first day that is meant, and the first one that is not any more.
    let (first, after, is_let) = match (calendar::read_day(said), calendar::read_month(said)) {
        (Some(day), _) => (day, day.checked_add_days(Days::new(1)), begins.contains(&day)),
        (None, Some(month)) => {
            let lets = |day: &NaiveDate| day.format("%Y-%m").to_string() == said;
            let after = month.checked_add_months(Months::new(1));
            (month, after, begins.iter().any(lets))
        }
        (None, None) => return None,
    };
    let furthest = today.checked_add_months(MONTHS_AHEAD);
    if is_let {
        None
    } else if after.is_some_and(|after| after <= today) {
        Some(FaultCode::DatePast)
    } else {
        furthest
            .is_none_or(|furthest| first > furthest)
            .then_some(FaultCode::DateBeyond)
    }
}

/// The day it is where a home lies; without a home or a region, where a day ends last.
fn today(now: Moment, country: Option<Country>) -> NaiveDate {
    now.with_timezone(&country_zone::westernmost(country.unwrap_or(Country::Us)))
        .date_naive()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn days_and_months_are_over_quarters_never() {
        let today = day("2026-11-22");
        for said in ["1999-01-01", "2026-11-21", "2026-10", "0001-01"] {
            assert_eq!(
                out_of_range(said, today, &[]),
                Some(FaultCode::DatePast),
                "{said}"
            );
        }
        for said in [
            "2026-11-22",
            "2026-11",
            "2027-01",
            "2029-11-22",
            "january_to_march",
            "soon",
        ] {
            assert_eq!(out_of_range(said, today, &[]), None, "{said}");
        }
    }

    #[test]
    fn days_beyond_three_years_are_too_far_away() {
        let today = day("2026-11-22");
        for said in ["2029-11-23", "2029-12", "2049-01-01", "9999-12-31", "9999-12"] {
            assert_eq!(
                out_of_range(said, today, &[]),
                Some(FaultCode::DateBeyond),
                "{said}"
            );
        }
        assert_eq!(out_of_range("2031-09-12", today, &[day("2031-09-12")]), None);
    }

    #[test]
    fn what_the_home_itself_offers_is_not_over() {
        let (today, begins) = (day("2026-11-22"), [day("2026-09-12")]);
        assert_eq!(out_of_range("2026-09-12", today, &begins), None);
        assert_eq!(out_of_range("2026-09", today, &begins), None);
        assert_eq!(
            out_of_range("2026-09-13", today, &begins),
            Some(FaultCode::DatePast)
        );
    }

    #[test]
    fn a_day_ends_by_the_clock_of_the_country() {
        let now: Moment = "2026-11-22T05:30:00Z".parse().unwrap();
        assert_eq!(today(now, Some(Country::Uk)), day("2026-11-22"));
        assert_eq!(today(now, Some(Country::Canada)), day("2026-11-21"));
        assert_eq!(today(now, None), day("2026-11-21"));
    }
}
