//! The fields that a map can name, with the names by which they are read without one and the words by which a column is recognised.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::values::words::fold;

/// The thing that a field is a fact of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Home,
    Room,
    Lease,
}

/// How many values a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The first column that says something.
    One,
    /// One for each language.
    Texts,
    /// Those of all its columns, in their order.
    Many,
}

/// A fact of a home, a room or a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Field {
    PropertyId,
    Name,
    PropertyKind,
    Provider,
    Description,
    HouseRules,
    Cancellation,
    RefundPolicy,
    Directions,
    Country,
    State,
    City,
    Area,
    Address,
    PostalCode,
    Lat,
    Lng,
    Facilities,
    Bills,
    Guarantor,
    HoldingFee,
    PlatformFee,
    Instalments,
    NoVisaNoPay,
    NoPlaceNoPay,
    Phone,
    Email,
    Photos,
    FloorPlans,
    Videos,
    Tours,
    Faqs,
    SourceLink,
    Status,
    Published,
    Purpose,
    Expires,
    Bedrooms,
    Bathrooms,
    HalfBathrooms,
    RoomId,
    RoomName,
    RoomType,
    RoomBathroom,
    RoomKitchen,
    Size,
    Bed,
    Floor,
    Sleeps,
    Gender,
    RoomBedrooms,
    RoomsTotal,
    RoomsFree,
    RoomFacilities,
    RoomPhotos,
    RoomPlans,
    LeaseId,
    MoveIn,
    MoveInUntil,
    Length,
    LengthUnit,
    LengthMin,
    LengthMax,
    End,
    Price,
    PriceMax,
    Currency,
    PricePer,
    PerPerson,
    Deposit,
    LeaseBills,
    RoomsLeft,
    BookingDeadline,
    BlockedFrom,
    BlockedUntil,
    Bookable,
}

/// Name, level, shape and words of a field.
pub(crate) struct Facts {
    pub field: Field,
    /// Its name in maps.
    pub key: &'static str,
    pub level: Level,
    pub shape: Shape,
    /// Other names of columns that are read without a map, folded.
    pub names: &'static [&'static str],
    /// Folded words by which a column is recognised for a suggestion.
    pub words: &'static [&'static str],
}

const fn facts(
    field: Field,
    key: &'static str,
    level: Level,
    shape: Shape,
    names: &'static [&'static str],
    words: &'static [&'static str],
) -> Facts {
    Facts {
        field,
        key,
        level,
        shape,
        names,
        words,
    }
}

use Field as F;
use Level::{Home, Lease, Room};
use Shape::{Many, One, Texts};

/// All fields. The order is that of a suggested map.
#[rustfmt::skip]
pub(crate) const FIELDS: &[Facts] = &[
    facts(F::PropertyId, "property_id", Home, One, &["id", "identifier"], &["id", "reference", "ref", "listing id", "listing reference", "listingreference", "agent ref", "identifier", "property ref", "nr", "objekt nr", "referencia", "reference bien", "codice", "编号"]),
    facts(F::Name, "name", Home, Texts, &["title"], &["name", "title", "property name", "alias", "headline", "display address", "haus", "titel", "bezeichnung", "titulo", "nombre", "titre", "nom", "titolo", "nome", "名称", "标题"]),
    facts(F::PropertyKind, "property_kind", Home, One, &[], &["property kind", "kind", "building type", "objektart", "tipo de inmueble"]),
    facts(F::Provider, "provider", Home, One, &[], &["provider", "provider name", "operator", "agency", "agent name", "brand", "anbieter", "vermieter", "agencia", "agence", "agenzia"]),
    facts(F::Description, "description", Home, Texts, &["summary", "desc", "beschreibung", "descripcion", "descrizione"], &["description", "desc", "summary", "content", "text", "beschreibung", "descripcion", "texte", "descrizione", "描述", "简介"]),
    facts(F::HouseRules, "house_rules", Home, Texts, &["rules", "houserules", "hausordnung"], &["house rules", "rules", "hausordnung", "normas", "reglement", "regole"]),
    facts(F::Cancellation, "cancellation", Home, Texts, &["cancellation policy"], &["cancellation", "cancellation policy", "storno", "cancelacion", "annulation", "cancellazione"]),
    facts(F::RefundPolicy, "refund_policy", Home, Texts, &[], &["refund policy", "refund"]),
    facts(F::Directions, "directions", Home, Texts, &[], &["directions", "anfahrt", "como llegar", "acces"]),
    facts(F::Country, "country", Home, One, &["country code", "countrycode", "addresscountry"], &["country", "country code", "addresscountry", "land", "pais", "pays", "paese", "国家"]),
    facts(F::State, "state", Home, One, &[], &["state", "province", "region", "bundesland", "provincia", "regione"]),
    facts(F::City, "city", Home, One, &["town", "addresslocality", "ort", "ciudad", "ville", "citta"], &["city", "town", "addresslocality", "locality", "ort", "stadt", "ciudad", "localidad", "ville", "citta", "comune", "城市"]),
    facts(F::Area, "area", Home, One, &["neighbourhood", "neighborhood"], &["area", "neighbourhood", "neighborhood", "neighbourhood cleansed", "district", "city area", "stadtteil", "barrio", "zona", "quartier", "quartiere", "区域"]),
    facts(F::Address, "address", Home, One, &["street", "streetaddress", "straße", "strasse", "direccion", "indirizzo"], &["address", "street", "streetaddress", "street address", "line1", "address 1", "address 2", "road name", "strasse", "straße", "direccion", "calle", "adresse", "rue", "indirizzo", "via", "地址"]),
    facts(F::PostalCode, "postal_code", Home, One, &["postcode", "zip", "postalcode", "plz", "codigo postal", "code postal"], &["postal code", "postcode", "zip", "postalcode", "plz", "codigo postal", "code postal", "cap", "邮编"]),
    facts(F::Lat, "lat", Home, One, &["latitude"], &["lat", "latitude", "breite", "breitengrad", "latitud", "latitudine", "纬度"]),
    facts(F::Lng, "lng", Home, One, &["longitude", "lon"], &["lng", "lon", "long", "longitude", "lange", "langengrad", "longitud", "longitudine", "经度"]),
    facts(F::Facilities, "facilities", Home, Many, &["amenities", "facility", "amenityfeature"], &["facilities", "facility", "amenities", "amenity", "amenityfeature", "features", "feature", "ausstattung", "equipamiento", "equipements", "servizi", "设施"]),
    facts(F::Bills, "bills", Home, One, &[], &["bills", "utilities", "bills included", "gastos", "charges", "spese"]),
    facts(F::Guarantor, "guarantor", Home, One, &[], &["guarantor", "burgschaft", "burge", "aval", "garant", "garante", "担保"]),
    facts(F::HoldingFee, "holding_fee", Home, One, &[], &["holding fee", "booking fee", "reservation fee"]),
    facts(F::PlatformFee, "platform_fee", Home, One, &[], &["platform fee", "service fee"]),
    facts(F::Instalments, "instalments", Home, One, &["installments"], &["instalments", "installments"]),
    facts(F::NoVisaNoPay, "no_visa_no_pay", Home, One, &[], &["no visa no pay", "novisanopay"]),
    facts(F::NoPlaceNoPay, "no_place_no_pay", Home, One, &[], &["no place no pay", "noplacenopay"]),
    facts(F::Phone, "phone", Home, One, &["telephone"], &["phone", "telephone", "contactphone", "telefon", "telefono", "电话"]),
    facts(F::Email, "email", Home, One, &[], &["email", "contactemail", "e mail", "mail"]),
    facts(F::Photos, "photos", Home, Many, &["photo", "image", "images", "picture", "pictures"], &["photos", "photo", "images", "image", "picture", "pictures", "picture url", "image url", "photo url", "media url", "fotos", "foto", "bilder", "图片", "照片"]),
    facts(F::FloorPlans, "floor_plans", Home, Many, &["floor plan", "floorplan", "floorplans", "layoutimage"], &["floor plan", "floorplan", "floorplans", "layoutimage", "grundriss", "plano", "plan"]),
    facts(F::Videos, "videos", Home, Many, &["video"], &["video", "videos"]),
    facts(F::Tours, "tours", Home, Many, &["tour", "virtual tour"], &["tour", "tours", "virtual tour"]),
    facts(F::Faqs, "faqs", Home, Many, &[], &["faq", "faqs"]),
    facts(F::SourceLink, "source_link", Home, One, &[], &["source link", "url", "link", "website", "listing url", "sourceurl"]),
    facts(F::Status, "status", Home, One, &[], &["status", "state of listing", "zustand", "estado"]),
    facts(F::Published, "published", Home, One, &[], &["published"]),
    facts(F::Purpose, "purpose", Home, One, &[], &["purpose", "businessfunction", "transaction", "offer type"]),
    facts(F::Expires, "expires", Home, One, &[], &["expires", "expiration date", "expiry", "valid until"]),
    facts(F::Bedrooms, "bedrooms", Home, One, &[], &["bedrooms", "beds", "bedroomcount", "numbedrooms", "schlafzimmer", "dormitorios", "habitaciones", "chambres", "camere", "卧室"]),
    facts(F::Bathrooms, "bathrooms", Home, One, &[], &["bathrooms", "baths", "numfullbaths", "badezimmer", "banos", "bagni", "浴室"]),
    facts(F::HalfBathrooms, "half_bathrooms", Home, One, &[], &["numhalfbaths", "half baths", "half bathrooms"]),
    facts(F::RoomId, "room_id", Room, One, &["zimmer nr"], &["room id", "zimmer nr", "room ref", "unit id"]),
    facts(F::RoomName, "room_name", Room, Texts, &[], &["room name", "zimmer", "zimmername"]),
    facts(F::RoomType, "room_type", Room, One, &[], &["room type", "type", "property type", "art", "kind", "zimmerart", "tipo", "房型"]),
    facts(F::RoomBathroom, "room_bathroom", Room, One, &[], &["bathroom", "bathrooms text", "bad", "bano"]),
    facts(F::RoomKitchen, "room_kitchen", Room, One, &[], &["kitchen", "kuche", "cocina"]),
    facts(F::Size, "size", Room, One, &["size m2", "size sqft", "areasqm", "squarefeet"], &["size", "size m2", "size sqft", "areasqm", "floorsize", "bedroomsize", "squarefeet", "floor area", "built", "m2", "m²", "qm", "flache", "superficie", "surface", "面积"]),
    facts(F::Bed, "bed", Room, One, &[], &["bed", "bed type", "bett", "cama", "letto"]),
    facts(F::Floor, "floor", Room, One, &[], &["floor", "floor number", "etage", "stock", "planta", "piano", "楼层"]),
    facts(F::Sleeps, "sleeps", Room, One, &[], &["sleeps", "accommodates", "occupancy", "max occupancy"]),
    facts(F::Gender, "gender", Room, One, &[], &["gender", "geschlecht"]),
    facts(F::RoomBedrooms, "room_bedrooms", Room, One, &["numbedrooms", "numberofbedrooms"], &["numberofbedrooms"]),
    facts(F::RoomsTotal, "rooms_total", Room, One, &["numberofaccommodationunits"], &["rooms total", "quantity", "total", "numberofaccommodationunits", "room count"]),
    facts(F::RoomsFree, "rooms_free", Room, One, &["numberofavailableaccommodationunits"], &["rooms free", "free", "numberofavailableaccommodationunits"]),
    facts(F::RoomFacilities, "room_facilities", Room, Many, &[], &["room facilities", "modeltag"]),
    facts(F::RoomPhotos, "room_photos", Room, Many, &[], &["room photos", "modelphoto"]),
    facts(F::RoomPlans, "room_plans", Room, Many, &[], &["room plans", "layoutimage"]),
    facts(F::LeaseId, "lease_id", Lease, One, &[], &["lease id", "offer id"]),
    facts(F::MoveIn, "move_in", Lease, One, &["available from", "availablefrom", "date available", "dateavailable", "startdate", "start date", "availabilitystarts", "frei ab", "disponible desde", "disponibile dal"], &["move in", "movein", "available from", "date available", "dateavailable", "startdate", "start date", "availabilitystarts", "frei ab", "verfugbar ab", "disponible desde", "disponible a partir", "disponibile dal", "入住"]),
    facts(F::MoveInUntil, "move_in_until", Lease, One, &[], &["move in until", "to"]),
    facts(F::Length, "length", Lease, One, &["leaseterm", "lease term", "laufzeit"], &["length", "duration", "lease term", "leaseterm", "contract months", "laufzeit", "duracion", "duree", "durata", "租期"]),
    facts(F::LengthUnit, "length_unit", Lease, One, &[], &["length unit", "unit"]),
    facts(F::LengthMin, "length_min", Lease, One, &["min stay"], &["min contract weeks", "minimum nights", "minimumstaymonths", "minimum term", "min stay", "mindestmietdauer"]),
    facts(F::LengthMax, "length_max", Lease, One, &["max stay"], &["maximum nights", "maximumstaymonths", "max stay"]),
    facts(F::End, "end", Lease, One, &["end date", "enddate", "availabilityends"], &["end", "end date", "enddate", "availabilityends", "available to", "mietende"]),
    facts(F::Price, "price", Lease, One, &["rent", "lowprice", "kaltmiete"], &["price", "rent", "amount", "flatprice", "lowprice", "miete", "kaltmiete", "warmmiete", "precio", "renta", "alquiler", "prix", "loyer", "prezzo", "canone", "租金", "价格"]),
    facts(F::PriceMax, "price_max", Lease, One, &["highprice"], &["price max", "highprice"]),
    facts(F::Currency, "currency", Lease, One, &["currency code", "currencycode", "pricecurrency"], &["currency", "currency code", "currencycode", "pricecurrency", "wahrung", "moneda", "devise", "valuta", "货币"]),
    facts(F::PricePer, "price_per", Lease, One, &["pricingfrequency"], &["price per", "period", "time period", "rent frequency", "price freq", "pricingfrequency", "unitcode", "zeitraum", "periodo"]),
    facts(F::PerPerson, "per_person", Lease, One, &[], &["amount per", "per person"]),
    facts(F::Deposit, "deposit", Lease, One, &["kaution", "fianza", "cauzione"], &["deposit", "security deposit", "kaution", "fianza", "caution", "depot de garantie", "cauzione", "押金"]),
    facts(F::LeaseBills, "bills_monthly", Lease, One, &["nebenkosten"], &["bills monthly", "nebenkosten", "charges locatives"]),
    facts(F::RoomsLeft, "rooms_left", Lease, One, &["unitsavailable", "inventorylevel"], &["rooms left", "inventorylevel", "unitsavailable", "availability"]),
    facts(F::BookingDeadline, "booking_deadline", Lease, One, &["book by", "bookby"], &["booking deadline", "bookby", "book by"]),
    facts(F::BlockedFrom, "blocked_from", Lease, Many, &[], &["blocked from"]),
    facts(F::BlockedUntil, "blocked_until", Lease, Many, &[], &["blocked until"]),
    facts(F::Bookable, "bookable", Lease, One, &[], &["bookable", "has availability", "instant bookable"]),
];

impl Field {
    /// The line of this field in [`FIELDS`].
    pub(crate) fn facts(self) -> &'static Facts {
        // Every field has its line; a test holds it.
        FIELDS
            .iter()
            .find(|facts| facts.field == self)
            .unwrap_or(&FIELDS[0])
    }
}

/// A field by its name in a map, with the language behind it: `name_en`.
pub(crate) fn find_field(name: &str) -> Option<(Field, Option<String>)> {
    if let Some(field) = find_named(name) {
        return Some((field, None));
    }
    let (key, language) = name.trim().rsplit_once(['_', '.'])?;
    let language = language.to_lowercase();
    let field =
        find_named(key).filter(|field| field.facts().shape == Shape::Texts && is_language(&language))?;
    Some((field, Some(language)))
}

/// Fields by their folded keys and other names.
static NAMED: LazyLock<HashMap<String, Field>> = LazyLock::new(|| {
    let names = |facts: &'static Facts| {
        let names = facts.names.iter().map(|name| (*name).to_owned());
        names
            .chain([fold(facts.key)])
            .map(move |name| (name, facts.field))
    };
    FIELDS.iter().flat_map(names).collect()
});

/// The field of this key or other name.
fn find_named(name: &str) -> Option<Field> {
    NAMED.get(&fold(name)).copied()
}

/// Whether a text is a tag of a language: two or three letters.
pub(crate) fn is_language(tag: &str) -> bool {
    let letters = tag.split(['-', '_']).next().unwrap_or_default();
    (2..=3).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_lowercase())
        && tag.len() <= 11
}

/// The field of a column without a map: its name, a language behind it, or a number of a list (`photo1`).
pub(crate) fn find_column_field(column: &str) -> Option<(Field, Option<String>)> {
    if let Some(found) = find_field(column) {
        return Some(found);
    }
    let name = column
        .trim()
        .trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = name.len() < column.trim().len();
    let (field, language) = find_field(name.trim_end_matches(['_', ' ', '-']))?;
    (is_numbered && field.facts().shape == Shape::Many).then_some((field, language))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_field_has_one_line_and_names_of_its_own() {
        let fields: BTreeSet<Field> = FIELDS.iter().map(|facts| facts.field).collect();
        assert_eq!(fields.len(), FIELDS.len());
        assert!(FIELDS.iter().all(|facts| facts.field.facts().key == facts.key));
        assert_eq!(FIELDS.len(), Field::Bookable as usize + 1);
        let names: Vec<String> = FIELDS
            .iter()
            .flat_map(|facts| {
                facts
                    .names
                    .iter()
                    .map(|name| (*name).to_owned())
                    .chain([fold(facts.key)])
            })
            .collect();
        let different: BTreeSet<&String> = names.iter().collect();
        assert_eq!(names.len(), different.len());
        assert!(
            FIELDS
                .iter()
                .flat_map(|facts| facts.names)
                .all(|name| fold(name) == *name)
        );
    }

    #[test]
    fn columns_are_fields_by_name_language_and_number() {
        let find = |column: &str| {
            let (field, language) = find_column_field(column)?;
            Some((field.facts().key, language.unwrap_or_default()))
        };
        for (column, field) in [
            ("Property_ID", Some(("property_id", ""))),
            ("name_zh", Some(("name", "zh"))),
            ("photo1", Some(("photos", ""))),
            ("photo_20", Some(("photos", ""))),
            ("size_m2", Some(("size", ""))),
            ("latitude", Some(("lat", ""))),
            ("price_en", None),
            ("price2", None),
            ("name_english", None),
            ("", None),
        ] {
            let found = find(column);
            assert_eq!(
                found.as_ref().map(|(key, language)| (*key, language.as_str())),
                field,
                "{column}"
            );
        }
    }
}
