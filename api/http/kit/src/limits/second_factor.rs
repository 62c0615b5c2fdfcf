//! How often the second step of a login may be tried: six digits are few.

use domain::id::UserId;

use super::{Limits, Quota, Use};
use crate::error::{ApiError, ApiResult};
use crate::said::say;

const TRIES: Quota = Quota {
    name: "second_factor_tries",
    most: 10,
    period_ms: 600_000,
};

impl Limits {
    /// Counts one try of a second step, right or wrong.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub async fn count_second_factor(&self, person: UserId) -> ApiResult<()> {
        let refusal: fn(u64) -> ApiError =
            |wait| ApiError::too_many(say("refusal.second_factor_tries").with("seconds", wait), wait);
        let one = Use {
            quota: TRIES,
            key: self.key("limit_second_factor", &person.to_string()),
            refusal,
        };
        self.count(&[one], None).await
    }
}
