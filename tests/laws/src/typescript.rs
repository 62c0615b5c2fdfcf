//! The laws of the browser's code that neither its compiler nor its linter keeps.

use crate::checkout::{is_web, read, root, shown, sources};
use crate::findings::{assert_exempted, assert_none, each, once};

/// Folders whose files may export a default: the router and the frame load those lazily, by file.
const LAZY: [&str; 3] = ["Page", "Modal", "Overlay"];
/// The two applications of the browser, over what lies beside them.
const APPLICATIONS: [&str; 2] = ["shop", "workspace"];
/// Folders that every feature of an application may import from.
const APPLICATION_GROUND: [&str; 3] = ["ui", "styles", "shell"];
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
    assert_none(
        off.map(|name| (*name).to_owned()),
        "switch it on in web/tsconfig.json",
    );
}

#[test]
fn nothing_is_cast() {
    assert_none(
        offences(&all(), casts),
        "let the compiler see the type: parse, narrow, or change the type",
    );
}

#[test]
fn only_lazily_loaded_files_have_a_default_export() {
    let found = all()
        .into_iter()
        .filter(|(_, text)| defaults(text))
        .map(|(file, _)| {
            let stem = file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let lazy = LAZY.iter().find(|ending| stem.ends_with(**ending));
            (lazy.map_or(stem, |ending| (*ending).to_owned()), shown(&file))
        });
    assert_exempted(&once(found), &each(LAZY), "export it by its name");
}

#[test]
fn no_file_only_passes_on_what_others_export() {
    let broken = all().into_iter().filter(|(_, text)| is_barrel(text));
    assert_none(
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
    assert_none(
        offences(&machines, worldly),
        "give the effect as a named actor from outside",
    );
}

#[test]
fn the_shop_and_the_workspace_do_not_import_each_other() {
    let broken = imports().into_iter().filter(|import| {
        let (from, to) = (Place::of(&import.from), Place::of(&import.to));
        to.application.is_some() && from.application != to.application
    });
    assert_none(
        broken.map(|import| import.to_string()),
        "what both need belongs beside them, in web/src/ui or another shared folder",
    );
}

#[test]
fn features_of_the_browser_do_not_import_each_other() {
    let found = imports().into_iter().filter_map(|import| {
        let (from, to) = (Place::of(&import.from), Place::of(&import.to));
        let crosses = !import.is_type
            && !import.is_lazy
            && from.application == to.application
            && !may_import(&import.from, &from, &to);
        let feature = to.feature.filter(|_| crosses)?;
        Some((feature, import.to_string()))
    });
    assert_exempted(
        &once(found),
        &each(APPLICATION_GROUND),
        "features meet in the URL, in ui/ or in a lazily loaded route",
    );
}

#[test]
fn the_browser_names_only_shapes_that_are_served() {
    let wire = read(&root().join("web/src/contract/wire.ts"));
    assert_none(
        own_shapes(&wire).into_iter(),
        "make the server serve it, then `make contract`",
    );
}

#[test]
fn the_browser_asks_only_for_addresses_that_are_served() {
    let document = read(&root().join("web/src/contract/openapi.json"));
    let served = addresses(&document);
    assert!(served.len() > 100, "{} addresses were found", served.len());
    let broken = all()
        .into_iter()
        .filter(|(file, _)| !shown(file).contains(".test."))
        .flat_map(|(file, text)| {
            unserved(&text, &served)
                .into_iter()
                .map(move |address| format!("{}: {address}", shown(&file)))
        });
    assert_none(broken, "the document knows no such address");
}

#[test]
fn the_typescript_laws_catch_bad_samples() {
    assert!(casts("const lead = answer as Lead;") && !casts("const all = [1] as const;"));
    assert!(!casts("import * as paths from \"../paths.ts\";") && !casts("// as long as it lasts"));
    let up = "import { pay } from \"../../payment/pay.ts\";";
    assert_eq!(
        imported("web/src/shop/ui/card/Card.tsx", up)[0].to,
        "web/src/shop/payment/pay.ts"
    );
    let lazy = imported(
        "web/src/shop/App.tsx",
        "  load(() => import(\"../workspace/WorkspacePage.tsx\"));",
    );
    assert!(lazy[0].is_lazy && Place::of(&lazy[0].to).application.as_deref() == Some("workspace"));
    let (lead, payment) = (
        Place::of("web/src/shop/lead/a.ts"),
        Place::of("web/src/shop/payment/b.ts"),
    );
    assert!(!may_import("web/src/shop/lead/a.ts", &lead, &payment));
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

/// One file of the browser's source naming another.
struct Import {
    from: String,
    to: String,
    /// Only a type is taken, which leaves nothing in the bundle.
    is_type: bool,
    /// Loaded when it is needed.
    is_lazy: bool,
}

impl std::fmt::Display for Import {
    fn fmt(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(text, "{} → {}", self.from, self.to)
    }
}

/// Where a file stands: in the shop, in the workspace, or in what both share; and there in which folder.
struct Place {
    application: Option<String>,
    /// `None` at the root of an application, and for what is shared.
    feature: Option<String>,
}

impl Place {
    fn of(file: &str) -> Self {
        let inside = file.strip_prefix("web/src/").unwrap_or(file);
        let folders: Vec<&str> = inside.split('/').collect();
        let application = APPLICATIONS.contains(&folders[0]).then(|| folders[0].to_owned());
        let feature = (application.is_some() && folders.len() > 2).then(|| folders[1].to_owned());
        Self { application, feature }
    }
}

/// A feature takes from itself and from the root of its application; the root of the shop, the list of pages and
/// the router of the workspace put features together.
fn may_import(file: &str, from: &Place, to: &Place) -> bool {
    let Some(feature) = &to.feature else { return true };
    let routes = from.feature.is_none()
        && (from.application.as_deref() == Some("shop")
            || ["/pages.ts", "/router.tsx"]
                .iter()
                .any(|name| file.ends_with(name)));
    routes || from.feature.as_ref() == Some(feature)
}

/// What the files of the browser's source import of each other.
fn imports() -> Vec<Import> {
    let found = all()
        .into_iter()
        .flat_map(|(file, text)| imported(&shown(&file), &text));
    let found: Vec<_> = found.collect();
    assert!(found.len() > 500, "imports are no longer recognised");
    found
}

fn imported(file: &str, text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    // An import over several lines names its file in the last of them.
    let mut is_type = false;
    for line in text.lines() {
        if line.starts_with("import ") {
            is_type = line.starts_with("import type");
        }
        for (mark, is_lazy) in [(" from \"", false), ("import(\"", true), ("import \"", false)] {
            let Some((_, rest)) = line.split_once(mark) else {
                continue;
            };
            let target = rest.split(['"', '?']).next().unwrap_or_default();
            if target.starts_with('.') {
                found.push(Import {
                    from: file.to_owned(),
                    to: resolved(file, target),
                    is_type,
                    is_lazy,
                });
            }
        }
    }
    found
}

/// The path of `target` as seen from the folder of `file`.
fn resolved(file: &str, target: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
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

/// The keys of `paths` in the document, which is written with one key a line.
fn addresses(document: &str) -> Vec<String> {
    let paths = document.split("\n  \"paths\": {\n").nth(1).unwrap_or_default();
    let keys = paths.lines().filter_map(|line| line.strip_prefix("    \"/"));
    keys.filter_map(|rest| rest.split('"').next())
        .map(|rest| format!("/{rest}"))
        .collect()
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
