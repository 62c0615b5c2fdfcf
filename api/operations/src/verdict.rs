//! The verdict on a log whose hashes were recomputed. `verify`, `doctor`, `backup` and `restore` judge by the same: no break that an
//! operator has not accepted, a readable folder of signed heads, and in it a key that has signed.

use std::path::Path;

use eventlog::Position;
use health::integrity::{Break, Survey};

/// Why a log does not count as verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// An event was changed, and no operator has accepted it.
    Broken(Break),
    /// The hashes fit, and these files of the folder of signed heads are no heads.
    NoHeads(Vec<String>),
    /// The hashes fit, and so many heads were signed, none of them by a key of the folder.
    Disowned(usize),
}

impl Fault {
    /// Whether the hashes fit and only the signatures are missing.
    pub const fn is_of_signatures(&self) -> bool {
        !matches!(self, Self::Broken(_))
    }

    /// A sentence for the operator: of `which` log, and what to do about missing signatures.
    pub fn describe(&self, which: &str, through: Position, what_to_do: &str) -> String {
        match self {
            Self::Broken(Break {
                position, problem, ..
            }) => format!("the {which} is broken at event {position}: {problem}"),
            Self::NoHeads(files) => format!(
                "the hashes fit through event {through}, but in the folder of signed heads there is what is no head: {}; {what_to_do}",
                files.join("; ")
            ),
            Self::Disowned(heads) => format!(
                "the hashes fit through event {through}, but {heads} heads were signed in this log and none of their keys is in the \
                 folder of signed heads (the setting `heads_dir`): {what_to_do}"
            ),
        }
    }
}

/// Judges a log; breaks that the record in `dir` accepts are let through and given back.
pub fn judge(survey: &Survey, dir: &Path) -> (Vec<Break>, Option<Fault>) {
    let (accepted, broken) = survey.split_accepted(dir);
    let audit = &survey.audit;
    let fault = match broken.into_iter().next() {
        Some(first) => Some(Fault::Broken(first)),
        None if !audit.unreadable.is_empty() => Some(Fault::NoHeads(audit.unreadable.clone())),
        None if audit.is_disowned() => Some(Fault::Disowned(audit.unknown_keys)),
        None => None,
    };
    (accepted, fault)
}
