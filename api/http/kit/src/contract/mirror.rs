//! The closed lists of names that a page may tell of its steps (row N11). What is in no list cannot travel, so no words of a person and no
//! digits of a card can.

/// Every state of the three machines: each once, a substate behind a point.
pub const STATES: [&str; 36] = [
    "closed",
    "form.editing",
    "form.leaving",
    "submitting",
    "failure",
    "continuation",
    "saving",
    "confirmation",
    "requesting_viewing",
    "finding",
    "unreachable",
    "found",
    "remembering",
    "room",
    "starting",
    "filling.resting",
    "filling.waiting",
    "filling.saving",
    "filling.kept",
    "completing",
    "submitted",
    "loading",
    "missing",
    "init",
    "init_loading",
    "init_failure",
    "initiated",
    "processing.entering",
    "processing.sending",
    "processing.waiting",
    "processing.answering",
    "processing",
    "pending",
    "failed",
    "sold_out",
    "success",
];

/// Conditions that a page waits for.
pub const GUARDS: [&str; 6] = [
    "answers_complete",
    "no_clash",
    "form_up_to_date",
    "link_open",
    "payment_known",
    "room_free",
];

/// The ready sentences of a nudge.
pub const NUDGES: [&str; 5] = ["goes_here", "check_this", "missing", "choose_one", "try_again"];
