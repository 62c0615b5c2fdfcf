//! Who may see and change a lead (D80, T12): the holder of its capability, its owner, and staff (masked). Everybody else
//! learns that there is no such lead.

use axum::http::StatusCode;
use domain::aggregate::Decide as _;
use domain::id::LeadId;
use domain::lead::{Lead, LeadPersonal};
use domain::user::Role;
use eventlog::{CodecError, EventLog, LogError, Position};
use http_kit::caller::Caller;
use http_kit::capability::{in_time, is_owner, log_in_first};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use projections::lead_board::query;
use records::Records;
use uuid::Uuid;

use super::answer::View;

/// So many events are looked through for somebody who was answered and is in no read model yet.
const UNHEARD_MAX: usize = 5_000;

/// A lead that the caller may see.
#[derive(Debug, Clone)]
pub struct Seen {
    pub lead_id: LeadId,
    pub lead: Lead,
    pub view: View,
    /// Seen by ownership rather than by the capability.
    pub is_owner: bool,
    /// Found by its capability rather than by its id.
    pub by_link: bool,
}

/// Opens a lead by capability or id.
///
/// # Errors
/// 404, whether it is absent or another person's; 403 for a link that ended when the lead was taken from the account that had it.
pub async fn open(records: &Records, caller: &Caller, id: &str) -> ApiResult<Seen> {
    let uuid: Uuid = id
        .parse()
        .map_err(|_| ApiError::not_found(say("refusal.no_lead")))?;
    // Asked first: what the read models hear from now on is looked for twice, and nothing is passed over.
    let heard = records.applied.position();
    let hasher = records.log.handles();
    let known = query::find_by_uuid(records.read.readers(), hasher, uuid).await?;
    match look(&records.log, caller, uuid, known).await {
        Err(absent) if absent.status == StatusCode::NOT_FOUND => {
            let News { found, is_all } = unheard(&records.log, heard, uuid).await?;
            if found.is_none() && !is_all {
                records.hear_all().await?;
            }
            let known = match found {
                Some(lead_id) => Some(lead_id),
                None => find_linked(records, uuid).await?,
            };
            look(&records.log, caller, uuid, known).await
        }
        told => told,
    }
}

/// The lead of a link, or the one whose link it was.
async fn find_linked(records: &Records, uuid: Uuid) -> ApiResult<Option<LeadId>> {
    let (readers, hasher) = (records.read.readers(), records.log.handles());
    let linked = query::find_by_uuid(readers, hasher, uuid).await?;
    match linked {
        Some(lead_id) => Ok(Some(lead_id)),
        None => Ok(query::find_by_former_link(readers, hasher, uuid).await?),
    }
}

/// What the log holds that the read models have still to hear.
struct News {
    /// The lead that was looked for.
    found: Option<LeadId>,
    /// Whether all of it was looked at.
    is_all: bool,
}

/// Looks for a lead by its capability in the log itself: whoever was answered finds it, however far behind the read models are
/// (decision 0019).
async fn unheard(log: &EventLog, heard: Position, uuid: Uuid) -> ApiResult<News> {
    let looks = log.fold_all((heard, UNHEARD_MAX), None::<LeadId>, move |found, fact| {
        if found.is_some() || fact.stream.kind != Lead::KIND || fact.revision > 1 {
            return Ok(());
        }
        let event = match fact.decode::<Lead>() {
            Ok(event) => event,
            Err(source @ CodecError::Keys) => {
                let position = fact.position;
                return Err(LogError::Unreadable { position, source });
            }
            // One that cannot be read is nobody's.
            Err(_) => return Ok(()),
        };
        let mut lead = Lead::default();
        lead.evolve(&event);
        let is_it = lead.personal.is_some_and(|personal| personal.lead_uuid == uuid);
        *found = is_it.then_some(LeadId(fact.stream.id));
        Ok(())
    });
    let looked = looks.await?;
    Ok(News {
        found: looked.state,
        is_all: looked.events < UNHEARD_MAX,
    })
}

async fn look(log: &EventLog, caller: &Caller, uuid: Uuid, by_capability: Option<LeadId>) -> ApiResult<Seen> {
    let lead_id = by_capability.unwrap_or(LeadId(uuid));
    let lead = log.load::<Lead>(lead_id).await?.state;
    // A lead that was taken from an account has another link since.
    let is_link = |personal: &LeadPersonal| personal.lead_uuid == uuid;
    let link_ended =
        by_capability.is_some() && lead.personal.as_ref().is_some_and(|personal| !is_link(personal));
    let by_capability = by_capability.filter(|_| !link_ended);
    if lead.submission.is_none() || lead.personal.is_none() {
        return Err(ApiError::not_found(say("refusal.no_lead")));
    }
    let is_owner = is_owner(caller, &lead);
    let is_support = caller
        .roles()
        .iter()
        .any(|role| matches!(role, Role::Support | Role::Admin));
    // T12: who sent it without a login may not be who it names, and goes on with its link alone. Once it has an owner, by a
    // login before or after, its link shows it and no more than that (D19).
    let view = if is_owner || (by_capability.is_some() && lead.is_unclaimed()) {
        View::Own
    } else if is_support || by_capability.is_some() {
        View::Masked
    } else if link_ended {
        return Err(log_in_first(caller));
    } else {
        return Err(ApiError::not_found(say("refusal.no_lead")));
    };
    Ok(Seen {
        lead_id,
        view,
        is_owner,
        by_link: by_capability.is_some(),
        lead,
    })
}

impl Seen {
    /// # Errors
    /// 404 for staff, who act through the workspace; 403 where the capability is too old to change anything.
    pub fn changeable(&self, caller: &Caller) -> ApiResult<()> {
        if self.view == View::Masked {
            return Err(if self.by_link {
                log_in_first(caller)
            } else {
                ApiError::not_found(say("refusal.no_lead"))
            });
        }
        if self.is_owner {
            Ok(())
        } else {
            in_time(&self.lead)
        }
    }
}
