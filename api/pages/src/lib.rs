//! The pages that the server draws, with the files that browsers load.

pub mod pages;
pub mod payload_shapes;
pub mod pictures;
pub mod site;
