//! The laws of the log, tried on the log in memory.

use std::future::ready;

use eventlog::EventLog;
use eventlog_conformance::Ground;

/// One handle: the log is nowhere else.
fn ground() -> Ground {
    let log = EventLog::memory();
    Ground::new(move || ready(log.clone()))
}

mod appending {
    eventlog_conformance::appending!(super::ground());
}

mod commands {
    eventlog_conformance::commands!(super::ground());
}

mod committing {
    eventlog_conformance::committing!(super::ground());
}

mod following {
    eventlog_conformance::following!(super::ground());
}

mod proving {
    eventlog_conformance::proving!(super::ground());
}

mod sealing {
    eventlog_conformance::sealing!(super::ground());
}

mod shapes {
    eventlog_conformance::shapes!(super::ground());
}
