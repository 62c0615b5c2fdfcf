//! The demo catalogue, made once: every server that starts with it works on a copy.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::said::Said;
use crate::{DATABASE, cluster, command, once, spawn};

/// The data folder of a server that made the catalogue and was stopped; the gate makes one for all its processes.
const GIVEN: &str = "LATCHKEY_TEST_CATALOGUE";

/// Fills a data folder.
pub(crate) fn in_files(folder: &Path) {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let made = MADE.get_or_init(
        || match std::env::var_os(GIVEN).filter(|given| !given.is_empty()) {
            Some(given) => checked(given),
            None => made(&[]),
        },
    );
    once::copy(made, folder);
}

/// Fills the data folder of a server on PostgreSQL, and gives the address of its database.
pub(crate) fn in_postgres(folder: &Path) -> String {
    static MADE: OnceLock<(PathBuf, String)> = OnceLock::new();
    let (made, template) = MADE.get_or_init(|| {
        let template = cluster().new_database();
        (made(&[(DATABASE, &cluster().url(&template))]), template)
    });
    once::copy(made, folder);
    cluster().copy_of(template)
}

fn checked(given: OsString) -> PathBuf {
    let given = PathBuf::from(given);
    assert!(
        given.join("log.db").is_file(),
        "{GIVEN} names {}, where no log lies",
        given.display()
    );
    given
}

/// The folder of a server's first start. It greets once its read models and its index hold the whole catalogue.
fn made(settings: &[(&str, &str)]) -> PathBuf {
    let folder = once::folder();
    let settings: Vec<_> = settings
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let said = Said::begin();
    let (mut child, _url) = spawn(&folder, &settings, &said);
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    assert!(asked.is_ok_and(|status| status.success()), "`kill` did not run");
    let ended = child.wait();
    assert!(
        ended.is_ok_and(|status| status.success()),
        "the server did not stop in order"
    );
    // The last one to close the log moves what was written ahead of it into the file.
    let verified = command(&folder, &settings)
        .args(["verify", "--days", "0"])
        .stdout(Stdio::null())
        .status();
    assert!(
        verified.is_ok_and(|status| status.success()),
        "its log is not intact"
    );
    folder
}
