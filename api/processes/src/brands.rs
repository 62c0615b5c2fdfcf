//! Brings published brands into force: at the start, and on every node within a second or two of their publication.

use std::sync::Arc;
use std::time::Duration;

use platform::config::Settings;
use platform::config::brand::ServedBrand;
use projections::brands;
use sqlx::AnyPool;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

/// How often a node looks for brands published on others.
const EVERY: Duration = Duration::from_secs(1);

/// Takes over what the read model says is published. A version that this node published itself stays until the read model has it.
///
/// # Errors
/// When the read models cannot be read.
pub async fn take_over(pool: &AnyPool, settings: &Settings) -> Result<(), sqlx::Error> {
    let mut later = Vec::new();
    for row in brands::list(pool).await? {
        if let (Some(brand_id), Ok(version)) = (row.brand_id(), u32::try_from(row.version))
            && settings.brands.find(brand_id).version < version
        {
            later.push((brand_id, version, row.look()));
        }
    }
    if later.is_empty() {
        return Ok(());
    }
    let pixels = brands::list_pixels(pool).await?;
    for (brand_id, version, look) in later {
        let brand = ServedBrand::new(version, look, |content| pixels.get(&content).copied());
        settings.brands.put(brand_id, brand);
    }
    Ok(())
}

/// Follows what is published until the server stops.
pub async fn keep_following(pool: AnyPool, settings: Arc<Settings>, mut stop: watch::Receiver<bool>) {
    let mut tick = tokio::time::interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stopped| *stopped) => return,
        }
        if let Err(error) = take_over(&pool, &settings).await {
            tracing::warn!(%error, "published brands could not be read; what was served goes on");
        }
    }
}
