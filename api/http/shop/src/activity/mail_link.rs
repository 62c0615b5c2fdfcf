//! The link of a mail about an enquiry, opened with a login.

use domain::lead::Lead;
use eventlog::{Actor, Context};
use http_kit::caller::Person;
use http_kit::error::ApiResult;
use http_kit::request::RequestContext;
use platform::clock;
use processes::{enquiry_link, lead_history};
use records::Records;

/// Claims the enquiry of a mail's link that was opened where its student is logged in already: who has proved the address that it names is
/// asked for no further code. Any other link shows the list as it is.
///
/// # Errors
/// When the log cannot be read or written.
pub(super) async fn claim_enquiry(
    records: &Records,
    context: &RequestContext,
    person: &Person,
    link: &str,
) -> ApiResult<()> {
    let (log, now) = (&records.log, clock::now());
    let Some(lead_id) = enquiry_link::find_lead(log.handles(), link, now) else {
        return Ok(());
    };
    let lead = log.load::<Lead>(lead_id).await?.state;
    let named = lead.personal.as_ref().map(|personal| &personal.email);
    if !lead.is_unclaimed() || !named.is_some_and(|email| person.has_proved_email(email)) {
        return Ok(());
    }
    let asked = Context::new(now, Actor::student(person.user_id.0)).correlated(context.request_id);
    let claimed = lead_history::claim(log, lead_id, person.user_id, &asked).await?;
    records.answers_for(claimed.last);
    Ok(())
}
