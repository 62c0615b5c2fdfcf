//! Kinds of rooms by the words of SPEC §9, their synonyms in five languages and Chinese, and the four of Airbnb. A kind says no more
//! than its word: a `Zimmer` is a room of one's own, and nothing is said of its bathroom.

use domain::room::{RoomAttributes, Sharing};

use super::words::{fold, holds_words};
use crate::home::RoomKind;

/// A word read as a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KindRead {
    /// A kind, and the bedrooms where the word counts them.
    Kind(RoomKind, Option<u32>),
    /// Something that is let and is no home: a garage, a shop.
    NoHome,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Studio,
    Ensuite,
    /// SPEC's Private Room: bathroom and kitchen are shared.
    Private,
    /// A room of one's own.
    Room,
    /// SPEC's Shared Room.
    Shared,
    /// A bed in a room with others.
    Bed,
    Entire,
    Hotel,
    NoHome,
}

/// Words that stand alone.
#[rustfmt::skip]
const EXACT: &[(Word, &[&str])] = &[
    (
        Word::Studio,
        &[
            "studio", "studio room", "studio flat", "studio apartment", "estudio", "apartamento estudio", "monolocale",
            "studette", "bedsit", "einzimmerwohnung", "einzimmerapartment", "1 zimmer wohnung", "1 zimmer apartment",
            "1 zi wohnung", "1 zi apartment", "单间公寓", "开间", "一室户",
        ],
    ),
    (
        Word::Ensuite,
        &[
            "ensuite", "ensuite room", "en suite", "en suite room", "独卫房间", "独卫套间",
        ],
    ),
    (
        Word::Private,
        &[
            "private room", "wg zimmer", "zimmer in wg", "zimmer in einer wg", "habitacion en piso compartido",
            "chambre en colocation", "stanza in appartamento condiviso", "room in shared flat", "room in shared house", "独立房间",
        ],
    ),
    (
        Word::Room,
        &[
            "room", "single room", "student room", "double room", "house share", "flat share", "flatshare", "einzelzimmer",
            "zimmer", "habitacion", "habitacion individual", "chambre", "chambre individuelle", "chambre simple", "camera",
            "camera singola", "stanza", "stanza singola", "单人间", "单间", "房间",
        ],
    ),
    (Word::Shared, &["shared room", "shared", "合住房"]),
    (
        Word::Bed,
        &[
            "twin", "twin room", "twin share", "dorm", "dormitory", "bed", "bed in dorm", "bed in shared room",
            "doppelzimmer bett", "bett im doppelzimmer", "bett in doppelzimmer", "mehrbettzimmer", "habitacion compartida",
            "chambre partagee", "camera condivisa", "posto letto", "床位",
        ],
    ),
    (
        Word::Entire,
        &[
            "entire", "entire place", "entire home", "entire home apt", "entire apartment", "entire rental unit", "whole flat",
            "whole house", "whole property", "apartment", "flat", "house", "condo", "condominium", "townhouse", "penthouse",
            "maisonette", "bungalow", "villa", "wohnung", "ganze wohnung", "haus", "apartamento", "piso", "piso entero",
            "casa", "atico", "appartement", "maison", "logement entier", "appartamento", "intero appartamento", "bilocale",
            "trilocale", "整套公寓", "整租", "公寓",
        ],
    ),
    (Word::Hotel, &["hotel room", "hotel"]),
    (
        Word::NoHome,
        &[
            "garage", "parking", "parking space", "land", "plot", "shop", "office", "commercial", "restaurant", "warehouse",
            "storage", "stellplatz", "tiefgaragenstellplatz", "lagerraum", "buro", "gewerbe", "garaje", "plaza de garaje",
            "local comercial", "trastero", "place de parking", "bureau", "box auto", "posto auto", "negozio", "ufficio", "车位",
            "商铺", "办公室",
        ],
    ),
];

/// Words inside longer ones, the surest first.
#[rustfmt::skip]
const WITHIN: &[(Word, &[&str])] = &[
    (Word::Room, &["non ensuite", "non en suite", "not ensuite", "no ensuite"]),
    (
        Word::Bed,
        &[
            "posto letto", "doppelzimmer bett", "bed in", "habitacion compartida",
        ],
    ),
    (Word::Shared, &["shared room"]),
    (
        Word::Studio,
        &[
            "studio", "estudio", "monolocale", "1 zi apartment", "1 zimmer apartment", "1 zimmer wohnung", "1 zi wohnung",
            "单间公寓",
        ],
    ),
    (Word::Ensuite, &["ensuite", "en suite", "独卫"]),
    (Word::Private, &["private room", "wg zimmer"]),
    (
        Word::Entire,
        &[
            "entire", "whole flat", "whole house", "ganze wohnung", "piso entero",
        ],
    ),
    (Word::Hotel, &["hotel room"]),
    (
        Word::NoHome,
        &["parking space", "box auto", "posto auto", "plaza de garaje"],
    ),
    (
        Word::Room,
        &[
            "single room", "einzelzimmer", "zimmer", "room", "habitacion", "chambre", "camera", "stanza",
        ],
    ),
    (
        Word::Entire,
        &[
            "apartment", "flat", "house", "wohnung", "apartamento", "piso", "appartement", "appartamento",
        ],
    ),
];
/// Words beside which `room` says nothing of whose it is.
#[rustfmt::skip]
const SEVERAL: &[&str] = &[
    "twin", "double", "triple", "quad", "doppelzimmer", "mehrbettzimmer", "doble", "partagee", "doppia", "shared", "geteilt",
    "compartida", "condivisa",
];

/// Words beside which a studio or an en-suite room is not one's own; a double one may be.
const SHARED_ROOM: &[&str] = &[
    "twin",
    "triple",
    "quad",
    "shared",
    "geteilt",
    "compartida",
    "partage",
    "condiviso",
];

#[rustfmt::skip]
const SHARED_BATH: &[&str] = &[
    "non ensuite", "non en suite", "not ensuite", "no ensuite",
    "bad geteilt", "geteiltes bad", "gemeinschaftsbad", "shared bath", "shared baths", "shared bathroom", "bano compartido",
    "salle de bain partagee", "bagno condiviso", "bagno in comune", "公用卫生间",
];
#[rustfmt::skip]
const OWN_BATH: &[&str] = &[
    "eigenem bad", "eigenes bad", "own bath", "own bathroom", "private bath", "private bathroom", "bano privado",
    "bano propio", "salle de bain privee", "bagno privato", "独立卫生间", "独卫",
];
#[rustfmt::skip]
const SHARED_KITCHEN: &[&str] = &[
    "shared kitchen", "gemeinschaftskuche", "geteilte kuche", "kuche geteilt", "cocina compartida", "cuisine partagee",
    "cucina condivisa",
];
#[rustfmt::skip]
const OWN_KITCHEN: &[&str] = &[
    "own kitchen", "private kitchen", "kitchenette", "kuchenzeile", "eigene kuche", "kochnische", "cocina propia",
    "cuisine privee", "cucina privata",
];
#[rustfmt::skip]
const KITCHENS: &[&str] = &["kitchen", "kuche", "cocina", "cuisine", "cucina", "厨房"];

/// The kind of a word.
pub(crate) fn read_kind(text: &str) -> KindRead {
    let folded = fold(text);
    if let Some(bedrooms) = read_bhk(&folded) {
        return KindRead::Kind(describe(Word::Entire), Some(bedrooms));
    }
    let Some(word) = find_word(&folded) else {
        return KindRead::Unknown;
    };
    if word == Word::NoHome {
        return KindRead::NoHome;
    }
    let mut kind = describe(word);
    if let Some(bathroom) = find_sharing(&folded, OWN_BATH, SHARED_BATH) {
        say_bathroom(&mut kind, bathroom);
    }
    if let Some(kitchen) = find_sharing(&folded, OWN_KITCHEN, SHARED_KITCHEN) {
        kind.attributes.kitchen = Some(kitchen);
    }
    KindRead::Kind(kind, None)
}

fn find_word(folded: &str) -> Option<Word> {
    let exact = EXACT.iter().find(|(_, words)| words.contains(&folded));
    if let Some((word, _)) = exact {
        return Some(*word);
    }
    let holds_any = |words: &[&str]| words.iter().any(|words| holds_words(folded, words));
    let (word, _) = WITHIN.iter().find(|(_, words)| holds_any(words))?;
    let is_shared_bath = holds_any(SHARED_BATH);
    let is_open = match word {
        Word::Room => holds_any(SEVERAL) && !is_shared_bath,
        Word::Studio | Word::Ensuite => holds_any(SHARED_ROOM),
        _ => false,
    };
    (!is_open).then_some(*word)
}

/// `1BHK`, `2 BHK Apartment`: a whole flat with so many bedrooms.
fn read_bhk(folded: &str) -> Option<u32> {
    let count = folded
        .strip_suffix(" apartment")
        .unwrap_or(folded)
        .strip_suffix("bhk")?;
    count.trim().parse().ok()
}

const fn describe(word: Word) -> RoomKind {
    const OWN: Option<Sharing> = Some(Sharing::Private);
    const SHARED: Option<Sharing> = Some(Sharing::Shared);
    let (room, bathroom, kitchen) = match word {
        Word::Studio => (OWN, OWN, OWN),
        Word::Ensuite => (OWN, OWN, SHARED),
        Word::Private => (OWN, SHARED, SHARED),
        Word::Room => (OWN, None, None),
        Word::Shared => (SHARED, SHARED, SHARED),
        Word::Bed => (SHARED, None, None),
        Word::Hotel => (OWN, OWN, None),
        Word::Entire | Word::NoHome => (None, None, None),
    };
    RoomKind {
        is_entire: matches!(word, Word::Entire),
        attributes: RoomAttributes {
            room,
            bathroom,
            kitchen,
        },
    }
}

/// Says whose the bathroom is. Where that is not what the kind says, the kind's kitchen is not believed either.
pub(crate) fn say_bathroom(kind: &mut RoomKind, bathroom: Sharing) {
    let attributes = &mut kind.attributes;
    if attributes.bathroom.is_some_and(|said| said != bathroom) {
        attributes.kitchen = None;
    }
    attributes.bathroom = Some(bathroom);
}

/// Whose a bathroom or kitchen is, by a value of its own: `shared`, `1 private bath`.
pub(crate) fn read_sharing(text: &str) -> Option<Sharing> {
    let folded = fold(text);
    let holds = |words: &[&str]| words.iter().any(|words| holds_words(&folded, words));
    if holds(&[
        "shared",
        "geteilt",
        "gemeinschaft",
        "compartido",
        "compartida",
        "partage",
        "partagee",
        "condiviso",
        "condivisa",
        "comune",
        "公用",
        "共用",
    ]) {
        Some(Sharing::Shared)
    } else if holds(&[
        "private", "own", "eigenes", "eigene", "privat", "privado", "privada", "propio", "prive", "privee",
        "privato", "privata", "独立",
    ]) {
        Some(Sharing::Private)
    } else {
        None
    }
}

/// Whose bathroom and kitchen are, by a facility of the room.
pub(crate) fn read_facility(text: &str) -> (Option<Sharing>, Option<Sharing>) {
    let folded = fold(text);
    (
        find_sharing(&folded, OWN_BATH, SHARED_BATH),
        find_sharing(&folded, OWN_KITCHEN, SHARED_KITCHEN),
    )
}

/// Whether a facility is a kitchen.
pub(crate) fn is_kitchen(text: &str) -> bool {
    KITCHENS.contains(&fold(text).as_str())
}

fn find_sharing(folded: &str, own: &[&str], shared: &[&str]) -> Option<Sharing> {
    let holds_any = |words: &[&str]| words.iter().any(|words| holds_words(folded, words));
    if holds_any(shared) {
        Some(Sharing::Shared)
    } else if holds_any(own) {
        Some(Sharing::Private)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Room, bathroom, kitchen as letters, `p` for private, `s` for shared, `-` for not said; `entire` before.
    fn read(text: &str) -> String {
        let letter = |sharing: Option<Sharing>| match sharing {
            Some(Sharing::Private) => 'p',
            Some(Sharing::Shared) => 's',
            None => '-',
        };
        match read_kind(text) {
            KindRead::Kind(kind, bedrooms) => {
                let RoomAttributes {
                    room,
                    bathroom,
                    kitchen,
                } = kind.attributes;
                let letters: String = [room, bathroom, kitchen].map(letter).iter().collect();
                let count = bedrooms.map_or_else(String::new, |count| count.to_string());
                format!("{}{letters}{count}", if kind.is_entire { "entire " } else { "" })
            }
            KindRead::NoHome => "no home".to_owned(),
            KindRead::Unknown => "unknown".to_owned(),
        }
    }

    #[test]
    fn kinds_say_no_more_than_their_words() {
        for (text, kind) in [
            ("Ensuite Room", "pps"),
            ("Silver En-Suite", "pps"),
            ("Studio", "ppp"),
            ("Middle Floor Studio", "ppp"),
            ("Monolocale", "ppp"),
            ("1-Zi-Apartment (Bad+Küche)", "ppp"),
            ("Private room", "pss"),
            ("Basic Private Room", "pss"),
            ("WG-Zimmer", "pss"),
            ("Student room", "p--"),
            ("Camera", "p--"),
            ("Einzelzimmer, Bad geteilt", "ps-"),
            ("Zimmer mit eigenem Bad", "pp-"),
            ("Shared room", "sss"),
            ("Doppelzimmer (Bett)", "s--"),
            ("Posto letto", "s--"),
            ("Twin", "s--"),
            ("Entire home/apt", "entire ---"),
            ("Apartment", "entire ---"),
            ("Three bedroom flat", "entire ---"),
            ("2BHK", "entire ---2"),
            ("3 BHK Apartment", "entire ---3"),
            ("Hotel room", "pp-"),
            ("Box auto", "no home"),
            ("Gold Premium Twin", "unknown"),
            ("Non-ensuite room", "ps-"),
            ("Classic Non En-Suite", "ps-"),
            ("Premium Double Ensuite", "pps"),
            ("Twin Studio", "unknown"),
            ("Twin double room", "unknown"),
            ("Tent pitch", "unknown"),
            ("Sky Pod", "unknown"),
            ("Gartenlaube", "unknown"),
            ("loft", "unknown"),
            ("Finca - Cortijo", "unknown"),
            ("2x2 by the bed", "unknown"),
            ("", "unknown"),
        ] {
            assert_eq!(read(text), kind, "{text}");
        }
    }

    #[test]
    fn a_bathroom_of_another_kind_takes_the_kitchen_back() {
        let KindRead::Kind(mut kind, _) = read_kind("Private room") else {
            panic!("no kind");
        };
        say_bathroom(&mut kind, Sharing::Shared);
        assert_eq!(kind.attributes.kitchen, Some(Sharing::Shared));
        say_bathroom(&mut kind, Sharing::Private);
        assert_eq!(kind.attributes.kitchen, None);
        assert_eq!(read_sharing("1 shared bath"), Some(Sharing::Shared));
        assert_eq!(read_sharing("1 private bath"), Some(Sharing::Private));
        assert_eq!(read_sharing("1 bath"), None);
        assert_eq!(
            read_facility("MODEL_AMENITY: Private bathroom per bedroom"),
            (Some(Sharing::Private), None)
        );
    }
}
