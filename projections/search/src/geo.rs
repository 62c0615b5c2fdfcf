//! Where things are: whole microdegrees outside, unit vectors inside, so that a distance needs no trigonometry per
//! row and neither the antimeridian nor the poles are special.

use domain::place::Coordinates;

/// Mean radius of the earth, metres.
const EARTH_RADIUS_M: f64 = 6_371_008.8;

/// No place is farther from another than half the way round the earth.
pub const FARTHEST_M: f64 = EARTH_RADIUS_M * std::f64::consts::PI;

/// Room for rounding when a whole block is judged at once: about six millimetres.
pub(super) const SLACK: f64 = 1e-9;

/// A direction from the centre of the earth.
pub type UnitVector = [f64; 3];

/// A place from degrees; `None` outside −90…90 and −180…180 or for what is not a number.
pub fn from_degrees(lat: f64, lng: f64) -> Option<Coordinates> {
    ((-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng))
        .then(|| Coordinates::new(microdegrees(lat), microdegrees(lng)))
}

/// What the domain, which knows no floats, leaves to the reader of a place.
pub trait OnGlobe: Copy {
    /// Degrees north.
    fn lat(self) -> f64;
    /// Degrees east.
    fn lng(self) -> f64;
    fn unit(self) -> UnitVector;
    /// Great-circle distance in metres.
    fn metres_to(self, other: Self) -> f64;
}

impl OnGlobe for Coordinates {
    fn lat(self) -> f64 {
        f64::from(self.lat_e6) / 1e6
    }

    fn lng(self) -> f64 {
        f64::from(self.lng_e6) / 1e6
    }

    fn unit(self) -> UnitVector {
        let (lat, lng) = (self.lat().to_radians(), self.lng().to_radians());
        [lat.cos() * lng.cos(), lat.cos() * lng.sin(), lat.sin()]
    }

    fn metres_to(self, other: Self) -> f64 {
        metres_of_chord(squared_chord(&self.unit(), &other.unit()).sqrt())
    }
}

/// Place on a Hilbert curve over the map: neighbours on the curve are neighbours on the earth.
pub(super) fn hilbert(place: Coordinates) -> u64 {
    const SIDE: u64 = 1 << 20;
    let mut x = grid_line(place.lng_e6, 180_000_000, SIDE);
    let mut y = grid_line(place.lat_e6, 90_000_000, SIDE);
    let (mut along, mut step) = (0, SIDE / 2);
    while step > 0 {
        let right = u64::from(x & step > 0);
        let upper = u64::from(y & step > 0);
        along += step * step * ((3 * right) ^ upper);
        if upper == 0 {
            if right == 1 {
                x = (SIDE - 1).wrapping_sub(x);
                y = (SIDE - 1).wrapping_sub(y);
            }
            std::mem::swap(&mut x, &mut y);
        }
        step /= 2;
    }
    along
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "degrees within ±180 are at most 180 million microdegrees"
)]
fn microdegrees(degrees: f64) -> i32 {
    (degrees * 1e6).round() as i32
}

/// Which of `lines` equal strips of −half…half a value lies in.
fn grid_line(value: i32, half: i64, lines: u64) -> u64 {
    let from_zero = (i64::from(value) + half).clamp(0, 2 * half - 1).unsigned_abs();
    from_zero * lines / (2 * half.unsigned_abs())
}

/// Square of the straight line through the earth between two directions; grows with the distance over the ground.
pub fn squared_chord(one: &UnitVector, other: &UnitVector) -> f64 {
    let (x, y, z) = (one[0] - other[0], one[1] - other[1], one[2] - other[2]);
    x * x + y * y + z * z
}

/// The chord that spans `metres` over the ground.
pub fn chord_of_metres(metres: f64) -> f64 {
    2.0 * (metres.clamp(0.0, FARTHEST_M) / EARTH_RADIUS_M / 2.0).sin()
}

/// The way over the ground below a chord.
pub fn metres_of_chord(chord: f64) -> f64 {
    2.0 * EARTH_RADIUS_M * (chord / 2.0).clamp(0.0, 1.0).asin()
}

/// A box on the map; `west > east` crosses the antimeridian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapBox {
    pub south: i32,
    pub west: i32,
    pub north: i32,
    pub east: i32,
}

impl MapBox {
    /// The box between two corners given in any order; the shorter way round the earth is meant.
    pub fn between(a: Coordinates, b: Coordinates) -> Self {
        let (low, high) = (a.lng_e6.min(b.lng_e6), a.lng_e6.max(b.lng_e6));
        let crosses = i64::from(high) - i64::from(low) > 180_000_000;
        let (west, east) = if crosses { (high, low) } else { (low, high) };
        Self {
            south: a.lat_e6.min(b.lat_e6),
            west,
            north: a.lat_e6.max(b.lat_e6),
            east,
        }
    }

    pub fn contains(&self, place: Coordinates) -> bool {
        let between = if self.west <= self.east {
            place.lng_e6 >= self.west && place.lng_e6 <= self.east
        } else {
            place.lng_e6 >= self.west || place.lng_e6 <= self.east
        };
        place.lat_e6 >= self.south && place.lat_e6 <= self.north && between
    }

    /// The middle of the box.
    pub fn center(&self) -> Coordinates {
        let round = 360_000_000;
        let width = (i64::from(self.east) - i64::from(self.west)).rem_euclid(round);
        let lng = i64::from(self.west) + width / 2;
        let lng = if lng > round / 2 { lng - round } else { lng };
        Coordinates {
            lat_e6: i32::midpoint(self.south, self.north),
            lng_e6: i32::try_from(lng).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lng: f64) -> Coordinates {
        from_degrees(lat, lng).unwrap()
    }

    #[test]
    fn london_and_paris_are_344_km_apart() {
        let metres = at(51.507_222, -0.1275).metres_to(at(48.856_613, 2.352_222));
        assert!((metres - 343_900.0).abs() < 500.0, "{metres}");
    }

    #[test]
    fn a_box_over_the_antimeridian_holds_both_sides() {
        let fiji = MapBox::between(at(-19.0, 177.0), at(-16.0, -178.0));
        assert!(fiji.contains(at(-17.0, 179.5)) && fiji.contains(at(-17.0, -179.5)));
        assert!(!fiji.contains(at(-17.0, 0.0)));
        assert_eq!(fiji.center(), at(-17.5, 179.5));
    }

    #[test]
    fn corners_may_come_in_any_order() {
        let one = MapBox::between(at(51.0, -1.0), at(52.0, 1.0));
        assert_eq!(one, MapBox::between(at(52.0, -1.0), at(51.0, 1.0)));
        assert_eq!(one.center(), at(51.5, 0.0));
    }

    #[test]
    fn coordinates_off_the_map_are_refused() {
        assert_eq!(from_degrees(90.1, 0.0), None);
        assert_eq!(from_degrees(0.0, f64::NAN), None);
    }
}
