//! Colleagues who work on leads: who they are, and who of them a note mentions by `@name` or `@address` (row I4).

use std::collections::HashMap;

use domain::id::UserId;
use domain::user::{Role, User};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::config::Settings;
use projections::role_grant;
use records::Records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::staff_names::staff_name;

/// A note is for a handful of people.
const MENTIONS_MAX: usize = 10;

/// A member of staff with rights to leads.
#[derive(Debug, Serialize, ToSchema)]
pub struct Colleague {
    pub user_id: String,
    pub name: String,
    /// Name that a note writes after `@`.
    pub handle: String,
}

/// Everyone who works on leads, by name.
pub(crate) async fn all(records: &Records, settings: &Settings) -> ApiResult<Vec<Colleague>> {
    let mut names = HashMap::new();
    let mut found: Vec<Colleague> = Vec::new();
    for grant in role_grant::all(records.heard().await?).await? {
        let works = matches!(Role::from_key(&grant.role), Some(Role::Support | Role::Admin));
        let is_known = found.iter().any(|known| known.user_id == grant.user_id);
        let Some(user_id) = grant
            .user_id
            .parse::<UserId>()
            .ok()
            .filter(|_| works && !is_known)
        else {
            continue;
        };
        let user = records.log.load::<User>(user_id).await?.state;
        let Some(email) = user.email.as_ref() else {
            continue;
        };
        if !user.is_internal(Some(&settings.staff_email_domain)) {
            continue;
        }
        let local = email.as_str().split('@').next().unwrap_or_default();
        found.push(Colleague {
            name: staff_name(&records.log, settings, &grant.user_id, &mut names).await?,
            handle: local.to_owned(),
            user_id: grant.user_id,
        });
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// Whom a note mentions.
///
/// # Errors
/// 422 for the field `note` where no colleague is called so.
pub(crate) async fn mentioned(records: &Records, settings: &Settings, note: &str) -> ApiResult<Vec<UserId>> {
    let handles: Vec<&str> = handles(note).take(MENTIONS_MAX).collect();
    if handles.is_empty() {
        return Ok(vec![]);
    }
    let colleagues = all(records, settings).await?;
    let mut mentioned = Vec::new();
    for handle in handles {
        let found = colleagues.iter().find(|one| is_called(one, handle, settings));
        let found = found.and_then(|one| one.user_id.parse::<UserId>().ok());
        let user_id = found.ok_or_else(|| {
            let says = say("refusal.mention_unknown").with("name", handle);
            ApiError::invalid_field("note", "choice", says)
        })?;
        if !mentioned.contains(&user_id) {
            mentioned.push(user_id);
        }
    }
    Ok(mentioned)
}

fn is_called(one: &Colleague, handle: &str, settings: &Settings) -> bool {
    let same = |text: &str| text.eq_ignore_ascii_case(handle);
    let name: String = one.name.split_whitespace().collect();
    let first = one.name.split_whitespace().next().unwrap_or_default();
    let address = format!("{}@{}", one.handle, settings.staff_email_domain);
    same(&one.handle) || same(&address) || same(&name) || same(first)
}

/// The words that begin with `@`, without it and without the sentence's own signs at their end.
fn handles(note: &str) -> impl Iterator<Item = &str> {
    let words = note.split_whitespace().filter_map(|word| word.strip_prefix('@'));
    words
        .map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_are_words_after_an_at_sign() {
        let note = "@Ana please ask mei@example.com, and @bo.li@staff.example. @ nothing";
        assert_eq!(handles(note).collect::<Vec<_>>(), ["Ana", "bo.li@staff.example"]);
    }
}
