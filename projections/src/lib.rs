//! What people read: tables, each a fold of the log. Knows no HTTP and never appends.

mod answers;
pub mod approvals;
pub mod books;
#[cfg(test)]
mod both;
pub mod brands;
pub mod case_board;
pub mod import_runs;
pub mod inventory_page;
pub mod journey;
pub mod lead_board;
pub mod lead_desk;
pub mod lead_steps;
pub mod lead_timeline;
pub mod ledger;
pub mod listing_name;
pub mod looks;
pub mod own_text;
pub mod payment_audit;
pub mod payment_page;
mod payment_tally;
pub mod photo;
pub mod provider_account;
pub mod reconciliation;
pub mod referral_code;
pub mod role_grant;
pub mod run;
pub mod session;
pub mod staff_homes;
pub mod store;
#[cfg(test)]
mod trial;
pub mod waitlist;

use eventlog::HandleHasher;
use run::Projection;

/// Every SQL read model, in the order it is applied. To add one: its file, its migration, its line here.
/// `hasher` finds people by e-mail, phone and name where a read model must not hold them.
pub fn all(hasher: &HandleHasher) -> Vec<Box<dyn Projection>> {
    vec![
        Box::new(inventory_page::InventoryPages),
        Box::new(payment_page::Payments),
        Box::new(session::Sessions),
        Box::new(referral_code::ReferralCodes::new(hasher.clone())),
        Box::new(role_grant::RoleGrants),
        Box::new(listing_name::ListingNames),
        Box::new(lead_board::LeadBoard::new(hasher.clone())),
        Box::new(lead_timeline::LeadTimelines),
        Box::new(lead_steps::LeadSteps),
        Box::new(journey::Journeys),
        Box::new(provider_account::ProviderAccount),
        Box::new(waitlist::Waitlists),
        Box::new(case_board::CaseBoard),
        Box::new(lead_desk::LeadDesk),
        Box::new(approvals::Approvals),
        Box::new(looks::Looks),
        Box::new(import_runs::ImportRuns),
        Box::new(photo::Photos),
        Box::new(staff_homes::StaffHomes),
        Box::new(brands::Brands),
        Box::new(own_text::OwnTexts),
    ]
}
