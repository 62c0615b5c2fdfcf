//! A lead as its owner reads it, and as staff does: masked (D80, D106).

use std::collections::BTreeMap;

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use domain::attribution::SourceDetails;
use domain::calendar;
use domain::contact::Phone;
use domain::lead::{Lead, LeadPersonal, LeadWish, Submission, ViewingRequest};
use eventlog::Position;
use http_kit::contract::forms::ViewingRequested;
use http_kit::contract::words::{LeadStatusWord, PeriodWord};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use serde::Serialize;
use utoipa::ToSchema;

use super::payload::{EventOptions, LeadMeta, ReferralDetails};

/// How much of the person is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    Own,
    Masked,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Lead)]
pub struct LeadAnswer {
    pub id: String,
    pub uuid: String,
    pub lead_uuid: String,
    pub reference: String,
    #[schema(value_type = LeadStatusWord)]
    pub state: &'static str,
    pub version: u64,
    pub repeat: bool,
    /// The same was asked for before: a second tour, say, not a first one after a question.
    pub repeats_wish: bool,
    pub verified: bool,
    pub inventory_id: Option<String>,
    pub inventory_root_id: Option<String>,
    /// With `methods=inventory_root`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inventory_root: Option<InventoryRoot>,
    pub region_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location_place_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location_place_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location_coordinates_latitude: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location_coordinates_longitude: Option<f64>,
    pub user_details: UserAnswer,
    pub data: DataAnswer,
    pub meta: LeadMeta,
    #[schema(value_type = http_kit::contract::forms::SourceDetails)]
    pub source_details: SourceDetails,
    pub event_options: EventOptions,
    pub referral_details: ReferralDetails,
    pub forms_present: Vec<&'static str>,
    pub created_at: String,
}

/// The property a lead is about.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct InventoryRoot {
    pub id: String,
    pub name: String,
    pub canonical_name: String,
    pub city: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LeadPerson)]
pub struct UserAnswer {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub phone_details: PhoneAnswer,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PhoneDetails)]
pub struct PhoneAnswer {
    pub country_code: String,
    pub national: String,
    pub international: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LeadWish)]
pub struct DataAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ViewingRequested)]
    pub property_view_request_details: Option<ViewingRequest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u32)]
    pub budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub budget_currency: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = PeriodWord)]
    pub budget_duration: Option<domain::money::Period>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub user_query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub intake: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub filters: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub configuration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub university: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub lease_duration: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub move_in_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = u8)]
    pub no_of_students: Option<u8>,
}

/// `None` for a lead that was never sent, or whose person was forgotten.
pub fn lead_answer(lead: &Lead, view: View) -> Option<LeadAnswer> {
    let (submission, personal) = (lead.submission.as_deref()?, lead.personal.as_ref()?);
    // T5: what an address has asked before is told to who proved it, or sent the earlier enquiry.
    let knows_earlier = submission.repeat_shown || !lead.is_unclaimed();
    let capability = match view {
        View::Own => personal.lead_uuid.to_string(),
        // The capability would open the unmasked lead.
        View::Masked => String::new(),
    };
    Some(LeadAnswer {
        id: submission.lead_id.to_string(),
        uuid: capability.clone(),
        lead_uuid: capability,
        reference: submission.reference.clone(),
        state: lead.status.key(),
        version: lead.edition,
        repeat: submission.repeat_of.is_some() && knows_earlier,
        repeats_wish: submission.repeats_wish && knows_earlier,
        verified: lead.is_verified(),
        inventory_id: current_inventory(lead, submission),
        inventory_root_id: submission.inventory_root_id.map(|id| id.to_string()),
        inventory_root: None,
        region_id: submission.region_id.map(|id| id.to_string()),
        location_place_id: submission.location_place_id.clone(),
        location_place_name: submission.location_place_name.clone(),
        location_coordinates_latitude: submission
            .location_coordinates
            .map(|point| f64::from(point.lat_e6) / 1e6),
        location_coordinates_longitude: submission
            .location_coordinates
            .map(|point| f64::from(point.lng_e6) / 1e6),
        user_details: match view {
            View::Own => own_details(personal),
            View::Masked => masked_details(personal),
        },
        data: data_answer(
            &lead.wish,
            lead.viewing.clone(),
            personal.user_query.clone().filter(|_| view == View::Own),
            data_email(personal, view),
        ),
        meta: LeadMeta {
            payment_before_bookform: Some(submission.payment_before_bookform),
            lead_source: submission.lead_source.clone(),
            variant: Some(submission.variant.key().to_owned()),
            idp_form_data: personal.idp_form_data.clone().filter(|_| view == View::Own),
        },
        source_details: submission.source.clone(),
        event_options: EventOptions {
            user_notification: Some(submission.user_notification.to_string()),
        },
        referral_details: ReferralDetails {
            // Whose code it is, is that person's own business.
            name: None,
            code: submission.referral_code.clone(),
        },
        forms_present: lead.forms_present(),
        created_at: lead.created_at.map(|at| at.to_rfc3339()).unwrap_or_default(),
    })
}

fn current_inventory(lead: &Lead, submission: &Submission) -> Option<String> {
    lead.booked_inventory_id
        .or(submission.inventory_id)
        .map(|id| id.to_string())
}

fn own_details(personal: &LeadPersonal) -> UserAnswer {
    UserAnswer {
        name: personal.name.as_str().to_owned(),
        email: personal.email.as_str().to_owned(),
        phone: personal.phone.e164().to_owned(),
        phone_details: phone_details(&personal.phone),
    }
}

fn masked_details(personal: &LeadPersonal) -> UserAnswer {
    let phone = personal.phone.masked();
    UserAnswer {
        name: personal.name.masked(),
        email: personal.email.masked(),
        phone: phone.clone(),
        phone_details: PhoneAnswer {
            country_code: personal.phone.country_code(),
            national: String::new(),
            international: phone,
        },
    }
}

fn phone_details(phone: &Phone) -> PhoneAnswer {
    PhoneAnswer {
        country_code: phone.country_code(),
        national: phone.national().to_owned(),
        international: format!("{} {}", phone.country_code(), phone.national()),
    }
}

fn data_email(personal: &LeadPersonal, view: View) -> Option<String> {
    let email = personal.data_email.as_ref()?;
    Some(match view {
        View::Own => email.as_str().to_owned(),
        View::Masked => email.masked(),
    })
}

fn data_answer(
    wish: &LeadWish,
    viewing: Option<ViewingRequest>,
    user_query: Option<String>,
    email: Option<String>,
) -> DataAnswer {
    DataAnswer {
        property_view_request_details: viewing,
        budget: wish.budget,
        budget_currency: wish.budget_currency.map(domain::money::Currency::code),
        budget_duration: wish.budget_duration,
        user_query,
        email,
        intake: wish.intake.clone(),
        filters: wish.filters.clone(),
        configuration: wish.configuration.clone(),
        university: wish.university.clone(),
        lease_duration: wish.lease_duration.clone(),
        move_in_date: wish.move_in_date.as_deref().map(calendar::in_form_of_today),
        no_of_students: wish.no_of_students,
    }
}

/// A lead as an answer shows it.
pub(super) fn answer_of(
    lead: &Lead,
    view: View,
    position: Position,
    status: StatusCode,
) -> ApiResult<Response> {
    let own = lead_answer(lead, view).ok_or_else(|| ApiError::not_found(say("refusal.no_lead")))?;
    Ok((status, Success::at(own, position).versioned(lead.edition)).into_response())
}
