//! Kept statements of the bank and their decided lines as finance sees them.

use std::collections::{BTreeMap, HashMap};

use domain::bank_statements::{Decision, KeptStatement, LineDecision};
use domain::id::UserId;
use eventlog::EventLog;
use http_kit::contract::words::{FileFormWord, LineReasonWord};
use http_kit::error::ApiResult;
use platform::config::Settings;
use projections::payment_audit::instant;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use super::statement::FileCovered;
use crate::staff_names::staff_name;

/// A statement that is kept. Its file is sealed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BankStatement)]
pub struct StatementView {
    pub id: String,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    #[schema(value_type = FileFormWord)]
    pub form: String,
    /// The last four signs of the account's number, where the file names it.
    pub account_end: Option<String>,
    pub bytes: u64,
    pub rows: u32,
    pub covered: Vec<FileCovered>,
    /// RFC 3339.
    pub kept_at: String,
    /// Member of staff who gave it in; empty for an account that is no staff any more.
    pub kept_by: String,
    /// RFC 3339: then it is deleted.
    pub kept_until: String,
    /// Lines that were decided by hand.
    pub decided: usize,
    /// Lines whose words were removed since they named someone who was forgotten.
    pub redacted: u32,
    /// Downloads, newest first.
    pub openings: Vec<StatementOpening>,
}

/// One download of a statement's file.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatementOpening {
    pub by: String,
    /// RFC 3339.
    pub at: String,
}

/// A decision by hand about a line.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LineDecision)]
pub struct LineDecisionView {
    /// The provider's payout that it is; null where it is something else.
    pub payout: Option<String>,
    #[schema(value_type = Option<LineReasonWord>)]
    pub reason: Option<&'static str>,
    /// Words of who decided; null without any, and once they named someone who was forgotten.
    pub note: Option<String>,
    pub by: String,
    /// RFC 3339.
    pub at: String,
}

/// Names of colleagues as they are looked up.
pub(super) struct Names<'r> {
    log: &'r EventLog,
    settings: &'r Settings,
    known: HashMap<String, String>,
}

impl<'r> Names<'r> {
    pub(super) fn new(records: &'r Records, settings: &'r Settings) -> Self {
        Self {
            log: &records.log,
            settings,
            known: HashMap::new(),
        }
    }

    pub(super) async fn find(&mut self, id: UserId) -> ApiResult<String> {
        staff_name(self.log, self.settings, &id.to_string(), &mut self.known).await
    }

    pub(super) async fn show(&mut self, kept: &KeptStatement) -> ApiResult<StatementView> {
        let mut openings = Vec::with_capacity(kept.openings.len());
        for (by, at) in kept.openings.iter().rev() {
            openings.push(StatementOpening {
                by: self.find(*by).await?,
                at: instant(*at),
            });
        }
        let file = &kept.file;
        Ok(StatementView {
            id: file.statement_id.to_string(),
            sha256: file.digest.clone(),
            form: file.form.clone(),
            account_end: file.account_end.clone(),
            bytes: file.bytes,
            rows: file.rows,
            covered: file.covered.iter().map(FileCovered::of_kept).collect(),
            kept_at: instant(kept.at),
            kept_by: self.find(kept.by).await?,
            kept_until: instant(kept.kept_until()),
            decided: kept.lines.len(),
            redacted: kept.redacted,
            openings,
        })
    }

    pub(super) async fn show_decision(
        &mut self,
        line: &LineDecision,
        note: Option<String>,
    ) -> ApiResult<LineDecisionView> {
        let (payout, reason) = match &line.decision {
            Decision::Payout(payout_id) => (Some(payout_id.clone()), None),
            Decision::Explained(reason) => (None, Some(reason.key())),
        };
        Ok(LineDecisionView {
            payout,
            reason,
            note,
            by: self.find(line.by).await?,
            at: instant(line.at),
        })
    }

    /// Every decision of a statement, by the line's place.
    pub(super) async fn show_decisions(
        &mut self,
        kept: &KeptStatement,
        mut notes: BTreeMap<u32, String>,
    ) -> ApiResult<BTreeMap<usize, LineDecisionView>> {
        let mut shown = BTreeMap::new();
        for (place, line) in &kept.lines {
            let note = notes.remove(place);
            shown.insert(*place as usize, self.show_decision(line, note).await?);
        }
        Ok(shown)
    }
}
