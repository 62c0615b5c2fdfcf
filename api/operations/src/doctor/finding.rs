//! What one look found.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Fine,
    Look,
    Wrong,
}

/// One thing looked at.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) state: State,
    what: &'static str,
    pub(super) said: String,
}

impl Finding {
    pub(super) fn fine(what: &'static str, said: impl Into<String>) -> Self {
        let (state, said) = (State::Fine, said.into());
        Self { state, what, said }
    }

    pub(super) fn look(what: &'static str, said: impl Into<String>) -> Self {
        let (state, said) = (State::Look, said.into());
        Self { state, what, said }
    }

    pub(super) fn wrong(what: &'static str, said: impl Into<String>) -> Self {
        let (state, said) = (State::Wrong, said.into());
        Self { state, what, said }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.state {
            State::Fine => "ok",
            State::Look => "look",
            State::Wrong => "WRONG",
        };
        write!(f, "{word:<6} {:<12} {}", self.what, self.said)
    }
}
