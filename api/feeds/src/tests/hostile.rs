//! Files that are made to cost a reader its memory or its time: each gets a sentence or a fault, and holds no more than a record.

use super::{find_taken, read_text};

/// The sentence that ends the reading of a file.
fn refusal(text: impl Into<Vec<u8>>) -> String {
    match read_text(text, "feed = \"x\"") {
        Err(sentence) => sentence,
        Ok((_, summary)) => summary.broken.unwrap_or_default(),
    }
}

const HOME: &str = r#"{"property_id": "a", "name": "Loft", "country": "GB", "city": "Leeds", "price": 150, "currency": "GBP", "price_per": "week"}"#;
const ELEMENT: &str = "<home><property_id>a</property_id><name>Loft</name><country>GB</country><city>Leeds</city><price>150</price></home>";

/// The first reason against the first record of a file, behind which another home stands.
fn first_fault(text: &str) -> String {
    let (entries, _) = read_text(text, "feed = \"x\"").unwrap();
    assert_eq!(entries.len(), 2);
    entries[0].faults[0].reason.clone()
}

#[test]
fn file_of_a_million_records_is_refused_whole() {
    let text = format!("[{}1]", "1,".repeat(1_000_000));
    let said = refusal(text);
    assert!(said.contains("more than 1000000 rows or objects"), "{said}");
}

#[test]
fn nesting_is_bounded_wherever_it_stands() {
    let deep = 20_000;
    let lists = format!(
        "{{\"other\": {}{}, \"homes\": [{{}}]}}",
        "[".repeat(deep),
        "]".repeat(deep)
    );
    let objects = format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep));
    let elements = format!("{}{}", "<a>".repeat(deep), "</a>".repeat(deep));
    for text in [lists, objects, elements, "[".repeat(deep)] {
        let said = refusal(text);
        assert!(said.contains("nested deeper than"), "{said}");
    }
}

#[test]
fn large_names_and_values_are_bounded_outside_records_too() {
    let large = "x".repeat(9 * 1024 * 1024);
    for text in [
        format!("{{\"{large}\": 1, \"homes\": [{{\"id\": 1}}]}}"),
        format!("{{\"note\": \"{large}\", \"homes\": [{{\"id\": 1}}]}}"),
        format!("<homes><note>{large}</note></homes>"),
        format!("<homes><!-- {large} --></homes>"),
    ] {
        let said = refusal(text);
        assert!(said.contains("larger than 8 MiB"), "{}", said.len());
        assert!(said.len() < 1_000, "{}", said.len());
    }
}

#[test]
fn record_has_no_more_parts_than_a_home() {
    let names: Vec<String> = (0..6_000).map(|number| format!("\"n{number}\": 1")).collect();
    let wide = format!("[{{{}}}, {HOME}]", names.join(","));
    let inner = format!("[{{\"inner\": {{{}}}}}, {HOME}]", names.join(","));
    let elements: Vec<String> = (0..6_000)
        .map(|number| format!("<n{number}>1</n{number}>"))
        .collect();
    let elements = format!("<homes><home>{}</home>{ELEMENT}</homes>", elements.concat());
    for text in [wide, inner, elements] {
        let said = first_fault(&text);
        assert!(said.contains("more than 5000 names"), "{said}");
    }
    let items = "1,".repeat(100_000);
    let long = format!("[{{\"photos\": [{items}1]}}, {HOME}]");
    let nested = format!("[{{\"rooms\": [[{items}1], [2]]}}, {HOME}]");
    let elements = format!("<homes><home>{}</home>{ELEMENT}</homes>", "<a/>".repeat(100_001));
    for text in [long, nested, elements] {
        let said = first_fault(&text);
        assert!(said.contains("more than 100000 values"), "{said}");
    }
}

/// In one cell, or row by row.
#[test]
fn home_has_no_more_photos_than_are_shown() {
    let head =
        "property_id,room_id,lease_id,name,country,city,room_type,move_in,price,currency,price_per,photos";
    let row = |room: &str, photos: std::ops::Range<u32>| {
        let photos: Vec<String> = photos
            .map(|photo| format!("https://a.example/{photo}.jpg"))
            .collect();
        let photos = photos.join(" ");
        format!("a,{room},{room},Loft,GB,Leeds,Studio,2027-09-04,150,GBP,week,{photos}")
    };
    for rows in [
        vec![row("a1", 0..300)],
        vec![row("a1", 0..150), row("a2", 150..300)],
    ] {
        let (entries, _) = read_text(format!("{head}\n{}\n", rows.join("\n")), "feed = \"x\"").unwrap();
        let home = find_taken(&entries, "a").unwrap();
        assert_eq!(home.photos.len(), 200);
        let left_out = entries[0].faults.iter().find(|fault| fault.path == "photos");
        assert_eq!(
            left_out.map(|fault| fault.value.as_str()),
            Some("https://a.example/200.jpg")
        );
    }
}

#[test]
fn names_of_a_file_neither_steer_nor_fill_a_sentence() {
    let name = "\\u001b[31m".to_owned() + &"n".repeat(9_000);
    let text = format!("{{\"{name}\": [{{\"id\": 1}}], \"homes\": [{{\"id\": 1}}]}}");
    let said = refusal(text);
    assert!(said.contains("several lists"), "{said}");
    assert!(said.len() < 1_000 && !said.contains('\u{1b}'), "{said}");
    let column = "c".repeat(9_000);
    let head = "property_id,name,country,city,price,currency,price_per";
    let sheet = format!("{head},{column},x\u{7}y\n1,Loft,GB,Leeds,150,GBP,week,2,3\n");
    let (entries, summary) = read_text(sheet, "feed = \"x\"").unwrap();
    assert_eq!(entries.len(), 1);
    assert!(
        summary
            .unused
            .iter()
            .all(|unused| unused.column.len() < 200 && !unused.column.contains('\u{7}')),
        "{:?}",
        summary.unused
    );
}

#[test]
fn rows_of_one_home_that_lie_far_apart_end_in_a_sentence() {
    let head = "property_id,room_id,name,country,city,price,currency,price_per";
    let row = |home: u32, room: u32| format!("{home},{room},Loft,GB,Leeds,150,GBP,week");
    let mut rows = vec![head.to_owned()];
    for room in 0..2 {
        rows.extend((0..501).map(|home| row(home, room)));
    }
    let said = refusal(rows.join("\n"));
    assert!(
        said.contains("sort the file by the column of property_id"),
        "{said}"
    );
}
