//! Carries the texts that the server says: of each folder of `i18n/` its forms and those of the areas below that it has.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Areas of texts that the server says itself; all others are the browser's.
const AREAS: [&str; 20] = [
    "desk",
    "document_link",
    "export",
    "finance_detail",
    "inventory",
    "lead_words",
    "legal",
    "mail",
    "missing_answers",
    "payment_decline",
    "receipt",
    "refusal",
    "sandbox",
    "search_head",
    "story",
    "template",
    "timeline",
    "unsubscribe",
    "validation",
    "verify",
];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let i18n = here.join("../../i18n");
    // A new language is a line there. The compiler itself follows the files that it took in.
    println!("cargo::rerun-if-changed=../../i18n/languages.json");
    println!("cargo::rerun-if-changed=build.rs");
    let mut tags = Vec::new();
    for entry in fs::read_dir(&i18n)? {
        let folder = entry?;
        if folder.path().join("forms.json").exists() {
            tags.push(folder.file_name().to_string_lossy().into_owned());
        }
    }
    tags.sort();
    let folders: String = tags.iter().map(|tag| write_folder(&i18n, tag)).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(
        out.join("carried.rs"),
        format!("pub(crate) static CARRIED: &[Carried] = &[\n{folders}];\n"),
    )
}

/// One folder, as an entry of the table.
fn write_folder(i18n: &Path, tag: &str) -> String {
    let take = |name: &str| {
        format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../i18n/{tag}/{name}.json\"))")
    };
    let areas = AREAS.iter().filter(|area| {
        let file = i18n.join(tag).join(format!("{area}.json"));
        file.exists()
    });
    let texts: Vec<String> = areas
        .map(|area| format!("            ({area:?}, {}),\n", take(area)))
        .collect();
    format!(
        "    Carried {{\n        tag: {tag:?},\n        forms: {},\n        texts: &[\n{}        ],\n    }},\n",
        take("forms"),
        texts.concat()
    )
}
