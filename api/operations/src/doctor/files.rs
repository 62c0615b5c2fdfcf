//! What the doctor says of the files beside the log that keep the server from starting, or from its work.

use std::path::Path;

use platform::config::Settings;
use tables::{Place, damage};

use super::finding::Finding;
use crate::verify::damage_beside;

const WHAT: &str = "files";

/// What is damaged though nothing else that was looked at is.
pub(super) async fn of_other_files(settings: &Settings) -> Vec<Finding> {
    let place = &settings.place();
    let Place::Folder(folder) = place else {
        return Vec::new();
    };
    let damaged = damage_beside(settings).await.into_iter();
    let mut findings: Vec<Finding> = damaged.map(|said| Finding::wrong(WHAT, said)).collect();
    for (name, what_to_do) in [
        ("limits", "stop the server and delete it"),
        ("views", "stop the server and delete it"),
        ("sandbox", "stop the server and take it from the backup"),
        ("stripe", "stop the server and delete it"),
    ] {
        if folder.join(format!("{name}.db")).is_file()
            && let Some(damage) = damage(place, name).await
        {
            let said = format!("`{name}.db` cannot be opened: {damage}; {what_to_do}");
            findings.push(Finding::wrong(WHAT, said));
        }
    }
    findings
}

/// Uploads go into a folder, whose place something else may have taken.
pub(super) fn of_documents(data_dir: &Path) -> Option<Finding> {
    let documents = data_dir.join("documents");
    (documents.exists() && !documents.is_dir()).then(|| {
        let said = format!(
            "`{}` is a file where the folder of uploads should be, and no document can be sent or shown: move it away, and take \
             the folder from the backup",
            documents.display()
        );
        Finding::wrong(WHAT, said)
    })
}
