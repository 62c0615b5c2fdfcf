//! What a demo property offers, asks and shows.

use domain::country::Country;
use domain::id::ProviderId;
use domain::inventory::property::{
    Feature, FeatureGroup, Guarantor, NearbyPlace, PaymentTerms, Picture, PictureKind, PropertyKind, Tag,
};

use crate::dice::Dice;
use crate::rooms::House;

/// Providers share the catalogue between them.
const PROVIDERS: u32 = 40;

pub(crate) fn kind(country: Country, dice: &mut Dice) -> PropertyKind {
    let hall = if country == Country::Us { 5 } else { 10 };
    match dice.between(0, 99) {
        roll if roll < 58 => PropertyKind::StudentAccommodation,
        roll if roll < 58 + hall => PropertyKind::UniversityHall,
        roll if roll < 86 => PropertyKind::Apartment,
        _ => PropertyKind::House,
    }
}

pub(crate) fn provider(dice: &mut Dice) -> ProviderId {
    let number = dice.between(1, PROVIDERS);
    ProviderId(uuid::Builder::from_unix_timestamp_millis(u64::from(number), &[7; 10]).into_uuid())
}

pub(crate) fn guarantor(country: Country, dice: &mut Dice) -> Guarantor {
    if !country.asks_guarantor() {
        return Guarantor::NotRequired;
    }
    match dice.between(0, 9) {
        0..=3 => Guarantor::Local,
        4..=7 => Guarantor::International,
        _ => Guarantor::NotRequired,
    }
}

pub(crate) fn tags(dual_occupancy: bool, dice: &mut Dice) -> Vec<Tag> {
    let chances = [
        (Tag::NotAvailable, 2),
        (Tag::Exclusive, 9),
        (Tag::StudentsChoice, 8),
        (Tag::BreakfastIncluded, 5),
        (Tag::LocalNonCommissionable, 2),
    ];
    let mut tags: Vec<Tag> = chances
        .into_iter()
        .filter(|(_, percent)| dice.chance(*percent))
        .map(|(tag, _)| tag)
        .collect();
    tags.extend(dual_occupancy.then_some(Tag::DualOccupancy));
    tags
}

/// Amenities with how often a hall and a house have them, in percent. Their texts are `feature.<key>`.
const FEATURES: &[(FeatureGroup, &str, u32, u32)] = &[
    (FeatureGroup::Bills, "all_bills", 78, 30),
    (FeatureGroup::Bills, "wifi", 98, 90),
    (FeatureGroup::Bills, "water", 92, 80),
    (FeatureGroup::Bills, "contents_insurance", 45, 5),
    (FeatureGroup::Property, "laundry", 94, 80),
    (FeatureGroup::Property, "gym", 55, 4),
    (FeatureGroup::Property, "bicycle_store", 76, 40),
    (FeatureGroup::Property, "lift", 70, 10),
    (FeatureGroup::Property, "parking", 22, 35),
    (FeatureGroup::Property, "step_free", 48, 8),
    (FeatureGroup::Property, "parcel_lockers", 52, 2),
    (FeatureGroup::Room, "desk", 97, 82),
    (FeatureGroup::Room, "heating", 95, 95),
    (FeatureGroup::Room, "air_conditioning", 24, 20),
    (FeatureGroup::Room, "smart_tv", 30, 18),
    (FeatureGroup::Room, "furnished", 98, 84),
    (FeatureGroup::Room, "dishwasher", 28, 35),
    (FeatureGroup::Community, "study_room", 74, 6),
    (FeatureGroup::Community, "lounge", 82, 30),
    (FeatureGroup::Community, "cinema_room", 30, 1),
    (FeatureGroup::Community, "games_room", 38, 3),
    (FeatureGroup::Community, "courtyard", 54, 45),
    (FeatureGroup::Community, "roof_terrace", 24, 8),
    (FeatureGroup::Community, "events", 46, 2),
    (FeatureGroup::Community, "pets_allowed", 6, 18),
    (FeatureGroup::Security, "front_desk", 64, 3),
    (FeatureGroup::Security, "cctv", 80, 12),
    (FeatureGroup::Security, "secure_entry", 92, 50),
    (FeatureGroup::Security, "night_staff", 48, 1),
];

pub(crate) fn features(kind: PropertyKind, dice: &mut Dice) -> Vec<Feature> {
    let hall = matches!(
        kind,
        PropertyKind::StudentAccommodation | PropertyKind::UniversityHall
    );
    FEATURES
        .iter()
        .filter(|(_, _, in_halls, in_houses)| dice.chance(if hall { *in_halls } else { *in_houses }))
        .map(|(group, key, _, _)| Feature {
            group: *group,
            key: (*key).to_owned(),
        })
        .collect()
}

/// Five to eight pictures, the front of the house first.
pub(crate) fn pictures(house: &House<'_>, dice: &mut Dice) -> Vec<Picture> {
    let rest = [
        PictureKind::Bedroom,
        PictureKind::Kitchen,
        PictureKind::Bathroom,
        PictureKind::Lounge,
        PictureKind::Studio,
        PictureKind::Study,
        PictureKind::Courtyard,
        PictureKind::Gym,
    ];
    let count = dice.between(4, 7) as usize;
    let chosen = dice.sample(&rest, count);
    let picture = |kind| Picture {
        seed: house.seed.to_owned(),
        kind,
        variant: String::new(),
    };
    [PictureKind::Exterior]
        .iter()
        .chain(chosen)
        .map(|kind| picture(*kind))
        .collect()
}

/// What daily life needs, with how far it may be; texts are `place.<kind>`.
pub(crate) fn places(dice: &mut Dice) -> Vec<NearbyPlace> {
    let kinds = [
        ("bus_stop", 60, 450),
        ("station", 250, 1_800),
        ("supermarket", 90, 900),
        ("pharmacy", 150, 1_100),
        ("cafe", 50, 500),
        ("park", 120, 1_300),
        ("library", 300, 2_200),
        ("health_centre", 250, 1_900),
    ];
    let place = |(kind, least, most): (&str, u32, u32), dice: &mut Dice| NearbyPlace {
        kind: kind.to_owned(),
        distance_m: dice.between(least, most) / 10 * 10,
    };
    kinds.into_iter().map(|kind| place(kind, dice)).collect()
}

/// D37, D38: most ask the default deposit, some a holding fee first, some a share of the rent.
pub(crate) fn terms(country: Country, dice: &mut Dice) -> PaymentTerms {
    let currency = country.currency();
    let minor = |dollars: u64| dollars * currency.units_for_one_dollar() * 10_u64.pow(currency.decimals());
    let mut terms = PaymentTerms {
        booking_allowed: !dice.chance(7),
        payment_before_bookform: dice.chance(15),
        ..PaymentTerms::default()
    };
    match dice.between(0, 99) {
        0..=54 => terms.deposit_minor = minor(250),
        55..=69 => terms.refundable_token_minor = minor(100),
        70..=84 => {
            terms.deposit_multiplier_percent = match country.period() {
                domain::money::Period::Weekly => 200,
                domain::money::Period::Monthly => 100,
            };
            terms.max_deposit_minor = minor(1_500);
        }
        _ => {}
    }
    if dice.chance(18) {
        terms.platform_fee_minor = minor(49);
    }
    terms
}
