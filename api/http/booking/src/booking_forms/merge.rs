//! Answers saved field by field: what two devices type at once is merged, and what one of them overwrote is told (D79, D82).

use std::collections::BTreeMap;

use axum::extract::State;
use domain::booking_form::{
    Answer, Answers, BookingForm, BookingFormCommand, BookingFormRejection, Fields, FormDefinition,
    SectionKey,
};
use domain::id::BookingFormId;
use eventlog::commit::pause;
use eventlog::{CommitError, Committed, Context, commit_expecting};
use http_kit::body::Body;
use http_kit::caller::Caller;
use http_kit::capability::Capability;
use http_kit::contract::forms::{SectionAnswer, SectionAnswers};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::limits::Limits;
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;

use super::answer::{answer, definition_of, refuse_unpaid, under};
use super::{FormAnswer, open, refusal};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(Access::Capability(Capability::FormUuid), routes!(merge_section))
}

/// How often fields are merged anew because another save was faster. One of those that collide is always taken, so that this many
/// saves of one form at once are all taken, one after another.
const TRIES: u32 = 250;

/// `{fields: {field: {value, seen}}, complete: bool, focused: field}`
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "fields": { "full_name": { "value": "Mei Lin", "seen": "Mei" } }, "complete": false, "focused": "full_name" }))]
pub struct MergeRequest {
    /// The fields that were typed; all others stay as they are.
    fields: BTreeMap<String, FieldChange>,
    #[serde(default)]
    complete: bool,
    /// The field that has the focus, where another device goes on.
    #[serde(default)]
    focused: Option<String>,
}

/// One field as it was typed.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct FieldChange {
    #[schema(value_type = SectionAnswer)]
    value: Answer,
    /// Answer that the screen showed before; another stored answer is one that its writer has not seen.
    #[serde(default)]
    #[schema(value_type = Option<SectionAnswer>)]
    seen: Option<Answer>,
}

/// The form after a merge.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MergedForm)]
pub struct MergeAnswer {
    form: FormAnswer,
    /// Answers of another device that this save replaced unseen, by field: the history keeps them.
    #[schema(value_type = SectionAnswers)]
    overwritten: Answers,
}

/// Saves some fields of a section and leaves the others: the last word of each field holds, and the answer names what it
/// replaced. Fields that can be kept are kept even where `complete` is refused.
///
/// # Errors
/// 404, 409 where the form was sent or the payment is due first, 422 naming every bad field.
#[utoipa::path(patch, path = "/api/v0/booking_forms/{form_uuid}/sections/{key}", request_body = MergeRequest,
    params(("form_uuid" = String, Path), ("key" = String, Path)),
    responses((status = 200, body = Success<MergeAnswer>), (status = 404), (status = 409), (status = 422)))]
pub async fn merge_section(
    State(records): State<Records>,
    State(limits): State<Limits>,
    context: RequestContext,
    caller: Caller,
    Path((form_uuid, key)): Path<(String, String)>,
    Body(request): Body<MergeRequest>,
) -> ApiResult<Success<MergeAnswer>> {
    let (form_id, lead) = open(&records, &caller, &form_uuid).await?;
    limits.count_save(form_id).await?;
    let section = SectionKey::from_key(&key).ok_or_else(|| ApiError::not_found(say("refusal.no_section")))?;
    let asked = context.command(caller.actor(), &request);
    let (mut answers, mut seen) = (Answers::new(), Answers::new());
    for (field, change) in request.fields {
        seen.extend(change.seen.map(|shown| (field.clone(), shown)));
        answers.insert(field, change.value);
    }
    let form = records.log.load::<BookingForm>(form_id).await?.state;
    refuse_unpaid(&form, section, &lead)?;
    let fields = Fields {
        section,
        answers,
        complete: request.complete,
        focused: request.focused,
        at: clock::now(),
    };
    let merging = Merging {
        records: &records,
        form_id,
        definition: definition_of(&records, &form).await?,
        seen,
    };
    let (overwritten, committed) = match merging.commit(fields.clone(), &asked).await {
        Ok(merged) => merged,
        Err(refused) => {
            if let CommitError::Rejected(BookingFormRejection::Invalid(_)) = &refused {
                let unnamed = Context::new(clock::now(), caller.actor()).correlated(context.request_id);
                merging.keep_draft(fields, &unnamed).await;
            }
            return Err(refusal(refused));
        }
    };
    records.answers_for(committed.position);
    let form = answer(&records, form_id, &lead, Some(committed.position)).await?;
    let merged = MergeAnswer {
        form: form.data,
        overwritten,
    };
    Ok(Success::at(merged, committed.position).versioned(committed.revision))
}

struct Merging<'r> {
    records: &'r Records,
    form_id: BookingFormId,
    /// What the listing asks now.
    definition: Option<FormDefinition>,
    /// What stood on the writer's screen.
    seen: Answers,
}

type Outcome<T> = Result<T, CommitError<BookingFormRejection>>;

impl Merging<'_> {
    /// The answers that the fields replaced unseen, decided on the very version they were put over.
    async fn commit(&self, fields: Fields, asked: &Context) -> Outcome<(Answers, Committed<BookingForm>)> {
        let mut tried = 0;
        loop {
            tried += 1;
            match self.try_once(fields.clone(), asked).await {
                Err(CommitError::Conflict { .. }) if tried < TRIES => pause(tried).await,
                outcome => return outcome,
            }
        }
    }

    async fn try_once(&self, fields: Fields, asked: &Context) -> Outcome<(Answers, Committed<BookingForm>)> {
        let log = &self.records.log;
        let loaded = log.load::<BookingForm>(self.form_id).await?;
        let overwritten = loaded
            .state
            .overwritten(fields.section, &fields.answers, &self.seen);
        let command = under(self.definition.clone(), BookingFormCommand::Merge(fields));
        let committed = commit_expecting(log, self.form_id, command, asked, loaded.revision).await?;
        Ok((overwritten, committed))
    }

    /// Answers that cannot be accepted yet are kept as they were typed; those that cannot be kept either are left out. The refusal
    /// names them in both cases, and a failure here changes nothing about it.
    async fn keep_draft(&self, mut fields: Fields, asked: &Context) {
        fields.complete = false;
        let section = fields.section;
        for _ in 0..2 {
            let Err(CommitError::Rejected(BookingFormRejection::Invalid(faults))) =
                self.commit(fields.clone(), asked).await
            else {
                return;
            };
            let named = |field: &str| {
                faults
                    .iter()
                    .any(|fault| fault.field == format!("{}/{field}", section.key()))
            };
            fields.answers.retain(|field, _| !named(field));
        }
    }
}
