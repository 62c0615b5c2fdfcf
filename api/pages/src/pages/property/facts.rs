//! The few facts that decide, at the top of a property page.

use domain::inventory::property::{Feature, FeatureGroup};
use domain::language::Language;
use platform::forms::forms_of;
use search_index::travel::walking;
use serde_json::{Value, json};
use shop::inventories::home::Home;
use shop::inventories::words::{joined, words};

use super::{Near, checked, room_names};

/// Farther than this nobody walks every day.
const WALK_MINUTES: u32 = 35;

/// Way to the nearest university, bills, people, who lets it, our own visit.
pub(super) fn facts(home: &Home, university: Option<&Near>, lang: Language) -> Vec<Value> {
    let facts = [
        university.map(|near| way(near, lang)),
        bills(home, lang),
        residents(home, lang),
        provider(home, lang),
        checked(home, lang).map(|date| {
            let detail = words(lang, "fact.checked_detail", &[("date", &date)]);
            fact("shield", &words(lang, "fact.checked", &[]), &detail)
        }),
    ];
    facts.into_iter().flatten().collect()
}

fn fact(icon: &str, title: &str, detail: &str) -> Value {
    json!({ "icon": icon, "title": title, "detail": detail })
}

fn way(near: &Near, lang: Language) -> Value {
    let away = distance(near.metres, lang);
    let (university, on_foot) = (near.title(lang), minutes(walking(near.metres).duration_s));
    if on_foot > WALK_MINUTES {
        return fact("pin", &university, &away);
    }
    let values = [("minutes", on_foot.to_string()), ("university", university)];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    fact("walk", &words(lang, "fact.walk", &values), &away)
}

/// `650 m away`, `1.4 km away`.
fn distance(metres: u32, lang: Language) -> String {
    measured(metres, ["fact.distance_m", "fact.distance_km"], lang)
}

/// `650 m`, `1.4 km`.
pub(super) fn length(metres: u32, lang: Language) -> String {
    measured(metres, ["inventory.m", "inventory.km"], lang)
}

fn measured(metres: u32, [near, far]: [&str; 2], lang: Language) -> String {
    if metres < 1_000 {
        return words(lang, near, &[("m", &(metres / 10 * 10).to_string())]);
    }
    let tenths = (metres + 50) / 100;
    let km = forms_of(lang).write_number(&format!("{}.{}", tenths / 10, tenths % 10));
    words(lang, far, &[("km", &km)])
}

/// Rounded as the browser rounds the same way further down the page.
fn minutes(seconds: u32) -> u32 {
    ((seconds + 30) / 60).max(1)
}

/// Whether the rent includes all bills, where the home says so, with those that it names among its features.
fn bills(home: &Home, lang: Language) -> Option<Value> {
    let is_included = home.property.facts.bills_included?;
    let part = if is_included { "" } else { "_part" };
    let title = words(lang, &format!("fact.bills{part}"), &[]);
    let named = home
        .property
        .features
        .iter()
        .filter(|feature| names_bill(feature));
    let named: Vec<String> = named
        .map(|feature| words(lang, &format!("feature.{}", feature.key), &[]))
        .collect();
    Some(fact("bolt", &title, &joined(lang, &named)))
}

/// The title says already that all bills are included.
fn names_bill(feature: &Feature) -> bool {
    feature.group == FeatureGroup::Bills && feature.key != "all_bills"
}

/// How many live there, or only which rooms there are: feeds name the people of one flat, not of the house.
fn residents(home: &Home, lang: Language) -> Option<Value> {
    let rooms = room_names(home, lang);
    let count = home
        .property
        .facts
        .residents
        .filter(|count| *count >= home.rooms_left());
    if let Some(count) = count {
        let count = forms_of(lang).write_number(&count.to_string());
        let title = words(lang, "fact.residents", &[("count", &count)]);
        return Some(fact("users", &title, &rooms));
    }
    (!rooms.is_empty()).then(|| fact("door", &words(lang, "fact.rooms", &[]), &rooms))
}

/// Who lets it, where its source names them.
fn provider(home: &Home, lang: Language) -> Option<Value> {
    let name = home.property.provider_name.as_deref()?;
    let title = words(lang, "fact.provider", &[("provider", name)]);
    Some(fact("building", &title, ""))
}

#[cfg(test)]
mod tests {
    use super::minutes;

    #[test]
    fn ways_are_rounded_to_the_nearest_minute() {
        assert_eq!([1, 89, 90, 973].map(minutes), [1, 1, 2, 16]);
    }
}
