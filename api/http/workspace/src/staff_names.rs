//! Names of colleagues, as the workspace shows them.

use std::collections::HashMap;
use std::str::FromStr as _;

use domain::id::UserId;
use domain::user::User;
use eventlog::EventLog;
use http_kit::error::ApiResult;
use platform::config::Settings;
/// Finds the name of a member of staff.
pub(crate) async fn staff_name(
    log: &EventLog,
    settings: &Settings,
    id: &str,
    names: &mut HashMap<String, String>,
) -> ApiResult<String> {
    if let Some(name) = names.get(id) {
        return Ok(name.clone());
    }
    let name = match UserId::from_str(id) {
        Ok(user_id) => {
            let user = log.load::<User>(user_id).await?.state;
            // Leads were assigned to any account once: the name of a student is not shown.
            if user.is_internal(Some(&settings.staff_email_domain)) {
                name_of(&user)
            } else {
                String::new()
            }
        }
        Err(_) => String::new(),
    };
    names.insert(id.to_owned(), name.clone());
    Ok(name)
}

/// A member of staff is called by name, else by the address before the company's domain.
pub(crate) fn name_of(user: &User) -> String {
    let local = user
        .email
        .as_ref()
        .and_then(|email| email.as_str().split('@').next())
        .unwrap_or_default();
    user.name
        .as_ref()
        .map_or_else(|| local.to_owned(), |name| name.as_str().to_owned())
}
