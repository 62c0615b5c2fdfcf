//! Words that feeds write for one thing, in five languages and Chinese.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::home::{BillState, PricePeriod, Status, StayUnit};

/// How words are compared: small letters without accents, one space for whatever is no letter or digit.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfd().filter(|letter| !is_combining_mark(*letter)) {
        if letter.is_alphanumeric() {
            folded.extend(letter.to_lowercase());
        } else if !folded.is_empty() && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

/// Whether a folded text holds folded words as a whole.
pub(crate) fn holds_words(folded: &str, words: &str) -> bool {
    folded.match_indices(words).any(|(at, _)| {
        let before = folded[..at].chars().next_back();
        let after = folded[at + words.len()..].chars().next();
        // Chinese is written without spaces.
        let parts = |sign: Option<char>| sign.is_none_or(|sign| sign == ' ' || !words.is_ascii());
        parts(before) && parts(after)
    })
}

#[rustfmt::skip]
const PERIODS: &[(PricePeriod, &[&str])] = &[
    (
        PricePeriod::Night,
        &[
            "night", "nightly", "day", "daily", "nacht", "tag", "noche", "dia", "nuit", "jour", "notte",
            "giorno", "晚", "每晚", "天",
        ],
    ),
    (
        PricePeriod::Week,
        &[
            "week", "weekly", "wk", "pw", "wee", "woche", "wochentlich", "semana", "semanal", "semaine", "hebdomadaire",
            "settimana", "settimanale", "周", "每周", "星期",
        ],
    ),
    (
        PricePeriod::Month,
        &[
            "month", "monthly", "calendar month", "pcm", "pm", "mon", "mth", "monat", "monatlich", "mtl", "mes", "mensual",
            "mois", "mensuel", "mensuelle", "mese", "mensile", "月", "每月",
        ],
    ),
    (
        PricePeriod::Quarter,
        &[
            "quarter", "quarterly", "quartal", "trimestre", "trimestral", "季度",
        ],
    ),
    (
        PricePeriod::Year,
        &[
            "year", "yearly", "annum", "annual", "annually", "pa", "jahr", "jahrlich", "ano", "anual", "an",
            "annuel", "anno", "annuo", "年",
        ],
    ),
];
/// Words between a price and its period.
#[rustfmt::skip]
const PERIOD_LINKS: &[&str] = &[
    "per", "a", "an", "pro", "je", "im", "al", "a la", "por", "par", "le", "la", "each", "every", "every one", "en", "p", "x",
];
/// Words that say that a price is for one person.
#[rustfmt::skip]
const PERSONS: &[&str] = &[
    "person", "pp", "pers", "tenant", "student", "bed", "head", "persona", "personne", "studente", "estudiante", "人",
    "each person",
];

/// Letters that say period and person at once.
#[rustfmt::skip]
const PER_PERSON: &[(&str, PricePeriod)] = &[
    ("pppw", PricePeriod::Week),
    ("ppw", PricePeriod::Week),
    ("pppcm", PricePeriod::Month),
    ("pppm", PricePeriod::Month),
    ("pppn", PricePeriod::Night),
];

/// A period, and whether it says that the price is for one person: `pcm`, `pppw`, `per person per week`, `al mese`.
pub(crate) fn read_period(text: &str) -> Option<(PricePeriod, Option<bool>)> {
    let folded = fold(text);
    let (mut period, mut is_per_person) = (None, None);
    let mut rest = folded.as_str();
    let letters = PER_PERSON.iter().find(|(letters, _)| *letters == rest);
    if let Some((_, written)) = letters {
        return Some((*written, Some(true)));
    }
    // Exact words first: `an` is a year in French and a link in English.
    if let Some(found) = find_period(rest) {
        return Some((found, None));
    }
    while !rest.is_empty() {
        let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_link = word == "calendar" || (PERIOD_LINKS.contains(&word) && !behind.is_empty());
        if PERSONS.contains(&word) && is_per_person.is_none() {
            is_per_person = Some(true);
        } else if !is_link {
            if period.is_some() {
                return None;
            }
            period = Some(find_period(word)?);
        }
        rest = behind;
    }
    period.map(|period| (period, is_per_person))
}

fn find_period(word: &str) -> Option<PricePeriod> {
    let found = PERIODS.iter().find(|(_, words)| words.contains(&word));
    found.map(|(period, _)| *period)
}

/// Whether a price is for one person, by a word of its own: `person`, `property`.
pub(crate) fn read_per_person(text: &str) -> Option<bool> {
    let folded = fold(text);
    let word = folded.strip_prefix("per ").unwrap_or(&folded);
    if PERSONS.contains(&word) || word == "room" {
        Some(true)
    } else if ["property", "unit", "flat", "house", "home", "apartment", "whole"].contains(&word) {
        Some(false)
    } else {
        read_flag(text)
    }
}

#[rustfmt::skip]
const STAY_UNITS: &[(StayUnit, &[&str])] = &[
    (
        StayUnit::Night,
        &[
            "night", "nights", "day", "days", "nacht", "nachte", "tag", "tage", "tagen", "noche", "noches",
            "dia", "dias", "nuit", "nuits", "jour", "jours", "notte", "notti", "giorno", "giorni", "晚",
            "天",
        ],
    ),
    (
        StayUnit::Week,
        &[
            "week", "weeks", "wk", "wks", "w", "woche", "wochen", "semana", "semanas", "semaine", "semaines", "settimana",
            "settimane", "周", "星期",
        ],
    ),
    (
        StayUnit::Month,
        &[
            "month", "months", "mon", "mths", "m", "monat", "monate", "monaten", "mes", "meses", "mois",
            "mese", "mesi", "月", "个月",
        ],
    ),
    (
        StayUnit::Year,
        &[
            "year", "years", "yr", "yrs", "jahr", "jahre", "jahren", "ano", "anos", "an", "ans", "annee",
            "annees", "anno", "anni", "年",
        ],
    ),
];

/// A unit of lengths of stay.
pub(crate) fn read_stay_unit(word: &str) -> Option<StayUnit> {
    let folded = fold(word);
    let found = STAY_UNITS
        .iter()
        .find(|(_, words)| words.contains(&folded.as_str()));
    found.map(|(unit, _)| *unit)
}

#[rustfmt::skip]
const YES: &[&str] = &[
    "true", "yes", "y", "t", "1", "ja", "si", "oui", "x", "on", "available", "instock", "limitedavailability", "是", "有",
];
#[rustfmt::skip]
const NO: &[&str] = &[
    "false", "no", "n", "f", "0", "nein", "non", "none", "off", "unavailable", "not available", "outofstock", "soldout",
    "sold out", "否", "无",
];

/// Yes or no; an address of schema.org counts by its end.
pub(crate) fn read_flag(text: &str) -> Option<bool> {
    let word = text.trim().rsplit('/').next().unwrap_or(text);
    let folded = fold(word);
    if YES.contains(&folded.as_str()) {
        Some(true)
    } else if NO.contains(&folded.as_str()) {
        Some(false)
    } else {
        None
    }
}

#[rustfmt::skip]
const INCLUDED: &[&str] = &[
    "included", "incl", "inkl", "inklusive", "inbegriffen", "enthalten", "incluido", "incluida", "incluidos", "compris",
    "incluso", "包含",
];
#[rustfmt::skip]
const APART: &[&str] = &[
    "apart", "excluded", "excl", "exkl", "exklusive", "separate", "not included", "extra", "no incluido", "aparte",
    "non compris", "escluso", "nicht enthalten", "不含",
];

/// Whether a bill is part of the rent: words of their own, or yes and no.
pub(crate) fn read_bill_state(text: &str) -> Option<BillState> {
    let folded = fold(text);
    if INCLUDED.contains(&folded.as_str()) {
        Some(BillState::Included)
    } else if APART.contains(&folded.as_str()) {
        Some(BillState::Apart)
    } else {
        let flag = read_flag(text)?;
        Some(if flag {
            BillState::Included
        } else {
            BillState::Apart
        })
    }
}

#[rustfmt::skip]
const ALL_BILLS: &[&str] = &[
    "all", "all included", "all bills included", "all bills", "all inclusive", "bills included", "included", "alles inklusive",
    "all inclusive rent", "todo incluido", "gastos incluidos", "tout compris", "charges comprises", "tutto incluso",
    "spese incluse", "全包",
];
#[rustfmt::skip]
const NO_BILLS: &[&str] = &[
    "none", "none included", "no bills included", "bills excluded", "not included", "gastos aparte", "spese escluse",
    "hors charges",
];

/// Words before a bill that is not part of the rent.
const WITHOUT: &[&str] = &[
    "excluding",
    "excl",
    "without",
    "no",
    "ohne",
    "exkl",
    "sin",
    "sans",
    "hors",
    "senza",
    "不含",
];

/// One bill of a list: `water`, `electricity apart`, `gas (not included)`, `excl. electricity`. A bill that is named in a list of
/// bills is included unless a word says otherwise.
pub(crate) fn read_bill_item(text: &str) -> (String, BillState) {
    let words: Vec<&str> = text.split_whitespace().collect();
    for count in [2, 1] {
        let Some(place) = words.len().checked_sub(count).filter(|place| *place > 0) else {
            continue;
        };
        let tail = fold(&words[place..].join(" "));
        if APART.contains(&tail.as_str()) {
            return (words[..place].join(" "), BillState::Apart);
        }
        if INCLUDED.contains(&tail.as_str()) {
            return (words[..place].join(" "), BillState::Included);
        }
    }
    match words.split_first() {
        Some((first, rest)) if !rest.is_empty() && WITHOUT.contains(&fold(first).as_str()) => {
            (rest.join(" "), BillState::Apart)
        }
        _ => (words.join(" "), BillState::Included),
    }
}

/// A word about all bills together.
pub(crate) fn read_all_bills(text: &str) -> Option<BillState> {
    let folded = fold(text);
    if ALL_BILLS.contains(&folded.as_str()) {
        Some(BillState::Included)
    } else if NO_BILLS.contains(&folded.as_str()) {
        Some(BillState::Apart)
    } else {
        None
    }
}

/// Whether a home is let, by a word of its state.
pub(crate) fn read_status(text: &str) -> Option<Status> {
    match fold(text).as_str() {
        "active" | "available" | "live" | "published" | "online" | "aktiv" | "activo" | "actif"
        | "attivo" | "to let" | "for rent" | "open" => Some(Status::Active),
        "paused" | "inactive" | "draft" | "offline" | "hidden" | "on hold" | "pausiert" | "pausado"
        | "inaktiv" => Some(Status::Paused),
        "let" | "let agreed" | "under offer" | "reserved" | "rented" | "sold out" | "vermietet"
        | "alquilado" | "loue" | "affittato" => Some(Status::Let),
        "closed" | "withdrawn" | "deleted" | "removed" | "archived" | "expired" | "ended" => {
            Some(Status::Closed)
        }
        _ => None,
    }
}

/// Whether an entry is about letting a home, by a word of its purpose; `None` for a word that is not known.
pub(crate) fn read_purpose(text: &str) -> Option<bool> {
    match fold(text).as_str() {
        "rent" | "for rent" | "rental" | "to rent" | "let" | "to let" | "letting" | "lettings" | "lease"
        | "student" | "student let" | "long term" | "short term" | "miete" | "zu vermieten"
        | "vermietung" | "alquiler" | "en alquiler" | "location" | "a louer" | "affitto" | "in affitto"
        | "租" | "出租" | "leaseout" => Some(true),
        "sale" | "for sale" | "sell" | "buy" | "sold" | "resale" | "new build" | "kauf" | "zu verkaufen"
        | "venta" | "en venta" | "vente" | "a vendre" | "vendita" | "in vendita" | "commercial"
        | "auction" | "once" | "出售" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_to_letters_and_spaces() {
        assert_eq!(fold("  1-Zi-Apartment (Bad+Küche) "), "1 zi apartment bad kuche");
        assert_eq!(fold("Habitación"), "habitacion");
        assert!(holds_words("einzelzimmer bad geteilt", "bad geteilt"));
        assert!(!holds_words("bedroom flat", "room"));
        assert!(holds_words("带独卫单间", "独卫"));
    }

    #[test]
    fn periods_are_read_in_five_languages() {
        let (week, month) = (PricePeriod::Week, PricePeriod::Month);
        for (text, period) in [
            ("pw", Some((week, None))),
            ("pcm", Some((month, None))),
            ("per calendar month", Some((month, None))),
            ("pppw", Some((week, Some(true)))),
            ("per person per week", Some((week, Some(true)))),
            ("pp pw", Some((week, Some(true)))),
            ("/ month", Some((month, None))),
            ("al mese", Some((month, None))),
            ("al mes", Some((month, None))),
            ("par mois", Some((month, None))),
            ("pro Monat", Some((month, None))),
            ("a week", Some((week, None))),
            ("per night", Some((PricePeriod::Night, None))),
            ("MONTH", Some((month, None))),
            ("每周", Some((week, None))),
            ("XYZ", None),
            ("", None),
            ("per", None),
            ("99", None),
        ] {
            assert_eq!(read_period(text), period, "{text}");
        }
    }

    #[test]
    fn yes_no_and_states_are_read() {
        assert_eq!(read_flag("t"), Some(true));
        assert_eq!(read_flag("https://schema.org/OutOfStock"), Some(false));
        assert_eq!(read_flag("maybe"), None);
        assert_eq!(read_bill_state("inkl."), Some(BillState::Included));
        assert_eq!(read_bill_state("false"), Some(BillState::Apart));
        assert_eq!(read_all_bills("all_included"), Some(BillState::Included));
        assert_eq!(read_all_bills("water, internet"), None);
        for (text, words, state) in [
            ("water", "water", BillState::Included),
            ("electricity apart", "electricity", BillState::Apart),
            ("gas (not included)", "gas", BillState::Apart),
            ("excl. electricity", "electricity", BillState::Apart),
            ("Wasser inkl.", "Wasser", BillState::Included),
        ] {
            assert_eq!(read_bill_item(text), (words.to_owned(), state), "{text}");
        }
        assert_eq!(read_status("Let agreed"), Some(Status::Let));
        assert_eq!(
            (read_purpose("For Sale"), read_purpose("For Rent")),
            (Some(false), Some(true))
        );
        assert_eq!(read_per_person("person"), Some(true));
        assert_eq!(read_stay_unit("Monate"), Some(StayUnit::Month));
    }
}
