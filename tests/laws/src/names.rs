//! Names of tests fit into a line of a terminal. What they tell beside the subject stands in the comment above them.

use crate::checkout::{files, is_rust, is_web, read, root, shown};
use crate::findings::assert_none;

const NAME_MAX: usize = 60;

#[test]
fn test_names_fit_into_a_line() {
    let named: Vec<(String, String)> = files(&root(), &["rs", "ts", "tsx"])
        .iter()
        .flat_map(|file| {
            let text = read(file);
            let names = if is_rust(file) {
                rust_names(&text)
            } else if is_web(file) && shown(file).contains(".test.") {
                titles(&text)
            } else {
                Vec::new()
            };
            names
                .into_iter()
                .map(|name| (shown(file), name))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(named.len() > 1_000, "{} tests were found", named.len());
    let long = named
        .into_iter()
        .filter(|(_, name)| name.chars().count() > NAME_MAX)
        .map(|(file, name)| format!("{file}: {name}"));
    assert_none(
        long,
        "at most 60 characters, subject first; the story goes into the comment",
    );
}

#[test]
fn test_names_law_catches_bad_samples() {
    let rust = "#[tokio::test(flavor = \"x\")]\n/// Why.\nasync fn one() {}\nfn two() {}\nevery_engine![\n    three,\n    four,\n];";
    assert_eq!(rust_names(rust), ["one", "three", "four"]);
    let web = "test(\"a\", run);\n  it(\n    `b ${screen.width} c`,\n  );\ntest.each([[1]])('d', run); visit(\"e\");";
    assert_eq!(titles(web), ["a", "b … c", "d"]);
}

/// Functions under a test's attribute, and the laws that every engine of the log runs as tests.
fn rust_names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut attributed = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test") || (line.starts_with("#[") && line.contains("::test")) {
            attributed = true;
        } else if let Some((_, rest)) = line.split_once("fn ") {
            let name: String = rest
                .chars()
                .take_while(|sign| sign.is_alphanumeric() || *sign == '_')
                .collect();
            if attributed && !name.is_empty() && !line.starts_with("//") {
                found.push(name);
                attributed = false;
            }
        }
    }
    let lists = text
        .split("every_engine![")
        .skip(1)
        .filter_map(|rest| rest.split("];").next());
    let laws = lists
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .filter(|law| !law.is_empty() && law.chars().all(|sign| sign.is_alphanumeric() || sign == '_'));
    found.extend(laws.map(str::to_owned));
    found
}

/// Titles of a browser test file; what is filled in counts as one sign.
fn titles(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for call in ["test(", "it("] {
        for (at, _) in text.match_indices(call) {
            let before = text[..at].chars().next_back().unwrap_or(' ');
            if before.is_whitespace() {
                found.extend(title(&text[at + call.len()..]));
            }
        }
    }
    let tables = text.split(".each(").skip(1);
    found.extend(tables.filter_map(|rest| title(rest.split_once(")(")?.1)));
    found
}

fn title(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|sign| "\"'`".contains(*sign))?;
    let mut told = String::new();
    let mut depth = 0;
    let mut signs = rest.chars().skip(1).peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => told.extend(signs.next()),
            '$' if signs.peek() == Some(&'{') => depth += 1,
            '}' if depth > 0 => {
                depth -= 1;
                told.push('…');
            }
            _ if sign == quote && depth == 0 => return Some(told),
            _ if depth == 0 => told.push(sign),
            _ => {}
        }
    }
    None
}
