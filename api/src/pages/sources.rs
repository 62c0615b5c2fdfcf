//! The services that pages are made with.

use std::sync::Arc;

use platform::config::Settings;

use crate::caller::Sessions;
use crate::payments::Payments;
use crate::records::Records;
use crate::views::Views;

/// What pages are made of.
#[derive(Clone)]
pub struct PageSources {
    pub records: Records,
    pub settings: Arc<Settings>,
    pub views: Views,
    pub payments: Payments,
    pub sessions: Sessions,
}
