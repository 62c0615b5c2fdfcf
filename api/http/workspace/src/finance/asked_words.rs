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

/// Names the colleague on whose request a refund was asked for, and why; nothing where it grants no request.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn name_requester(
    records: &Records,
    settings: &Settings,
    what: &Asked,
    names: &mut HashMap<String, String>,
) -> ApiResult<(Option<String>, Option<String>)> {
    let Asked::Refund {
        payment_id,
        ask: Some(ask),
        ..
    } = what
    else {
        return Ok((None, None));
    };
    let by = staff_name(&records.log, settings, &ask.by.to_string(), names).await?;
    let payment = records.log.load::<Payment>(*payment_id).await?.state;
    let reason = match payment.terms {
        Some(terms) => {
            let told = Told::read_answer(&records.log, terms.lead_id, ask.ask_id).await?;
            told.reason
        }
        None => None,
    };
    Ok((Some(by), reason))
}
