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
        is_mended: false,
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

fn mend(region: RegionDetails) -> RegionCommand {
    RegionCommand::Mend {
        region: Box::new(region),
        by: UserId(Uuid::from_u128(5)),
        reason: "The campus moved".into(),
    }
}

#[test]
fn mended_place_says_so_and_the_same_again_is_nothing() {
    let mut region = opened(campus());
    assert_eq!(region.decide(mend(campus())), Ok(vec![]));
    let centre = Coordinates::new(51_525_000, -134_500);
    let moved = RegionDetails { centre, ..campus() };
    for event in region.decide(mend(moved.clone())).unwrap() {
        region.evolve(&event);
    }
    let now = region.details.as_deref().unwrap();
    assert_eq!((now.centre, now.is_mended), (centre, true));
    assert_eq!(region.decide(mend(moved)), Ok(vec![]));
}

#[test]
fn mended_place_keeps_its_centre_in_its_box() {
    let region = opened(campus());
    let far = RegionDetails {
        centre: Coordinates::new(53_800_000, -1_549_000),
        ..campus()
    };
    assert_eq!(region.decide(mend(far)), Err(RegionRejection::CentreOutside));
    let nothing = Region::default().decide(mend(campus()));
    assert_eq!(nothing, Err(RegionRejection::Unknown));
}

/// An import that runs while staff correct a place describes it as it was before.
#[test]
fn mended_place_is_not_described_as_it_was_before() {
    let mut region = opened(campus());
    let named = |name: &str| RegionDetails {
        name: name.to_owned(),
        ..campus()
    };
    for event in region.decide(mend(named("Mended"))).unwrap() {
        region.evolve(&event);
    }
    let describe = |region| RegionCommand::Describe {
        region: Box::new(region),
    };
    assert_eq!(region.decide(describe(named("Read before"))), Ok(vec![]));
    let read_after = RegionDetails {
        is_mended: true,
        ..named("Read after")
    };
    let told = region.decide(describe(read_after)).unwrap();
    assert!(
        matches!(told.as_slice(), [RegionEvent::RegionDescribed { .. }]),
        "the operator's own file: {told:?}"
    );
}
