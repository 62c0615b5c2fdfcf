//! Stories told through the front door, and the laws of the house.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod backup;
mod bad_input;
mod booking_forms;
mod broken_folders;
mod contract;
mod desk;
mod enquiries;
mod fields;
mod forgetting;
mod full_disk;
mod hoarding;
mod homes;
mod import;
mod io_faults;
mod kurrentdb;
mod last_room;
mod laws;
mod leads;
mod limits;
mod log_kill;
mod login;
mod looking;
mod market;
mod money_back;
mod money_told;
mod move_in;
mod nodes;
mod notices;
mod one_database;
mod operations;
mod owned_links;
mod payment_kill;
mod payments;
mod permissions;
mod pictures;
mod poison;
mod proof;
mod read_models;
mod search;
mod search_pace;
mod storms;
mod support_desk;
mod traces;
mod visitor;
