//! Whether history was changed: chain, segments and signed heads verified from where they were last verified to the end
//! (row J4).

use axum::extract::State;
use domain::moment::Moment;
use eventlog::verify::{Anchor, Verdict};
use eventlog::{EventLog, HeadFolder, LogError, Position};
use projections::payment_audit::instant;
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::app::App;
use crate::clock;
use crate::envelope::Success;
use crate::error::{ApiError, ApiResult};
use crate::request::RequestContext;
use crate::said::say;

/// Remembers how far the chain was verified, so that each look verifies only what came since.
pub struct ChainCheck {
    known: Mutex<(Anchor, Option<Position>)>,
}

impl Default for ChainCheck {
    fn default() -> Self {
        Self {
            known: Mutex::new((Anchor::GENESIS, None)),
        }
    }
}

impl ChainCheck {
    /// Verified through, and the first broken event. Once broken, it stays so until the next start looks at everything again.
    async fn look(
        &self,
        log: &EventLog,
        outside: &HeadFolder,
    ) -> Result<(Position, Option<Position>, Moment), LogError> {
        let mut known = self.known.lock().await;
        if known.1.is_none() {
            match log.audit(outside, known.0).await?.verdict {
                Verdict::Intact(anchor) => known.0 = anchor,
                Verdict::Broken { position, .. } => known.1 = Some(position),
            }
        }
        Ok((known.0.position, known.1, clock::now()))
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ChainStatus {
    pub verified_through: Position,
    pub head: Position,
    pub ok: bool,
    pub first_broken: Option<Position>,
    pub checked_at: String,
}

/// `GET /api/v0/workspace/chain`.
///
/// # Errors
/// When the log cannot be read.
#[utoipa::path(get, path = "/api/v0/workspace/chain", tag = "finance",
    responses((status = 200, body = Success<ChainStatus>)))]
pub async fn chain_status(
    State(app): State<App>,
    _context: RequestContext,
) -> ApiResult<Success<ChainStatus>> {
    if !app.log.capabilities().chain {
        return Err(ApiError::conflict("no_chain", say("refusal.no_chain")));
    }
    let (verified_through, first_broken, at) = app.chain.look(&app.log, app.notary.outside()).await?;
    Ok(Success::new(ChainStatus {
        verified_through,
        head: app.log.head().await?,
        ok: first_broken.is_none(),
        first_broken,
        checked_at: instant(at),
    }))
}
