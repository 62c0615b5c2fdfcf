//! Messages from pages of words: somebody's question, or a provider's, a group's or a university's first words become a case that the house
//! answers by e-mail (row G4). No account is needed; the limits and the check for people are those of an enquiry.

use std::sync::Arc;

use ::content::ContactForm;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use chrono::TimeDelta;
use domain::aggregate::Decide as _;
use domain::case::{Case, CaseCommand, CaseTopic, NewMessage, Opening, SUBJECT_MAX, Side};
use domain::contact::{Email, FaultCode, FieldFault, PersonName};
use domain::correspondence::MessageChannel;
use domain::id::{CaseId, LeadId, UserId};
use domain::language::Language;
use domain::user::{Reach, User, UserRejection};
use eventlog::{Append, CommitError, EventLog, commit_together};
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::contract::cases::message_words;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::field_errors::field_errors;
use http_kit::limits::{Effort, LeadAttempt, Limits};
use http_kit::permissions::Access;
use http_kit::proof_of_work;
use http_kit::recaptcha::{GuardedAction, PersonCheck, RecaptchaQuery};
use http_kit::request::RequestContext;
use http_kit::said::unknown_value;
use platform::clock;
use platform::config::Settings;
use platform::texts::text;
use processes::accounts::{self, standing_still};
use processes::lead_history::add;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Open, routes!(send_contact))
}

/// A message from a page of words.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "form": "partner", "name": "Zoe Chen", "email": "zoe@homes.example", "words": "We let 40 rooms in Leeds." }))]
pub struct SendContact {
    #[schema(value_type = ContactForm)]
    form: String,
    name: String,
    email: String,
    /// Company, university or group; its name leads the message.
    organisation: Option<String>,
    words: String,
    /// A field that no person sees; what fills it in fills in everything (T20).
    website: Option<String>,
}

/// A message that arrived.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactSent {
    /// Where the answer goes.
    email: String,
}

/// Sends a message from a page of words, once for each Idempotency-Key.
///
/// # Errors
/// 403 for a missing token of a person, 422 naming every bad field, 429 with the seconds to wait or the work to do.
#[utoipa::path(post, path = "/api/v0/contact", tag = "support", params(RecaptchaQuery), request_body = SendContact,
    responses((status = 201, body = Success<ContactSent>), (status = 403, body = Failure), (status = 422, body = Failure),
    (status = 429, body = Failure)))]
pub async fn send_contact(
    State(records): State<Records>,
    State(limits): State<Limits>,
    State(settings): State<Arc<Settings>>,
    check: PersonCheck,
    context: RequestContext,
    caller: Caller,
    Body(body): Body<SendContact>,
) -> ApiResult<Response> {
    let checked = check_fields(&body)?;
    if caller.person.is_none() {
        let about = serde_json::to_string(&body).map_err(ApiError::broken)?;
        check
            .passes(GuardedAction::LeadSubmission, &about, &context)
            .await?;
    }
    let id = context.command_id.unwrap_or_else(clock::new_id);
    count(&records, &limits, (&context, &caller), (id, &checked.email)).await?;
    let proved = caller
        .person
        .as_ref()
        .filter(|person| person.has_proved_email(&checked.email));
    let message = Message {
        log: &records.log,
        id,
        proved: proved.map(|person| person.user_id),
        checked,
        language: context.lang,
        site: context.site.kept_name().map(str::to_owned),
        hours_for_reply: settings.hours_for_reply(),
    };
    let asked = context.command(caller.actor(), &body);
    let stranger = UserId(clock::new_id());
    let sent = &message;
    let appended = commit_together::<ApiError, _>(&records.log, &asked, |append| async move {
        sent.compose(append, stranger).await
    })
    .await?;
    let position = match appended.last {
        0 => records.log.head().await?,
        last => last,
    };
    records.answers_for(position);
    let answer = ContactSent {
        email: message.checked.email.as_str().to_owned(),
    };
    Ok((StatusCode::CREATED, Success::at(answer, position)).into_response())
}

/// A message whose fields are good.
struct Checked {
    form: ContactForm,
    name: PersonName,
    email: Email,
    words: String,
}

/// Every bad field is named at once.
fn check_fields(body: &SendContact) -> ApiResult<Checked> {
    let form = ContactForm::from_key(&body.form)
        .ok_or_else(|| ApiError::invalid_field("form", "choice", unknown_value("form", &body.form)))?;
    let mut faults = Vec::new();
    let name = take(&mut faults, "name", PersonName::parse(&body.name));
    let email = take(&mut faults, "email", Email::parse(&body.email));
    let organisation = one_line(body.organisation.as_deref().unwrap_or_default());
    if organisation.chars().count() > SUBJECT_MAX {
        faults.push(FieldFault::new("organisation", FaultCode::TooLong));
    }
    if body.website.as_deref().is_some_and(|trap| !trap.is_empty()) {
        faults.push(FieldFault::new("website", FaultCode::MustBeEmpty));
    }
    let (Some(name), Some(email), true) = (name, email, faults.is_empty()) else {
        return Err(ApiError::invalid(field_errors(&faults)));
    };
    let words = message_words(&body.words)?;
    let from = [name.as_str(), organisation.as_str()];
    let from: Vec<&str> = from.into_iter().filter(|part| !part.is_empty()).collect();
    Ok(Checked {
        form,
        words: format!("{}\n\n{words}", from.join(" · ")),
        name,
        email,
    })
}

fn take<T>(faults: &mut Vec<FieldFault>, field: &str, parsed: Result<T, FaultCode>) -> Option<T> {
    match parsed {
        Ok(value) => Some(value),
        Err(code) => {
            faults.push(FieldFault::new(field, code));
            None
        }
    }
}

fn one_line(text: &str) -> String {
    let spaced = text.replace(['\r', '\n', '\t'], " ");
    spaced
        .trim()
        .chars()
        .filter(|letter| !letter.is_control())
        .collect()
}

/// Counts the message as an enquiry counts.
async fn count(
    records: &Records,
    limits: &Limits,
    (context, caller): (&RequestContext, &Caller),
    (id, email): (Uuid, &Email),
) -> ApiResult<()> {
    let effort = if caller.person.is_some() {
        Effort::Shown
    } else {
        proof_of_work::take(&records.log, limits, context.proof.as_deref()).await?
    };
    let attempt = LeadAttempt {
        lead_id: LeadId(id),
        ip: context.ip,
        inbox: &email.inbox(),
        home: None,
        effort,
    };
    limits.count_lead(attempt).await
}

/// A message on its way into the log.
struct Message<'m> {
    log: &'m EventLog,
    id: Uuid,
    /// Who is logged in and has proved the address.
    proved: Option<UserId>,
    checked: Checked,
    language: Language,
    /// The host that the form was sent to, where it is a further one of the house.
    site: Option<String>,
    hours_for_reply: i64,
}

impl Message<'_> {
    /// Makes the sender known and the case, in one append.
    async fn compose(&self, append: Append, stranger: UserId) -> Result<Append, CommitError<ApiError>> {
        let (append, person) = self.find_sender(append, stranger).await?;
        let at = append.context.at;
        let opening = Opening {
            person,
            sealed_by: person,
            lead_id: None,
            topic: CaseTopic::Other,
            language: self.language,
            subject: text(self.language, subject_key(self.checked.form), &[]),
            site: self.site.clone(),
            first: NewMessage {
                message_id: self.id,
                side: Side::Person,
                channel: MessageChannel::Email,
                words: self.checked.words.clone(),
                due: Some(at + TimeDelta::hours(self.hours_for_reply)),
            },
        };
        let command = CaseCommand::Open {
            opening: Box::new(opening),
            at,
        };
        let case = self.log.load::<Case>(CaseId(self.id)).await?;
        let events = case
            .state
            .decide(command)
            .map_err(|rejection| CommitError::Rejected(rejection.into()))?;
        add(append, CaseId(self.id), &case, &events)
    }

    /// Whose message it is: of who is logged in with this address, else of whoever has it.
    async fn find_sender(
        &self,
        append: Append,
        stranger: UserId,
    ) -> Result<(Append, UserId), CommitError<ApiError>> {
        if let Some(person) = self.proved {
            let user = self.log.load::<User>(person).await?;
            if user.state.forgotten {
                return Err(CommitError::Rejected(UserRejection::Forgotten.into()));
            }
            return Ok((standing_still(append, person, user.expected()), person));
        }
        let reach = Reach::Email(self.checked.email.clone());
        let name = Some(self.checked.name.clone());
        let (append, person, expected) = accounts::meet(self.log, append, stranger, &reach, name)
            .await
            .map_err(|refused| refused.map(ApiError::from))?;
        Ok((standing_still(append, person, expected), person))
    }
}

const fn subject_key(form: ContactForm) -> &'static str {
    match form {
        ContactForm::Contact => "desk.contact_message",
        ContactForm::Partner => "desk.contact_partner",
        ContactForm::GroupBooking => "desk.contact_group",
        ContactForm::UniversityPartnerships => "desk.contact_university",
    }
}
