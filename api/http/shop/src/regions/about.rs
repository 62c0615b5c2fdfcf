//! What is said about a region: the head of its page and the questions people ask (Spec §3 `meta`, `faqs`).

use domain::language::Language;
use domain::region::RegionType;
use platform::forms::forms_of;
use platform::texts::text;
use search_index::places::{Place, PlaceGroup, Places};
use search_index::query::{Clause, Search};
use search_index::value::Kind;
use search_index::{SearchIndex, index};
use serde_json::{Value, json};

/// Universities named in an answer.
const NAMED: usize = 3;
/// Of these, the ones whose campus is known.
const LOOKED_AT: usize = 24;

/// The head's texts.
pub struct Words {
    pub title: String,
    pub description: String,
    pub keywords: String,
}

/// Writes the head of a page about a place with so many homes.
pub fn words(place: &Place, total: u64, lang: Language) -> Words {
    let name = place.name_in(lang.code());
    let count = write_count(total, lang);
    let values = [("place", name), ("homes", count.as_str())];
    let (title, description) = match place.details.region_type {
        RegionType::Establishment => ("title_university", "description_university"),
        // Its search reaches far beyond it (D45).
        RegionType::Sublocality => ("title", "description_area"),
        RegionType::Country | RegionType::State | RegionType::Locality => ("title", "description"),
    };
    let said = |key: &str| text(lang, &format!("search_head.{key}"), &values);
    Words {
        title: said(title),
        description: said(description),
        keywords: said("keywords"),
    }
}

/// A count as its reader writes it: `5,842`.
fn write_count(count: u64, lang: Language) -> String {
    forms_of(lang).write_number(&count.to_string())
}

/// Where a place without homes lies, and the nearest city with homes.
pub fn without_homes(places: &Places, place: &Place, lies_in: &str, lang: Language) -> String {
    let nearest = places.nearest_with_homes(place.center(), 1);
    let nearest = nearest.first().map(|(city, _)| city.name_in(lang.code()));
    let (key, nearest) = match nearest {
        Some(nearest) => ("no_homes_nearest", nearest),
        None => ("no_homes", ""),
    };
    let values = [("lies_in", lies_in), ("nearest", nearest)];
    text(lang, &format!("search_head.{key}"), &values)
}

/// Active listings that the region's search finds with no filter on, around `middle` when it is a circle.
pub fn total(catalogue: &SearchIndex, place: &Place, middle: &Place) -> u64 {
    let snapshot = catalogue.snapshot();
    let mut search = Search {
        clauses: vec![index::active()],
        ..Search::default()
    };
    let region = snapshot.vocabulary().find(Kind::Region, &place.id.to_string());
    if place.is_searched_as_a_whole() {
        search
            .clauses
            .push(Clause::any(None, region.into_iter().collect()));
    } else {
        search.area = search_index::query::Area::circle(middle.center(), place.radius_m());
        let own = region.filter(|_| middle.id == place.id);
        search.clauses.push(Clause::placed_or_in(own));
    }
    catalogue.search(&snapshot, &search).total
}

/// Questions about a place, answered from the catalogue.
pub fn questions(catalogue: &SearchIndex, place: &Place, total: u64, lang: Language) -> Vec<Value> {
    if total == 0 {
        return Vec::new();
    }
    let name = place.name_in(lang.code());
    let places = catalogue.places();
    let universities = places.nearest(PlaceGroup::Universities, place.center(), &[place.id], LOOKED_AT);
    let near: Vec<&str> = universities
        .iter()
        .filter(|(university, _)| !university.details.is_without_campus)
        .map(|(university, _)| university.name_in(lang.code()))
        .take(NAMED)
        .collect();
    let separator = text(lang, "search_head.list_separator", &[]);
    let (count, near) = (write_count(total, lang), near.join(&separator));
    let values = [
        ("place", name),
        ("homes", count.as_str()),
        ("universities", near.as_str()),
    ];
    let of = |topic: &str| {
        json!({
            "question": text(lang, &format!("search_head.question_{topic}"), &values),
            "answer": text(lang, &format!("search_head.answer_{topic}"), &values),
        })
    };
    let mut all = vec![of("count"), of("price"), of("guarantor")];
    if !near.is_empty() && !place.is_searched_as_a_whole() {
        all.insert(1, of("universities"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_homes_are_grouped_and_one_home_is_no_homes() {
        let say = |lang, key: &str, count| {
            let count = write_count(count, lang);
            text(
                lang,
                &format!("search_head.{key}"),
                &[("homes", &count), ("place", "Leeds")],
            )
        };
        let english = |count| say(Language::En, "description", count);
        assert!(english(5_842).starts_with("Compare 5,842 student homes in Leeds"));
        assert!(english(1).starts_with("Compare 1 student home in Leeds"));
        assert!(english(0).starts_with("Compare student homes in Leeds"));
        assert!(say(Language::En, "answer_count", 1).starts_with("1 home is listed"));
        assert!(say(Language::Zh, "description", 5_842).contains(" 5,842 "));
        assert_eq!(write_count(5_842, Language::De), "5.842");
    }
}
