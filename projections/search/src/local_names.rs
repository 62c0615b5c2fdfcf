//! Names of places in the languages spoken there, and second names in Chinese, beside the names that they are listed by. The table
//! covers countries, states and cities whose names differ in more than accents; it also holds where no feed names an alias.

use domain::country::Country;
use domain::place::slug;
use domain::region::RegionType;

use super::places::Place;

/// Country, canonical English name, other names.
const NAMES: &[(Country, &str, &[&str])] = &[
    (
        Country::Germany,
        "germany",
        &["Deutschland", "Alemania", "Allemagne"],
    ),
    (Country::Germany, "munich", &["München", "Monaco di Baviera"]),
    (Country::Germany, "cologne", &["Köln"]),
    (Country::Germany, "nuremberg", &["Nürnberg"]),
    (Country::Germany, "hanover", &["Hannover"]),
    (Country::Germany, "brunswick", &["Braunschweig"]),
    (Country::Germany, "frankfurt", &["Frankfurt am Main"]),
    (Country::Germany, "dusseldorf", &["Düsseldorf"]),
    (Country::Germany, "gottingen", &["Göttingen"]),
    (Country::Germany, "tubingen", &["Tübingen"]),
    (Country::Germany, "munster", &["Münster"]),
    (Country::Germany, "saarbrucken", &["Saarbrücken"]),
    (Country::Germany, "wurzburg", &["Würzburg"]),
    (Country::Germany, "lubeck", &["Lübeck"]),
    (Country::Germany, "constance", &["Konstanz"]),
    (Country::Germany, "aachen", &["Aix-la-Chapelle"]),
    (Country::Germany, "freiburg", &["Freiburg im Breisgau"]),
    (Country::Germany, "bavaria", &["Bayern"]),
    (Country::Germany, "saxony", &["Sachsen"]),
    (Country::Germany, "lower-saxony", &["Niedersachsen"]),
    (Country::Germany, "hesse", &["Hessen"]),
    (
        Country::Germany,
        "north-rhine-westphalia",
        &["Nordrhein-Westfalen"],
    ),
    (Country::Spain, "spain", &["España", "Espagne", "Spanien"]),
    (Country::Spain, "seville", &["Sevilla"]),
    (Country::Spain, "saragossa", &["Zaragoza"]),
    (Country::Spain, "cordova", &["Córdoba"]),
    (Country::Spain, "corunna", &["A Coruña", "La Coruña"]),
    (Country::Spain, "san-sebastian", &["Donostia"]),
    (Country::Spain, "bilbao", &["Bilbo"]),
    (Country::Spain, "pamplona", &["Iruña"]),
    (Country::Spain, "alicante", &["Alacant"]),
    (Country::Spain, "girona", &["Gerona"]),
    (Country::Spain, "lleida", &["Lérida"]),
    (Country::Spain, "palma", &["Palma de Mallorca"]),
    (
        Country::Spain,
        "barcelona",
        &["Barcelone", "巴塞隆拿", "巴塞隆纳"],
    ),
    (Country::Spain, "catalonia", &["Catalunya", "Cataluña"]),
    (Country::Spain, "andalusia", &["Andalucía"]),
    (Country::Spain, "basque-country", &["Euskadi", "País Vasco"]),
    (Country::Ireland, "ireland", &["Éire", "Irlanda", "Irlande"]),
    (Country::Ireland, "dublin", &["Baile Átha Cliath", "Dublín"]),
    (Country::Ireland, "cork", &["Corcaigh"]),
    (Country::Ireland, "galway", &["Gaillimh"]),
    (Country::Ireland, "limerick", &["Luimneach"]),
    (Country::Ireland, "waterford", &["Port Láirge"]),
    (Country::Uk, "london", &["Londres"]),
    (
        Country::Uk,
        "edinburgh",
        &["Dùn Èideann", "Edimburgo", "Édimbourg"],
    ),
    (Country::Uk, "glasgow", &["Glaschu", "格拉斯高"]),
    (Country::Uk, "inverness", &["Inbhir Nis"]),
    (Country::Uk, "cardiff", &["Caerdydd", "加的夫"]),
    (Country::Uk, "sheffield", &["设菲尔德", "雪菲尔"]),
    (Country::Uk, "leicester", &["累斯特"]),
    (Country::Uk, "leeds", &["里兹", "列斯"]),
    (Country::Uk, "bristol", &["布里斯托尔"]),
    (Country::Uk, "newcastle", &["纽卡素", "泰恩河畔纽卡斯尔"]),
    (Country::Uk, "portsmouth", &["朴次茅斯", "朴资茅斯"]),
    (Country::Uk, "coventry", &["高云地利"]),
    (Country::Uk, "southampton", &["修咸顿"]),
    (Country::Uk, "exeter", &["艾克塞特"]),
    (Country::Uk, "swansea", &["Abertawe"]),
    (Country::Uk, "newport", &["Casnewydd"]),
    (Country::Uk, "belfast", &["Béal Feirste"]),
    (Country::Uk, "scotland", &["Alba"]),
    (Country::Uk, "wales", &["Cymru"]),
    (Country::Us, "new-york", &["Nueva York"]),
    (Country::Us, "philadelphia", &["Filadelfia", "费拉德尔菲亚"]),
    (Country::Us, "san-francisco", &["三藩市", "圣弗朗西斯科"]),
    (Country::Us, "san-diego", &["圣迭戈", "圣地牙哥"]),
    (Country::Us, "houston", &["休士顿"]),
    (Country::Us, "buffalo", &["水牛城"]),
    (Country::Australia, "sydney", &["雪梨"]),
    (Country::Australia, "perth", &["帕斯", "柏斯"]),
    (Country::Australia, "brisbane", &["布里斯本"]),
    (Country::Australia, "hobart", &["荷巴特"]),
    (
        Country::Us,
        "new-orleans",
        &["Nueva Orleans", "La Nouvelle-Orléans"],
    ),
    (Country::Canada, "montreal", &["Montréal", "蒙特娄", "满地可"]),
    (Country::Canada, "quebec-city", &["Québec", "Ville de Québec"]),
    (Country::Denmark, "denmark", &["Danmark"]),
    (Country::Denmark, "copenhagen", &["København"]),
    (Country::Denmark, "aarhus", &["Århus"]),
    (Country::Denmark, "aalborg", &["Ålborg"]),
    (Country::France, "strasbourg", &["Straßburg"]),
    (Country::France, "marseille", &["Marseilles"]),
    (Country::France, "lyon", &["Lyons"]),
    (Country::India, "mumbai", &["Bombay"]),
    (Country::India, "chennai", &["Madras"]),
    (Country::India, "kolkata", &["Calcutta"]),
    (Country::India, "bengaluru", &["Bangalore"]),
    (Country::India, "pune", &["Poona"]),
    (Country::Korea, "seoul", &["서울"]),
    (Country::Korea, "busan", &["부산", "Pusan"]),
    (Country::Korea, "incheon", &["인천"]),
    (Country::NewZealand, "auckland", &["Tāmaki Makaurau"]),
    (Country::NewZealand, "wellington", &["Te Whanganui-a-Tara"]),
    (Country::NewZealand, "christchurch", &["Ōtautahi"]),
    (Country::NewZealand, "dunedin", &["Ōtepoti"]),
];

/// Names of a place, whichever of them it is listed by; none for areas and establishments, whose names are not translated.
pub(super) fn of(place: &Place) -> Vec<String> {
    match place.details.region_type {
        RegionType::Country | RegionType::State | RegionType::Locality => {}
        RegionType::Sublocality | RegionType::Establishment => return Vec::new(),
    }
    let canonical = place.canonical_name();
    let same = |(country, english, others): &&(Country, &str, &[&str])| {
        let is_one = *english == canonical || others.iter().any(|name| slug(name) == canonical);
        *country == place.details.country && is_one
    };
    let found = NAMES.iter().find(same).into_iter();
    let names = found.flat_map(|(_, english, others)| {
        let english = english.replace('-', " ");
        [english]
            .into_iter()
            .chain(others.iter().map(|name| (*name).to_owned()))
    });
    names.collect()
}
