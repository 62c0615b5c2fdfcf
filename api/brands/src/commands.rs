//! Commands to brands.

pub mod add_picture;
pub mod change_draft;
pub mod publish_draft;
