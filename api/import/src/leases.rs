//! Turns the ways to rent a room into leases that can be booked: those with a day, a length and one price. What is said in another form
//! is asked about (decision 0042); no day and no length is made up.

use chrono::{Days, Months, NaiveDate};
use domain::inventory::let_room::{LeaseOption, LeaseTerms};
use domain::inventory::room_offer::RoomOffer;
use domain::lease::{Lease, Stay};
use domain::money::{Currency, Period};
use feeds::{
    Amount, Deposit, Fault, LeaseOption as Said, Length, MoveIn, Price, PricePeriod, Room, StayUnit, Verdict,
};

use crate::report::note;

/// Months of the longest lease that a first and a last day make.
const MONTHS_MAX: u32 = 60;

/// The offer of a room type, and its rent where it can only be asked about.
pub(crate) struct Offered {
    pub(crate) offer: RoomOffer,
    pub(crate) asked_minor: Option<u64>,
    pub(crate) kept: KeptLeases,
}

/// Leases of a room that its feed has and that cannot be used now: what the house has of them stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KeptLeases {
    stays: Vec<Stay>,
    /// True where the days of one cannot be read: it may be any.
    has_unread: bool,
}

impl KeptLeases {
    /// Notes a lease that is not taken.
    fn note(&mut self, said: &Said, period: Period) {
        let stays = list_stays(said, period);
        self.has_unread |= stays.is_empty();
        self.stays.extend(stays);
    }

    /// Adds to an offer those of the known leases that stand, from a day on.
    pub(crate) fn add_known(&self, offer: &mut RoomOffer, known: &[LeaseOption], today: NaiveDate) {
        for lease in known {
            let stay = lease.stay();
            let is_kept = self.has_unread || self.stays.contains(&stay);
            let is_new = offer.leases.iter().all(|offered| offered.stay() != stay);
            if is_kept && is_new && lease.move_in >= today {
                offer.leases.push(lease.clone());
            }
        }
    }
}

/// The currency and the period of a home's prices.
#[derive(Clone, Copy)]
pub(crate) struct Pricing {
    pub(crate) currency: &'static str,
    pub(crate) period: Period,
    /// Whether rooms that cannot be had show their rent: the home as a whole is let for now.
    pub(crate) is_let_out: bool,
    /// Its leases name several deposits, so that each has its own.
    pub(crate) has_own_deposits: bool,
}

/// Reads the leases of a room. Those that are shown nowhere are named.
pub(crate) fn offer_leases(
    room: &Room,
    pricing: Pricing,
    today: NaiveDate,
    notes: &mut Vec<Fault>,
) -> Offered {
    let mut leases: Vec<LeaseOption> = Vec::new();
    let mut asked: Vec<(u64, &Said)> = Vec::new();
    let mut kept = KeptLeases::default();
    for said in &room.rejected_leases {
        kept.note(said, pricing.period);
    }
    for said in &room.leases {
        let rent = said
            .price
            .filter(|price| price.amount.currency == pricing.currency)
            .and_then(|price| Some((price, find_rent(price, pricing.period)?)));
        let Some((price, price_minor)) = rent else {
            let reason = format!(
                "prices of this home are in {}: a lease in another currency, or without a rent for its period, is not shown",
                pricing.currency
            );
            notes.push(reject(said, "currency", reason));
            kept.note(said, pricing.period);
            continue;
        };
        let free = count_free(room, said, today);
        let stays = if price.most_minor.is_some() {
            Vec::new()
        } else {
            list_stays(said, pricing.period)
        };
        if stays.is_empty() && (free > 0 || pricing.is_let_out) {
            asked.push((price_minor, said));
        }
        let deposit_minor = read_deposit(said, price_minor, pricing, notes);
        for stay in stays {
            if leases.iter().any(|known| known.stay() == stay) {
                notes.push(reject(
                    said,
                    "move_in",
                    "another lease of the room has the same days, and that one stands",
                ));
                continue;
            }
            leases.push(LeaseOption {
                move_in: stay.move_in,
                length: stay.length,
                price_minor,
                rooms_available: if is_blocked(said, stay) { 0 } else { free },
                terms: read_terms(said, stay, deposit_minor),
            });
        }
    }
    if !leases.is_empty() {
        tell_asked(&asked, notes);
    }
    let asked_minor = asked.iter().map(|(rent, _)| *rent).min();
    Offered {
        kept,
        asked_minor: asked_minor.filter(|_| leases.is_empty()),
        offer: RoomOffer {
            rooms: room.total,
            is_count_said: is_count_said(room),
            leases,
        },
    }
}

/// The days that a lease names beside its first one, with its own deposit.
fn read_terms(said: &Said, stay: Stay, deposit_minor: Option<u64>) -> LeaseTerms {
    // The last day of a feed is the last night's, or the day behind it; a shorter stay of the same lease ends before it.
    let is_last = |end: &NaiveDate| stay.ends() == *end || stay.ends() == follow(*end);
    LeaseTerms {
        book_by: said.booking_deadline,
        move_in_until: match said.move_in {
            Some(MoveIn::Window(first, last)) => Some(last).filter(|last| first < *last),
            Some(MoveIn::Now | MoveIn::Day(_) | MoveIn::Words(_)) | None => None,
        },
        ends_on: said.end.filter(is_last),
        deposit_minor,
    }
}

/// The deposit of a lease where the leases of its home name several.
fn read_deposit(said: &Said, price_minor: u64, pricing: Pricing, notes: &mut Vec<Fault>) -> Option<u64> {
    let deposit = said.deposit.filter(|_| pricing.has_own_deposits)?;
    let minor = match (deposit, pricing.period) {
        (Deposit::Amount(Amount { minor: 0, .. }) | Deposit::Months(0) | Deposit::Weeks(0), _) => Some(0),
        (Deposit::Amount(amount), _) => Some(amount.minor).filter(|_| amount.currency == pricing.currency),
        (Deposit::Months(count), Period::Monthly) | (Deposit::Weeks(count), Period::Weekly) => {
            price_minor.checked_mul(count.into())
        }
        (Deposit::Months(_), Period::Weekly) | (Deposit::Weeks(_), Period::Monthly) => None,
    };
    let least = Currency::from_code(pricing.currency).map_or(0, Currency::least_charge_minor);
    let kept = minor.filter(|minor| *minor == 0 || *minor >= least);
    if kept.is_none() {
        let reason =
            "it is in another currency or period than the rent, or too small to be charged, and is not shown";
        let key = said.key.as_deref().unwrap_or_default();
        notes.push(note(said.line, "deposit", key, reason));
    }
    kept
}

/// Names leases that can only be asked about, in a room that has others.
fn tell_asked(asked: &[(u64, &Said)], notes: &mut Vec<Fault>) {
    let reason = "it has no day, no length or no one price, and other leases of the room have: it is not shown beside them";
    for (_, said) in asked {
        let key = said.key.as_deref().unwrap_or_default();
        notes.push(note(said.line, "move_in, length", key, reason));
    }
}

fn reject(said: &Said, path: &str, reason: impl Into<String>) -> Fault {
    Fault {
        verdict: Verdict::LeaseRejected,
        ..note(said.line, path, said.key.as_deref().unwrap_or_default(), reason)
    }
}

/// The period that the prices of a home are shown for: its own where all are for weeks, or all for months; else the country's.
pub(crate) fn find_period(rooms: &[Room], of_country: Period) -> Period {
    let leases = rooms.iter().flat_map(|room| &room.leases);
    let mut periods = leases.filter_map(|lease| {
        Some(match lease.price?.period {
            PricePeriod::Night => of_country,
            PricePeriod::Week => Period::Weekly,
            PricePeriod::Month | PricePeriod::Quarter | PricePeriod::Year => Period::Monthly,
        })
    });
    let first = periods.next().unwrap_or(of_country);
    if periods.all(|period| period == first) {
        first
    } else {
        of_country
    }
}

/// A price as the rent of a period, rounded down once: a month is 52/12 weeks (D33), a week seven nights.
fn find_rent(price: Price, period: Period) -> Option<u64> {
    let minor = price.amount.minor;
    let (times, parts) = match (price.period, period) {
        (PricePeriod::Night, Period::Weekly) => (7, 1),
        (PricePeriod::Night, Period::Monthly) => (7 * 52, 12),
        (PricePeriod::Week, Period::Weekly) | (PricePeriod::Month, Period::Monthly) => (1, 1),
        (PricePeriod::Week, Period::Monthly) => (52, 12),
        (PricePeriod::Month, Period::Weekly) => (12, 52),
        (PricePeriod::Quarter, Period::Monthly) => (1, 3),
        (PricePeriod::Quarter, Period::Weekly) => (4, 52),
        (PricePeriod::Year, Period::Monthly) => (1, 12),
        (PricePeriod::Year, Period::Weekly) => (1, 52),
    };
    let rent = minor.checked_mul(times)? / parts;
    (rent > 0).then_some(rent)
}

/// How many of a room's rooms a lease may take: those that are free, by what is said of the lease, of the room, or of another of its
/// leases; else all that there are. Where nothing is said, one is let at a time.
fn count_free(room: &Room, said: &Said, today: NaiveDate) -> u32 {
    // A day is over everywhere on the second one after it: before that the home's own zone decides, whenever it is asked.
    let is_over = said
        .booking_deadline
        .is_some_and(|last| (today - last).num_days() > 1);
    if said.is_bookable == Some(false) || is_over {
        return 0;
    }
    let of_others = || room.leases.iter().filter_map(|lease| lease.rooms_free).max();
    let free = said.rooms_free.or(room.free).or_else(of_others);
    let free = free.or(room.total).unwrap_or(1);
    free.min(room.total.unwrap_or(free))
}

/// Says whether the feed says how many rooms are free. How many there are says nothing of those that are left.
fn is_count_said(room: &Room) -> bool {
    let is_free_said = room.leases.iter().any(|lease| lease.rooms_free.is_some());
    room.free.is_some() || is_free_said
}

fn is_blocked(said: &Said, stay: Stay) -> bool {
    let mut blocked = said.blocked.iter();
    blocked.any(|(first, last)| *first < stay.ends() && *last >= stay.move_in)
}

/// The stays that a lease lets: one for its length, or the shortest and the longest of a length from–to.
fn list_stays(said: &Said, period: Period) -> Vec<Stay> {
    let Some(MoveIn::Day(move_in) | MoveIn::Window(move_in, _)) = said.move_in else {
        return Vec::new();
    };
    let mut lengths: Vec<Lease> = match &said.length {
        Some(Length::Exactly(count, unit)) => count_length(*count, *unit).into_iter().collect(),
        Some(Length::Between { least, most }) => {
            let ends = [least, most].into_iter().flatten();
            ends.filter_map(|(count, unit)| count_length(*count, *unit))
                .collect()
        }
        Some(Length::OpenEnded | Length::Words(_)) => Vec::new(),
        None => {
            let end = said.end.and_then(|end| measure_length(move_in, end, period));
            end.into_iter().collect()
        }
    };
    lengths.dedup();
    let stays = lengths.into_iter().map(|length| Stay { move_in, length });
    // The last day of a feed is the last night's, or the day behind it.
    let is_within = |stay: &Stay| said.end.is_none_or(|end| stay.ends() <= follow(end));
    stays.filter(is_within).collect()
}

/// A length in whole weeks or months.
fn count_length(count: u32, unit: StayUnit) -> Option<Lease> {
    let fit = |count: u32| u16::try_from(count).ok().filter(|count| *count > 0);
    Some(match unit {
        StayUnit::Night if count.is_multiple_of(7) => Lease::weeks(fit(count / 7)?),
        StayUnit::Night => return None,
        StayUnit::Week => Lease::weeks(fit(count)?),
        StayUnit::Month => Lease::months(fit(count)?),
        StayUnit::Year => Lease::months(fit(count.checked_mul(12)?)?),
    })
}

/// The length from a first to a last day, where it is one of whole weeks or months: in the unit of the prices first.
fn measure_length(move_in: NaiveDate, end: NaiveDate, period: Period) -> Option<Lease> {
    let ends = [end, follow(end)];
    let weeks = || ends.into_iter().find_map(|end| measure_weeks(move_in, end));
    let months = || ends.into_iter().find_map(|end| measure_months(move_in, end));
    match period {
        Period::Weekly => weeks().or_else(months),
        Period::Monthly => months().or_else(weeks),
    }
}

fn measure_weeks(move_in: NaiveDate, end: NaiveDate) -> Option<Lease> {
    let nights = u32::try_from((end - move_in).num_days()).ok()?;
    count_length(nights, StayUnit::Night)
}

fn measure_months(move_in: NaiveDate, end: NaiveDate) -> Option<Lease> {
    let count =
        (1..=MONTHS_MAX).find(|count| move_in.checked_add_months(Months::new(*count)) == Some(end))?;
    count_length(count, StayUnit::Month)
}

fn follow(day: NaiveDate) -> NaiveDate {
    day.checked_add_days(Days::new(1)).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: &str = "2026-11-27";

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn price(minor: u64, period: PricePeriod) -> Price {
        Price {
            amount: Amount {
                minor,
                currency: "GBP",
            },
            most_minor: None,
            period,
            is_per_person: None,
        }
    }

    /// A lease from the autumn on.
    fn autumn(length: Option<Length>) -> Said {
        Said {
            move_in: Some(MoveIn::Day(day("2027-09-04"))),
            length,
            price: Some(price(18_500, PricePeriod::Week)),
            ..Said::default()
        }
    }

    fn offer(room: &Room) -> (Offered, Vec<Fault>) {
        let pricing = Pricing {
            currency: "GBP",
            period: Period::Weekly,
            is_let_out: false,
            has_own_deposits: false,
        };
        let mut notes = Vec::new();
        let offered = offer_leases(room, pricing, day(TODAY), &mut notes);
        (offered, notes)
    }

    fn room(leases: Vec<Said>) -> Room {
        Room {
            leases,
            ..Room::default()
        }
    }

    #[test]
    fn rents_are_scaled_by_exact_parts_of_a_year() {
        let rent = |minor, of, to| find_rent(price(minor, of), to);
        assert_eq!(rent(5_000, PricePeriod::Night, Period::Weekly), Some(35_000));
        assert_eq!(rent(12_000, PricePeriod::Night, Period::Monthly), Some(364_000));
        assert_eq!(rent(12_000, PricePeriod::Week, Period::Monthly), Some(52_000));
        assert_eq!(rent(52_000, PricePeriod::Month, Period::Weekly), Some(12_000));
        assert_eq!(rent(90_000, PricePeriod::Quarter, Period::Monthly), Some(30_000));
        assert_eq!(rent(1, PricePeriod::Year, Period::Weekly), None);
        assert_eq!(rent(u64::MAX, PricePeriod::Night, Period::Weekly), None);
    }

    #[test]
    fn lengths_are_those_that_the_feed_says() {
        let weeks = |count| Length::Exactly(count, StayUnit::Week);
        let between = Length::Between {
            least: Some((3, StayUnit::Month)),
            most: Some((12, StayUnit::Month)),
        };
        for (said, lengths) in [
            (autumn(Some(weeks(44))), vec![Lease::weeks(44)]),
            (
                autumn(Some(Length::Exactly(28, StayUnit::Night))),
                vec![Lease::weeks(4)],
            ),
            (autumn(Some(Length::Exactly(30, StayUnit::Night))), vec![]),
            (
                autumn(Some(Length::Exactly(1, StayUnit::Year))),
                vec![Lease::months(12)],
            ),
            (autumn(Some(between)), vec![Lease::months(3), Lease::months(12)]),
            (autumn(Some(Length::OpenEnded)), vec![]),
            (autumn(None), vec![]),
        ] {
            let found: Vec<Lease> = list_stays(&said, Period::Weekly)
                .iter()
                .map(|stay| stay.length)
                .collect();
            assert_eq!(found, lengths, "{said:?}");
        }
        let until = |end: &str, period| {
            let said = Said {
                end: Some(day(end)),
                ..autumn(None)
            };
            list_stays(&said, period).first().map(|stay| stay.length)
        };
        assert_eq!(until("2028-08-26", Period::Weekly), Some(Lease::weeks(51)));
        assert_eq!(until("2028-09-03", Period::Monthly), Some(Lease::months(12)));
        assert_eq!(until("2028-07-11", Period::Weekly), None);
    }

    #[test]
    fn lease_that_cannot_be_booked_is_asked_about() {
        let (offered, notes) = offer(&room(vec![autumn(None)]));
        assert_eq!(
            (offered.asked_minor, offered.offer.leases.len()),
            (Some(18_500), 0)
        );
        assert!(notes.is_empty(), "{notes:?}");
        let whole = autumn(Some(Length::Exactly(44, StayUnit::Week)));
        let (offered, notes) = offer(&room(vec![autumn(None), whole.clone(), whole]));
        assert_eq!((offered.asked_minor, offered.offer.leases.len()), (None, 1));
        assert_eq!(
            notes.len(),
            2,
            "one has no length, one the days of another: {notes:?}"
        );
        let range = Said {
            price: Some(Price {
                most_minor: Some(20_000),
                ..price(18_500, PricePeriod::Week)
            }),
            ..autumn(Some(Length::Exactly(44, StayUnit::Week)))
        };
        assert_eq!(offer(&room(vec![range])).0.asked_minor, Some(18_500));
    }

    #[test]
    fn rooms_are_counted_as_the_feed_says_them() {
        let lease = || autumn(Some(Length::Exactly(44, StayUnit::Week)));
        let counted = |room: Room| {
            let offer = offer(&room).0.offer;
            (offer.rooms, offer.is_count_said, offer.leases[0].rooms_available)
        };
        assert_eq!(counted(room(vec![lease()])), (None, false, 1));
        let free = Said {
            rooms_free: Some(3),
            ..lease()
        };
        assert_eq!(counted(room(vec![free.clone()])), (None, true, 3));
        let total = Room {
            total: Some(40),
            ..room(vec![free])
        };
        assert_eq!(counted(total.clone()), (Some(40), true, 3));
        let unsaid = Room {
            leases: vec![lease()],
            ..total.clone()
        };
        assert_eq!(
            counted(unsaid),
            (Some(40), false, 40),
            "nobody says how many are free"
        );
        let other = Room {
            leases: vec![
                autumn(Some(Length::Exactly(51, StayUnit::Week))),
                total.leases[0].clone(),
            ],
            ..total
        };
        assert_eq!(counted(other), (Some(40), true, 3));
        let shut = Said {
            is_bookable: Some(false),
            ..lease()
        };
        assert_eq!(counted(room(vec![shut])).2, 0);
        let late = Said {
            booking_deadline: Some(day("2026-11-25")),
            ..lease()
        };
        assert_eq!(counted(room(vec![late])).2, 0);
        let over_in_the_east = Said {
            booking_deadline: Some(day("2026-11-26")),
            ..lease()
        };
        assert_eq!(counted(room(vec![over_in_the_east])).2, 1);
        let blocked = Said {
            blocked: vec![(day("2027-12-20"), day("2028-01-05"))],
            ..lease()
        };
        assert_eq!(counted(room(vec![blocked])).2, 0);
    }
}
