use super::*;
use crate::records::{Sheet, Stopped, read_records, split_list};
use crate::source::open_source;

/// The line and the value of `id` of each record, or its fault.
fn read(text: &str, list: &str) -> (Vec<String>, Result<(), String>) {
    let source = text.as_bytes().to_vec();
    let sheet = Sheet {
        separator: None,
        is_wanted: &|_: &str| true,
        fill_down: &[],
        skip: Vec::new(),
    };
    let mut records = Vec::new();
    let mut take = |record: Record| -> Result<(), Stopped> {
        let id = record.node.map(|node| {
            let id = node.get("id").and_then(Node::as_scalar);
            id.map(|scalar| scalar.text.to_owned()).unwrap_or_default()
        });
        records.push(format!("{} {}", record.line, id.unwrap_or_else(|reason| reason)));
        Ok(())
    };
    let opened = open_source(&source, None).unwrap();
    let end = read_records(opened, &split_list(list), &sheet, &mut take).map(drop);
    (records, end)
}

#[test]
fn lists_are_found_in_arrays_and_objects() {
    let (records, end) = read("[{\"id\": \"a\"},\n {\"id\":\n 2}]", "");
    assert_eq!((records, end), (vec!["1 a".into(), "2 2".into()], Ok(())));
    let nested =
        "{\"tags\": [\"x\"],\n\"branches\": [{\"homes\": [{\"id\": 1}]},\n{\"homes\": [{\"id\": 2}, 7]}]}";
    let (records, _) = read(nested, "branches[].homes[]");
    assert_eq!(records, ["2 1", "3 2", "3 the record is no object"]);
    let (records, _) = read("{\"list\": [{\"item\": {\"id\": 1}}]}", "list[].item");
    assert_eq!(records, ["1 1"]);
}

#[test]
fn long_ids_stay_whole() {
    let id = "100000000000000000000000000001";
    assert_eq!(read(&format!("[{{\"id\": {id}}}]"), "").0, [format!("1 {id}")]);
}

#[test]
fn broken_line_is_one_record_and_a_document_keeps_its_first() {
    let (records, end) = read("{\"id\": 1}\n\n{\"id\": 2}\n{\"id\": ", "");
    assert_eq!((records.len(), end), (3, Ok(())));
    assert!(
        records[2].starts_with("4 the line is no whole JSON object"),
        "{records:?}"
    );
    let (records, end) = read("[{\"id\": 1}, {\"id\": ", "");
    assert_eq!(records, ["1 1"]);
    assert!(end.unwrap_err().contains("cannot be read on"));
}

#[test]
fn huge_cell_and_deep_nesting_end_in_a_sentence() {
    let huge = format!("[{{\"id\": \"{}\"}}]", "x".repeat(9 * 1024 * 1024));
    assert!(read(&huge, "").1.unwrap_err().contains("larger than 8 MiB"));
    let deep = format!("[{{\"id\": {}1{}}}]", "[".repeat(60), "]".repeat(60));
    let (records, end) = read(&deep, "");
    assert!(records[0].contains("nested deeper"), "{records:?}");
    assert!(end.is_ok());
}

#[test]
fn outermost_lists_of_objects_are_named() {
    let text = "{\"tags\": [\"x\"], \"a\": {\"homes\": [{\"rooms\": [{}]}]}, \"more\": [[1]]}";
    let source = text.as_bytes().to_vec();
    let found = find_lists(open_source(&source, None).unwrap().text).unwrap();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a.homes"]);
}
