use chrono::DateTime;
use domain::region::RegionRejection;
use eventlog::{Actor, commit};
use uuid::Uuid;

use super::*;
use crate::questions::known_place::read_place;

const PLACE: RegionId = RegionId(Uuid::from_u128(17));
const EDITOR: UserId = UserId(Uuid::from_u128(5));
/// The centre of Leeds.
const LEEDS: Coordinates = Coordinates::new(53_796_480, -1_547_850);

fn context() -> Context {
    let at = DateTime::from_timestamp(1_795_176_000, 0).unwrap();
    Context::new(at, Actor::staff(EDITOR.0))
}

fn leeds() -> RegionDetails {
    RegionDetails {
        name: "Leds".into(),
        canonical_name: "leeds".into(),
        region_type: RegionType::Locality,
        subtype: None,
        parent: Some(RegionId(Uuid::from_u128(7))),
        country: Country::Uk,
        locality: Some("Leds".into()),
        centre: Coordinates::new(53_700_000, -1_500_000),
        bounds: Bounds::around(Coordinates::new(53_700_000, -1_500_000), 90_000, 130_000),
        time_zone: "Europe/London".into(),
        aliases: vec!["LS1".into()],
        local_name: None,
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: false,
        is_mended: false,
    }
}

async fn opened() -> EventLog {
    let log = EventLog::memory();
    let region = Box::new(leeds());
    let command = RegionCommand::Describe { region };
    commit::<Region>(&log, PLACE, command, &context()).await.unwrap();
    log
}

fn mend() -> MendPlace {
    MendPlace {
        place_id: PLACE,
        revision: 1,
        name: None,
        local_names: BTreeMap::new(),
        found_by: None,
        centre: None,
        bounds: None,
        reason: "The map was wrong".into(),
        by: EDITOR,
    }
}

async fn refused(log: &EventLog, mend: MendPlace) -> PlaceError {
    match mend_place(log, &mend, &context()).await {
        Err(CommitError::Rejected(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn place_is_corrected_in_what_is_said_alone() {
    let log = opened().await;
    let mended = MendPlace {
        name: Some(" Leeds ".into()),
        local_names: [("zh".to_owned(), Some("利兹".to_owned()))].into(),
        found_by: Some(vec!["LS1".into(), "LS2".into(), "LS2".into(), "Leeds".into()]),
        centre: Some(LEEDS),
        ..mend()
    };
    mend_place(&log, &mended, &context()).await.unwrap();
    let known = read_place(&log, PLACE).await.unwrap().unwrap();
    assert_eq!(known.revision, 2);
    let now = known.details;
    assert_eq!(
        (now.name.as_str(), now.locality.as_deref()),
        ("Leeds", Some("Leeds"))
    );
    assert_eq!(now.aliases, ["LS1", "LS2"]);
    assert_eq!(now.local_name.unwrap().in_language("zh"), "利兹");
    assert_eq!(
        (now.centre, now.bounds),
        (LEEDS, Bounds::around(LEEDS, 90_000, 130_000))
    );
    assert!(now.is_mended);
    assert_eq!(
        (now.canonical_name, now.time_zone),
        (leeds().canonical_name, leeds().time_zone)
    );
}

#[tokio::test]
async fn slips_and_old_readings_are_refused() {
    let log = opened().await;
    let outside = MendPlace {
        centre: Some(Coordinates::new(-1_547_850, 53_796_480)),
        ..mend()
    };
    assert!(matches!(
        refused(&log, outside).await,
        PlaceError::OutsideCountry(_)
    ));
    let old = MendPlace {
        revision: 0,
        name: Some("Leeds".into()),
        ..mend()
    };
    assert_eq!(refused(&log, old).await, PlaceError::ChangedMeanwhile);
    let silent = MendPlace {
        reason: " .".into(),
        ..mend()
    };
    assert!(matches!(refused(&log, silent).await, PlaceError::NoReason { .. }));
    let unnamed = MendPlace {
        name: Some(" ".into()),
        ..mend()
    };
    let error = refused(&log, unnamed).await;
    assert_eq!(error, PlaceError::Rejected(RegionRejection::NoName));
    let tongue = MendPlace {
        local_names: [("tlh".to_owned(), None)].into(),
        ..mend()
    };
    assert!(matches!(
        refused(&log, tongue).await,
        PlaceError::UnknownLanguage(_)
    ));
    let nowhere = MendPlace {
        place_id: RegionId(Uuid::from_u128(9)),
        ..mend()
    };
    assert_eq!(refused(&log, nowhere).await, PlaceError::UnknownPlace);
}
