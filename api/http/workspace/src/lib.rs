//! The HTTP surface of the staff: leads, history, read models, grants, finance.

pub mod acts;
pub mod cases;
mod colleagues;
pub mod desk;
pub mod desk_acts;
pub mod event;
pub mod finance;
pub mod forgetting;
pub mod forms;
pub mod grants;
pub mod history;
pub mod leads;
pub mod letters;
pub mod outline;
pub mod payment_links;
pub mod read_models;
pub mod referrals;
pub mod templates;
pub mod waitlists;
