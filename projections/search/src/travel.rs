//! How long a way takes, estimated from its length as the crow flies (no routing service is asked, so it works offline).
//! Buses and trains go by timetables, which no distance says.

use serde::Serialize;

/// A way with its duration (Spec §3 Travel info).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Travel {
    pub distance_m: u32,
    pub duration_s: u32,
}

/// Streets are this much longer than the straight line, in hundredths.
const DETOUR: u64 = 130;
/// Decimetres a second: 4.7 km/h on foot, 25 km/h by car in a town.
const ON_FOOT: u64 = 13;
const BY_CAR: u64 = 70;
/// Finding the car and a place to leave it.
const PARKING_S: u64 = 180;

pub fn walking(straight_m: u32) -> Travel {
    travel(straight_m, ON_FOOT, 0)
}

pub fn driving(straight_m: u32) -> Travel {
    travel(straight_m, BY_CAR, PARKING_S)
}

fn travel(straight_m: u32, decimetres_a_second: u64, extra_s: u64) -> Travel {
    let metres = u64::from(straight_m) * DETOUR / 100;
    let seconds = metres * 10 / decimetres_a_second + extra_s;
    let fit = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Travel {
        distance_m: fit(metres),
        duration_s: fit(seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kilometre_is_a_walk_of_about_a_quarter_of_an_hour() {
        assert_eq!(
            walking(1_000),
            Travel {
                distance_m: 1_300,
                duration_s: 1_000
            }
        );
        assert!(driving(8_000).duration_s < walking(8_000).duration_s);
    }
}
