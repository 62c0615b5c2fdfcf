//! The HTTP surface of the staff: leads, history, read models, grants, finance.

pub mod acts;
pub mod cases;
mod colleagues;
pub mod desk;
pub mod desk_acts;
pub mod desk_live;
pub mod desk_report;
pub mod event;
pub mod finance;
pub mod forgetting;
pub mod forms;
pub mod grants;
pub mod history;
pub mod lead_filters;
pub mod lead_views;
pub mod lead_words;
pub mod leads;
pub mod letters;
pub mod outline;
pub mod payment_links;
pub mod presence;
pub mod read_models;
pub mod referrals;
pub mod segments;
pub mod templates;
pub mod waitlists;
pub mod why;
