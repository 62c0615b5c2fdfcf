//! What tells finance, from the server's services.

use health::alerts::AlertWatch;

use crate::app::App;

impl App {
    /// Looks for what needs finance, and tells of it.
    pub(crate) fn alerts(&self) -> AlertWatch {
        AlertWatch {
            records: self.records.clone(),
            settings: self.settings.clone(),
            chain: self.chain.clone(),
            desk: self.desk.clone(),
            outbox: self.outbox.clone(),
        }
    }
}
