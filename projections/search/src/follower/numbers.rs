//! How many homes a search of each region finds: counted again where a home came, went or moved, before anybody is told of the
//! position (decision 0031).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::id::RegionId;
use domain::inventory::Status;
use domain::place::Coordinates;
use domain::region::RegionType;

use super::super::geo::OnGlobe;
use super::super::index::active;
use super::super::item::Item;
use super::super::places::{Place, Places};
use super::super::query::{Area, Clause, Search};
use super::super::value::Kind;
use super::IndexFollower;

/// With more homes than these on the way, finding the regions that they touch costs as much as counting all of them.
const FEW: usize = 100;
/// A region is counted that just does not reach a home, rather than one left out that just does.
const SLACK_M: f64 = 100.0;

/// Whether homes are counted with what is published now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    Now,
    /// More is known already: they are counted with the last of it.
    Later,
}

/// Where a home is that searches find.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Whereabouts {
    place: Coordinates,
    region: RegionId,
    area: Option<RegionId>,
}

impl Whereabouts {
    /// `None` for what is not found.
    pub(super) fn of(item: &Item) -> Option<Self> {
        (item.status == Status::Active).then_some(Self {
            place: item.found_at,
            region: item.region,
            area: item.area,
        })
    }
}

/// Whose homes are to be counted again.
#[derive(Debug)]
pub(super) enum Uncounted {
    /// The regions around these homes, as they were or are now.
    Around(Vec<Whereabouts>),
    All,
}

impl Default for Uncounted {
    fn default() -> Self {
        Self::Around(Vec::new())
    }
}

impl Uncounted {
    /// A home was here, and is there now.
    pub(super) fn moved(&mut self, before: Option<Whereabouts>, now: Option<Whereabouts>) {
        let Self::Around(homes) = self else { return };
        if before == now {
            return;
        }
        homes.extend(before.into_iter().chain(now));
        if homes.len() > FEW {
            *self = Self::All;
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Around(homes) if homes.is_empty())
    }

    fn regions(self, places: &Places) -> Vec<Arc<Place>> {
        let homes = match self {
            Self::All => return places.all().cloned().collect(),
            Self::Around(homes) if homes.is_empty() => return Vec::new(),
            Self::Around(homes) => homes,
        };
        let named = homes.iter().flat_map(|home| [Some(home.region), home.area]);
        let above: HashSet<RegionId> = named
            .flatten()
            .flat_map(|region| places.with_ancestors(region))
            .collect();
        let reaches = |place: &&Arc<Place>| {
            let reach = place.radius_m() + SLACK_M;
            above.contains(&place.id)
                || !counts_whole(place)
                    && homes
                        .iter()
                        .any(|home| home.place.metres_to(place.center()) <= reach)
        };
        places.all().filter(reaches).cloned().collect()
    }
}

/// An area's search reaches far beyond it; its number tells what lies in it.
fn counts_whole(place: &Place) -> bool {
    place.is_searched_as_a_whole() || place.details.region_type == RegionType::Sublocality
}

impl IndexFollower {
    /// Counts the homes of every region that has others than before.
    pub(super) fn count(&mut self) {
        let places = self.search_index.places.load();
        let regions = std::mem::take(&mut self.uncounted).regions(&places);
        let fresh: HashMap<RegionId, u64> = regions
            .iter()
            .map(|place| (place.id, self.count_homes(place)))
            .collect();
        if fresh.iter().all(|(id, number)| places.homes(*id) == *number) {
            return;
        }
        let mut homes = places.all_homes().clone();
        homes.extend(fresh);
        self.search_index.places.store(Arc::new(places.counted(homes)));
    }

    fn count_homes(&self, place: &Place) -> u64 {
        let snapshot = self.search_index.snapshot();
        let mut search = Search {
            clauses: vec![active()],
            ..Search::default()
        };
        let region = snapshot.vocabulary().find(Kind::Region, &place.id.to_string());
        if counts_whole(place) {
            search
                .clauses
                .push(Clause::any(None, region.into_iter().collect()));
        } else {
            search.area = Area::circle(place.center(), place.radius_m());
            search.clauses.push(Clause::placed_or_in(region));
        }
        snapshot.search(&search, None).total
    }
}
