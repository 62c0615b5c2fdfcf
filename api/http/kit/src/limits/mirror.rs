//! How often codes of mirrors are made and tried, and how often a page tells its steps: six digits are few (row N11).

use domain::id::UserId;
use uuid::Uuid;

use super::{Limits, Quota, Use, per_hour};
use crate::error::{ApiError, ApiResult};
use crate::said::say;

const TRIES: Quota = Quota {
    name: "mirror_tries",
    most: 10,
    period_ms: 600_000,
};
const OFFERS: Quota = per_hour("mirror_offers", 30);
/// A page tells of a step as it happens; several a second are a script.
const REPORTS: Quota = Quota {
    name: "mirror_reports",
    most: 300,
    period_ms: 60_000,
};

impl Limits {
    /// Counts one code that a member of staff types, right or wrong.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub async fn count_mirror_code(&self, staff: UserId) -> ApiResult<()> {
        self.count_mirror(TRIES, "limit_mirror_try", &staff.to_string())
            .await
    }

    /// Counts one code that a person asks for.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub async fn count_mirror_offer(&self, person: UserId) -> ApiResult<()> {
        self.count_mirror(OFFERS, "limit_mirror_offer", &person.to_string())
            .await
    }

    /// Counts one step that a mirrored page tells.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub async fn count_mirror_report(&self, mirror_id: Uuid) -> ApiResult<()> {
        self.count_mirror(REPORTS, "limit_mirror_report", &mirror_id.to_string())
            .await
    }

    async fn count_mirror(&self, quota: Quota, kind: &str, of: &str) -> ApiResult<()> {
        let refusal: fn(u64) -> ApiError =
            |wait| ApiError::too_many(say("refusal.mirror_tries").with("seconds", wait), wait);
        let key = self.key(kind, of);
        self.count(&[Use { quota, key, refusal }], None).await
    }
}
