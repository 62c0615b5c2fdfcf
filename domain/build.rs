//! Names the state of the rules, so that a state folded by other rules is never taken for one of ours, and writes the languages of
//! `i18n/languages.json` as an enum.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[expect(
    clippy::disallowed_methods,
    reason = "the rules read no files; what builds them reads their own"
)]
fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let source = here.join("src");
    let table = here.join("../i18n/languages.json");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=../i18n/languages.json");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(
        out.join("languages.rs"),
        write_languages(&fs::read_to_string(&table)?),
    )?;
    // A state that was folded with other languages may have taken one for the fallback.
    let mut files = BTreeSet::from([table]);
    gather(&source, &mut files)?;
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.strip_prefix(&source).ok().hash(&mut hasher);
        fs::read(&file)?.hash(&mut hasher);
    }
    println!("cargo::rustc-env=LATCHKEY_RULES={:016x}", hasher.finish());
    Ok(())
}

fn gather(folder: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}

/// A line of the table.
struct Line {
    tag: String,
    script: String,
    is_complete: bool,
}

/// The table as an enum: one language a line, as a test of `domain/src/language.rs` holds it to. Nothing but this names a language.
fn write_languages(table: &str) -> String {
    let fallback = table.lines().find_map(|line| read_text(line, "fallback"));
    let lines: Vec<Line> = table.lines().filter_map(read_line).collect();
    let name = |line: &Line| format!("Self::{}", name_variant(&line.tag));
    let list = |names: &[String]| format!("[Self; {}] = [{}]", names.len(), names.join(", "));
    let all: Vec<String> = lines.iter().map(name).collect();
    let served = lines.iter().filter(|line| line.is_complete);
    let served: Vec<String> = served.map(name).collect();
    let variants: Vec<String> = lines
        .iter()
        .map(|line| {
            let is_fallback = fallback.as_ref() == Some(&line.tag);
            let mark = if is_fallback { "#[default] " } else { "" };
            format!("    /// `{}`\n    {mark}{},\n", line.tag, name_variant(&line.tag))
        })
        .collect();
    let rows: Vec<String> = lines
        .iter()
        .map(|line| {
            format!(
                "        Row {{ code: {:?}, script: {:?} }},\n",
                line.tag, line.script
            )
        })
        .collect();
    format!(
        "/// A language of `i18n/languages.json`.\n\
         #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]\n\
         pub enum Language {{\n{variants}}}\n\n\
         impl Language {{\n\
         \x20   /// All that have some texts, in the order of the table.\n\
         \x20   pub const ALL: {all};\n\n\
         \x20   /// Those whose texts are complete: pages are written in them.\n\
         \x20   pub const SERVED: {served};\n\n\
         \x20   const ROWS: [Row; {count}] = [\n{rows}    ];\n\
         }}\n",
        variants = variants.concat(),
        all = list(&all),
        served = list(&served),
        count = lines.len(),
        rows = rows.concat(),
    )
}

fn read_line(line: &str) -> Option<Line> {
    let (tag, _) = line.trim().strip_prefix('"')?.split_once('"')?;
    Some(Line {
        tag: tag.to_owned(),
        script: read_text(line, "script")?,
        is_complete: line.contains("\"complete\": true"),
    })
}

/// The text of a key on a line.
fn read_text(line: &str, key: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!("\"{key}\": \""))?;
    Some(rest.split_once('"')?.0.to_owned())
}

/// `zh-Hant` as `ZhHant`.
fn name_variant(tag: &str) -> String {
    let part = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
    tag.split('-').map(part).collect()
}
