//! Places as an operator's file corrects and adds them: facts of a place, and names of one. Both go to the region; a place of the atlas that has
//! none yet gets it first.

use atlas::regions::Above;
use atlas::{Form, atlas};
use domain::country::Country;
use domain::id::RegionId;
use domain::language::Language;
use domain::place::{Bounds, Coordinates, is_canonical};
use domain::region::{RegionDetails, RegionType, Subtype};
use domain::wording::Wording;

use super::facts::Meant;
use super::open::{AREA_HALF, CITY_HALF, above, bare};
use super::{Fact, Gazetteer, named_id};

/// A field and what is wrong with it.
pub(crate) type Fault = (&'static str, String);

/// Facts of a place that a row says; a fact that it does not say stays as it is.
#[derive(Debug, Default)]
pub(crate) struct PlaceEdit {
    pub(crate) canonical_name: String,
    pub(crate) kind: Option<RegionType>,
    pub(crate) country: Option<Country>,
    /// The canonical name of the city of an area or a university.
    pub(crate) city: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) point: Option<Coordinates>,
    pub(crate) time_zone: Option<String>,
}

/// Form of a name of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    Known(Form),
    /// It is none: it is taken away.
    Wrong,
}

/// A name of a place.
#[derive(Debug)]
pub(crate) struct NameEdit {
    pub(crate) canonical_name: String,
    /// `en`, `zh-Hans`, …; `und` for any.
    pub(crate) language: String,
    pub(crate) naming: Naming,
    pub(crate) text: String,
}

/// Outcome of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Added,
    Changed,
    Unchanged,
}

impl Gazetteer {
    /// Corrects a place, or adds it.
    ///
    /// # Errors
    /// Names the field and what is wrong with it.
    pub(crate) fn edit_place(&mut self, edit: &PlaceEdit) -> Result<Outcome, Fault> {
        let was_known = self.known_as(&edit.canonical_name).is_some();
        let Some(id) = self.find_or_open(&edit.canonical_name) else {
            return self.add_place(edit).map(|()| Outcome::Added);
        };
        let Some(before) = self.details_of(id) else {
            return Ok(Outcome::Unchanged);
        };
        let after = self.corrected_by(edit, &before)?;
        Ok(self.put(id, &before, after, was_known))
    }

    /// Gives a place a name, or takes one away.
    ///
    /// # Errors
    /// Names the field and what is wrong with it.
    pub(crate) fn edit_name(&mut self, edit: &NameEdit) -> Result<Outcome, Fault> {
        let was_known = self.known_as(&edit.canonical_name).is_some();
        let id = self.find_or_open(&edit.canonical_name);
        let Some((id, before)) = id.and_then(|id| Some((id, self.details_of(id)?))) else {
            let reason = format!("no place is called `{}`", edit.canonical_name);
            return Err(("canonical_name", reason));
        };
        let mut after = before.clone();
        match edit.naming {
            Naming::Known(form) => give_name(&mut after, &edit.language, form, &edit.text),
            Naming::Wrong if after.name == edit.text => {
                let reason = format!("`{}` is the name that the place is listed by", edit.text);
                return Err(("name", reason));
            }
            Naming::Wrong => take_name(&mut after, &edit.text),
        }
        Ok(self.put(id, &before, after, was_known))
    }

    /// The region with that canonical name; one of the atlas is opened.
    fn find_or_open(&mut self, canonical_name: &str) -> Option<RegionId> {
        if let Some(known) = self.known_as(canonical_name) {
            return Some(known);
        }
        let found = atlas().find_by_canonical_name(canonical_name)?;
        let country = Country::find(&found.place.country)?;
        if found.place.is_city() {
            return Some(self.open_city(country, &found.place));
        }
        let parent = match &found.city {
            Some(city) => self.open_city(country, city),
            None => self.country(country, found.place.centre),
        };
        let zone = self.zone_at(country, found.place.centre);
        let above = Above {
            time_zone: &zone,
            ..above(country, Some(parent), found.city.as_ref())
        };
        Some(self.open_below(&found.place, &above))
    }

    fn open_city(&mut self, country: Country, city: &Fact) -> RegionId {
        match self.region_of(country, city) {
            Some(known) => known,
            None => self.open_fact(country, city),
        }
    }

    /// The region as this run leaves it.
    fn details_of(&self, id: RegionId) -> Option<RegionDetails> {
        let corrected = self.corrected.get(&id).cloned();
        let opened = || self.opened.iter().find(|opened| opened.id == id);
        let known = || self.places.get(id).map(|place| place.details.clone());
        corrected
            .or_else(|| opened().map(|opened| opened.details.clone()))
            .or_else(known)
    }

    /// Keeps what a region has become.
    fn put(
        &mut self,
        id: RegionId,
        before: &RegionDetails,
        after: RegionDetails,
        was_known: bool,
    ) -> Outcome {
        let is_changed = *before != after;
        if let Some(opened) = self.opened.iter_mut().find(|opened| opened.id == id) {
            opened.details = after;
        } else if is_changed {
            self.corrected.insert(id, after);
        }
        match (was_known, is_changed) {
            (false, _) => Outcome::Added,
            (true, true) => Outcome::Changed,
            (true, false) => Outcome::Unchanged,
        }
    }

    fn corrected_by(&mut self, edit: &PlaceEdit, before: &RegionDetails) -> Result<RegionDetails, Fault> {
        let mut after = before.clone();
        let canonical_name = &edit.canonical_name;
        if edit.kind.is_some_and(|kind| kind != before.region_type) {
            let reason = format!("`{canonical_name}` is a {}", before.region_type.key());
            return Err(("kind", reason));
        }
        if edit.country.is_some_and(|country| country != before.country) {
            let reason = format!("`{canonical_name}` is in {}", before.country.name());
            return Err(("country", reason));
        }
        if let Some(name) = &edit.name {
            rename(&mut after, name);
        }
        if let Some(zone) = &edit.time_zone {
            after.time_zone.clone_from(zone);
        }
        if let Some(city) = &edit.city {
            let (id, details) = self.city_for(city, before.region_type)?;
            after.parent = Some(id);
            after.locality = Some(details.name);
        }
        if let Some(point) = edit.point {
            self.check_limits(before.country, point)?;
            after.centre = point;
            after.is_without_campus = false;
            after.bounds = moved(before.bounds, point);
            self.put_below_state(before, &mut after);
        }
        Ok(after)
    }

    /// A city that an earlier import opened lies below its state from now on, which says that it was described since.
    fn put_below_state(&mut self, before: &RegionDetails, after: &mut RegionDetails) {
        let above = before.parent.and_then(|parent| self.details_of(parent));
        let is_bare = above.is_some_and(|above| above.region_type == RegionType::Country);
        if before.region_type != RegionType::Locality || !is_bare {
            return;
        }
        if let Meant::City(fact) = self.facts.find_city(before.country, &before.name, before.centre)
            && let Some(state) = self.facts.surroundings(before.country, &fact).state
        {
            after.parent = Some(self.open_state(before.country, &state, &fact));
        }
    }

    fn check_limits(&mut self, country: Country, point: Coordinates) -> Result<(), Fault> {
        if self.facts.can_hold(country, point) {
            Ok(())
        } else {
            Err(("lat", format!("the point lies outside {}", country.name())))
        }
    }

    /// The city that an area or a university is said to lie in.
    fn city_for(&mut self, city: &str, kind: RegionType) -> Result<(RegionId, RegionDetails), Fault> {
        if !matches!(kind, RegionType::Sublocality | RegionType::Establishment) {
            let reason = "only an area or a university lies in a city".to_owned();
            return Err(("city", reason));
        }
        let id = self.find_or_open(city);
        let found = id.and_then(|id| Some((id, self.details_of(id)?)));
        found
            .filter(|(_, details)| details.region_type == RegionType::Locality)
            .ok_or_else(|| ("city", format!("no city is called `{city}`")))
    }

    /// Adds a place that neither the house nor the atlas knows.
    fn add_place(&mut self, edit: &PlaceEdit) -> Result<(), Fault> {
        let canonical_name = edit.canonical_name.clone();
        if !is_canonical(&canonical_name) {
            let reason = format!("`{canonical_name}` is not lower-case words joined by hyphens");
            return Err(("canonical_name", reason));
        }
        let needs = |field: &'static str| (field, format!("a new place needs its {field}"));
        let kind = edit.kind.ok_or_else(|| needs("kind"))?;
        let country = edit.country.ok_or_else(|| needs("country"))?;
        let name = edit.name.clone().ok_or_else(|| needs("name"))?;
        let point = edit.point.ok_or_else(|| needs("lat"))?;
        self.check_limits(country, point)?;
        let (parent, locality) = match kind {
            RegionType::Locality => (self.country(country, point), name.clone()),
            RegionType::Sublocality | RegionType::Establishment => {
                let city = edit.city.as_deref().ok_or_else(|| needs("city"))?;
                let (id, details) = self.city_for(city, kind)?;
                (id, details.name)
            }
            RegionType::Country | RegionType::State => {
                let reason = "only cities, areas and universities are added".to_owned();
                return Err(("kind", reason));
            }
        };
        let half = if kind == RegionType::Locality {
            CITY_HALF
        } else {
            AREA_HALF
        };
        let zone = match &edit.time_zone {
            Some(zone) => zone.clone(),
            None => self.zone_at(country, point),
        };
        let details = RegionDetails {
            name,
            canonical_name: canonical_name.clone(),
            region_type: kind,
            subtype: (kind == RegionType::Establishment).then_some(Subtype::University),
            parent: Some(parent),
            locality: Some(locality),
            bounds: Bounds::around(point, half.0, half.1),
            ..bare(country, point, zone)
        };
        let id = RegionId(named_id(&["place", &canonical_name]));
        if kind == RegionType::Locality {
            self.push_city(id, details);
        } else {
            self.push_opened(id, details);
        }
        Ok(())
    }
}

/// A box of the same size around another point.
const fn moved(bounds: Bounds, centre: Coordinates) -> Bounds {
    let half_lat = (bounds.northeast.lat_e6 - bounds.southwest.lat_e6) / 2;
    let half_lng = (bounds.northeast.lng_e6 - bounds.southwest.lng_e6) / 2;
    Bounds::around(centre, half_lat, half_lng)
}

fn rename(details: &mut RegionDetails, name: &str) {
    if details.region_type == RegionType::Locality {
        details.locality = Some(name.to_owned());
    }
    if let Some(names) = details.local_name.take() {
        details.local_name = Some(names.with(Language::default().code(), name));
    }
    name.clone_into(&mut details.name);
}

/// An official name in a language of the product is shown in it; every other name finds the place.
fn give_name(details: &mut RegionDetails, language: &str, form: Form, text: &str) {
    let is_official = form == Form::Official;
    if is_official && Language::written_as(language) == Some(Language::default()) {
        rename(details, text);
        return;
    }
    let english = details.name.clone();
    if is_official && let Some(language) = Language::written_as(language) {
        let names = details.local_name.take();
        let names = names.unwrap_or_else(|| Wording::english(english));
        details.local_name = Some(names.with(language.code(), text));
    } else if english != text && !details.aliases.iter().any(|alias| alias == text) {
        details.aliases.push(text.to_owned());
    }
}

fn take_name(details: &mut RegionDetails, text: &str) {
    details.aliases.retain(|alias| alias != text);
    if let Some(names) = &mut details.local_name {
        names.drop_translations(text);
        if names.texts().all(|(tag, _)| tag == Language::default().code()) {
            details.local_name = None;
        }
    }
}
