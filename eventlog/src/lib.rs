//! The append-only log, and the one way to change anything. Knows no HTTP and no housing rules.
