//! How a mirror begins: by a code that is taken once; sent again, the same request finds the mirror that it began.

use domain::aggregate::Decide as _;
use domain::moment::Moment;
use domain::user_history::{UserHistory, UserHistoryCommand, UserHistoryEvent};
use eventlog::{Appended, CommitError, Context, Position, commit, done_before_on};
use http_kit::caller::Person;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::clock;
use uuid::Uuid;

use super::{Kept, LASTS, Mirrors, Row, unknown};

impl Mirrors {
    /// Takes a code, once, and begins its mirror. The begin is recorded before anything is shown.
    ///
    /// # Errors
    /// 422 for a code that is wrong, used or over, or whose login has ended.
    pub async fn begin(&self, staff: &Person, code: &str, context: &Context) -> ApiResult<(Kept, Position)> {
        let now = clock::now();
        let wrong = || ApiError::invalid_field("code", "code_wrong", say("refusal.mirror_code"));
        let hash = self.hashed(code);
        let found: Option<Row> = sqlx::query_as(mirrors_where!(
            "code_hash = $1 and code_until > $2 and staff_id is null and began_at is null"
        ))
        .bind(&hash)
        .bind(now.timestamp_millis())
        .fetch_optional(self.desk.pool())
        .await?;
        let kept = found.and_then(Kept::of).ok_or_else(wrong)?;
        if !self.login_stands(&kept).await? {
            return Err(wrong());
        }
        // Of two who type the same code one gets it.
        let claimed =
            sqlx::query("update mirror set staff_id = $1, code_hash = '' where id = $2 and staff_id is null")
                .bind(staff.user_id.to_string())
                .bind(kept.id.to_string())
                .execute(self.desk.pool())
                .await?;
        if claimed.rows_affected() != 1 {
            return Err(wrong());
        }
        let command = UserHistoryCommand::BeginMirror {
            mirror_id: kept.id,
            by: staff.user_id,
            page: kept.page,
            at: now,
        };
        let begun = commit::<UserHistory>(&self.log, kept.user_id, command, context).await?;
        Ok((self.opened(kept.id, now).await?, begun.position))
    }

    /// Notes at the desk that the mirror has begun, once.
    async fn opened(&self, id: Uuid, at: Moment) -> ApiResult<Kept> {
        sqlx::query(
            "update mirror set began_at = $1, ends_at = $2, seen_at = $1 where id = $3 and began_at is null",
        )
        .bind(at.timestamp_millis())
        .bind((at + LASTS).timestamp_millis())
        .bind(id.to_string())
        .execute(self.desk.pool())
        .await?;
        self.call().await;
        self.kept(id).await?.ok_or_else(unknown)
    }

    /// The mirror that this very command began before: by now its code is spent.
    ///
    /// # Errors
    /// 422 where the command id stood for something else.
    pub async fn begun_before(
        &self,
        staff: &Person,
        context: &Context,
    ) -> ApiResult<Option<(Kept, Position)>> {
        let rows: Vec<Row> = sqlx::query_as(mirrors_where!("staff_id = $1"))
            .bind(staff.user_id.to_string())
            .fetch_all(self.desk.pool())
            .await?;
        let mut reused = None;
        for kept in rows.into_iter().filter_map(Kept::of) {
            match done_before_on::<UserHistory>(&self.log, kept.user_id, context).await {
                Ok(None) => return Ok(None),
                Ok(Some(before)) => {
                    if let Some(at) = self.begun_by(&before, kept.id).await? {
                        return Ok(Some((self.opened(kept.id, at).await?, before.last)));
                    }
                }
                // It may have begun the mirror of another person.
                Err(error @ CommitError::CommandReused) => reused = Some(error),
                Err(error) => return Err(error.into()),
            }
        }
        reused.map_or(Ok(None), |reused| Err(ApiError::from(reused)))
    }

    /// When the command began this mirror, if it did.
    async fn begun_by(&self, before: &Appended, id: Uuid) -> ApiResult<Option<Moment>> {
        for record in self.log.span(before.first, before.last).await? {
            if record.stream.kind != UserHistory::KIND {
                continue;
            }
            match record.decode::<UserHistory>()? {
                UserHistoryEvent::MirrorBegan { mirror_id, at, .. } if mirror_id == id => {
                    return Ok(Some(at));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}
