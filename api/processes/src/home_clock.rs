//! Which clock people at a home read, for the times that messages and papers name.

use domain::inventory::property::PropertyDetails;
use domain::language::Language;
use domain::region::{Region, RegionDetails};
use eventlog::{EventLog, LogError};
use platform::days::HomeClock;

/// Finds the clock of a home's city, called as the reader calls the city; `None` where no home is known.
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
    Ok(region.details.map(|region| HomeClock {
        city: name_city(&region, language),
        zone: region.time_zone,
    }))
}

fn name_city(region: &RegionDetails, language: Language) -> String {
    let local = region.local_name.as_ref();
    local
        .map_or(region.name.as_str(), |names| names.in_language(language.code()))
        .to_owned()
}
