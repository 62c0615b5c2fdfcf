//! Two leads that are one: marked, and told apart again.

use domain::id::LeadId;
use domain::lead::acting::{Joining, OnBoth, join, part};
use domain::lead::{Lead, LeadRejection};
use eventlog::{CommitError, commit_together};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;

use super::Doing;
use crate::leads::board_row;

impl Doing<'_> {
    pub(super) async fn mark_double(&self) -> ApiResult<()> {
        let kept = self.act.kept_lead_id.as_deref().unwrap_or_default();
        let unknown = || ApiError::invalid_field("kept_lead_id", "choice", say("refusal.no_lead"));
        let (kept, _) = board_row(self.records, kept).await.map_err(|_| unknown())?;
        let how = self.joining(self.why(true)?);
        self.together(kept, |double, kept_lead| {
            join((self.lead_id, double), (kept, kept_lead), &how)
        })
        .await
    }

    pub(super) async fn unmark_double(&self) -> ApiResult<()> {
        let kept = self.lead().await?.desk().double_of;
        let kept = kept.ok_or_else(|| ApiError::from(CommitError::Rejected(LeadRejection::NotADouble)))?;
        let how = self.joining(self.why(false)?);
        self.together(kept.lead_id, |double, kept_lead| {
            part((self.lead_id, double), kept_lead, &how)
        })
        .await
    }

    fn joining(&self, why: String) -> Joining {
        Joining {
            act_id: self.act_id,
            by: self.staff.person.user_id,
            why,
            takes_phone: self.act.take_phone,
            at: self.asked.at,
        }
    }

    /// Both leads in one append: no state of the log shows one link without the other.
    async fn together(
        &self,
        kept_id: LeadId,
        decide: impl Fn(&Lead, &Lead) -> Result<OnBoth, LeadRejection>,
    ) -> ApiResult<()> {
        let (log, decide) = (&self.records.log, &decide);
        commit_together::<LeadRejection, _>(log, &self.asked, |append| async move {
            let double = log.load::<Lead>(self.lead_id).await?;
            let kept = log.load::<Lead>(kept_id).await?;
            let (on_double, on_kept) = decide(&double.state, &kept.state).map_err(CommitError::Rejected)?;
            let append = processes::lead_history::add(append, self.lead_id, &double, &on_double)?;
            processes::lead_history::add(append, kept_id, &kept, &on_kept)
        })
        .await?;
        Ok(())
    }
}
