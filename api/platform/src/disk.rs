//! How much room is left where the data lies.

use std::path::Path;

/// Below this nothing can be relied upon to be written: a page here, a shared index there may still find its place (R4).
const ROOM: u64 = 1024 * 1024;

/// Bytes that may still be written into the file system of a folder.
///
/// # Errors
/// When it does not tell.
pub fn free_bytes(folder: &Path) -> std::io::Result<u64> {
    let volume = rustix::fs::statvfs(folder)?;
    Ok(volume.f_bavail.saturating_mul(volume.f_frsize))
}

/// Whether writes are to be expected to fail for want of room. A file system that does not tell is taken for one that has.
pub fn is_full(folder: &Path) -> bool {
    free_bytes(folder).is_ok_and(|free| free < ROOM)
}

/// Makes a folder that only its owner reads, from its first moment on.
///
/// # Errors
/// As [`std::fs::create_dir`].
pub fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut making = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(folder)
}
