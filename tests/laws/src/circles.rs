//! Files that import each other in a circle can only be read, moved and compiled together. A circle has few files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::checkout::{is_rust, read, root, shown, sources};
use crate::findings::{Findings, assert_exempted};

/// Files that may import each other in a circle.
const CIRCLE_MAX: usize = 5;
/// Larger circles: the first of its files, and how many it has.
const LARGER: [(&str, usize); 5] = [
    ("domain/src/lead.rs", 6),
    ("domain/src/payment.rs", 7),
    ("domain/src/policy.rs", 6),
    ("projections/src/books.rs", 6),
    ("projections/src/run.rs", 6),
];

/// What each file imports of its own crate, by module path.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn few_files_import_each_other_in_a_circle() {
    let larger = crates().into_iter().flat_map(|(name, files)| {
        let circles = circles(&imports(&files)).into_iter();
        let larger = circles.filter(|circle| circle.len() > CIRCLE_MAX);
        larger.filter_map(move |circle| {
            let first = circle.first()?.replace("::", "/");
            Some((format!("{name}/src/{first}.rs"), circle.into_iter().collect()))
        })
    });
    let exempt = LARGER.map(|(first, files)| (first.to_owned(), files)).into();
    assert_exempted(
        &larger.collect::<Findings>(),
        &exempt,
        "a circle has at most five files: move what both need below them",
    );
}

#[test]
fn circles_are_found() {
    let files = |texts: &[(&str, &str)]| {
        let owned = texts
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        circles(&imports(&owned.collect()))
    };
    let of = |names: &[&str]| {
        vec![
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<BTreeSet<_>>(),
        ]
    };
    assert_eq!(
        files(&[("a", "use crate::b::{C, d};"), ("b", "use super::a::E;")]),
        of(&["a", "b"])
    );
    assert_eq!(
        files(&[("a", "mod b;\nfn f() { b::g() }"), ("a::b", "use super::H;")]),
        of(&["a", "a::b"])
    );
    let registered = "\npub fn endpoints() -> E {\n    b::endpoints()\n}";
    assert!(files(&[("a", registered), ("a::b", "use super::H;")]).is_empty());
    assert!(files(&[("a", "// crate::b::c\nuse crate::b::C;"), ("b", "struct C;")]).is_empty());
}

/// The files of each crate that is compiled into something, by the folder of the crate.
fn crates() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for file in sources().into_iter().filter(|file| is_rust(file)) {
        let path = shown(&file);
        let Some((folder, inside)) = path.rsplit_once("/src/") else {
            continue;
        };
        if !Path::new(&root()).join(folder).join("Cargo.toml").exists() {
            continue;
        }
        let module = inside.trim_end_matches(".rs").replace('/', "::");
        if !matches!(module.as_str(), "lib" | "main") {
            let files = crates.entry(folder.to_owned()).or_default();
            files.insert(module, read(&file));
        }
    }
    crates
}

fn imports(files: &BTreeMap<String, String>) -> Imports {
    let of_file = |(module, text): (&String, &String)| {
        let code = without_registration(&without_tests_and_comments(text));
        let mut found: BTreeSet<String> = named_paths(&code)
            .into_iter()
            .filter_map(|path| resolved(module, &path, files))
            .collect();
        // A module names its own children without a prefix.
        let children = files.keys().filter(|other| {
            let child = other.strip_prefix(&format!("{module}::"));
            child.is_some_and(|child| !child.contains("::") && names(&code, &format!("{child}::")))
        });
        found.extend(children.cloned());
        found.remove(module);
        (module.clone(), found)
    };
    files.iter().map(of_file).collect()
}

/// The code without `endpoints`, which registers the routes of the files below: a table of contents, read without them.
fn without_registration(code: &str) -> String {
    let Some((before, rest)) = code.split_once("\npub fn endpoints()") else {
        return code.to_owned();
    };
    let after = rest.split_once("\n}").map_or("", |(_, after)| after);
    format!("{before}{after}")
}

fn without_tests_and_comments(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Paths that begin with `crate`, `super` or `self`, those of `use` with their braces taken apart.
fn named_paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for prefix in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(prefix) {
            if code[..at].ends_with(|before: char| is_word(before) || before == ':') {
                continue;
            }
            let end = code[at..].find(';').map_or(code.len(), |end| at + end);
            let is_use = code[..at].trim_end().ends_with("use");
            if is_use {
                taken_apart("", &code[at..end], &mut found);
            } else {
                let path = code[at..].split(|c: char| !is_word(c) && c != ':').next();
                found.push(path.unwrap_or_default().trim_end_matches(':').to_owned());
            }
        }
    }
    found
}

fn taken_apart(before: &str, tree: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((path, inner)) = tree.split_once('{') else {
        let name = tree.split_whitespace().next().unwrap_or_default();
        found.push(format!("{before}{name}"));
        return;
    };
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let before = format!("{before}{}", path.trim());
    let (mut depth, mut from) = (0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                taken_apart(&before, &inner[from..at], found);
                from = at + 1;
            }
            _ => {}
        }
    }
    if !inner[from..].trim().is_empty() {
        taken_apart(&before, &inner[from..], found);
    }
}

/// The file that a path leads into.
fn resolved(module: &str, path: &str, files: &BTreeMap<String, String>) -> Option<String> {
    let mut steps = path.split("::").peekable();
    let mut base: Vec<&str> = module.split("::").collect();
    match steps.next()? {
        "crate" => base.clear(),
        "super" => {
            base.pop();
        }
        _ => {}
    }
    while steps.next_if_eq(&"super").is_some() {
        base.pop();
    }
    base.extend(steps);
    (1..=base.len()).rev().find_map(|length| {
        let name = base[..length].join("::");
        files.contains_key(&name).then_some(name)
    })
}

fn names(code: &str, word: &str) -> bool {
    let mut places = code.match_indices(word);
    places.any(|(at, _)| !code[..at].ends_with(|before: char| is_word(before) || before == ':'))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The largest sets of files each of which leads to all others of its set.
fn circles(imports: &Imports) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|from| (from, reach(from, imports))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (from, there) in &reached {
        let circle: BTreeSet<String> = there
            .iter()
            .filter(|other| reached.get(**other).is_some_and(|back| back.contains(*from)))
            .map(|other| (**other).clone())
            .collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

fn reach<'i>(from: &'i String, imports: &'i Imports) -> BTreeSet<&'i String> {
    let mut seen = BTreeSet::new();
    let mut left = vec![from];
    while let Some(module) = left.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if seen.insert(next) {
                left.push(next);
            }
        }
    }
    seen
}
