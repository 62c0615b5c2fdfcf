//! Names the state of the rules, so that a state folded by other rules is never taken for one of ours.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[expect(
    clippy::disallowed_methods,
    reason = "the rules read no files; what builds them reads their own"
)]
fn main() -> io::Result<()> {
    let source = Path::new(&env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("src");
    println!("cargo::rerun-if-changed=src");
    let mut files = BTreeSet::new();
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
