//! Which clock people at a home read, for the times that messages and papers name.

use domain::inventory::property::PropertyDetails;
use domain::language::Language;
use domain::region::{Region, RegionDetails};
use eventlog::{EventLog, LogError};
use platform::country_zone;
use platform::days::HomeClock;
use platform::morning::is_zone;

/// Finds the clock of a home's city, called as the reader calls the city. Where the city names no zone, its country's counts, if it
/// has one alone; `None` where no home is known, or its country has several.
///
/// # Errors
/// When the log cannot be read.
pub async fn find_home_clock(
    log: &EventLog,
    language: Language,
    home: Option<&PropertyDetails>,
) -> Result<Option<HomeClock>, LogError> {
    let Some(home) = home else { return Ok(None) };
    let region = log.load::<Region>(home.region).await?.state;
    let city = region.details.as_ref().map(|region| name_city(region, language));
    let own = region.details.map(|region| region.time_zone);
    let zone = own
        .filter(|zone| is_zone(zone))
        .or_else(|| country_zone::only(home.country).map(|zone| zone.name().to_owned()));
    Ok(zone.and_then(|zone| {
        let clock = HomeClock::of_zone(&zone)?;
        Some(HomeClock {
            city: city.unwrap_or(clock.city),
            zone,
        })
    }))
}

/// The clock of a place in a waitlist: the student's own, else the home's.
pub fn choose_place_clock(own_zone: Option<&str>, home: Option<HomeClock>) -> Option<HomeClock> {
    let is_home = |zone: &&str| home.as_ref().is_some_and(|home| home.zone == *zone);
    let own = own_zone.filter(|zone| !is_home(zone));
    own.and_then(HomeClock::of_zone).or(home)
}

fn name_city(region: &RegionDetails, language: Language) -> String {
    let local = region.local_name.as_ref();
    local
        .map_or(region.name.as_str(), |names| names.in_language(language.code()))
        .to_owned()
}
