//! Rules of the marketplace. No I/O, no clock, no random numbers: whatever a rule needs came with the command.

/// Names the rules of this build: states folded by other rules are not ours.
pub const RULES: &str = env!("LATCHKEY_RULES");

pub mod aggregate;
pub mod approval;
pub mod attribution;
pub mod bank_statements;
pub mod booking_form;
pub mod books;
pub mod brand;
pub mod calendar;
pub mod case;
pub mod contact;
#[cfg(test)]
mod contract_file;
pub mod correspondence;
pub mod country;
#[cfg(test)]
mod free_text;
pub mod gateway_event;
pub mod handle;
pub mod home_address;
pub mod id;
pub mod import_run;
pub mod inventory;
pub mod kinds;
pub mod language;
pub mod lead;
pub mod lead_form;
pub mod lease;
pub mod moment;
pub mod money;
pub mod nights;
pub mod own_text;
pub mod payment;
pub mod photo;
pub mod place;
pub mod policy;
pub mod referral;
pub mod region;
pub mod room;
pub mod room_stock;
#[cfg(test)]
mod sample;
pub mod sealed;
pub mod second_factor;
pub mod settlement;
pub mod shape;
pub mod shared_contact;
pub mod shortlist;
pub mod site_settings;
pub mod typed_number;
pub mod user;
pub mod user_history;
pub mod wording;
