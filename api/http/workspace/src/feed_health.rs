//! Where a scheduled feed stands, for the health page.

use fetching::state::FeedState;
use http_kit::contract::words::FeedEndWord;
use projections::payment_audit::instant;
use serde::Serialize;
use utoipa::ToSchema;

/// Where one scheduled feed stands. `ended` is how its last run ended, `last_import` its last run that took a file in; null before the first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedHealth {
    /// As in the file of the setting `feeds`.
    name: String,
    /// RFC 3339, as all moments here: when it is fetched next.
    due_at: Option<String>,
    is_running: bool,
    #[schema(value_type = Option<FeedEndWord>)]
    ended: Option<String>,
    ended_at: Option<String>,
    /// Why the last run failed.
    failure: Option<String>,
    /// It fails again and again, or until a person mends something.
    is_failing: bool,
    last_import: Option<FeedImport>,
}

/// Counts of the rows of a feed's last file by their outcome.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedImport {
    at: String,
    rows: u64,
    added: u64,
    changed: u64,
    unchanged: u64,
    rejected: u64,
}

impl From<FeedState> for FeedHealth {
    fn from(state: FeedState) -> Self {
        let counts = state.counts();
        let last_import = state.imported_at().map(|at| FeedImport {
            at: instant(at),
            rows: counts.rows,
            added: counts.added,
            changed: counts.changed,
            unchanged: counts.unchanged,
            rejected: counts.rejected,
        });
        let written = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Self {
            due_at: state.due_at().map(instant),
            is_running: state.is_running(),
            ended: written(&state.ended),
            ended_at: state.ended_at().map(instant),
            failure: written(&state.failure),
            is_failing: state.is_failing(),
            last_import,
            name: state.name,
        }
    }
}
