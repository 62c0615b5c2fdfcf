//! Faults of the product itself, brought in on purpose: a simulation that does not find them proves nothing.

use clap::ValueEnum;

/// One mistake a program might make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Planted {
    /// The log answers before its storage has anything.
    AnsweredTooEarly,
    /// The agenda moves its checkpoint and loses what the events led to.
    EffectsLost,
    /// Calls to the provider are made under ever new keys.
    KeysIgnored,
    /// A notice is answered before it is in the log.
    NoticesDropped,
    /// A request that is sent again counts as another one.
    KeysForgotten,
    /// Who pays is charged twice, and has one of both back before anybody adds up: wrong for a moment only.
    ChargedTwiceForAMoment,
    /// Nobody watches the clock: holds do not end.
    TimersStopped,
}
