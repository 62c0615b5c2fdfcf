//! The server's binary under test.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names the binary; without it, it lies in the target folder of the checkout.
const NAMED: &str = "LATCHKEY_BINARY";
const TARGET: &str = "CARGO_TARGET_DIR";
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The binary of [`NAMED`], or the one that was built with the profile of this test.
///
/// # Panics
/// When there is none.
pub(crate) fn binary() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let test = std::env::current_exe().unwrap_or_else(|error| panic!("where am I? {error}"));
    let binary = chosen(set(NAMED), set(TARGET), &test);
    assert!(
        binary.exists(),
        "{} is missing: `make story NAME` builds it and runs a story, `{NAMED}` names another",
        binary.display()
    );
    binary
}

/// The binary, and how long before now it was built: for the output of a story that failed.
pub(crate) fn told() -> String {
    let binary = binary();
    let built = binary.metadata().and_then(|found| found.modified());
    let age = built
        .ok()
        .and_then(|built| SystemTime::now().duration_since(built).ok());
    let age = age.map_or_else(String::new, |age| format!(", built {} s ago", age.as_secs()));
    format!("the binary of this story: {}{age}", binary.display())
}

/// Tests may be built in a folder apart (`build.build-dir`): of their own place only the profile's name counts.
fn chosen(named: Option<OsString>, target: Option<OsString>, test: &Path) -> PathBuf {
    let checkout = Path::new(CHECKOUT);
    if let Some(named) = named {
        return checkout.join(named);
    }
    let profile = test
        .ancestors()
        .nth(2)
        .and_then(Path::file_name)
        .unwrap_or_else(|| panic!("{} is in no folder of a profile", test.display()));
    let target = target.unwrap_or_else(|| "target".into());
    checkout.join(target).join(profile).join("latchkey")
}

#[cfg(test)]
mod tests {
    use super::{CHECKOUT, chosen};
    use std::path::Path;

    #[test]
    fn a_binary_lies_in_the_target_folder_under_the_tests_profile() {
        let test = Path::new("/build/apart/release/deps/it-0123");
        let checkout = Path::new(CHECKOUT);
        assert_eq!(chosen(None, None, test), checkout.join("target/release/latchkey"));
        let target = Some("/elsewhere".into());
        assert_eq!(
            chosen(None, target.clone(), test),
            Path::new("/elsewhere/release/latchkey")
        );
        let named = Some("/bin/latchkey".into());
        assert_eq!(chosen(named, target, test), Path::new("/bin/latchkey"));
    }
}
