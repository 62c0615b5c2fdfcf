//! A disk of a test's own, so small that it can be filled.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A file system in memory, mounted in a temporary folder, gone with the test.
pub struct SmallDisk {
    folder: TempDir,
    as_root: &'static [&'static str],
}

impl SmallDisk {
    /// Mounts one of so many mebibytes.
    ///
    /// # Panics
    /// Where nobody may mount: a test that needs a full disk does not pass without one.
    pub fn mount(mebibytes: u32) -> Self {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let options = format!("size={mebibytes}m,mode=777");
        for as_root in [&[][..], &["sudo", "-n"][..]] {
            let mounted = command(as_root, "mount")
                .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
                .arg(folder.path())
                .output();
            if mounted.is_ok_and(|output| output.status.success()) {
                println!("the disk: tmpfs of {mebibytes} MiB");
                return Self { folder, as_root };
            }
        }
        panic!(
            "a file system in memory cannot be mounted here: run this test as root, or let `sudo -n mount` work"
        );
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Takes all the room there is, and what becomes free while it does; the file to delete for room.
    ///
    /// # Panics
    /// When anything but a full disk stops it.
    pub fn fill(&self) -> PathBuf {
        let path = self.path().join("filler");
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for size in [65_536, 4_096] {
            let bytes = vec![0_u8; size];
            let error = loop {
                if let Err(error) = file.write_all(&bytes) {
                    break error;
                }
            };
            assert_eq!(error.kind(), std::io::ErrorKind::StorageFull, "{error}");
        }
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, should something still look into it.
        let _gone = command(self.as_root, "umount")
            .arg("-l")
            .arg(self.path())
            .status();
    }
}

fn command(as_root: &[&str], program: &str) -> Command {
    let mut words = as_root.iter().chain([&program]);
    let mut command = Command::new(words.next().unwrap_or(&program));
    command.args(words);
    command
}
