//! Rooms of a demo property and the leases they are offered for.

use chrono::{Datelike, Days, NaiveDate};
use domain::country::Country;
use domain::id::InventoryId;
use domain::inventory::let_room::{Bed, LeaseOption, LeaseTerms, RoomDetails};
use domain::inventory::media::Media;
use domain::inventory::property::{Picture, PictureKind, PropertyKind};
use domain::lease::Lease;
use domain::money::Period;
use domain::room::{RoomAttributes, Sharing};

use crate::dice::Dice;
use crate::ids::Ids;
use crate::texts::bilingual;

use Sharing::{Private, Shared};

/// One kind of room as it is usually built.
#[derive(Clone, Copy)]
struct Plan {
    name: (&'static str, &'static str),
    attributes: RoomAttributes,
    bedrooms: u8,
    /// Price against the city's ensuite room, in percent.
    price: u32,
    area: (u32, u32),
    bed: Bed,
    kitchen_for: Option<(u32, u32)>,
    dual: bool,
    picture: PictureKind,
}

const fn plan(
    name: (&'static str, &'static str),
    attributes: (Sharing, Sharing, Sharing),
    price: u32,
    area: (u32, u32),
    bed: Bed,
) -> Plan {
    let (room, bathroom, kitchen) = attributes;
    let shares = matches!(kitchen, Shared);
    Plan {
        name,
        attributes: RoomAttributes::new(room, bathroom, kitchen),
        bedrooms: 1,
        price,
        area,
        bed,
        kitchen_for: if shares { Some((3, 8)) } else { None },
        dual: false,
        picture: if shares {
            PictureKind::Bedroom
        } else {
            PictureKind::Studio
        },
    }
}

const fn flat(name: (&'static str, &'static str), bedrooms: u8, price: u32, area: (u32, u32)) -> Plan {
    Plan {
        bedrooms,
        dual: bedrooms > 0,
        ..plan(name, (Private, Private, Private), price, area, Bed::Double)
    }
}

const fn for_two(of: Plan) -> Plan {
    Plan { dual: true, ..of }
}

const HALLS: &[Plan] = &[
    plan(
        ("Private Room", "独立房间"),
        (Private, Shared, Shared),
        84,
        (10, 13),
        Bed::Single,
    ),
    plan(
        ("Ensuite Room", "独立卫浴房"),
        (Private, Private, Shared),
        100,
        (12, 15),
        Bed::SmallDouble,
    ),
    plan(
        ("Premium Ensuite", "高级独立卫浴房"),
        (Private, Private, Shared),
        109,
        (15, 18),
        Bed::Double,
    ),
    plan(
        ("Studio Room", "单间公寓"),
        (Private, Private, Private),
        126,
        (18, 22),
        Bed::SmallDouble,
    ),
    plan(
        ("Premium Studio", "高级单间公寓"),
        (Private, Private, Private),
        141,
        (22, 26),
        Bed::Double,
    ),
    for_two(plan(
        ("Studio for two", "双人单间公寓"),
        (Private, Private, Private),
        158,
        (25, 30),
        Bed::Double,
    )),
    for_two(plan(
        ("Twin Room", "双床房"),
        (Shared, Shared, Shared),
        68,
        (15, 19),
        Bed::TwoSingles,
    )),
];

const HOUSES: &[Plan] = &[
    plan(
        ("Private Room", "独立房间"),
        (Private, Shared, Shared),
        76,
        (9, 13),
        Bed::SmallDouble,
    ),
    plan(
        ("Large Private Room", "大独立房间"),
        (Private, Shared, Shared),
        86,
        (13, 17),
        Bed::Double,
    ),
    plan(
        ("Ensuite Room", "独立卫浴房"),
        (Private, Private, Shared),
        97,
        (12, 16),
        Bed::Double,
    ),
    for_two(plan(
        ("Shared Room", "合住房"),
        (Shared, Shared, Shared),
        58,
        (14, 18),
        Bed::TwoSingles,
    )),
];

const FLATS: &[Plan] = &[
    plan(
        ("Private Room", "独立房间"),
        (Private, Shared, Shared),
        82,
        (10, 14),
        Bed::Double,
    ),
    plan(
        ("Ensuite in a shared flat", "合租公寓独卫房"),
        (Private, Private, Shared),
        98,
        (12, 16),
        Bed::Double,
    ),
    plan(
        ("Studio Room", "单间公寓"),
        (Private, Private, Private),
        132,
        (20, 28),
        Bed::Double,
    ),
    flat(("One-Bedroom Flat", "一居室公寓"), 1, 168, (34, 44)),
];

const US_FLATS: &[Plan] = &[
    plan(
        ("Private Bedroom", "独立卧室"),
        (Private, Private, Shared),
        74,
        (11, 15),
        Bed::Double,
    ),
    for_two(plan(
        ("Shared Bedroom", "合住卧室"),
        (Shared, Shared, Shared),
        50,
        (14, 18),
        Bed::TwoSingles,
    )),
    flat(("Studio", "单间公寓"), 0, 100, (30, 40)),
    flat(("One-Bedroom Apartment", "一居室公寓"), 1, 122, (46, 58)),
    flat(("Two-Bedroom Apartment", "两居室公寓"), 2, 172, (64, 82)),
    flat(("Three-Bedroom Apartment", "三居室公寓"), 3, 224, (86, 108)),
];

/// What a property's rooms depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct House<'a> {
    pub(crate) country: Country,
    pub(crate) kind: PropertyKind,
    pub(crate) canonical_name: &'a str,
    pub(crate) seed: &'a str,
    /// The city's ensuite price, in whole units.
    pub(crate) price: u32,
    /// How this house compares with the city, in percent.
    pub(crate) quality: u32,
    pub(crate) sold_out: bool,
    pub(crate) today: NaiveDate,
}

impl House<'_> {
    /// Two to six kinds of rooms with their leases, cheapest first.
    pub(crate) fn rooms(self, dice: &mut Dice, ids: &mut Ids) -> Vec<(RoomDetails, Vec<LeaseOption>)> {
        let plans = match (self.country, self.kind) {
            (Country::Us, _) => US_FLATS,
            (_, PropertyKind::House) => HOUSES,
            (_, PropertyKind::Apartment) => FLATS,
            (_, PropertyKind::StudentAccommodation | PropertyKind::UniversityHall) => HALLS,
        };
        let count = dice.between(2, 6) as usize;
        let mut chosen = dice.sample(plans, count);
        chosen.sort_by_key(|plan| plan.price);
        // A house may stand ready now; then every room of it can be moved into within days.
        let ready = dice.chance(16);
        chosen
            .into_iter()
            .map(|plan| (self.room(plan, dice, ids), self.leases(plan, ready, dice)))
            .collect()
    }

    fn room(self, plan: &Plan, dice: &mut Dice, ids: &mut Ids) -> RoomDetails {
        let picture = |kind| Picture {
            seed: self.seed.to_owned(),
            kind,
            variant: domain::place::slug(plan.name.0),
        };
        let own_kitchen = plan.attributes.kitchen == Some(Private);
        let mut pictures = vec![picture(plan.picture)];
        if plan.attributes.bathroom == Some(Private) {
            pictures.push(picture(PictureKind::Bathroom));
        }
        RoomDetails {
            id: InventoryId(ids.next_id()),
            canonical_name: format!("{}-{}", self.canonical_name, domain::place::slug(plan.name.0)),
            name: bilingual(plan.name.0, plan.name.1),
            attributes: plan.attributes,
            bedrooms: Some(plan.bedrooms),
            bathrooms: Some(plan.bedrooms.max(1).div_ceil(2)),
            area_sqm: u16::try_from(dice.between(plan.area.0, plan.area.1)).ok(),
            bed: Some(plan.bed),
            floor: None,
            sleeps: None,
            kitchen_shared_by: plan
                .kitchen_for
                .filter(|_| !own_kitchen)
                .and_then(|(least, most)| u8::try_from(dice.between(least, most)).ok()),
            dual_occupancy: Some(plan.dual),
            asked_minor: None,
            pictures,
            media: Media::default(),
        }
    }

    fn leases(self, plan: &Plan, ready: bool, dice: &mut Dice) -> Vec<LeaseOption> {
        let mut starts: Vec<(NaiveDate, Lease, u32)> = terms(self.country)
            .iter()
            .map(|term| (next_day(self.today, term.month, term.day), term.lease, term.price))
            .collect();
        if ready {
            let soon = self
                .today
                .checked_add_days(Days::new(u64::from(dice.between(2, 13))));
            let short = match self.country.period() {
                Period::Weekly => Lease::weeks(12),
                Period::Monthly => Lease::months(3),
            };
            starts.extend(soon.map(|day| (day, short, 111)));
        }
        starts.sort_by_key(|start| (start.0, start.1.duration));
        let open = |dice: &mut Dice| match (self.sold_out, dice.chance(14)) {
            (true, _) | (_, true) => 0,
            (false, false) => dice.between(1, 8),
        };
        starts
            .into_iter()
            .map(|(move_in, length, term)| LeaseOption {
                move_in,
                length,
                price_minor: self.price_minor(plan.price, term, dice),
                rooms_available: open(dice),
                terms: LeaseTerms::default(),
            })
            .collect()
    }

    fn price_minor(self, plan: u32, term: u32, dice: &mut Dice) -> u64 {
        let drift = dice.between(98, 102);
        let whole = u64::from(self.price)
            * u64::from(self.quality)
            * u64::from(plan)
            * u64::from(term)
            * u64::from(drift);
        let units = whole / 100_000_000;
        // Monthly rents are round to five, as they are written in adverts.
        let step = match self.country.period() {
            Period::Weekly => 1,
            Period::Monthly => 5,
        };
        units.div_ceil(step).max(1) * step * 10_u64.pow(self.country.currency().decimals())
    }
}

/// A usual start of a lease in a country, with its length and what it costs against the usual one, in percent.
struct Term {
    month: u32,
    day: u32,
    lease: Lease,
    price: u32,
}

const fn weeks(month: u32, day: u32, count: u16, price: u32) -> Term {
    Term {
        month,
        day,
        lease: Lease::weeks(count),
        price,
    }
}

const fn months(month: u32, day: u32, count: u16, price: u32) -> Term {
    Term {
        month,
        day,
        lease: Lease::months(count),
        price,
    }
}

const fn terms(country: Country) -> &'static [Term] {
    match country {
        Country::Uk => const { &[weeks(9, 11, 44, 100), weeks(9, 11, 51, 97), weeks(1, 8, 26, 104)] },
        Country::Ireland => const { &[weeks(9, 5, 41, 100), weeks(9, 5, 51, 96), weeks(1, 16, 21, 105)] },
        Country::Australia => const { &[weeks(2, 6, 44, 100), weeks(2, 6, 52, 97), weeks(7, 10, 24, 105)] },
        Country::Spain => const { &[weeks(9, 1, 42, 100), weeks(9, 1, 51, 95), weeks(2, 1, 20, 107)] },
        Country::Us => {
            const {
                &[
                    months(8, 20, 12, 100),
                    months(8, 20, 10, 104),
                    months(1, 5, 5, 109),
                ]
            }
        }
        Country::Canada => const { &[months(9, 1, 12, 100), months(9, 1, 8, 104), months(1, 4, 4, 108)] },
        Country::Germany => {
            const {
                &[
                    months(10, 1, 12, 100),
                    months(10, 1, 6, 105),
                    months(4, 1, 6, 104),
                ]
            }
        }
        _ => const { &[months(9, 1, 12, 100)] },
    }
}

/// The next such day of the year that is at least two weeks away.
fn next_day(today: NaiveDate, month: u32, day: u32) -> NaiveDate {
    let earliest = today.checked_add_days(Days::new(14)).unwrap_or(today);
    let this_year = NaiveDate::from_ymd_opt(today.year(), month, day).unwrap_or(today);
    if this_year >= earliest {
        return this_year;
    }
    NaiveDate::from_ymd_opt(today.year() + 1, month, day).unwrap_or(this_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(country: Country) -> House<'static> {
        House {
            country,
            kind: PropertyKind::StudentAccommodation,
            canonical_name: "bloomsbury-row-london",
            seed: "s1",
            price: 290,
            quality: 100,
            sold_out: false,
            today: NaiveDate::from_ymd_opt(2026, 11, 20).unwrap(),
        }
    }

    #[test]
    fn a_house_has_two_to_six_rooms_with_prices_near_the_citys() {
        for round in 0..50 {
            let rooms = house(Country::Uk).rooms(&mut Dice::new(round, "rooms"), &mut Ids::new(round));
            assert!((2..=6).contains(&rooms.len()));
            for lease in rooms.iter().flat_map(|room| &room.1) {
                assert!(
                    (15_000..60_000).contains(&lease.price_minor),
                    "{}",
                    lease.price_minor
                );
            }
        }
    }

    #[test]
    fn a_sold_out_house_has_no_room_left() {
        let rooms = House {
            sold_out: true,
            ..house(Country::Ireland)
        }
        .rooms(&mut Dice::new(3, "r"), &mut Ids::new(3));
        assert!(
            rooms
                .iter()
                .flat_map(|room| &room.1)
                .all(|lease| lease.rooms_available == 0)
        );
    }

    #[test]
    fn american_rents_are_monthly_and_round_to_five_dollars() {
        let rooms = House {
            price: 1_780,
            ..house(Country::Us)
        }
        .rooms(&mut Dice::new(5, "r"), &mut Ids::new(5));
        assert!(
            rooms
                .iter()
                .flat_map(|room| &room.1)
                .all(|lease| lease.price_minor % 500 == 0)
        );
    }

    #[test]
    fn move_in_days_lie_ahead() {
        let today = house(Country::Uk).today;
        let rooms = house(Country::Uk).rooms(&mut Dice::new(9, "r"), &mut Ids::new(9));
        assert!(
            rooms
                .iter()
                .flat_map(|room| &room.1)
                .all(|lease| lease.move_in > today)
        );
    }
}
