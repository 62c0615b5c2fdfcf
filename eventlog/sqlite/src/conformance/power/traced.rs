//! What `strace -f -y -xx` took down of a process: writes, syncs and answers, in the order in which they began.

use std::collections::HashMap;
use std::path::Path;

/// One thing the process did to its files, or said.
pub(super) enum Act {
    Write {
        file: String,
        offset: usize,
        bytes: Vec<u8>,
    },
    /// The file was made that long.
    Cut {
        file: String,
        length: usize,
    },
    Sync {
        file: String,
    },
    /// The file is gone. Only what a new log began with goes this way, before anybody was answered.
    Gone {
        file: String,
    },
    /// Somebody was told that everything up to this position is done.
    Answer(u64),
}

impl Act {
    fn file(&self) -> Option<&str> {
        match self {
            Self::Write { file, .. } | Self::Cut { file, .. } | Self::Sync { file } => Some(file),
            Self::Gone { .. } | Self::Answer(_) => None,
        }
    }
}

pub(super) struct Trace {
    /// The secret of look-ups, whose name is durable before the log knows of it.
    pub(super) secret: Vec<u8>,
    pub(super) acts: Vec<Act>,
    /// For each act the first moment at which it is certain to be on the disk; never, if that does not come.
    pub(super) synced: Vec<usize>,
}

/// An act, and the acts that had begun when it ended.
struct Taken {
    act: Act,
    ended: usize,
}

impl Trace {
    pub(super) fn read(output: &Path, folder: &Path) -> Self {
        let text = std::fs::read_to_string(output).expect("a trace");
        let mut taken: Vec<Taken> = Vec::new();
        let mut under_way: HashMap<&str, usize> = HashMap::new();
        for line in text.lines() {
            let (process, call) = line.split_once(' ').expect("a process and a call");
            let call = call.trim_start();
            if call.starts_with("<...") {
                if let Some(number) = under_way.remove(process) {
                    taken[number].ended = taken.len();
                }
                continue;
            }
            let Some(act) = act(call, folder) else { continue };
            let number = taken.len();
            taken.push(Taken {
                act,
                ended: number + 1,
            });
            if call.ends_with("<unfinished ...>") {
                taken[number].ended = usize::MAX;
                under_way.insert(process, number);
            }
        }
        let synced = (0..taken.len())
            .map(|number| certain_from(&taken, number))
            .collect();
        Self {
            secret: std::fs::read(folder.join("handles.key")).expect("a secret of look-ups"),
            acts: taken.into_iter().map(|it| it.act).collect(),
            synced,
        }
    }
}

/// When a sync of its file has ended that began after the act itself had.
fn certain_from(taken: &[Taken], number: usize) -> usize {
    let Taken { act, ended } = &taken[number];
    if matches!(act, Act::Sync { .. } | Act::Gone { .. } | Act::Answer(_)) || *ended > taken.len() {
        return usize::MAX;
    }
    let syncs = taken.iter().enumerate().skip(*ended);
    let syncs =
        syncs.filter(|(_, later)| matches!(later.act, Act::Sync { .. }) && later.act.file() == act.file());
    syncs.map(|(_, sync)| sync.ended).min().unwrap_or(usize::MAX)
}

/// `pwrite64(7</folder/log.db-wal>, "\x37…", 24, 0) = 24`, and the like; anything about other files is none.
fn act(call: &str, folder: &Path) -> Option<Act> {
    let (name, arguments) = call.split_once('(')?;
    if name == "write" {
        let bytes = quoted(arguments)?;
        let said = String::from_utf8(bytes).ok()?;
        let position = said.strip_prefix("answered ")?.strip_suffix(".\n")?;
        return Some(Act::Answer(position.parse().ok()?));
    }
    let path = if name == "unlink" {
        String::from_utf8(quoted(arguments)?).ok()?
    } else {
        unescaped(arguments.split_once('<')?.1.split_once('>')?.0)
    };
    let file = Path::new(&path).strip_prefix(folder).ok()?.to_str()?.to_owned();
    // A folder is no file, and the shared index is made anew from the write-ahead file.
    if file.is_empty() || file.ends_with("-shm") {
        return None;
    }
    let numbers = || {
        let end = arguments.rsplit_once('"').map_or(arguments, |(_, end)| end);
        let end = end.split([')', '<']).next().unwrap_or(end);
        end.split(", ")
            .filter_map(|it| it.trim().parse::<usize>().ok())
            .collect::<Vec<_>>()
    };
    match name {
        "pwrite64" => Some(Act::Write {
            file,
            bytes: quoted(arguments)?,
            offset: *numbers().last()?,
        }),
        "ftruncate" => {
            let length = arguments.split_once(">, ")?.1;
            let length = length.split([')', ' ']).next()?;
            Some(Act::Cut {
                file,
                length: length.parse().ok()?,
            })
        }
        "unlink" if call.ends_with("= 0") => Some(Act::Gone { file }),
        "fsync" | "fdatasync" => Some(Act::Sync { file }),
        _ => None,
    }
}

/// The bytes between the quotation marks, all written as `\x…`.
fn quoted(arguments: &str) -> Option<Vec<u8>> {
    let text = arguments.split_once('"')?.1.split_once('"')?.0;
    text.split("\\x")
        .skip(1)
        .map(|digits| u8::from_str_radix(digits, 16).ok())
        .collect()
}

/// A path, which `-xx` writes in the same way.
fn unescaped(path: &str) -> String {
    if !path.starts_with("\\x") {
        return path.to_owned();
    }
    let digits = path.split("\\x").skip(1);
    let bytes = digits
        .filter_map(|digits| u8::from_str_radix(digits, 16).ok())
        .collect();
    String::from_utf8(bytes).unwrap_or_default()
}
