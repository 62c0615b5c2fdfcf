//! Files that the browser reads and the domain computes.

use std::fs::File;
use std::io::{Write as _, read_to_string};
use std::path::Path;

/// Holds a file of `web/src/contract` to what is computed; `make contract` writes it (`LATCHKEY_WRITE_CONTRACT=1`).
pub(crate) fn assert_written(name: &str, computed: &impl serde::Serialize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../web/src/contract")
        .join(name);
    let computed = serde_json::to_string_pretty(computed).expect("it is JSON") + "\n";
    if std::env::var_os("LATCHKEY_WRITE_CONTRACT").is_some() {
        File::create(&path)
            .and_then(|mut file| file.write_all(computed.as_bytes()))
            .expect("the file can be written");
    }
    let written = File::open(&path).and_then(read_to_string).unwrap_or_default();
    assert_eq!(written, computed, "run `make contract` and commit {name}");
}
