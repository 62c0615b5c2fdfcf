//! Places that are opened: countries that the settings name before a first home stands there (U29), which have their page and whose places
//! the box finds, and those of a run.

use domain::country::Country;
use domain::place::Coordinates;
use eventlog::{Actor, Append, AppendError, Context, EventLog};
use platform::clock;

use super::{Gazetteer, appends};

/// Opens those of the countries that have no region yet, and says how many there were.
///
/// # Errors
/// One sentence, where the log cannot be read or refuses them.
pub async fn open_countries(log: &EventLog, countries: &[Country]) -> Result<usize, String> {
    if countries.is_empty() {
        return Ok(0);
    }
    let mut gazetteer = Gazetteer::read(log).await?;
    for country in countries {
        // The atlas knows their middle, but of two islands without people.
        gazetteer.country(*country, Coordinates::new(0, 0));
    }
    let mut opened = 0;
    for append in appends(
        gazetteer.take_opened(),
        &Context::new(clock::now(), Actor::SYSTEM),
    )? {
        match log.append_many(vec![append]).await {
            Ok(_) => opened += 1,
            // Another node opened it in this very moment.
            Err(AppendError::Conflict { .. }) => {}
            Err(error) => return Err(format!("the log refused a country of `open_countries`: {error}")),
        }
    }
    Ok(opened)
}

/// Writes places that a run opens. One that another run has opened in this very moment is there already.
///
/// # Errors
/// The first error of the log that is no conflict.
pub(crate) async fn write_opened(log: &EventLog, opened: Vec<Append>) -> Result<(), AppendError> {
    match log.append_many(opened.clone()).await {
        Err(AppendError::Conflict { .. }) => {}
        written => return written.map(drop),
    }
    for append in opened {
        match log.append(append).await {
            Ok(_) | Err(AppendError::Conflict { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use domain::region::RegionType;
    use search_index::places::Places;

    use super::*;

    #[tokio::test]
    async fn countries_of_the_settings_are_opened_once() {
        let log = EventLog::memory();
        let wanted = [Country::Pt, Country::Ge, Country::Uk];
        assert_eq!(open_countries(&log, &[]).await, Ok(0));
        assert_eq!(open_countries(&log, &wanted).await, Ok(3));
        let head = log.head().await.unwrap();
        assert_eq!(open_countries(&log, &wanted).await, Ok(0));
        assert_eq!(log.head().await.unwrap(), head);
        let places = Places::read(&log).await.unwrap();
        for (canonical_name, country) in [
            ("portugal", Country::Pt),
            ("georgia-country", Country::Ge),
            ("united-kingdom", Country::Uk),
        ] {
            let region = &places.by_canonical_name(canonical_name).unwrap().details;
            assert_eq!(
                (region.region_type, region.country),
                (RegionType::Country, country)
            );
        }
        let found = places.suggest_unlisted(search_index::places::PlaceGroup::Cities, "porto", 1);
        assert_eq!(found[0].place.canonical_name(), "porto");
    }
}
