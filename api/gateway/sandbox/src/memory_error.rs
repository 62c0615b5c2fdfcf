//! Why a question to the provider's memory has no answer.

use gateway::GatewayError;
use platform::duty::OffDuty;

/// What the provider says to it, or a storage that fails, which a caller takes for a
/// provider that cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct MemoryError(#[from] GatewayError);

impl From<MemoryError> for GatewayError {
    fn from(error: MemoryError) -> Self {
        error.0
    }
}

impl From<sqlx::Error> for MemoryError {
    fn from(error: sqlx::Error) -> Self {
        tracing::error!(%error, "the sandbox cannot use its memory");
        Self(GatewayError::Unreachable)
    }
}

impl From<OffDuty> for MemoryError {
    fn from(why: OffDuty) -> Self {
        match why {
            OffDuty::TakenOver => Self(GatewayError::Unreachable),
            OffDuty::Database(error) => error.into(),
        }
    }
}

impl From<serde_json::Error> for MemoryError {
    fn from(error: serde_json::Error) -> Self {
        tracing::error!(%error, "the sandbox cannot read its memory");
        Self(GatewayError::Unreachable)
    }
}
