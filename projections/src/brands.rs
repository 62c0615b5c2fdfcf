//! Brands as readers see them: the version of each that was published last.

use std::collections::BTreeMap;

use domain::aggregate::Decide;
use domain::brand::look::BrandLook;
use domain::brand::{Brand, BrandEvent, BrandPicture};
use domain::id::BrandId;
use domain::photo::ContentHash;
use eventlog::RecordedEvent;
use futures::future::BoxFuture;
use sqlx::{AnyConnection, AnyPool};

use crate::payment_audit::instant;
use crate::run::{Projection, ProjectionError};

/// The tables of `0690_brand.sql` and `0691_brand_picture.sql`.
pub struct Brands;

/// A brand that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandRow {
    pub brand_id: String,
    pub version: i64,
    /// JSON.
    look: String,
    /// RFC 3339.
    pub published_at: String,
    /// Of the event that published it.
    pub position: i64,
}

tables::from_row!(BrandRow {
    brand_id,
    version,
    look,
    published_at,
    position
});

impl BrandRow {
    pub fn brand_id(&self) -> Option<BrandId> {
        self.brand_id.parse().ok()
    }

    /// The look; as the house ships it where it cannot be read.
    pub fn look(&self) -> BrandLook {
        serde_json::from_str(&self.look).unwrap_or_default()
    }
}

impl Projection for Brands {
    fn name(&self) -> &'static str {
        "brands"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["brand", "brand_picture"]
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[Brand::KIND]
    }

    fn apply<'a>(
        &'a self,
        connection: &'a mut AnyConnection,
        events: &'a [RecordedEvent],
    ) -> BoxFuture<'a, Result<(), ProjectionError>> {
        Box::pin(async move {
            for record in events {
                match record.decode_sealed::<Brand>()? {
                    BrandEvent::PictureAdded { picture, .. } => note_pixels(connection, &picture).await?,
                    BrandEvent::DraftChanged { .. } => {}
                    BrandEvent::Published {
                        version, look, at, ..
                    } => show_version(connection, record, (version, &look, instant(at))).await?,
                }
            }
            Ok(())
        })
    }
}

/// Two brands with one picture share its row.
async fn note_pixels(connection: &mut AnyConnection, picture: &BrandPicture) -> Result<(), ProjectionError> {
    sqlx::query(
        "insert into brand_picture (content, width, height) values ($1, $2, $3)
         on conflict (content) do update set width = excluded.width, height = excluded.height",
    )
    .bind(picture.content.to_string())
    .bind(i64::from(picture.width))
    .bind(i64::from(picture.height))
    .execute(connection)
    .await?;
    Ok(())
}

async fn show_version(
    connection: &mut AnyConnection,
    record: &RecordedEvent,
    (version, look, published_at): (u32, &BrandLook, String),
) -> Result<(), ProjectionError> {
    let look = serde_json::to_string(look).map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
    sqlx::query(
        "insert into brand (brand_id, version, look, published_at, position) values ($1, $2, $3, $4, $5)
         on conflict (brand_id) do update
         set version = excluded.version, look = excluded.look, published_at = excluded.published_at, position = excluded.position",
    )
    .bind(record.stream.id.to_string())
    .bind(i64::from(version))
    .bind(look)
    .bind(published_at)
    .bind(record.position.cast_signed())
    .execute(connection)
    .await?;
    Ok(())
}

/// The pixels of every picture of a brand: width and height.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list_pixels(pool: &AnyPool) -> Result<BTreeMap<ContentHash, (u32, u32)>, sqlx::Error> {
    let rows: Vec<(String, i64, i64)> =
        sqlx::query_as("select content, width, height from brand_picture order by content")
            .fetch_all(pool)
            .await?;
    let read = |(content, width, height): (String, i64, i64)| {
        let pixels = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
        Some((content.parse().ok()?, pixels))
    };
    Ok(rows.into_iter().filter_map(read).collect())
}

/// Every brand that was published.
///
/// # Errors
/// When the read models cannot be read.
pub async fn list(pool: &AnyPool) -> Result<Vec<BrandRow>, sqlx::Error> {
    sqlx::query_as("select brand_id, version, look, published_at, position from brand order by brand_id")
        .fetch_all(pool)
        .await
}
