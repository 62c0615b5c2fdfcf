//! One recorded sample of every event shape of properties and regions: old logs hold these for good.

use super::market::{Offer, OfferKind, PriceMonth, PriceSeries, RatingSums};
use super::property::{Faq, Feature, FeatureGroup, NearbyPlace, Picture, PictureKind};
use super::tests::{day, lease, property, review, room};
use super::*;
use crate::region::{Region, RegionDetails, RegionEvent};
use crate::room::Configuration;
use crate::sample::assert_kept;
use crate::wording::Wording;

fn full_property() -> Box<PropertyDetails> {
    let picture = |kind| Picture {
        seed: "p-17".into(),
        kind,
        variant: String::new(),
    };
    Box::new(PropertyDetails {
        features: vec![Feature {
            group: FeatureGroup::Bills,
            key: "wifi".into(),
        }],
        tags: vec![Tag::Exclusive, Tag::BreakfastIncluded],
        pictures: vec![picture(PictureKind::Exterior), picture(PictureKind::Bedroom)],
        faqs: vec![Faq {
            question: Wording::english("Can I visit?").with("zh", "可以看房吗？"),
            answer: Wording::english("Yes.").with("zh", "可以。"),
        }],
        places: vec![NearbyPlace {
            kind: "supermarket".into(),
            distance_m: 240,
        }],
        ..*property()
    })
}

fn offer() -> Offer {
    Offer {
        id: "o1".into(),
        title: Wording::english("£150 back").with("zh", "返现 £150"),
        description: Wording::english("Paid after move-in"),
        kind: OfferKind::Cashback,
        value_minor: 15_000,
        valid_from: Some(day(2027, 1, 1)),
        valid_to: Some(day(2027, 3, 31)),
        terms: Wording::english("One per booking"),
        stackable: false,
    }
}

fn inventory_events() -> Vec<InventoryEvent> {
    use InventoryEvent as E;
    let month = PriceMonth {
        month: day(2026, 10, 1),
        min_minor: 28_000,
        median_minor: 29_000,
        max_minor: 31_000,
        n: 9,
    };
    vec![
        E::PropertyListed {
            property: full_property(),
        },
        E::PropertyDetailsChanged {
            property: full_property(),
        },
        E::RoomListed {
            room: room(2),
            is_said: true,
        },
        E::RoomDetailsChanged {
            room: room(2),
            is_said: true,
        },
        E::RoomWithdrawn { room: room(2).id },
        E::RoomPriced {
            room: room(2).id,
            rooms: Some(4),
            is_count_said: Some(true),
            leases: vec![lease(28_900, 4)],
        },
        E::PriceHistoryRecorded {
            series: vec![PriceSeries {
                configuration: Some(Configuration::EnsuiteRoom),
                months: vec![month],
            }],
        },
        E::OfferPublished {
            offer: Box::new(offer()),
        },
        E::OfferWithdrawn { offer: "o1".into() },
        E::ReviewsPublished {
            written: vec![review()],
            unwritten: RatingSums {
                count: 2,
                rating: 9,
                ..RatingSums::default()
            },
        },
        E::PropertySubmitted {},
        E::PropertyActivated {},
        E::PropertyDeactivated {},
        E::PropertyDeleted {},
        E::PropertyMarkedAvailable {},
        E::PropertyMarkedUnavailable {},
        E::PropertyChangesAsked {},
        E::PropertyPaused {
            reopens_on: Some(day(2028, 3, 1)),
        },
        E::PropertyReopened {},
        E::PropertyClosed {
            by: ClosedBy::Provider,
        },
    ]
}

fn region_events() -> Vec<RegionEvent> {
    use RegionEvent as E;
    let region = || {
        Box::new(RegionDetails {
            is_without_campus: true,
            ..crate::region::tests::campus()
        })
    };
    vec![
        E::RegionOpened { region: region() },
        E::RegionDescribed { region: region() },
        E::RegionActivated {},
        E::RegionDeactivated {},
        E::RegionRetired {
            redirect_canonical_name: "ramsay-hall".into(),
        },
    ]
}

#[test]
fn every_shape_ever_stored_still_reads_back_to_itself() {
    assert_kept::<Inventory>(&inventory_events());
    assert_kept::<Region>(&region_events());
}
