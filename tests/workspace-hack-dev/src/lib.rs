//! Nothing: its `Cargo.toml` says why it is there.
