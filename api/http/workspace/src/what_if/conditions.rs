//! What is taken to be otherwise while acts are tried on a branch (row N3).

use std::ops::RangeInclusive;

use chrono::Datelike as _;
use domain::aggregate::Decide as _;
use domain::booking_form::BookingForm;
use domain::id::LeadId;
use domain::lead::Lead;
use domain::moment::Moment;
use domain::payment::Payment;
use eventlog::Position;
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::say;
use platform::clock;
use processes::reactor::branch::ProviderAnswer;
use projections::lead_timeline::pages::positions;
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kinds of a lead's own streams, which acts change.
pub(super) const OWN: [&str; 3] = [Lead::KIND, BookingForm::KIND, Payment::KIND];
/// Years of a moment that acts are judged at: what rules add to it stays a moment.
const YEARS: RangeInclusive<i32> = 2000..=2199;

/// Conditions that are taken to be otherwise while acts are tried. Such a branch is looked at and not applied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = WhatIfConditions, example = json!({ "refund_limit": 5000, "at": "2027-05-01T10:00:00Z" }))]
pub struct Conditions {
    /// The moment at which the acts are judged, with its offset from UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Amount that the caller may send back of one payment alone, in whole units of its currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_limit: Option<u64>,
    /// The payment provider refuses each refund.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub provider_refuses: bool,
    /// A moment that is over, with its offset from UTC: the stay costs what the home asked then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_at: Option<String>,
    /// The position of an event of the lead, its form or its payment that is taken as never recorded; what followed from it stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leave_out: Option<i64>,
}

impl Conditions {
    /// Nothing is taken to be otherwise.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Their words, where there are any.
    pub(super) fn words(&self) -> ApiResult<Option<String>> {
        if self.is_empty() {
            return Ok(None);
        }
        serde_json::to_string(self).map(Some).map_err(ApiError::broken)
    }

    pub(super) const fn provider(&self) -> ProviderAnswer {
        if self.provider_refuses {
            ProviderAnswer::Refused
        } else {
            ProviderAnswer::PaidOut
        }
    }

    /// The moment at which the acts are judged.
    ///
    /// # Errors
    /// 422 for what is no moment.
    pub(super) fn judged_at(&self) -> ApiResult<Option<Moment>> {
        let unreadable = || ApiError::invalid_field("conditions.at", "invalid", say("refusal.what_if_at"));
        let read = |text: &str| moment(text).ok_or_else(unreadable);
        self.at.as_deref().map(read).transpose()
    }

    /// The moment whose prices are taken.
    ///
    /// # Errors
    /// 422 for what is no moment, or one that is still to come.
    pub(super) fn prices_of(&self) -> ApiResult<Option<Moment>> {
        let now = clock::now();
        let read = |text: &str| {
            let over = moment(text).filter(|at| *at <= now);
            over.ok_or_else(no_price)
        };
        self.price_at.as_deref().map(read).transpose()
    }

    /// The event that is left out of a branch that begins at `base`. The first event of a stream is none of them: all later ones
    /// build on it.
    ///
    /// # Errors
    /// 422 for what is no such event.
    pub(super) async fn left_out(
        &self,
        records: &Records,
        lead_id: LeadId,
        base: Position,
    ) -> ApiResult<Option<Position>> {
        let Some(named) = self.leave_out else {
            return Ok(None);
        };
        let unknown = || {
            let says = say("refusal.what_if_leave_out");
            ApiError::invalid_field("conditions.leave_out", "choice", says)
        };
        let known = positions(records.heard().await?, lead_id).await?;
        let at = named.unsigned_abs();
        if known.binary_search(&named).is_err() || at > base {
            return Err(unknown());
        }
        let event = records.log.span(at, at).await?.into_iter().next();
        let event = event.ok_or_else(unknown)?;
        if event.revision > 1 && OWN.contains(&event.stream.kind) {
            Ok(Some(at))
        } else {
            Err(unknown())
        }
    }
}

/// Refuses a moment at which the lead's home had no price.
pub(super) fn no_price() -> ApiError {
    ApiError::invalid_field("conditions.price_at", "invalid", say("refusal.what_if_price_at"))
}

fn moment(text: &str) -> Option<Moment> {
    let read = text.parse::<Moment>().ok();
    read.filter(|at| YEARS.contains(&at.year()))
}
