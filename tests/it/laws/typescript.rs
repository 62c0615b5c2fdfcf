//! The laws of the browser's code that neither its compiler nor its linter keeps.

use super::{is_web, none, read, root, shown, sources};

/// Folders whose files may export a default: the router and the frame load those lazily, by file.
const LAZY: [&str; 3] = ["Page", "Modal", "Overlay"];
/// Switches that are on for every file (STYLE, "TypeScript").
const STRICT: [&str; 7] = [
    "strict",
    "noUncheckedIndexedAccess",
    "exactOptionalPropertyTypes",
    "verbatimModuleSyntax",
    "noImplicitOverride",
    "noFallthroughCasesInSwitch",
    "erasableSyntaxOnly",
];

#[test]
fn the_compiler_is_strict() {
    let settings = read(&root().join("web/tsconfig.json"));
    let off = STRICT
        .iter()
        .filter(|name| !settings.contains(&format!("\"{name}\": true")));
    none(
        off.map(|name| (*name).to_owned()),
        "switch it on in web/tsconfig.json",
    );
}

#[test]
fn nothing_is_cast() {
    none(
        offences(&all(), casts),
        "let the compiler see the type: parse, narrow, or change the type",
    );
}

#[test]
fn only_lazily_loaded_files_have_a_default_export() {
    let broken = all().into_iter().filter(|(file, text)| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let lazy = LAZY.iter().any(|ending| stem.ends_with(ending)) || stem.ends_with(".config");
        defaults(text) && !lazy
    });
    none(broken.map(|(file, _)| shown(&file)), "export it by its name");
}

#[test]
fn no_file_only_passes_on_what_others_export() {
    let broken = all().into_iter().filter(|(_, text)| is_barrel(text));
    none(
        broken.map(|(file, _)| shown(&file)),
        "import from the file that has it",
    );
}

#[test]
fn machines_know_neither_react_nor_the_network() {
    let machines = all()
        .into_iter()
        .filter(|(file, _)| shown(file).ends_with("Machine.ts"));
    let machines: Vec<_> = machines.collect();
    assert!(!machines.is_empty(), "no machines found: has their name changed?");
    none(
        offences(&machines, worldly),
        "give the effect as a named actor from outside",
    );
}

#[test]
fn the_ground_imports_no_feature() {
    let ground = ["ui", "i18n", "contract", "styles", "testing"];
    let features = [
        "booking",
        "errors",
        "finance",
        "home",
        "lead",
        "login",
        "payment",
        "profile",
        "property",
        "search",
        "support",
        "workspace",
    ];
    let of_ground = all().into_iter().filter(|(file, _)| {
        let path = shown(file);
        ground
            .iter()
            .any(|folder| path.starts_with(&format!("web/src/{folder}/")))
    });
    let broken = of_ground.into_iter().flat_map(|(file, text)| {
        let lines = text
            .lines()
            .filter(|line| line.contains(" from \"../") && !line.contains("import type"));
        let names: Vec<String> = lines
            .filter(|line| {
                reaches(&shown(&file), line).is_some_and(|folder| features.contains(&folder.as_str()))
            })
            .map(|line| format!("{}: {}", shown(&file), line.trim()))
            .collect();
        names
    });
    none(
        broken,
        "what a feature and the ground share belongs into the ground",
    );
}

#[test]
fn the_browser_names_only_shapes_that_are_served() {
    let wire = read(&root().join("web/src/contract/wire.ts"));
    none(
        own_shapes(&wire).into_iter(),
        "make the server serve it, then `make contract`",
    );
}

#[test]
fn the_browser_asks_only_for_addresses_that_are_served() {
    let document = read(&root().join("web/src/contract/openapi.json"));
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let served: Vec<String> = document["paths"].as_object().unwrap().keys().cloned().collect();
    let broken = all()
        .into_iter()
        .filter(|(file, _)| !shown(file).contains(".test."))
        .flat_map(|(file, text)| {
            unserved(&text, &served)
                .into_iter()
                .map(move |address| format!("{}: {address}", shown(&file)))
        });
    none(broken, "the document knows no such address");
}

#[test]
fn the_typescript_laws_catch_bad_samples() {
    assert!(casts("const lead = answer as Lead;") && !casts("const all = [1] as const;"));
    assert!(!casts("import * as paths from \"../paths.ts\";") && !casts("// as long as it lasts"));
    let up = "import { pay } from \"../../payment/pay.ts\";";
    assert_eq!(
        reaches("web/src/ui/card/Card.tsx", up).as_deref(),
        Some("payment")
    );
    assert!(defaults("export default function draw() {}"));
    assert!(is_barrel(
        "export * from \"./lead.ts\";\nexport { pay } from \"./pay.ts\";\n"
    ));
    assert!(worldly("import { useState } from \"react\";") && worldly("  await fetch(path);"));
    assert_eq!(own_shapes("export interface Lead {\n").len(), 1);
    let served = ["/api/v0/leads/{id}".to_owned()];
    assert!(unserved("get(`/api/v0/leads/${id}`)", &served).is_empty());
    assert!(unserved("get(`/api/v0/leads/${id}${query}`)", &served).is_empty());
    assert_eq!(unserved("get(\"/api/v0/secrets\")", &served), ["/api/v0/secrets"]);
}

/// Every file of the browser's own source.
fn all() -> Vec<(std::path::PathBuf, String)> {
    let web = sources()
        .into_iter()
        .filter(|file| is_web(file) && file.starts_with(root().join("web/src")));
    web.map(|file| (file.clone(), read(&file))).collect()
}

fn offences(
    files: &[(std::path::PathBuf, String)],
    offends: impl Fn(&str) -> bool,
) -> std::vec::IntoIter<String> {
    let mut found = Vec::new();
    for (file, text) in files {
        for (number, line) in text.lines().enumerate().filter(|(_, line)| offends(line)) {
            found.push(format!("{}:{}: {}", shown(file), number + 1, line.trim()));
        }
    }
    found.into_iter()
}

/// `value as Type`, outside comments, texts and imports.
fn casts(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let trimmed = code.trim_start();
    let said = trimmed.starts_with("import")
        || trimmed.starts_with("export")
        || trimmed.starts_with('*')
        || trimmed.starts_with("/*");
    let Some((before, after)) = code.split_once(" as ") else {
        return false;
    };
    let in_text = before.matches(['"', '`']).count() % 2 == 1;
    let is_type =
        after.starts_with(|first: char| first.is_uppercase() || first == '{') || after.starts_with("unknown");
    !said && !in_text && is_type
}

/// The folder of `web/src` that an import of a file leads to.
fn reaches(file: &str, line: &str) -> Option<String> {
    let target = line.split(" from \"").nth(1)?;
    let up = target.matches("../").count();
    let inside = file.strip_prefix("web/src/")?;
    let folders: Vec<&str> = inside.split('/').collect();
    let kept = folders.len().checked_sub(1 + up)?;
    let rest = target.trim_start_matches("../");
    folders[..kept]
        .first()
        .map_or_else(|| rest.split('/').next(), |first| Some(*first))
        .map(str::to_owned)
}

fn defaults(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("export default"))
}

fn is_barrel(text: &str) -> bool {
    let mut code = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with("//"));
    let passes_on = |line: &str| line.starts_with("export ") && line.contains(" from \"");
    let any = text.lines().any(passes_on);
    any && code.all(passes_on)
}

fn worldly(line: &str) -> bool {
    line.contains("from \"react\"")
        || line.contains("fetch(")
        || line.contains("/api.ts\"") && !line.contains("import type") && !line.contains("ApiError")
}

/// Shapes that the file of names draws by itself; the envelope and lists are generic and written once.
fn own_shapes(wire: &str) -> Vec<String> {
    let own = wire.lines().filter(|line| {
        let shape = line.starts_with("export interface ")
            || (line.starts_with("export type ") && !line.contains("served."));
        shape && !line.contains(" Success<") && !line.contains(" List<")
    });
    own.map(str::to_owned).collect()
}

/// Addresses in back-ticks or quotes that are no route; what is filled in stands for any one part.
fn unserved(text: &str, served: &[String]) -> Vec<String> {
    let fits = |address: &str| {
        let words: Vec<&str> = address.trim_end_matches('/').split('/').collect();
        served.iter().any(|route| {
            let parts: Vec<&str> = route.split('/').collect();
            let same =
                |(part, word): (&&str, &&str)| part.starts_with('{') || word.starts_with('$') || part == word;
            parts.len() >= words.len() && parts.iter().zip(&words).all(same)
        })
    };
    let starts = text.split(['"', '`']).filter(|word| word.starts_with("/api/"));
    let addresses = starts.map(|word| word.split(['?', ' ']).next().unwrap_or_default());
    // A gap that does not fill a whole part is an ending put together elsewhere.
    let whole = addresses.map(|address| {
        let mut gaps = address.match_indices("${");
        let ending = gaps.find(|(at, _)| !address[..*at].ends_with('/'));
        ending.map_or(address, |(at, _)| &address[..at])
    });
    whole
        .filter(|address| !fits(address))
        .map(str::to_owned)
        .collect()
}
