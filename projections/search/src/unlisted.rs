//! Cities and universities of the atlas that are no regions yet, because no home stands there, or that are closed: the box finds them, and
//! their page says where the nearest homes are.

use std::collections::HashSet;
use std::sync::Arc;

use atlas::regions::{Above, describe_place, region_id};
use atlas::{Found, Sought, atlas};
use domain::country::Country;
use domain::place::Coordinates;
use domain::region::{RegionState, RegionType};

use super::geo::OnGlobe;
use super::places::{Place, PlaceGroup, Places};

/// A region of the same name as near as this is the same place, by whichever address.
const SAME_PLACE_M: f64 = 30_000.0;

/// Homes farther away than this are no answer to who looks for a place.
const NEAR_M: f64 = 300_000.0;

/// A place without a region.
#[derive(Debug, Clone)]
pub struct Unlisted {
    /// As a region that is not in the log.
    pub place: Arc<Place>,
    /// The state of a city or the city of a university.
    pub lies_in: Option<atlas::Place>,
}

impl Places {
    /// The place without a region that has this canonical name.
    pub fn find_unlisted(&self, canonical_name: &str) -> Option<Arc<Place>> {
        let found = atlas().find_by_canonical_name(canonical_name)?;
        Some(self.unlisted(found)?.place)
    }

    /// Places without a region that have this whole name, the largest first.
    pub fn name_unlisted(&self, group: PlaceGroup, text: &str, room: usize) -> Vec<Unlisted> {
        let Some(sought) = sought(group) else {
            return Vec::new();
        };
        let is_known = self.known_countries();
        let found = atlas().find_named(text, sought, is_known, room).into_iter();
        found.filter_map(|found| self.unlisted(found)).collect()
    }

    /// Places without a region whose name a text may become, the largest first.
    pub fn suggest_unlisted(&self, group: PlaceGroup, text: &str, room: usize) -> Vec<Unlisted> {
        let Some(sought) = sought(group) else {
            return Vec::new();
        };
        let is_known = self.known_countries();
        let found = atlas().suggest(text, sought, is_known, room).into_iter();
        found.filter_map(|found| self.unlisted(found)).collect()
    }

    /// `None` where the house has a region for the place that the box finds by itself: one that is not closed.
    fn unlisted(&self, found: Found) -> Option<Unlisted> {
        let fact = &found.place;
        if !fact.is_city() && !fact.is_university() {
            return None;
        }
        let country = Country::find(&fact.country)?;
        let above = Above {
            country,
            parent: self.find_parent(country, &found),
            city: found.city.as_ref(),
            time_zone: "",
        };
        let details = describe_place(fact, &above);
        let own = region_id(&fact.id);
        let is_same = |place: &&Arc<Place>| {
            place.details.region_type == details.region_type
                && place.center().metres_to(details.centre) <= SAME_PLACE_M
                && place.names().iter().any(|name| fact.is_called(name))
        };
        let known = self.get(own);
        let known = known.or_else(|| self.by_canonical_name(&fact.canonical_name));
        let place = match known.or_else(|| self.all().find(is_same)) {
            Some(region) if region.state == RegionState::Inactive => Arc::clone(region),
            Some(_) => return None,
            None => Arc::new(Place {
                id: own,
                state: RegionState::Active,
                details,
            }),
        };
        Some(Unlisted {
            place,
            lies_in: found.city.or(found.state),
        })
    }

    /// The nearest region above the place that the house has.
    fn find_parent(&self, country: Country, found: &Found) -> Option<domain::id::RegionId> {
        let city = found.city.iter().map(|city| city.id.as_str());
        let state = found.state.iter().map(|state| state.id.as_str());
        let mut own = city.chain(state).map(region_id);
        let by_id = own.find(|id| self.get(*id).is_some());
        let lies_in = found.city.as_ref().or(found.state.as_ref());
        let by_name = || {
            let place = self.by_canonical_name(&lies_in?.canonical_name)?;
            Some(place.id)
        };
        let is_country = |place: &&Arc<Place>| {
            place.details.region_type == RegionType::Country && place.details.country == country
        };
        let by_country = || Some(self.all().find(is_country)?.id);
        by_id.or_else(by_name).or_else(by_country)
    }

    /// Whether the box finds places of a country by itself: of those that the specification names, and those that this house has opened.
    fn known_countries(&self) -> impl Fn(&str) -> bool + use<> {
        let opened = self
            .all()
            .filter(|place| place.details.region_type == RegionType::Country)
            .map(|place| place.details.country);
        let known: HashSet<&'static str> = Country::SPECIFIED
            .into_iter()
            .chain(opened)
            .map(Country::iso)
            .collect();
        move |code| known.contains(code)
    }

    /// Cities with homes that are not too far to name, the nearest first, with metres.
    pub fn nearest_with_homes(&self, to: Coordinates, room: usize) -> Vec<(&Arc<Place>, f64)> {
        let has_homes = |place: &&Arc<Place>| {
            place.state == RegionState::Active
                && place.details.region_type == RegionType::Locality
                && self.homes(place.id) > 0
        };
        let mut near: Vec<_> = self
            .all()
            .filter(has_homes)
            .map(|place| (place, to.metres_to(place.center())))
            .filter(|(_, metres)| *metres <= NEAR_M)
            .collect();
        near.sort_by(|(a, near_a), (b, near_b)| near_a.total_cmp(near_b).then(a.id.cmp(&b.id)));
        near.truncate(room);
        near
    }
}

const fn sought(group: PlaceGroup) -> Option<Sought> {
    match group {
        PlaceGroup::Cities => Some(Sought::Cities),
        PlaceGroup::Universities => Some(Sought::Universities),
        PlaceGroup::Areas => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_without_regions_are_found_by_address() {
        let house = Places::default();
        for (canonical_name, name, kind) in [
            ("oxford", "Oxford", RegionType::Locality),
            ("leeds", "Leeds", RegionType::Locality),
            (
                "university-of-leeds",
                "University of Leeds",
                RegionType::Establishment,
            ),
            ("unsw-sydney", "UNSW Sydney", RegionType::Establishment),
        ] {
            let place = house.find_unlisted(canonical_name).unwrap();
            assert_eq!((place.name(), place.details.region_type), (name, kind));
            assert_eq!(place.canonical_name(), canonical_name);
        }
        // States and countries have regions as soon as something lies in them.
        for nothing in ["england", "united-kingdom", "no-such-place", "Oxford", ""] {
            assert!(house.find_unlisted(nothing).is_none(), "{nothing}");
        }
    }

    #[test]
    fn places_without_regions_are_named_in_every_language() {
        let house = Places::default();
        for (group, text, canonical_name) in [
            (PlaceGroup::Cities, "München", "munich"),
            (PlaceGroup::Cities, "Munich", "munich"),
            (PlaceGroup::Cities, "慕尼黑", "munich"),
            (PlaceGroup::Cities, "Nueva York", "new-york"),
            (PlaceGroup::Universities, "UCL", "university-college-london"),
            (PlaceGroup::Universities, "NYU", "new-york-university"),
        ] {
            let found = house.name_unlisted(group, text, 1);
            assert_eq!(found[0].place.canonical_name(), canonical_name, "{text}");
        }
        assert!(house.name_unlisted(PlaceGroup::Areas, "Jericho", 1).is_empty());
        let begun = house.suggest_unlisted(PlaceGroup::Cities, "oxfo", 3);
        assert_eq!(begun[0].place.canonical_name(), "oxford");
        assert_eq!(begun[0].lies_in.as_ref().unwrap().name, "England");
        assert!(house.nearest_with_homes(begun[0].place.center(), 3).is_empty());
    }
}
