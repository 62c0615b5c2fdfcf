//! A turn in the waitlist is taken: the payment of exactly the stay that is kept, opened by the link of the mail (U1).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::payment::Payment;
use domain::room_stock::{Place, RoomStock};
use http_kit::caller::Caller;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::clock;
use platform::config::Settings;
use serde::Serialize;
use utoipa::ToSchema;

use super::opening::open_for_stay;
use super::waitlist::{BY_TOKEN, own, terms_of};
use super::{Payments, find, private};
use crate::Services;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new().endpoint(BY_TOKEN, routes!(take_offer))
}

/// The payment of a room that was kept for a place.
#[derive(Debug, Serialize, ToSchema)]
pub struct TakenOffer {
    pub token: String,
}

/// `POST /api/v0/payments/{token}/waitlist/take`: opens the payment of exactly the stay that is kept for this place, on any device: the
/// mail's link is enough, as it is for paying. Asked twice there is one payment.
///
/// # Errors
/// 404 `token not found`, 409 `no_offer` where no room is kept for it now.
#[utoipa::path(post, path = "/api/v0/payments/{token}/waitlist/take", tag = "payments", params(("token" = String, Path)),
    responses((status = 201, body = Success<TakenOffer>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn take_offer(
    State(payments): State<Payments>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    caller: Caller,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let found = find(&payments, (&context, &caller), &token).await?;
    let log = &payments.records.log;
    let terms = terms_of(&found)?;
    let stock = log.load::<RoomStock>(terms.room_id).await?.state;
    let is_open = |place: &&Place| place.offered_until().is_some_and(|until| until > clock::now());
    let no_offer = || ApiError::conflict("no_offer", say("refusal.no_offer"));
    let place = own(&stock, found.payment_id, terms)
        .filter(is_open)
        .ok_or_else(no_offer)?;
    let asked = context.command(caller.actor(), &("take", &token));
    let opened = open_for_stay(&payments, &settings, (terms, place.stay), (&asked, context.lang));
    let (payment_id, position) = opened.await?;
    payments.records.answers_for(position);
    let payment = log.load::<Payment>(payment_id).await?.state;
    let token = payment.token.unwrap_or_default();
    Ok(private((
        StatusCode::CREATED,
        Success::at(TakenOffer { token }, position),
    )))
}
