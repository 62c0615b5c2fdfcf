//! Files of the data folder that belong together.

use platform::config::Settings;
use tables::Place;

/// What a folder cannot be without once anything was made of its log.
const OF_THE_LOG: [&str; 3] = ["log.db", "keys.db", "handles.key"];
/// What is made of a log, and with it.
const MADE_OF_IT: [&str; 3] = ["log.db", "read.db", "reactor.db"];

/// That no file is missing that was there when the others were written: opening the folder would make a new one.
///
/// # Errors
/// One sentence for the operator.
pub fn are_whole(settings: &Settings) -> Result<(), String> {
    let Place::Folder(dir) = settings.place() else {
        return Ok(());
    };
    let elsewhere = |name: &str| name == "log.db" && settings.event_log.is_some();
    let is_there = |name: &&str| std::fs::metadata(dir.join(name)).is_ok_and(|found| found.len() > 0);
    let Some(made) = MADE_OF_IT.into_iter().find(is_there) else {
        return Ok(());
    };
    let missing = |name: &&str| !elsewhere(name) && !dir.join(name).exists();
    match OF_THE_LOG.into_iter().find(missing) {
        None => Ok(()),
        Some(missing) => Err(format!(
            "`{missing}` is not in `{}`, where `{made}` lies that was made with it: take it from the backup; a new one would \
             not fit",
            dir.display()
        )),
    }
}
