//! Every kind of stream that this program reads, with the shapes of its events.

use crate::approval::Approval;
use crate::bank_statements::BankStatements;
use crate::booking_form::BookingForm;
use crate::brand::Brand;
use crate::case::Case;
use crate::gateway_event::GatewayEvent;
use crate::handle::Handle;
use crate::home_address::HomeAddress;
use crate::import_run::ImportRun;
use crate::inventory::Inventory;
use crate::lead::Lead;
use crate::own_text::OwnText;
use crate::payment::Payment;
use crate::photo::Photo;
use crate::referral::Referral;
use crate::region::Region;
use crate::room_stock::RoomStock;
use crate::second_factor::SecondFactor;
use crate::shape::{Shapes, Strange};
use crate::shortlist::Shortlist;
use crate::site_settings::SiteSettings;
use crate::user::User;
use crate::user_history::UserHistory;

/// Every kind of stream there is.
pub const KINDS: [Shapes; 22] = [
    Shapes::of::<Approval>(),
    Shapes::of::<BankStatements>(),
    Shapes::of::<BookingForm>(),
    Shapes::of::<Brand>(),
    Shapes::of::<Case>(),
    Shapes::of::<GatewayEvent>(),
    Shapes::of::<Handle>(),
    Shapes::of::<HomeAddress>(),
    Shapes::of::<ImportRun>(),
    Shapes::of::<Inventory>(),
    Shapes::of::<Lead>(),
    Shapes::of::<OwnText>(),
    Shapes::of::<Payment>(),
    Shapes::of::<Photo>(),
    Shapes::of::<Referral>(),
    Shapes::of::<Region>(),
    Shapes::of::<RoomStock>(),
    Shapes::of::<SecondFactor>(),
    Shapes::of::<Shortlist>(),
    Shapes::of::<SiteSettings>(),
    Shapes::of::<User>(),
    Shapes::of::<UserHistory>(),
];

/// Whether this program reads a shape that a log holds.
///
/// # Errors
/// The shape, when no path leads from it to now.
pub fn readable(kind: &str, event_type: &str, version: u32) -> Result<(), Strange> {
    match KINDS.iter().find(|shapes| shapes.kind == kind) {
        Some(shapes) => shapes.steps(event_type, version).map(|_steps| ()),
        None => Err(Strange {
            kind: kind.to_owned(),
            event_type: event_type.to_owned(),
            version,
            known: None,
        }),
    }
}
