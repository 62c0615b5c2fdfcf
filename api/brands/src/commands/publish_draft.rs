//! Shows the draft of a brand to readers, or brings an earlier version back. On this node it is served with the answer, on others within
//! two seconds.

use domain::aggregate::Decide as _;
use domain::brand::{Brand, BrandCommand};
use domain::contact::seen_length;
use domain::id::{BrandId, UserId};
use eventlog::{Append, Appended, CommitError, Context, EventLog, Revision, commit_together};
use platform::config::Settings;
use platform::config::brand::ServedBrand;

use crate::error::BrandError;
use crate::questions::brand_state::is_changed_since;

/// A reason is a sentence or two.
const REASON_MAX: usize = 500;

/// A version to be shown.
#[derive(Debug, Clone)]
pub struct PublishDraft {
    pub brand_id: BrandId,
    /// The revision of the brand that the editor read; `None` where nothing was read before.
    pub revision: Option<Revision>,
    /// The earlier version that comes back; `None` for the draft.
    pub version: Option<u32>,
    /// For colleagues.
    pub reason: Option<String>,
    /// `None` for the command line.
    pub by: Option<UserId>,
}

/// Publishes a draft, or brings an earlier version back.
///
/// # Errors
/// The reason as a [`BrandError`], and whatever else stands against an append.
pub async fn publish_draft(
    log: &EventLog,
    settings: &Settings,
    publish: &PublishDraft,
    context: &Context,
) -> Result<Appended, CommitError<BrandError>> {
    let reason = publish.reason.as_deref().unwrap_or_default();
    if seen_length(reason) > REASON_MAX {
        return Err(CommitError::Rejected(BrandError::ReasonTooLong {
            max: REASON_MAX,
        }));
    }
    let done = commit_together(log, context, |append| compose(log, publish, context, append)).await?;
    let brand = log.load::<Brand>(publish.brand_id).await?.state;
    if let Some(version) = brand.published() {
        let served = ServedBrand::new(version.version, version.look.clone(), |content| {
            let picture = brand.pictures.get(&content)?;
            Some((picture.width, picture.height))
        });
        settings.brands.put(publish.brand_id, served);
    }
    Ok(done)
}

async fn compose(
    log: &EventLog,
    publish: &PublishDraft,
    context: &Context,
    append: Append,
) -> Result<Append, CommitError<BrandError>> {
    let read = log.load::<Brand>(publish.brand_id).await?;
    if let Some(revision) = publish.revision
        && is_changed_since(log, publish.brand_id, (revision, read.revision)).await?
    {
        return Err(CommitError::Rejected(BrandError::ChangedMeanwhile));
    }
    let reason = publish.reason.as_deref().map(str::trim);
    let reason = reason.filter(|reason| !reason.is_empty()).map(ToOwned::to_owned);
    let (by, at) = (publish.by, context.at);
    let command = match publish.version {
        Some(version) => BrandCommand::TakeBack {
            version,
            reason,
            by,
            at,
        },
        None => BrandCommand::Publish { reason, by, at },
    };
    let decided = read.state.decide(command);
    let events = decided.map_err(|rejection| CommitError::Rejected(BrandError::from(rejection)))?;
    append
        .decision(publish.brand_id, &read, &events)
        .map_err(|error| CommitError::Log(error.into()))
}
