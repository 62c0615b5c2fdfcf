//! The acts of a branch, done by the code of the real ones: over the records of a branch they are tried, over those of the log they are
//! done, each under a key made from the branch.

use chrono::TimeDelta;
use domain::approval::{Approval, ApprovalCommand};
use domain::id::{ApprovalId, LeadId, PaymentId, RefundId};
use domain::lead::Lead;
use domain::payment::{BookingChoice, PaymentRejection};
use domain::policy::Effect;
use eventlog::{CommitError, Context, Position, commit, done_before};
use http_kit::caller::Staff;
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::Access;
use http_kit::request::RequestContext;
use http_kit::said::{say, unknown_value};
use platform::clock;
use platform::config::Settings;
use processes::reactor::branch::{ProviderAnswer, follow};
use records::Records;
use uuid::Uuid;

use super::{Branch, Step};
use crate::desk::paying;
use crate::desk_acts::{ACTING, Doing, LeadAct};
use crate::finance::approvals::asked_refund;
use crate::finance::refunds::{REFUNDING, RefundBody, RefundLimit, end_booking, give_back};

/// Acts of the desk that can be tried; the others send codes or concern a second lead.
const DESK: [&str; 8] = [
    "close",
    "reopen",
    "change_stay",
    "change_room",
    "extend_hold",
    "send_enquiry",
    "ask_refund",
    "ask_cancellation",
];

/// Services by which acts are done.
pub(super) struct Performing<'p> {
    pub records: &'p Records,
    pub settings: &'p Settings,
    pub context: &'p RequestContext,
    pub staff: &'p Staff,
    pub lead_id: LeadId,
    pub branch: Uuid,
    /// Why, for colleagues.
    pub reason: &'p str,
    /// In place of the limit of the caller's role, in whole units.
    pub refund_limit: Option<u64>,
    /// What the payment provider is taken to answer where acts are tried.
    pub provider: ProviderAnswer,
}

/// Outcome of one act.
pub(super) enum Became {
    Done,
    /// It is above the caller's limit: another person is asked.
    WaitsForApproval(ApprovalId),
}

/// Outcomes of all of them on a branch.
pub(super) struct Tried {
    /// Each with what the real act would be refused for, and where the branch ended after it.
    pub steps: Vec<(ApiResult<Became>, Position)>,
    /// Messages that the outbox would get.
    pub effects: Vec<Effect>,
}

impl Performing<'_> {
    /// Tries every act, one after another, and then what follows from them. A refused act changes nothing.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub(super) async fn try_all(&self, branch: &Branch<'_>) -> ApiResult<Tried> {
        let log = &self.records.log;
        let mut steps = Vec::new();
        for (number, step) in branch.steps.iter().enumerate() {
            let became = match self.step(number, step).await {
                Err(error) if error.status.is_server_error() => return Err(error),
                became => became,
            };
            steps.push((became, log.head().await?));
        }
        let hold_for = TimeDelta::seconds(i64::from(self.settings.hold_seconds));
        let effects = follow(log, branch.base, hold_for, self.provider)
            .await
            .map_err(ApiError::broken)?;
        Ok(Tried { steps, effects })
    }

    /// The context of an act: its key comes from the branch, so that it is done once however often it is asked for.
    fn asked(&self, number: usize, step: &Step) -> ApiResult<Context> {
        let said = serde_json::to_vec(step).map_err(ApiError::broken)?;
        Ok(Context::new(clock::now(), self.staff.actor())
            .command(self.branch, &said)
            .correlated(self.branch)
            .step(&format!("what if {number}")))
    }

    /// Does one act, unless it was done before.
    ///
    /// # Errors
    /// What the real act is refused for.
    pub(super) async fn step(&self, number: usize, step: &Step) -> ApiResult<Became> {
        let asked = self.asked(number, step)?;
        match step.act.as_str() {
            "refund" => self.refund(step, &asked).await,
            "cancel_booking" => {
                self.may(REFUNDING)?;
                if !self.is_done(&asked).await? {
                    let payment_id = self.payment().await?;
                    end_booking(
                        &self.records.log,
                        self.staff,
                        payment_id,
                        (self.reason, None),
                        &asked,
                    )
                    .await?;
                }
                Ok(Became::Done)
            }
            act if DESK.contains(&act) => {
                self.may(ACTING)?;
                if !self.is_done(&asked.step("act")).await? {
                    self.desk_act(step, asked).await?;
                }
                Ok(Became::Done)
            }
            act => Err(ApiError::invalid_field(
                "act",
                "choice",
                unknown_value("act", act),
            )),
        }
    }

    fn may(&self, access: Access) -> ApiResult<()> {
        if access.admits(&self.staff.person) {
            Ok(())
        } else {
            Err(ApiError::not_allowed())
        }
    }

    /// Whether a command was done before, under whatever it stood for.
    async fn is_done(&self, asked: &Context) -> ApiResult<bool> {
        match done_before::<ApiError>(&self.records.log, asked).await {
            Ok(known) => Ok(known.is_some()),
            Err(CommitError::CommandReused) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    async fn desk_act(&self, step: &Step, asked: Context) -> ApiResult<()> {
        let act = LeadAct {
            act: step.act.clone(),
            reason: self.reason.to_owned(),
            cause: step.cause.clone(),
            move_in_date: step.move_in_date.clone(),
            lease_duration: step.lease_duration.clone(),
            inventory_id: step.inventory_id.clone(),
            amount_minor: step.amount_minor,
            ..LeadAct::default()
        };
        let doing = Doing {
            records: self.records,
            settings: self.settings,
            context: self.context,
            staff: self.staff,
            lead_id: self.lead_id,
            act: &act,
            act_id: asked.command_id.unwrap_or(self.branch),
            asked,
        };
        doing.perform().await
    }

    async fn payment(&self) -> ApiResult<PaymentId> {
        let lead = self.records.log.load::<Lead>(self.lead_id).await?.state;
        let paying = paying(self.records, &lead).await?;
        let none = || ApiError::conflict("nothing_to_refund", say("refusal.nothing_to_refund"));
        Ok(paying.ok_or_else(none)?.payment_id)
    }

    /// Above the caller's limit another person is asked for the same refund, as in the payment's own dialog.
    async fn refund(&self, step: &Step, asked: &Context) -> ApiResult<Became> {
        self.may(REFUNDING)?;
        let id = asked.command_id.unwrap_or(self.branch);
        let asked_approval = asked.step("approval");
        let approval_id = ApprovalId(id);
        if self.is_done(&asked_approval).await? {
            return Ok(Became::WaitsForApproval(approval_id));
        }
        if self.is_done(asked).await? {
            return Ok(Became::Done);
        }
        let log = &self.records.log;
        let payment_id = self.payment().await?;
        let body = RefundBody {
            booking: step.booking.unwrap_or(BookingChoice::Keep),
            amount_minor: step.amount_minor.unwrap_or_default(),
            typed_minor: step.typed_minor,
            reason: self.reason.to_owned(),
            ask_id: None,
        };
        let given = (RefundId(id), &body);
        let limit = match self.refund_limit {
            Some(units) => RefundLimit::Of(units),
            None => RefundLimit::OfRole,
        };
        let done = give_back(log, self.settings, (self.staff, limit), payment_id, given, asked).await;
        let Err(refused) = done else {
            return Ok(Became::Done);
        };
        if refused.code != PaymentRejection::AboveLimit.code() {
            return Err(refused);
        }
        let wanted = (approval_id, &body);
        let request = asked_refund(log, self.settings, self.staff, payment_id, wanted, asked.at).await?;
        let ask = ApprovalCommand::Ask(Box::new(request));
        commit::<Approval>(log, approval_id, ask, &asked_approval).await?;
        Ok(Became::WaitsForApproval(approval_id))
    }
}
