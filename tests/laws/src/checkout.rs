//! The files of the checkout, as laws read them.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "rs")
}

pub(crate) fn is_web(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending == "ts" || ending == "tsx")
}

pub(crate) fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

pub(crate) fn sources() -> Vec<PathBuf> {
    files(&root(), &["rs", "ts", "tsx", "js", "mjs", "sql", "css"])
}

pub(crate) fn files(from: &Path, endings: &[&str]) -> Vec<PathBuf> {
    const SKIPPED: [&str; 5] = ["target", "node_modules", "dist", "dist-server", "out"];
    let mut found = Vec::new();
    let mut folders = vec![from.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name());
            if path.is_dir() {
                let hidden = name.to_string_lossy().starts_with('.');
                if !hidden && !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|ending| endings.iter().any(|known| ending == *known))
            {
                found.push(path);
            }
        }
    }
    found
}

pub(crate) fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap().to_owned()
}
