//! Bad input gets a sentence or a fault, never a home that the feed does not describe, and its neighbours stand.

use super::{find_taken, read_text};
use crate::{Entry, MoveIn, Outcome, Verdict, suggest_map};

const HEAD: &str =
    "property_id,name,country,city,lat,lng,price,currency,price_per,room_type,deposit,facilities";

fn row(id: &str, price: &str) -> String {
    format!("{id},Aspen Hall,GB,Leeds,53.8,-1.54,{price},GBP,week,Ensuite Room,,Wifi")
}

fn sheet(rows: &[&str]) -> String {
    format!("{HEAD}\n{}\n", rows.join("\n"))
}

fn read(text: &str) -> Vec<Entry> {
    read_text(text, "feed = \"x\"").unwrap().0
}

/// The reasons against a home, each with its path.
fn faults(entries: &[Entry], id: &str) -> Vec<String> {
    let of_id = entries.iter().filter(|entry| entry.id == id);
    of_id
        .flat_map(|entry| &entry.faults)
        .map(|fault| format!("{} `{}`: {}", fault.path, fault.value, fault.reason))
        .collect()
}

#[test]
fn bad_rows_leave_their_neighbours_alone() {
    let (good, last) = (row("a", "150"), row("f", "155"));
    let rows = [
        good.as_str(),
        "b,Aspen Hall,GB,Leeds,-1.54,53.8,150,GBP,week,Ensuite Room,,",
        "c,Aspen Hall,GB,Leeds,53.8,-1.54,,GBP,week,Ensuite Room,,",
        "d,Aspen Hall,GB,Leeds",
        "e,\"Aspen Hall,GB,Leeds,53.8,-1.54,150,GBP,week,Ensuite Room,,",
        last.as_str(),
    ];
    let entries = read(&sheet(&rows));
    let outcomes: Vec<bool> = entries
        .iter()
        .map(|entry| matches!(entry.outcome, Outcome::Taken(_)))
        .collect();
    assert_eq!(outcomes, [true, false, false, false, false, true]);
    assert!(
        entries[1].faults[0].reason.contains("swapped"),
        "{:?}",
        entries[1].faults
    );
    assert_eq!(
        (entries[1].line, entries[1].faults[0].value.as_str()),
        (3, "-1.54, 53.8")
    );
    assert!(
        entries[2].faults[0].reason.contains("no price is said"),
        "{:?}",
        entries[2].faults
    );
    for entry in [&entries[0], &entries[5]] {
        assert!(
            entry.faults.iter().all(|fault| fault.verdict == Verdict::Warned),
            "{:?}",
            entry.faults
        );
    }
}

#[test]
fn absent_facts_are_absent() {
    let text = "property_id,name,country,city,price,currency,price_per\na,Yard,GB,Leeds,150,GBP,week\n";
    let entries = read(text);
    let home = find_taken(&entries, "a").unwrap();
    assert_eq!((home.bills.as_ref(), home.guarantor.as_ref()), (None, None));
    assert_eq!((home.place.point, home.bedrooms, home.status), (None, None, None));
    let room = &home.rooms[0];
    assert_eq!(
        (room.kind, room.total, room.free, room.size_cm2),
        (None, None, None, None)
    );
    let lease = &room.leases[0];
    assert_eq!(
        (lease.move_in.as_ref(), lease.length.as_ref(), lease.deposit),
        (None, None, None)
    );
    assert_eq!((lease.rooms_free, lease.is_bookable), (None, None));
}

#[test]
fn rows_of_one_home_are_brought_together_out_of_order() {
    let head = "property_id,room_id,lease_id,name,country,city,room_type,move_in,price,currency,price_per";
    let lease = |home: &str, room: &str, lease: &str, price: &str| {
        format!("{home},{room},{lease},House {home},GB,Leeds,Studio,2027-09-04,{price},GBP,week")
    };
    let rows = [
        lease("a", "a1", "x", "150"),
        lease("b", "b1", "x", "150"),
        lease("a", "a2", "y", "160"),
        lease("a", "a1", "z", "155"),
        lease("a", "a2", "x", "165"),
        lease("b", "b1", "y", ""),
    ];
    let entries = read(&format!("{head}\n{}\n", rows.join("\n")));
    assert_eq!(entries.len(), 2);
    let home = find_taken(&entries, "a").unwrap();
    let leases: Vec<usize> = home.rooms.iter().map(|room| room.leases.len()).collect();
    assert_eq!(leases, [2, 1]);
    assert_eq!(find_taken(&entries, "b").unwrap().rooms[0].leases.len(), 1);
    assert!(
        faults(&entries, "a")
            .iter()
            .any(|fault| fault.contains("lease_id `x`")),
        "{entries:?}"
    );
    assert!(
        faults(&entries, "b")
            .iter()
            .any(|fault| fault.contains("no price is said")),
        "{entries:?}"
    );
}

#[test]
fn missing_columns_stop_the_file_with_their_names() {
    let map = "[columns]\nname = \"headline\"\ndeposit = \"bond?\"\n";
    let error = read_text(sheet(&[&row("a", "150")]), map).unwrap_err();
    assert!(
        error.contains("no column `headline` (the map's `name`)"),
        "{error}"
    );
    assert!(
        error.contains("property_id, name, country") && !error.contains("`bond`"),
        "{error}"
    );
    let error = read_text("{\"homes\": [{\"id\": 1}], \"agents\": [{\"id\": 2}]}", "").unwrap_err();
    assert!(error.contains("several lists, agents, homes"), "{error}");
    let error = read_text("", "").unwrap_err();
    assert!(error.contains("no first line"), "{error}");
}

#[test]
fn encodings_and_line_ends_change_nothing() {
    let text = sheet(&[
        "a,Straßenhof,DE,Göttingen,\"51,53\",\"9,93\",\"310,00\",EUR,Monat,WG-Zimmer,2 Monatsmieten,WLAN",
    ]);
    let utf16: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let latin: Vec<u8> = text
        .chars()
        .map(|letter| u8::try_from(u32::from(letter)).unwrap())
        .collect();
    for (bytes, map) in [
        (text.clone().into_bytes(), ""),
        (format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes(), ""),
        (utf16, ""),
        (latin.clone(), "encoding = \"windows-1252\""),
    ] {
        let (entries, _) = read_text(bytes, map).unwrap();
        let home = find_taken(&entries, "a").unwrap_or_else(|| panic!("{entries:?}"));
        assert_eq!(home.name.values().next().map(String::as_str), Some("Straßenhof"));
        assert_eq!(home.rooms[0].leases[0].price.unwrap().amount.minor, 31_000);
    }
    let (entries, _) = read_text(latin, "").unwrap();
    assert!(
        faults(&entries, "a")[0].contains("letters were lost"),
        "{entries:?}"
    );
}

#[test]
fn markup_of_texts_is_plain_afterwards() {
    let text = r#"[{"id": "a", "name": "<b>Aspen</b> &amp;amp; Oak<script>alert(1)</script>", "country": "GB", "city": "Leeds",
        "description": "&lt;p&gt;Light.&lt;/p&gt;<ul><li>Desk</li></ul><img src=x onerror=alert(1)>",
        "photos": ["https://a.example/1.jpg", "javascript:alert(1)", "../../etc/passwd.jpg"],
        "price": 150, "currency": "GBP", "price_per": "pw"}]"#;
    let entries = read(text);
    let home = find_taken(&entries, "a").unwrap();
    assert_eq!(home.name["und"], "Aspen & Oak");
    assert_eq!(home.description["und"], "Light.\n\n- Desk");
    assert_eq!(home.photos.len(), 1);
    let named = entries[0]
        .faults
        .iter()
        .filter(|fault| fault.reason.contains("no address"));
    assert_eq!(named.count(), 2);
}

#[test]
fn huge_and_hostile_documents_end_in_a_sentence() {
    let cell = "x".repeat(9 * 1024 * 1024);
    let json = format!("[{{\"id\": \"a\", \"name\": \"{cell}\"}}]");
    assert!(read_text(json, "").unwrap_err().contains("larger than 8 MiB"));
    let csv = format!("{HEAD}\na,\"{cell}\",GB\n");
    assert!(read_text(csv, "").unwrap_err().contains("longer than 1 MiB"));
    let bomb =
        "<!DOCTYPE a [<!ENTITY b \"&c;&c;\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]><a><h>&b;</h><h/></a>";
    assert!(read_text(bomb, "").unwrap_err().contains("document type"));
    let broken = "<homes><home><id>1</id></home><home><id>2</home></homes>";
    assert!(read_text(broken, "list = \"home\"").is_ok_and(|(_, summary)| summary.broken.is_some()));
}

#[test]
fn suggested_map_reads_the_file_that_it_is_made_of() {
    let text = "Objekt-Nr;Titel;Land;Ort;Kaltmiete;Währung;Zeitraum;Art\nA;Haus Aspen;DE;Leipzig;310,00;EUR;Monat;WG-Zimmer\n";
    let source = text.as_bytes().to_vec();
    let map = suggest_map(&source, super::judged_on()).unwrap();
    let (entries, _) = read_text(source, &map).unwrap();
    let home = find_taken(&entries, "A").unwrap_or_else(|| panic!("{map}\n{entries:?}"));
    assert_eq!(home.place.city.as_deref(), Some("Leipzig"));
}

#[test]
fn doubts_about_rents_spare_what_the_map_accepts() {
    let mut rows: Vec<String> = ["150", "155", "160", "165", "170"]
        .iter()
        .enumerate()
        .map(|(place, price)| row(&format!("h{place}"), price))
        .collect();
    rows.push(row("far", "1600000"));
    let text = format!("{HEAD}\n{}\n", rows.join("\n"));
    let (entries, summary) = read_text(text.clone(), "").unwrap();
    assert_eq!((summary.taken, summary.rejected), (5, 1));
    assert!(
        faults(&entries, "far")[0].contains("the middle of this file"),
        "{entries:?}"
    );
    let (entries, summary) = read_text(text, "doubtful = \"accept\"").unwrap();
    assert_eq!(summary.taken, 6);
    assert!(
        entries[5]
            .faults
            .iter()
            .all(|fault| fault.verdict == Verdict::Warned)
    );
}

/// Homes are handed on with their last row, so that no more of them are held than the file mixes.
#[test]
fn long_files_are_read_to_their_end() {
    let mut text = String::from(
        "property_id,room_id,lease_id,name,country,city,room_type,move_in,price,currency,price_per\n",
    );
    for number in 0..1_000 {
        for lease in 0..4 {
            let home = format!(
                "h{number},r,l{lease},House {number},GB,Leeds,Studio,2025-01-01,{}.00,GBP,pw\n",
                150 + lease
            );
            text.push_str(&home);
        }
    }
    let (entries, summary) = read_text(text, "").unwrap();
    assert_eq!(
        (summary.records, summary.taken, summary.rejected),
        (4_000, 1_000, 0)
    );
    let last = find_taken(&entries, "h999").unwrap();
    assert_eq!(last.rooms[0].leases.len(), 4);
    assert_eq!(last.rooms[0].leases[0].move_in, Some(MoveIn::Now));
}
