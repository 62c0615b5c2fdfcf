use uuid::Uuid;

use super::*;
use crate::aggregate::fold;

pub(crate) fn campus() -> RegionDetails {
    RegionDetails {
        name: "Gower Street Campus".into(),
        canonical_name: "gower-street-campus".into(),
        region_type: RegionType::Establishment,
        subtype: Some(Subtype::CollegeCampus),
        parent: Some(RegionId(Uuid::from_u128(7))),
        country: Country::Uk,
        locality: Some("London".into()),
        centre: Coordinates::new(51_524_600, -134_000),
        bounds: Bounds::around(Coordinates::new(51_524_600, -134_000), 9_000, 14_000),
        time_zone: "Europe/London".into(),
        aliases: vec![],
        local_name: None,
        popular_rank: None,
        redirect_canonical_name: None,
        is_without_campus: false,
    }
}

fn opened(region: RegionDetails) -> Region {
    fold(&[RegionEvent::RegionOpened {
        region: Box::new(region),
    }])
}

#[test]
fn describing_a_place_as_it_is_already_known_changes_nothing() {
    let region = opened(campus());
    let again = RegionCommand::Describe {
        region: Box::new(campus()),
    };
    assert_eq!(region.decide(again), Ok(vec![]));
}

#[test]
fn a_retired_campus_names_where_its_visitors_go() {
    let mut region = opened(campus());
    let retire = RegionCommand::Retire {
        redirect_canonical_name: "ramsay-hall".into(),
    };
    let events = region.decide(retire.clone()).unwrap();
    for event in &events {
        region.evolve(event);
    }
    assert_eq!(region.state, RegionState::Retired);
    assert_eq!(
        region
            .details
            .as_ref()
            .unwrap()
            .redirect_canonical_name
            .as_deref(),
        Some("ramsay-hall")
    );
    assert_eq!(region.decide(retire), Ok(vec![]));
}

#[test]
fn a_university_cannot_be_retired() {
    let university = RegionDetails {
        subtype: Some(Subtype::University),
        ..campus()
    };
    let retire = RegionCommand::Retire {
        redirect_canonical_name: "london".into(),
    };
    assert_eq!(
        opened(university).decide(retire),
        Err(RegionRejection::NotACampus)
    );
}

#[test]
fn only_a_country_stands_alone() {
    let orphan = RegionDetails {
        parent: None,
        ..campus()
    };
    let describe = RegionCommand::Describe {
        region: Box::new(orphan),
    };
    assert_eq!(
        Region::default().decide(describe),
        Err(RegionRejection::NoParent("establishment"))
    );
}
