//! Serves the marketplace, its API and the staff workspace.
fn main() {}
