//! Photos of homes: fetched once in the background, kept by their content in a picture store that nodes share, in the sizes of Spec §9,
//! served and taken down (HOMES.md "Photos", decision 0046). Knows no HTTP; drawings of the demo are the crate `pictures`.

pub mod commands;
mod fetch;
pub mod keeper;
mod making;
mod picture;
pub mod store;
mod sweeping;

pub use fetch::{BODY_MAX, BYTES_MAX, find_host, show_address};
pub use picture::decode_picture;
