/// A mistake in the order of steps that somebody could make, and that the schedules must find. Each stands where the true code
/// stands; without the feature `schedules` it is the constant `false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slip {
    /// The log's latest events: how far back they reach is asked for, and they are taken a moment later.
    RingAskedTwice,
    /// The log's writer: readers are told of events before they can find them.
    BellBeforeEvents,
    /// The log's writer: readers are told of a batch when it was sent, and not when it is known to be written.
    BellBeforeLanding,
    /// The log's kept states: a command is decided before the stream's turn has come.
    TurnNotAwaited,
    /// The log's kept states: whether everything was let go of is asked before the table is in hand.
    EraAskedEarly,
    /// The keys of personal data: a key is put into memory after the store was let go of.
    KeyHeldLate,
    /// Kept states: whether their kind is trusted is asked before the file is in hand.
    TrustAskedEarly,
    /// A published state, such as the search index: the next one is made of one that was looked at before the writer's turn.
    IndexReadEarly,
    /// Work that is done once for many: whoever leaves takes it off the list, though others go on.
    WorkLeftByOne,
    /// The line before KurrentDB: who came last is asked, and noted a moment later.
    TicketTakenLate,
}

impl Slip {
    /// Never, but in a schedule that is to find it.
    #[cfg(not(feature = "schedules"))]
    pub const fn is_made(self) -> bool {
        false
    }

    /// Whether this schedule is to find it.
    #[cfg(feature = "schedules")]
    pub fn is_made(self) -> bool {
        MADE.get() == Some(self)
    }

    /// Makes the mistake in all that this thread runs from now on.
    #[cfg(feature = "schedules")]
    pub(crate) fn make(self) {
        MADE.set(Some(self));
    }
}

#[cfg(feature = "schedules")]
thread_local! {
    static MADE: std::cell::Cell<Option<Slip>> = const { std::cell::Cell::new(None) };
}
