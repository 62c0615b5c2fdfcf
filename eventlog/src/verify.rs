//! Recomputes the chain and names the first event that is not what it was.

use std::fmt;

use crate::chain;
use crate::error::LogError;
use crate::event::{Hash, RecordedEvent};
use crate::planted::Fault;
use crate::stream::Position;

/// A place up to which the log is known to be intact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// The last event verified.
    pub position: Position,
    /// The chain's value there.
    pub chain: Hash,
}

impl Anchor {
    /// Before the first event.
    pub const GENESIS: Self = Self {
        position: 0,
        chain: chain::GENESIS,
    };
}

/// What verifying came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every hash is right; pass the anchor to the next verification to look at what came since only.
    Intact(Anchor),
    /// History was changed.
    Broken {
        /// The first event that is not what it was.
        position: Position,
        /// What differs there.
        problem: Problem,
    },
}

/// What differs at a broken event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// There is no event at this position, though later ones exist or the head says so.
    Missing,
    /// The row cannot be read as an event.
    Unreadable(String),
    /// The payload is not the one that was hashed.
    Payload,
    /// The sealed part is not the one that was hashed.
    Sealed,
    /// Another column is not what was hashed.
    Columns,
    /// The event is whole but does not follow from the one before it.
    Chain,
    /// The log's head says another end than the events.
    Head,
    /// There is an event beyond the end that the head says.
    Surplus,
    /// The log ends here, though it reached farther when its head was signed.
    Cut {
        /// The last event then.
        signed: Position,
    },
    /// Somewhere from here through the named event, another history than the one that was signed has taken its place.
    Rewritten {
        /// Whose chain differs.
        through: Position,
    },
    /// The root of the segment that begins here is not that of its events, is missing, or is beyond the log's end.
    Segment,
    /// The head signed at this event is missing, is not one, was not signed by any known key, or says what is not so.
    SignedHead(&'static str),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("the event is missing"),
            Self::Unreadable(reason) => write!(f, "the row cannot be read: {reason}"),
            Self::Payload => f.write_str("the payload differs from its digest"),
            Self::Sealed => f.write_str("the sealed data differs from its digest"),
            Self::Columns => f.write_str("the columns differ from the leaf"),
            Self::Chain => f.write_str("the event does not follow from the one before it"),
            Self::Head => f.write_str("the head names another end"),
            Self::Surplus => f.write_str("the event is after the end that the head names"),
            Self::Cut { signed } => write!(
                f,
                "the log was cut off here: it was signed through event {signed}"
            ),
            Self::Rewritten { through } => write!(
                f,
                "the history from here through event {through} is not the one that was signed there"
            ),
            Self::Segment => {
                f.write_str("the root of the segment that begins here is not that of its events")
            }
            Self::SignedHead(problem) => write!(f, "the head that was signed here {problem}"),
        }
    }
}

/// Checks events one after the other.
pub struct Check {
    /// Where all is well up to.
    pub reached: Anchor,
}

impl Check {
    /// Begins after an anchor.
    pub fn from(anchor: Anchor) -> Self {
        Self { reached: anchor }
    }

    /// Checks the row stored at `position`, which must be the next one.
    ///
    /// # Errors
    /// The verdict that it is not what it was.
    pub fn next(&mut self, position: Position, row: Result<RecordedEvent, LogError>) -> Result<(), Verdict> {
        let wanted = self.reached.position + 1;
        let broken = |problem| Verdict::Broken {
            position: wanted,
            problem,
        };
        if position != wanted {
            return Err(broken(Problem::Missing));
        }
        let event = row.map_err(|error| broken(Problem::Unreadable(error.to_string())))?;
        if chain::digest(&event.payload) != event.payload_digest && !Fault::PayloadsBelieved.is_planted() {
            return Err(broken(Problem::Payload));
        }
        if event.sealed.as_deref().map(chain::digest) != event.sealed_digest {
            return Err(broken(Problem::Sealed));
        }
        if chain::leaf(&event) != event.leaf {
            return Err(broken(Problem::Columns));
        }
        let chain = chain::link(&self.reached.chain, &event.leaf);
        if chain != event.chain {
            return Err(broken(Problem::Chain));
        }
        self.reached = Anchor { position, chain };
        Ok(())
    }
}

/// Checks events that are all at hand.
pub(crate) fn sequence(since: Anchor, events: Vec<RecordedEvent>) -> Verdict {
    let mut check = Check::from(since);
    for event in events {
        if let Err(broken) = check.next(event.position, Ok(event)) {
            return broken;
        }
    }
    Verdict::Intact(check.reached)
}
