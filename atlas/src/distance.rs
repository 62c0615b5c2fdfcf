//! Distances along the globe, good to a few metres in a hundred kilometres.

use domain::place::Coordinates;

/// Mean radius of the earth, metres.
const EARTH_RADIUS_M: f64 = 6_371_008.8;
/// Metres of a degree of latitude.
const DEGREE_M: f64 = 111_195.0;

/// Great-circle distance in metres.
pub(crate) fn metres_between(one: Coordinates, other: Coordinates) -> f64 {
    let radians = |e6: i32| (f64::from(e6) / 1e6).to_radians();
    let (south, north) = (radians(one.lat_e6), radians(other.lat_e6));
    let half_lat = ((north - south) / 2.0).sin();
    let half_lng = ((radians(other.lng_e6) - radians(one.lng_e6)) / 2.0).sin();
    let square = half_lat.mul_add(half_lat, south.cos() * north.cos() * half_lng * half_lng);
    2.0 * EARTH_RADIUS_M * square.sqrt().min(1.0).asin()
}

/// How far a box reaches, in microdegrees, that holds everything within so many metres of a point.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a margin is less than half the way round the earth"
)]
pub(crate) fn margin_e6(point: Coordinates, metres: f64) -> i32 {
    let shrunk = (f64::from(point.lat_e6) / 1e6).to_radians().cos().max(0.1);
    (metres / DEGREE_M / shrunk * 1e6).min(90_000_000.0) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leeds_is_fifty_eight_kilometres_from_manchester() {
        let leeds = Coordinates::new(53_796_480, -1_547_850);
        let manchester = Coordinates::new(53_480_950, -2_237_430);
        let metres = metres_between(leeds, manchester);
        assert!((56_000.0..60_000.0).contains(&metres), "{metres}");
    }
}
