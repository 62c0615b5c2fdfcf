//! Reads of a history by staff, each recorded as an event of its person before it is shown (T30): who read, whose history and what, at most
//! once in fifteen minutes. The event is one of today's log, also where a history of the past is read.

use domain::case::Case;
use domain::id::{LeadId, PaymentId, UserId};
use domain::lead::Lead;
use domain::payment::Payment;
use domain::user::{HistoryRead, Look, User, UserCommand};
use eventlog::{CommitError, Context, commit};
use platform::clock;

use crate::caller::{Sessions, Staff};
use crate::error::ApiResult;
use crate::request::RequestContext;

/// A member of staff who reads a history in a request. The sessions bring today's records.
pub struct Reading<'r> {
    sessions: &'r Sessions,
    context: &'r RequestContext,
    staff: &'r Staff,
}

impl<'r> Reading<'r> {
    /// Of this member of staff in this request.
    pub const fn by(sessions: &'r Sessions, context: &'r RequestContext, staff: &'r Staff) -> Self {
        Self {
            sessions,
            context,
            staff,
        }
    }

    /// Records a read of a lead's history.
    ///
    /// # Errors
    /// When the log or the read models do not answer.
    pub async fn lead(&self, lead_id: LeadId) -> ApiResult<()> {
        self.of_lead(lead_id, Look::History).await
    }

    /// Records a read of a payment's history or papers.
    ///
    /// # Errors
    /// As [`Self::lead`].
    pub async fn payment(&self, payment_id: PaymentId) -> ApiResult<()> {
        let payment = self.sessions.records.log.load::<Payment>(payment_id).await?.state;
        match payment.terms.map(|terms| terms.lead_id) {
            Some(lead_id) => self.of_lead(lead_id, Look::Payment).await,
            None => Ok(()),
        }
    }

    /// Records a read of a conversation.
    ///
    /// # Errors
    /// As [`Self::lead`].
    pub async fn case(&self, case: &Case) -> ApiResult<()> {
        match case.person {
            Some(person) => self.record(person, case.lead_id, Look::Case).await,
            None => Ok(()),
        }
    }

    /// Records a read of a person's own events, which are about no lead.
    ///
    /// # Errors
    /// As [`Self::lead`].
    pub async fn person(&self, person: UserId) -> ApiResult<()> {
        self.record(person, None, Look::History).await
    }

    async fn of_lead(&self, lead_id: LeadId, what: Look) -> ApiResult<()> {
        // Of the log, not of the list of leads: a read model that lags or is rebuilt must not hide a read.
        match self
            .sessions
            .records
            .log
            .load::<Lead>(lead_id)
            .await?
            .state
            .person()
        {
            Some(person) => self.record(person, Some(lead_id), what).await,
            None => Ok(()),
        }
    }

    /// Nothing is recorded of a person who was forgotten: their history holds no personal data, and their account takes no events.
    async fn record(&self, person: UserId, lead_id: Option<LeadId>, what: Look) -> ApiResult<()> {
        let records = &self.sessions.records;
        let (by, at) = (self.staff.person.user_id, clock::present());
        let read = HistoryRead {
            by,
            what,
            lead_id,
            at,
        };
        // Most reads come soon after one that is recorded: for them the log's writer is not asked.
        let user = records.log.load::<User>(person).await?.state;
        if user.forgotten || user.has_recorded(&read) {
            return Ok(());
        }
        let command = UserCommand::Reveal {
            lead_id,
            by,
            what,
            reason: String::new(),
            until: at,
            at,
        };
        let asked = Context::new(at, self.staff.actor()).correlated(self.context.request_id);
        match commit::<User>(&records.log, person, command, &asked).await {
            Ok(recorded) => records.answers_for(recorded.position),
            Err(CommitError::Rejected(_)) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}
