//! One recorded sample of every event shape of properties and regions: old logs hold these for good.

use uuid::Uuid;

use super::facts::FactKey;
use super::let_room::{LeaseOption, LeaseTerms};
use super::market::{Offer, OfferKind, PriceMonth, PriceSeries, RatingSums};
use super::media::{Media, PhotoKind, Recording, RecordingKind, SaidPhoto};
use super::photo_list::PhotoList;
use super::property::{
    Faq, Feature, FeatureGroup, Guarantor, NearbyPlace, PaymentTerms, Picture, PictureKind, PropertyKind,
};
use super::tests::{day, lease, property, review, room};
use super::*;
use crate::id::{RegionId, UserId};
use crate::place::{Address, Coordinates, PlaceName};
use crate::region::{Region, RegionDetails, RegionEvent};
use crate::room::{Configuration, RoomAttributes, Sharing};
use crate::sample::assert_kept;
use crate::sealed::Sealed;
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
        media: seen_media(),
        faqs: vec![Faq {
            question: Wording::english("Can I visit?").with("zh", "可以看房吗？"),
            answer: Wording::english("Yes.").with("zh", "可以。"),
        }],
        provider_name: Some("Acorn Rooms".into()),
        email: Some("office@acorn.example".into()),
        source_link: Some("https://acorn.example/17".into()),
        local_names: Wording::default().with("zh", "布卢姆斯伯里公寓"),
        places: vec![NearbyPlace {
            kind: "supermarket".into(),
            distance_m: 240,
        }],
        terms: PaymentTerms {
            asks_no_deposit: true,
            ..PaymentTerms::default()
        },
        ..*property()
    })
}

fn seen_media() -> Media {
    let front = SaidPhoto::bare("https://photos.example/front.jpg", Some(PhotoKind::Exterior));
    let plan = SaidPhoto::bare("https://photos.example/plan.png", Some(PhotoKind::Plan));
    Media {
        photos: vec![
            SaidPhoto {
                caption: Wording::english("From the street").with("zh", "街景"),
                alt: Wording::english("A brick house with a blue door"),
                ..front
            },
            SaidPhoto::bare("https://photos.example/2.jpg", None),
        ],
        plans: vec![plan],
        recordings: vec![
            Recording {
                kind: RecordingKind::Video,
                url: "https://video.example/watch?v=1".into(),
                title: Wording::english("A walk around"),
            },
            Recording {
                kind: RecordingKind::Tour,
                url: "https://tour.example/1".into(),
                title: Wording::default(),
            },
        ],
    }
}

fn seen_room() -> RoomDetails {
    RoomDetails {
        media: Media {
            photos: vec![SaidPhoto::bare(
                "https://photos.example/bed.jpg",
                Some(PhotoKind::Room),
            )],
            ..Media::default()
        },
        ..room(2)
    }
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

fn editor() -> UserId {
    UserId(Uuid::from_u128(5))
}

fn written_in_chinese() -> FactKey {
    FactKey::Description("zh".into())
}

/// Each fact with a value that a person might set.
fn every_fact() -> Vec<Fact> {
    let room = room(2).id;
    let own = RoomAttributes::new(Sharing::Private, Sharing::Private, Sharing::Private);
    vec![
        Fact::Name("Bloomsbury Row House".into()),
        Fact::LocalName {
            language: "zh".into(),
            text: Some("布卢姆斯伯里公寓".into()),
        },
        Fact::Description {
            language: "zh".into(),
            text: Some("砖砌建筑".into()),
        },
        Fact::Kind(Some(PropertyKind::Apartment)),
        Fact::Address(Box::new(Address {
            route: Some(PlaceName {
                long_name: "Park Lane".into(),
                short_name: "Park Ln".into(),
            }),
            ..Address::default()
        })),
        Fact::Facilities(vec![Feature {
            group: FeatureGroup::Bills,
            key: "wifi".into(),
        }]),
        Fact::Guarantor(Some(Guarantor::NotRequired)),
        Fact::BillsIncluded(Some(true)),
        Fact::Terms(PaymentTerms {
            deposit_minor: 20_000,
            ..PaymentTerms::default()
        }),
        Fact::Place {
            region: RegionId(Uuid::from_u128(7)),
            area: Some(RegionId(Uuid::from_u128(8))),
        },
        Fact::Coordinates(Some(Coordinates::new(53_801_000, -1_549_000))),
        Fact::Photos(PhotoList::of(&seen_media())),
        Fact::RoomName {
            room,
            name: Wording::english("Ensuite"),
        },
        Fact::RoomKind {
            room,
            attributes: own,
        },
        Fact::RoomPhotos {
            room,
            list: PhotoList::of(&seen_room().media),
        },
        Fact::RoomCount {
            room,
            rooms: 3,
            is_said: true,
        },
        Fact::LeasePrice {
            room,
            stay: lease(0, 0).stay(),
            price_minor: 27_900,
        },
    ]
}

fn pick(keys: &[FactKey]) -> Vec<Fact> {
    let all = every_fact().into_iter();
    all.filter(|fact| keys.contains(&fact.key())).collect()
}

/// What sources describe, and what people set over it.
fn descriptions() -> Vec<InventoryEvent> {
    use InventoryEvent as E;
    vec![
        E::PropertyListed {
            property: full_property(),
        },
        E::PropertyDetailsChanged {
            // Nobody says where it stands.
            property: Box::new(PropertyDetails {
                coordinates: None,
                ..*full_property()
            }),
            set: pick(&[
                FactKey::Name,
                written_in_chinese(),
                FactKey::Guarantor,
                FactKey::Place,
                FactKey::Coordinates,
                FactKey::Photos,
            ]),
        },
        E::RoomListed {
            room: RoomDetails {
                floor: Some(3),
                sleeps: Some(2),
                ..seen_room()
            },
            is_said: true,
            set: pick(&[FactKey::RoomKind(room(2).id), FactKey::RoomPhotos(room(2).id)]),
        },
        E::RoomDetailsChanged {
            room: seen_room(),
            is_said: true,
            set: pick(&[FactKey::RoomName(room(2).id), FactKey::RoomPhotos(room(2).id)]),
        },
        E::RoomWithdrawn { room: room(2).id },
        E::RoomPriced {
            room: room(2).id,
            rooms: Some(4),
            is_count_said: Some(true),
            leases: vec![LeaseOption {
                terms: LeaseTerms {
                    book_by: Some(day(2027, 8, 31)),
                    move_in_until: Some(day(2027, 9, 18)),
                    ends_on: Some(day(2028, 7, 14)),
                    deposit_minor: Some(30_000),
                },
                ..lease(28_900, 4)
            }],
            set: pick(&[
                FactKey::RoomCount(room(2).id),
                FactKey::LeasePrice(room(2).id, lease(0, 0).stay()),
            ]),
        },
        E::FactsSet {
            facts: every_fact(),
            by: editor(),
            reason: Sealed::new("Measured on site".into()),
        },
        E::FactsUnset {
            facts: vec![
                Fact::Guarantor(None),
                Fact::Description {
                    language: "zh".into(),
                    text: None,
                },
                Fact::Photos(PhotoList::default()),
            ],
            by: editor(),
            reason: Sealed::new("The feed is right".into()),
        },
    ]
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
    let others = vec![
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
        E::PropertyMerged {
            into: InventoryId(Uuid::from_u128(9)),
        },
        E::ReasonGiven {
            by: editor(),
            reason: Sealed::new("The provider asked for it".into()),
        },
    ];
    [descriptions(), others].concat()
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
        E::RegionMended {
            region: Box::new(RegionDetails {
                is_mended: true,
                ..*region()
            }),
            by: editor(),
            reason: Sealed::new("The campus moved".into()),
        },
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
