//! Maps of the site for search engines (<https://www.sitemaps.org>): an index, one map of pages of words, and for each country one of its
//! places and as many of its homes as the limit asks for. Each page stands in one map, under its canonical address.

use std::fmt::Write as _;

use ::content::PAGES;
use domain::country::Country;
use domain::language::Language;
use quick_xml::escape::escape;
use search_index::index::active;
use search_index::places::Places;
use search_index::query::{Clause, Direction, From, Order, Search, SortKey};
use search_index::value::Kind;

use crate::pages::blog;
use crate::pages::head::href;
use crate::pages::home::{country_region, listed_countries};
use crate::pages::site_map::{list_places, search_path};
use crate::pages::sources::PageSources;

/// Homes of one map; the protocol allows 50,000 addresses.
const HOMES_MAX: usize = 10_000;
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
/// The map of pages of words.
const PAGES_MAP: &str = "pages.xml";

pub(super) fn write_index(sources: &PageSources) -> String {
    let places = sources.records.catalogue.places();
    let mut files = vec![PAGES_MAP.to_owned()];
    for country in listed_countries(&places) {
        let key = country.key();
        files.push(format!("{key}-places.xml"));
        files.extend((1..=count_maps(&places, country)).map(|number| format!("{key}-homes-{number}.xml")));
    }
    let url = &sources.site.origin;
    let mut index = format!("{HEADER}<sitemapindex xmlns=\"{NAMESPACE}\">\n");
    for file in files {
        let place = format!("{url}/sitemaps/{file}");
        let _ = writeln!(index, "<sitemap><loc>{}</loc></sitemap>", escape(place.as_str()));
    }
    index.push_str("</sitemapindex>\n");
    index
}

/// How many maps the homes of a country take.
fn count_maps(places: &Places, country: Country) -> usize {
    let region = country_region(places, country);
    let homes = region.map_or(0, |region| places.homes(region.id));
    usize::try_from(homes).unwrap_or_default().div_ceil(HOMES_MAX)
}

/// The map of a name; none for a name that the index does not have.
pub(super) fn write_map(sources: &PageSources, file: &str) -> Option<String> {
    let name = file.strip_suffix(".xml")?;
    if file == PAGES_MAP {
        return Some(write_addresses(sources, &list_words()));
    }
    let places = sources.records.catalogue.places();
    let listed = |key: &str| {
        let found = Country::find(key).filter(|country| country.key() == key);
        found.filter(|country| listed_countries(&places).contains(country))
    };
    if let Some(key) = name.strip_suffix("-places") {
        let all = list_places(&places, listed(key)?);
        let paths: Vec<String> = all.into_iter().map(|place| search_path(place)).collect();
        return Some(write_addresses(sources, &paths));
    }
    let (key, number) = name.rsplit_once("-homes-")?;
    let (country, number) = (listed(key)?, number.parse::<usize>().ok()?);
    if !(1..=count_maps(&places, country)).contains(&number) {
        return None;
    }
    Some(write_addresses(
        sources,
        &list_homes(sources, &places, country, number)?,
    ))
}

/// Paths of every page of words that search engines list.
fn list_words() -> Vec<String> {
    let mut paths: Vec<String> = ["/", "/help", "/sitemap", "/terms", "/privacy", "/verify"]
        .map(str::to_owned)
        .to_vec();
    paths.extend(PAGES.into_iter().map(|page| format!("/{}", page.key)));
    paths.extend(blog::list_paths());
    paths
}

/// Paths of the homes of a map, those that were listed first before later ones, so that a new home moves none into another map.
fn list_homes(
    sources: &PageSources,
    places: &Places,
    country: Country,
    number: usize,
) -> Option<Vec<String>> {
    let catalogue = &sources.records.catalogue;
    let region = country_region(places, country)?;
    let snapshot = catalogue.snapshot();
    let region = snapshot.vocabulary().find(Kind::Region, &region.id.to_string())?;
    let search = Search {
        clauses: vec![active(), Clause::any(None, vec![region])],
        order: Order {
            key: SortKey::Created,
            direction: Direction::Ascending,
        },
        from: From::Offset((number - 1) * HOMES_MAX),
        limit: HOMES_MAX,
        ..Search::default()
    };
    let homes = catalogue.items(&catalogue.search(&snapshot, &search));
    let paths = homes
        .iter()
        .map(|home| format!("/places/{}", home.canonical_name));
    Some(paths.collect())
}

fn write_addresses(sources: &PageSources, paths: &[String]) -> String {
    let mut map = format!("{HEADER}<urlset xmlns=\"{NAMESPACE}\">\n");
    for path in paths {
        let address = href(sources, Language::default(), path);
        let _ = writeln!(map, "<url><loc>{}</loc></url>", escape(address.as_str()));
    }
    map.push_str("</urlset>\n");
    map
}
