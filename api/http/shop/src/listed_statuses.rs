//! Which properties a list may show to whom, by their status.

use domain::inventory::Status;
use http_kit::caller::Caller;
use http_kit::error::{ApiError, ApiResult};

/// Deleted properties are listed to staff alone; the address of one leads on (D10).
///
/// # Errors
/// 403 for everybody else.
pub fn admit_statuses(caller: &Caller, statuses: &[Status]) -> ApiResult<()> {
    if statuses.contains(&Status::Deleted) && caller.roles().is_empty() {
        return Err(ApiError::not_allowed());
    }
    Ok(())
}
