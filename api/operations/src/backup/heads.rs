//! Signed heads of a restored folder: where they are taken from, and where the setting `heads_dir` wants them.

use std::path::Path;

use eventlog::{HeadFolder, Position};
use health::notary::{self, HEADS};
use platform::config::Settings;

/// Takes the signed heads from where `--heads` says.
pub(super) fn take_heads(heads: Option<&Path>, dir: &Path) -> Result<(), String> {
    let Some(heads) = heads else { return Ok(()) };
    if notary::has_no_heads(heads) {
        return Err(format!(
            "`{}` holds no signed heads: name a copy of the folder of signed heads (`--heads`)",
            heads.display()
        ));
    }
    notary::copy_heads(heads, &dir.join(HEADS))
        .map_err(|error| format!("the signed heads `{}` cannot be taken: {error}", heads.display()))
}

/// Leaves out the heads of events that the log does not have.
pub(super) fn cut_heads(outside: &HeadFolder, wanted: Position) -> Result<(), String> {
    outside
        .cut(wanted)
        .map_err(|error| format!("the signed heads cannot be cut back: {error}"))
}

/// Puts the signed heads of the restored folder where the setting `heads_dir` says, as long as nothing is there; says where they are.
pub(super) fn place_heads(settings: &Settings) -> Option<String> {
    let there = settings.heads_dir.as_deref()?;
    let own = settings.data_dir.join(HEADS);
    let (there_said, own_said) = (there.display(), own.display());
    if !notary::has_no_heads(there) {
        return Some(format!(
            "the setting `heads_dir` names `{there_said}`, which holds heads already and stays as it is; those of the backup are in \
             `{own_said}`: where the others reach farther than this log, copy them into a new folder and name that one"
        ));
    }
    Some(match notary::copy_heads(&own, there) {
        Ok(()) => format!("the signed heads are in `{there_said}` (the setting `heads_dir`) too"),
        Err(error) => format!(
            "warning: the signed heads could not be put into `{there_said}` (the setting `heads_dir`): {error}; copy them there \
             from `{own_said}` before the server starts"
        ),
    })
}
