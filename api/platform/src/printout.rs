//! What a command of the command line prints, for people and for programs that read on.

use std::fmt::Display;
use std::io::{self, Write as _};

/// Prints a line. Whoever has read enough, such as `| head`, ends nothing that is under way.
///
/// # Errors
/// One sentence for the operator, when nothing can be printed there: a full disk.
pub fn line(text: impl Display) -> Result<(), String> {
    whole(writeln!(io::stdout(), "{text}"))
}

/// What became of printing, for those who print much at once.
///
/// # Errors
/// As [`line()`].
pub fn whole(printed: io::Result<()>) -> Result<(), String> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed.map_err(|error| format!("what was found cannot be printed: {error}")),
    }
}
