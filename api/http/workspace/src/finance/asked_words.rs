//! Words of a request for money back, and of its answer: read models keep no words about a person.

use std::collections::HashMap;

use domain::approval::Asked;
use domain::id::{LeadId, UserId};
use domain::lead::desk::DeskAct;
use domain::lead::{Lead, LeadEvent};
use domain::moment::Moment;
use domain::payment::Payment;
use eventlog::{EventLog, StreamId};
use http_kit::error::{ApiError, ApiResult};
use platform::config::Settings;
use records::Records;
use uuid::Uuid;

use crate::staff_names::staff_name;

/// Events of a lead that are read at once.
const PAGE: usize = 500;
/// The event of what staff do to a lead.
const ACTED_ON: &str = "LeadActedOn";

/// A request with its answer, as the lead's own stream has them.
#[derive(Default)]
pub(super) struct Told {
    pub(super) reason: Option<String>,
    /// Who declined it, when and why.
    pub(super) declined: Option<(UserId, Moment, Option<String>)>,
    /// Who answered it in whichever way, and when.
    answered: Option<(UserId, Moment)>,
}

impl Told {
    pub(super) async fn read_answer(log: &EventLog, lead_id: LeadId, ask_id: Uuid) -> ApiResult<Self> {
        let stream = StreamId::of::<Lead>(lead_id);
        let (mut told, mut after) = (Self::default(), 0);
        loop {
            let page = log.read_stream(&stream, after, PAGE).await?;
            for record in page.iter().filter(|record| record.event_type == ACTED_ON) {
                told.take(record.decode::<Lead>().map_err(ApiError::broken)?, ask_id);
            }
            match page.last() {
                Some(last) if page.len() == PAGE => after = last.revision,
                _ => return Ok(told),
            }
        }
    }

    fn take(&mut self, event: LeadEvent, ask_id: Uuid) {
        let LeadEvent::ActedOn {
            act_id,
            act,
            by,
            at,
            why,
            ..
        } = event
        else {
            return;
        };
        if matches!(&act, DeskAct::RefundAnswered { ask, .. } if *ask == ask_id) {
            self.answered = Some((by, at));
        }
        match act {
            DeskAct::RefundAsked { .. } if act_id == ask_id => self.reason = why.0,
            DeskAct::RefundAnswered {
                ask, granted: false, ..
            } if ask == ask_id => {
                self.declined = Some((by, at, why.0));
            }
            _ => {}
        }
    }
}

/// The request that a refund grants.
#[derive(Default)]
pub(super) struct GrantedRequest {
    pub(super) by: Option<String>,
    pub(super) reason: Option<String>,
    /// Who has answered it, and when.
    pub(super) answered: Option<(String, Moment)>,
}

/// Finds the colleague on whose request a refund was asked for, why, and what became of the request; nothing where it grants no request.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn find_request(
    records: &Records,
    settings: &Settings,
    what: &Asked,
    names: &mut HashMap<String, String>,
) -> ApiResult<GrantedRequest> {
    let Asked::Refund {
        payment_id,
        ask: Some(ask),
        ..
    } = what
    else {
        return Ok(GrantedRequest::default());
    };
    let by = staff_name(&records.log, settings, &ask.by.to_string(), names).await?;
    let payment = records.log.load::<Payment>(*payment_id).await?.state;
    let told = match payment.terms {
        Some(terms) => Told::read_answer(&records.log, terms.lead_id, ask.ask_id).await?,
        None => Told::default(),
    };
    let answered = match told.answered {
        Some((by, at)) => Some((
            staff_name(&records.log, settings, &by.to_string(), names).await?,
            at,
        )),
        None => None,
    };
    Ok(GrantedRequest {
        by: Some(by),
        reason: told.reason,
        answered,
    })
}
