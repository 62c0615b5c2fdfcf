//! Commands to homes.

pub mod act_on_home;
pub mod arrange_photos;
pub mod change_rooms;
pub mod claim_address;
pub mod edit_home;
pub mod make_draft;
pub mod merge_homes;
pub mod undo_step;
