//! A form as its owner reads it.

use std::collections::{BTreeMap, BTreeSet};

use domain::booking_form::{Answers, BookingForm, BookingFormCommand, FormDefinition, SectionKey, Start};
use domain::id::{BookingFormId, StreamKey as _};
use domain::lead::Lead;
use eventlog::Revision;
use http_kit::contract::forms::{CustomForm, FormSections};
use http_kit::contract::words::{FlowWord, FormStatusWord, SectionKeyWord};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::price_lock::{PriceLockView, price_lock};
use http_kit::said::say;
use platform::clock;
use projections::lead_board::form_uuid;
use records::Records;
use records::listing;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::booking_forms::stay::find_stay;
use crate::documents::{self, DocumentAnswer};
use crate::payments::view::RoomView;

/// A form as its owner reads it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BookingForm)]
pub struct FormAnswer {
    form_uuid: Uuid,
    lead_uuid: String,
    inventory_id: String,
    #[schema(value_type = FlowWord)]
    flow: &'static str,
    #[schema(value_type = FormStatusWord)]
    status: &'static str,
    version: Revision,
    #[schema(value_type = FormSections)]
    sections: BTreeMap<SectionKey, Answers>,
    #[schema(value_type = Vec<SectionKeyWord>)]
    completed_sections: BTreeSet<SectionKey>,
    #[schema(value_type = CustomForm)]
    form: FormDefinition,
    documents: Vec<DocumentAnswer>,
    /// Where the student stopped, on whichever device.
    place: Option<PlaceAnswer>,
    /// Room and stay of the payment behind the form, or of one that is opened now; null where the room is not let for the wish.
    stay: Option<RoomView>,
    /// Price that the enquiry froze, while nothing is booked.
    price_lock: Option<PriceLockView>,
}

/// The section, and the field that had the focus.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FormPlace)]
struct PlaceAnswer {
    #[schema(value_type = SectionKeyWord)]
    section: SectionKey,
    field: Option<String>,
}

/// The form under its listing's definition of now, after a command where there is a `position`.
pub(super) async fn answer(
    records: &Records,
    form_id: BookingFormId,
    lead: &Lead,
    position: Option<eventlog::Position>,
) -> ApiResult<Success<FormAnswer>> {
    let loaded = records.log.load::<BookingForm>(form_id).await?;
    let definition = definition_of(records, &loaded.state).await?;
    let form = match definition {
        Some(definition) => loaded.state.under(definition, clock::now()),
        None => loaded.state,
    };
    let Some(start) = form.start.as_deref() else {
        return Err(ApiError::not_found(say("refusal.no_form")));
    };
    let name = form_uuid(records.log.handles(), form_id);
    let public_name = name.to_string();
    let body = FormAnswer {
        form_uuid: name,
        lead_uuid: lead
            .personal
            .as_ref()
            .map(|personal| personal.lead_uuid.to_string())
            .unwrap_or_default(),
        inventory_id: start.inventory_id.uuid().to_string(),
        flow: start.flow.key(),
        status: if form.submitted { "completed" } else { "started" },
        version: loaded.revision,
        sections: form.own_answers(),
        completed_sections: form.completed.clone(),
        form: start.definition.clone(),
        documents: documents::answers(&records.log, &public_name, &form),
        stay: find_stay(&records.log, lead, start.inventory_id).await?,
        price_lock: price_lock(&records.log, lead, (start.inventory_id, None), clock::now()).await?,
        place: form.place.as_ref().map(|place| PlaceAnswer {
            section: place.section,
            field: place.field.clone(),
        }),
    };
    let answer = match position {
        Some(position) => Success::at(body, position),
        None => Success::new(body),
    };
    Ok(answer.versioned(loaded.revision))
}

/// What the listing asks now (D89); `None` where the form was sent, or the listing is not there any more: then the form
/// goes on as it began.
pub(super) async fn definition_of(
    records: &Records,
    form: &BookingForm,
) -> ApiResult<Option<FormDefinition>> {
    let Some(start) = form.start.as_deref().filter(|_| !form.submitted) else {
        return Ok(None);
    };
    let listing = listing::find_id(records, &start.inventory_id.uuid().to_string()).await?;
    Ok(listing.map(|listing| {
        let asks_guarantor = listing.guarantor_required;
        FormDefinition::of(listing.custom_form, Some(listing.country), asks_guarantor)
    }))
}

/// The command under the definition of now, where there is one.
pub(super) fn under(definition: Option<FormDefinition>, then: BookingFormCommand) -> BookingFormCommand {
    match definition {
        Some(definition) => BookingFormCommand::Under {
            definition: Box::new(definition),
            then: Box::new(then),
            at: clock::now(),
        },
        None => then,
    }
}

/// What is asked after the payment is about a booking that stands (D92).
///
/// # Errors
/// 409 `not_paid_yet`.
pub(super) fn refuse_unpaid(form: &BookingForm, section: SectionKey, lead: &Lead) -> ApiResult<()> {
    let asked = |start: &Start| start.definition.section(section).map(|asked| asked.after_payment);
    let comes_after = form.start.as_deref().and_then(asked).unwrap_or_default();
    if comes_after && lead.booked_by.is_none() {
        return Err(ApiError::conflict("not_paid_yet", say("refusal.not_paid_yet")));
    }
    Ok(())
}
