//! Where photos stand, for those who keep homes.

use domain::id::PhotoId;
use domain::photo::ContentHash;
use sqlx::AnyPool;
use tables::Statement;

use super::ASKED_AT_ONCE;

/// Where a photo stands. Times are in microseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoStanding {
    pub photo_id: String,
    pub place: String,
    /// A word of [`super::state`].
    pub state: String,
    pub content: Option<String>,
    pub width: Option<i64>,
    pub height: Option<i64>,
    /// A key of `PhotoFormat`.
    pub format: Option<String>,
    /// Of the original.
    pub bytes: Option<i64>,
    pub preview: Option<String>,
    /// A key of `PhotoRefusal`.
    pub refusal: Option<String>,
    /// The status of its host's last answer, where it could not be had.
    pub answered: Option<i64>,
    /// When it was last tried in vain.
    pub tried_at: Option<i64>,
    /// When it is asked for next.
    pub due_at: Option<i64>,
    pub taken_down_at: Option<i64>,
    /// Until when the original of one that was taken down is kept.
    pub kept_until: Option<i64>,
}

tables::from_row!(PhotoStanding {
    photo_id,
    place,
    state,
    content,
    width,
    height,
    format,
    bytes,
    preview,
    refusal,
    answered,
    tried_at,
    due_at,
    taken_down_at,
    kept_until
});

/// Where each of these photos stands; one that nobody heard of is left out.
///
/// # Errors
/// When the database fails.
pub async fn find_standings(pool: &AnyPool, ids: &[PhotoId]) -> Result<Vec<PhotoStanding>, sqlx::Error> {
    let mut found = Vec::new();
    for some in ids.chunks(ASKED_AT_ONCE) {
        let mut query = Statement::new(
            "select photo_id, place, state, content, width, height, format, bytes, preview, refusal, answered, tried_at, due_at,
                    taken_down_at, kept_until
             from photo where photo_id in ",
        );
        query
            .push_list(some.iter().map(ToString::to_string))
            .push(" order by photo_id");
        found.extend(query.build_query_as::<PhotoStanding>()?.fetch_all(pool).await?);
    }
    Ok(found)
}

/// The photos that come from any place with a picture that was taken down.
///
/// # Errors
/// When the database fails.
pub async fn find_taken_down(pool: &AnyPool, content: ContentHash) -> Result<Vec<PhotoId>, sqlx::Error> {
    let rows: Vec<String> = sqlx::query_scalar(
        "select photo_id from photo where content = $1 and state = 'taken_down' order by photo_id",
    )
    .bind(content.to_string())
    .fetch_all(pool)
    .await?;
    Ok(rows.iter().filter_map(|id| id.parse().ok()).collect())
}

/// The pictures that were taken down and whose originals have been kept long enough, at this time in microseconds since 1970.
///
/// # Errors
/// When the database fails.
pub async fn list_kept_out(pool: &AnyPool, now_micros: i64) -> Result<Vec<ContentHash>, sqlx::Error> {
    let rows: Vec<String> = sqlx::query_scalar(
        "select distinct content from photo where state = 'taken_down' and kept_until <= $1 order by content",
    )
    .bind(now_micros)
    .fetch_all(pool)
    .await?;
    Ok(rows.iter().filter_map(|content| content.parse().ok()).collect())
}
